/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - the engine seen from inside: one assignment, one search, one cycle
 *
 * These are the parts of engine_plan() and engine_nominate(). The runner of the
 * conformance scenarios and the unit tests call them one by one, so that the
 * answers they compare are those of the path that the plugins use, which need
 * none of this.
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
#ifndef COHORT_TEST_STEPS_H
#define COHORT_TEST_STEPS_H

#include "nomination/assignment.h"

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

/* ---- the books ---- */

/* FNV-1a over the whole state of the books: equal books, equal digest, whatever the
 * history. */
uint64_t engine_digest(const struct engine *e);

#endif /* COHORT_TEST_STEPS_H */
