/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het.h - heterogeneous jobs: all components or none
\*****************************************************************************/
#ifndef COHORT_BOOKS_HET_H
#define COHORT_BOOKS_HET_H

#include "state/job.h"
#include "placement/place.h"

/* The record that Slurm preempts and requeues: of a heterogeneous job the
 * first component's, else the job's own */
extern job_record_t *het_leader(job_record_t *job_ptr);
/* Is that so of one of its components? False for other jobs. */
extern bool het_any(const job_record_t *job_ptr,
		    bool (*f)(job_record_t *job_ptr, time_t now), time_t now);
/* Does an earlier component wait in this queue? It has the place of both. */
extern bool het_is_follower(const struct job *job, int queue);
/* It waits, with the other components */
extern void het_bind(struct job *job);
/* May all components start, or evict? Must any evict? */
extern bool het_goes(const struct job *job);
extern bool het_evicts(const struct job *job);
/* Running: the component with which it is evicted together, or not at all; NULL
 * if it is that one, or not of a heterogeneous job */
extern struct workload *het_joined_to(struct job *job);
/* Some components are of no cluster queue */
extern bool het_is_mixed(const struct job *job);
extern void het_each_running(struct job *job,
			     void (*f)(struct job *c, void *arg), void *arg);
/* A component has ended. */
extern void het_ended(const job_record_t *job_ptr);
/* Backfill would start the component, now or later */
extern void het_note_test(const struct place *p);
extern void het_test_free(struct job *job);
/* As gate_find_place(), for all components if the first one is to start */
extern int het_find_place(struct place *p, int64_t now);
extern void het_place_free(struct place *p);

#endif /* COHORT_BOOKS_HET_H */
