/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assign.c - which flavors a workload would get
 *
 * Pod sets in order; in each, the resources of a resource group together get
 * the first flavor that is good enough, or else the best one of the list.
 */
#include <string.h>

#include "assign.h"
#include "target.h"

/* A resource that the pod sets at hand ask for, and what it would get */
struct want {
	int resource;
	int64_t amount;
	int group;			/* or SPEC_NONE: not covered */
	bool assigned;
	enum suit suit;			/* in the flavor that is looked at */
	int borrow;
	struct assigned_resource best;	/* in the best flavor so far */
};

struct verdict_of_flavor {
	enum suit suit;
	int borrow;
};

struct scan {
	struct engine *e;
	const struct ask *ask;
	struct draft *d;
	const size_t *members;		/* pod sets that are assigned as one */
	size_t nmembers;
	struct want *wants;
	size_t nwants;
};

int64_t request_scale(const struct podset_desc *ps, int64_t amount,
		      int64_t count)
{
	if (count == ps->count)
		return amount;
	return sat_mul(amount / ps->count, count);
}

static const struct podset_desc *podset_of(const struct scan *s, size_t i)
{
	return &s->ask->w->shape->podsets[i];
}

static int64_t count_of(const struct scan *s, size_t i)
{
	return s->ask->counts ? s->ask->counts[i] : podset_of(s, i)->count;
}

/* ---- one resource in one flavor ---- */

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
static struct verdict_of_flavor simulate(struct scan *s, const struct use *use)
{
	const struct ask *ask = s->ask;
	struct books *b = s->e->books;
	struct verdict_of_flavor v = { .suit = SUIT_RECLAIM };
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

static struct verdict_of_flavor fit(struct scan *s, int flavor,
				    const struct want *want)
{
	struct books *b = s->e->books;
	int node = s->ask->q->node;
	struct use use = { .pair = books_pair(b, flavor, want->resource) };
	struct verdict_of_flavor v = { .suit = SUIT_NOFIT };
	const struct cell *c = books_cell(b, node, use.pair);
	bool may_reclaim;

	use.amount = sat_add(want->amount, amount_assigned(s->d, use.pair));
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

/* ---- one resource group in all its flavors ---- */

static bool preferred(enum preference preference, struct verdict_of_flavor a,
		      struct verdict_of_flavor b)
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

static bool try_next(const struct spec_queue *spec, struct verdict_of_flavor v)
{
	if (v.suit == SUIT_NOFIT || v.suit == SUIT_NO_CANDIDATES)
		return true;
	if (v.suit != SUIT_FIT
	    && spec->when_can_preempt == FUNGIBILITY_TRY_NEXT)
		return true;
	return v.borrow > 0 && spec->when_can_borrow == FUNGIBILITY_TRY_NEXT;
}

/* A flavor that the assignment to be repeated chose for this group */
static bool flavor_was_chosen(const struct scan *s, int group, int flavor)
{
	const struct assignment *like = &s->ask->like->public;

	for (size_t i = 0; i < like->npodsets; i++) {
		const struct assigned_podset *ps = &like->podsets[i];

		for (size_t r = 0; r < ps->nresources
		     && ps->index == s->members[0]; r++) {
			if (ps->resources[r].flavor == flavor
			    && s->ask->q->group_of[ps->resources[r].resource]
			       == group)
				return true;
		}
	}
	return false;
}

static bool flavor_eligible(const struct scan *s, int group, int flavor)
{
	if (s->ask->flavor_ok && !s->ask->flavor_ok[flavor])
		return false;
	for (size_t i = 0; i < s->nmembers; i++) {
		if (podset_of(s, s->members[i])->ineligible[flavor])
			return false;
	}
	return !s->ask->like || flavor_was_chosen(s, group, flavor);
}

/* The worst of what the resources of the group get */
static struct verdict_of_flavor flavor_judge(struct scan *s, int group,
					     int flavor)
{
	enum preference preference = s->ask->q->spec.preference;
	struct verdict_of_flavor worst = { .suit = SUIT_FIT };
	bool first = true;

	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];
		struct verdict_of_flavor v;

		if (want->group != group)
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

static void flavor_remember(struct scan *s, int group, int flavor)
{
	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];

		if (want->group != group)
			continue;
		want->assigned = true;
		want->best.resource = want->resource;
		want->best.flavor = flavor;
		want->best.mode = mode_of(want->suit);
		want->best.borrow = want->borrow;
	}
}

