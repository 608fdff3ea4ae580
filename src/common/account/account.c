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
#include <stdlib.h>

#include "account.h"
#include "core/engine_state.h"
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
	int64_t at;			/* of a root: that of the row; 0: no time was
					 * told yet. Of others: that of the beginning */
};

struct account {
	struct arena arena;		/* of all arrays */
	struct books_watch watch;
	const struct books *books;
	struct cell_sums *cells;	/* [pair * nnodes + number] */
	bool *waits;			/* by number: does a workload wait? */
	double **between;	/* by number, of roots: [pair][lender][borrower]; NULL: not kept */
	int64_t now, skew;		/* of the rows */
	size_t set_backs;
};

static size_t tree_size(const struct account *a, int root)
{
	return (size_t) (a->books->nodes[root].last_below - a->books->nodes[root].number) + 1;
}

static size_t number_of(const struct account *a, int node)
{
	return (size_t) a->books->nodes[node].number;
}

static struct cell_sums *cell_of(const struct account *a, int node, int pair)
{
	return &a->cells[(size_t) pair * a->books->nnodes + number_of(a, node)];
}

static const struct node *node_at(const struct account *a, size_t number)
{
	return &a->books->nodes[a->books->order[number]];
}

/* What the borrower has had from the lender, nodes of one tree; NULL: not kept */
static double *between_of(const struct account *a, int pair, int lender, int borrower)
{
	int root = a->books->nodes[lender].root;
	size_t first = number_of(a, root), n = tree_size(a, root);
	double *sums = a->between[first];

	return sums ? &sums[((size_t) pair * n + number_of(a, lender) - first) * n
			    + number_of(a, borrower) - first] : NULL;
}

/* What a cohort has to lend, itself and those below it */
static double pool_of(const struct cell_sums *c)
{
	return (double) (c->nominal + c->offers);
}

/* Of what its members borrow, how much comes out of its own pool; the rest comes from above. */
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

/* What one queue has borrowed comes from the pools of the cohorts above it, from each as much as
 * its members take out of it; out of a pool it comes from each lender in proportion to what that
 * could lend. row, sums: of the tree, and so is the number of the borrower. */
static void lenders_add(const struct account *a, const struct cell_sums *row,
			size_t first, size_t n, size_t borrower, double seconds, double *sums)
{
	double drawn[ACCOUNT_NODES_MAX] = { 0 };	/* then: per unit of the pool */
	double amount = seconds * (double) row[borrower].over;

	for (int i = node_at(a, first + borrower)->parent;
	     i != SPEC_NONE && amount > 0; i = a->books->nodes[i].parent) {
		size_t k = number_of(a, i) - first;

		if (row[k].demand <= 0)
			break;
		drawn[k] = amount * drawn_inside(&row[k]) / (double) row[k].demand;
		amount -= drawn[k];
	}
	for (size_t k = 0; k < n; k++) {
		const struct node *node = node_at(a, first + k);
		double pool = pool_of(&row[k]), gives = drawn[k];

		if (k)
			gives += drawn[number_of(a, node->parent) - first]
				 * (double) row[k].offer;
		drawn[k] = !node->is_queue && pool > 0 ? gives / pool : 0;
		sums[k * n + borrower] += node->is_queue ? gives
			: drawn[k] * (double) row[k].nominal;
	}
}

/* Adds up the row until then, in the time of rows. */
static void rows_advance(const struct account *a, int root, int pair, int64_t at)
{
	size_t first = number_of(a, root), n = tree_size(a, root);
	struct cell_sums *row = cell_of(a, root, pair);
	double *sums = between_of(a, pair, root, root);
	int64_t dt = at - row->at;

	if (!row->at || dt <= 0)
		return;
	for (size_t k = 0; k < n; k++) {
		const struct node *node = node_at(a, first + k);

		cell_move(&row[k], dt, !k ? 0
			  : row[number_of(a, node->parent) - first].in_use,
			  a->waits[first + k], node->is_queue);
		if (sums && node->is_queue && row[k].over > 0)
			lenders_add(a, row, first, n, k, (double) dt / SPEC_SEC, sums);
	}
	row->at = at;
}

/* ---- what is told by the books, and by the layers above ---- */

