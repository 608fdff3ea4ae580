/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.c - integrals over time of what the books say
 *
 * A row has the cells of one tree for one pair, parents before children. A cell
 * remembers what the books say, and the sums up to the time of its row. Before
 * anything in a row changes, the row is brought up to now, all at once.
 *
 * What the members of a cohort borrow comes out of its pool: the quota that is
 * set at the cohort itself, and what each member could lend. The part of it that is
 * in use is the same for all lenders. It may be in use by others above the cohort,
 * too: what the cohort could lend, times the part in use of the pool above.
 *
 * The times of rows never go back: ns of the engine plus `skew`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "account/waits.h"
#include "core/queue_state.h"
#include "lib/arena.h"
#include "lib/container.h"

/* A time that is so much earlier, ns, tells that the clock was set back. */
#define SET_BACK (60 * SPEC_SEC)
/* Two of them are one as well: what is saved can be restored. */
#define SUM_MAX 1e30

struct cell_sums {
	int64_t nominal;		/* set at the node itself */
	int64_t quota;			/* of its subtree */
	int64_t used;
	int64_t over;			/* borrowed from the parent's pool */
	int64_t offer;			/* could be lent to it */
	__int128 demand, offers;	/* of all children: over, offer */
	double in_use;			/* the part of its pool, at the last look */
	__int128 sum_nominal, sum_own, sum_borrowed;	/* base units * ns */
	double sum_lent, sum_shared, sum_idle;	/* base units * seconds */
	int64_t at;			/* of a root: that of the row; 0: no time was told yet */
};

struct rows {
	struct arena arena;		/* of all that is here */
	const struct books *books;	/* copies: the forest alone */
	struct cell_sums *cells;	/* [pair * nnodes + number] */
	bool *waits;			/* by number: does a workload wait? */
	double **between;	/* by number, of roots: [pair][lender] [borrower]; NULL: not kept */
};

struct account {
	struct books_watch watch;
	struct rows rows;
	int64_t now, skew;		/* of the rows */
	int64_t changed;
	size_t set_backs;
	size_t nused;			/* cells with anything in use */
	size_t nwaiting;		/* queues where one waits */
};

struct account_copy {
	struct rows rows;
	struct books forest;		/* nodes, their order, and pairs */
};

static size_t tree_size(const struct rows *t, int root)
{
	return (size_t) (t->books->nodes[root].last_below
			 - t->books->nodes[root].number) + 1;
}

static size_t number_of(const struct rows *t, int node)
{
	return (size_t) t->books->nodes[node].number;
}

static struct cell_sums *cell_of(const struct rows *t, int node, int pair)
{
	return &t->cells[(size_t) pair * t->books->nnodes + number_of(t, node)];
}

static const struct node *node_at(const struct rows *t, size_t number)
{
	return &t->books->nodes[t->books->order[number]];
}

/* What the borrower has had from the lender, nodes of one tree; NULL: not kept */
static double *between_of(const struct rows *t, int pair, int lender, int borrower)
{
	int root = t->books->nodes[lender].root;
	size_t first = number_of(t, root), n = tree_size(t, root);
	double *sums = t->between[first];

	return sums ? &sums[((size_t) pair * n + number_of(t, lender) - first) * n
			    + number_of(t, borrower) - first] : NULL;
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
static void cell_move(struct cell_sums *c, int64_t dt, double above, bool waits, bool is_queue)
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
		size_t k = number_of(t, i) - first;

		if (row[k].demand <= 0)
			break;
		drawn[k] = amount * drawn_inside(&row[k]) / (double) row[k].demand;
		amount -= drawn[k];
	}
	for (size_t k = 0; k < n; k++) {
		const struct node *node = node_at(t, first + k);
		double pool = pool_of(&row[k]), gives = drawn[k];

		if (k)
			gives += drawn[number_of(t, node->parent) - first]
				 * (double) row[k].offer;
		drawn[k] = !node->is_queue && pool > 0 ? gives / pool : 0;
		sums[k * n + borrower] += node->is_queue ? gives
			: drawn[k] * (double) row[k].nominal;
	}
}

/* Adds up the row until then, in the time of rows. */
static void rows_advance(const struct rows *t, int root, int pair, int64_t at)
{
	size_t first = number_of(t, root), n = tree_size(t, root);
	struct cell_sums *row = cell_of(t, root, pair);
	double *sums = between_of(t, pair, root, root);
	int64_t dt = at - row->at;

	if (!row->at || dt <= 0)
		return;
	for (size_t k = 0; k < n; k++) {
		const struct node *node = node_at(t, first + k);

		cell_move(&row[k], dt, !k ? 0
			  : row[number_of(t, node->parent) - first].in_use,
			  t->waits[first + k], node->is_queue);
		if (sums && node->is_queue && row[k].over > 0)
			lenders_add(t, row, first, n, k, (double) dt / SPEC_SEC,
				    sums);
	}
	row->at = at;
}

