/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.c - all that may be evicted for what is lent, in one row
 *
 * By how much the usage of each node above the preemptor falls is summed from the beginning
 * of the row. A binary tree over it knows the least of each part.
 */
#include "core/uses.h"
#include "candidates/allow.h"
#include "candidates/row.h"

#define ROWS 16				/* at most so many at a time */

/* Do all heads come to others in the same order, and before their own queues? */
static bool has_one_order(const struct search *s, const struct stream *own)
{
	const struct books *b = s->e->books;
	const struct tree *tree = s->q->tree;

	if (!s->e->fair_sharing)
		return s->by_fronts && s->hierarchy.top != SPEC_NONE
		       && s->others.top == SPEC_NONE;
	/* those on the way out do not come first of all */
	if (leaving_counts(s->e, tree))
		return false;
	/* in a flat cohort: by shares that do not depend on who asks */
	return s->is_ranked && b->nodes[tree->root].height == 1
	       && (!own || (!b->history && !b->nodes[s->q->node].borrowed));
}

bool row_suits(const struct search *s)
{
	const struct stream *own = stream_own(s);
	enum policy policy = s->q->spec.reclaim;

	if (!has_one_order(s, own) || s->e->reclaim_runtimes
	    || (policy != POLICY_ANY && policy != POLICY_LOWER_PRIORITY)
	    || (own && own->head.evicting))
		return false;
	for (size_t i = 0; i < s->ndemand; i++) {
		if (books_is_over_nominal(s->e->books, s->q->node,
					  s->demand[i].pair,
					  s->demand[i].amount))
			return false;
	}
	return true;
}

/* ---- a new one ---- */

/* What the nodes use now */
static void usage_read(const struct search *s, const struct row *row,
		       int64_t *usage)
{
	const struct books *b = s->e->books;

	for (int n = row->above; n != SPEC_NONE; n = b->nodes[n].parent) {
		for (size_t i = 0; i < row->of.nneed; i++)
			*usage++ = books_cell(b, n, row->of.need[i])->usage;
	}
}

static struct row *row_create(struct search *s)
{
	const struct node *nodes = s->e->books->nodes;
	struct arena *arena = &s->e->arena;
	struct row *row = arena_alloc(arena, 1, sizeof(*row));
	int above = nodes[s->q->node].parent;
	struct needed_pairs of;

	if (!row || !needed_pairs_keep(s, &of))
		return NULL;
	*row = (struct row) {
		.of = of, .above = above,
		.policy = s->q->spec.reclaim, .highest = s->hierarchy.highest,
		.width = s->nneed * (size_t) (nodes[above].depth + 1),
	};
	row->all = arena_alloc(arena, s->q->tree->nholdings,
			       sizeof(*row->all));
	row->usage = arena_alloc(arena, row->width, sizeof(*row->usage));
	if (!row->all || !row->usage)
		return NULL;
	usage_read(s, row, row->usage);
	return row;
}

/* Whether a member goes depends on the others, which may be the preemptor's own. */
static bool has_units(const struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		const struct holding *h = tree->queues[i]->holdings;

		for (; h; h = h->next) {
			if (h->unit)
				return true;
		}
	}
	return false;
}

struct row *row_get(struct search *s, bool *is_new)
{
	struct searches *all = s->e->searches;
	size_t cost = ROW_PRICE * s->q->tree->nholdings, n = 0;
	struct row *row = all->rows;

	*is_new = false;
	for (; row; row = row->next, n++) {
		if (row->above == s->e->books->nodes[s->q->node].parent
		    && row->policy == s->q->spec.reclaim
		    && row->highest == s->hierarchy.highest
		    && search_needs(s, &row->of))
			return row;
	}
	if (all->listed < cost || n == ROWS)
		return NULL;
	all->listed -= cost;
	row = row_create(s);
	if (!row)
		return NULL;
	row->next = all->rows;
	all->rows = row;
	*is_new = !has_units(s->q->tree);
	return row;
}

static int64_t lowers(const struct search *s, const struct row *row,
		      const struct holding *h, int node, size_t i)
{
	return books_is_below(s->e->books, h->q->node, node)
	       ? uses_of_pair(h->uses, h->nuses, row->of.need[i]) : 0;
}

/* Without it the nodes use so much less, whoever else stays: no quota is kept on the way
 * up, and nothing that is withheld takes its place. */
static bool lowers_all(const struct search *s, const struct row *row,
		       const struct holding *h)
{
	const struct books *b = s->e->books;
	int64_t *usage = row->usage;

	for (int n = row->above; n != SPEC_NONE; n = b->nodes[n].parent) {
		for (size_t i = 0; i < row->of.nneed; i++, usage++) {
			int64_t now = books_cell(b, n, row->of.need[i])->usage;

			if (now != *usage - lowers(s, row, h, n, i))
				return false;
			*usage = now;
		}
	}
	return true;
}

bool row_add(const struct search *s, struct row *row, struct holding *h)
{
	if (h->elastic || !lowers_all(s, row, h)) {
		row->n = 0;
		return false;
	}
	row->nleaving += h->evicting;
	row->all[row->n++] = h;
	return true;
}

/* ---- sums ---- */

static void sums_write(const struct search *s, const struct row *row,
		       size_t place)
{
	const struct books *b = s->e->books;
	size_t at = place * row->width, leaf = row->nleaves * row->width + at;

	for (int n = row->above; n != SPEC_NONE; n = b->nodes[n].parent) {
		for (size_t i = 0; i < row->of.nneed; i++, at++) {
			int64_t less = lowers(s, row, row->all[place], n, i);

			row->least[leaf++] = less;
			row->sums[at] = less + (place ? row->sums[at - row->width]
						      : 0);
		}
	}
}

static void least_sum(const struct row *row)
{
	for (size_t at = row->nleaves * row->width; at-- > row->width; ) {
		size_t part = at / row->width, i = at % row->width;
		const int64_t *halves = &row->least[2 * part * row->width];

		row->least[at] = min64(halves[i], halves[i + row->width]);
	}
}

/* All that are on the way out and use what is needed */
static size_t count_leaving(const struct search *s)
{
	const struct tree *tree = s->q->tree;
	size_t n = 0;

	for (size_t i = 0; tree->nevicting && i < tree->nqueues; i++) {
		const struct holding *h = tree->queues[i]->holdings;

		for (; h && h->evicting; h = h->next)
			n += !h->gone && holding_uses_need(s, h);
	}
	return n;
}

void row_end(const struct search *s, struct row *row)
{
	struct arena *arena = &s->e->arena;

	if (!row->n)
		return;
	for (row->nleaves = 1; row->nleaves < row->n; )
		row->nleaves *= 2;
	row->sums = arena_alloc(arena, row->n * row->width, sizeof(*row->sums));
	row->least = arena_alloc(arena, 2 * row->nleaves * row->width,
				 sizeof(*row->least));
	if (!row->sums || !row->least)
		return;
	for (size_t i = 0; i < row->n; i++)
		sums_write(s, row, i);
	for (size_t i = (row->nleaves + row->n) * row->width;
	     i < 2 * row->nleaves * row->width; i++)
		row->least[i] = INT64_MAX;
	least_sum(row);
	row->has_all_leaving = count_leaving(s) == row->nleaving;
	row->is_known = true;
}
