/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pass.c - a scheduling pass: plan, marks, order
 *
 *  slurmctld has no hook for the start of a pass, but it clears
 *  preempt_in_progress of every job when it builds the queue, and then sorts
 *  the queue with our comparison. So one job's flag is our sentinel
 *  (slurm/passes.c): when the flag is found cleared, a new pass has begun. Then,
 *  once, all records are walked, the plan is brought up to date, and every job
 *  that must wait is marked preempt_in_progress (marks.c): the scheduler skips
 *  such a job without blocking the jobs behind it.
 *
 *  The others get their places in the order of the queue (queue_order.c).
 *
 *  Where the books have no job none of this is done: the first job of ours that is
 *  tried begins the pass, at the gate.
 *
 *  A job with several partitions is in Slurm's queue once for each, and has one
 *  flag for all. It is marked only if it must wait in all of them. Where it
 *  must wait in some, it is tried there last of all, as a refusal may end the
 *  partition's turn in that pass.
\*****************************************************************************/
#include "hooks/pass.h"

#include "state/job.h"
#include "slurm/clock.h"
#include "slurm/passes.h"
#include "slurm/waker.h"
#include "match/queue_of_job.h"
#include "record/count.h"
#include "jobs/jobs.h"
#include "jobs/planned.h"
#include "books/books.h"
#include "books/exempt.h"
#include "placement/unmanaged.h"
#include "estimate/estimate.h"
#include "hooks/ctld.h"
#include "hooks/marks.h"
#include "hooks/queue_order.h"

static struct {
	bool sorting;			/* inside a pass; false: between two passes */
	bool testing;			/* begun by a job that is being tried */
	bool reset;
	time_t sorted_for;		/* the slurm.conf by which we were asked last */
} pass;

/* ---- start of a pass ---- */

static void _disown_expired(struct job *job, void *arg)
{
	time_t now = *(time_t *) arg;

	for_each_entry(e, job) {
		if (!e->own_until || !e->work || (now < e->own_until))
			continue;
		info(PREFIX "%pJ did not start in time: its reserved quota is free again",
		     job->job_ptr);
		engine_disown(ctld.engine, e->work);
		jobs_set_own(e, 0);
	}
}

/* Victims that are still on their way out */
static void _see_victim(struct job *victim, void *arg UNUSED)
{
	uint32_t by = run_of(victim)->noted_by;
	struct job *preemptor = by && job_runs(victim) && workload_evicting(victim->first.work) ?
		jobs_find(by) : NULL;

	if (preemptor)
		hold_see_victim(preemptor);
}

/* A job that has to wait is marked in any case, unless backfill plans it; Slurm
 * ignores the flag of a job that does not wait at all. */
static bool _may_be_sentinel(const job_record_t *job_ptr)
{
	const struct job *job;

	return !IS_JOB_PENDING(job_ptr) ||
		(job_ptr->preempt_in_progress &&
		 (job = jobs_find(job_ptr->job_id)) && job->marked);
}

/* May a job start that could not before? */
static bool _start(void)
{
	uint64_t begin = clock_usec();
	time_t now = time(NULL);
	struct marking marking = {
		.now = now, .sorting = pass.sorting, .testing = pass.testing,
	};
	int planned;

	if (pass.reset)
		books_request_scan();
	marking.news = pass.reset;
	pass.reset = false;
	books_scan();
	if (ctld.broken)
		return false;
	if (hold_any())
		jobs_each(_disown_expired, &now);
	planned = books_plan(now);
	if (planned < 0)
		error(PREFIX "plan: %m");
	marking.news |= marks_are_outdated();
	if (marking.news || outlook_nodes_changed())
		estimate_due();
	if (planned_any() && !compat_in_backfill())
		planned_follow(0);
	queue_order_begin();
	hold_next_look();
	if (hold_any())
		jobs_each(_see_victim, NULL);
	marks_set(&marking);
	if (ctld.conf->planned_jobs && pass.sorting && compat_in_backfill())
		planned_offer(now);
	queue_order_assign();
	sentinel_choose(_may_be_sentinel);
	waker_expiry(engine_next_expiry(ctld.engine));
	count_pass(clock_usec() - begin, planned);
	return marking.released;
}

extern void pass_reset(void)
{
	pass.reset = true;
}

/* Has slurmctld started a pass since the last one that we know of? */
static bool _has_begun(void)
{
	return pass.reset || sentinel_is_cleared();
}

/* Then it is counted, and jobs that the last pass started are no longer
 * exempt. */
static bool _count_if_begun(void)
{
	if (!_has_begun())
		return false;
	pass_count_begun();
	exempt_forget_started();
	return true;
}

/* There is no job of ours: all jobs keep Slurm's order. Asked for each comparison
 * before anything else: it costs no look at a record. */
static inline bool _has_nothing_to_do(void)
{
	return !ctld.njobs && !queue_order_is_ours() && !unmanaged_asks() &&
		!pass.reset;
}

extern void pass_begin_if_due(job_record_t *job_ptr)
{
	if (!ctld_works() ||
	    (_has_nothing_to_do() && job_is_outside(job_ptr)) ||
	    !_count_if_begun())
		return;
	pass.testing = true;
	(void) _start();
	pass.testing = false;
}

/* A pass that sorted nothing and asked for no nodes is seen here: its queue has
 * one job, which Slurm refused before. */
extern void pass_refresh(void)
{
	if (!ctld_works())
		return;
	(void) _count_if_begun();
	if (_start() && ctld_enforces())
		schedule(true);
}

/* ---- the comparison ---- */

extern bool pass_sorts_by_us(void)
{
	return pass.sorted_for && (pass.sorted_for == slurm_conf.last_update);
}

/* A mark that is set was set in this pass: only where neither job has one it may be another
 * pass. In long queues nearly all jobs wait. The first comparison of a pass finds no mark. */
static __attribute__((noinline)) bool _is_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2)
{
	bool works = ctld_works();

	/* Where no job has a place of its own, all keep Slurm's order: no need to
	 * fetch their records. */
	if (!queue_order_is_ours() && !unmanaged_asks() && (!works || !_has_begun()))
		return false;
	if (works && !rec1->job_ptr->preempt_in_progress &&
	    !rec2->job_ptr->preempt_in_progress && _count_if_begun()) {
		pass_count_sorted();
		pass.sorting = true;
		(void) _start();
		pass.sorting = false;
	}
	/* Slurm's plugin may want an order that is not total: ask it only where
	 * no places are handed out, as places need a total order. */
	if (!queue_order_is_ours() || !ctld_enforces())
		return unmanaged_before(rec1, rec2);
	return queue_order_before(rec1, rec2);
}

static inline void _note_sort(void)
{
	asker_sorts = true;
	pass.sorted_for = slurm_conf.last_update;
}

/* For each comparison of a sort: instructions count here */
extern bool ctld_job_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2)
{
	if (ctld.njobs && rec1->job_ptr->preempt_in_progress &&
	    rec2->job_ptr->preempt_in_progress)
		return false;
	_note_sort();
	return (ctld.njobs || !_has_nothing_to_do()) && _is_before(rec1, rec2);
}
