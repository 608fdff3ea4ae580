/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavors.c - which flavors a workload would get
 *
 * doc/how-it-decides.md, section 4; Kueue's flavorassigner (KEP-582). Pod sets are tried in
 * their order, those of one group together. In each, the resources of a resource group
 * together get the first flavor that is good enough, or else the best one of the list.
 */
#include <string.h>

#include "core/cap.h"
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/uses.h"
#include "core/withheld.h"
#include "holding/holding.h"
#include "nomination/nomination.h"
#include "victims/target.h"

/* How a flavor suits a resource, or a whole resource group */
struct judgement {
	enum suit suit;
	int borrow;			/* borrow level after it */
};

/* A resource that the pod sets of the scan ask for, and what it would get */
struct want {
	int resource;
	int group;			/* or SPEC_NONE: not covered */
	bool assigned;
	struct judgement judged;	/* in the flavor that is tried */
	struct assigned_resource best;	/* in the best flavor so far */
};

/* An assignment while it is made */
struct scan {
	struct engine *e;
	const struct ask *ask;
	struct assignment *d;
	size_t *members;		/* pod sets that get their flavors together */
	size_t nmembers;
	struct want *wants;
	size_t nwants;
};

static const struct podset_desc *scan_podset(const struct scan *s, size_t i)
{
	return &s->ask->w->shape->podsets[i];
}

/* The number of pods of pod set i that are requested: fewer than its own in a
 * partial admission */
static int64_t scan_count(const struct scan *s, size_t i)
{
	return s->ask->counts ? s->ask->counts[i] : scan_podset(s, i)->count;
}

/* ---- how well a flavor suits a request ---- */

/* What the members together ask for in the flavor, and the pod sets before them got */
static int64_t amount_in(const struct scan *s, int resource, int flavor)
{
	int pair = books_pair(s->e->books, flavor, resource);
	int64_t sum = 0;

	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = scan_podset(s, s->members[m]);

		for (size_t i = 0; i < ps->nrequests; i++) {
			if (ps->requests[i].resource == resource)
				sum = sat_add(sum, request_in(s->e, ps, i, flavor,
							      scan_count(s, s->members[m])));
		}
	}
	return sat_add(sum, uses_of_pair(s->d->uses, s->d->nusage, pair));
}

/* Ours, not Kueue's: whatever its queue owns, a workload may evict others of that queue. */
static bool may_preempt_own(const struct scan *s)
{
	return !s->e->kueue_rules && policy_evicts(s->ask->q->spec.within);
}

/* What evicting others for this resource alone leads to. If one victim is of
 * the preemptor's own queue it is a preemption, else it is a reclaim. */
static struct judgement victims_judge(struct scan *s, const struct use *use)
{
	const struct ask *ask = s->ask;
	const struct pair *pair = &s->e->books->pairs[use->pair];
	struct judgement v = { .suit = SUIT_RECLAIM };
	struct search search = {
		.e = s->e, .q = ask->q, .w = ask->w, .now = ask->now,
		.demand = use, .ndemand = 1, .need = use, .nneed = 1,
	};
	const struct target *targets;
	size_t n, mark;
	bool ignored;

	if (ask->fit_only)
		return (struct judgement) { .suit = SUIT_NO_CANDIDATES };
	if (ask->oracle) {
		ask->oracle->ask(ask->oracle->arg, pair->flavor, pair->resource,
				 use->amount, &v.suit, &v.borrow);
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
	v.borrow = books_borrow_level(s->e->books, ask->q->node, use->pair,
				      use->amount, &ignored);
	trial_end(s->e, mark);
	return v;
}

/* Judges one flavor for one resource, on the books as they are and with what the assignment has
 * given away so far (the table of section 4). Searches for victims where it has to. */
static struct judgement suit_judge(struct scan *s, int flavor, int resource)
{
	struct books *b = s->e->books;
	int node = s->ask->q->node;
	struct use use = { books_pair(b, flavor, resource),
			   amount_in(s, resource, flavor) };
	struct judgement v = { .suit = SUIT_NOFIT };
	const struct quota *quota = books_quota(b, node, use.pair);
	enum yielding yields = s->ask->w->shape->yields;
	bool may_reclaim;

