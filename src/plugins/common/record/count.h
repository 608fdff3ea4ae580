/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  count.h - counters: admissions, evictions, waits, passes
\*****************************************************************************/
#ifndef COHORT_RECORD_COUNT_H
#define COHORT_RECORD_COUNT_H

#include "state/state.h"

struct json_object;

/* A job of the queue has started, after so many seconds in line. within_nominal: its queue
 * stays within nominal quota with it. */
extern void count_admission(int queue, time_t waited, bool within_nominal);
/* A job of the queue was evicted, for one of queue `by`, or SPEC_NONE. */
extern void count_eviction(int queue, int by, enum victim_reason reason);
/* What the run of that job has used, for nothing */
extern void count_loss(int queue, const struct charge *charge, time_t lost);
extern void count_pass(uint64_t usec, bool planned);
/* A thread of ours has held the job lock for so long. */
extern void count_hold(uint64_t usec);
/* All of them for the state file, and back */
extern struct json_object *count_dump(void);
extern void count_load(struct json_object *o);
extern void count_clear(void);
/* For publication: the counters of one queue; and those that are of no queue */
extern struct json_object *count_queue_json(const char *queue);
extern struct json_object *count_json(void);
/* Work, and what passes and the lock have cost since slurmctld was started */
extern struct json_object *count_work_json(void);

#endif /* COHORT_RECORD_COUNT_H */
