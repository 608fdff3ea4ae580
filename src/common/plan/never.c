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
 * more if it was preemptible. Caps may change as long as quotas do. */
static int64_t most_of(const struct engine *e, const struct workload *w,
		       int pair, bool *capped)
{
	const struct queue *q = w->shape->q;
	int64_t most = calendar_most(e->books, q->node, pair);
	int64_t cap = workload_is_capped(w)
		&& !calendar_changes(e->books, q->tree->root)
		? fixed_most(e->books, q->node, pair, q->spec.cap_scope) : most;

	*capped = cap < most;
	return min64(most, cap);
}

/* Even the smallest amount to which the request can be reduced is more than any
 * flavor can ever have. */
static bool request_never_fits(const struct engine *e, const struct workload *w,
			       const struct podset_desc *ps, size_t r,
			       struct verdict *v)
{
	struct queue *q = w->shape->q;
	int resource = ps->requests[r].resource, best = SPEC_NONE;
	const struct spec_group *group = queue_group(q, resource);
	int64_t count = request_least_count(e, ps);
	int64_t need = request_least(ps, r, count);
	int64_t max = 0;
	bool fixed = false;

	for (size_t i = 0; group && i < group->nflavors; i++) {
		int flavor = group->flavors[i];
		int pair = books_pair(e->books, flavor, resource);
		bool capped;
		int64_t most = most_of(e, w, pair, &capped);
		int64_t amount = request_in(e, ps, r, flavor, count);

		if (ps->ineligible[flavor])
			continue;
		if (amount <= most)
			return false;
		if (best == SPEC_NONE || most > max) {
			best = flavor;
			max = most;
			need = amount;
			fixed = capped;
		}
	}
	if (!group && !need)
		return false;
	*v = (struct verdict) {
		.kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER,
		.flavor = best, .resource = resource,
		.need = need, .max = max, .fixed = fixed,
	};
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
