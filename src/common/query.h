/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query.h - look-ups in the books and lines, for callers that publish them
 *
 * Units are those of engine.h. Nothing here changes what the engine decides.
 */
#ifndef COHORT_QUERY_H
#define COHORT_QUERY_H

#include "engine.h"

/* Books of one node in one flavor and resource: node is a queue index, or a
 * cohort index with is_cohort. */
struct ledger {
	int64_t nominal;
	int64_t borrowing_limit, lending_limit;	/* or SPEC_NO_LIMIT */
	int64_t subtree;	/* own and lent quota together */
	int64_t used;		/* running and owned */
	int64_t borrowed;	/* above nominal (cohort: subtree quota) */
	int64_t lent;		/* of the nominal, in use by others */
	int64_t available;	/* a new workload could have, without eviction */
	int64_t potential;	/* the most it could ever have */
};
int engine_ledger(const struct engine *e, bool is_cohort, int node,
		  int flavor, int resource, struct ledger *l);

/* Does the queue use more than its nominal quota? That is `borrowed` of its ledger, whose
 * other sums cost more. False of what is no queue, flavor or resource. */
bool engine_borrows(const struct engine *e, int queue, int flavor, int resource);

/* What non-preemptible workloads of a queue use of a pair, and the most that they may use now:
 * the nominal quota of the queue, which is less than `used` after it was cut, or (CAP_COHORT)
 * with what its cohorts leave. -1 with errno = EINVAL. */
struct fixed_ledger {
	int64_t used;
	int64_t cap;
};
int engine_fixed_ledger(const struct engine *e, int queue, int flavor,
			int resource, struct fixed_ledger *l);

/* How much of its nominal quota that others use (lent) could a queue have back by eviction? It is
 * asked for a job that stays within nominal quota and may evict all that reclaimWithinCohort of
 * the queue names, whatever their priority. No queue is taken below its nominal quota, and
 * nothing is evicted from a stopped queue. A queue gets nothing if it is stopped, or if its
 * reclaimWithinCohort is Never. Protected elastic groups count as a whole; so do units, in
 * whatever queues they are. It is 0 only if no such job could evict anything. How much a job gets
 * depends on which others go first: it may be some more, or less. -1 with errno = EINVAL,
 * ENOMEM. */
struct reclaim {
	int64_t now;		/* from jobs that nothing protects at `now` */
	int64_t later;		/* and from jobs that are protected so far */
	int64_t at;		/* when the first of the latter is free; 0: none */
};
int engine_reclaimable(struct engine *e, int64_t now, int queue, int flavor,
		       int resource, struct reclaim *r);

/* How long a running workload of the queue is safe from jobs of its own queue, and from jobs of
 * others (the shortest time for any queue that could reclaim); ns. */
void engine_min_runtimes(const struct engine *e, int queue, int64_t *preempt, int64_t *reclaim);

/* The same against queues that are not below this one or this cohort, but below the
 * cohort above it, ns; SPEC_NO_TIME: only that of the queue of the workload counts (minRuntime.resolve). */
int64_t engine_branch_runtime(const struct engine *e, bool is_cohort, int node);

/* The place of a waiting workload among all of its cluster queue, from 1, in tasks; *total:
 * how many wait there. 0 and *total = 0 if it does not wait. */
int64_t engine_place(const struct engine *e, const struct workload *w, int64_t *total);

/* The share that fair sharing compares, by weight, in per mille of what is lendable. HUGE_VAL: it
 * borrows with weight 0. A whole tree has no share: 0. */
double engine_share(const struct engine *e, bool is_cohort, int node);

/* The history of a resource at the time of the last event, as
 * engine_restore_history() takes it; false where none counts. */
bool engine_history(const struct engine *e, bool is_cohort, int node,
		    int resource, struct usage_history *h);

/* The share without history: what is borrowed now */
double engine_share_now(const struct engine *e, bool is_cohort, int node);

/* Calls f() for each local queue of a queue where usage counts, in no order, with its score in
 * the last plan: smaller goes first. engine_local_history() is one of its histories. */
void engine_locals(const struct engine *e, int queue,
		   void (*f)(void *arg, int local_queue, double score), void *arg);
double engine_local_weight(const struct engine *e, int queue, int local_queue);
bool engine_local_history(const struct engine *e, int queue, int local_queue,
			  int resource, struct usage_history *h);

/* Calls f() for the waiting workloads of a queue, in order, as long as f() returns true. */
void engine_line(const struct engine *e, int queue,
		 bool (*f)(void *arg, const struct workload *w, int64_t tasks,
			   int local_queue), void *arg);

/* Waiting and running entries of a queue, in tasks */
void engine_counts(const struct engine *e, int queue, int64_t *waiting, int64_t *running);

/* Of what kind the verdict is, as engine_verdict() tells it */
static inline enum verdict_kind engine_verdict_kind(const struct engine *e,
						    const struct workload *w)
{
	return engine_verdict(e, w)->kind;
}

#endif /* COHORT_QUERY_H */
