/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het_records.h - the components of a heterogeneous job, as slurmctld has them
\*****************************************************************************/
#ifndef COHORT_MATCH_HET_RECORDS_H
#define COHORT_MATCH_HET_RECORDS_H

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
/* Is that so for one of its components? False for other jobs. */
extern bool het_any(const job_record_t *job_ptr,
		    bool (*f)(job_record_t *job_ptr, time_t now), time_t now);

#endif /* COHORT_MATCH_HET_RECORDS_H */
