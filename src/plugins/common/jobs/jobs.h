/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  jobs.h - our record of each job, by job id
\*****************************************************************************/
#ifndef COHORT_JOBS_JOBS_H
#define COHORT_JOBS_JOBS_H

#include "state/job.h"

extern struct job *jobs_find(uint32_t job_id);
extern struct job *jobs_get(job_record_t *job_ptr);	/* added if new */
/* Its record, if slurmctld still has it: job_ptr is as of the last walk. */
extern job_record_t *jobs_record(const struct job *job);
extern void jobs_drop(struct job *job);
/* Add another entry beside the first one, and remove such an entry */
extern struct entry *jobs_add_entry(struct job *job);
extern void jobs_drop_entry(struct entry *entry);

extern void jobs_clear(void);		/* forget all jobs, also what they store */
/* The job is no longer one that waits. */
extern void jobs_unmark(struct job *job);
/* The job runs, and does not share its nodes with others; or no longer */
extern void jobs_set_alone(struct job *job, bool alone);
/* Is the queue of the job, which runs, over its nominal quota of what the job uses? */
extern bool job_queue_borrows(const struct job *job);
extern void jobs_unbook(void);		/* the engine is gone: jobs have no workloads */
extern void jobs_each(void (*f)(struct job *job, void *arg), void *arg);

/* ---- what was freed by eviction for a job ---- */

/* The entry owns freed quota until then; 0: no longer, and no nodes either */
extern void jobs_set_own(struct entry *entry, time_t until);
/* Does any job? */
extern bool hold_any(void);
/* Nodes were cleared for such an entry: they are kept from others as long as it owns quota. */
extern void hold_nodes(struct entry *entry, const bitstr_t *nodes);
/* The node table changes: no job holds any nodes. */
extern void hold_flush(void);
/* What was seen of victims before is out of date. */
extern void hold_next_look(void);
/* A victim of this job is still on its way out. */
extern void hold_see_victim(struct job *preemptor);
/* Are its nodes being cleared, as of the last look? */
extern bool hold_awaits(const struct entry *entry);
/* Clear in `nodes` the nodes that others hold, except the nodes in `but` (or
 * NULL) */
extern void hold_keep_out(const struct entry *entry, bitstr_t *nodes, bitstr_t *but);
/* Leave only the nodes that the job itself holds */
extern void hold_stay_in(const struct entry *entry, bitstr_t *nodes);
/* To and from the owner's part of the state file. The text that is read need
 * not make sense: names that are no nodes are left out. */
extern void hold_dump(const struct entry *entry, struct json_object *o);
extern void hold_load(struct entry *entry, struct json_object *o);

#endif /* COHORT_JOBS_JOBS_H */
