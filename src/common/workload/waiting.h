/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting.h - workloads that wait: in line, and beside those that own quota
 */
#ifndef COHORT_WAITING_H
#define COHORT_WAITING_H

#include <stdbool.h>

#include "usage/local.h"

struct decision;
struct engine;
struct queue;
struct workload;

void pending_init(struct queue *q);

/* Puts the workload, which has a shape, into the line of its queue and of the shape, and
 * takes it out */
void pending_add(struct engine *e, struct workload *w);
void pending_remove(struct engine *e, struct workload *w);

/* Forgets what an earlier plan found about the workload */
void workload_renew(struct workload *w);

/* What the plan that runs, or ran last, has decided about the workload; NULL:
 * nothing. Valid until the next plan of its tree. */
struct decision *workload_decision(const struct workload *w);

/* It still waits for its turn in the plan that runs, or that ran last. */
bool workload_is_undecided(const struct workload *w);

/* The last plan of the tree found nothing that the owner could wait for. The
 * owner then competes like any other workload. */
bool owned_quota_is_void(const struct workload *w);

/* In a trial: takes out of the books what the workload owns, what others came
 * to own after that, and claims that the last plan found void. */
void owned_quota_lift(struct engine *e, const struct workload *w);

#endif /* COHORT_WAITING_H */
