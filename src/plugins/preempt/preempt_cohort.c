/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  preempt_cohort.c - order of the queue and choice of victims by cohorts
 *
 *  The half of slurm-cohort that Slurm loads as PreemptType=preempt/cohort.
 *  It works with the stacked select plugin only; the decisions of both are
 *  made in libcohort_ctld.so.
\*****************************************************************************/
#include "hooks/ctld.h"

const char	plugin_name[]	= "Preempt by quota of cohorts";
const char	plugin_type[]	= "preempt/cohort";
const uint32_t	plugin_version	= SLURM_VERSION_NUMBER;

extern int init(void)
{
	if (ctld_preempt_init() != SLURM_SUCCESS)
		return SLURM_ERROR;
	verbose("%s loaded", plugin_type);
	return SLURM_SUCCESS;
}

extern void fini(void)
{
	/* Empty. */
}

/* Called by the sort of every scheduling pass: does the first job go first? */
extern bool preempt_p_job_preempt_check(job_queue_rec_t *preemptor, job_queue_rec_t *preemptee)
{
	return ctld_job_before(preemptor, preemptee);
}

extern bool preempt_p_preemptable(job_record_t *preemptee, job_record_t *preemptor)
{
	return ctld_preemptable(preemptee, preemptor);
}

extern uint16_t preempt_p_get_mode(job_record_t *job_ptr)
{
	return ctld_preempts() ? ctld_preempt_mode(job_ptr) : PREEMPT_MODE_OFF;
}

extern uint32_t preempt_p_get_prio(job_record_t *job_ptr)
{
	return ctld_preempt_prio(job_ptr);
}

extern uint32_t preempt_p_get_grace_time(job_record_t *job_ptr)
{
	return ctld_grace_time(job_ptr);
}

/* The same in older versions, which look up only this symbol */
extern int preempt_p_get_data(job_record_t *job_ptr,
			      slurm_preempt_data_type_t data_type, void *data)
{
	switch (data_type) {
	case PREEMPT_DATA_ENABLED:
		*(bool *) data = ctld_seeks_victims();
		break;
	case PREEMPT_DATA_MODE:
		*(uint16_t *) data = preempt_p_get_mode(job_ptr);
		break;
	case PREEMPT_DATA_PRIO:
		*(uint32_t *) data = preempt_p_get_prio(job_ptr);
		break;
	case PREEMPT_DATA_GRACE_TIME:
		*(uint32_t *) data = preempt_p_get_grace_time(job_ptr);
		break;
	default:
		error("%s: unknown enum %d", __func__, data_type);
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}
