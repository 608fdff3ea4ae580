/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictors.h - which cluster queues could evict a running job, and from when
 *
 * By the published books, with the job's own charge if it started after they were
 * made. The rules are those of src/common/candidates and victims
 * (doc/how-it-decides.md, sections 5 to 7), asked for no job in particular: could
 * there be a job of that queue, of any size and priority, that evicts this one?
 */
#ifndef SCOHORT_EVICTORS_H
#define SCOHORT_EVICTORS_H

#include "ledger/published.h"
#include "slurm/job_views.h"

/* What lets a queue evict jobs of another one */
enum evict_by {
	EVICT_NOT,
	EVICT_BY_NOMINAL,	/* it has nominal quota left */
	EVICT_BY_COHORT,	/* a cohort above it has, that is not above the other */
	EVICT_BY_PRIORITY,	/* borrowWithinCohort */
	EVICT_BY_SHARE,		/* fair sharing: its share is not larger */
	EVICT_NOT_ALONE,	/* any of these, but only if other jobs go, too */
};

/* A running job and what it is charged: job_charges() */
struct evictee {
	const struct published *p;
	struct json_object *queue;	/* published */
	struct json_object *charges;
	const struct view *v;
	bool owners_only;		/* too many of its runs are lost already */
	bool is_newer;			/* than the file: evictee_charge() */
};

/* The job's charge is added to the published books of its queue and of the cohorts above, if
 * these are from before its start; sign = -1: is taken out again. */
void evictee_charge(struct evictee *e, int sign);

/* What lets jobs of the queue `by` evict it now, if no time protects it. NULL or
 * EVICT_NOT: none of them can. Not for its own queue. */
enum evict_by evictee_goes_for(const struct evictee *e, struct json_object *by);

/* Could jobs of `queue` that use anything of the flavor go for jobs of `by`? False if
 * they are the same queue. */
bool queue_gives(const struct published *p, struct json_object *queue,
		 struct json_object *by, const char *flavor);

/* The lowest cohort above `by` that is not above `queue` and owns so much of the pair,
 * with all below it; NULL: none */
struct json_object *owner_above(const struct published *p, struct json_object *by,
				struct json_object *queue, const char *flavor,
				const char *resource, int64_t amount);

/* Until when is it protected from jobs of the queue `by`, which may be its own?
 * Seconds since the epoch */
int64_t evictee_protected_until(const struct evictee *e, struct json_object *by);

#endif /* SCOHORT_EVICTORS_H */
