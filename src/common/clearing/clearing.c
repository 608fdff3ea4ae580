/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clearing.c - who goes so that nodes have room, with the least lost
 *
 * An exact answer takes too long where many may go. So nodes are made ready one
 * after the other, each time the one that costs least, and then everybody
 * returns that can. After that the answer is improved: one that goes has to
 * stay, or a node is left alone, and what is then missing is found anew.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clearing/clearing.h"
#include "clearing/pick.h"

static enum clearing_answer judge(struct finder *f)
{
	f->questions++;
	return f->c->judge(f->s.gone, f->c->arg);
}

/* It stays in this try. */
static void item_leave(struct finder *f, size_t item)
{
	f->left[item] = true;
	space_mark(&f->s, item);
}

/* ---- all that is missing ---- */

static void picked_return(struct finder *f, size_t n)
{
	while (n-- > 0)
		space_return(&f->s, f->picked[n]);
}

/* These must not all go with the others: the first that is too much stays. */
static void picked_leave(struct finder *f, size_t n)
{
	size_t i = 0;

	for (; i + 1 < n && !is_over(f); i++) {
		space_take(&f->s, f->picked[i]);
		if (judge(f) == CLEARING_FORBIDDEN) {
			picked_return(f, i + 1);
			item_leave(f, f->picked[i]);
			return;
		}
	}
	picked_return(f, i);
	item_leave(f, f->picked[i]);
}

/* The node that costs least is made ready. False: none can be. */
static bool node_add(struct finder *f, bool careful)
{
	size_t node = pick_node(f), n;
	struct cost cost;

	if (node == f->c->nnodes)
		return false;
	n = pick_for_node(f, node, &cost);
	for (size_t i = 0; i < n; i++)
		space_take(&f->s, f->picked[i]);
	if (!n || !careful || judge(f) != CLEARING_FORBIDDEN)
		return n;
	picked_return(f, n);
	picked_leave(f, n);
	return true;
}

/* How much of what all nodes together lack would one bring? */
static double gain_of(struct finder *f, size_t item, const int64_t *lacks)
{
	const struct clearing_item *it = &f->c->items[item];
	double gain = 0;

	for (size_t r = 0; r < f->c->nresources; r++) {
		int64_t sum = 0;

		for (size_t k = 0; lacks[r] > 0 && k < it->nshares; k++)
			sum += f->s.shut[it->shares[k].node]
			       ? 0 : it->shares[k].amounts[r];
		if (lacks[r] > 0)
			gain += (double) (sum > lacks[r] ? lacks[r] : sum)
				/ (double) lacks[r];
	}
	f->s.looks += it->nshares + 1;
	return gain;
}

/* The one that costs least for what it brings. nitems: nobody brings anything */
static size_t item_find(struct finder *f, const int64_t *lacks)
{
	struct cost best = { .count = 0 };
	size_t found = f->c->nitems;

	for (size_t i = 0; i < f->c->nitems && !is_over(f); i++) {
		const struct clearing_item *it = &f->c->items[i];
		double gain = pick_may_take(f, i) ? gain_of(f, i, lacks) : 0;
		struct cost cost = { .top = it->level };

		if (gain <= 0)
			continue;
		cost.by_level[it->level] = it->loss / gain;
		cost.ties[it->level] = it->tie / gain;
		if (found < f->c->nitems && cost_compare(&cost, &best) >= 0)
			continue;
		best = cost;
		found = i;
	}
	return found;
}

static bool item_add(struct finder *f, const int64_t *lacks, bool careful)
{
	size_t item = item_find(f, lacks);

	if (item == f->c->nitems)
		return false;
	space_take(&f->s, item);
	if (careful && judge(f) == CLEARING_FORBIDDEN) {
		space_return(&f->s, item);
		item_leave(f, item);
	}
	return true;
}

static bool total_add(struct finder *f, int64_t *lacks, bool careful)
{
	for (size_t r = 0; r < f->c->nresources; r++)
		lacks[r] = space_lacks(&f->s, r);
	return item_add(f, lacks, careful);
}

/* Nodes and totals. False: it can't be had. */
static bool room_make(struct finder *f, int64_t *lacks, bool careful)
{
	while (!space_fits(&f->s)) {
		bool more = f->s.nready < f->c->min_nodes
			    ? node_add(f, careful)
			    : total_add(f, lacks, careful);

		if (!more || is_over(f))
			return false;
	}
	return true;
}

/* ---- one try ---- */

