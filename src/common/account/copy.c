/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copy.c - a copy of the account, to be read without the lock of the engine
 *
 * Sums grow with time, but that follows from what was copied. So a copy of a
 * cell is good until the books change there, or the clock is set back.
 */
#include <stdlib.h>

#include "account/between.h"
#include "account/keep.h"
#include "core/engine_state.h"

#define DATED_NEVER INT64_MIN

struct account_copy {
	struct account_cells cells;
	struct between *between;	/* as they were settled by the account */
	struct between *dated;		/* the same, brought up to some time;
					 * at is DATED_NEVER: not since it was
					 * copied */
	int64_t stopped;
};

/* ---- making ---- */

void account_copy_destroy(struct account_copy *copy)
{
	if (!copy)
		return;
	if (copy->cells.frame) {
		between_destroy(copy->cells.frame, copy->between);
		between_destroy(copy->cells.frame, copy->dated);
	}
	cells_destroy(&copy->cells);
	free(copy);
}

static struct account_copy *copy_create(const struct account *a)
{
	struct account_copy *copy = calloc(1, sizeof(*copy));
	struct account_frame *frame;

	if (!copy)
		return NULL;
	frame = frame_take(a->cells.frame);
	if (cells_create(&copy->cells, frame) == 0) {
		copy->between = between_create(frame);
		copy->dated = between_create(frame);
	}
	if (!copy->between || !copy->dated) {
		account_copy_destroy(copy);
		return NULL;
	}
	for (size_t i = 0; i < frame->nnodes; i++) {
		if (!a->between[i].n)
			between_drop(&copy->between[i]);
	}
	return copy;
}

static int cell_copy(const struct account *a, struct account_copy *copy,
		     int node, int pair)
{
	struct account_cell *from = cells_find(&a->cells, node, pair), *to;

	to = cells_add(&copy->cells, node, pair);
	if (!to)
		return -1;
	*to = *from;
	return 0;
}

static void wait_copy(const struct account *a, struct account_copy *copy,
		      int node)
{
	copy->cells.waits[node] = a->cells.waits[node];
}

/* Without memory the copy may lack a tree. */
static void tree_copy(const struct account *a, struct account_copy *copy,
		      int root, int pair)
{
	if (!copy->between[root].n)
		return;
	between_copy(&copy->between[root], &a->between[root], pair);
	if (copy->dated[root].n)
		copy->dated[root].at[pair] = DATED_NEVER;
}

static int node_copy(const struct account *a, struct account_copy *copy,
		     int node)
{
	int rc = 0;

	wait_copy(a, copy, node);
	for (size_t p = 0; p < a->cells.frame->npairs && !rc; p++) {
		if (a->cells.rows[node] && a->cells.rows[node][p])
			rc = cell_copy(a, copy, node, (int) p);
		if (a->between[node].n)
			tree_copy(a, copy, node, (int) p);
	}
	return rc;
}

static int all_copy(const struct account *a, struct account_copy *copy)
{
	int rc = 0;

	for (size_t i = 0; i < a->cells.frame->nnodes && !rc; i++)
		rc = node_copy(a, copy, (int) i);
	copy->cells.begun = a->cells.begun;
	copy->cells.skew = a->cells.skew;
	copy->stopped = a->stopped;
	return rc;
}

int engine_account_copy(struct engine *e, struct account_copy **copy)
{
	struct account *a = e->account;

	if (*copy && (!a || (*copy)->cells.frame != a->cells.frame)) {
		account_copy_destroy(*copy);
		*copy = NULL;
	}
	if (a && !*copy)
		*copy = copy_create(a);
	if (*copy && all_copy(a, *copy) < 0) {
		account_copy_destroy(*copy);
		*copy = NULL;
	}
	return *copy ? 0 : -1;
}

/* ---- reading ---- */

static int64_t copy_time(const struct account_copy *copy, int64_t at)
{
	at += copy->cells.skew;
	return copy->stopped ? min64(at, copy->stopped) : at;
}

bool account_copy_has(const struct account_copy *copy, bool is_cohort, int node,
		      int flavor, int resource)
{
	int pair;

	return frame_find(copy->cells.frame, is_cohort, &node, flavor, resource,
			  &pair);
}

