/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assignment.c - which flavors a workload would get
 *
 * Pod sets are tried in their order. In each, the resources of a resource group
 * together get the first flavor that is good enough, or else the best one of
 * the list (doc/how-it-decides.md, section 4). Pod sets of one group get their
 * flavors together.
 */
#include <string.h>

#include "core/engine_state.h"
#include "nomination/assignment.h"
#include "nomination/flavor.h"
#include "nomination/request.h"

/* False: a resource gets no flavor. A resource that the queue does not cover
 * may only be requested with 0. */
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
		if (!flavor_choose(s, want->group))
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

/* Writes what the members got; false if there is no memory */
static bool members_write(struct scan *s, bool assigned)
{
	struct assignment *a = &s->d->public;

	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = scan_podset(s, s->members[m]);
		struct assigned_podset *out = &a->podsets[a->npodsets++];

		out->index = s->members[m];
		out->count = scan_count(s, s->members[m]);
		out->nofit = !assigned;
		out->resources = arena_alloc(&s->e->arena, ps->nrequests,
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

/* Gives flavors to the members of the scan. False: no memory. */
static bool members_assign(struct scan *s)
{
	bool assigned;

	wants_collect(s);
	assigned = wants_assign(s);
	if (!assigned)
		s->d->public.mode = MODE_NOFIT;
	return members_write(s, assigned);
}

int assign_flavors(struct engine *e, const struct ask *ask, struct draft *d)
{
	struct scan s = { .e = e, .ask = ask, .d = d };
	const struct shape *shape = ask->w->shape;
	size_t *members;

	if (!draft_allocate(&s, &members))
		goto no_memory;
	s.members = members;
	d->public.mode = MODE_FIT;
	for (size_t i = 0; i < shape->npodsets
	     && d->public.mode != MODE_NOFIT; i++) {
		s.nmembers = members_list(shape, i, members);
		if (s.nmembers && !members_assign(&s))
			goto no_memory;
	}
	return 0;
no_memory:
	e->no_memory = true;
	return -1;
}
