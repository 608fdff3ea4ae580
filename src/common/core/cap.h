/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cap.h - nominal quota caps what non-preemptible workloads use
 *
 * doc/how-it-decides.md, section 6. The cap comes on top of all other rules: a
 * workload within it still needs quota like any other.
 */
#ifndef COHORT_CAP_H
#define COHORT_CAP_H

#include "core/workload_state.h"
#include "lib/hash.h"
#include "quota/fixed.h"

struct engine;
struct queue;

/* ---- elastic groups of which only some members are non-preemptible ----
 * An elastic array needs some of its tasks; these can't be preempted, the others can. */

struct fixed_group {
	struct keyed keyed;		/* by node of the queue */
	const struct queue *q;
	size_t users;			/* shapes of its members */
	int64_t most;			/* non-preemptible members */
	__int128 now;	/* of these, running, owning quota, or started by the plan that runs */
};

/* The group of the queue with that key, which is created if it is new, with one
 * more user. The bound that was set last holds. NULL with errno = ENOMEM. */
struct fixed_group *fixed_group_get(struct engine *e, const struct queue *q,
				    uint64_t key, int64_t most);

/* The bound is another one from now on: what waits may be capped now, or no more. */
void fixed_group_tell(struct engine *e, struct fixed_group *g, int64_t most);

/* Takes one user off; the last one frees the group. NULL is allowed. */
void fixed_group_put(struct engine *e, struct fixed_group *g);

/* A member becomes non-preemptible (1) or is not any more (-1). Trials undo
 * that. g: NULL is allowed. */
void fixed_group_count(struct engine *e, struct fixed_group *g, int by);

/* One more member may be. Where there is no group, any number may. */
static inline bool fixed_group_has_room(const struct fixed_group *g)
{
	return !g || g->now < g->most;
}

/* ---- what the cap admits ---- */

/* Would a start of the workload be non-preemptible? */
static inline bool workload_is_capped(const struct workload *w)
{
	return w->shape->nonpreemptible
	       && fixed_group_has_room(w->shape->group);
}

/* Charges a start of the workload. Returns whether it is non-preemptible. */
bool workload_charge(struct engine *e, const struct workload *w, const struct use *uses, size_t n);

/* Puts what the workload owns into the books (1), or takes it out (-1) */
void claim_charge(struct engine *e, const struct workload *w, int sign);

/* These uses of a non-preemptible workload are within the cap of the queue. */
bool cap_admits(const struct engine *e, const struct queue *q, const struct use *uses, size_t n);

/* They fit into the quota, and if the workload is non-preemptible, under the cap. */
bool workload_fits(struct engine *e, const struct workload *w, const struct use *uses, size_t n);

#endif /* COHORT_CAP_H */