/* Looks at the books anew. A root never borrows: what its members use above its
 * quota has no lender, and counts as if it came from above. */
static void cell_see(struct account *a, int node, int pair)
{
	const struct books *b = a->books;
	const struct quota *q = books_quota(b, node, pair);
	int64_t used = books_usage(b, node, pair);
	int parent = b->nodes[node].parent;
	struct cell_sums *c = cell_of(a, node, pair), before = *c;

	rows_advance(a, b->nodes[node].root, pair, a->now);
	c->nominal = q->nominal;
	c->quota = q->subtree;
	c->used = used;
	c->over = max64(0, books_over_nominal(b, node, pair, 0));
	if (parent == SPEC_NONE)
		return;
	c->offer = max64(0, sat_sub(q->subtree, max64(used, q->local)));
	cell_of(a, parent, pair)->demand += c->over - before.over;
	cell_of(a, parent, pair)->offers += c->offer - before.offer;
}

static void time_set(struct account *a, int64_t now)
{
	size_t n = a->books->nnodes * a->books->npairs;

	now += a->skew;
	if (now <= a->now)
		return;
	for (size_t i = 0; !a->now && i < n; i++)
		a->cells[i].at = now;
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
	bool *known = a ? &a->waits[number_of(a, q->node)] : NULL;

	waits = waits && !queue_held(q);
	if (!known || *known == waits)
		return;
	for (size_t p = 0; p < e->books->npairs; p++)
		rows_advance(a, e->books->nodes[q->node].root, (int) p, a->now);
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
		a->set_backs++;
	}
}

/* ---- life ---- */

/* left: how many sums there may still be */
static void between_create(struct account *a, int root, size_t *left)
{
	size_t n = tree_size(a, root), npairs = a->books->npairs;

	if (n < 2 || n > ACCOUNT_NODES_MAX || npairs > *left || n * n * npairs > *left)
		return;
	*left -= n * n * npairs;
	a->between[number_of(a, root)] = arena_alloc(&a->arena, n * n * npairs, sizeof(double));
}

/* -1: no memory; a->arena has what there is all the same */
static int rows_create(struct account *a, const struct books *b)
{
	size_t left = ACCOUNT_SUMS_MAX;

	a->books = b;
	a->cells = arena_alloc(&a->arena, b->nnodes * b->npairs, sizeof(*a->cells));
	a->waits = arena_alloc(&a->arena, b->nnodes, sizeof(*a->waits));
	a->between = arena_alloc(&a->arena, b->nnodes, sizeof(*a->between));
	for (size_t i = 0; a->between && i < b->nnodes; i++) {
		if (b->nodes[i].root == (int) i)
			between_create(a, (int) i, &left);
	}
	return a->arena.failed ? -1 : 0;
}

int engine_keep_account(struct engine *e)
{
	struct account *a;

	if (e->account)
		return 0;
	a = calloc(1, sizeof(*a));
	if (a && rows_create(a, e->books) < 0) {
		arena_destroy(&a->arena);
		free(a);
		a = NULL;
	}
	if (!a)
		return failed(ENOMEM);
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
	arena_destroy(&e->account->arena);
	free(e->account);
	e->account = NULL;
}

/* ---- rows ---- */

bool engine_account_moves(const struct engine *e)
{
	const struct account *a = e->account;
	bool moves = false;

	for (size_t i = 0; a && i < a->books->nnodes * a->books->npairs; i++)
		moves |= a->cells[i].used > 0;
	for (size_t i = 0; a && i < a->books->nnodes; i++)
		moves |= a->waits[i];
	return moves;
}

static int64_t whole_seconds(__int128 sum)
{
	sum /= SPEC_SEC;
	return sum < INT64_MAX ? (int64_t) sum : INT64_MAX;
}

static struct account_row row_of(const struct account *a, int node, int pair)
{
	const struct cell_sums *c = cell_of(a, node, pair);
	bool is_cohort = !a->books->nodes[node].is_queue;

	return (struct account_row) {
		.is_cohort = is_cohort,
		.node = is_cohort ? node : node - (int) a->books->ncohorts,
		.borrower = SPEC_NONE,
		.flavor = a->books->pairs[pair].flavor,
		.resource = a->books->pairs[pair].resource,
		.sums = {
			.nominal = whole_seconds(c->sum_nominal),
			.own = whole_seconds(c->sum_own),
			.borrowed = whole_seconds(c->sum_borrowed),
			.lent = c->sum_lent, .shared = c->sum_shared, .idle = c->sum_idle,
		},
	};
}

