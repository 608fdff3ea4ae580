/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  victims.h - who goes, how, and what is noted of it
 *
 *  Part of ctld_priv.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_VICTIMS_H
#define COHORT_VICTIMS_H

/* ---- evict.c ---- */

/* Put the victims on Slurm's list, log, note for the victims' owners. Those
 * already on their way out are not listed again. Returns how many were. */
extern int evict_list(struct place *p);
/* Evictions for this job came to nothing: nobody goes for it for a while. */
extern bool evict_pauses(const struct job *preemptor, time_t now);
/* Evict what runs in queues with stopPolicy HoldAndDrain. */
extern void evict_drained(void);
/* Evict victims whose grace time is over: Slurm itself looks for them every
 * 30 seconds only. */
extern void evict_graced(void);
/* When may this running job be evicted at the earliest, in ns? 0: now;
 * INT64_MAX: never. */
extern int64_t evict_exempt_until(job_record_t *job_ptr);
/* PreemptMode of a managed job: its QOS's, its partition's or the cluster's */
extern uint16_t evict_mode(const job_record_t *job_ptr);
/* Of equal candidates the cheaper one is evicted: 0 for a job that would be
 * requeued, 1 for one that would be cancelled. */
extern int64_t evict_cost(const job_record_t *job_ptr);

/* ---- unmanaged.c ---- */

/* As unmanaged.preemption has it from now on. What can't be had is logged, and
 * then nobody is preempted. */
extern void unmanaged_init(enum conf_unmanaged which);
/* Is there anybody to ask? */
extern bool unmanaged_asks(void);
/* Are both outside, and Slurm's plugin lets the one go for the other? */
extern bool unmanaged_preemptable(job_record_t *preemptee,
				  job_record_t *preemptor);
/* Are both outside, and Slurm's plugin has the first one go first? */
extern bool unmanaged_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2);
/* Slurm's plugin, if that has to be asked about the job; or NULL */
extern struct compat_preempt_ops *unmanaged_ops(job_record_t *job_ptr);

/* ---- provenance.c ---- */

/* The eviction is decided: count it, log it, note it for the victim's owner */
extern void provenance_note(const struct place *p, const struct victim *v);
/* The line of an eviction that is only observed */
extern void provenance_observe(const struct place *p, const struct victim *v);
/* How often the job was evicted, by its record: the state file may be lost */
extern uint32_t provenance_count(const job_record_t *job_ptr);
/* It is sent away because its queue is stopped */
extern void provenance_drained(struct job *job);
/* Another component of the same job goes along */
extern void provenance_follow(const struct job *job, struct job *component);
/* slurmctld did not go through with it: as if it had never been */
extern void provenance_revoke(struct job *job);

/* ---- observe.c ---- */

/* Log what would be done with this waiting entry, if that is news. */
extern void observe_judge(struct entry *entry);

#endif /* COHORT_VICTIMS_H */
