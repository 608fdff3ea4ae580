/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het.h - heterogeneous jobs: all components or none
\*****************************************************************************/
#ifndef COHORT_BOOKS_HET_H
#define COHORT_BOOKS_HET_H

#include "state/job.h"
#include "match/job_standing.h"

/* Does an earlier component wait in the same queue? It holds the place of both. That goes by
 * the records: which of them is booked first says nothing. */
extern bool het_is_follower(job_record_t *job_ptr);
/* The component waits, with the other components. */
extern void het_bind(struct job *job);
/* May all components start, or evict? Must any evict? */
extern bool het_goes(const struct job *job);
extern bool het_evicts(const struct job *job);
/* Running: the component with which it is evicted together, or not at all. NULL
 * if it is that component itself, or not of a heterogeneous job. */
extern struct workload *het_joined_to(struct job *job);
/* Are some components of no cluster queue? */
extern bool het_is_mixed(const struct job *job);
/* A component has ended. */
extern void het_ended(const job_record_t *job_ptr);

/* The next component that waits in the books, or (`running`) runs in them */
extern struct job *het_next(struct het_ids *ids, bool running);

#define for_each_component(c_, job_ptr_, running_)			\
	for (struct het_ids ids_ = het_components(job_ptr_), *once_ = &ids_;	\
	     once_; once_ = NULL)					\
		for (struct job *c_ = het_next(&ids_, running_); c_;	\
		     c_ = het_next(&ids_, running_))

/* Is the job out of line because slurmctld does not try it, or another component of
 * its heterogeneous job? */
extern bool het_is_untried(const job_record_t *job_ptr);

#endif /* COHORT_BOOKS_HET_H */
