/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.c - sums over time of all cells of a forest
 */
#include <stdlib.h>

#include "account.h"
#include "account/rows.h"
#include "lib/array.h"

static const struct node *node_at(const struct rows *t, size_t number)
{
	return &t->books->nodes[t->books->order[number]];
}

double *rows_between(const struct rows *t, int pair, int lender,
		      int borrower)
{
	int root = t->books->nodes[lender].root;
	size_t first = rows_number(t, root), n = rows_tree_size(t, root);
	double *sums = t->between[first];

	return sums ? &sums[((size_t) pair * n + rows_number(t, lender) - first) * n
			    + rows_number(t, borrower) - first] : NULL;
}

bool rows_find(const struct rows *t, bool is_cohort, int *node, int flavor,
		int resource, int *pair)
{
	const struct books *b = t->books;
	size_t limit = is_cohort ? b->ncohorts : b->nnodes - b->ncohorts;

	if (*node < 0 || (size_t) *node >= limit
	    || flavor < 0 || (size_t) flavor >= b->nflavors
	    || resource < 0 || (size_t) resource >= b->nresources)
		return false;
	*pair = books_pair(b, flavor, resource);
	if (!is_cohort)
		*node += (int) b->ncohorts;
	return *pair != SPEC_NONE;
}

/* What a cohort has to lend, itself and those below it */
static double pool_of(const struct cell_sums *c)
{
	return (double) (c->nominal + c->offers);
}

/* Of what its members borrow, how much comes out of its own pool; the rest comes
 * from above. */
static double drawn_inside(const struct cell_sums *c)
{
	return c->demand > c->over ? (double) (c->demand - c->over) : 0;
}

/* above: the part of the parent's pool that is in use */
static void cell_move(struct cell_sums *c, int64_t dt, double above, bool waits,
		      bool is_queue)
{
	int64_t own = max64(0, min64(c->used, c->quota));
	double seconds = (double) dt / SPEC_SEC, pool = pool_of(c);
	double lends = (double) c->offer * above;
	double idle = (double) (c->quota - own) - lends;

	c->sum_nominal += (__int128) c->quota * dt;
	c->sum_own += (__int128) own * dt;
	c->sum_borrowed += (__int128) c->over * dt;
	c->sum_lent += lends * seconds;
	if (waits && idle > 0)
		c->sum_idle += idle * seconds;
	c->in_use = 0;
	if (is_queue || pool <= 0)
		return;
	c->in_use = (drawn_inside(c) + lends) / pool;
	c->sum_shared += (double) c->nominal * c->in_use * seconds;
}

/* What one queue has borrowed comes from the pools of the cohorts above it, from
 * each as much as its members take out of it; out of a pool it comes from each
 * lender in proportion to what that could lend. row, sums: of the tree, and so is
 * the number of the borrower. */
static void lenders_add(const struct rows *t, const struct cell_sums *row,
			size_t first, size_t n, size_t borrower, double seconds,
			double *sums)
{
	double drawn[ACCOUNT_NODES_MAX] = { 0 };	/* then: per unit of the pool */
	double amount = seconds * (double) row[borrower].over;

	for (int i = node_at(t, first + borrower)->parent;
	     i != SPEC_NONE && amount > 0; i = t->books->nodes[i].parent) {
		size_t k = rows_number(t, i) - first;

		if (row[k].demand <= 0)
			break;
		drawn[k] = amount * drawn_inside(&row[k]) / (double) row[k].demand;
		amount -= drawn[k];
	}
	for (size_t k = 0; k < n; k++) {
		const struct node *node = node_at(t, first + k);
		double pool = pool_of(&row[k]), gives = drawn[k];

		if (k)
			gives += drawn[rows_number(t, node->parent) - first]
				 * (double) row[k].offer;
		drawn[k] = !node->is_queue && pool > 0 ? gives / pool : 0;
		sums[k * n + borrower] += node->is_queue ? gives
			: drawn[k] * (double) row[k].nominal;
	}
}

void rows_advance(const struct rows *t, int root, int pair, int64_t at)
{
	size_t first = rows_number(t, root), n = rows_tree_size(t, root);
	struct cell_sums *row = rows_cell(t, root, pair);
	double *sums = rows_between(t, pair, root, root);
	int64_t dt = at - row->at;

	if (!row->at || dt <= 0)
		return;
	for (size_t k = 0; k < n; k++) {
		const struct node *node = node_at(t, first + k);

		cell_move(&row[k], dt, !k ? 0
			  : row[rows_number(t, node->parent) - first].in_use,
			  t->waits[first + k], node->is_queue);
		if (row[k].over <= 0)
			continue;
		row[k].borrowed_at = at;
		if (sums && node->is_queue)
			lenders_add(t, row, first, n, k, (double) dt / SPEC_SEC,
				    sums);
	}
	row->at = at;
}

void rows_free(struct rows *t)
{
	for (size_t i = 0; t->between && i < t->books->nnodes; i++)
		free(t->between[i]);
	free(t->between);
	free(t->waits);
	free(t->cells);
}

/* left: how many sums there may still be */
static int between_create(struct rows *t, int root, size_t *left)
{
	size_t n = rows_tree_size(t, root), npairs = t->books->npairs;
	double **sums = &t->between[rows_number(t, root)];

	if (n < 2 || n > ACCOUNT_NODES_MAX || npairs > *left
	    || n * n * npairs > *left)
		return 0;
	*left -= n * n * npairs;
	*sums = array_create(n * n * npairs, sizeof(**sums));
	return *sums ? 0 : -1;
}

int rows_create(struct rows *t, const struct books *b)
{
	size_t left = ACCOUNT_SUMS_MAX;
	int rc = 0;

	t->books = b;
	t->cells = array_create(b->nnodes * b->npairs, sizeof(*t->cells));
	t->waits = array_create(b->nnodes, sizeof(*t->waits));
	t->between = array_create(b->nnodes, sizeof(*t->between));
	if (!t->cells || !t->waits || !t->between)
		return -1;
	for (size_t i = 0; i < b->nnodes && !rc; i++) {
		if (b->nodes[i].root == (int) i)
			rc = between_create(t, (int) i, &left);
	}
	return rc;
}
