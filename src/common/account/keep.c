/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keep.c - the account that an engine keeps, told of each change of the books
 */
#include <stdlib.h>

#include "account/between.h"
#include "account/keep.h"
#include "lib/container.h"

/* ---- cells that are kept ---- */

/* With those above it, so that lent_for need not be worked out again */
static void settle(struct account *a, int node, int pair)
{
	struct account_cell *c = cells_find(&a->cells, node, pair);
	int parent = a->cells.frame->nodes[node].parent;

	if (!a->now || (c && c->at >= a->now))
		return;
	if (parent != SPEC_NONE)
		settle(a, parent, pair);
	if (!c)
		return;
	cell_settle(&a->cells, c, node,
		    cells_lent_for(&a->cells, parent, pair, a->now), a->now);
}

static void stop(struct account *a)
{
	if (!a->stopped)
		a->stopped = max64(a->now, 1);
}

struct account_cell *account_keep_cell(struct account *a, int node, int pair)
{
	struct account_cell *c = cells_find(&a->cells, node, pair), fresh;

	if (a->stopped)
		return NULL;
	settle(a, node, pair);
	if (c)
		return c;
	fresh = cells_at(&a->cells, node, pair, a->now);
	c = cells_add(&a->cells, node, pair);
	if (!c) {
		stop(a);
		return NULL;
	}
	*c = fresh;
	return c;
}

/* ---- levels ---- */

/* A root never borrows: what its members use above its quota has no
 * lender, and counts as if it came from above. */
static void levels_take(struct account *a, struct account_cell *c, int node,
			int pair)
{
	const struct quota *now = books_quota(a->books, node, pair);
	int64_t usage = books_cell(a->books, node, pair)->usage;

	a->nused += (usage > 0) - (c->used > 0);
	c->nominal = now->nominal;
	c->quota = now->subtree;
	c->used = usage;
	c->over = max64(0, books_over_nominal(a->books, node, pair, 0));
	c->offer = 0;
	if (a->books->nodes[node].parent != SPEC_NONE)
		c->offer = max64(0, sat_sub(now->subtree,
					    max64(usage, now->local)));
}

/* What the cell above knows of all below it */
static void levels_pass_on(struct account *a, int parent, int pair,
			   int64_t over, int64_t offer)
{
	struct account_cell *above;

	if (parent == SPEC_NONE || (!over && !offer))
		return;
	above = account_keep_cell(a, parent, pair);
	if (!above)
		return;
	above->demand += over;
	above->offers += offer;
}

void account_see(struct account *a, int node, int pair)
{
	struct account_cell *c = account_keep_cell(a, node, pair);
	int64_t over, offer;

	if (!c)
		return;
	over = c->over;
	offer = c->offer;
	between_settle(a, a->books->nodes[node].root, pair, a->now);
	a->changed = a->now;
	levels_take(a, c, node, pair);
	levels_pass_on(a, a->books->nodes[node].parent, pair, c->over - over,
		       c->offer - offer);
}

/* ---- waits ---- */

/* May anything of the pool be lent by now? */
static bool is_lent(const struct account *a, int node, int pair)
{
	const struct node *nodes = a->cells.frame->nodes;

	for (int n = nodes[node].parent; n != SPEC_NONE; n = nodes[n].parent) {
		const struct account_cell *c = cells_find(&a->cells, n, pair);

		if (c && (c->lent_for > 0 || account_inside(c) > 0))
			return true;
	}
	return false;
}

static void row_settle(struct account *a, int node)
{
	for (size_t i = 0; i < a->cells.frame->npairs; i++) {
		int p = (int) i;

		if (cells_find(&a->cells, node, p))
			settle(a, node, p);
		else if (is_lent(a, node, p)
			 && frame_quota(a->cells.frame, node, p)->subtree)
			(void) account_keep_cell(a, node, p);
	}
}

void account_set_waits(struct account *a, int node, bool waits)
{
	struct account_wait *w = &a->cells.waits[node];

	if (w->waits == waits || a->stopped)
		return;
	row_settle(a, node);
	a->changed = a->now;
	a->nwaiting += (size_t) waits - (size_t) w->waits;
	if (w->waits)
		w->before += a->now - w->since;
	w->waits = waits;
	w->since = a->now;
}

/* ---- time ---- */

/* Those that waited already wait from then on. */
static void begin(struct account *a)
{
	a->cells.begun = a->now;
	for (size_t i = 0; i < a->cells.frame->nnodes; i++)
		a->cells.waits[i].since = a->now;
}

void account_set_now(struct account *a, int64_t now)
{
	now += a->cells.skew;
	if (a->stopped || now <= a->now)
		return;
	a->now = now;
	if (!a->cells.begun)
		begin(a);
}

void account_set_back(struct account *a, int64_t now)
{
	a->cells.skew = a->now - now;
	a->changed = a->now;
	a->set_backs++;
}

/* ---- what the books tell ---- */

static void changed(struct books_watch *watch, int node, int pair)
{
	account_see(container_of(watch, struct account, watch), node, pair);
}

/* Not before the first time was told */
static void dated(struct books_watch *watch, int64_t at)
{
	struct account *a = container_of(watch, struct account, watch);

	if (a->now)
		account_set_now(a, at);
}

/* ---- life ---- */

/* A cell is kept from the beginning if its quota changes with time. So is that
 * of a cohort if its quota is without bound: what its members lend does not
 * follow from it. */
static int cell_begin(struct account *a, int node, int pair)
{
	const struct quota *q = books_quota(a->books, node, pair);
	const struct node *nodes = a->books->nodes;
	struct account_cell *c, room;

	if (!q->dated && (nodes[node].is_queue || q->subtree < INT64_MAX))
		return 0;
	c = account_keep_cell(a, node, pair);
	if (!c)
		return -1;
	c->offers = 0;
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling)
		c->offers += cells_levels(&a->cells, k, pair, &room)->offer;
	return 0;
}

static int all_begin(struct account *a)
{
	for (size_t i = 0; i < a->books->nnodes; i++) {
		for (size_t p = 0; p < a->books->npairs; p++) {
			if (cell_begin(a, (int) i, (int) p) < 0)
				return -1;
		}
	}
	return 0;
}

static int parts_create(struct account *a)
{
	struct account_frame *frame = frame_create(a->books);

	if (!frame || cells_create(&a->cells, frame) < 0)
		return -1;
	a->between = between_create(frame);
	return a->between ? all_begin(a) : -1;
}

struct account *account_create(const struct books *b)
{
	struct account *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->watch = (struct books_watch) { changed, dated };
	a->books = b;
	if (parts_create(a) < 0) {
		account_destroy(a);
		return NULL;
	}
	return a;
}

void account_destroy(struct account *a)
{
	if (!a)
		return;
	if (a->cells.frame)
		between_destroy(a->cells.frame, a->between);
	cells_destroy(&a->cells);
	free(a);
}