bool account_copy_sums(const struct account_copy *copy, bool is_cohort,
		       int node, int flavor, int resource, int64_t at,
		       struct account_sums *s)
{
	struct account_cell c;
	int pair;

	if (!frame_find(copy->cells.frame, is_cohort, &node, flavor, resource,
			&pair))
		return false;
	c = cells_at(&copy->cells, node, pair, copy_time(copy, at));
	*s = cell_sums(&c);
	return true;
}

/* Sums are there only where the queue borrows or has borrowed. */
static bool has_borrowed(const struct account_copy *copy, int node, size_t pair)
{
	const struct account_cell *c = cells_find(&copy->cells, node,
						  (int) pair);

	return c && (c->over > 0 || c->sum_borrowed > 0);
}

static bool is_queue(const struct account_copy *copy, int queue)
{
	const struct account_frame *f = copy->cells.frame;

	return queue >= 0 && (size_t) queue < f->nnodes - f->ncohorts;
}

bool account_copy_has_lenders(const struct account_copy *copy, int queue)
{
	const struct account_frame *f = copy->cells.frame;
	int node = queue + (int) f->ncohorts;

	if (!is_queue(copy, queue) || !copy->between[f->nodes[node].root].n)
		return false;
	for (size_t p = 0; copy->cells.rows[node] && p < f->npairs; p++) {
		if (has_borrowed(copy, node, p))
			return true;
	}
	return false;
}

int64_t account_copy_borrowed_at(const struct account_copy *copy, int queue)
{
	const struct account_frame *f = copy->cells.frame;
	int64_t at = 0;

	for (size_t p = 0; is_queue(copy, queue) && p < f->npairs; p++) {
		const struct account_cell *c = cells_find(
			&copy->cells, queue + (int) f->ncohorts, (int) p);

		if (c && c->over > 0)
			return INT64_MAX;
		at = max64(at, c ? c->borrowed_at : 0);
	}
	return at ? at - copy->cells.skew : 0;
}

struct asking {
	const struct account_copy *copy;
	int borrower;
	void (*f)(void *arg, bool is_cohort, int lender, int flavor,
		  int resource, double sum);
	void *arg;
};

static void lenders_below(const struct asking *ask, int node, size_t pair)
{
	const struct account_frame *f = ask->copy->cells.frame;
	bool is_cohort = !f->nodes[node].is_queue;
	const double *sum = between_sum(f, ask->copy->dated, (int) pair, node,
					ask->borrower);

	if (*sum > 0)
		ask->f(ask->arg, is_cohort, is_cohort ? node
		       : node - (int) f->ncohorts, f->pairs[pair].flavor,
		       f->pairs[pair].resource, *sum);
	for (int k = f->nodes[node].first_child; k != SPEC_NONE;
	     k = f->nodes[k].next_sibling)
		lenders_below(ask, k, pair);
}

/* From what the account has settled each time: so a sum never becomes less by
 * rounding. */
static void pair_date(struct account_copy *copy, int root, size_t pair,
		      int64_t at)
{
	struct between *dated = &copy->dated[root];

	if (dated->at[pair] == at)
		return;
	between_copy(dated, &copy->between[root], (int) pair);
	between_advance(&copy->cells, copy->dated, root, (int) pair, at);
}

void account_copy_lenders(struct account_copy *copy, int queue, int64_t at,
			  void (*f)(void *arg, bool is_cohort, int lender,
				    int flavor, int resource, double sum),
			  void *arg)
{
	const struct account_frame *frame = copy->cells.frame;
	struct asking ask = { copy, queue + (int) frame->ncohorts, f, arg };
	int root;

	if (!account_copy_has_lenders(copy, queue))
		return;
	root = frame->nodes[ask.borrower].root;
	for (size_t p = 0; copy->dated[root].n && p < frame->npairs; p++) {
		if (!has_borrowed(copy, ask.borrower, p))
			continue;
		pair_date(copy, root, p, copy_time(copy, at));
		lenders_below(&ask, root, p);
	}
}
