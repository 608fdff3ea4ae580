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

#include "slurm/worker.h"
#include "slurm/passes.h"
#include "match/match.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "books/books.h"
#include "placement/place.h"
#include "tell/tell.h"
#include "estimate/estimate.h"
#include "hooks/ctld.h"

static struct {
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

/* For list_find_first(). A job that has to wait is marked in any case, unless backfill plans it;
 * Slurm ignores the flag of a job that does not wait at all. */
static int _offer_sentinel(void *x, void *arg UNUSED)
{
	job_record_t *job_ptr = x;
	const struct job *job = jobs_find(job_ptr->job_id);

	if (!IS_JOB_PENDING(job_ptr) || (job_ptr->preempt_in_progress && job && job->marked))
		sentinel_offer(job_ptr);
	return sentinel.job_id != 0;
}

/* marking: whether slurmctld's scheduler sorts its queue, or a job is being tried. Returns whether
 * a job may start that could not before. */
static bool _start(struct marking marking)
{
	uint64_t begin = clock_usec();
	time_t now = time(NULL);
	int planned;

	marking.now = now;
	marking.news = pass.reset;
	pass.reset = false;
	books_scan(marking.news);
	if (ctld.broken)
		return false;
	if (hold_any())
		jobs_each(_disown_expired, &now);
	planned = books_plan(now);
	if (planned < 0)
		error(PREFIX "plan: %m");
	if (planned_any() && !compat_in_backfill())
		planned_follow(0);
	queue_order_begin();
	hold_look_at_victims();
	marks_set(&marking);
	if (marking.news || outlook_nodes_changed())
		estimate_due();
	if (ctld.conf->planned_jobs && marking.sorting && compat_in_backfill())
		planned_offer(now);
	queue_order_assign();
	sentinel_choose(_offer_sentinel);
	waker_expiry(engine_next_expiry(ctld.engine));
	count_pass(clock_usec() - begin, planned);
	return marking.released;
}

extern void pass_reset(void)
{
	pass.reset = true;
}

/* Has slurmctld started a pass since the last one that we know of? Then it is counted, and jobs
 * that the last pass started are no longer exempt. */
static bool _count_if_begun(void)
{
	if (!pass.reset && !sentinel_is_cleared())
		return false;
	ctld.passes++;
	exempt_forget_started();
	return true;
}

/* There is no job of ours: all jobs keep Slurm's order. Asked for each comparison
 * before anything else: it costs no look at a record. */
static inline bool _has_nothing_to_do(void)
{
	return !ctld.njobs && !ctld.ordered && !unmanaged_asks() && !pass.reset;
}

extern void pass_begin_if_due(job_record_t *job_ptr)
{
	if (!ctld_works() ||
	    (_has_nothing_to_do() && job_is_outside(job_ptr)) ||
	    !_count_if_begun())
		return;
	(void) _start((struct marking) { .testing = true });
}

/* Bring plan, marks and texts up to date between passes; the scheduler is asked to run if a job
 * may start now that could not before. A pass that sorted nothing and asked for no nodes is
 * seen here: its queue has one job, which Slurm refused before. */
static void _refresh(void)
{
	/* the marks may ask for another one at once */
	waker_refresh_in(MAX(ctld.conf->update_interval / SPEC_SEC, 1));
	(void) _count_if_begun();
	if (_start((struct marking) { 0 }) && ctld_enforces())
		schedule(true);
}

/* Where the scheduler runs next, its pass brings plan, marks and texts up to date: that is not
 * done twice. slurmctld lets waiting writers of the job lock go before readers, so no squeue
 * sees the texts that a pass left, before they are put back here. */
extern void pass_follow(const struct waker_due *due)
{
	bool refresh = due->refresh || (due->ended && !ctld_enforces());

	if (due->refresh || due->ended)
		evict_due();
	if (refresh)
		_refresh();
	if (due->texts || refresh)
		reason_restore();
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
	if (ctld_works() && !rec1->job_ptr->preempt_in_progress &&
	    !rec2->job_ptr->preempt_in_progress && _count_if_begun()) {
		ctld.sorted++;
		(void) _start((struct marking) { .sorting = true });
	}
	/* Slurm's plugin may want an order that is not total: ask it only where
	 * no places are handed out, as places need a total order. */
	if (!ctld.ordered || !ctld_enforces())
		return unmanaged_before(rec1, rec2);
	return queue_order_before(rec1, rec2);
}

/* For each comparison of a sort: instructions count here */
extern bool ctld_job_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2)
{
	if (ctld.njobs && rec1->job_ptr->preempt_in_progress &&
	    rec2->job_ptr->preempt_in_progress)
		return false;
	asker_sorts = true;
	pass.sorted_for = slurm_conf.last_update;
	return (ctld.njobs || !_has_nothing_to_do()) && _is_before(rec1, rec2);
}