static void tried_set(struct scan *s, int group, int tried)
{
	for (size_t i = 0; i < s->nwants; i++) {
		if (s->wants[i].group == group)
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

static bool group_scan(struct scan *s, int index)
{
	const struct spec_queue *spec = &s->ask->q->spec;
	const struct spec_group *group = &spec->groups[index];
	struct verdict_of_flavor best = { .suit = SUIT_NOFIT };
	int tried = -1;

	for (size_t k = 0; k < group->nflavors; k++) {
		size_t i = flavor_nth(group, s->ask->w->avoid, k);
		int flavor = group->flavors[i];
		struct verdict_of_flavor v;
		bool stop;

		if (!flavor_eligible(s, index, flavor))
			continue;
		v = flavor_judge(s, index, flavor);
		stop = !try_next(spec, v);
		if (stop || preferred(spec->preference, v, best)) {
			flavor_remember(s, index, flavor);
			best = v;
		}
		if (stop) {
			if (k + 1 < group->nflavors)
				tried = i;
			break;
		}
	}
	tried_set(s, index, tried);
	return best.suit != SUIT_NOFIT;
}

/* ---- pod sets ---- */

static struct want *want_find(struct scan *s, int resource)
{
	for (size_t i = 0; i < s->nwants; i++) {
		if (s->wants[i].resource == resource)
			return &s->wants[i];
	}
	return NULL;
}

static void want_add(struct scan *s, int resource, int64_t amount)
{
	struct want *want = want_find(s, resource);

	if (!want) {
		want = &s->wants[s->nwants++];
		memset(want, 0, sizeof(*want));
		want->resource = resource;
		want->group = s->ask->q->group_of[resource];
	}
	want->amount = sat_add(want->amount, amount);
}

static void wants_collect(struct scan *s)
{
	s->nwants = 0;
	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = podset_of(s, s->members[m]);

		for (size_t i = 0; i < ps->nrequests; i++)
			want_add(s, ps->requests[i].resource,
				 request_scale(ps, ps->requests[i].amount,
					       count_of(s, s->members[m])));
	}
}

static bool wants_assign(struct scan *s)
{
	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];

		if (want->assigned)
			continue;
		if (want->group == SPEC_NONE) {
			if (want->amount > 0)
				return false;
			continue;
		}
		if (!group_scan(s, want->group))
			return false;
	}
	return true;
}

static void usage_add(struct scan *s, const struct assigned_resource *r)
{
	struct assignment *a = &s->d->public;
	int pair = books_pair(s->e->books, r->flavor, r->resource);
	size_t i = 0;

	while (i < a->nusage && s->d->uses[i].pair != pair)
		i++;
	if (i == a->nusage) {
		a->nusage++;
		s->d->uses[i].pair = pair;
		a->usage[i].flavor = r->flavor;
		a->usage[i].resource = r->resource;
	}
	s->d->uses[i].amount = sat_add(s->d->uses[i].amount, r->amount);
	a->usage[i].amount = s->d->uses[i].amount;
	a->needs[i] |= r->mode == MODE_PREEMPT;
	if (r->borrow > a->borrow)
		a->borrow = r->borrow;
	if (r->mode < a->mode)
		a->mode = r->mode;
}

/* Writes down what the members got; false if there is no memory */
static bool members_write(struct scan *s, bool assigned)
{
	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = podset_of(s, s->members[m]);
		struct assigned_podset *out
			= &s->d->public.podsets[s->d->public.npodsets++];

		out->index = s->members[m];
		out->count = count_of(s, s->members[m]);
		out->nofit = !assigned;
		out->resources = arena_alloc(&s->e->arena, ps->nrequests,
					     sizeof(*out->resources));
		if (!out->resources)
			return false;
		for (size_t i = 0; assigned && i < ps->nrequests; i++) {
			const struct want *want
				= want_find(s, ps->requests[i].resource);
			struct assigned_resource *r
				= &out->resources[out->nresources];

			if (!want->assigned)
				continue;
			*r = want->best;
			r->amount = request_scale(ps, ps->requests[i].amount,
						  out->count);
			usage_add(s, r);
			out->nresources++;
		}
	}
	return true;
}

/* Pod set i and those of its group behind it; 0 if it was in the group of an
 * earlier one */
static size_t members_find(const struct shape *shape, size_t i, size_t *members)
{
	int group = shape->podsets[i].group;
	size_t n = 0;

	for (size_t k = 0; group >= 0 && k < i; k++) {
		if (shape->podsets[k].group == group)
			return 0;
	}
	members[n++] = i;
	for (size_t k = i + 1; group >= 0 && k < shape->npodsets; k++) {
		if (shape->podsets[k].group == group)
			members[n++] = k;
	}
	return n;
}

static bool draft_allocate(struct scan *s, size_t **members)
{
	const struct shape *shape = s->ask->w->shape;
	struct arena *arena = &s->e->arena;
	struct assignment *a = &s->d->public;
	size_t n = 0;

	for (size_t i = 0; i < shape->npodsets; i++)
		n += shape->podsets[i].nrequests;
	memset(s->d, 0, sizeof(*s->d));
	a->podsets = arena_alloc(arena, shape->npodsets, sizeof(*a->podsets));
	a->usage = arena_alloc(arena, n, sizeof(*a->usage));
	a->needs = arena_alloc(arena, n, sizeof(*a->needs));
	s->d->uses = arena_alloc(arena, n, sizeof(*s->d->uses));
	s->wants = arena_alloc(arena, n, sizeof(*s->wants));
	*members = arena_alloc(arena, shape->npodsets, sizeof(**members));
	return !arena->failed;
}

int assign_flavors(struct engine *e, const struct ask *ask, struct draft *d)
{
	struct scan s = { .e = e, .ask = ask, .d = d };
	size_t *members;

	if (!draft_allocate(&s, &members))
		goto no_memory;
	s.members = members;
	d->public.mode = MODE_FIT;
	for (size_t i = 0; i < ask->w->shape->npodsets; i++) {
		bool assigned;

		s.nmembers = members_find(ask->w->shape, i, members);
		if (!s.nmembers)
			continue;
		wants_collect(&s);
		assigned = wants_assign(&s);
		if (!members_write(&s, assigned))
			goto no_memory;
		if (!assigned) {
			d->public.mode = MODE_NOFIT;
			break;
		}
	}
	return 0;
no_memory:
	e->no_memory = true;
	return -1;
}
