/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixed_group.h - elastic groups of which only some members are non-preemptible
 *
 * An elastic array needs some of its tasks; these can't be preempted, the
 * others can (doc/how-it-decides.md, section 6).
 */
#ifndef COHORT_FIXED_GROUP_H
#define COHORT_FIXED_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include "lib/hash.h"

struct engine;


struct fixed_group {
	struct hash_link link;
	const struct queue *q;
	uint64_t key;
	size_t users;			/* shapes of its members */
	int64_t most;			/* non-preemptible members */
	__int128 now;			/* of these, running, owning quota, or
					 * started by the plan that runs */
};

/* The group of the queue with that key, which is created if it is new, with one
 * more user. The bound that was set last holds. NULL with errno = ENOMEM. */
struct fixed_group *fixed_group_get(struct engine *e, const struct queue *q,
				    uint64_t key, int64_t most);

/* The bound is another one from now on: what waits may be capped now, or no
 * more. */
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

/* Out of memory: counts anew */
void fixed_groups_clear(struct engine *e);

#endif /* COHORT_FIXED_GROUP_H */
