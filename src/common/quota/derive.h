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

/* For those who set it: the cell shares it with no other one, as quotas_share()
 * was not called yet, or quotas_unshare() was. */
static inline struct quota *quota_to_set(const struct books *b, int node,
					 int pair)
{
	return &b->quotas[books_cell(b, node, pair)->quota / QUOTA_UNITS];
}

/* After derive_all(): cells of the same quota and limits share these. -1 with
 * errno = ENOMEM */
int quotas_share(struct books *b);

/* The quota of the pair may change in this tree: there each cell gets one of its
 * own, so that a change needs no memory. -1 with errno = ENOMEM */
int quotas_unshare(struct books *b, int root, int pair);

/* Fills subtree, local, potential, limiter and lendable of all nodes. */
void derive_all(struct books *b);

/* Subtree and local quota of the node; those of its children are known. */
void derive_quota(struct books *b, int node, struct span pairs);

/* One quota of the tree has changed, and derive_quota() was called from its node
 * up to the root. Fills the rest; the shares of the tree are not known any
 * more. */
void derive_tree(struct books *b, int root, int pair);

#endif /* COHORT_DERIVE_H */
