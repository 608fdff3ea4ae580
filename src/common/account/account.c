/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.c - integrals over time of what the books say
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "account/rows.h"
#include "account/waits.h"
#include "core/queue_state.h"
#include "lib/array.h"
#include "lib/container.h"

/* A time that is so much earlier, ns, tells that the clock was set back. */
#define SET_BACK (60 * SPEC_SEC)
/* Two of them are one as well: what is saved can be restored. */
#define SUM_MAX 1e30

struct account {
	struct books_watch watch;
	struct rows rows;
	int64_t now;
	int64_t changed;
	size_t set_backs;
	size_t nused;			/* cells with anything in use */
	size_t nwaiting;		/* queues where one waits */
};

struct account_copy {
	struct rows rows;
	struct books forest;		/* nodes, their order, and pairs */
};

/* ---- what is told by the books, and by the layers above ---- */

/* Looks at the books anew. A root never borrows: what its members use above its
 * quota has no lender, and counts as if it came from above. */
static void cell_see(struct account *a, int node, int pair)
{
	const struct books *b = a->rows.books;
	const struct quota *q = books_quota(b, node, pair);
	int parent = b->nodes[node].parent;
	int64_t used = books_usage(b, node, pair);
	struct cell_sums *c = rows_cell(&a->rows, node, pair), before = *c;

	rows_advance(&a->rows, b->nodes[node].root, pair, a->now);
	a->changed = a->now;
	a->nused += (size_t) (used > 0) - (size_t) (c->used > 0);
	c->nominal = q->nominal;
	c->quota = q->subtree;
	c->used = used;
	c->over = max64(0, books_over_nominal(b, node, pair, 0));
	if (parent == SPEC_NONE)
		return;
	c->offer = max64(0, sat_sub(q->subtree, max64(used, q->local)));
	rows_cell(&a->rows, parent, pair)->demand += c->over - before.over;
	rows_cell(&a->rows, parent, pair)->offers += c->offer - before.offer;
}

static void time_set(struct account *a, int64_t now)
{
	const struct rows *t = &a->rows;

	now += t->skew;
	if (now <= a->now)
		return;
	for (size_t i = 0; !a->now && i < t->books->nnodes * t->books->npairs; i++)
		t->cells[i].at = now;
	a->now = now;
}

static void changed(struct books_watch *watch, int node, int pair)
{
	cell_see(container_of(watch, struct account, watch), node, pair);
}

/* Not before the first time was told */
static void dated(struct books_watch *watch, int64_t at)
{
	struct account *a = container_of(watch, struct account, watch);

	if (a->now)
		time_set(a, at);
}

void account_waits(struct engine *e, const struct queue *q, bool waits)
{
	struct account *a = e->account;
	const struct books *b = e->books;
	bool *known;

	waits = waits && !queue_held(q);
	known = a ? &a->rows.waits[rows_number(&a->rows, q->node)] : NULL;
	if (!known || *known == waits)
		return;
	for (size_t p = 0; p < b->npairs; p++)
		rows_advance(&a->rows, b->nodes[q->node].root, (int) p, a->now);
	a->changed = a->now;
	a->nwaiting += (size_t) waits - (size_t) *known;
	*known = waits;
}

/* What was summed up stays, and goes on from the new time. */
void account_advance(struct engine *e, int64_t now)
{
	struct account *a = e->account;

	if (!a)
		return;
	if (a->now - a->rows.skew - now <= SET_BACK) {
		time_set(a, now);
		return;
	}
	a->rows.skew = a->now - now;
	a->changed = a->now;
	a->set_backs++;
}

void account_renew(struct engine *e)
{
	for (size_t n = 0; e->account && n < e->books->nnodes; n++) {
		for (size_t p = 0; p < e->books->npairs; p++)
			cell_see(e->account, (int) n, (int) p);
	}
}

/* ---- life ---- */

int engine_keep_account(struct engine *e)
{
	struct account *a;

	if (e->account)
		return 0;
	a = calloc(1, sizeof(*a));
	if (!a || rows_create(&a->rows, e->books) < 0) {
		if (a)
			rows_free(&a->rows);
		free(a);
		errno = ENOMEM;
		return -1;
	}
	e->account = a;
	a->watch = (struct books_watch) { changed, dated };
	time_set(a, e->now);
	account_renew(e);
	for (size_t i = 0; i < e->nqueues; i++)
		account_waits(e, &e->queues[i], e->queues[i].waiting.root);
	e->books->watch = &a->watch;
	return 0;
}

