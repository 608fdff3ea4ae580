/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  planned_list.h - the jobs that backfill plans, for the files planned*.c
\*****************************************************************************/
#ifndef COHORT_JOBS_PLANNED_LIST_H
#define COHORT_JOBS_PLANNED_LIST_H

#include "jobs/planned.h"

/* In all trees together: each of them costs backfill something */
#define PLANNED_MOST 16

struct planned_list {
	struct planned all[PLANNED_MOST + 1];	/* in Slurm's order */
	size_t n;
};

extern struct planned_list planned_list;

extern void planned_remove(size_t i);
extern void planned_drop(struct planned *one);
/* The job, as long as it waits for its start; else NULL */
extern struct job *planned_waiting(const struct planned *one);
/* Slurm's order: by PriorityTier and priority, then first come first served */
extern bool planned_goes_before(const job_record_t *a, uint16_t tier_a,
				const job_record_t *b, uint16_t tier_b);
extern uint16_t planned_tier(const job_record_t *job_ptr);
/* It starts when it has both quota and nodes, and so have its fellows. */
extern void planned_set_start(struct planned *one, time_t quota_at);
/* The start that was planned first has passed. */
extern bool planned_is_late(const struct job *job, time_t now);

#endif /* COHORT_JOBS_PLANNED_LIST_H */
