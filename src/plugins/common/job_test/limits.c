/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  limits.c - limits of associations and QOS that slurmctld looks at last
\*****************************************************************************/
#include "job_test/limits.h"

#include "match/het_records.h"
#include "match/job_standing.h"

/* What the job asks for, xmalloc'd */
static uint64_t *_asked_for(const job_record_t *job_ptr, uint64_t cpus)
{
	size_t size = slurmctld_tres_cnt * sizeof(uint64_t);
	uint64_t *counts = xmalloc(size);

	memcpy(counts, job_ptr->tres_req_cnt, size);
	counts[TRES_ARRAY_CPU] = MAX(counts[TRES_ARRAY_CPU], cpus);
	return counts;
}

extern void limits_forget_reason(job_record_t *job_ptr)
{
	if (!job_is_kept_out(job_ptr))
		return;
	xfree(job_ptr->state_desc);
	job_ptr->state_reason = WAIT_NO_REASON;
}

static bool _refuse(job_record_t *job_ptr, uint64_t *counts)
{
	bool refused;

	limits_forget_reason(job_ptr);
	refused = !compat_limits_allow(job_ptr, counts);
	xfree(counts);
	return refused;
}

extern bool limits_refuse(job_record_t *job_ptr, uint64_t cpus)
{
	return _refuse(job_ptr, _asked_for(job_ptr, cpus));
}

extern void limits_renew(const job_record_t *job_ptr)
{
	struct het_ids ids = het_components(job_ptr);
	job_record_t *component_ptr;

	while ((component_ptr = het_next_record(&ids))) {
		if (job_is_kept_out(component_ptr) &&
		    acct_policy_job_runnable_pre_select(component_ptr, false))
			(void) limits_refuse(component_ptr, 0);
	}
}

/* As select_nodes() of slurmctld counts, but for the GRES of whole nodes */
extern bool limits_refuse_selected(job_record_t *job_ptr, const bitstr_t *nodes)
{
	const job_resources_t *selected = job_ptr->job_resrcs;
	uint64_t *counts = _asked_for(job_ptr, job_ptr->total_cpus);

	counts[TRES_ARRAY_NODE] = bit_set_count((bitstr_t *) nodes);
	if (selected && selected->memory_allocated) {
		counts[TRES_ARRAY_MEM] = 0;
		for (uint32_t i = 0; i < selected->nhosts; i++)
			counts[TRES_ARRAY_MEM] += selected->memory_allocated[i];
	}
	counts[TRES_ARRAY_BILLING] = assoc_mgr_tres_weighted(
		counts, job_ptr->part_ptr->billing_weights,
		slurm_conf.priority_flags, false);
	return _refuse(job_ptr, counts);
}
