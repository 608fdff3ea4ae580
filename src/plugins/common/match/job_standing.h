/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job_standing.h - is a job in line, does it hold nodes?
\*****************************************************************************/
#ifndef COHORT_MATCH_JOB_STANDING_H
#define COHORT_MATCH_JOB_STANDING_H

#include "compat/slurm_compat.h"

/* Ids of the components of one job, as Slurm writes them: "7-9,12". The list of
 * their records may be locked when we are called (26.05 cancels and requeues
 * under its lock), and a function that reads the list then ends slurmctld. */
struct het_ids {
	uint32_t het_job_id;
	uint32_t next, last;
	const char *rest;
};

/* Empty for a job that is not heterogeneous, or still being submitted */
extern struct het_ids het_components(const job_record_t *job_ptr);
/* The next component, or NULL */
extern job_record_t *het_next_record(struct het_ids *ids);
/* The record that Slurm preempts and requeues: of a heterogeneous job the
 * first component's, else the job's own */
extern job_record_t *het_leader(job_record_t *job_ptr);

/* Waiting tasks it stands for */
extern int64_t job_waiting_tasks(job_record_t *job_ptr);
/* Tasks of an array that its own limit (%N) lets start; 0: no limit, -1: none
 * now. The limit counts for tasks with a record of their own, too. */
extern int64_t job_max_starts(job_record_t *job_ptr);
/* Does it name more than one partition? */
extern bool job_names_several(const job_record_t *job_ptr);
/* Is the job in line? A job that is held, depends on others or is not yet due, or that
 * slurmctld refuses for a reason outside of our quota (limits, licenses, a reservation
 * that has not begun, ...: compat/wait_reasons.h), has no place and blocks no other. */
extern bool job_is_in_line(job_record_t *job_ptr, time_t now);
/* The same for a job that slurmctld asks nodes for: that proves that nothing keeps it back,
 * whatever its record says. Other components of its heterogeneous job may be kept back. */
extern bool job_is_in_line_as_asked(job_record_t *job_ptr, time_t now);
/* Does Slurm's reason alone keep it out of line, until slurmctld asks for nodes for it? */
extern bool job_is_kept_out(const job_record_t *job_ptr);
/* Would the job be in line, if slurmctld did not refuse it? */
extern bool job_is_kept_back(job_record_t *job_ptr, time_t now);
/* Did slurmctld refuse the job last by a limit of partitions, and does the limit of
 * this one refuse it? False if the job names several QOS: they may differ. */
extern bool job_is_refused_by(const job_record_t *job_ptr, const part_record_t *part_ptr);
/* Is it too late for its deadline? */
extern bool job_is_too_late(const job_record_t *job_ptr, time_t now);
/* How long a run may take, in seconds; INT64_MAX: there is no limit */
extern int64_t job_longest_run(const job_record_t *job_ptr);
/* How long its present run has been suspended so far, in seconds */
extern time_t job_suspended_for(const job_record_t *job_ptr, time_t now);
/* How long that run has run, in seconds, without the time in which it was suspended; and what an
 * eviction now would lose of that: what came after its last checkpoint, if its comment tells
 * of checkpoints (value/checkpoint.h) */
extern time_t job_ran_for(const job_record_t *job_ptr, time_t now);
extern time_t job_would_lose(const job_record_t *job_ptr, time_t now);
extern bool job_holds_nodes(job_record_t *job_ptr);
/* Has the job ended, and its nodes are not free yet? */
extern bool job_leaves_nodes(job_record_t *job_ptr);
/* Has it ended, with nothing left to do? */
extern bool job_is_over(const job_record_t *job_ptr);

#endif /* COHORT_MATCH_JOB_STANDING_H */
