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
#include <string.h>

#include "clearing/space.h"

/* What it takes to make a node ready */
struct price {
	struct cost cost;	/* of all that go */
	size_t gain;		/* nodes that become ready; 0: it can't be */
	size_t nready;		/* as so many were ready already */
};

struct finder {
	const struct clearing *c;
	struct space s;
	bool *stays;		/* by item: in this try, for the rules, */
	size_t barred;		/* ... or to improve the best; nitems: none */
	struct price *prices;	/* by node; good while the node is not stale */
	int64_t *lacking;	/* by resource: what a node lacks still */
	int64_t *lacks;		/* ... or all nodes together */
	size_t *picked;		/* items that would make a node ready */
	size_t *trial;		/* the same, by place in s.on */
	bool *best;		/* the best set so far, by item */
	bool *start;		/* the one that is improved */
	size_t *order;		/* its items, the dearest first */
	struct cost cost;	/* of the best */
	bool found;
	bool refused;	/* not found: the best was refused, and others are looked for from there */
	size_t questions;
};

static bool is_over(const struct finder *f)
{
	return f->questions >= f->c->max_questions
	       || f->s.looks >= f->c->max_looks;
}

static enum clearing_answer judge(struct finder *f)
{
	f->questions++;
	return f->c->judge(f->s.gone, f->c->arg);
}

static bool may_take(const struct finder *f, size_t item)
{
	return !f->s.gone[item] && !f->stays[item] && item != f->barred;
}

/* ---- the cheapest way to make one node ready ---- */

static bool is_lacking(const struct finder *f)
{
	for (size_t r = 0; r < f->c->nresources; r++) {
		if (f->lacking[r] > 0)
			return true;
	}
	return false;
}

/* Does the node do without this one as well? */
static bool is_spare(struct finder *f, const int64_t *held)
{
	f->s.looks++;
	for (size_t r = 0; r < f->c->nresources; r++) {
		if (f->lacking[r] != INT64_MIN && f->lacking[r] + held[r] > 0)
			return false;
	}
	return true;
}

static void lacking_add(struct finder *f, const int64_t *held, int sign)
{
	f->s.looks++;
	for (size_t r = 0; r < f->c->nresources; r++) {
		if (f->lacking[r] != INT64_MIN && f->lacking[r] != INT64_MAX)
			f->lacking[r] += sign * held[r];
	}
}

/* Fills f->trial with the cheapest from a place in s.on on, until the node is
 * ready, without those that turn out not to be needed. 0: they are not enough. */
static size_t pick_from(struct finder *f, size_t node, size_t from)
{
	const struct space *s = &f->s;
	size_t n = 0;

	for (size_t r = 0; r < f->c->nresources; r++)
		f->lacking[r] = space_node_lacks(s, node, r);
	f->s.looks++;
	for (size_t i = from; i < s->first[node + 1] && is_lacking(f); i++) {
		if (!may_take(f, s->on[i]))
			continue;
		f->trial[n++] = i;
		lacking_add(f, s->held[i], -1);
	}
	if (!n || is_lacking(f))
		return 0;
	for (size_t i = n - 1; i-- > 0;) {
		if (!is_spare(f, s->held[f->trial[i]]))
			continue;
		lacking_add(f, s->held[f->trial[i]], 1);
		memmove(f->trial + i, f->trial + i + 1, (n - i - 1) * sizeof(*f->trial));
		n--;
	}
	return n;
}

/* So many tries for one node: where it has hundreds, each takes as many looks */
#define MAX_TRIES 8

/* Fills f->picked with those that would make the node ready, and their cost; returns how many. 0:
 * the node can't be made ready. A few cheap ones may cost more than one that is dearer: it is tried
 * without the first ones, too, as long as the next one alone is cheaper than the best. */
