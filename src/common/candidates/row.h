/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.h - all that may be evicted for what is lent, in one row
 *
 * Where a tree uses more than it has, each head has to evict a long list, and most of it
 * is in the list of each. The first head that goes takes these victims, and the others
 * look again: only whether lists overlap matters then, and who is in them does not.
 *
 * All heads of a cycle are nominated on the same books. Those of one cohort that stay
 * within nominal quota take the same candidates in the same order, as many as they need:
 * none of them is of their own queues, which lend. So these are put in a row once, and a
 * list is told as a part of it, which is found in the time of a look-up.
 */
#ifndef COHORT_ROW_H
#define COHORT_ROW_H

#include "candidates/candidate.h"
#include "core/tree_state.h"

/* How many victims in lists pay for each holding of the tree: where lists are short there
 * is no row. */
#define ROW_PRICE 1

/* Numbers of a row, a place or a part have one for each node above the preemptor and each
 * pair that needs preemption. */
struct row {
	struct row *next;		/* of the same cycle */
	struct needed_pairs of;		/* the pairs */
	int above;			/* the first of the nodes */
	enum policy policy;
	int64_t highest;		/* priority that may go */
	bool is_known;
	size_t width;			/* numbers */
	int64_t *usage;			/* while it is filled */
	struct holding **all;
	size_t n;
	int64_t *sums;			/* by place: with all before it */
	int64_t *least;			/* by part, the whole row is 1; its halves
					 * are 2 and 3 */
	size_t nleaves;
	size_t nleaving;		/* so many are on the way out; they come
					 * first, */
	bool has_all_leaving;		/* and no others are */
};

/* The first n of a row but for those that are put back: these are `back`, by their places,
 * the last one first. In e->arena. */
struct row_pick {
	const struct row *row;
	size_t n;
	const size_t *back;
	size_t nback;
};

/* Have lists been so long in this cycle that a row may pay? */
static inline bool row_is_worth_it(const struct search *s)
{
	const struct searches *all = s->e->searches;

	return all->rows || all->listed / ROW_PRICE >= s->q->tree->nholdings;
}

/* May all of the search's victims be in a row? It comes to candidates by fronts, or by shares
 * in a flat cohort, stays within nominal quota, and nothing but the policy tells its
 * candidates from those of others. */
bool row_suits(const struct search *s);

/* The row of the search. *is_new: row_add() has to add what the search takes from others,
 * one after the other, each out of the books already, until it returns false; row_end()
 * comes after all. NULL: lists do not pay for a row, or no memory. */
struct row *row_get(struct search *s, bool *is_new);
bool row_add(const struct search *s, struct row *row, struct holding *h);
void row_end(const struct search *s, struct row *row);

/* Sets s->pick: what the search takes, and does not put back, on the books as they are.
 * False: it is not known. */
bool row_find(struct search *s, const struct row *row);

/* One of them is taken by another head. */
bool row_pick_is_taken(const struct row_pick *pick);

static inline size_t row_pick_count(const struct row_pick *pick)
{
	return pick->n - pick->nback;
}

/* Writes them in the order in which the search takes them. */
void row_pick_list(const struct row_pick *pick, struct holding **list);

#endif /* COHORT_ROW_H */
