/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * space.h - what nodes have while some go and some stay
 */
#ifndef COHORT_SPACE_H
#define COHORT_SPACE_H

#include "clearing/clearing.h"
#include "lib/arena.h"

struct cost {
	double by_level[CLEARING_LEVELS];
	double ties[CLEARING_LEVELS];
	int top;		/* levels above are 0 */
	int count;
};

struct space {
	const struct clearing *c;
	struct arena arena;	/* of all that is here, and of the search */
	int64_t *have;		/* by node and resource: idle, and of those gone */
	bool *ready;		/* by node: has what is needed */
	size_t nready;
	bool *gone;		/* by item */
	struct cost cost;	/* of those gone */
	bool *shut;		/* by node: is not used in this try */
	size_t *first;		/* by node: its part of `on`; one more at the end */
	size_t *on;		/* items on the node, the cheapest first, */
	const int64_t **held;	/* and what each of these has there */
	size_t *sorted;		/* all items, the cheapest first */
	bool *stale;		/* by node: what it takes to make it ready has changed */
	bool quiet;		/* moves are undone: nothing becomes stale */
	int64_t *amounts;	/* room for one amount of each node */
	size_t looks;		/* so far */
};

/* Nobody is gone. False: no memory. */
bool space_open(struct space *s, const struct clearing *c);

/* One goes, or stays after all */
void space_move(struct space *s, size_t item, bool goes);
void space_return_all(struct space *s);
/* What the item's nodes take to be ready has changed */
void space_mark(struct space *s, size_t item);
void space_shut(struct space *s, size_t node, bool shut);

/* Is there room? */
bool space_fits(struct space *s);
/* What the node lacks of a resource; INT64_MIN if it needs none */
int64_t space_node_lacks(const struct space *s, size_t node, size_t resource);
/* How much of the resource the nodes that would be used lack in total */
int64_t space_lacks(struct space *s, size_t resource);

void cost_add(struct cost *cost, const struct clearing_item *item, int sign);
struct cost cost_of_item(const struct clearing_item *item);
/* < 0: a is less; more than rounding counts. Of each: divided by a number. */
int cost_compare(const struct cost *a, const struct cost *b);
int cost_compare_each(const struct cost *a, size_t na, const struct cost *b, size_t nb);

#endif /* COHORT_SPACE_H */
