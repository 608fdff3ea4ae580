/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worlds.h - worlds in which the engine has the most to do, of size n: see table.c
 */
#ifndef SCOHORT_WORLDS_H
#define SCOHORT_WORLDS_H

#include "worst/site.h"

#define HOUR (3600 * SPEC_SEC)
#define RUN_UP_TO (900000 * SPEC_SEC)
#define LONGER (1000000 * SPEC_SEC)	/* than anything has run */

/* Of each pair of queues */
#define BORROWER 0
#define LENDER 1

/* Many queues in one cohort: every other one lends all that it may, which the others
 * borrow. The plan says what else is so. Jobs ask for as much of each resource. */
#define FLAT_JOB 4			/* of each resource */
#define FLAT_NOMINAL (10 * FLAT_JOB)

void flat_open(struct site *s, size_t queues, struct tree_plan plan);
struct ask flat_job(size_t queue, int64_t priority, int64_t amount);

/* Jobs that wait in several queues */
struct bonds {
	enum bond_kind kind;
	size_t members;
	size_t step;		/* from the queue of one member to that of the next */
	int64_t priority;
};

/* n of them; the event is a small job of a queue that lends. */
void bonds_wait(struct site *s, size_t n, const struct bonds *bonds);

void array_build(struct site *s, size_t n);
void protected_build(struct site *s, size_t n);
void protected_units_build(struct site *s, size_t n);
void exempt_build(struct site *s, size_t n);
void elastic_build(struct site *s, size_t n);
void elastic_spare_build(struct site *s, size_t n);
void turns_build(struct site *s, size_t n);
void owners_build(struct site *s, size_t n);
void flat_full_build(struct site *s, size_t n);
void flat_reclaim_build(struct site *s, size_t n);
void flat_flavors_build(struct site *s, size_t n);
void flat_exempt_build(struct site *s, size_t n);
void flat_mixed_build(struct site *s, size_t n);
void lower_mixed_build(struct site *s, size_t n);
void units_mixed_build(struct site *s, size_t n);
void fair_mixed_build(struct site *s, size_t n);
void fair_exempt_build(struct site *s, size_t n);
void lend_build(struct site *s, size_t n);
void fair_lend_build(struct site *s, size_t n);
void reclaim_own_build(struct site *s, size_t n);
void borrow_build(struct site *s, size_t n);
void borrow_lend_build(struct site *s, size_t n);
void borrow_either_build(struct site *s, size_t n);
void fair_either_build(struct site *s, size_t n);
void either_own_build(struct site *s, size_t n);
void over_build(struct site *s, size_t n);
void over_mixed_build(struct site *s, size_t n);
void over_units_build(struct site *s, size_t n);
void fair_flavors_build(struct site *s, size_t n);
void fair_full_build(struct site *s, size_t n);
void over_reclaim_build(struct site *s, size_t n);
void over_lend_build(struct site *s, size_t n);
void over_owners_build(struct site *s, size_t n);
void fair_lower_build(struct site *s, size_t n);
void units_lower_build(struct site *s, size_t n);
void fair_units_lower_build(struct site *s, size_t n);
void fair_lower_mixed_build(struct site *s, size_t n);
void flat_unit_build(struct site *s, size_t n);
void flat_units_build(struct site *s, size_t n);
void units_protected_build(struct site *s, size_t n);
void units_turns_build(struct site *s, size_t n);
void fair_unit_build(struct site *s, size_t n);
void flat_fair_build(struct site *s, size_t n);
void fair_history_build(struct site *s, size_t n);
void flat_protected_build(struct site *s, size_t n);
void deep_build(struct site *s, size_t n);
void depth_build(struct site *s, size_t n);
void shapes_build(struct site *s, size_t n);
void refused_build(struct site *s, size_t n);
void flavors_build(struct site *s, size_t n);
void allowed_build(struct site *s, size_t n);
void moves_build(struct site *s, size_t n);
void strict_build(struct site *s, size_t n);
void strict_borrow_build(struct site *s, size_t n);
void blocked_build(struct site *s, size_t n);
void together_build(struct site *s, size_t n);
void together_each_build(struct site *s, size_t n);
void either_build(struct site *s, size_t n);
void memory_build(struct site *s, size_t n);
void fair_usage_build(struct site *s, size_t n);
void fair_tree_build(struct site *s, size_t n);
void fair_deep_build(struct site *s, size_t n);
void reclaim_protected_build(struct site *s, size_t n);
void fair_protected_build(struct site *s, size_t n);

#endif /* SCOHORT_WORLDS_H */
