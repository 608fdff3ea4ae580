/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick.h - the cheapest way to make one node ready
 */
#ifndef COHORT_PICK_H
#define COHORT_PICK_H

#include "clearing/space.h"

/* What it takes to make a node ready */
struct price {
	struct cost cost;	/* of all that go */
	size_t gain;		/* nodes that become ready; 0: it can't be */
	size_t nready;		/* as so many were ready already */
};

struct finder {
	const struct clearing *c;
	struct space s;
	bool *left;		/* by item: not in this try, for the rules */
	struct price *prices;	/* by node; good while the node is not stale */
	int64_t *lacking;	/* by resource: what a node lacks still */
	size_t *picked;		/* items that would make a node ready */
	size_t *trial;		/* the same, by place in s.on */
	bool *best;		/* the best set so far, by item */
	size_t *order;		/* items of the best, the dearest first */
	struct cost cost;	/* of the best */
	bool found;
	bool refused;		/* not found: the best was refused, and others
				 * are looked for from there */
	size_t questions;
};

static inline bool is_over(const struct finder *f)
{
	return f->questions >= f->c->max_questions
	       || f->s.looks >= f->c->max_looks;
}

/* May it go in this try? */
bool pick_may_take(const struct finder *f, size_t item);

/* Fills f->picked with those that would make the node ready, and their cost;
 * returns how many. 0: the node can't be made ready. */
size_t pick_for_node(struct finder *f, size_t node, struct cost *cost);

/* The node that costs least to be made ready, or nnodes: none can be */
size_t pick_node(struct finder *f);

#endif /* COHORT_PICK_H */
