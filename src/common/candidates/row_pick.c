/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_pick.c - what a search takes of a row
 *
 * It takes a beginning of the row: the shortest that makes room in each node above the
 * preemptor, by the sums. Then it puts back what turned out not to be needed, the last one
 * first: the binary tree over the row leads to the next one of these.
 */
#include "holding/holding.h"
#include "candidates/row.h"

#define NONE SIZE_MAX

/* ---- how many it takes ---- */

/* How much the usage of a node has to fall, less than 0: may grow, for what the
 * preemptor's queue does not have itself. False: that is not all that counts. */
static bool lack_of(const struct books *b, int node, int pair, int64_t rest,
		    int64_t *lack)
{
	const struct cell *c = books_cell(b, node, pair);
	const struct quota *q = cell_quota(b, c);
	int64_t bound = q->subtree;

	*lack = INT64_MIN;
	if (b->nodes[node].parent != SPEC_NONE) {
		if (q->local)
			return false;
		if (q->borrowing_limit == SPEC_NO_LIMIT)
			return true;
		bound = sat_add(bound, q->borrowing_limit);
	}
	*lack = sat_sub(sat_add(c->usage, rest), bound);
	return c->usage < INT64_MAX && *lack < INT64_MAX;
}

/* By node and pair, in the order of a row's numbers */
static bool lacks_write(const struct search *s, const struct row *row,
			int64_t *lacks)
{
	const struct books *b = s->e->books;

	for (size_t i = 0; i < row->width; i++)
		lacks[i] = INT64_MIN;
	for (size_t k = 0; k < s->ndemand; k++) {
		const struct use *u = &s->demand[k];
		int64_t rest = u->amount, *at = lacks, lack;
		size_t i = 0;

		if (rest <= 0)
			continue;
		rest = sat_sub(rest, cell_idle_local(b, books_cell(b, s->q->node,
								   u->pair)));
		while (i < row->of.nneed && row->of.need[i] != u->pair)
			i++;
		for (int n = row->above; n != SPEC_NONE; n = b->nodes[n].parent) {
			if (!lack_of(b, n, u->pair, rest, &lack)
			    || (i == row->of.nneed && lack > 0))
				return false;
			if (i < row->of.nneed)
				at[i] = lack;
			at += row->of.nneed;
		}
	}
	return true;
}

/* How many it takes. NONE: the row is not enough */
static size_t count_taken(const struct row *row, const int64_t *lacks)
{
	size_t n = 1;

	for (size_t i = 0; i < row->width; i++) {
		size_t low = n, high = row->n + 1;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (row->sums[(middle - 1) * row->width + i] < lacks[i])
				low = middle + 1;
			else
				high = middle;
		}
		if (low > row->n)
			return NONE;
		n = low;
	}
	return n;
}

/* ---- what it puts back ---- */

/* No number of the part is above what there is to spare. */
static bool may_be_spared(const struct row *row, size_t part,
			  const int64_t *spare)
{
	const int64_t *least = &row->least[part * row->width];

	for (size_t i = 0; i < row->width; i++) {
		if (least[i] > spare[i])
			return false;
	}
	return true;
}

/* The last place of a part, and before the place `end`, that can be spared; the part begins
 * at a place and has so many. NONE: there is none */
static size_t last_spared(const struct row *row, const int64_t *spare,
			  size_t part, size_t begin, size_t count, size_t end)
{
	size_t found;

	if (begin >= end || !may_be_spared(row, part, spare))
		return NONE;
	if (count == 1)
		return begin;
	count /= 2;
	found = last_spared(row, spare, 2 * part + 1, begin + count, count, end);
	return found != NONE ? found
			     : last_spared(row, spare, 2 * part, begin, count,
					   end);
}

/* Those that are put back, and how many these are. list: NULL, or room for them */
static size_t back_list(const struct row *row, size_t n, const int64_t *lacks,
			int64_t *spare, size_t *list)
{
	size_t count = 0, end = n - 1;

	for (size_t i = 0; i < row->width; i++)
		spare[i] = sat_sub(row->sums[(n - 1) * row->width + i],
				   lacks[i]);
	while ((end = last_spared(row, spare, 1, 0, row->nleaves, end)) != NONE) {
		const int64_t *less = &row->least[(row->nleaves + end)
						  * row->width];

		for (size_t i = 0; i < row->width; i++)
			spare[i] -= spare[i] < INT64_MAX ? less[i] : 0;
		if (list)
			list[count] = end;
		count++;
	}
	return count;
}

/* Others that leave anyway make none of these needless: see leaving.h. */
static bool none_leaves_instead(const struct search *s,
				const struct row_pick *pick)
{
	const struct tree *tree = s->q->tree;
	const struct row *row = pick->row;

	if (!leaving_counts(s->e, tree) || pick->n <= row->nleaving)
		return true;
	return row->has_all_leaving
	       && (!pick->nback
		   || pick->back[pick->nback - 1] >= row->nleaving);
}

/* ---- all of it ---- */

bool row_find(struct search *s, const struct row *row)
{
	struct row_pick *pick;
	int64_t *lacks, *spare;
	size_t *back;

	if (!row->is_known)
		return false;
	pick = arena_alloc(&s->e->arena, 1, sizeof(*pick));
	lacks = arena_alloc(&s->e->arena, 2 * row->width, sizeof(*lacks));
	if (!pick || !lacks || !lacks_write(s, row, lacks))
		return false;
	spare = lacks + row->width;
	pick->row = row;
	pick->n = count_taken(row, lacks);
	if (pick->n == NONE)
		return false;
	pick->nback = back_list(row, pick->n, lacks, spare, NULL);
	back = arena_alloc(&s->e->arena, pick->nback, sizeof(*back));
	if (!back)
		return false;
	(void) back_list(row, pick->n, lacks, spare, back);
	pick->back = back;
	if (!none_leaves_instead(s, pick))
		return false;
	s->pick = pick;
	return true;
}

/* The next place from `place` on that is not put back; *nback is how many of those are
 * still ahead */
static size_t next_place(const struct row_pick *pick, size_t place,
			 size_t *nback)
{
	while (*nback && pick->back[*nback - 1] == place) {
		place++;
		(*nback)--;
	}
	return place;
}

bool row_pick_is_taken(const struct row_pick *pick)
{
	size_t nback = pick->nback, i = next_place(pick, 0, &nback);

	for (; i < pick->n; i = next_place(pick, i + 1, &nback)) {
		if (pick->row->all[i]->taken)
			return true;
	}
	return false;
}

void row_pick_list(const struct row_pick *pick, struct holding **list)
{
	size_t nback = pick->nback, i = next_place(pick, 0, &nback);

	for (; i < pick->n; i = next_place(pick, i + 1, &nback))
		*list++ = pick->row->all[i];
}