void account_end(struct engine *e)
{
	if (!e->account)
		return;
	e->books->watch = NULL;
	rows_free(&e->account->rows);
	free(e->account);
	e->account = NULL;
}

/* ---- what callers ask and restore ---- */

int64_t engine_account_changed(const struct engine *e)
{
	const struct account *a = e->account;

	return a && a->changed ? a->changed - a->rows.skew : 0;
}

size_t engine_account_set_backs(const struct engine *e)
{
	return e->account ? e->account->set_backs : 0;
}

bool engine_account_moves(const struct engine *e)
{
	return e->account && (e->account->nused || e->account->nwaiting);
}

static bool is_sum(double sum)
{
	return sum >= 0 && sum < SUM_MAX;
}

static int invalid(void)
{
	errno = EINVAL;
	return -1;
}

int engine_restore_account(struct engine *e, bool is_cohort, int node,
			   int flavor, int resource,
			   const struct account_sums *s)
{
	struct cell_sums *c;
	int pair;

	if (!e->account || !rows_find(&e->account->rows, is_cohort, &node, flavor,
				 resource, &pair)
	    || s->nominal < 0 || s->own < 0 || s->borrowed < 0
	    || !is_sum(s->lent) || !is_sum(s->shared) || !is_sum(s->idle))
		return invalid();
	c = rows_cell(&e->account->rows, node, pair);
	c->sum_nominal += (__int128) s->nominal * SPEC_SEC;
	c->sum_own += (__int128) s->own * SPEC_SEC;
	c->sum_borrowed += (__int128) s->borrowed * SPEC_SEC;
	c->sum_lent += s->lent;
	c->sum_shared += s->shared;
	c->sum_idle += s->idle;
	return 0;
}

int engine_restore_between(struct engine *e, bool is_cohort, int lender,
			   int queue, int flavor, int resource, double sum)
{
	const struct rows *t = e->account ? &e->account->rows : NULL;
	double *to;
	int pair;

	if (!t || !is_sum(sum)
	    || !rows_find(t, false, &queue, flavor, resource, &pair)
	    || !rows_find(t, is_cohort, &lender, flavor, resource, &pair)
	    || t->books->nodes[lender].root != t->books->nodes[queue].root)
		return invalid();
	to = rows_between(t, pair, lender, queue);
	if (!to)
		return invalid();
	*to += sum;
	return 0;
}

/* ---- copies ---- */

static void all_advance(const struct rows *t, int64_t at)
{
	for (size_t i = 0; i < t->books->nnodes; i++) {
		for (size_t p = 0; t->books->nodes[i].root == (int) i
				   && p < t->books->npairs; p++)
			rows_advance(t, (int) i, (int) p, at);
	}
}

void account_copy_destroy(struct account_copy *copy)
{
	if (!copy)
		return;
	rows_free(&copy->rows);
	free(copy->forest.nodes);
	free(copy->forest.order);
	free(copy->forest.pairs);
	free(copy->forest.pair_of);
	free(copy);
}

static void *list_copy(const void *list, size_t n, size_t size)
{
	void *copy = array_create(n, size);

	if (copy && n)
		memcpy(copy, list, n * size);
	return copy;
}

static int forest_copy(struct books *f, const struct books *b)
{
	*f = (struct books) {
		.nnodes = b->nnodes, .ncohorts = b->ncohorts,
		.npairs = b->npairs, .nflavors = b->nflavors,
		.nresources = b->nresources,
		.nodes = list_copy(b->nodes, b->nnodes, sizeof(*b->nodes)),
		.order = list_copy(b->order, b->nnodes, sizeof(*b->order)),
		.pairs = list_copy(b->pairs, b->npairs, sizeof(*b->pairs)),
		.pair_of = list_copy(b->pair_of, b->nflavors * b->nresources,
				     sizeof(*b->pair_of)),
	};
	return f->nodes && f->order && f->pairs && f->pair_of ? 0 : -1;
}

/* Both are of the same forest. */
static void sums_copy(struct rows *to, const struct rows *from)
{
	const struct books *b = from->books;

	memcpy(to->cells, from->cells, b->nnodes * b->npairs * sizeof(*to->cells));
	memcpy(to->waits, from->waits, b->nnodes * sizeof(*to->waits));
	for (size_t i = 0; i < b->nnodes; i++) {
		size_t n = to->between[i] ? rows_tree_size(from, b->order[i]) : 0;

		if (n)
			memcpy(to->between[i], from->between[i],
			       n * n * b->npairs * sizeof(double));
	}
	to->skew = from->skew;
}

