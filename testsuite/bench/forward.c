// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forward - a libcohort_ctld.so that does nothing
 *
 * With it the two plugins hand each call on to cons_tres, or answer it as
 * preempt/none would where nobody preempts: what two plugins cost that have
 * nothing to do.
 */

#include "hooks/ctld.h"

extern int ctld_select_init(void)
{
	return SLURM_SUCCESS;
}

extern int ctld_preempt_init(void)
{
	return SLURM_SUCCESS;
}

extern void ctld_reconfigure(void)
{
}

extern void ctld_save_state(void)
{
}

extern void ctld_nodes_changed(void)
{
}

extern int ctld_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS)
{
	return real(COMPAT_JOB_TEST_ARGS);
}

extern void ctld_job_begin(job_record_t *job_ptr UNUSED)
{
}

extern void ctld_job_fini(job_record_t *job_ptr UNUSED)
{
}

extern void ctld_job_resized(job_record_t *job_ptr UNUSED)
{
}

extern void ctld_job_resumed(void)
{
}

extern bool ctld_job_before(job_queue_rec_t *rec1 UNUSED, job_queue_rec_t *rec2 UNUSED)
{
	return false;
}

extern bool ctld_preemptable(job_record_t *preemptee UNUSED, job_record_t *preemptor UNUSED)
{
	return false;
}

extern bool ctld_preempts(void)
{
	return true;
}

extern bool ctld_seeks_victims(void)
{
	return false;
}

extern uint16_t ctld_preempt_mode(job_record_t *job_ptr UNUSED)
{
	return PREEMPT_MODE_REQUEUE;
}

extern uint32_t ctld_preempt_prio(job_record_t *job_ptr UNUSED)
{
	return 0;
}

extern uint32_t ctld_grace_time(job_record_t *job_ptr UNUSED)
{
	return 0;
}
