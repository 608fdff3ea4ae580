/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells.c - integrals over time, one cell for each cell of the books that was
 * ever in use
 */
#include <stdlib.h>

#include "account/cells.h"
#include "lib/array.h"

#define BLOCK 32			/* cells of one allocation */

/* ---- where cells stand ---- */

struct account_cell *cells_find(const struct account_cells *t, int node,
				int pair)
{
	const uint32_t *row = t->rows[node];
	size_t i;

	if (!row || !row[pair])
		return NULL;
	i = row[pair] - 1;
	return &t->blocks[i / BLOCK][i % BLOCK];
}

static int block_add(struct account_cells *t)
{
	struct account_cell **blocks = realloc(t->blocks, (t->nblocks + 1)
					       * sizeof(struct account_cell *));

	if (!blocks)
		return -1;
	t->blocks = blocks;
	blocks[t->nblocks] = calloc(BLOCK, sizeof(**blocks));
	if (!blocks[t->nblocks])
		return -1;
	t->nblocks++;
	return 0;
}

struct account_cell *cells_add(struct account_cells *t, int node, int pair)
{
	struct account_cell *c = cells_find(t, node, pair);

	if (c)
		return c;
	if (!t->rows[node])
		t->rows[node] = calloc(t->frame->npairs, sizeof(uint32_t));
	if (!t->rows[node]
	    || (t->ncells == t->nblocks * BLOCK && block_add(t) < 0))
		return NULL;
	t->rows[node][pair] = (uint32_t) ++t->ncells;
	return cells_find(t, node, pair);
}

/* ---- what a cell is that was never in use ---- */

static int64_t waited(const struct account_wait *w, int64_t at)
{
	return w->before + (w->waits ? max64(0, at - w->since) : 0);
}

/* Before the time began to count. Children lend what is not their own: that is
 * the quota of the subtree without the nominal one. */
static struct account_cell cell_fresh(const struct account_cells *t, int node,
				      int pair)
{
	const struct quota *q = frame_quota(t->frame, node, pair);
	const struct node *n = &t->frame->nodes[node];
	struct account_cell c = {
		.at = t->begun, .nominal = q->nominal, .quota = q->subtree,
		.offers = n->is_queue ? 0 : (__int128) q->subtree - q->nominal,
	};

	if (n->parent != SPEC_NONE)
		c.offer = max64(0, sat_sub(q->subtree, max64(0, q->local)));
	if (t->frame->earlier[node])
		c.sum_nominal = (__int128) t->frame->earlier[node][pair]
				* SPEC_SEC;
	return c;
}

const struct account_cell *cells_levels(const struct account_cells *t, int node,
					int pair, struct account_cell *room)
{
	const struct account_cell *c = cells_find(t, node, pair);

	if (c)
		return c;
	*room = cell_fresh(t, node, pair);
	return room;
}

/* ---- as time goes by ---- */

static double seconds(int64_t ns)
{
	return (double) ns / SPEC_SEC;
}

/* dt: ns for which the levels were so, and for so many of them a workload
 * waited; lent: seconds for which one unit of the parent's pool was in use
 * meanwhile */
static void cell_move(struct account_cell *c, int64_t dt, double lent,
		      int64_t wait, bool is_queue)
{
	int64_t own = max64(0, min64(c->used, c->quota));
	double pool = account_pool(c), lent_for = 0, idle;

	c->sum_nominal += (__int128) c->quota * dt;
	c->sum_own += (__int128) own * dt;
	c->sum_borrowed += (__int128) c->over * dt;
	if (c->over > 0)
		c->borrowed_at = c->at + dt;
	c->sum_lent += (double) c->offer * lent;
	idle = (double) (c->quota - own) * seconds(wait);
	if (wait)
		idle -= (double) c->offer * lent;
	if (idle > 0)
		c->sum_idle += idle;
	if (is_queue || pool <= 0)
		return;
	lent_for = (account_inside(c) * seconds(dt) + (double) c->offer * lent)
		   / pool;
	c->lent_for += lent_for;
	c->sum_shared += (double) c->nominal * lent_for;
}

void cell_settle(const struct account_cells *t, struct account_cell *c,
		 int node, double lent_for, int64_t at)
{
	if (!c->at)
		c->at = t->begun;
	if (c->at && at > c->at)
		cell_move(c, at - c->at, lent_for - c->seen,
			  t->waits[node].waits ? at - c->at : 0,
			  t->frame->nodes[node].is_queue);
	c->at = max64(c->at, at);
	c->seen = lent_for;
}

/* Nothing was lent of the pool when a wait began or ended: what is lent now was
 * lent since then. */
static void fresh_settle(const struct account_cells *t, struct account_cell *c,
			 int node, double lent_for, int64_t at)
{
	const struct account_wait *w = &t->waits[node];
	double idle = (double) c->quota * seconds(waited(w, at));

	if (c->at && at > c->at)
		cell_move(c, at - c->at, lent_for, 0,
			  t->frame->nodes[node].is_queue);
	if (w->waits)
		idle -= (double) c->offer * lent_for;
	c->sum_idle = idle > 0 ? idle : 0;
	c->at = max64(c->at, at);
	c->seen = lent_for;
}

struct account_cell cells_at(const struct account_cells *t, int node, int pair,
			     int64_t at)
{
	const struct account_cell *kept = cells_find(t, node, pair);
	double lent_for = cells_lent_for(t, t->frame->nodes[node].parent, pair,
					 at);
	struct account_cell c;

	if (kept) {
		c = *kept;
		cell_settle(t, &c, node, lent_for, at);
		return c;
	}
	c = cell_fresh(t, node, pair);
	fresh_settle(t, &c, node, lent_for, at);
	return c;
}

double cells_lent_for(const struct account_cells *t, int node, int pair,
		      int64_t at)
{
	return node == SPEC_NONE ? 0 : cells_at(t, node, pair, at).lent_for;
}

static int64_t whole_seconds(__int128 sum)
{
	sum /= SPEC_SEC;
	return sum < INT64_MAX ? (int64_t) sum : INT64_MAX;
}

struct account_sums cell_sums(const struct account_cell *c)
{
	return (struct account_sums) {
		.nominal = whole_seconds(c->sum_nominal),
		.own = whole_seconds(c->sum_own),
		.borrowed = whole_seconds(c->sum_borrowed),
		.lent = c->sum_lent,
		.shared = c->sum_shared,
		.idle = c->sum_idle,
	};
}

/* ---- life ---- */

int cells_create(struct account_cells *t, struct account_frame *frame)
{
	t->frame = frame;
	t->rows = array_create(frame->nnodes, sizeof(*t->rows));
	t->waits = array_create(frame->nnodes, sizeof(*t->waits));
	return t->rows && t->waits ? 0 : -1;
}

void cells_destroy(struct account_cells *t)
{
	for (size_t i = 0; t->rows && i < t->frame->nnodes; i++)
		free(t->rows[i]);
	for (size_t i = 0; i < t->nblocks; i++)
		free(t->blocks[i]);
	free(t->rows);
	free(t->blocks);
	free(t->waits);
	frame_leave(t->frame);
}
