/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.c - how much a pod set asks for
 */
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "nomination/request.h"

/* Amounts are totals for the pod set's own count of pods. */
static int64_t amount_scale(const struct podset_desc *ps, int64_t amount,
			    int64_t count)
{
	if (count == ps->count)
		return amount;
	return sat_mul(amount / ps->count, count);
}

int64_t request_least(const struct podset_desc *ps, size_t i, int64_t count)
{
	return amount_scale(ps, ps->requests[i].amount, count);
}

int64_t request_in(const struct engine *e, const struct podset_desc *ps,
		   size_t i, int flavor, int64_t count)
{
	if (!ps->by_flavor)
		return request_least(ps, i, count);
	return amount_scale(ps, ps->by_flavor[i * e->books->nflavors
					      + (size_t) flavor], count);
}

int64_t request_least_count(const struct engine *e,
			    const struct podset_desc *ps)
{
	return ps->min_count > 0 && !e->no_partial ? ps->min_count : ps->count;
}
