/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * derive.h - what follows from nominal quotas and limits alone
 */
#ifndef COHORT_DERIVE_H
#define COHORT_DERIVE_H

#include "quota/books.h"

/* Pairs from the first one up to `end`, which is none of them */
struct span {
	size_t first, end;
};

/* For those who set it */
static inline struct quota *quota_to_set(const struct books *b, int node,
					 int pair)
{
	return &b->quotas[(size_t) node * b->npairs + (size_t) pair];
}

/* Fills subtree, local, potential, limiter and lendable of all nodes. */
void derive_all(struct books *b);

/* Subtree and local quota of the node; those of its children are known. */
void derive_quota(struct books *b, int node, struct span pairs);

/* One quota of the tree has changed, and derive_quota() was called from its node
 * up to the root. Fills the rest; the shares of the tree are not known any
 * more. */
void derive_tree(struct books *b, int root, int pair);

#endif /* COHORT_DERIVE_H */
