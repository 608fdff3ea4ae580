/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  gate.c - job_test: nobody starts past the books
 *
 *  The plan says who should start and in what order; here it is checked
 *  against the books as they are now, flavor by flavor in the order the queue
 *  prefers them, before cons_tres may place the job. TEST_ONLY (can it ever
 *  run?) is never refused: Slurm would hold the job for good.
\*****************************************************************************/
#include "hooks/gate.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "slurm/waker.h"
#include "match/flavor_eligibility.h"
#include "match/flavor_nodes.h"
#include "request/request.h"
#include "books/books.h"
#include "books/fresh.h"
#include "books/het.h"
#include "books/hold.h"
#include "books/jobs.h"
#include "books/waiting.h"
#include "placement/evict.h"
#include "placement/fit.h"
#include "placement/place.h"
#include "tell/asked.h"
#include "tell/observe.h"
#include "hooks/ask.h"
#include "hooks/pass.h"

static struct job *_managed(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job || !job->work || workload_running(job->work)) {
		/* Not seen by a pass yet: just submitted. So may be others
		 * that go before it. */
		(void) books_scan();
		job = books_sync(job_ptr);
		if (!job || !job->work || workload_running(job->work))
			return NULL;
		(void) engine_plan(ctld.engine, ns_of(time(NULL)));
	}
	return waiting_entry(job, job_ptr->part_ptr);
}

extern bool gate_is_behind(struct job *job)
{
	struct position pos;

	if (!engine_is_behind(ctld.engine, job->work))
		return false;
	engine_position(ctld.engine, job->work, &pos);
	job->behind = pos.place;	/* its text and the next pass say so */
	return true;
}

/* Does the plan let it start, or evict, now? */
static bool _in_turn(struct job *job)
{
	const struct verdict *v = engine_verdict(ctld.engine, job->work);

	if (v->kind == VERDICT_NONE) {
		/* something of it has changed since the plan was made */
		(void) engine_plan(ctld.engine, ns_of(time(NULL)));
		v = engine_verdict(ctld.engine, job->work);
	}
	if (gate_is_behind(job))
		return false;
	if (job->job_ptr->het_job_id)
		return het_goes(job);
	if (v->kind == VERDICT_START)
		return job->started < MAX(v->starts, 1);
	return v->kind == VERDICT_PREEMPT;
}

/* rc: compat_refused(), who comes next may be tried; or SLURM_ERROR for one that
 * has quota and gets no nodes: as ever, nobody of its partition takes them. */
static int _refuse(struct place *p, int rc)
{
	if (p->preemptee_job_list)
		FREE_NULL_LIST(*p->preemptee_job_list);
	if (p->usable)
		bit_copybits(p->node_bitmap, p->usable);
	waker_restore_reasons();
	return rc;
}

static void _mark_no_nodes(struct job *job)
{
	if (job->no_nodes)
		return;
	job->no_nodes = true;
	engine_blocked(ctld.engine, job->work, true);
	pass_request_another();	/* others may go instead */
}

/* Take the flavors that found no nodes off the list. False if none is left
 * that could change anything. */
static bool _next_flavor(const struct place *p, bool *flavor_ok)
{
	bool changed = false;

	for (size_t i = 0; i < p->ncharges; i++) {
		int flavor = p->charges[i].flavor;

		if (!flavor_nodes(flavor) || !flavor_ok[flavor])
			continue;
		flavor_ok[flavor] = false;
		changed = true;
	}
	return changed;
}

/* After an eviction for a job Slurm gives the victims this long to go before
 * it evicts anybody else for it (node_scheduler.c). */
static bool _evicted_lately(const struct place *p, time_t now)
{
	time_t last = p->job_ptr->details->preempt_start_time;

	if (now < job_first(p->job)->evict_again)
		return true;
	return last && (last > now - slurm_conf.kill_wait -
			slurm_conf.msg_timeout);
}

/* Only a plan that took everybody into account decides that somebody must
 * go for quota; a start that needs it after all waits for the next plan. */
static bool _may_evict(const struct place *p)
{
	const struct verdict *v = engine_verdict(ctld.engine, p->job->work);

	return p->may_evict && (p->job_ptr->het_job_id ? het_evicts(p->job) :
				v->kind == VERDICT_PREEMPT);
}

/* A job that may start by several partitions evicts nobody by one of them
 * before all had a pass without: there may be room. */
static bool _others_were_tried(struct job *job)
{
	int ways = 0;

	for (int i = 0; i < job->nvias; i++) {
		const struct job *entry = job->vias[i].entry;

		ways += !entry || (engine_verdict(ctld.engine, entry->work)->kind
				   != VERDICT_WAIT);
	}
	if (ways < 2)
		return true;
	if (!job->crowded)
		job->crowded = pass_number();
	if (job->crowded + 1 < pass_number())
		return true;
	pass_request_another();
	return false;
}

