/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  event.h - an eviction as an event: cohort.yaml(5) has its form
\*****************************************************************************/
#ifndef COHORT_RECORD_EVENT_H
#define COHORT_RECORD_EVENT_H

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
 * in common; text: what the victim's record says */
struct eviction_decided {
	const job_record_t *by;
	int by_queue;
	enum victim_reason rule;
	const struct event_numbers *numbers;
	const char *text;
	time_t at;
};

/* The job's record of its eviction, in place of any older one */
extern void event_decided(struct job *job, const struct eviction_decided *d);
/* What enforcement would do with the job: "evict", or "wait" (d has the time, and the text of
 * REASON). The caller's */
extern struct json_object *event_observed(const struct job *job, const char *what,
					  const struct eviction_decided *d);
/* It goes along with this other component, for the same reason. */
extern void event_follow(struct job *job, const struct job *leader);
/* What the record says of it, or "" */
extern const char *event_text(const struct job *job);
/* The eviction was not carried out, or nothing is known of it any more. */
extern void event_forget(struct job *job);
/* The run is over, after so many seconds: the event is complete. The caller's;
 * NULL if nothing is known of the eviction. Charges are still in the books. */
extern struct json_object *event_ended(struct job *job, time_t ran);
/* For the state file, to be freed by the caller: NULL, or what is known of an
 * eviction that is not over; and back, if the job's record still shows it. */
extern struct json_object *event_dump(const struct job *job);
extern void event_load(struct job *job, struct json_object *evicted);

#endif /* COHORT_RECORD_EVENT_H */
