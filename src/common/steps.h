/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - the engine seen from inside: one assignment, one search, one cycle
 *
 * These are the parts of engine_plan() and engine_nominate(). The runner of the
 * conformance scenarios and the unit tests call them one by one, so that the
 * answers they compare are those of the path that the plugins use.
 *
 * Pointers that are handed out belong to the engine and stay valid until the
 * next call of a function that takes a non-const engine, unless a comment says
 * otherwise.
 *
 * A request of 0 for a covered resource gets a flavor like any other, and a
 * charge of 0 counts as "uses this flavor and resource": pass them on. The
 * engine has no resource "pods" of its own: a caller that wants it counted adds
 * a request {pods, count} to every pod set of a queue that covers it.
 */
#ifndef COHORT_STEPS_H
#define COHORT_STEPS_H

#include "engine.h"

/* ---- flavor assignment ---- */

/* How well a flavor suits one resource, worst first */
enum suit { SUIT_NOFIT, SUIT_NO_CANDIDATES, SUIT_PREEMPT, SUIT_RECLAIM,
	    SUIT_FIT };

/* Replaces the search for victims during flavor assignment: what preemption in
 * (flavor, resource) for `amount` alone would lead to. Sets *suit to
 * NO_CANDIDATES, PREEMPT or RECLAIM, and *borrow to the borrow level after
 * it. */
struct oracle {
	void (*ask)(void *arg, int flavor, int resource, int64_t amount,
		    enum suit *suit, int *borrow);
	void *arg;
};

struct assigned_resource {
	int resource;
	int flavor;
	enum mode mode;
	int tried;		/* triedFlavorIdx: -1 if the scan reached the end */
	int borrow;		/* level of this resource alone */
	int64_t amount;		/* for `count` pods */
};

struct assigned_podset {
	size_t index;		/* in workload_desc.podsets */
	int64_t count;		/* less than the request: partial admission */
	bool nofit;		/* no flavors were found; resources is empty */
	struct assigned_resource *resources;
	size_t nresources;
};

/* Pod sets behind the first one without flavors were not tried and are not
 * listed. */
struct assignment {
	enum mode mode;
	int borrow;			/* largest level of all resources */
	struct assigned_podset *podsets;
	size_t npodsets;
	struct charge *usage;		/* summed by flavor and resource */
	bool *needs;			/* usage[i] needs preemption */
	size_t nusage;
};

/* Flavors for the full counts of a waiting workload on the books as they are;
 * no targets, no partial admission. oracle may be NULL: the real search. NULL
 * with errno = ENOMEM. */
const struct assignment *engine_assign(struct engine *e, struct workload *w,
				       int64_t now, const struct oracle *oracle);

/* Adds usage that belongs to no workload, on top of everything else. */
int engine_charge_queue(struct engine *e, int queue,
			const struct charge *charges, size_t n);

/* ---- victims ---- */

/* Victims for a waiting workload that needs `demand` in all, and preemption in
 * the pairs of `need` (the amounts in `need` are not read). Classical or fair,
 * as the spec says. Returns their number, in the order in which they were
 * chosen; 0: none is allowed, or they are not enough. */
size_t engine_targets(struct engine *e, struct workload *w, int64_t now,
		      const struct charge *demand, size_t ndemand,
		      const struct charge *need, size_t nneed,
		      const struct victim **victims);

/* ---- one cycle ---- */

enum outcome {
	OUTCOME_ADMITTED,
	OUTCOME_PREEMPTING,
	OUTCOME_NO_CANDIDATES,
	OUTCOME_NOFIT,
	OUTCOME_SKIPPED,
	OUTCOME_DEFERRED_FIT,
	OUTCOME_INADMISSIBLE,
};
/* "admitted", "preempting", "noCandidates", ... */
const char *outcome_name(enum outcome outcome);

struct head {
	struct workload *workload;
	bool root_is_cohort;
	int root;			/* index of the cohort, or of the queue */
	size_t order;			/* among the heads of the same root */
	enum outcome outcome;
	bool recomputed;		/* its victims were those of another
					 * head, too */
	const struct assignment *nominated;
	const struct victim *nominated_victims;
	size_t n_nominated_victims;
	const struct assignment *final;
	const struct victim *victims;	/* preempting: to be evicted */
	size_t nvictims;
};

/* Runs exactly one cycle of all trees, with every waiting workload active. The
 * books are as before when it returns. Until the next event or plan,
 * engine_queue_list() tells which workloads went, which stay and which became
 * inadmissible. *heads is sorted by root, then order. -1 with errno =
 * ENOMEM. */
int engine_cycle(struct engine *e, int64_t now, const struct head **heads,
		 size_t *nheads);

enum queue_list { LIST_ACTIVE, LIST_INADMISSIBLE };

/* The waiting workloads of a queue after engine_cycle(), in queue order:
 * calls each(arg, w) for every one. */
void engine_queue_list(const struct engine *e, int queue, enum queue_list list,
		       void (*each)(void *arg, struct workload *w), void *arg);

#endif /* COHORT_STEPS_H */
