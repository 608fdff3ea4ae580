/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pass.h - a scheduling pass: plan, marks, order
\*****************************************************************************/
#ifndef COHORT_HOOKS_PASS_H
#define COHORT_HOOKS_PASS_H

#include "state/job.h"
#include "slurm/worker.h"

/* ---- pass.c ---- */

/* Start a pass if slurmctld has started one: walk, plan, mark. This job is tried: where
 * no job is ours, and it isn't either, that is left to a later look. */
extern void pass_begin_if_due(job_record_t *job_ptr);
/* The plan is out of date in any case (configuration changed). */
extern void pass_reset(void);
/* What is due between passes (slurm/worker.h): evictions by the clock, texts, plan and marks;
 * under the job lock */
extern void pass_follow(const struct waker_due *due);
/* Has the scheduler sorted by our comparison since slurm.conf was read? */
extern bool pass_sorts_by_us(void);

/* ---- marks.c: which jobs must wait ---- */

struct marking {
	time_t now;
	bool news;	/* in and out: a record or the plan has changed since all jobs
			 * were marked, also between passes: texts may have to change */
	bool sorting;	/* slurmctld's scheduler sorts its queue */
	bool testing;	/* a job is being tried */
	bool released;	/* out: a job may start that could not before */
	bool passed_over;	/* slurmctld has looked at one that may start, in vain */
};

/* Marks every job that must wait preempt_in_progress, gives the others their
 * places in the order of the queue, and shows why jobs wait. Where nothing has
 * changed since the last call, a job that waits by the plan costs one look. */
extern void marks_set(struct marking *marking);
/* The entry had its chance to start, and found no nodes: others may go instead. One that
 * may start already stands where it stood, and is tried in the next pass as it was in
 * this one. So another pass is of use only if the plan lets somebody go who waits now,
 * and where nobody waits not even another plan is needed at once. */
extern void marks_let_others_go(const struct entry *entry);

/* enforcement: observe. Log what would be done with this waiting entry, if that is news.
 * in_pass: jobs that the plan lets wait may start next; then only a first eviction is
 * logged. */
extern void observe_judge(struct entry *entry, bool in_pass);

/* ---- queue_order.c: the order of slurmctld's queue ---- */

/* From here on, no job has a place. */
extern void queue_order_begin(void);
/* The entry may start by this partition, in which its job has this priority; v: what the plan
 * says of the entry. *place is set by queue_order_assign(). */
extern void queue_order_add(const struct entry *entry, const struct verdict *v,
			    part_record_t *part_ptr, uint32_t priority, uint32_t *place);
/* All entries are there: they get their places. */
extern void queue_order_assign(void);
/* How many places jobs of ours have taken in this pass */
extern size_t queue_order_places(void);
/* Does the first job go before the second? */
extern bool queue_order_before(const job_queue_rec_t *rec1, const job_queue_rec_t *rec2);

#endif /* COHORT_HOOKS_PASS_H */
