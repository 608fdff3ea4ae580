/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tries.h - may other jobs be evicted in this try of a job? Do limits allow it?
\*****************************************************************************/
#ifndef COHORT_JOB_TEST_TRIES_H
#define COHORT_JOB_TEST_TRIES_H

#include "placement/place.h"

/* Does Slurm try only what the job would like best? What it could do with is tried next. */
extern bool try_is_for_wish(const job_record_t *job_ptr);
/* Is the job just being submitted? The scheduler looks at it next. */
extern bool try_is_of_new_job(const struct place *p);
/* Set p->may_evict. True: no job may be evicted in this try, but in another pass. */
extern bool try_puts_eviction_off(struct place *p);

/* slurmctld asks for nodes for the job, of which a limit has lately refused what was selected:
 * limits per node, of nodes in use or at least may refuse what is asked for, though they allow
 * what would be selected. Does a limit refuse the job by what it asks for, with at least so
 * many CPUs? Then its record says which. Else no reason is left in the record that keeps the
 * job out of line. Takes the lock of associations, for less than the selection of a node. */
extern bool limits_refuse(job_record_t *job_ptr, uint64_t cpus);
/* No reason is left in the record that keeps the job out of line. */
extern void limits_forget_reason(job_record_t *job_ptr);
/* The same of all limits, for components that a limit kept out of line: slurmctld tries
 * none while one before it is refused. */
extern void limits_renew(const job_record_t *job_ptr);
/* The same by what was selected, and is in the record */
extern bool limits_refuse_selected(job_record_t *job_ptr, const bitstr_t *nodes);

#endif /* COHORT_JOB_TEST_TRIES_H */