/* Puts the rows of a node and pair behind the first n. NULL: they are only counted */
static size_t rows_put(const struct account *a, int node, int pair, struct account_row *rows,
		       size_t n)
{
	const struct node *top = &a->books->nodes[a->books->nodes[node].root];
	struct account_row row = row_of(a, node, pair);

	if (rows)
		rows[n] = row;
	n++;
	if (!between_of(a, pair, node, node))
		return n;
	for (int i = top->number; i <= top->last_below; i++) {
		int borrower = a->books->order[i];
		double sum = *between_of(a, pair, node, borrower);

		if (sum <= 0)
			continue;
		row.borrower = borrower - (int) a->books->ncohorts;
		row.sums = (struct account_sums) { .lent = sum };
		if (rows)
			rows[n] = row;
		n++;
	}
	return n;
}

static size_t rows_put_all(const struct account *a, struct account_row *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < a->books->nnodes; i++) {
		for (size_t p = 0; p < a->books->npairs; p++)
			n = rows_put(a, (int) i, (int) p, rows, n);
	}
	return n;
}

/* Brings all rows to that time, or to that of the latest one. Returns it. */
static int64_t all_advance(const struct account *a, int64_t at)
{
	const struct books *b = a->books;

	for (size_t i = 0; i < b->nnodes * b->npairs; i++)
		at = max64(at, a->cells[i].at);
	for (size_t i = 0; i < b->nnodes; i++) {
		for (size_t p = 0; b->nodes[i].root == (int) i && p < b->npairs; p++)
			rows_advance(a, (int) i, (int) p, at);
	}
	return at;
}

struct account_table *engine_account(struct engine *e, int64_t at)
{
	struct account *a = e->account;
	struct account_table *table;

	if (!a)
		return NULL;
	at = all_advance(a, at + a->skew) - a->skew;
	table = malloc(sizeof(*table) + rows_put_all(a, NULL) * sizeof(*table->rows));
	if (table)
		*table = (struct account_table) {
			.at = at, .set_backs = a->set_backs, .n = rows_put_all(a, table->rows),
		};
	return table;
}

/* ---- what was before ---- */

static bool is_sum(double sum)
{
	return sum >= 0 && sum < SUM_MAX;
}

static bool are_sums(const struct account_sums *s)
{
	return s->nominal >= 0 && s->own >= 0 && s->borrowed >= 0
	       && is_sum(s->lent) && is_sum(s->shared) && is_sum(s->idle);
}

static void cell_add(struct cell_sums *c, const struct account_sums *s)
{
	c->sum_nominal += (__int128) s->nominal * SPEC_SEC;
	c->sum_own += (__int128) s->own * SPEC_SEC;
	c->sum_borrowed += (__int128) s->borrowed * SPEC_SEC;
	c->sum_lent += s->lent;
	c->sum_shared += s->shared;
	c->sum_idle += s->idle;
}

/* NULL: there is no such sum. The borrower is a queue of the spec. */
static double *between_find(const struct account *a, int pair, int lender, int borrower)
{
	const struct books *b = a->books;

	if (borrower < 0 || (size_t) borrower >= b->nnodes - b->ncohorts)
		return NULL;
	borrower += (int) b->ncohorts;
	return b->nodes[lender].root == b->nodes[borrower].root
	       ? between_of(a, pair, lender, borrower) : NULL;
}

int engine_restore_account(struct engine *e, const struct account_row *row)
{
	const struct account *a = e->account;
	int node = row->node, pair;
	double *sum;

	if (a && are_sums(&row->sums)
	    && books_find(a->books, row->is_cohort, &node, row->flavor, row->resource, &pair)) {
		if (row->borrower == SPEC_NONE) {
			cell_add(cell_of(a, node, pair), &row->sums);
			return 0;
		}
		sum = between_find(a, pair, node, row->borrower);
		if (sum) {
			*sum += row->sums.lent;
			return 0;
		}
	}
	return failed(EINVAL);
}
