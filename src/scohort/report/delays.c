/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delays.c - a histogram of seconds, and its quantiles
 */
#include <math.h>
#include <string.h>

#include "lib/sat.h"
#include "report/delays.h"

void delays_add(struct delays *d, double bound, int64_t count)
{
	size_t i = 0;

	while (i < d->n && d->bounds[i] < bound)
		i++;
	if (i == d->n || d->bounds[i] > bound) {
		if (d->n == DELAYS_MAX)
			return;
		memmove(&d->bounds[i + 1], &d->bounds[i],
			(d->n - i) * sizeof(*d->bounds));
		memmove(&d->counts[i + 1], &d->counts[i],
			(d->n - i) * sizeof(*d->counts));
		d->bounds[i] = bound;
		d->counts[i] = 0;
		d->n++;
	}
	d->counts[i] = sat_add(d->counts[i], count);
}

void delays_merge(struct delays *d, const struct delays *other)
{
	for (size_t i = 0; i < other->n; i++)
		delays_add(d, other->bounds[i], other->counts[i]);
}

double delays_quantile(const struct delays *d, double part)
{
	double all = 0, below = 0, low = 0;

	for (size_t i = 0; i < d->n; i++)
		all += (double) d->counts[i];
	for (size_t i = 0; all > 0 && i < d->n; i++) {
		double here = (double) d->counts[i];

		if (here > 0 && below + here >= part * all)
			return isinf(d->bounds[i]) ? low
			       : low + (d->bounds[i] - low)
			       * (part * all - below) / here;
		below += here;
		if (!isinf(d->bounds[i]))
			low = d->bounds[i];
	}
	return -1;
}