/* The items that are gone, the dearest first; returns how many */
static size_t gone_list(struct finder *f, const bool *gone, size_t *list)
{
	size_t n = 0;

	for (size_t i = f->c->nitems; i-- > 0;) {
		if (gone[f->s.sorted[i]])
			list[n++] = f->s.sorted[i];
	}
	f->s.looks += f->c->nitems / 8;
	return n;
}

/* Whoever is not needed returns, the dearest first. `asks`: quota may need them */
static void needless_return(struct finder *f, bool asks)
{
	size_t n = gone_list(f, f->s.gone, f->trial);

	for (size_t i = 0; i < n && !is_over(f); i++) {
		space_return(&f->s, f->trial[i]);
		if (!space_fits(&f->s)
		    || (asks && judge(f) != CLEARING_ALLOWED))
			space_take(&f->s, f->trial[i]);
	}
}

/* What all have together, so that one unit of it is as good as of another */
static void all_held(struct finder *f, int64_t *sum)
{
	for (size_t r = 0; r < f->c->nresources; r++)
		sum[r] = 0;
	for (size_t i = 0; i < f->s.first[f->c->nnodes]; i++) {
		for (size_t r = 0; r < f->c->nresources; r++)
			sum[r] += f->s.held[i][r];
	}
	f->s.looks += f->s.first[f->c->nnodes];
}

/* There is room on nodes; others go until there is quota, too */
static bool quota_make(struct finder *f, int64_t *lacks)
{
	all_held(f, lacks);
	while (!is_over(f)) {
		enum clearing_answer answer = judge(f);

		if (answer == CLEARING_ALLOWED)
			needless_return(f, true);
		if (answer != CLEARING_TOO_FEW)
			return answer == CLEARING_ALLOWED;
		if (!item_add(f, lacks, true))
			return false;
	}
	return false;
}

static void best_keep(struct finder *f)
{
	if (!f->s.cost.count
	    || (f->found && cost_compare(&f->s.cost, &f->cost) >= 0))
		return;
	f->found = true;
	f->cost = f->s.cost;
	memcpy(f->best, f->s.gone, f->c->nitems * sizeof(*f->best));
}

/* Others are looked for from there, and each costs less. */
static void refused_keep(struct finder *f)
{
	if (f->found || f->refused || !f->s.cost.count)
		return;
	f->refused = true;
	f->cost = (struct cost) { .top = CLEARING_LEVELS - 1 };
	f->cost.by_level[CLEARING_LEVELS - 1] = 1e300;
	memcpy(f->best, f->s.gone, f->c->nitems * sizeof(*f->best));
}

static void try_once(struct finder *f, int64_t *lacks, bool careful,
		     enum clearing_answer *answer)
{
	*answer = CLEARING_ALLOWED;
	for (size_t i = 0; i < f->c->nitems; i++) {
		if (f->left[i])
			space_mark(&f->s, i);
		f->left[i] = false;
	}
	if (!room_make(f, lacks, careful))
		return;
	needless_return(f, false);
	if (f->found && cost_compare(&f->s.cost, &f->cost) >= 0)
		return;
	*answer = judge(f);
	if (*answer == CLEARING_ALLOWED
	    || (*answer == CLEARING_TOO_FEW && quota_make(f, lacks)))
		best_keep(f);
	if (*answer == CLEARING_REFUSED)
		refused_keep(f);
}

/* From those that are gone already to a set that will do. The rules are asked
 * about the whole; if they forbid that, at each step. */
static void try_from(struct finder *f, const bool *start, int64_t *lacks)
{
	enum clearing_answer answer = CLEARING_FORBIDDEN;

	for (int careful = 0; careful < 2 && answer == CLEARING_FORBIDDEN;
	     careful++) {
		space_return_all(&f->s);
		for (size_t i = 0; start && i < f->c->nitems; i++) {
			if (start[i] && !f->s.barred[i])
				space_take(&f->s, i);
		}
		try_once(f, lacks, careful, &answer);
	}
}

/* ---- better than that ---- */

/* Is the node one of those that the best set clears? */
static bool is_cleared(const struct finder *f, size_t node)
{
	for (size_t i = f->s.first[node]; i < f->s.first[node + 1]; i++) {
		if (f->best[f->s.on[i]])
			return true;
	}
	return false;
}

static bool improve_by_item(struct finder *f, size_t item, const bool *start,
			    int64_t *lacks)
{
	struct cost before = f->cost;

	space_bar(&f->s, item, true);
	try_from(f, start, lacks);
	if (cost_compare(&f->cost, &before) == 0)
		try_from(f, NULL, lacks);
	space_bar(&f->s, item, false);
	return cost_compare(&f->cost, &before) < 0;
}

