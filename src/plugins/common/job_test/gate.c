/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  gate.c - job_test: no job starts past the books
 *
 *  The plan decides which jobs should start and in what order. Here a job is
 *  checked against the books as they are now, flavor by flavor in the order the
 *  queue prefers them, before cons_tres may place it. TEST_ONLY (can it ever
 *  run?) is never refused: Slurm would hold the job for good. Records that are no
 *  jobs are handed on, questions are counted.
\*****************************************************************************/
#include "slurm/passes.h"
#include "slurm/worker.h"
#include "match/match.h"
#include "request/request.h"
#include "jobs/jobs.h"
#include "books/books.h"
#include "tell/tell.h"
#include "estimate/estimate.h"
#include "hooks/ctld.h"
#include "hooks/pass.h"
#include "job_test/job_test.h"
#include "query.h"

static struct entry *_managed(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);
	bool is_new = false;

	if ((!job || !job->first.work) && job_is_outside(job_ptr))
		return NULL;
	if (!job || !job_waits(job)) {
		/* No pass has seen the job yet: it was just submitted. So may
		 * be other jobs that go before it. One that Slurm did not try
		 * for long (jobs/chance.c) was seen, and so were these. */
		if (!job || (job->first.standing != STANDS_UNTRIED))
			books_scan_new(job_ptr);
		is_new = true;
	}
	/* Backfill gives its locks to others now and then, and goes on with its
	 * queue: the job may have been updated since it was planned. */
	job = books_sync_asked(job_ptr);
	if (!job || !job_waits(job))
		return NULL;
	if (is_new)
		(void) books_plan(time(NULL));
	return job_entry_by_partition(job, job_ptr->part_ptr);
}

/* Does the plan let the job start, or evict, now? If it has to wait for jobs before it, that
 * is noted. Where there is no memory for a plan, it has no verdict and waits. */
static bool _take_turn(struct entry *entry)
{
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);

	if (v->kind == VERDICT_NONE) {
		/* Something of it has changed since the plan was made. */
		(void) books_plan(time(NULL));
		v = engine_verdict(ctld.engine, entry->work);
	}
	if (chance_hold_if_behind(entry))
		return false;
	if (entry->job->job_ptr->het_job_id)
		return het_goes(entry->job);
	if (v->kind == VERDICT_START)
		return entry->started < MAX(v->starts, 1);
	return v->kind == VERDICT_PREEMPT;
}

/* The next job may be tried. Of a job that is just being submitted nobody is behind, and
 * salloc and srun print why it waits unless nodes are busy. */
static int _refused(void)
{
	return asker_is_scheduler() ? compat_refused() : SLURM_ERROR;
}

/* rc: _refused(); or SLURM_ERROR for a job that has quota and gets no nodes: as in Slurm
 * without us, no job behind it in its partition takes them. */
static int _refuse(struct place *p, int rc)
{
	if (p->preemptee_job_list)
		FREE_NULL_LIST(*p->preemptee_job_list);
	if (p->usable)
		bit_copybits(p->node_bitmap, p->usable);
	waker_restore_reasons();
	return rc;
}

static void _note_no_nodes(struct entry *entry)
{
	if (chance_note_no_nodes(entry))
		marks_let_others_go(entry);
}

/* A job that gets no nodes ends the turn of its partition in this pass. Then a job
 * behind it that may go needs another one: is there any? */
static bool _others_may_go(void)
{
	return (queue_order_places() > 1) || ctld.others_wait;
}

/* Victims are listed or on their way out: the freed quota is this job's. It gets no nodes
 * in this pass. The job itself needs no other one before its victims have ended, and then
 * slurmctld makes one: a pass or a plan before that would have the job lock just when their
 * nodes want to say that they have ended. So a plan tells a little later whether somebody
 * else needs one. Texts are put back at once. */
static void _own(struct place *p)
{
	struct entry *entry = p->entry;

	if (engine_own(ctld.engine, entry->work, p->charges, p->ncharges))
		error(PREFIX "%pJ: %m", p->job_ptr);
	jobs_set_own(entry, time(NULL) + ctld.conf->own_timeout / SPEC_SEC);
	hold_nodes(entry, p->node_bitmap);
	chance_event(entry, TRY_FINDS_NODES);
	if (_others_may_go()) {
		waker_schedule();
	} else {
		waker_restore_reasons();
		waker_refresh(1);
	}
}

/* "[a*1&b*2]": Slurm tries the nodes of each feature separately, and then all
 * of them, which are required by then. Only the last answer counts. */
static bool _is_part(const job_record_t *job_ptr, uint32_t min_nodes)
{
	const compat_details_t *details = job_ptr->details;
	uint32_t counted = request_counted(details->feature_list_use);

	if (!counted)
		return false;
	return (min_nodes < counted) || !details->req_node_bitmap ||
		((uint32_t) bit_set_count(details->req_node_bitmap) < counted);
}

/* slurmctld refuses the job by a limit, and says which: nobody waits for it. */
static void _leave_line(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job || !job_waits(job))
		return;
	job = books_sync(job_ptr);
	if (!job || !job_waits(job))
		pass_request_another();
}