int engine_account_copy(const struct engine *e, int64_t at,
			struct account_copy **copy)
{
	struct account_copy *made = e->account ? calloc(1, sizeof(*made)) : NULL;

	account_copy_destroy(*copy);
	*copy = NULL;
	if (!made)
		return -1;
	if (forest_copy(&made->forest, e->books) < 0
	    || rows_create(&made->rows, &made->forest) < 0) {
		account_copy_destroy(made);
		return -1;
	}
	sums_copy(&made->rows, &e->account->rows);
	all_advance(&made->rows, at + made->rows.skew);
	*copy = made;
	return 0;
}

static int64_t whole_seconds(__int128 sum)
{
	sum /= SPEC_SEC;
	return sum < INT64_MAX ? (int64_t) sum : INT64_MAX;
}

bool account_copy_sums(const struct account_copy *copy, bool is_cohort,
		       int node, int flavor, int resource,
		       struct account_sums *s)
{
	const struct cell_sums *c;
	int pair;

	if (!rows_find(&copy->rows, is_cohort, &node, flavor, resource, &pair))
		return false;
	c = rows_cell(&copy->rows, node, pair);
	*s = (struct account_sums) {
		.nominal = whole_seconds(c->sum_nominal),
		.own = whole_seconds(c->sum_own),
		.borrowed = whole_seconds(c->sum_borrowed),
		.lent = c->sum_lent,
		.shared = c->sum_shared,
		.idle = c->sum_idle,
	};
	return true;
}

/* The node of the queue, or SPEC_NONE if there is none */
static int queue_node(const struct account_copy *copy, int queue)
{
	const struct books *f = &copy->forest;

	return queue >= 0 && (size_t) queue < f->nnodes - f->ncohorts
	       ? queue + (int) f->ncohorts : SPEC_NONE;
}

/* Sums are there only where the queue has borrowed. */
static bool has_borrowed(const struct account_copy *copy, int node, size_t pair)
{
	return rows_cell(&copy->rows, node, (int) pair)->sum_borrowed > 0;
}

bool account_copy_has_lenders(const struct account_copy *copy, int queue)
{
	int node = queue_node(copy, queue);

	if (node == SPEC_NONE || !rows_between(&copy->rows, 0, node, node))
		return false;
	for (size_t p = 0; p < copy->forest.npairs; p++) {
		if (has_borrowed(copy, node, p))
			return true;
	}
	return false;
}

int64_t account_copy_borrowed_at(const struct account_copy *copy, int queue)
{
	int node = queue_node(copy, queue);
	int64_t at = 0;

	for (size_t p = 0; node != SPEC_NONE && p < copy->forest.npairs; p++) {
		const struct cell_sums *c = rows_cell(&copy->rows, node, (int) p);

		if (c->over > 0)
			return INT64_MAX;
		at = max64(at, c->borrowed_at);
	}
	return at ? at - copy->rows.skew : 0;
}

static void pair_lenders(const struct account_copy *copy, int node, int pair,
			 void (*f)(void *arg, bool is_cohort, int lender,
				   int flavor, int resource, double sum),
			 void *arg)
{
	const struct books *b = &copy->forest;
	const struct node *top = &b->nodes[b->nodes[node].root];

	for (int i = top->number; i <= top->last_below; i++) {
		int lender = b->order[i];
		bool is_cohort = !b->nodes[lender].is_queue;
		double sum = *rows_between(&copy->rows, pair, lender, node);

		if (sum > 0)
			f(arg, is_cohort,
			  lender - (is_cohort ? 0 : (int) b->ncohorts),
			  b->pairs[pair].flavor, b->pairs[pair].resource, sum);
	}
}

void account_copy_lenders(const struct account_copy *copy, int queue,
			  void (*f)(void *arg, bool is_cohort, int lender,
				    int flavor, int resource, double sum),
			  void *arg)
{
	if (!account_copy_has_lenders(copy, queue))
		return;
	for (size_t p = 0; p < copy->forest.npairs; p++) {
		int node = queue_node(copy, queue);

		if (has_borrowed(copy, node, p))
			pair_lenders(copy, node, (int) p, f, arg);
	}
}
