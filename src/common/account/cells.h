/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells.h - integrals over time, one cell for each cell of the books
 *
 * A cell remembers what the books said at its last change, and when. Its sums
 * are brought up to date when that changes, so a change of one queue costs as
 * much as its way up to the root.
 *
 * What a cohort's members borrow comes out of its pool: the quota that is set
 * at the cohort itself, and what each member could lend now. How much of the
 * pool is in use is one number for all lenders, so its integral over time is
 * kept once, at the cohort (lent_for), and a lender looks at it when what it
 * could lend changes. A cohort's pool may be in use by others above it, too:
 * as much of it as the cohort could lend times the part of the pool there.
 */
#ifndef COHORT_ACCOUNT_CELLS_H
#define COHORT_ACCOUNT_CELLS_H

#include "account.h"
#include "quota/books.h"

struct account_cell {
	int64_t at;			/* when it changed last; 0: never */
	int64_t nominal;		/* set at the node itself */
	int64_t quota;			/* of its subtree */
	int64_t used;
	int64_t over;			/* borrowed from the parent's pool */
	int64_t offer;			/* could be lent to it */
	__int128 demand, offers;	/* of all children: over, offer */
	double lent_for;		/* seconds for which one unit of the pool
					 * was in use */
	double seen;			/* lent_for of the parent at `at` */
	__int128 sum_nominal, sum_own, sum_borrowed;	/* base units * ns */
	double sum_lent, sum_shared, sum_idle;	/* base units * seconds */
	int64_t borrowed_at;		/* until then `over` was above 0; as old
					 * as `at` */
};

struct between;

struct account {
	struct books_watch watch;	/* the first member */
	const struct books *books;
	int64_t now;
	int64_t changed;
	size_t set_backs;
	size_t nused;			/* cells with anything in use */
	size_t nwaiting;		/* queues where one waits */
	struct account_cell *cells;	/* as in the books */
	bool *waits;			/* by node: a queue where one waits */
	struct between *between;	/* by node: those of roots; see
					 * between.c */
};

static inline struct account_cell *account_cell(const struct account *a,
						int node, int pair)
{
	return &a->cells[(size_t) node * a->books->npairs + (size_t) pair];
}

/* What a cohort has to lend, itself and those below it */
static inline double account_pool(const struct account_cell *c)
{
	return (double) (c->nominal + c->offers);
}

/* Of what its members borrow, how much comes out of its own pool; the rest
 * comes from above. */
static inline double account_inside(const struct account_cell *c)
{
	return c->demand > c->over ? (double) (c->demand - c->over) : 0;
}

/* As of that time, with the levels of the last change */
struct account_cell account_cell_at(const struct account *a, int node, int pair,
				    int64_t at);

/* NULL: no memory */
struct account *account_create(const struct books *b);
void account_destroy(struct account *a);

/* Looks at the books anew. */
void account_see(struct account *a, int node, int pair);

/* A queue where one waits, or no longer */
void account_set_waits(struct account *a, int node, bool waits);

/* The clock was set back: what was summed up stays, and goes on from then. */
void account_set_back(struct account *a, int64_t now);

#endif /* COHORT_ACCOUNT_CELLS_H */
