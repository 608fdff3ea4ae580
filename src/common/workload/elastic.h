/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elastic.h - groups that may shrink while they are protected
 *
 * KAI's minAvailable: of the running members of a group as many as exceed the
 * minimum may be evicted although a min-runtime protects each of them.
 */
#ifndef COHORT_ELASTIC_H
#define COHORT_ELASTIC_H

#include "core/engine_state.h"

struct elastic {
	struct hash_link link;
	const struct queue *q;
	uint64_t key;
	int64_t min_available;
	size_t members;			/* running ones, leaving or not */
	uint64_t search;		/* that counted `active` */
	int64_t active;			/* of these: not leaving, not taken */
};

/* h joins the group of its queue with that key, which is created if it is new;
 * the minimum is that of all its members from now on. -1 with errno = ENOMEM. */
int elastic_join(struct engine *e, struct holding *h, uint64_t key,
		 int64_t min_available);

/* Leaves its group, which goes with its last member */
void elastic_leave(struct engine *e, struct holding *h);

/* The search with that number has met h: counts it, the first of its group
 * starting anew */
void elastic_count(struct holding *h, uint64_t search);

/* May a protected member go? */
bool elastic_has_spare(const struct holding *h);

/* The search has taken h as a victim, or puts it back */
void elastic_take(struct holding *h);
void elastic_give(struct holding *h);

#endif /* COHORT_ELASTIC_H */
