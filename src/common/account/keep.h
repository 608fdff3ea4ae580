/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keep.h - the account that an engine keeps, told of each change of the books
 */
#ifndef COHORT_ACCOUNT_KEEP_H
#define COHORT_ACCOUNT_KEEP_H

#include "account/cells.h"

struct between;

/* Times are those of the cells. */
struct account {
	struct books_watch watch;	/* the first member */
	const struct books *books;
	struct account_cells cells;
	int64_t now;
	int64_t changed;
	int64_t stopped;		/* since then nothing is kept for lack
					 * of memory; 0: all is well */
	size_t set_backs;
	size_t nused;			/* cells with anything in use */
	size_t nwaiting;		/* queues where one waits */
	struct between *between;	/* by node: those of roots; see
					 * between.c */
};

/* NULL: no memory */
struct account *account_create(const struct books *b);
void account_destroy(struct account *a);

/* The cell, brought up to now. NULL: no memory, the account is stopped. */
struct account_cell *account_keep_cell(struct account *a, int node, int pair);

/* Looks at the books anew. */
void account_see(struct account *a, int node, int pair);

/* A queue where one waits, or no longer */
void account_set_waits(struct account *a, int node, bool waits);

/* Only forward; the first time of all is when it begins. */
void account_set_now(struct account *a, int64_t now);

/* The clock was set back: what was summed up stays, and goes on from then. */
void account_set_back(struct account *a, int64_t now);

#endif /* COHORT_ACCOUNT_KEEP_H */
