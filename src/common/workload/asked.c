/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asked.c - what the waiting shapes of a queue ask for, at least and at most
 *
 * When a shape goes that asked for the least, the bound stays, which is then only a
 * bound. It is worked out again when it is too low for an answer.
 */
#include "core/queue_state.h"
#include "core/workload_state.h"
#include "workload/asked.h"

/* requests[i] has one flavor, which the pod set may use, and no other request is for
 * the same resource. */
static bool request_is_simple(const struct queue *q, const struct podset_desc *ps,
			      size_t i)
{
	int resource = ps->requests[i].resource;
	const struct spec_group *group = queue_group(q, resource);

	for (size_t k = 0; k < i; k++) {
		if (ps->requests[k].resource == resource)
			return false;
	}
	return group && group->nflavors == 1 && ps->requests[i].amount > 0
	       && !ps->ineligible[group->flavors[0]];
}

bool shape_asks_simply(const struct shape *s)
{
	const struct podset_desc *ps = s->podsets;

	if (s->npodsets != 1 || ps->by_flavor || ps->min_count > 0
	    || s->nonpreemptible || s->alone)
		return false;
	for (size_t i = 0; i < ps->nrequests; i++) {
		if (!request_is_simple(s->q, ps, i))
			return false;
	}
	return true;
}

static int64_t amount_of(const struct shape *s, int resource)
{
	const struct podset_desc *ps = s->podsets;

	for (size_t i = 0; i < ps->nrequests; i++) {
		if (ps->requests[i].resource == resource)
			return ps->requests[i].amount;
	}
	return 0;
}

/* The resources of a queue, one after the other, each of them once */
#define for_each_resource(r, q) \
	for (size_t g_ = 0; g_ < (q)->spec.ngroups; g_++) \
		for (size_t i_ = 0, r; i_ < (q)->spec.groups[g_].nresources \
		     && (r = (size_t) (q)->spec.groups[g_].resources[i_], true); i_++)

static void bounds_widen(struct asked *a, int64_t amount)
{
	if (amount < a->least)
		a->least = amount;
	if (amount > a->most)
		a->most = amount;
}

void asked_add(struct queue *q, const struct shape *s)
{
	bool first = q->nshapes == q->nmixed;

	if (!s->simple) {
		q->nmixed++;
		return;
	}
	for_each_resource(r, q) {
		if (first)
			q->asked[r] = (struct asked) { .least = INT64_MAX };
		bounds_widen(&q->asked[r], amount_of(s, (int) r));
	}
}

void asked_remove(struct queue *q, const struct shape *s)
{
	if (!s->simple) {
		q->nmixed--;
		return;
	}
	for_each_resource(r, q) {
		int64_t amount = amount_of(s, (int) r);

		q->asked[r].loose |= amount == q->asked[r].least
				     || amount == q->asked[r].most;
	}
}

static void bounds_renew(struct queue *q, int resource)
{
	struct asked *a = &q->asked[resource];

	*a = (struct asked) { .least = INT64_MAX };
	for (const struct shape *s = q->shapes; s; s = s->next) {
		if (s->simple)
			bounds_widen(a, amount_of(s, resource));
	}
}

bool asked_all_above(struct queue *q, int resource, int64_t amount)
{
	struct asked *a = &q->asked[resource];

	if (a->least <= amount && a->loose)
		bounds_renew(q, resource);
	return a->least > amount;
}

bool asked_none_above(const struct queue *q, int resource, int64_t amount)
{
	return q->asked[resource].most <= amount;
}
