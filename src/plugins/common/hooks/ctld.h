/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ctld.h - what the select and the preempt plugin call in libcohort_ctld
 *
 *  Both plugins are adapters: they translate Slurm's callbacks into the calls
 *  below. slurmctld makes them under its job write lock, which also guards
 *  everything in this library. Where slurmctld holds the lock for reading only,
 *  or not at all, nothing here is changed.
 *
 *  Locks are those that slurmctld holds: configuration, jobs, nodes,
 *  partitions; W for writing, R for reading, - not at all. They were read in
 *  the sources of 22.05.8, 24.11.5 and 26.05.3, and are the same in all of them
 *  where nothing else is said; doc/architecture.md lists the callers.
\*****************************************************************************/
#ifndef COHORT_HOOKS_CTLD_H
#define COHORT_HOOKS_CTLD_H

#include "compat/slurm_compat.h"

/* Each plugin's init() calls this once, before slurmctld has other threads.
 * ctld_preempt_init() returns SLURM_ERROR with one clear message if the stacked
 * select plugin is not there or slurm.conf asks for what can't work. */
extern int ctld_select_init(void);
extern int ctld_preempt_init(void);

/* slurm.conf, cohort.yaml or the nodes may have changed: read the configuration,
 * rebuild flavors and books from job_list.
 * Locks: W W W W in read_slurm_conf(); - W W W at least when a partition or node
 * is created, changed or deleted.
 * Cost: if slurm.conf was read, a small file, and every job is booked anew; else
 * one look at every job record. */
extern void ctld_reconfigure(void);

/* slurmctld saves its state; this writes our state, too.
 * Locks: none; it takes R W W R itself, for as long as it makes the text. From
 * 25.05 on slurmctld does not call it.
 * Cost: a text with one part for each job that was evicted or owns freed quota,
 * and a write with fsync() if the text is new. */
extern void ctld_save_state(void);

/* The node table has changed, bitmaps of flavors are void.
 * Locks: W W W W. Cost: what is known of nodes is freed; when a term of control
 * begins, what is known of jobs, too. */
extern void ctld_nodes_changed(void);

/* select_p_job_test(): quota, then nodes (`real` is cons_tres).
 * Locks: R W W R; from 24.11 on R R W R for reservations, and - W W - at least
 * for reservations whose nodes are replaced in the background. These records
 * are no jobs, and are handed on before anything is touched.
 * Cost: for each flavor of the job some calls of cons_tres. Their number is
 * bounded (MAX_TRIES in place.c and find.c; a range of nodes is halved) and does
 * not grow with the queue; a pass, if one has begun. Questions of users
 * (--test-only) play the cluster forward for a quarter of a second at most, and
 * get a tenth of the time in all. */
extern int ctld_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS);

/* A job got its nodes.
 * Locks: R W W R. Cost: one look at its nodes. */
extern void ctld_job_begin(job_record_t *job_ptr);
/* A job released its nodes, or could not start on them after all.
 * Locks: - W W - at least. Cost: constant. */
extern void ctld_job_fini(job_record_t *job_ptr);
/* A job changed its size, or gave memory back (26.05 on).
 * Locks: R W W R. Cost: one look at its nodes. */
extern void ctld_job_resized(job_record_t *job_ptr);
/* A job goes on after it was suspended.
 * Locks: - W W -. Cost: constant. */
extern void ctld_job_resumed(void);

/* Does the plan put rec1 before rec2? The first call of a sort starts a pass.
 * Locks: R W W R.
 * Cost: constant; the first call walks all job records, makes a plan if anything
 * has changed, and marks each waiting job. */
extern bool ctld_job_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2);

/* May this running job be a candidate for that waiting one at all?
 * Locks: R W W R. Cost: constant. It only counts the question. */
extern bool ctld_preemptable(job_record_t *preemptee, job_record_t *preemptor);

/* Is any job ever preempted? Not with enforcement: observe: then Slurm acts as
 * with PreemptMode=OFF.
 * Locks: those of its caller. Cost: constant. It changes nothing. */
extern bool ctld_preempts(void);

/* May any job be preempted now? Slurm asks this up to 24.11, before it goes
 * through all records for candidates.
 * Locks: R W W R. Cost: constant. */
extern bool ctld_seeks_victims(void);

/* How a job is preempted, as QOS, partition and slurm.conf set it.
 * Locks: R R - R: every squeue asks for it. Cost: constant. It changes
 * nothing. */
extern uint16_t ctld_preempt_mode(job_record_t *job_ptr);
/* The job's order among Slurm's own candidates; its grace time in seconds.
 * Locks: R W W R. Cost: constant. They change nothing. */
extern uint32_t ctld_preempt_prio(job_record_t *job_ptr);
extern uint32_t ctld_grace_time(job_record_t *job_ptr);

#endif /* COHORT_HOOKS_CTLD_H */
