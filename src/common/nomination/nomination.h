/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nomination.h - flavors and victims for a workload
 */
#ifndef COHORT_NOMINATION_H
#define COHORT_NOMINATION_H

#include "core/engine_state.h"
#include "nomination/assignment.h"
#include "quota/books.h"
#include "victims/target.h"

/* As arena_alloc(); sets e->no_memory, too */
static inline void *engine_alloc(struct engine *e, struct arena *arena, size_t n, size_t size)
{
	void *memory = arena_alloc(arena, n, size);

	e->no_memory |= !memory;
	return memory;
}

/* Which workload asks, and under which conditions */
struct ask {
	const struct workload *w;
	struct queue *q;
	int64_t now;
	const int64_t *counts;		/* by pod set; NULL: the full counts */
	const bool *flavor_ok;		/* by flavor; NULL: all */
	const struct assignment *like;	/* only flavors that it has; NULL: any */
	const struct oracle *oracle;	/* NULL: search for victims */
	bool fit_only;			/* there are none */
};

/* Gives a flavor to every resource that the workload asks for, on the books as
 * they are (doc/how-it-decides.md, section 4). Fills d, with memory of e->arena. -1 with
 * e->no_memory set. (flavors.c) */
int assign_flavors(struct engine *e, const struct ask *ask, struct assignment *d);

struct nominee {
	struct assignment draft;
	struct target *targets;		/* memory of e->arena */
	size_t ntargets;
	const struct queue *owner;	/* the preemptor's queue, if targets of others are
					 * pure reclaims; NULL */
	struct passed_over passed;	/* in all searches of the nomination */
};

/* Flavors for all pods, or for as many as the pod sets' min_count allows, and victims if they are
 * needed (doc/how-it-decides.md, sections 4 to 6). MODE_PREEMPT without targets: no workload may
 * be evicted for it. -1 with e->no_memory set. */
int nominate(struct engine *e, const struct ask *ask, struct nominee *out);

/* What comes of the head if no other one has its turn before it */
enum outcome nominee_outcome(const struct nominee *n);

/* It is decided that the head starts or evicts. */
static inline bool outcome_goes(enum outcome outcome)
{
	return outcome == OUTCOME_ADMITTED || outcome == OUTCOME_PREEMPTING;
}

/* The head can do neither, whatever the others do. */
static inline bool outcome_fails(enum outcome outcome)
{
	return outcome == OUTCOME_NOFIT || outcome == OUTCOME_NO_CANDIDATES;
}

/* The targets that are running workloads, as the caller of the engine knows
 * them: starts of the plan that are taken back are no victims. Memory of the
 * arena; NULL with e->no_memory set. owner: as in struct nominee */
const struct victim *victims_list(struct engine *e, struct arena *arena,
				  const struct queue *owner, const struct target *targets,
				  size_t n, size_t *nvictims);

/* ---- how much a pod set asks for ---- */

/* A total for the pod set's own count of pods, for another count */
static inline int64_t amount_scale(const struct podset_desc *ps, int64_t amount, int64_t count)
{
	return count == ps->count ? amount : sat_mul(amount / ps->count, count);
}

/* The smallest amount of requests[i] in any flavor, for `count` pods */
static inline int64_t request_least(const struct podset_desc *ps, size_t i, int64_t count)
{
	return amount_scale(ps, ps->requests[i].amount, count);
}

/* The amount of requests[i] in one flavor, for `count` pods
 * (doc/how-it-decides.md, section 4: it may differ by flavor) */
static inline int64_t request_in(const struct engine *e, const struct podset_desc *ps, size_t i,
				 int flavor, int64_t count)
{
	if (!ps->by_flavor)
		return request_least(ps, i, count);
	return amount_scale(ps, ps->by_flavor[i * e->books->nflavors + (size_t) flavor], count);
}

/* The smallest number of pods that the pod set can do with (partial admission) */
static inline int64_t request_least_count(const struct engine *e, const struct podset_desc *ps)
{
	return ps->min_count > 0 && !e->no_partial ? ps->min_count : ps->count;
}

#endif /* COHORT_NOMINATION_H */
