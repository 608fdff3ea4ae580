/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * between.c - which queue lent to which
 *
 * What a queue borrows comes out of the pool of the cohort above it, and if the
 * cohort borrows itself, the same part of it from further up. Out of a pool it
 * comes from each lender in proportion to what that could lend. Times are full
 * seconds with the callers that there are, so a tree is gone through at most
 * once a second for each pair.
 */
#include <stdlib.h>
#include <string.h>

#include "account/between.h"
#include "lib/array.h"

double *between_sum(const struct account_frame *f, const struct between *trees,
		    int pair, int lender, int borrower)
{
	const struct node *nodes = f->nodes;
	int root = nodes[lender].root;
	const struct between *tree = &trees[root];
	size_t first = (size_t) nodes[root].number;

	if (!tree->n)
		return NULL;
	return &tree->sums[((size_t) pair * tree->n
			    + (size_t) nodes[lender].number - first) * tree->n
			   + (size_t) nodes[borrower].number - first];
}

struct loan {
	const struct account_cells *cells;
	struct between *trees;
	int pair, borrower;
};

static const struct node *nodes_of(const struct loan *loan)
{
	return loan->cells->frame->nodes;
}

static void lend(const struct loan *loan, int lender, double amount)
{
	*between_sum(loan->cells->frame, loan->trees, loan->pair, lender,
		     loan->borrower) += amount;
}

/* Out of the pool of the cohort; amount: base units * seconds */
static void pool_draw(const struct loan *loan, int cohort, double amount)
{
	const struct node *nodes = nodes_of(loan);
	struct account_cell room;
	const struct account_cell *c = cells_levels(loan->cells, cohort,
						    loan->pair, &room);
	double part, pool = account_pool(c);

	if (pool <= 0 || amount <= 0)
		return;
	part = amount / pool;
	lend(loan, cohort, part * (double) c->nominal);
	for (int k = nodes[cohort].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling) {
		double gives = part * (double) cells_levels(
			loan->cells, k, loan->pair, &room)->offer;

		if (gives > 0 && nodes[k].is_queue)
			lend(loan, k, gives);
		else if (gives > 0)
			pool_draw(loan, k, gives);
	}
}

static void queue_draw(const struct loan *loan, double time)
{
	const struct account_cell *own = cells_find(
		loan->cells, loan->borrower, loan->pair);
	double amount = own ? time * (double) own->over : 0;

	for (int n = nodes_of(loan)[loan->borrower].parent;
	     n != SPEC_NONE && amount > 0; n = nodes_of(loan)[n].parent) {
		const struct account_cell *c = cells_find(loan->cells, n,
							  loan->pair);
		double inside;

		if (!c || c->demand <= 0)
			return;
		inside = amount * account_inside(c) / (double) c->demand;
		pool_draw(loan, n, inside);
		amount -= inside;
	}
}

static void below_draw(struct loan *loan, int node, double time)
{
	const struct node *nodes = nodes_of(loan);

	if (nodes[node].is_queue) {
		loan->borrower = node;
		queue_draw(loan, time);
	}
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling)
		below_draw(loan, k, time);
}

void between_advance(const struct account_cells *t, struct between *trees,
		     int root, int pair, int64_t at)
{
	struct between *tree = &trees[root];
	struct loan loan = { .cells = t, .trees = trees, .pair = pair };
	int64_t since;

	if (!tree->n)
		return;
	since = tree->at[pair] ? tree->at[pair] : t->begun;
	if (!since || at <= since)
		return;
	tree->at[pair] = at;
	below_draw(&loan, root, (double) (at - since) / SPEC_SEC);
}

void between_settle(struct account *a, int root, int pair, int64_t at)
{
	between_advance(&a->cells, a->between, root, pair, at);
}

void between_copy(struct between *to, const struct between *from, int pair)
{
	size_t n = from->n * from->n, first = (size_t) pair * n;

	to->at[pair] = from->at[pair];
	memcpy(&to->sums[first], &from->sums[first], n * sizeof(*to->sums));
}

/* ---- life ---- */

void between_drop(struct between *tree)
{
	free(tree->at);
	free(tree->sums);
	*tree = (struct between) { .n = 0 };
}

/* left: how many sums there may still be. Without memory nothing is kept of the
 * tree. */
static void tree_create(const struct account_frame *f, struct between *trees,
			int root, size_t *left)
{
	const struct node *top = &f->nodes[root];
	size_t n = (size_t) (top->last_below - top->number) + 1;
	size_t npairs = f->npairs;
	struct between *tree = &trees[root];

	if (n < 2 || n > ACCOUNT_NODES_MAX || npairs > *left
	    || n * n * npairs > *left)
		return;
	tree->at = array_create(npairs, sizeof(*tree->at));
	tree->sums = array_create(n * n * npairs, sizeof(*tree->sums));
	if (!tree->at || !tree->sums) {
		between_drop(tree);
		return;
	}
	tree->n = n;
	*left -= n * n * npairs;
}

struct between *between_create(const struct account_frame *f)
{
	struct between *trees = array_create(f->nnodes, sizeof(*trees));
	size_t left = ACCOUNT_SUMS_MAX;

	for (size_t i = 0; trees && i < f->nnodes; i++) {
		if (f->nodes[i].root == (int) i)
			tree_create(f, trees, (int) i, &left);
	}
	return trees;
}

void between_destroy(const struct account_frame *f, struct between *trees)
{
	for (size_t i = 0; trees && i < f->nnodes; i++)
		between_drop(&trees[i]);
	free(trees);
}
