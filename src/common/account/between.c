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

#include "account/between.h"

/* Of one tree */
struct between {
	size_t n;			/* nodes of the tree; 0: not kept */
	int64_t *at;			/* by pair */
	double *sums;			/* [pair][lender][borrower], by number in
					 * the tree: base units * seconds */
};

double *between_sum(const struct account *a, int pair, int lender,
		    int borrower)
{
	const struct node *nodes = a->books->nodes;
	int root = nodes[lender].root;
	const struct between *tree = &a->between[root];
	size_t first = (size_t) nodes[root].number;

	if (!tree->n)
		return NULL;
	return &tree->sums[((size_t) pair * tree->n
			    + (size_t) nodes[lender].number - first) * tree->n
			   + (size_t) nodes[borrower].number - first];
}

struct loan {
	const struct account *a;
	int pair, borrower;
};

static void lend(const struct loan *loan, int lender, double amount)
{
	*between_sum(loan->a, loan->pair, lender, loan->borrower) += amount;
}

/* Out of the pool of the cohort; amount: base units * seconds */
static void pool_draw(const struct loan *loan, int cohort, double amount)
{
	const struct books *b = loan->a->books;
	const struct account_cell *c = account_cell(loan->a, cohort, loan->pair);
	double part, pool = account_pool(c);

	if (pool <= 0 || amount <= 0)
		return;
	part = amount / pool;
	lend(loan, cohort, part * (double) c->nominal);
	for (int k = b->nodes[cohort].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling) {
		double gives = part * (double) account_cell(loan->a, k,
							    loan->pair)->offer;

		if (gives > 0 && b->nodes[k].is_queue)
			lend(loan, k, gives);
		else if (gives > 0)
			pool_draw(loan, k, gives);
	}
}

static void queue_draw(const struct loan *loan, double time)
{
	const struct books *b = loan->a->books;
	double amount = time * (double) account_cell(loan->a, loan->borrower,
						     loan->pair)->over;

	for (int n = b->nodes[loan->borrower].parent;
	     n != SPEC_NONE && amount > 0; n = b->nodes[n].parent) {
		const struct account_cell *c = account_cell(loan->a, n,
							    loan->pair);
		double inside;

		if (c->demand <= 0)
			return;
		inside = amount * account_inside(c) / (double) c->demand;
		pool_draw(loan, n, inside);
		amount -= inside;
	}
}

static void below_draw(struct loan *loan, int node, double time)
{
	const struct node *nodes = loan->a->books->nodes;

	if (nodes[node].is_queue) {
		loan->borrower = node;
		queue_draw(loan, time);
	}
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling)
		below_draw(loan, k, time);
}

void between_settle(struct account *a, int root, int pair, int64_t at)
{
	struct between *tree = &a->between[root];
	struct loan loan = { .a = a, .pair = pair };
	int64_t since;

	if (!tree->n || at <= tree->at[pair])
		return;
	since = tree->at[pair];
	tree->at[pair] = at;
	if (since)
		below_draw(&loan, root, (double) (at - since) / SPEC_SEC);
}

void between_set_back(struct account *a)
{
	for (size_t i = 0; i < a->books->nnodes; i++) {
		for (size_t p = 0; a->between[i].n && p < a->books->npairs; p++) {
			if (a->between[i].at[p])
				a->between[i].at[p] = a->now;
		}
	}
}

/* ---- life ---- */

/* left: how many sums there may still be. Without memory nothing is kept of the
 * tree. */
static void tree_create(struct account *a, int root, size_t *left)
{
	const struct node *top = &a->books->nodes[root];
	size_t n = (size_t) (top->last_below - top->number) + 1;
	size_t npairs = a->books->npairs;
	struct between *tree = &a->between[root];

	if (n < 2 || n > ACCOUNT_NODES_MAX || npairs > *left
	    || n * n * npairs > *left)
		return;
	tree->at = calloc(npairs + 1, sizeof(*tree->at));
	tree->sums = calloc(n * n * npairs + 1, sizeof(*tree->sums));
	if (!tree->at || !tree->sums) {
		free(tree->at);
		free(tree->sums);
		*tree = (struct between) { .n = 0 };
		return;
	}
	tree->n = n;
	*left -= n * n * npairs;
}

int between_create(struct account *a)
{
	size_t left = ACCOUNT_SUMS_MAX;

	a->between = calloc(a->books->nnodes + 1, sizeof(*a->between));
	if (!a->between)
		return -1;
	for (size_t i = 0; i < a->books->nnodes; i++) {
		if (a->books->nodes[i].root == (int) i)
			tree_create(a, (int) i, &left);
	}
	return 0;
}

void between_destroy(struct account *a)
{
	for (size_t i = 0; a->between && i < a->books->nnodes; i++) {
		free(a->between[i].at);
		free(a->between[i].sums);
	}
	free(a->between);
}
