/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stays.h - what the books would be if the victims of a cycle had stayed
 *
 * The victims of a head leave the books as soon as it has had its turn, so that no
 * search has to take them out again. But whose turn is next depends, with fair
 * sharing, on shares in which they still count (doc/how-it-decides.md, section 8).
 * So for each node above a victim it is kept how much more it would use.
 */
#ifndef COHORT_STAYS_H
#define COHORT_STAYS_H

#include "core/queue_state.h"

struct stay;

struct stays {
	struct engine *e;
	bool above;			/* cohorts matter: else only what was taken
					 * of each queue is known */
	bool any;			/* a victim has left */
	bool lost;			/* it cannot be told: an amount is too
					 * large */
	int root;			/* of the tree that is planned */
	struct stay **first;		/* by number of the node, from the root */
};

/* Begins with no victims. The rest is in the arena of the cycle. Without memory
 * e->no_memory is set. */
void stays_begin(struct stays *s, struct engine *e, int root, bool above);

/* All victims are back in the books: there is nothing to know of them. */
void stays_end(struct stays *s);

/* h, with its unit, has just left the books. */
void stays_add(struct stays *s, const struct holding *h);

/* What is in the books for the queue has changed in these pairs. */
void stays_renew(struct stays *s, const struct queue *q, const struct use *uses,
		 size_t n);

/* What has left of the queue itself */
int64_t stays_taken(const struct stays *s, const struct queue *q, int pair);

/* In a trial: the victims are back, as far as the nodes from the queue up to one
 * above it, or itself, are concerned. Others are wrong then. */
void stays_restore(const struct stays *s, const struct queue *q, int top);

#endif /* COHORT_STAYS_H */