static size_t pick_for_node(struct finder *f, size_t node, struct cost *cost)
{
	const struct space *s = &f->s;
	size_t best = 0;
	int tries = 0;

	for (size_t i = s->first[node]; i < s->first[node + 1] && !is_over(f); i++) {
		struct cost trial = cost_of_item(&f->c->items[s->on[i]]);
		size_t n;

		f->s.looks++;
		if (!may_take(f, s->on[i]))
			continue;
		if (best && (tries == MAX_TRIES || cost_compare(&trial, cost) >= 0))
			break;
		tries++;
		n = pick_from(f, node, i);
		if (!n)
			break;
		i = f->trial[0];	/* without those before it is the same */
		trial = (struct cost) { .count = 0 };
		for (size_t k = 0; k < n; k++)
			cost_add(&trial, &f->c->items[s->on[f->trial[k]]], 1);
		if (best && cost_compare(&trial, cost) >= 0)
			continue;
		*cost = trial;
		best = n;
		for (size_t k = 0; k < n; k++)
			f->picked[k] = s->on[f->trial[k]];
	}
	return best;
}

/* ---- which node ---- */

/* The first n of f->picked go, or stay after all */
static void picked_move(struct finder *f, size_t n, bool go)
{
	for (size_t i = 0; i < n; i++)
		space_move(&f->s, f->picked[i], go);
}

/* How many nodes become ready when these go: on one node each, that one */
static size_t gain_of_picked(struct finder *f, size_t n)
{
	size_t before = f->s.nready, gain;
	bool wide = false;

	for (size_t i = 0; i < n; i++)
		wide |= f->c->items[f->picked[i]].nshares > 1;
	if (!wide)
		return 1;
	f->s.quiet = true;
	picked_move(f, n, true);
	gain = f->s.nready - before;
	picked_move(f, n, false);
	f->s.quiet = false;
	return gain ? gain : 1;
}

static void price_renew(struct finder *f, size_t node)
{
	struct price *price = &f->prices[node];
	size_t n = pick_for_node(f, node, &price->cost);

	price->gain = n ? gain_of_picked(f, n) : 0;
	price->nready = f->s.nready;
	f->s.stale[node] = false;
}

/* What is paid for each node that becomes ready thereby: is it less? */
static bool is_cheaper(const struct finder *f, size_t a, size_t b)
{
	const struct price *x = &f->prices[a], *y = &f->prices[b];
	size_t missing = f->c->min_nodes - f->s.nready;

	return cost_compare_each(&x->cost, x->gain < missing ? x->gain : missing,
				 &y->cost, y->gain < missing ? y->gain : missing)
	       < 0;
}

/* How many others become ready with it may have changed since its price was found. */
static bool is_stale(const struct finder *f, size_t node)
{
	const struct price *price = &f->prices[node];

	return f->s.stale[node]
	       || (price->gain > 1 && price->nready != f->s.nready);
}

/* The node that costs least to be made ready. nnodes: none can be. Only nodes where something has
 * changed are priced anew, and no more of them when half of the looks are gone and one is known. */
static size_t node_find(struct finder *f)
{
	size_t found = f->c->nnodes;

	for (size_t v = 0; v < f->c->nnodes && !is_over(f); v++) {
		if (f->s.ready[v] || f->s.shut[v])
			continue;
		if (is_stale(f, v)) {
			if (found < f->c->nnodes && f->s.looks > f->c->max_looks / 2)
				continue;
			price_renew(f, v);
		}
		if (f->prices[v].gain && (found == f->c->nnodes || is_cheaper(f, v, found)))
			found = v;
	}
	f->s.looks += f->c->nnodes / 4 + 1;
	return found;
}

/* ---- all that is missing ---- */

/* It stays in this try. */
static void item_keep(struct finder *f, size_t item)
{
	f->stays[item] = true;
	space_mark(&f->s, item);
}

/* These must not all go with the others: the first that is too much stays. */
static void picked_keep(struct finder *f, size_t n)
{
	size_t i = 0;

	for (; i + 1 < n && !is_over(f); i++) {
		space_move(&f->s, f->picked[i], true);
		if (judge(f) == CLEARING_FORBIDDEN) {
			space_move(&f->s, f->picked[i], false);
			break;
		}
	}
	picked_move(f, i, false);
	item_keep(f, f->picked[i]);
}

