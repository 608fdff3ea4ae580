/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ctld.h - what the select and the preempt plugin call in libcohort_ctld
 *
 *  Both plugins are adapters: they translate Slurm's callbacks into the calls
 *  below. slurmctld makes them under its job write lock, which also guards
 *  everything in this library; doc/architecture.md lists those that it does not,
 *  and these change nothing here.
\*****************************************************************************/
#ifndef COHORT_HOOKS_CTLD_H
#define COHORT_HOOKS_CTLD_H

#include "compat/slurm_compat.h"

/* Called once by each plugin's init(). ctld_preempt_init() returns
 * SLURM_ERROR with one clear message if the stacked select plugin is not
 * there or slurm.conf asks for what can't work. */
extern int ctld_select_init(void);
extern int ctld_preempt_init(void);

/* slurm.conf, cohort.yaml or the nodes may have changed: read the
 * configuration, rebuild flavors and books from job_list. */
extern void ctld_reconfigure(void);

/* slurmctld saves its state: ours is written, too. The only call without any
 * lock held. */
extern void ctld_save_state(void);

/* Node table has changed, bitmaps of flavors are void. */
extern void ctld_nodes_changed(void);

/* select_p_job_test(): quota, then nodes (`real` is cons_tres). */
extern int ctld_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS);

/* A job got its nodes, released them, changed its size, or goes on after a
 * pause. */
extern void ctld_job_begin(job_record_t *job_ptr);
extern void ctld_job_fini(job_record_t *job_ptr);
extern void ctld_job_resized(job_record_t *job_ptr);
extern void ctld_job_resumed(void);

/* Does the plan put rec1 before rec2? The first call of a sort starts a pass. */
extern bool ctld_job_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2);

/* May this running job be a candidate for that waiting one at all? */
extern bool ctld_preemptable(job_record_t *preemptee, job_record_t *preemptor);

/* Is anybody ever preempted? Not while we only observe: then Slurm does all as
 * with PreemptMode=OFF. */
extern bool ctld_preempts(void);

/* How a job is preempted, as QOS, partition and slurm.conf have it; its
 * order among Slurm's own candidates; its grace time in seconds. */
extern uint16_t ctld_preempt_mode(job_record_t *job_ptr);
extern uint32_t ctld_preempt_prio(job_record_t *job_ptr);
extern uint32_t ctld_grace_time(job_record_t *job_ptr);

#endif /* COHORT_HOOKS_CTLD_H */
