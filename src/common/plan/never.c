/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * never.c - requests that are more than there could ever be
 *
 * A workload is compared with the most that its queue could ever use: nominal
 * quota and all that it may borrow (doc/how-it-decides.md, section 2), now or when
 * quotas are other ones for a time.
 */
#include "core/cap.h"
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "nomination/request.h"
#include "plan/never.h"
#include "quota/calendar.h"

/* The most that the workload could ever use of a pair. *capped: it could use
 * more if it was preemptible */
static int64_t most_of(const struct engine *e, const struct workload *w,
		       int pair, bool *capped)
{
	const struct queue *q = w->shape->q;
	int64_t most = calendar_largest(e->books, q->node, pair)->potential;
	int64_t cap = workload_is_capped(w)
		? fixed_most(e->books, q->node, pair, q->spec.cap_scope) : most;

	*capped = cap < most;
	return min64(most, cap);
}

/* Requests of a pod set that get one flavor together, as small as they can be */
struct joint {
	const struct engine *e;
	const struct workload *w;
	const struct podset_desc *ps;
	const struct spec_group *group;
	int64_t count;
};

/* Is any of them more than the flavor can ever have? Then *v tells of the one that lacks
 * most, and the missing part of it is *share. */
static bool flavor_never_fits(const struct joint *j, int flavor, struct verdict *v,
			      double *share)
{
	*share = 0;
	for (size_t r = 0; r < j->ps->nrequests; r++) {
		int resource = j->ps->requests[r].resource;
		int64_t need, most;
		double missing;
		bool capped;

		if (queue_group(j->w->shape->q, resource) != j->group)
			continue;
		need = request_in(j->e, j->ps, r, flavor, j->count);
		most = most_of(j->e, j->w, books_pair(j->e->books, flavor, resource),
			       &capped);
		missing = need > most ? ((double) need - (double) most) / (double) need : 0;
		if (missing <= *share)
			continue;
		*share = missing;
		*v = (struct verdict) {
			.kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER,
			.flavor = flavor, .resource = resource,
			.need = need, .max = most, .fixed = capped,
		};
	}
	return *share > 0;
}

/* No flavor is enough for all of them. *v tells of the one that lacks least; at first it
 * says that there is none. */
static bool joint_never_fits(const struct joint *j, struct verdict *v)
{
	struct verdict nearest = *v, lack;
	double least = 2, share;

	for (size_t i = 0; i < j->group->nflavors; i++) {
		int flavor = j->group->flavors[i];

		if (j->ps->ineligible[flavor])
			continue;
		if (!flavor_never_fits(j, flavor, &lack, &share))
			return false;
		if (share >= least)
			continue;
		least = share;
		nearest = lack;
	}
	*v = nearest;
	return true;
}

static bool request_never_fits(const struct engine *e, const struct workload *w,
			       const struct podset_desc *ps, size_t r,
			       struct verdict *v)
{
	int resource = ps->requests[r].resource;
	struct joint j = {
		.e = e, .w = w, .ps = ps, .group = queue_group(w->shape->q, resource),
		.count = request_least_count(e, ps),
	};
	struct verdict lack = {
		.kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER,
		.flavor = SPEC_NONE, .resource = resource,
		.need = request_least(ps, r, j.count),
	};

	for (size_t i = 0; j.group && i < r; i++) {
		if (queue_group(w->shape->q, ps->requests[i].resource) == j.group)
			return false;		/* looked at with that one */
	}
	if (j.group ? !joint_never_fits(&j, &lack) : !lack.need)
		return false;
	*v = lack;
	return true;
}

bool never_fits(const struct engine *e, const struct workload *w,
		struct verdict *v)
{
	for (size_t i = 0; i < w->shape->npodsets; i++) {
		const struct podset_desc *ps = &w->shape->podsets[i];

		for (size_t r = 0; r < ps->nrequests; r++) {
			if (request_never_fits(e, w, ps, r, v))
				return true;
		}
	}
	return false;
}