	s->e->searches->looks++;
	if (use.amount > quota->potential
	    || (workload_is_capped(s->ask->w)
		&& !cap_admits(s->e, s->ask->q, &use, 1)))
		return v;
	v.borrow = books_borrow_level(b, node, use.pair, use.amount, &may_reclaim);
	if (kept_fit(s->e, s->ask->q, &use, 1)) {
		v.suit = SUIT_FIT;
	} else if (quota->nominal >= use.amount
		   || (may_reclaim && yields < YIELDS_BEYOND_QUEUE)
		   || (!yields && queue_may_take_to_borrow(s->ask->q, s->e->fair_sharing))) {
		v = victims_judge(s, &use);
	} else if (may_preempt_own(s) && !s->ask->oracle && !s->ask->fit_only) {
		v = victims_judge(s, &use);
		if (v.suit == SUIT_NO_CANDIDATES)	/* it reserves nothing */
			v.suit = SUIT_NOFIT;
	}
	return v;
}

/* a is preferred to b. PREFER_PREEMPTION: the borrow level counts before the
 * suit (Kueue's preference PreemptionOverBorrowing). */
static bool suit_is_better(enum preference preference, struct judgement a, struct judgement b)
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

/* The suit is not good enough to end the search for a flavor: whenCanBorrow and
 * whenCanPreempt (Kueue's flavorFungibility) */
static bool suit_tries_next(const struct spec_queue *spec, struct judgement v)
{
	return v.suit == SUIT_NOFIT || v.suit == SUIT_NO_CANDIDATES
	       || (v.suit != SUIT_FIT && spec->when_can_preempt == FUNGIBILITY_TRY_NEXT)
	       || (v.borrow > 0 && spec->when_can_borrow == FUNGIBILITY_TRY_NEXT);
}

/* ---- the flavor of a resource group ---- */

/* Scenarios may have a resource in several groups. */
static bool group_covers(const struct scan *s, int group, int resource)
{
	const struct spec_group *g = &s->ask->q->spec.groups[group];

	for (size_t i = 0; i < g->nresources; i++) {
		if (g->resources[i] == resource)
			return true;
	}
	return false;
}

/* The assignment that is repeated chose this flavor for the group. */
static bool flavor_was_chosen(const struct scan *s, int group, int flavor)
{
	const struct assignment *like = s->ask->like;

	for (size_t i = 0; i < like->npodsets; i++) {
		const struct assigned_podset *ps = &like->podsets[i];

		for (size_t r = 0; r < ps->nresources && ps->index == s->members[0]; r++) {
			if (ps->resources[r].flavor == flavor
			    && group_covers(s, group, ps->resources[r].resource))
				return true;
		}
	}
	return false;
}

static bool flavor_is_eligible(const struct scan *s, int group, int flavor)
{
	if (s->ask->flavor_ok && !s->ask->flavor_ok[flavor])
		return false;
	for (size_t i = 0; i < s->nmembers; i++) {
		if (scan_podset(s, s->members[i])->ineligible[flavor])
			return false;
	}
	return !s->ask->like || flavor_was_chosen(s, group, flavor);
}

/* The worst judgement of a resource of the group decides for the flavor. */
static struct judgement group_judge(struct scan *s, int group, int flavor)
{
	enum preference preference = s->ask->q->spec.preference;
	struct judgement worst = { .suit = SUIT_FIT };
	bool first = true;

	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];

		if (!group_covers(s, group, want->resource))
			continue;
		want->judged = suit_judge(s, flavor, want->resource);
		if (first || suit_is_better(preference, worst, want->judged))
			worst = want->judged;
		first = false;
		if (want->judged.suit == SUIT_NOFIT)
			break;
	}
	return worst;
}

static void flavor_note_best(struct scan *s, int group, int flavor)
{
	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];
		enum suit suit = want->judged.suit;

		if (!group_covers(s, group, want->resource))
			continue;
		want->assigned = true;
		want->best = (struct assigned_resource) {
			.resource = want->resource, .flavor = flavor,
			.mode = suit == SUIT_FIT ? MODE_FIT
				: suit == SUIT_NOFIT ? MODE_NOFIT : MODE_PREEMPT,
			.borrow = want->judged.borrow,
		};
	}
}

/* Chooses one flavor for everything in wants[] that the group of the queue
 * covers, and writes it there. False if there is none. */
static bool flavor_choose(struct scan *s, int index)
{
	const struct spec_queue *spec = &s->ask->q->spec;
	const struct spec_group *group = &spec->groups[index];
	struct judgement best = { .suit = SUIT_NOFIT };
	int tried = -1;			/* index of the flavor at which it stops */
	bool stop = false;

	for (size_t i = 0; i < group->nflavors && !stop; i++) {
		int flavor = group->flavors[i];
		struct judgement v;

		if (!flavor_is_eligible(s, index, flavor))
			continue;
		v = group_judge(s, index, flavor);
		stop = !suit_tries_next(spec, v);
		if (stop || suit_is_better(spec->preference, v, best)) {
			flavor_note_best(s, index, flavor);
			best = v;
		}
		if (stop && i + 1 < group->nflavors)
			tried = (int) i;
	}
	for (size_t i = 0; i < s->nwants; i++) {
		if (group_covers(s, index, s->wants[i].resource))
			s->wants[i].best.tried = tried;
	}
	return best.suit != SUIT_NOFIT;
}

/* ---- pod sets that get their flavors together ---- */

/* NULL: the members do not ask for that resource. */
static struct want *want_find(struct scan *s, int resource)
{
	for (size_t i = 0; i < s->nwants; i++) {
		if (s->wants[i].resource == resource)
			return &s->wants[i];
	}
	return NULL;
}

