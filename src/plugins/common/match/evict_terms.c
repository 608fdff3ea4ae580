/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  evict_terms.c - on which terms Slurm's settings let a running job be evicted
\*****************************************************************************/
#include "match/match.h"

/* A mode that takes a job from its nodes for good */
static bool _evicts(uint16_t mode)
{
	return mode & (PREEMPT_MODE_REQUEUE | PREEMPT_MODE_CANCEL);
}

extern uint16_t evict_mode(const job_record_t *job_ptr)
{
	const uint16_t flags = PREEMPT_MODE_GANG | COMPAT_PREEMPT_FLAGS;
	uint16_t mode = slurm_conf.preempt_mode;

	if (job_ptr->part_ptr && (job_ptr->part_ptr->preempt_mode != NO_VAL16))
		mode = job_ptr->part_ptr->preempt_mode;
	if (job_ptr->qos_ptr && (job_ptr->qos_ptr->preempt_mode & ~flags))
		mode = job_ptr->qos_ptr->preempt_mode;
	return _evicts(mode) ? mode & ~flags : PREEMPT_MODE_OFF;
}

/* job_requeue() takes batch jobs only, and none that was submitted with --no-requeue: Slurm
 * cancels jobs that it can't requeue. Of a heterogeneous job it looks at the first component. */
static bool _can_be_requeued(const job_record_t *job_ptr)
{
	const job_record_t *first = NULL;

	if (job_ptr->het_job_id)
		first = find_job_record(job_ptr->het_job_id);
	if (!first)
		first = job_ptr;
	return first->batch_flag && first->details && first->details->requeue;
}

static bool _is_requeued(const job_record_t *job_ptr)
{
	return (evict_mode(job_ptr) == PREEMPT_MODE_REQUEUE) &&
		_can_be_requeued(job_ptr);
}

/* A suspended job is requeued, and not cancelled: somebody has put it aside. One
 * that was suspended in its grace time keeps its victim's end; components of a
 * heterogeneous job are not all suspended at a time. */
static bool _has_to_stay(const job_record_t *job_ptr)
{
	return IS_JOB_SUSPENDED(job_ptr) &&
		(job_ptr->het_job_id || job_ptr->preempt_time || !_is_requeued(job_ptr));
}

/* PreemptExemptTime in seconds, as acct_policy_get_preemptable_time() of slurmctld goes by it.
 * That one wants the lock of the configuration, which a caller that deletes a partition
 * does not have. INFINITE: none is set. */
static uint32_t _exempt_time(job_record_t *job_ptr)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	slurmdb_qos_rec_t *first, *second;
	uint32_t time = INFINITE;

	assoc_mgr_lock(&locks);
	acct_policy_set_qos_order(job_ptr, &first, &second);
	if (first)
		time = first->preempt_exempt_time;
	if ((time == INFINITE) && second)
		time = second->preempt_exempt_time;
	assoc_mgr_unlock(&locks);
	return time == INFINITE ? slurm_conf.preempt_exempt_time : time;
}

extern int64_t evict_exempt_until(job_record_t *job_ptr)
{
	uint32_t time;

	if (_has_to_stay(job_ptr) || !evict_mode(job_ptr))
		return INT64_MAX;
	time = _exempt_time(job_ptr);
	return !time || (time == INFINITE) ? 0 : ns_of(job_ptr->start_time + time);
}

/* How often slurmctld looks for jobs that are past their limits */
#define LIMITS_SECONDS 30

extern int64_t evict_ends_by(const job_record_t *job_ptr)
{
	uint16_t over = slurm_conf.over_time_limit;

	if (job_ptr->part_ptr && (job_ptr->part_ptr->over_time_limit != NO_VAL16))
		over = job_ptr->part_ptr->over_time_limit;
	if (IS_JOB_SUSPENDED(job_ptr) || !job_ptr->end_time || (over == INFINITE16) ||
	    (job_ptr->time_limit == INFINITE) || (job_ptr->time_limit == NO_VAL))
		return 0;
	return ns_of(job_ptr->end_time + 60 * (time_t) over + LIMITS_SECONDS +
		     slurm_conf.kill_wait);
}

extern bool evict_shares_nodes(const job_record_t *job_ptr)
{
	return !job_ptr->het_job_id && job_ptr->details &&
		job_ptr->details->share_res;
}

extern int64_t evict_cost(const job_record_t *job_ptr)
{
	return _is_requeued(job_ptr) ? 0 : 1;
}

/* ---- settings by which no job is evicted ---- */

extern void evict_warn_of_settings(void)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	const slurmdb_qos_rec_t *qos_ptr;
	const part_record_t *part_ptr;

	assoc_mgr_lock(&locks);
	for_each_in(qos_ptr, assoc_mgr_qos_list) {
		if ((qos_ptr->preempt_mode & PREEMPT_MODE_SUSPEND) &&
		    !_evicts(qos_ptr->preempt_mode))
			info(PREFIX "warning: jobs of QOS %s can't be evicted: its PreemptMode is SUSPEND",
			     qos_ptr->name);
	}
	assoc_mgr_unlock(&locks);
	for_each_in(part_ptr, part_list) {
		if ((part_ptr->preempt_mode != NO_VAL16) && !_evicts(part_ptr->preempt_mode))
			info(PREFIX "warning: jobs of partition %s can't be evicted, unless the PreemptMode of their QOS lets them: its own is OFF or SUSPEND",
			     part_ptr->name);
	}
}
