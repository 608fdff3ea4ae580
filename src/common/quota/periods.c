/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * periods.c - quotas for a time, as a spec has them
 */
#include <stdlib.h>

#include "spec.h"

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int quota_compare(const struct spec_period *a,
			 const struct spec_period *b)
{
	int by = order(a->is_cohort, b->is_cohort);

	if (!by)
		by = order(a->node, b->node);
	if (!by)
		by = order(a->flavor, b->flavor);
	return by ? by : order(a->resource, b->resource);
}

static int period_compare(const void *x, const void *y)
{
	const struct spec_period *a = x, *b = y;
	int by = quota_compare(a, b);

	return by ? by : order(a->from, b->from);
}

void spec_sort_periods(struct spec *spec)
{
	if (spec->nperiods)
		qsort(spec->periods, spec->nperiods, sizeof(*spec->periods),
		      period_compare);
}

const struct spec_period *spec_find_period(const struct spec *spec,
					   bool is_cohort, int node,
					   const struct spec_quota *quota,
					   int64_t now)
{
	const struct spec_period wanted = {
		.is_cohort = is_cohort, .node = node, .flavor = quota->flavor,
		.resource = quota->resource,
	};
	size_t low = 0, high = spec->nperiods;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct spec_period *p = &spec->periods[middle];
		int by = quota_compare(p, &wanted);

		if (by < 0 || (!by && p->until <= now))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == spec->nperiods
	    || quota_compare(&spec->periods[low], &wanted))
		return NULL;
	return &spec->periods[low];
}

int64_t spec_nominal_at(const struct spec *spec, bool is_cohort, int node,
			const struct spec_quota *quota, int64_t now,
			int64_t *until)
{
	const struct spec_period *p = spec_find_period(spec, is_cohort, node,
						       quota, now);
	bool in_force = p && p->from <= now;

	if (until)
		*until = !p ? INT64_MAX : in_force ? p->until : p->from;
	return in_force ? p->nominal : quota->nominal;
}