/* That slurmctld asks for nodes does not say that nothing else holds the job back.
 * Backfill may ask although licenses are in use, and slurmctld looks at some limits only when
 * nodes are selected. SLURM_SUCCESS: nothing does. */
static int _refused_apart(job_record_t *job_ptr)
{
	const struct job *job = jobs_find(job_ptr->job_id);
	int rc = SLURM_SUCCESS;

	if ((!job || !job->first.work) && job_is_outside(job_ptr))
		return rc;
	if (limits_refuse(job_ptr, job))
		rc = _refused();
	if (!rc && compat_licenses_hold(job_ptr)) {
		xfree(job_ptr->state_desc);
		job_ptr->state_reason = WAIT_LICENSES;
		rc = compat_refused_licenses();
	}
	if (rc)
		_leave_line(job_ptr);
	return rc;
}

static int _finish(struct place *p)
{
	bool tested = (p->mode == SELECT_MODE_WILL_RUN) || p->partial;
	int listed;

	/* backfill gets a time that ignores later evictions */
	if (tested && p->entry->job->estimate_evicts)
		waker_restore_reasons();
	if (tested || limits_refuse_selected(p)) {
		/* no job is evicted for it, although victims are listed */
		(void) evict_list(p);
		return SLURM_SUCCESS;
	}
	if (p->nvictims && books_look_at_victims(p->victims, p->nvictims)) {
		pass_request_another();
		return _refuse(p, _refused());
	}
	listed = evict_list(p);		/* this logs numbers: before the job owns quota */
	if (p->nvictims)
		_own(p);
	for (size_t i = 0; i < p->nothers; i++)
		_own(&p->others[i]);
	/* none: all victims are leaving already */
	return listed || !p->nvictims ? SLURM_SUCCESS : _refuse(p, SLURM_ERROR);
}

/* A question may be about a later time (--begin): it joins the books all the same. */
static struct entry *_in_books(job_record_t *job_ptr, bool asked)
{
	time_t begin = job_ptr->details->begin_time;
	struct entry *entry;
	struct job *job;

	if (!asked)
		return _managed(job_ptr);
	job_ptr->details->begin_time = 0;
	entry = _managed(job_ptr);
	job_ptr->details->begin_time = begin;
	if (entry)
		return entry;
	asked_apart(job_ptr);
	worker_wake(&publisher);
	/* slurmctld throws the record away next */
	if ((job = jobs_find(job_ptr->job_id)))
		books_forget(job);
	return NULL;
}

/* The plan lets it start: nodes of its flavors, and victims */
static int _place(struct place *p)
{
	struct job *job = p->entry->job;
	enum found found;
	bool later;

	p->usable = bit_copy(p->node_bitmap);
	p->partial = _is_part(p->job_ptr, p->min_nodes);
	later = try_puts_eviction_off(p);
	p->now = ns_of(time(NULL));
	found = het_place_find(p);
	if ((later && (found != FOUND_PLACE)) ||
	    ((found == FOUND_NO_NODES) && try_is_of_new_job(p)))
		pass_request_another();
	p->nodes_being_cleaned |= hold_awaits(p->entry);
	if (p->nodes_being_cleaned)	/* no reason to let others go instead */
		chance_renew_offer(job, time(NULL));
	if ((found != FOUND_PLACE) && chance_pauses_evictions(job, time(NULL))) {
		/* no job is evicted for it now: others need not wait for that */
		_note_no_nodes(p->entry);
		waker_at(job->offer.evicts_from);
	}
	if ((found == FOUND_NO_NODES) && !p->nodes_being_cleaned &&
	    !try_is_for_wish(p->job_ptr) && !try_is_of_new_job(p) &&
	    (p->mode == SELECT_MODE_RUN_NOW)) {
		_note_no_nodes(p->entry);
		if (p->protected_until)
			waker_at(time_of(p->protected_until));
	}
	if (found == FOUND_PLACE)
		return _finish(p);
	if (found == FOUND_NEXT_FLAVOR) {
		chance_event(p->entry, TRY_FINDS_NODES);	/* perhaps there */
		pass_request_another();
	}
	return _refuse(p, found == FOUND_NO_NODES ? SLURM_ERROR : _refused());
}

/* Backfill plans a job that waits for quota, and knows when it will have it. False: the job is
 * none of these. */
static bool _plan(struct place *p, int *rc)
{
	struct planned *planned;

	if ((p->mode != SELECT_MODE_WILL_RUN) || !planned_any() || !p->entry->job->marked ||
	    (engine_verdict_kind(ctld.engine, p->entry->work) != VERDICT_WAIT) ||
	    !(planned = planned_find(p->entry)))
		return false;
	*rc = ahead_plan(p, planned) ? SLURM_SUCCESS : _refuse(p, compat_refused());
	place_free(p);
	return true;
}

/* It is not in the books, but one of ours all the same: another component of its
 * heterogeneous job is refused, or not even tried, so that none can start. */
