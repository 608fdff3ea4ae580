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
	int root;			/* of its cohort tree */
	bool offered;			/* to the present cycle of backfill, */
	bool reached;			/* ... which has come to it */
	uint64_t turn;			/* it was offered in that cycle, or 0 */
	int asked;			/* how often cons_tres was, */
	uint64_t asked_in;		/* ... in this pass */
	bool declined;			/* backfill was seen not to take the nodes */
	bitstr_t *nodes;		/* or NULL */
	time_t nodes_at;		/* when they are free */
	time_t start;			/* when it has quota, too */
};

/* ---- which jobs: under the job lock, after each estimate ---- */

extern void planned_choose_begin(void);
extern void planned_consider(struct job *job, time_t now);
extern void planned_choose_end(void);
/* The node table or the configuration changes: none is planned. */
extern void planned_flush(void);

/* ---- a cycle of backfill ---- */

/* It sorts its queue: take the mark off the job whose turn it is, and the time that
 * it shows. For the others it is as planned before. */
extern void planned_offer(time_t now);
/* It asks for nodes. Another pass may have set the marks again meanwhile. */
extern void planned_offer_again(void);
/* It asks for nodes for another job, or another pass begins: has it taken the nodes
 * that it was told? What it declined is not put back in its next cycle. job_id: of
 * the job that it asks for, or 0. */
extern void planned_look_if_taken(uint32_t job_id);
/* Backfill plans no start that is further away: seconds. */
extern time_t planned_window(void);
/* NULL: backfill does not plan this job without quota. */
extern struct planned *planned_find(const struct job *job);
/* The job is to get these nodes, when they are free and it has quota. */
extern void planned_note(struct planned *planned, const bitstr_t *nodes,
			 time_t nodes_at, time_t quota_at);
/* No nodes can be planned for it now; or it is not to be planned for a while. */
extern void planned_clear(struct planned *planned);
extern void planned_give_up(struct planned *planned, time_t now);

/* ---- the other jobs ---- */

extern bool planned_any(void);
/* Clear in `nodes` those that are planned for jobs that go before this one by
 * priority, if it would start at `from` and not be done in time. */
extern void planned_keep_out(const struct entry *entry, bitstr_t *nodes,
			     time_t from);

#endif /* COHORT_JOBS_PLANNED_H */
