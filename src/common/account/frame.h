/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.h - what never changes under an account: the forest and its quota
 *
 * An engine's account and the copy of it share one frame, and it lasts as long
 * as one of them. So a copy can be read when the engine is gone. Who takes or
 * leaves a frame holds the lock of the engine.
 */
#ifndef COHORT_ACCOUNT_FRAME_H
#define COHORT_ACCOUNT_FRAME_H

#include "quota/books.h"

struct account_frame {
	size_t users;
	size_t nnodes, ncohorts, npairs, nflavors, nresources;
	struct node *nodes;		/* of their members, the tree alone */
	struct pair *pairs;
	int *pair_of;
	struct quota *quotas;		/* [node * npairs + pair]; as they were
					 * when the frame was made */
	int64_t **earlier;		/* by node, then by pair: nominal seconds
					 * of before, where there is no cell;
					 * NULL: none */
};

/* NULL: no memory */
struct account_frame *frame_create(const struct books *b);
struct account_frame *frame_take(struct account_frame *f);
/* NULL is allowed. */
void frame_leave(struct account_frame *f);

static inline const struct quota *frame_quota(const struct account_frame *f,
					      int node, int pair)
{
	return &f->quotas[(size_t) node * f->npairs + (size_t) pair];
}

/* The row of nominal seconds of a node. NULL: no memory. It changes only as long as
 * the frame has one user. */
int64_t *frame_earlier(struct account_frame *f, int node);

/* The index of a cohort or queue becomes that of the node, and the flavor and
 * resource a pair. false: there is no such thing */
bool frame_find(const struct account_frame *f, bool is_cohort, int *node,
		int flavor, int resource, int *pair);

#endif /* COHORT_ACCOUNT_FRAME_H */
