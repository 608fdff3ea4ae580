/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  count.h - counters: admissions, evictions, waits, passes
\*****************************************************************************/
#ifndef COHORT_RECORD_COUNT_H
#define COHORT_RECORD_COUNT_H

#include "state/state.h"

struct json_object;

/* A job of the queue has started, after so many seconds in line */
extern void count_admission(int queue, time_t waited);
/* The same of a job with which its queue stays within nominal quota */
extern void count_delay(int queue, time_t waited);
/* A job of the queue was evicted, for one of queue `by`, or SPEC_NONE. */
extern void count_eviction(int queue, int by, enum victim_reason reason);
/* What the run of that job has used, for nothing */
extern void count_loss(int queue, const struct charge *charge, time_t ran);
extern void count_pass(uint64_t usec, bool planned);
/* In seconds, since slurmctld was started */
extern double count_longest_pass(void);
/* A thread of ours has held the job lock for so long. */
extern void count_hold(uint64_t usec);
/* All of these since slurmctld was started */
extern struct json_object *count_holds_json(void);
/* Work that passes and users have caused, since slurmctld was started */
enum work {
	WORK_LOOK,		/* a record that was compared with the books */
	WORK_BOOKED,		/* an entry that was booked, or booked anew */
	WORK_CANDIDATE,		/* a record that Slurm asked about: may it be preempted? */
	WORK_TEXT,		/* a text for squeue that is another one */
	WORK_UNTRIED,		/* a job that nobody waits for, as slurmctld does not try it */
	WORK_SAVE,		/* a job that may be in the state file: is it? */
	WORKS
};
extern uint64_t count_works[WORKS];
static inline void count_work(enum work what)
{
	count_works[what]++;
}
static inline uint64_t count_of_work(enum work what)
{
	return count_works[what];
}
/* All of them for the state file, and back */
extern struct json_object *count_dump(void);
extern void count_load(struct json_object *o);
extern void count_clear(void);
/* For publication: the counters of one queue; and those that are of no queue */
extern struct json_object *count_queue_json(const char *queue);
extern struct json_object *count_json(void);

#endif /* COHORT_RECORD_COUNT_H */
