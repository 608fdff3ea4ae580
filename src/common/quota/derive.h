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

/* Of a tree: subtree, local and potential of these pairs in quotas[node * npairs +
 * pair], b->quotas or another array */
void derive_quotas(const struct books *b, struct quota *quotas, int root,
		   struct span pairs);

/* The same of b->quotas, and lendable. Whole resources: these stand side by side. */
void derive_tree(struct books *b, int root, struct span pairs);

#endif /* COHORT_DERIVE_H */