/* The node that costs least is made ready. False: none can be. */
static bool node_add(struct finder *f, bool careful)
{
	size_t node = node_find(f), n;
	struct cost cost;

	if (node == f->c->nnodes)
		return false;
	n = pick_for_node(f, node, &cost);
	picked_move(f, n, true);
	if (!n || !careful || judge(f) != CLEARING_FORBIDDEN)
		return n;
	picked_move(f, n, false);
	picked_keep(f, n);
	return true;
}

/* How much of what all nodes together lack would one bring? */
static double gain_of(struct finder *f, size_t item)
{
	const struct clearing_item *it = &f->c->items[item];
	double gain = 0;

	for (size_t r = 0; r < f->c->nresources; r++) {
		int64_t sum = 0;

		if (f->lacks[r] <= 0)
			continue;
		for (size_t k = 0; k < it->nshares; k++)
			sum += f->s.shut[it->shares[k].node]
			       ? 0 : it->shares[k].amounts[r];
		gain += (double) (sum > f->lacks[r] ? f->lacks[r] : sum)
			/ (double) f->lacks[r];
	}
	f->s.looks += it->nshares + 1;
	return gain;
}

/* The one that costs least for what it brings. nitems: nobody brings anything */
static size_t item_find(struct finder *f)
{
	struct cost best = { .count = 0 };
	size_t found = f->c->nitems;

	for (size_t i = 0; i < f->c->nitems && !is_over(f); i++) {
		const struct clearing_item *it = &f->c->items[i];
		double gain = may_take(f, i) ? gain_of(f, i) : 0;
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

/* By f->lacks. False: nobody brings anything. */
static bool item_add(struct finder *f, bool careful)
{
	size_t item = item_find(f);

	if (item == f->c->nitems)
		return false;
	space_move(&f->s, item, true);
	if (careful && judge(f) == CLEARING_FORBIDDEN) {
		space_move(&f->s, item, false);
		item_keep(f, item);
	}
	return true;
}

/* Nodes and totals. False: it can't be had. */
static bool room_make(struct finder *f, bool careful)
{
	while (!space_fits(&f->s)) {
		bool more;

		if (f->s.nready < f->c->min_nodes) {
			more = node_add(f, careful);
		} else {
			for (size_t r = 0; r < f->c->nresources; r++)
				f->lacks[r] = space_lacks(&f->s, r);
			more = item_add(f, careful);
		}
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
		space_move(&f->s, f->trial[i], false);
		if (!space_fits(&f->s) || (asks && judge(f) != CLEARING_ALLOWED))
			space_move(&f->s, f->trial[i], true);
	}
}

/* There is room on nodes; others go until there is quota, too: what all have together, so
 * that one unit of it is as good as of another */
static bool quota_make(struct finder *f)
{
	size_t n = f->s.first[f->c->nnodes];

	for (size_t r = 0; r < f->c->nresources; r++) {
		f->lacks[r] = 0;
		for (size_t i = 0; i < n; i++)
			f->lacks[r] += f->s.held[i][r];
	}
	f->s.looks += n;
	while (!is_over(f)) {
		enum clearing_answer answer = judge(f);

		if (answer == CLEARING_ALLOWED)
			needless_return(f, true);
		if (answer != CLEARING_TOO_FEW)
			return answer == CLEARING_ALLOWED;
		if (!item_add(f, true))
			return false;
	}
	return false;
}

static void best_set(struct finder *f, const struct cost *cost)
{
	f->cost = *cost;
	memcpy(f->best, f->s.gone, f->c->nitems * sizeof(*f->best));
}

/* What the try has found is kept, if it is better; or refused: others are looked for from
 * there, and each costs less. */
static void answer_keep(struct finder *f, enum clearing_answer answer)
{
	struct cost all = { .top = CLEARING_LEVELS - 1 };

	all.by_level[all.top] = 1e300;
	if (!f->s.cost.count)
		return;
	if (answer == CLEARING_REFUSED && !f->found && !f->refused) {
		f->refused = true;
		best_set(f, &all);
	}
	if (answer == CLEARING_ALLOWED && (!f->found || cost_compare(&f->s.cost, &f->cost) < 0)) {
		f->found = true;
		best_set(f, &f->s.cost);
	}
}

static enum clearing_answer try_once(struct finder *f, bool careful)
{
	enum clearing_answer answer;

	for (size_t i = 0; i < f->c->nitems; i++) {
		if (f->stays[i])
			space_mark(&f->s, i);
		f->stays[i] = false;
	}
	if (!room_make(f, careful))
		return CLEARING_ALLOWED;
	needless_return(f, false);
	if (f->found && cost_compare(&f->s.cost, &f->cost) >= 0)
		return CLEARING_ALLOWED;
	answer = judge(f);
	if (answer == CLEARING_TOO_FEW && quota_make(f))
		answer = CLEARING_ALLOWED;
	answer_keep(f, answer);
	return answer;
}

/* From those that are gone already to a set that will do. The rules are asked
 * about the whole; if they forbid that, at each step. */
static void try_from(struct finder *f, const bool *start)
{
	enum clearing_answer answer = CLEARING_FORBIDDEN;

	for (int careful = 0; careful < 2 && answer == CLEARING_FORBIDDEN; careful++) {
		space_return_all(&f->s);
		for (size_t i = 0; start && i < f->c->nitems; i++) {
			if (start[i] && i != f->barred)
				space_move(&f->s, i, true);
		}
		answer = try_once(f, careful);
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

/* With one more that stays, or a node that is left alone: from the rest, or anew */
static bool is_improved(struct finder *f)
{
	struct cost before = f->cost;

	try_from(f, f->start);
	if (cost_compare(&f->cost, &before) == 0)
		try_from(f, NULL);
	return cost_compare(&f->cost, &before) < 0;
}

static bool improve(struct finder *f)
{
	size_t n = gone_list(f, f->best, f->order);
	bool improved = false;

	memcpy(f->start, f->best, f->c->nitems * sizeof(*f->start));
	for (size_t i = 0; i < n && !improved && !is_over(f); i++) {
		f->barred = f->order[i];
		space_mark(&f->s, f->barred);
		improved = is_improved(f);
		space_mark(&f->s, f->barred);
		f->barred = f->c->nitems;
	}
	for (size_t v = 0; v < f->c->nnodes && !improved && !is_over(f); v++) {
		if (f->s.shut[v] || !is_cleared(f, v))
			continue;
		space_shut(&f->s, v, true);
		improved = is_improved(f);
		space_shut(&f->s, v, false);
	}
	return improved;
}

/* ---- all of it ---- */

static bool finder_alloc(struct finder *f)
{
	struct arena *arena = &f->s.arena;
	size_t n = f->c->nitems;

	f->barred = n;
	f->prices = arena_alloc(arena, f->c->nnodes, sizeof(*f->prices));
	f->lacking = arena_alloc(arena, f->c->nresources, sizeof(*f->lacking));
	f->lacks = arena_alloc(arena, f->c->nresources, sizeof(*f->lacks));
	f->stays = arena_alloc(arena, n, sizeof(*f->stays));
	f->picked = arena_alloc(arena, n, sizeof(*f->picked));
	f->trial = arena_alloc(arena, n, sizeof(*f->trial));
	f->best = arena_alloc(arena, n, sizeof(*f->best));
	f->start = arena_alloc(arena, n, sizeof(*f->start));
	f->order = arena_alloc(arena, n, sizeof(*f->order));
	return !arena->failed;
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

static void finder_run(struct finder *f)
{
	if (is_over(f))
		return;
	ready_shut(f);
	try_from(f, NULL);
	while ((f->found || f->refused) && !is_over(f) && improve(f))
		;
}

bool clearing_find(const struct clearing *c, bool *gone)
{
	struct finder f = { .c = c };
	size_t nshares = 0;

	errno = 0;
	for (size_t i = 0; i < c->nitems; i++)
		nshares += c->items[i].nshares;
	if (nshares > c->max_looks / 2)
		return false;
	if (finder_alloc(&f) && space_open(&f.s, c)) {
		finder_run(&f);
		if (f.found)
			memcpy(gone, f.best, c->nitems * sizeof(*gone));
		if (c->looks)
			*c->looks += f.s.looks;
		if (c->questions)
			*c->questions += f.questions;
	}
	arena_destroy(&f.s.arena);
	return f.found;
}
