/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het.c - heterogeneous jobs: all components or none
 *
 *  Each component has a record in slurmctld, and an entry in the cluster queue
 *  that its partition matches; a bond in the engine makes them one decision.
 *  The components that run are one unit: an eviction of one evicts all.
\*****************************************************************************/
#include "books/books.h"

#include "match/match.h"
#include "jobs/jobs.h"
#include "query.h"

extern struct job *het_next(struct het_ids *ids, bool running)
{
	job_record_t *job_ptr;

	while ((job_ptr = het_next_record(ids))) {
		struct job *job = jobs_find(job_ptr->job_id);

		if (job && job->first.work &&
		    (workload_running(job->first.work) == running))
			return job;
	}
	return NULL;
}

/* ---- in line ---- */

static int _queue_of(job_record_t *job_ptr)
{
	return queue_of_job(job_ptr, partition_of_job(job_ptr));
}

extern bool het_is_follower(job_record_t *job_ptr)
{
	for_each_het_record(c, job_ptr) {
		if (IS_JOB_PENDING(c) && (c->het_job_offset < job_ptr->het_job_offset) &&
		    (_queue_of(c) == _queue_of(job_ptr)))
			return true;
	}
	return false;
}

extern void het_bind(struct job *job)
{
	struct job *fellow = NULL;

	if (!job->first.work || workload_bonded(job->first.work))
		return;
	for_each_component(c, job->job_ptr, false) {
		if ((c != job) && (!fellow || workload_bonded(c->first.work)))
			fellow = c;
	}
	if (fellow && engine_bond(ctld.engine, job->first.work,
				  fellow->first.work, BOND_TOGETHER))
		error(PREFIX "%pJ: %m", job->job_ptr);
}

extern bool het_evicts(const struct job *job)
{
	bool evicts = false;

	for_each_component(c, job->job_ptr, false)
		evicts |= engine_verdict_kind(ctld.engine, c->first.work) == VERDICT_PREEMPT;
	return evicts;
}

/* Components that wait only for victims of the others are tried with them. */
extern bool het_goes(const struct job *job)
{
	bool goes = true, waits = false;

	for_each_component(c, job->job_ptr, false) {
		const struct verdict *v = engine_verdict(ctld.engine, c->first.work);

		if (v->kind != VERDICT_WAIT)
			continue;
		waits = true;
		goes &= v->reason == WAIT_IS_PREEMPTING;
	}
	return goes && (!waits || het_evicts(job));
}

/* ---- running ---- */

extern struct workload *het_joined_to(struct job *job)
{
	struct job *first = NULL;

	if (!job->job_ptr->het_job_id)
		return NULL;
	for_each_component(c, job->job_ptr, true) {
		if (!first)
			first = c;
	}
	return first && (first != job) ? first->first.work : NULL;
}

/* An eviction of one evicts all, also components that are of no cluster queue. */
extern bool het_is_mixed(const struct job *job)
{
	for_each_het_record(c, job->job_ptr) {
		if (job_holds_nodes(c) && (queue_of_job(c, c->part_ptr) == SPEC_NONE))
			return true;
	}
	return false;
}

/* A start failed half way: what the other components own is free again. */
extern void het_ended(const job_record_t *job_ptr)
{
	for_each_component(c, job_ptr, false) {
		engine_disown(ctld.engine, c->first.work);
		jobs_set_own(&c->first, 0);
	}
}

static bool _is_untried(const job_record_t *job_ptr)
{
	const struct job *job = jobs_find(job_ptr->job_id);

	return job && untried_is(job, job_ptr);
}

extern bool het_is_untried(const job_record_t *job_ptr)
{
	if (!job_ptr->het_job_id)
		return _is_untried(job_ptr);
	for_each_het_record(c, job_ptr) {
		if (_is_untried(c))
			return true;
	}
	return false;
}
