/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  planned.h - waiting jobs that backfill plans although they have no quota yet
\*****************************************************************************/
#ifndef COHORT_JOBS_PLANNED_H
#define COHORT_JOBS_PLANNED_H

#include "state/job.h"

/* What backfill has planned for one of them. Times are of the clock, seconds. */
struct planned {
	uint32_t job_id;
	uint32_t unit;			/* id of its heterogeneous job, or its own */
	int root;			/* of its cohort tree */
	bool offered;			/* to the present cycle of backfill, */
	bool reached;			/* ... which has come to it */
	uint64_t turn;			/* it was offered in that cycle, or 0 */
	int missed;			/* how often backfill has not come to it */
	int asked;			/* how often cons_tres was, */
	uint64_t asked_in;		/* ... in this pass, */
	const part_record_t *asked_by;	/* ... for this partition */
	bool alone;			/* the last question was as if the job shared no
					 * node: Slurm asks once more */
	bitstr_t *nodes;		/* or NULL */
	const part_record_t *part_ptr;	/* by which it is to start; only compared */
	uint16_t tier;			/* its PriorityTier */
	time_t nodes_at;		/* when they are free */
	time_t start;			/* when it has quota, too, and so have the
					 * other components */
};

/* Which jobs: under the job lock, after each estimate */
extern void planned_choose(time_t now);
/* The node table or the configuration changes: none is planned. */
extern void planned_flush(void);

/* ---- a cycle of backfill ---- */

/* It sorts its queue: take the mark off the job whose turn it is, and the time that
 * it shows. For the others it is as planned before. */
extern void planned_offer(time_t now);
/* It asks for nodes for this job, or another pass begins (0). Marks that another pass has
 * set again meanwhile are taken off. A plan is dropped if it has not taken the nodes. */
extern void planned_follow(uint32_t job_id);
/* Backfill plans no start that is further away: seconds. */
extern time_t planned_window(void);
/* NULL: backfill does not plan this job without quota, or not by this entry. */
extern struct planned *planned_find(const struct entry *entry);
/* The job, which is ours, is to get these nodes, by its partition, when they are free
 * (start_time) and it has quota. */
extern void planned_note(struct planned *planned, const job_record_t *job_ptr,
			 const bitstr_t *nodes, time_t quota_at);
/* A task has left the array: the nodes were kept for that one. */
extern void planned_end_wait_of_task(const struct job *array);
/* No nodes can be planned for it now; or it, which is ours still, is not to be planned for a
 * while: `planned` is gone. */
extern void planned_clear(struct planned *planned);
extern void planned_give_up(struct planned *planned, time_t now);

/* ---- the other jobs ---- */

extern bool planned_any(void);
/* Clear in `nodes` those that are planned for jobs that go before this one by
 * priority, if it would start at `from` and not be done in time. from: 0: backfill looks when
 * this job could start, and only nodes of components that have quota and are to start now are
 * cleared. Only backfill starts these, one after the other, and jobs that it looks at between
 * them would take their nodes. */
extern void planned_keep_out(const struct entry *entry, bitstr_t *nodes,
			     time_t from);

#endif /* COHORT_JOBS_PLANNED_H */