static bool improve_by_node(struct finder *f, size_t node, const bool *start,
			    int64_t *lacks)
{
	struct cost before = f->cost;

	space_shut(&f->s, node, true);
	try_from(f, start, lacks);
	if (cost_compare(&f->cost, &before) == 0)
		try_from(f, NULL, lacks);
	space_shut(&f->s, node, false);
	return cost_compare(&f->cost, &before) < 0;
}

static bool improve(struct finder *f, bool *start, int64_t *lacks)
{
	size_t n = gone_list(f, f->best, f->order);

	memcpy(start, f->best, f->c->nitems * sizeof(*start));
	for (size_t i = 0; i < n && !is_over(f); i++) {
		if (improve_by_item(f, f->order[i], start, lacks))
			return true;
	}
	for (size_t v = 0; v < f->c->nnodes && !is_over(f); v++) {
		if (!f->s.shut[v] && is_cleared(f, v)
		    && improve_by_node(f, v, start, lacks))
			return true;
	}
	return false;
}

/* ---- all of it ---- */

static bool finder_alloc(struct finder *f, bool **start, int64_t **lacks)
{
	size_t n = f->c->nitems + 1;

	f->prices = calloc(f->c->nnodes + 1, sizeof(*f->prices));
	f->lacking = calloc(f->c->nresources + 1, sizeof(*f->lacking));
	f->left = calloc(n, sizeof(*f->left));
	f->picked = calloc(n, sizeof(*f->picked));
	f->trial = calloc(n, sizeof(*f->trial));
	f->best = calloc(n, sizeof(*f->best));
	f->order = calloc(n, sizeof(*f->order));
	*start = calloc(n, sizeof(**start));
	*lacks = calloc(f->c->nresources + 1, sizeof(**lacks));
	return f->prices && f->lacking && f->left && f->picked && f->trial && f->best
	       && f->order && *start && *lacks;
}

static void finder_free(struct finder *f, bool *start, int64_t *lacks)
{
	free(f->prices);
	free(f->lacking);
	free(f->left);
	free(f->picked);
	free(f->trial);
	free(f->best);
	free(f->order);
	free(start);
	free(lacks);
}

/* By the counts there is room already, but the caller asks: these nodes don't
 * do, or all that is missing is quota. */
static void ready_shut(struct finder *f)
{
	if (!space_fits(&f->s) || judge(f) == CLEARING_TOO_FEW)
		return;
	for (size_t v = 0; v < f->c->nnodes; v++) {
		if (f->s.ready[v])
			space_shut(&f->s, v, true);
	}
}

static void finder_run(struct finder *f, bool *start, int64_t *lacks)
{
	if (is_over(f))
		return;
	ready_shut(f);
	try_from(f, NULL, lacks);
	while ((f->found || f->refused) && !is_over(f)
	       && improve(f, start, lacks))
		;
}

bool clearing_find(const struct clearing *c, bool *gone)
{
	struct finder f = { .c = c };
	bool *start = NULL;
	int64_t *lacks = NULL;

	errno = 0;
	if (shares_count(c) > c->max_looks / 2)
		return false;
	errno = ENOMEM;
	if (finder_alloc(&f, &start, &lacks) && space_open(&f.s, c)) {
		errno = 0;
		finder_run(&f, start, lacks);
		if (f.found)
			memcpy(gone, f.best, c->nitems * sizeof(*gone));
		if (c->looks)
			*c->looks += f.s.looks;
		if (c->questions)
			*c->questions += f.questions;
		space_close(&f.s);
	}
	finder_free(&f, start, lacks);
	return f.found;
}

bool clearing_is_better(const struct clearing *c, const bool *a, const bool *b)
{
	struct cost x = { .count = 0 }, y = { .count = 0 };

	for (size_t i = 0; i < c->nitems; i++) {
		if (a[i])
			cost_add(&x, &c->items[i], 1);
		if (b[i])
			cost_add(&y, &c->items[i], 1);
	}
	return cost_compare(&x, &y) < 0;
}

/* What is lost by a set is at least what is lost by each of its items. */
size_t clearing_find_useful(const struct clearing *c, const bool *now, bool *useful)
{
	struct cost most = { .count = 0 };
	size_t found = 0;

	for (size_t i = 0; i < c->nitems; i++) {
		if (now[i])
			cost_add(&most, &c->items[i], 1);
	}
	for (size_t i = 0; i < c->nitems; i++) {
		struct cost alone = { .count = 0 };
		bool is_useful = c->items[i].leaving;

		if (!is_useful) {
			cost_add(&alone, &c->items[i], 1);
			is_useful = cost_compare(&alone, &most) < 0;
			found += is_useful;
		}
		if (useful)
			useful[i] = is_useful;
	}
	return found;
}