static bool _is_kept_back(job_record_t *job_ptr)
{
	return !job_is_outside(job_ptr) &&
		(job_is_kept_back(job_ptr, time(NULL)) || het_is_untried(job_ptr));
}

/* The gate for a job that is in the books */
static int _decide(struct place *p)
{
	int rc;

	if (_plan(p, &rc))
		return rc;
	if (!_take_turn(p->entry)) {
		/* The main loop offers the next task of an array unasked. One that is
		 * behind another is marked in the next pass. */
		if ((p->entry->started || p->entry->behind) &&
		    asker_is_scheduler() && (compat_refused() == SLURM_ERROR) && _others_may_go())
			pass_request_another();
		return _refuse(p, _refused());
	}
	rc = _place(p);
	place_free(p);
	if (p->limited)
		_leave_line(p->job_ptr);
	return rc;
}

static int _job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS)
{
	struct place p = {
		.cons_tres = real,
		.job_ptr = job_ptr, .node_bitmap = node_bitmap,
		.min_nodes = min_nodes, .max_nodes = max_nodes,
		.req_nodes = req_nodes, .mode = mode,
		.preemptee_job_list = preemptee_job_list,
		.rest = { COMPAT_REST_ARGS },
	};
	bool known, asked;
	int rc;

	if (!ctld_works() || !job_ptr->details || !min_nodes ||
	    ((mode != SELECT_MODE_RUN_NOW) && (mode != SELECT_MODE_WILL_RUN)))
		return real(COMPAT_JOB_TEST_ARGS);
	/* No pass sees a job that starts at once: when it starts, a plan has to know it
	 * (ctld_job_begin()). */
	if (ctld_observes() && (mode == SELECT_MODE_RUN_NOW)) {
		pass_begin_if_due(job_ptr);
		if (ctld_observes())
			(void) _managed(job_ptr);
	}
	if (!ctld_enforces())
		return real(COMPAT_JOB_TEST_ARGS);
	/* The job is in the queue of a pass that has started and ended it, or that began before
	 * it was ended. slurmctld would start it once more, and wait in vain for its end. */
	if (!IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr))
		return _refuse(&p, _refused());
	if (asker_is_scheduler())
		exempt_renew_started();
	else if (mode == SELECT_MODE_RUN_NOW)
		exempt_note_submission();
	if (planned_any() && compat_in_backfill())
		planned_follow(job_ptr->job_id);
	known = jobs_find(job_ptr->job_id);
	asked = asker_is_user(mode) && !known;
	/* a question must not show in the places in line that a pass publishes */
	books_skip_question(asked ? job_ptr->job_id : 0);
	pass_begin_if_due(job_ptr);
	books_skip_question(0);
	if (!ctld_enforces())
		return real(COMPAT_JOB_TEST_ARGS);
	if (!asker_is_user(mode) && (rc = _refused_apart(job_ptr))) {
		/* where backfill plans licenses, it may plan nodes, too */
		if ((mode == SELECT_MODE_WILL_RUN) && compat_plans_licenses() &&
		    compat_licenses_hold(job_ptr))
			return real(COMPAT_JOB_TEST_ARGS);
		return _refuse(&p, rc);
	}
	p.entry = _in_books(job_ptr, asked);
	if (!p.entry && !asker_is_user(mode) && _is_kept_back(job_ptr))
		return _refuse(&p, _refused());
	if (!p.entry)
		return real(COMPAT_JOB_TEST_ARGS);
	request_renew(job_ptr);
	if (asker_is_user(mode))
		return ask_answer(&p, !known);
	return _decide(&p);
}

/* ---- what slurmctld calls ---- */

/* A list that slurmctld may have locked is not touched: a list of our own
 * stands in for it. In backfill it is not locked. */
static int _job_test_unlocked(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS)
{
	compat_list_t partitions = ctld_works() ? job_ptr->part_ptr_list : NULL;
	int rc;

	if (!COMPAT_LOCKS_PARTITIONS || !partitions || compat_in_backfill())
		return _job_test(real, COMPAT_JOB_TEST_ARGS);
	job_ptr->part_ptr_list = partitions_by_name(job_ptr);
	rc = _job_test(real, COMPAT_JOB_TEST_ARGS);
	FREE_NULL_LIST(job_ptr->part_ptr_list);
	job_ptr->part_ptr_list = partitions;
	return rc;
}

extern int ctld_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS)
{
	int rc;

	/* From 24.11 on a reservation is placed as if it was a job, by a record that is in no
	 * list, and with the jobs locked for reading only. */
	if (find_job_record(job_ptr->job_id) != job_ptr)
		return real(COMPAT_JOB_TEST_ARGS);
	layout_check_job(job_ptr);
	if (!ctld_enforces() || !asker_is_user(mode))
		return _job_test_unlocked(real, COMPAT_JOB_TEST_ARGS);
	if (!questions_begin()) {
		if (asked_postponed(job_ptr))
			worker_wake(&publisher);
		return compat_refused();
	}
	rc = _job_test_unlocked(real, COMPAT_JOB_TEST_ARGS);
	questions_end();
	return rc;
}
