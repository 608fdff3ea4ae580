/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick.c - the cheapest way to make one node ready
 */
#include <string.h>

#include "clearing/pick.h"

bool pick_may_take(const struct finder *f, size_t item)
{
	return !f->s.gone[item] && !f->s.barred[item] && !f->left[item];
}

/* ---- what the node lacks while some go ---- */

static void lacking_set(struct finder *f, size_t node)
{
	for (size_t r = 0; r < f->c->nresources; r++)
		f->lacking[r] = space_node_lacks(&f->s, node, r);
	f->s.looks++;
}

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

/* ---- who goes ---- */

static struct cost cost_of(const struct finder *f, size_t n)
{
	struct cost cost = { .count = 0 };

	for (size_t i = 0; i < n; i++)
		cost_add(&cost, &f->c->items[f->s.on[f->trial[i]]], 1);
	return cost;
}

/* Fills f->trial with the cheapest from a place in s.on on, until the node is
 * ready, without those that turn out not to be needed. 0: they are not enough. */
static size_t pick_from(struct finder *f, size_t node, size_t from)
{
	const struct space *s = &f->s;
	size_t n = 0;

	lacking_set(f, node);
	for (size_t i = from; i < s->first[node + 1] && is_lacking(f); i++) {
		if (!pick_may_take(f, s->on[i]))
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
		memmove(f->trial + i, f->trial + i + 1,
			(n - i - 1) * sizeof(*f->trial));
		n--;
	}
	return n;
}

static bool costs_as_much(const struct finder *f, size_t item,
			  const struct cost *cost)
{
	struct cost alone = { .count = 0 };

	cost_add(&alone, &f->c->items[item], 1);
	return cost_compare(&alone, cost) >= 0;
}

/* So many tries for one node: where it has hundreds, each takes as many looks */
#define MAX_TRIES 8

/* A few cheap ones may cost more than one that is dearer: it is tried without
 * the first ones, too, as long as the next one alone is cheaper than the best. */
size_t pick_for_node(struct finder *f, size_t node, struct cost *cost)
{
	const struct space *s = &f->s;
	size_t best = 0;
	int tries = 0;

	for (size_t i = s->first[node]; i < s->first[node + 1] && !is_over(f);
	     i++) {
		struct cost trial;
		size_t n;

		f->s.looks++;
		if (!pick_may_take(f, s->on[i]))
			continue;
		if (best && (tries == MAX_TRIES
			     || costs_as_much(f, s->on[i], cost)))
			break;
		tries++;
		n = pick_from(f, node, i);
		if (!n)
			break;
		i = f->trial[0];	/* without those before it is the same */
		trial = cost_of(f, n);
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

/* How many nodes become ready when these go: on one node each, that one */
static size_t gain_of_picked(struct finder *f, size_t n)
{
	struct space *s = &f->s;
	size_t before = s->nready, gain;
	bool wide = false;

	for (size_t i = 0; i < n; i++)
		wide |= f->c->items[f->picked[i]].nshares > 1;
	if (!wide)
		return 1;
	s->quiet = true;
	for (size_t i = 0; i < n; i++)
		space_take(s, f->picked[i]);
	gain = s->nready - before;
	for (size_t i = n; i-- > 0;)
		space_return(s, f->picked[i]);
	s->quiet = false;
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

/* The node that costs least. nnodes: none can be made ready. Only nodes where
 * something has changed are priced anew, and no more of them when half of the
 * looks are gone and one is known. */
static size_t node_find(struct finder *f)
{
	size_t found = f->c->nnodes;

	for (size_t v = 0; v < f->c->nnodes && !is_over(f); v++) {
		if (f->s.ready[v] || f->s.shut[v])
			continue;
		if (f->s.stale[v]) {
			if (found < f->c->nnodes
			    && f->s.looks > f->c->max_looks / 2)
				continue;
			price_renew(f, v);
		}
		if (f->prices[v].gain
		    && (found == f->c->nnodes || is_cheaper(f, v, found)))
			found = v;
	}
	f->s.looks += f->c->nnodes / 4 + 1;
	return found;
}

/* How many others become ready may have changed since its price was found. */
size_t pick_node(struct finder *f)
{
	size_t found = node_find(f);

	while (!is_over(f) && found < f->c->nnodes && f->prices[found].gain > 1
	       && f->prices[found].nready != f->s.nready) {
		price_renew(f, found);
		found = node_find(f);
	}
	return found;
}
