/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stale.h - what of a copy of the account is no longer as in the account
 *
 * Each thing is noted once until the copy has been brought up to date. Without
 * memory for the list, all of it is stale.
 */
#ifndef COHORT_ACCOUNT_STALE_H
#define COHORT_ACCOUNT_STALE_H

#include <stdbool.h>
#include <stddef.h>

enum stale_kind {
	STALE_CELL,
	STALE_WAIT,			/* of the node; pair: 0 */
	STALE_BETWEEN,			/* of the tree with this root */
};

struct stale_item {
	enum stale_kind kind;
	int node, pair;
};

struct stale {
	struct stale_item *list;
	size_t n, size;
	const void *copy;		/* that follows; NULL: none */
	bool all;
};

/* mark: that of the thing; it stays until the copy is brought up to date. */
void stale_note(struct stale *s, bool *mark, enum stale_kind kind, int node,
		int pair);

#endif /* COHORT_ACCOUNT_STALE_H */
