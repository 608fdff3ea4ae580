/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavor.c - the flavor that a resource group gets
 *
 * Flavors are tried in order. How far a queue looks, and whether it rather
 * borrows or preempts, is its flavorFungibility.
 */
#include "cycle/flavor.h"
#include "state/trial.h"
#include "victims/find.h"

/* What comes of a flavor for a resource, or for a whole group */
struct judgement {
	enum suit suit;
	int borrow;
};

static int64_t amount_assigned(const struct draft *d, int pair)
{
	for (size_t i = 0; i < d->public.nusage; i++) {
		if (d->uses[i].pair == pair)
			return d->uses[i].amount;
	}
	return 0;
}

static bool may_preempt_while_borrowing(const struct scan *s)
{
	const struct spec_queue *spec = &s->ask->q->spec;

	return (spec->borrow_set && spec->borrow != POLICY_NEVER)
	       || (s->e->fair_sharing && spec->reclaim != POLICY_NEVER);
}

/* What comes of evicting somebody for this resource alone */
static struct judgement simulate(struct scan *s, const struct use *use)
{
	const struct ask *ask = s->ask;
	struct books *b = s->e->books;
	struct judgement v = { .suit = SUIT_RECLAIM };
	struct search search = {
		.e = s->e, .q = ask->q, .w = ask->w, .now = ask->now,
		.demand = use, .ndemand = 1, .need = &use->pair, .nneed = 1,
	};
	const struct target *targets;
	size_t n, mark;
	bool ignored;

	if (ask->oracle) {
		ask->oracle->ask(ask->oracle->arg, b->pairs[use->pair].flavor,
				 b->pairs[use->pair].resource, use->amount,
				 &v.suit, &v.borrow);
		return v;
	}
	n = targets_find(&search, &targets);
	if (!n)
		v.suit = SUIT_NO_CANDIDATES;
	mark = trial_begin(s->e);
	for (size_t i = 0; i < n; i++) {
		target_remove(s->e, targets[i].h);
		if (targets[i].h->q == ask->q)
			v.suit = SUIT_PREEMPT;
	}
	v.borrow = books_borrow_level(b, ask->q->node, use->pair, use->amount,
				      &ignored);
	trial_end(s->e, mark);
	return v;
}

static struct judgement fit(struct scan *s, int flavor,
				    const struct want *want)
{
	struct books *b = s->e->books;
	int node = s->ask->q->node;
	struct use use = { .pair = books_pair(b, flavor, want->resource) };
	struct judgement v = { .suit = SUIT_NOFIT };
	const struct cell *c = books_cell(b, node, use.pair);
	bool may_reclaim;

	use.amount = sat_add(want_amount(s, want, flavor),
			     amount_assigned(s->d, use.pair));
	if (use.amount > c->potential)
		return v;
	v.borrow = books_borrow_level(b, node, use.pair, use.amount,
				      &may_reclaim);
	if (books_fit(b, node, &use, 1))
		v.suit = SUIT_FIT;
	else if (c->nominal >= use.amount || may_reclaim
		 || may_preempt_while_borrowing(s))
		v = simulate(s, &use);
	return v;
}

static bool preferred(enum preference preference, struct judgement a,
		      struct judgement b)
{
	if (a.suit == SUIT_NOFIT || b.suit == SUIT_NOFIT)
		return a.suit != SUIT_NOFIT;
	if ((a.suit == SUIT_NO_CANDIDATES) != (b.suit == SUIT_NO_CANDIDATES))
		return b.suit == SUIT_NO_CANDIDATES;
	if (preference == PREFER_PREEMPTION && a.borrow != b.borrow)
		return a.borrow < b.borrow;
	if (a.suit != b.suit)
		return a.suit > b.suit;
	return a.borrow < b.borrow;
}

static bool try_next(const struct spec_queue *spec, struct judgement v)
{
	if (v.suit == SUIT_NOFIT || v.suit == SUIT_NO_CANDIDATES)
		return true;
	if (v.suit != SUIT_FIT
	    && spec->when_can_preempt == FUNGIBILITY_TRY_NEXT)
		return true;
	return v.borrow > 0 && spec->when_can_borrow == FUNGIBILITY_TRY_NEXT;
}