/* Nobody goes for it now: others are not to wait for that. */
static void _wait_for_pause(struct place *p)
{
	_mark_no_nodes(p->job);
	waker_at(job_first(p->job)->evict_again);
}

static bool _nominate(struct place *p, const bool *flavor_ok, int64_t now,
		      struct nomination *nom)
{
	if (engine_nominate(ctld.engine, p->job->work, now, flavor_ok, nom))
		return false;
	return (nom->mode == MODE_FIT) ||
		((nom->mode == MODE_PREEMPT) && nom->nvictims &&
		 _may_evict(p));
}

/* Backfill asks when it will run: it would, but not now */
static bool _is_later(const struct place *p, int64_t now)
{
	return (p->mode == SELECT_MODE_WILL_RUN) &&
		(ns_of(p->job_ptr->start_time) > now + SPEC_SEC);
}

/* One flavor after the other. Where it could start later in one of them and now
 * in another, the latter is right; `best` keeps the earliest of the former. */
static int _try_flavors(struct place *p, bool *flavor_ok, bool *best,
			int64_t now)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	time_t earliest = 0;
	struct nomination nom;
	int rc = -2, tried;

	while (_nominate(p, flavor_ok, now, &nom)) {
		tried = place_try(p, &nom, now);
		if (!tried && !_is_later(p, now))
			return 0;
		if (!tried && (!earliest ||
			       (p->job_ptr->start_time < earliest))) {
			earliest = p->job_ptr->start_time;
			memcpy(best, flavor_ok, nflavors);
		}
		if ((tried == -1) && (p->mode == SELECT_MODE_RUN_NOW))
			flavor_learn_from_try(p);
		if (tried)
			rc = (rc == -1) ? -1 : tried;
		if (!_next_flavor(p, flavor_ok))
			break;
	}
	if (earliest && _nominate(p, best, now, &nom))
		return place_try(p, &nom, now);
	return rc;
}

extern int gate_find_place(struct place *p, int64_t now)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	bool *flavor_ok = xcalloc(nflavors + 1, sizeof(*flavor_ok));
	bool *best = xcalloc(nflavors + 1, sizeof(*best));
	int rc;

	memset(flavor_ok, true, nflavors);
	rc = _try_flavors(p, flavor_ok, best, now);
	xfree(flavor_ok);
	xfree(best);
	return rc;
}

/* Victims are listed or on their way: the freed quota is this job's. */
static void _own(struct place *p)
{
	struct job *job = p->job;

	if (engine_own(ctld.engine, job->work, p->charges, p->ncharges))
		error(PREFIX "%pJ: %m", p->job_ptr);
	jobs_set_own(job, time(NULL) + ctld.conf->own_timeout / SPEC_SEC);
	hold_nodes(job, p->node_bitmap);
	job->no_nodes = false;		/* it will have them */
	engine_blocked(ctld.engine, job->work, false);
	waker_schedule();
}

/* "[a*1&b*2]": Slurm tries the nodes of each feature by themselves, and then all
 * of them, which are required by then. Only the last word counts. */
static bool _is_part(const job_record_t *job_ptr, uint32_t min_nodes)
{
	const compat_details_t *details = job_ptr->details;
	uint32_t counted = request_counted(details->feature_list_use);

	if (!counted)
		return false;
	return (min_nodes < counted) || !details->req_node_bitmap ||
		((uint32_t) bit_set_count(details->req_node_bitmap) < counted);
}

static int _finish(struct place *p)
{
	int listed;

	if ((p->mode == SELECT_MODE_WILL_RUN) || p->part) {
		/* backfill tells a time that knows of no later eviction */
		if (job_first(p->job)->estimate_evicts)
			waker_restore_reasons();
		(void) evict_list(p);
		return SLURM_SUCCESS;
	}
	for (size_t i = 0; !p->nvictims && (i < p->nothers); i++)
		_own(&p->others[i]);
	if (!p->nvictims)
		return SLURM_SUCCESS;
	listed = evict_list(p);		/* tells numbers: before it owns */
	_own(p);
	for (size_t i = 0; i < p->nothers; i++)
		_own(&p->others[i]);
	if (!listed)
		return _refuse(p, SLURM_ERROR);	/* all are leaving already */
	return SLURM_SUCCESS;
}

/* Slurm tries to start it: what would we say? A job that starts at once is
 * seen by no pass. */
static void _observe(job_record_t *job_ptr)
{
	struct job *job;

	pass_begin_if_due();
	if (ctld_observes() && (job = _managed(job_ptr)))
		observe_judge(job);
}

/* Slurm first tries what is only preferred (--prefer), or a reservation that
 * draws jobs in (MAGNETIC), and then the rest: nobody has to go for that. */
static bool _is_wish(const job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	return (job_ptr->bit_flags & JOB_MAGNETIC) ||
		(details->prefer && (details->features_use == details->prefer));
}