/* ---- what is told by the books, and by the layers above ---- */

/* Looks at the books anew. A root never borrows: what its members use above its
 * quota has no lender, and counts as if it came from above. */
static void cell_see(struct account *a, int node, int pair)
{
	const struct books *b = a->rows.books;
	const struct quota *q = books_quota(b, node, pair);
	int64_t used = books_usage(b, node, pair);
	int parent = b->nodes[node].parent;
	struct cell_sums *c = cell_of(&a->rows, node, pair), before = *c;

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
	cell_of(&a->rows, parent, pair)->demand += c->over - before.over;
	cell_of(&a->rows, parent, pair)->offers += c->offer - before.offer;
}

static void time_set(struct account *a, int64_t now)
{
	size_t n = a->rows.books->nnodes * a->rows.books->npairs;

	now += a->skew;
	if (now <= a->now)
		return;
	for (size_t i = 0; !a->now && i < n; i++)
		a->rows.cells[i].at = now;
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
	bool *known = a ? &a->rows.waits[number_of(&a->rows, q->node)] : NULL;

	waits = waits && !queue_held(q);
	if (!known || *known == waits)
		return;
	for (size_t p = 0; p < e->books->npairs; p++)
		rows_advance(&a->rows, e->books->nodes[q->node].root, (int) p,
			     a->now);
	a->changed = a->now;
	a->nwaiting += (size_t) waits - (size_t) *known;
	*known = waits;
}

/* What was summed up stays, and goes on from the new time. */
void account_advance(struct engine *e, int64_t now)
{
	struct account *a = e->account;

	if (a && a->now - a->skew - now <= SET_BACK) {
		time_set(a, now);
	} else if (a) {
		a->skew = a->now - now;
		a->changed = a->now;
		a->set_backs++;
	}
}

/* ---- life ---- */

/* left: how many sums there may still be */
static void between_create(struct rows *t, int root, size_t *left)
{
	size_t n = tree_size(t, root), npairs = t->books->npairs;

	if (n < 2 || n > ACCOUNT_NODES_MAX || npairs > *left
	    || n * n * npairs > *left)
		return;
	*left -= n * n * npairs;
	t->between[number_of(t, root)] = arena_alloc(&t->arena, n * n * npairs, sizeof(double));
}

/* -1: no memory; t->arena has what there is all the same */
static int rows_create(struct rows *t, const struct books *b)
{
	size_t left = ACCOUNT_SUMS_MAX;

	t->books = b;
	t->cells = arena_alloc(&t->arena, b->nnodes * b->npairs, sizeof(*t->cells));
	t->waits = arena_alloc(&t->arena, b->nnodes, sizeof(*t->waits));
	t->between = arena_alloc(&t->arena, b->nnodes, sizeof(*t->between));
	for (size_t i = 0; t->between && i < b->nnodes; i++) {
		if (b->nodes[i].root == (int) i)
			between_create(t, (int) i, &left);
	}
	return t->arena.failed ? -1 : 0;
}

int engine_keep_account(struct engine *e)
{
	struct account *a;

	if (e->account)
		return 0;
	a = calloc(1, sizeof(*a));
	if (a && rows_create(&a->rows, e->books) < 0) {
		arena_destroy(&a->rows.arena);
		free(a);
		a = NULL;
	}
	if (!a) {
		errno = ENOMEM;
		return -1;
	}
	e->account = a;
	a->watch = (struct books_watch) { changed, dated };
	time_set(a, e->now);
	for (size_t i = 0; i < e->books->nnodes * e->books->npairs; i++)
		cell_see(a, (int) (i / e->books->npairs), (int) (i % e->books->npairs));
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
	arena_destroy(&e->account->rows.arena);
	free(e->account);
	e->account = NULL;
}

/* ---- what callers ask and restore ---- */

