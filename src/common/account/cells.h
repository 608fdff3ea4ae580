/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells.h - integrals over time, one cell for each cell of the books that was
 * ever in use
 *
 * A cell remembers what the books said at its last change, and when. Its sums
 * are brought up to date when that changes, so a change of one queue costs as
 * much as its way up to the root. As of any later time they follow from the
 * cell and those above it: nothing has to be written for time to pass.
 *
 * What a cohort's members borrow comes out of its pool: the quota that is set
 * at the cohort itself, and what each member could lend now. How much of the
 * pool is in use is one number for all lenders, so its integral over time is
 * kept once, at the cohort (lent_for), and a lender looks at it when what it
 * could lend changes. A cohort's pool may be in use by others above it, too:
 * as much of it as the cohort could lend times the part of the pool there.
 *
 * Most cells of a large forest are never in use. What they have summed up
 * follows from their quota and from the time, so they are not stored. A queue
 * sums up idle quota only while a workload waits: its waits are kept once for
 * all its cells, and a cell is stored if a wait begins or ends when something
 * of its pool was lent already.
 *
 * Times are the account's own, which never go back: ns of the engine plus `skew`.
 */
#ifndef COHORT_ACCOUNT_CELLS_H
#define COHORT_ACCOUNT_CELLS_H

#include "account.h"
#include "account/frame.h"

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

/* Of a queue: does a workload wait, since when, and how long before that, ns */
struct account_wait {
	bool waits;
	int64_t since, before;
};

struct account_cells {
	struct account_frame *frame;
	uint32_t **rows;		/* by node, then by pair: number of the
					 * cell, from 1 on, or 0; NULL: none */
	struct account_cell **blocks;	/* of cells, by number */
	size_t ncells, nblocks;
	struct account_wait *waits;	/* by node */
	int64_t begun;			/* 0: no time was told yet */
	int64_t skew;
};

/* -1: no memory; cells_destroy() follows all the same */
int cells_create(struct account_cells *t, struct account_frame *frame);
void cells_destroy(struct account_cells *t);

/* NULL: there is none */
struct account_cell *cells_find(const struct account_cells *t, int node,
				int pair);
/* A new cell of no content, where there is none. NULL: no memory */
struct account_cell *cells_add(struct account_cells *t, int node, int pair);

/* The cell; if there is none, what it would be is written to *room. */
const struct account_cell *cells_levels(const struct account_cells *t, int node,
					int pair, struct account_cell *room);

/* As of that time, with the levels of the last change */
struct account_cell cells_at(const struct account_cells *t, int node, int pair,
			     int64_t at);
/* lent_for of a node then; SPEC_NONE: 0 */
double cells_lent_for(const struct account_cells *t, int node, int pair,
		      int64_t at);
/* Brings the cell up to that time; lent_for: that of its parent then. */
void cell_settle(const struct account_cells *t, struct account_cell *c,
		 int node, double lent_for, int64_t at);

/* The sums as they are told */
struct account_sums cell_sums(const struct account_cell *c);

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

#endif /* COHORT_ACCOUNT_CELLS_H */
