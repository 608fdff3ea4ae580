/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  preempt.c - what slurmctld asks its preempt plugin about single jobs
\*****************************************************************************/
#include "match/match.h"
#include "jobs/jobs.h"
#include "placement/place.h"
#include "hooks/ctld.h"
#include "hooks/pass.h"

extern uint16_t ctld_preempt_mode(job_record_t *job_ptr)
{
	uint16_t mode = PREEMPT_MODE_OFF;

	if (ctld.broken || unmanaged_get(job_ptr, PREEMPT_DATA_MODE, &mode))
		return mode;
	return evict_mode(job_ptr);
}

extern bool ctld_preempts(void)
{
	return !ctld.broken && slurm_conf.preempt_mode &&
		(!ctld_observes() || unmanaged_asks());
}

/* Where none of our jobs is known, and Slurm's own plugin is not asked, no job
 * can be a victim: Slurm need not go through all records for each attempt. But
 * its sort asks as well, once for each slurm.conf that it reads, and calls
 * job_preempt_check() after a yes only: that one it must have. */
extern bool ctld_seeks_victims(void)
{
	return ctld_preempts() && (ctld.njobs || unmanaged_asks() || !pass_sorts_by_us());
}

/* Slurm sorts its own candidates by this; our victims come in the engine's order. */
extern uint32_t ctld_preempt_prio(job_record_t *job_ptr)
{
	uint32_t tier, prio = 0;

	if (ctld.broken || unmanaged_get(job_ptr, PREEMPT_DATA_PRIO, &prio))
		return prio;
	tier = job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier : 0;
	return (tier << 16) + MIN(job_ptr->node_cnt, 0xffff);
}

extern uint32_t ctld_grace_time(job_record_t *job_ptr)
{
	return ctld.broken ? 0 : evict_grace_time(job_ptr);
}

/* Both jobs are ours and under one quota; or neither is ours, and Slurm's plugin decides.
 *
 * job_test finds the victims of managed jobs itself, where quota and nodes are
 * known. Of the candidates that slurmctld finds it uses only the nodes that
 * they do not share: those are not offered to job_test but for a candidate
 * (_bit_or_cond() of node_scheduler.c). It lists and sorts all candidates in
 * each attempt, so others are not named. */
static __attribute__((noinline)) bool _is_candidate(job_record_t *preemptee,
						    job_record_t *preemptor)
{
	struct job *victim, *waiting;
	struct entry *entry;

	if (ctld.broken)
		return false;
	if (unmanaged_asks() && unmanaged_preemptable(preemptee, preemptor))
		return true;
	if (!ctld.nalone || !ctld_enforces() || !(waiting = jobs_find(preemptor->job_id)))
		return false;
	/* by the partition that is tried */
	entry = job_entry_by_partition(waiting, preemptor->part_ptr);
	if (!entry || !entry->work || evict_shares_nodes(preemptee))
		return false;
	victim = jobs_find(preemptee->job_id);
	return victim && job_runs(victim);
}

/* slurmctld asks about all records at each submission: few instructions count here. Most are
 * of jobs that wait. */
extern bool ctld_preemptable(job_record_t *preemptee, job_record_t *preemptor)
{
	count_work(WORK_CANDIDATE);
	return (ctld.nalone || ctld.asks_slurms) && !IS_JOB_PENDING(preemptee) &&
		_is_candidate(preemptee, preemptor);
}