int64_t engine_account_changed(const struct engine *e)
{
	const struct account *a = e->account;

	return a && a->changed ? a->changed - a->skew : 0;
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

int engine_restore_account(struct engine *e, bool is_cohort, int node,
			   int flavor, int resource,
			   const struct account_sums *s)
{
	struct cell_sums *c;
	int pair;

	if (!e->account || !books_find(e->books, is_cohort, &node, flavor,
				 resource, &pair)
	    || s->nominal < 0 || s->own < 0 || s->borrowed < 0
	    || !is_sum(s->lent) || !is_sum(s->shared) || !is_sum(s->idle)) {
		errno = EINVAL;
		return -1;
	}
	c = cell_of(&e->account->rows, node, pair);
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
	double *to = NULL;
	int pair;

	if (t && is_sum(sum)
	    && books_find(t->books, false, &queue, flavor, resource, &pair)
	    && books_find(t->books, is_cohort, &lender, flavor, resource, &pair)
	    && t->books->nodes[lender].root == t->books->nodes[queue].root)
		to = between_of(t, pair, lender, queue);
	if (!to) {
		errno = EINVAL;
		return -1;
	}
	*to += sum;
	return 0;
}

/* ---- copies ---- */

void account_copy_destroy(struct account_copy *copy)
{
	if (!copy)
		return;
	arena_destroy(&copy->rows.arena);
	free(copy);
}

static void *list_copy(struct rows *t, const void *list, size_t n, size_t size)
{
	void *copy = arena_alloc(&t->arena, n, size);

	return copy && n ? memcpy(copy, list, n * size) : copy;
}

static void forest_copy(struct account_copy *copy, const struct books *b)
{
	struct rows *t = &copy->rows;

	copy->forest = (struct books) {
		.nnodes = b->nnodes, .ncohorts = b->ncohorts,
		.npairs = b->npairs, .nflavors = b->nflavors,
		.nresources = b->nresources,
		.nodes = list_copy(t, b->nodes, b->nnodes, sizeof(*b->nodes)),
		.order = list_copy(t, b->order, b->nnodes, sizeof(*b->order)),
		.pairs = list_copy(t, b->pairs, b->npairs, sizeof(*b->pairs)),
		.pair_of = list_copy(t, b->pair_of, b->nflavors * b->nresources,
				     sizeof(*b->pair_of)),
	};
}

/* Both are of the same forest. */
static void sums_copy(struct rows *to, const struct rows *from)
{
	const struct books *b = from->books;

	memcpy(to->cells, from->cells, b->nnodes * b->npairs * sizeof(*to->cells));
	memcpy(to->waits, from->waits, b->nnodes * sizeof(*to->waits));
	for (size_t i = 0; i < b->nnodes; i++) {
		size_t n = tree_size(from, b->order[i]);

		if (to->between[i])
			memcpy(to->between[i], from->between[i],
			       n * n * b->npairs * sizeof(double));
	}
}

int engine_account_copy(const struct engine *e, int64_t at, struct account_copy **copy)
{
	struct account_copy *made = e->account ? calloc(1, sizeof(*made)) : NULL;

	account_copy_destroy(*copy);
	*copy = NULL;
	if (!made)
		return -1;
	forest_copy(made, e->books);
	if (made->rows.arena.failed || rows_create(&made->rows, &made->forest) < 0) {
		account_copy_destroy(made);
		return -1;
	}
	sums_copy(&made->rows, &e->account->rows);
	at += e->account->skew;
	for (size_t i = 0; i < e->books->nnodes; i++) {
		for (size_t p = 0; e->books->nodes[i].root == (int) i
				   && p < e->books->npairs; p++)
			rows_advance(&made->rows, (int) i, (int) p, at);
	}
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

	if (!books_find(&copy->forest, is_cohort, &node, flavor, resource, &pair))
		return false;
	c = cell_of(&copy->rows, node, pair);
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

/* Sums are there only where the queue has borrowed. */
static bool has_borrowed(const struct account_copy *copy, int node, size_t pair)
{
	return cell_of(&copy->rows, node, (int) pair)->sum_borrowed > 0;
}

bool account_copy_has_lenders(const struct account_copy *copy, int queue)
{
	const struct books *f = &copy->forest;
	int node = queue + (int) f->ncohorts;
	bool any = false;

	if (queue < 0 || (size_t) node >= f->nnodes
	    || !between_of(&copy->rows, 0, node, node))
		return false;
	for (size_t p = 0; p < f->npairs; p++)
		any |= has_borrowed(copy, node, p);
	return any;
}

static void pair_lenders(const struct account_copy *copy, int node, int pair,
			 account_lender_f f, void *arg)
{
	const struct books *b = &copy->forest;
	const struct node *top = &b->nodes[b->nodes[node].root];

	for (int i = top->number; i <= top->last_below; i++) {
		int lender = b->order[i];
		bool is_queue = b->nodes[lender].is_queue;
		double sum = *between_of(&copy->rows, pair, lender, node);

		if (sum > 0)
			f(arg, !is_queue, lender - is_queue * (int) b->ncohorts,
			  b->pairs[pair].flavor, b->pairs[pair].resource, sum);
	}
}

void account_copy_lenders(const struct account_copy *copy, int queue, account_lender_f f, void *arg)
{
	int node = queue + (int) copy->forest.ncohorts;

	if (!account_copy_has_lenders(copy, queue))
		return;
	for (size_t p = 0; p < copy->forest.npairs; p++) {
		if (has_borrowed(copy, node, p))
			pair_lenders(copy, node, (int) p, f, arg);
	}
}
