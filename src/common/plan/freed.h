/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * freed.h - what the victims of a plan use, summed by queue
 *
 * A start counts as one of now only if it fits beside all victims of the plan.
 * There can be as many starts as victims, so a start must not cost a look at
 * each victim.
 */
#ifndef COHORT_FREED_H
#define COHORT_FREED_H

#include "plan/plan.h"

/* Adds what a running victim uses, with all of its unit; 0, or -1 with
 * e->no_memory set. */
int freed_add(struct plan *p, struct holding *h);

/* What the queue uses in the plan is another amount now. Whatever changes that, but for what
 * is withheld, has to say so. */
void freed_follow(struct queue *q);

/* Would uses[], no pair twice, fit in the queue if all victims were back in the
 * books? For the plan itself, not within a trial of it. What that costs goes with the depth
 * of the tree, and with the queues that use another amount since the last time.
 * Only where cohorts have quota that is not lent it goes with the number of queues that have
 * victims. */
bool freed_fit_beside(struct plan *p, const struct queue *q,
		      const struct use *uses, size_t n);

/* The same question about the cap of non-preemptible workloads */
bool freed_cap_admits_beside(const struct plan *p, const struct workload *w,
			     const struct use *uses, size_t n);

#endif /* COHORT_FREED_H */
