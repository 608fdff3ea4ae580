/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tries.c - may other jobs be evicted in this try of a job? Do limits allow it?
 *
 *  slurmctld tries one job several times: for what is only preferred, when it is
 *  submitted, in each of its partitions. A job is evicted only in a try that could
 *  not do better without, and from which the preemptor will start. And slurmctld looks at
 *  most limits (GrpTRES, GrpTRESMins, MaxTRESPerUser, ...) only when it has selected nodes,
 *  and victims: here these are asked before.
\*****************************************************************************/
#include "job_test/job_test.h"

#include "slurm/passes.h"
#include "slurm/worker.h"
#include "match/match.h"
#include "request/request.h"
#include "jobs/jobs.h"
#include "books/books.h"
#include "query.h"

/* After an eviction for a job Slurm gives the victims this long to go before it
 * evicts other jobs for it (node_scheduler.c). */
static bool _evicted_lately(const struct place *p, time_t now)
{
	time_t last = p->job_ptr->details->preempt_start_time;

	if (!chance_may_evict(p->entry->job, now))
		return true;
	return last && (last > now - slurm_conf.kill_wait - slurm_conf.msg_timeout);
}

/* May it start by one of its partitions only, as things are? */
static bool _has_one_way(const struct job *job)
{
	int ways = 0;

	for (int i = 0; i < job_nvias(job); i++) {
		const struct entry *entry = job->vias->all[i].entry;

		ways += !entry || (engine_verdict_kind(ctld.engine, entry->work) != VERDICT_WAIT);
	}
	return ways < 2;
}

/* Slurm first tries what is only preferred (--prefer), or a reservation that draws jobs in
 * (MAGNETIC), and then the rest. */
extern bool try_is_for_wish(const job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	return (job_ptr->bit_flags & JOB_MAGNETIC) ||
		(details->prefer && (details->features_use == details->prefer));
}

extern bool try_is_of_new_job(const struct place *p)
{
	return !p->job_ptr->batch_flag && !asker_is_scheduler() &&
		(p->entry->job->new_at == ctld.turns);
}

/* When a job is submitted slurmctld collects candidates before it asks for nodes, and so before
 * the job is ours. It offers no nodes then that others have for themselves, or, if the job wants
 * some for itself, only idle ones; and jobs that backfill has just started are exempt for a
 * moment. Such victims would not be found, and others would be evicted in their place. */
static bool _may_miss_victims(const struct place *p)
{
	bitstr_t *offered = p->job_ptr->details->share_res ?
		share_node_bitmap : idle_node_bitmap;

	return exempt_any_started() ||
		!bit_super_set(p->job_ptr->part_ptr->node_bitmap, offered);
}

/* A job that is --immediate is gone before its victims are. No record says which jobs are, in
 * 22.05.8, 24.11.5 and 26.05.3 alike. But a client that waits is told of the start at a port
 * of its own, and Slurm's library opens none if the job is --immediate. A request made without
 * the library may have both: that does no more than to submit a job and cancel it. */
static bool _is_too_new(const struct place *p)
{
	return try_is_of_new_job(p) &&
		(!p->job_ptr->alloc_resp_port || _may_miss_victims(p));
}

/* May other jobs be evicted in this try? A job that may start by several partitions evicts no
 * job in one of them before it was tried without eviction in all of them in one pass: there
 * may be free nodes. True: no, but in another pass they may. */
extern bool try_puts_eviction_off(struct place *p)
{
	struct job *job = p->entry->job;
	bool one_way;

	if (try_is_for_wish(p->job_ptr))
		return false;
	if (p->mode == SELECT_MODE_WILL_RUN) {
		p->may_evict = true;
		return false;
	}
	if (!_is_too_new(p)) {
		if (_evicted_lately(p, time(NULL)))
			return false;
		if (!(one_way = _has_one_way(job)))
			chance_note_try(job);
		p->may_evict = one_way || chance_tried_all(job);
	}
	return !p->may_evict;
}

/* ---- limits of associations and QOS ---- */

/* So long after a limit has refused what was selected, nodes are selected again: the limit
 * may allow others. */
#define LIMITED_SECONDS 60

/* What the job asks for, xmalloc'd */
static uint64_t *_asked_for(const job_record_t *job_ptr, uint64_t cpus)
{
	size_t size = slurmctld_tres_cnt * sizeof(uint64_t);
	uint64_t *counts = xmalloc(size);

	memcpy(counts, job_ptr->tres_req_cnt, size);
	counts[TRES_ARRAY_CPU] = MAX(counts[TRES_ARRAY_CPU], cpus);
	return counts;
}

/* No reason is left in the record that keeps the job out of line. */
static void _forget_reason(job_record_t *job_ptr)
{
	if (!job_is_kept_out(job_ptr))
		return;
	xfree(job_ptr->state_desc);
	job_ptr->state_reason = WAIT_NO_REASON;
}

/* Frees counts. Takes the lock of associations, for less than the selection of a node. */
static bool _refuse(job_record_t *job_ptr, uint64_t *counts)
{
	bool refused;

	_forget_reason(job_ptr);
	refused = !compat_limits_allow(job_ptr, counts);
	xfree(counts);
	return refused;
}

/* Components that a limit kept out of line: slurmctld tries none while one before it is
 * refused. */
static void _renew_components(const job_record_t *job_ptr)
{
	for_each_het_record(c, job_ptr) {
		if (job_is_kept_out(c) && acct_policy_job_runnable_pre_select(c, false))
			(void) _refuse(c, _asked_for(c, 0));
	}
}

/* As long as no nodes were released, those of the last try would be selected again. */
extern bool limits_refuse(job_record_t *job_ptr, const struct job *job)
{
	time_t since = job ? job->offer.limited_since : 0, now = time(NULL);
	bool same = job && (job->offer.limited_at == ctld.releases);

	_renew_components(job_ptr);
	if (since && (now >= since) && (now - since < LIMITED_SECONDS))
		return _refuse(job_ptr, _asked_for(job_ptr, same ? job_ptr->total_cpus : 0));
	_forget_reason(job_ptr);
	return false;
}

/* As select_nodes() of slurmctld counts, but for the GRES of whole nodes */
extern bool limits_refuse_selected(struct place *p)
{
	job_record_t *job_ptr = p->job_ptr;
	const job_resources_t *selected = job_ptr->job_resrcs;
	uint64_t *counts = _asked_for(job_ptr, job_ptr->total_cpus);

	counts[TRES_ARRAY_NODE] = bit_set_count(p->node_bitmap);
	if (selected && selected->memory_allocated) {
		counts[TRES_ARRAY_MEM] = 0;
		for (uint32_t i = 0; i < selected->nhosts; i++)
			counts[TRES_ARRAY_MEM] += selected->memory_allocated[i];
	}
	counts[TRES_ARRAY_BILLING] = assoc_mgr_tres_weighted(
		counts, job_ptr->part_ptr->billing_weights, slurm_conf.priority_flags, false);
	p->limited = _refuse(job_ptr, counts);
	if (p->limited) {
		p->entry->job->offer.limited_at = ctld.releases;
		p->entry->job->offer.limited_since = time(NULL);
	}
	return p->limited;
}
