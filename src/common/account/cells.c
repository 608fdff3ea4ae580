/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells.c - integrals over time, one cell for each cell of the books
 */
#include <stdlib.h>

#include "account/between.h"
#include "account/cells.h"
#include "lib/array.h"
#include "lib/container.h"

/* ---- moving on ---- */

static double seconds(int64_t ns)
{
	return (double) ns / SPEC_SEC;
}

/* dt: ns for which the levels were so; lent: seconds for which one unit of the
 * parent's pool was in use meanwhile */
static void cell_move(struct account_cell *c, int64_t dt, double lent,
		      bool waits, bool is_queue)
{
	int64_t own = max64(0, min64(c->used, c->quota));
	double pool = account_pool(c), lent_for = 0, idle;

	c->sum_nominal += (__int128) c->quota * dt;
	c->sum_own += (__int128) own * dt;
	c->sum_borrowed += (__int128) c->over * dt;
	if (c->over > 0)
		c->borrowed_at = c->at + dt;
	c->sum_lent += (double) c->offer * lent;
	idle = (double) (c->quota - own) * seconds(dt) - (double) c->offer * lent;
	if (waits && idle > 0)
		c->sum_idle += idle;
	if (is_queue || pool <= 0)
		return;
	lent_for = (account_inside(c) * seconds(dt) + (double) c->offer * lent)
		   / pool;
	c->lent_for += lent_for;
	c->sum_shared += (double) c->nominal * lent_for;
}

/* above: the parent at the same time, or NULL */
static void cell_settle(const struct account *a, struct account_cell *c,
			int node, const struct account_cell *above, int64_t at)
{
	double lent_for = above ? above->lent_for : 0;

	if (c->at && at > c->at)
		cell_move(c, at - c->at, lent_for - c->seen, a->waits[node],
			  a->books->nodes[node].is_queue);
	c->at = max64(c->at, at);
	c->seen = lent_for;
}

struct account_cell account_cell_at(const struct account *a, int node, int pair,
				    int64_t at)
{
	struct account_cell c = *account_cell(a, node, pair), above;
	int parent = a->books->nodes[node].parent;

	if (parent != SPEC_NONE)
		above = account_cell_at(a, parent, pair, at);
	cell_settle(a, &c, node, parent != SPEC_NONE ? &above : NULL, at);
	return c;
}

static void settle(struct account *a, int node, int pair)
{
	struct account_cell *c = account_cell(a, node, pair), *above = NULL;
	int parent = a->books->nodes[node].parent;

	if (!a->now || c->at >= a->now)
		return;
	if (parent != SPEC_NONE) {
		settle(a, parent, pair);
		above = account_cell(a, parent, pair);
	}
	cell_settle(a, c, node, above, a->now);
}

/* ---- levels ---- */

/* A root never borrows: what its members use above its quota has no
 * lender, and counts as if it came from above. */
static void levels_take(struct account *a, struct account_cell *c, int node,
			int pair)
{
	const struct cell *now = books_cell(a->books, node, pair);

	a->nused += (now->usage > 0) - (c->used > 0);
	c->nominal = now->nominal;
	c->quota = now->subtree;
	c->used = now->usage;
	c->over = max64(0, books_over_nominal(a->books, node, pair, 0));
	c->offer = 0;
	if (a->books->nodes[node].parent != SPEC_NONE)
		c->offer = max64(0, sat_sub(now->subtree,
					    max64(now->usage, now->local)));
}

void account_see(struct account *a, int node, int pair)
{
	struct account_cell *c = account_cell(a, node, pair), *above;
	int parent = a->books->nodes[node].parent;
	int64_t over = c->over, offer = c->offer;

	settle(a, node, pair);
	between_settle(a, a->books->nodes[node].root, pair, a->now);
	a->changed = a->now;
	levels_take(a, c, node, pair);
	if (parent == SPEC_NONE)
		return;
	above = account_cell(a, parent, pair);
	above->demand += (__int128) c->over - over;
	above->offers += (__int128) c->offer - offer;
}

void account_set_waits(struct account *a, int node, bool waits)
{
	a->nwaiting += (size_t) waits - (size_t) a->waits[node];
	a->waits[node] = waits;
}

void account_set_back(struct account *a, int64_t now)
{
	size_t npairs = a->books->npairs;

	for (size_t i = 0; i < a->books->nnodes; i++) {
		for (size_t p = 0; p < npairs; p++) {
			settle(a, (int) i, (int) p);
			if (a->books->nodes[i].root == (int) i)
				between_settle(a, (int) i, (int) p, a->now);
		}
	}
	a->now = a->changed = now;
	a->set_backs++;
	for (size_t i = 0; i < a->books->nnodes * npairs; i++) {
		a->cells[i].at = a->cells[i].at ? now : 0;
		a->cells[i].borrowed_at = min64(a->cells[i].borrowed_at, now);
	}
	between_set_back(a);
}

/* ---- what the books tell ---- */

static void changed(struct books_watch *watch, int node, int pair)
{
	account_see(container_of(watch, struct account, watch), node, pair);
}

/* Only forward, and not before the first time was told */
static void dated(struct books_watch *watch, int64_t at)
{
	struct account *a = container_of(watch, struct account, watch);

	if (a->now && at > a->now)
		a->now = at;
}

/* ---- life ---- */

struct account *account_create(const struct books *b)
{
	struct account *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->watch = (struct books_watch) { changed, dated };
	a->books = b;
	a->cells = array_create(b->nnodes * b->npairs, sizeof(*a->cells));
	a->waits = array_create(b->nnodes, sizeof(*a->waits));
	if (!a->cells || !a->waits || between_create(a) < 0) {
		account_destroy(a);
		return NULL;
	}
	return a;
}

void account_destroy(struct account *a)
{
	if (!a)
		return;
	between_destroy(a);
	free(a->cells);
	free(a->waits);
	free(a);
}
