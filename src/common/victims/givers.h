/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * givers.h - which queue has to give next, by fair share
 *
 * Each cohort has a heap of its children, the one that has to give first on
 * top: the largest share, and of equal shares the best candidate. So the queue
 * that gives is found on the way down from the root, always at the top. Only
 * the nodes on this way change when it gives.
 */
#ifndef COHORT_GIVERS_H
#define COHORT_GIVERS_H

#include "quota/share.h"
#include "candidates/candidate.h"

/* What a search knows of a node of the forest */
struct giver_heap {
	uint64_t heap;			/* valid if it has this number */
	uint64_t closed;		/* gives no more in this pass */
	size_t n;			/* children in its heap */
};

struct givers {
	struct search *s;
	uint64_t pass;		/* nodes that were closed in it stay closed */
	uint64_t heaps;		/* number of the heaps that are valid */
	struct giver *children;	/* the heap of a cohort begins at the slot of
				 * its first child */
};

/* Begins a pass: all queues whose streams have candidates may give. False: no
 * memory. */
bool givers_begin(struct givers *g, struct search *s);

/* Shares have changed in places that are not on the way to the last giver.
 * Nodes that were closed stay closed. */
void givers_renew(struct givers *g);

/* The queue that has to give next, or SPEC_NONE if none can. It is to be
 * settled before the next one is asked for. */
int givers_next(struct givers *g);

/* The candidates and the usage of the last giver have changed. */
void givers_settle(struct givers *g, int giver);

/* Nothing below the node, which is on the way to the last giver, gives more in
 * this pass. */
void givers_close(struct givers *g, int node);

#endif /* COHORT_GIVERS_H */