/* Fills wants[], one entry for each resource. A resource that the queue does not cover may
 * only be requested with 0: else false. */
static bool wants_collect(struct scan *s)
{
	bool covered = true;

	s->nwants = 0;
	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = scan_podset(s, s->members[m]);

		for (size_t i = 0; i < ps->nrequests; i++) {
			int resource = ps->requests[i].resource;
			int group = s->ask->q->group_of[resource];

			if (!want_find(s, resource))
				s->wants[s->nwants++] = (struct want) {
					.resource = resource, .group = group };
			covered &= group != SPEC_NONE
				   || request_least(ps, i, scan_count(s, s->members[m])) <= 0;
		}
	}
	return covered;
}

/* False: a resource gets no flavor. */
static bool wants_assign(struct scan *s)
{
	bool covered = wants_collect(s);

	for (size_t i = 0; covered && i < s->nwants; i++) {
		struct want *want = &s->wants[i];

		if (!want->assigned && want->group != SPEC_NONE && !flavor_choose(s, want->group))
			return false;
	}
	return covered;
}

static void usage_add(struct scan *s, const struct assigned_resource *r)
{
	struct assignment *a = s->d;
	int pair = books_pair(s->e->books, r->flavor, r->resource);
	size_t i = 0;

	while (i < a->nusage && a->uses[i].pair != pair)
		i++;
	if (i == a->nusage) {
		a->nusage++;
		a->uses[i].pair = pair;
		a->usage[i].flavor = r->flavor;
		a->usage[i].resource = r->resource;
	}
	a->uses[i].amount = sat_add(a->uses[i].amount, r->amount);
	a->usage[i].amount = a->uses[i].amount;
	a->needs[i] |= r->mode == MODE_PREEMPT;
	if (r->borrow > a->borrow)
		a->borrow = r->borrow;
	if (r->mode < a->mode)
		a->mode = r->mode;
}

static void resources_write(struct scan *s, struct assigned_podset *out)
{
	const struct podset_desc *ps = scan_podset(s, out->index);

	for (size_t i = 0; i < ps->nrequests; i++) {
		const struct want *want
			= want_find(s, ps->requests[i].resource);
		struct assigned_resource *r = &out->resources[out->nresources];

		if (!want->assigned)
			continue;
		*r = want->best;
		r->amount = request_in(s->e, ps, i, r->flavor, out->count);
		usage_add(s, r);
		out->nresources++;
	}
}

/* Gives flavors to the members of the scan. False: no memory. */
static bool members_assign(struct scan *s)
{
	struct assignment *a = s->d;
	bool assigned = wants_assign(s);

	if (!assigned)
		a->mode = MODE_NOFIT;
	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = scan_podset(s, s->members[m]);
		struct assigned_podset *out = &a->podsets[a->npodsets++];

		out->index = s->members[m];
		out->count = scan_count(s, s->members[m]);
		out->nofit = !assigned;
		out->resources = engine_alloc(s->e, &s->e->arena, ps->nrequests,
					      sizeof(*out->resources));
		if (!out->resources)
			return false;
		if (assigned)
			resources_write(s, out);
	}
	return true;
}

/* Lists pod set i and those of its group behind it. 0 if it was listed with an
 * earlier one of its group */
static size_t members_list(const struct shape *shape, size_t i, size_t *members)
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

static bool draft_allocate(struct scan *s)
{
	const struct shape *shape = s->ask->w->shape;
	struct arena *arena = &s->e->arena;
	struct assignment *a = s->d;
	size_t n = 0;

	for (size_t i = 0; i < shape->npodsets; i++)
		n += shape->podsets[i].nrequests;
	memset(a, 0, sizeof(*a));
	a->podsets = engine_alloc(s->e, arena, shape->npodsets, sizeof(*a->podsets));
	a->usage = engine_alloc(s->e, arena, n, sizeof(*a->usage));
	a->needs = engine_alloc(s->e, arena, n, sizeof(*a->needs));
	a->uses = engine_alloc(s->e, arena, n, sizeof(*a->uses));
	s->wants = engine_alloc(s->e, arena, n, sizeof(*s->wants));
	s->members = engine_alloc(s->e, arena, shape->npodsets, sizeof(*s->members));
	return !arena->failed;
}

int assign_flavors(struct engine *e, const struct ask *ask, struct assignment *d)
{
	struct scan s = { .e = e, .ask = ask, .d = d };
	const struct shape *shape = ask->w->shape;

	if (!draft_allocate(&s))
		return -1;
	d->mode = MODE_FIT;
	for (size_t i = 0; i < shape->npodsets && d->mode != MODE_NOFIT; i++) {
		s.nmembers = members_list(shape, i, s.members);
		if (s.nmembers && !members_assign(&s))
			return -1;
	}
	return 0;
}
