/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assignment.c - which flavors a workload would get
 *
 * Pod sets in order; in each, the resources of a resource group together get
 * the first flavor that is good enough, or else the best one of the list.
 */
#include <string.h>

#include "cycle/flavor.h"

int64_t request_scale(const struct podset_desc *ps, int64_t amount,
		      int64_t count)
{
	if (count == ps->count)
		return amount;
	return sat_mul(amount / ps->count, count);
}

int64_t request_in(const struct engine *e, const struct podset_desc *ps,
		   size_t i, int flavor, int64_t count)
{
	int64_t amount = ps->requests[i].amount;

	if (ps->by_flavor)
		amount = ps->by_flavor[i * e->books->nflavors + (size_t) flavor];
	return request_scale(ps, amount, count);
}

static int64_t count_of(const struct scan *s, size_t i)
{
	return s->ask->counts ? s->ask->counts[i] : scan_podset(s, i)->count;
}

int64_t want_amount(const struct scan *s, const struct want *want, int flavor)
{
	int64_t sum = 0;

	if (!s->varies)
		return want->amount;
	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = scan_podset(s, s->members[m]);
		int64_t count = count_of(s, s->members[m]);

		for (size_t i = 0; i < ps->nrequests; i++) {
			if (ps->requests[i].resource == want->resource)
				sum = sat_add(sum, request_in(s->e, ps, i,
							      flavor, count));
		}
	}
	return sum;
}

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
	s->varies = false;
	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = scan_podset(s, s->members[m]);

		s->varies |= ps->by_flavor != NULL;
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
		const struct podset_desc *ps = scan_podset(s, s->members[m]);
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
			r->amount = request_in(s->e, ps, i, r->flavor,
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