static int _find_place(struct place *p, int64_t now)
{
	int rc;

	if (!p->job_ptr->het_job_id)
		return gate_find_place(p, now);
	if (p->mode == SELECT_MODE_RUN_NOW)
		return het_find_place(p, now);
	if (!(rc = gate_find_place(p, now)))
		het_note_test(p);
	return rc;
}

/* Not while it is being submitted: with --immediate it is not there any more
 * when its victims have gone. The scheduler looks at it next. */
static bool _is_new(const struct place *p)
{
	return !p->job_ptr->batch_flag &&
		(job_first(p->job)->new_at == waker_turns());
}

static bool _may_evict_now(const struct place *p)
{
	if (_is_wish(p->job_ptr))
		return false;
	if (p->mode == SELECT_MODE_WILL_RUN)
		return true;
	if (_is_new(p)) {
		pass_request_another();
		return false;
	}
	return !_evicted_lately(p, time(NULL)) &&
		_others_were_tried(job_first(p->job));
}

/* A question may be about a later time (--begin): it joins the books all the
 * same. */
static struct job *_in_books(job_record_t *job_ptr, bool asked)
{
	time_t begin = job_ptr->details->begin_time;
	struct job *job;

	if (!asked)
		return _managed(job_ptr);
	job_ptr->details->begin_time = 0;
	job = _managed(job_ptr);
	job_ptr->details->begin_time = begin;
	if (job)
		return job;
	asked_apart(job_ptr);
	/* slurmctld throws the record away next */
	if ((job = jobs_find(job_ptr->job_id)))
		books_forget(job);
	return NULL;
}

/* Others do not get to see a question in the places that a pass tells them. */
static void _touch(const job_record_t *job_ptr, bool asked)
{
	books_skip_question(asked ? job_ptr->job_id : 0);
	pass_begin_if_due();
	books_skip_question(0);
}

/* It is in the queue of a pass that has started and ended it, or that began
 * before it was ended. slurmctld would start it once more, and wait in vain for
 * its end. */
static bool _is_ending(const job_record_t *job_ptr)
{
	return !IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr);
}

extern int gate_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS)
{
	struct place p = {
		.real = real, .job_ptr = job_ptr, .node_bitmap = node_bitmap,
		.min_nodes = min_nodes, .max_nodes = max_nodes,
		.req_nodes = req_nodes, .mode = mode,
		.preemptee_job_list = preemptee_job_list,
		.rest = { COMPAT_REST_ARGS },
	};
	bool known, asked;
	int rc;

	if (ctld_observes() && job_ptr->details && min_nodes &&
	    (mode == SELECT_MODE_RUN_NOW))
		_observe(job_ptr);
	if (!ctld_enforces() || !job_ptr->details || !min_nodes ||
	    ((mode != SELECT_MODE_RUN_NOW) && (mode != SELECT_MODE_WILL_RUN)))
		return real(COMPAT_JOB_TEST_ARGS);
	if (_is_ending(job_ptr))
		return _refuse(&p, compat_refused());
	fresh_renew();
	known = jobs_find(job_ptr->job_id);
	asked = ask_is(mode) && !known;
	_touch(job_ptr, asked);
	if (!ctld_enforces())
		return real(COMPAT_JOB_TEST_ARGS);
	if (!(p.job = _in_books(job_ptr, asked)))
		return real(COMPAT_JOB_TEST_ARGS);
	if (ask_is(mode))
		return ask_when(&p, !known);
	if (!_in_turn(p.job)) {
		/* The main loop offers the next task of an array unasked, and
		 * a refusal ends the partition's turn in this pass: have
		 * another one for those behind. */
		if (p.job->started)
			pass_request_another();
		return _refuse(&p, compat_refused());
	}
	if ((mode == SELECT_MODE_RUN_NOW) &&
	    (rc = compat_lacks_licenses_rc(job_ptr)))
		return _refuse(&p, rc);
	p.usable = bit_copy(node_bitmap);
	p.part = _is_part(job_ptr, min_nodes);
	p.may_evict = _may_evict_now(&p);
	rc = _find_place(&p, ns_of(time(NULL)));
	p.soon |= hold_awaits(p.job);
	if (p.soon)	/* no reason to let others go instead */
		job_first(p.job)->may_since = time(NULL);
	if (rc && evict_pauses(job_first(p.job), time(NULL)))
		_wait_for_pause(&p);
	if ((rc == -1) && !p.soon && !_is_wish(job_ptr) && !_is_new(&p) &&
	    (mode == SELECT_MODE_RUN_NOW)) {
		_mark_no_nodes(p.job);
		waker_at_ns(p.protected_until);
	}
	if (rc)
		rc = _refuse(&p, rc == -1 ? SLURM_ERROR : compat_refused());
	else
		rc = _finish(&p);
	het_place_free(&p);
	place_free(&p);
	return rc;
}
