/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  preempt.c - what slurmctld asks its preempt plugin about single jobs
\*****************************************************************************/
#include "state/job.h"
#include "match/evict_terms.h"
#include "jobs/jobs.h"
#include "placement/evict.h"
#include "placement/unmanaged.h"
#include "hooks/ctld.h"

extern uint16_t ctld_preempt_mode(job_record_t *job_ptr)
{
	struct compat_preempt_ops *ops;

	if (ctld.broken)
		return PREEMPT_MODE_OFF;
	ops = unmanaged_ops(job_ptr);
	return ops ? compat_preempt_mode(ops, job_ptr) : evict_mode(job_ptr);
}

extern bool ctld_preempts(void)
{
	return !ctld.broken && slurm_conf.preempt_mode &&
		(!ctld_observes() || unmanaged_asks());
}

/* Slurm sorts its own candidates by this; our victims come in the engine's
 * order. */
extern uint32_t ctld_preempt_prio(job_record_t *job_ptr)
{
	struct compat_preempt_ops *ops;
	uint32_t tier;

	if (ctld.broken)
		return 0;
	tier = job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier : 0;
	ops = unmanaged_ops(job_ptr);
	return ops ? compat_preempt_prio(ops, job_ptr) :
		(tier << 16) + MIN(job_ptr->node_cnt, 0xffff);
}

extern uint32_t ctld_grace_time(job_record_t *job_ptr)
{
	return ctld.broken ? 0 : evict_grace_time(job_ptr);
}

/* Both jobs are ours and under one quota; job_test gives the exact answer,
 * where quota and nodes are known. Or neither is ours, and Slurm's plugin
 * decides. */
extern bool ctld_preemptable(job_record_t *preemptee, job_record_t *preemptor)
{
	struct job *victim, *waiting;
	struct entry *entry;

	if (ctld.broken)
		return false;
	if (unmanaged_preemptable(preemptee, preemptor))
		return true;
	if (!ctld_enforces())
		return false;
	victim = jobs_find(preemptee->job_id);
	waiting = jobs_find(preemptor->job_id);
	if (!victim || !waiting || !job_runs(victim))
		return false;
	/* by the partition that is tried */
	entry = job_entry_by_partition(waiting, preemptor->part_ptr);
	return entry && entry->work;
}