static bool group_covers(const struct spec_group *group, int resource)
{
	for (size_t i = 0; i < group->nresources; i++) {
		if (group->resources[i] == resource)
			return true;
	}
	return false;
}

/* A flavor that the assignment to be repeated chose for this group */
static bool flavor_was_chosen(const struct scan *s,
			      const struct spec_group *group, int flavor)
{
	const struct assignment *like = &s->ask->like->public;

	for (size_t i = 0; i < like->npodsets; i++) {
		const struct assigned_podset *ps = &like->podsets[i];

		for (size_t r = 0; r < ps->nresources
		     && ps->index == s->members[0]; r++) {
			if (ps->resources[r].flavor == flavor
			    && group_covers(group, ps->resources[r].resource))
				return true;
		}
	}
	return false;
}

static bool flavor_eligible(const struct scan *s,
			    const struct spec_group *group, int flavor)
{
	if (s->ask->flavor_ok && !s->ask->flavor_ok[flavor])
		return false;
	for (size_t i = 0; i < s->nmembers; i++) {
		if (scan_podset(s, s->members[i])->ineligible[flavor])
			return false;
	}
	return !s->ask->like || flavor_was_chosen(s, group, flavor);
}

static void wants_mark(struct scan *s, const struct spec_group *group)
{
	for (size_t i = 0; i < s->nwants; i++)
		s->wants[i].scanned = group_covers(group,
						   s->wants[i].resource);
}

/* The worst of what the resources of the group get */
static struct judgement flavor_judge(struct scan *s, int flavor)
{
	enum preference preference = s->ask->q->spec.preference;
	struct judgement worst = { .suit = SUIT_FIT };
	bool first = true;

	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];
		struct judgement v;

		if (!want->scanned)
			continue;
		v = fit(s, flavor, want);
		want->suit = v.suit;
		want->borrow = v.borrow;
		if (first || preferred(preference, worst, v))
			worst = v;
		first = false;
		if (v.suit == SUIT_NOFIT)
			break;
	}
	return worst;
}

static enum mode mode_of(enum suit suit)
{
	if (suit == SUIT_FIT)
		return MODE_FIT;
	return suit == SUIT_NOFIT ? MODE_NOFIT : MODE_PREEMPT;
}

static void flavor_remember(struct scan *s, int flavor)
{
	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];

		if (!want->scanned)
			continue;
		want->assigned = true;
		want->best.resource = want->resource;
		want->best.flavor = flavor;
		want->best.mode = mode_of(want->suit);
		want->best.borrow = want->borrow;
	}
}

static void tried_set(struct scan *s, int tried)
{
	for (size_t i = 0; i < s->nwants; i++) {
		if (s->wants[i].scanned)
			s->wants[i].best.tried = tried;
	}
}

/* The k-th flavor to try: those to be avoided come last. Returns its index in
 * the list of the group. */
static size_t flavor_nth(const struct spec_group *group, const bool *avoid,
			 size_t k)
{
	for (int late = 0; avoid && late < 2; late++) {
		for (size_t i = 0; i < group->nflavors; i++) {
			if (avoid[group->flavors[i]] == late && !k--)
				return i;
		}
	}
	return k;
}

bool group_scan(struct scan *s, int index)
{
	const struct spec_queue *spec = &s->ask->q->spec;
	const struct spec_group *group = &spec->groups[index];
	struct judgement best = { .suit = SUIT_NOFIT };
	int tried = -1;

	wants_mark(s, group);
	for (size_t k = 0; k < group->nflavors; k++) {
		size_t i = flavor_nth(group, s->ask->w->avoid, k);
		int flavor = group->flavors[i];
		struct judgement v;
		bool stop;

		if (!flavor_eligible(s, group, flavor))
			continue;
		v = flavor_judge(s, flavor);
		stop = !try_next(spec, v);
		if (stop || preferred(spec->preference, v, best)) {
			flavor_remember(s, flavor);
			best = v;
		}
		if (stop) {
			if (k + 1 < group->nflavors)
				tried = i;
			break;
		}
	}
	tried_set(s, tried);
	return best.suit != SUIT_NOFIT;
}
