/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  gate.c - job_test: nobody starts past the books
 *
 *  The plan says who should start and in what order; here it is checked
 *  against the books as they are now, flavor by flavor in the order the queue
 *  prefers them, before cons_tres may place the job. TEST_ONLY (can it ever
 *  run?) is never refused: Slurm would hold the job for good.
\*****************************************************************************/
#include "ctld_priv.h"

static struct job *_managed(job_record_t *job_ptr)
{
	struct job *job = books_waiting(job_ptr);

	if (job)
		return job;
	/* not seen by a pass yet: just submitted */
	job = books_sync(job_ptr);
	if (!job || !job->work || workload_running(job->work))
		return NULL;
	(void) engine_plan(ctld.engine, ns_of(time(NULL)));
	return job;
}

/* In a StrictFIFO queue nobody passes another, not even one that has quota but
 * no nodes, or that Slurm did not try in this pass. */
static bool _is_behind(struct job *job)
{
	struct position pos;

	if (ctld.conf->spec->queues[workload_queue(job->work)].strategy !=
	    STRATEGY_STRICT_FIFO)
		return false;
	engine_position(ctld.engine, job->work, &pos);
	if (pos.place == 1)
		return false;
	job->behind = pos.place;	/* the next pass will mark it */
	return true;
}

/* Does the plan let it start, or evict, now? */
static bool _in_turn(struct job *job)
{
	const struct verdict *v = engine_verdict(ctld.engine, job->work);

	if (_is_behind(job))
		return false;
	if (v->kind == VERDICT_START)
		return job->started < MAX(v->starts, 1);
	return v->kind == VERDICT_PREEMPT;
}

static int _refuse(struct place *p)
{
	if (p->preemptee_job_list)
		FREE_NULL_LIST(*p->preemptee_job_list);
	if (p->usable)
		bit_copybits(p->node_bitmap, p->usable);
	waker_texts();
	return COMPAT_REFUSED;
}

static void _mark_no_nodes(struct job *job)
{
	if (job->no_nodes)
		return;
	job->no_nodes = true;
	engine_blocked(ctld.engine, job->work, true);
	waker_schedule();	/* others may go instead */
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
static bool _evicted_lately(const job_record_t *job_ptr, time_t now)
{
	time_t last = job_ptr->details->preempt_start_time;

	return last && (last > now - slurm_conf.kill_wait -
			slurm_conf.msg_timeout);
}

/* Only a plan that took everybody into account decides that somebody must
 * go for quota; a start that needs it after all waits for the next plan. */
static bool _may_evict(const struct place *p)
{
	const struct verdict *v = engine_verdict(ctld.engine, p->job->work);

	return p->may_evict && (v->kind == VERDICT_PREEMPT);
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

/* 0 and p filled in; -1: no nodes in any flavor with quota; -2: no quota */
static int _find_place(struct place *p, int64_t now)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	bool *flavor_ok = xcalloc(nflavors + 1, sizeof(*flavor_ok));
	struct nomination nom;
	int rc = -2, tried;

	memset(flavor_ok, true, nflavors);
	while (_nominate(p, flavor_ok, now, &nom)) {
		if (!(tried = place_try(p, &nom, now))) {
			rc = 0;
			break;
		}
		rc = (rc == -1) ? -1 : tried;
		if (!_next_flavor(p, flavor_ok))
			break;
	}
	xfree(flavor_ok);
	return rc;
}

/* Victims are listed or on their way: the freed quota is this job's. */
static void _own(struct place *p)
{
	struct job *job = p->job;

	if (engine_own(ctld.engine, job->work, p->charges, p->ncharges))
		error(PREFIX "%pJ: %m", p->job_ptr);
	jobs_set_own(job, time(NULL) + ctld.conf->own_timeout / SPEC_SEC);
	waker_schedule();
}

static int _finish(struct place *p)
{
	int listed;

	if (!p->nvictims)
		return SLURM_SUCCESS;
	if (p->mode == SELECT_MODE_WILL_RUN) {
		(void) evict_list(p);
		return SLURM_SUCCESS;
	}
	listed = evict_list(p);		/* tells numbers: before it owns */
	_own(p);
	if (!listed)
		return _refuse(p);	/* all of them are leaving already */
	return SLURM_SUCCESS;
}

extern int ctld_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS)
{
	struct place p = {
		.real = real, .job_ptr = job_ptr, .node_bitmap = node_bitmap,
		.min_nodes = min_nodes, .max_nodes = max_nodes,
		.req_nodes = req_nodes, .mode = mode,
		.preemptee_job_list = preemptee_job_list,
		.exc_cores = exc_cores,
	};
	int rc;

	if (!ctld_enforces() || !job_ptr->details || !min_nodes ||
	    ((mode != SELECT_MODE_RUN_NOW) && (mode != SELECT_MODE_WILL_RUN)))
		return real(COMPAT_JOB_TEST_ARGS);
	pass_touch();
	if (!ctld_enforces() || !(p.job = _managed(job_ptr)))
		return real(COMPAT_JOB_TEST_ARGS);
	if (!_in_turn(p.job)) {
		/* The main loop offers the next task of an array unasked, and
		 * a refusal ends the partition's turn in this pass: have
		 * another one for those behind. */
		if (p.job->started)
			waker_schedule();
		return _refuse(&p);
	}
	p.usable = bit_copy(node_bitmap);
	p.may_evict = (mode == SELECT_MODE_WILL_RUN) ||
		!_evicted_lately(job_ptr, time(NULL));
	rc = _find_place(&p, ns_of(time(NULL)));
	if ((rc == -1) && !p.soon && (mode == SELECT_MODE_RUN_NOW)) {
		_mark_no_nodes(p.job);
		waker_at_ns(p.protected_until);
	}
	rc = rc ? _refuse(&p) : _finish(&p);
	place_free(&p);
	return rc;
}
