/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  eviction.h - what is kept of an eviction: texts in the victim's record, and an event
\*****************************************************************************/
#ifndef COHORT_RECORD_EVICTION_H
#define COHORT_RECORD_EVICTION_H

#include <json-c/json.h>

#include "state/job.h"

/* Numbers of the flavor and resource that the preemptor lacks most, before the
 * eviction; pair.amount: what it needs */
struct event_numbers {
	struct charge pair;
	int64_t used, nominal;		/* of the victim's queue */
	int64_t by_used, by_nominal;	/* of the preemptor's */
	int64_t free;			/* that it could have had without any eviction */
};

/* What is known when it is decided. numbers: NULL if the two have no resource
 * in common; why: what the victim's record says, from the rule on */
struct eviction_decided {
	const job_record_t *by;
	int by_queue;
	enum victim_reason rule;
	const struct event_numbers *numbers;
	const char *why;
	time_t at;
};

/* The job is evicted: that takes the place of any older eviction. */
extern void eviction_note(struct job *job, const struct eviction_decided *d);
/* It goes along with this other component, for the same reason. */
extern void eviction_note_along(struct job *job, const struct job *leader);
/* It is told to go because its queue is stopped. */
extern void eviction_note_drained(job_record_t *job_ptr, const char *queue);
/* The eviction was not carried out: the job goes on. */
extern void eviction_revoke(struct job *job);
/* Nothing of it stays in AdminComment: another run begins, or none has ended. */
extern void eviction_clear_admin(job_record_t *job_ptr);
/* The run is over, after so many seconds: the event is complete. The caller's;
 * NULL if nothing is known of the eviction. Charges are still in the books. */
extern struct json_object *eviction_ended(struct job *job, time_t ran);

/* How often the job was evicted, as the part of such a text that says so; max: how often
 * that may count, or 0. Appended to an xmalloc'd text */
extern void eviction_add_counts(char **text, const struct evictions *evictions, int max);
/* The same as its record says: the state file may be lost. */
extern struct evictions eviction_counts(const job_record_t *job_ptr);

/* For the state file, to be freed by the caller: NULL, or what is known of an
 * eviction that is not over; and back, if the job's record still shows it. */
extern struct json_object *eviction_dump(const struct job *job);
extern void eviction_load(struct job *job, struct json_object *evicted);

#endif /* COHORT_RECORD_EVICTION_H */
