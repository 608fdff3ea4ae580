/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delays.c - a histogram of seconds, and its quantiles
 */
#include <math.h>
#include <stdio.h>
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

/* ---- as a function of SQL ---- */

struct aggregate {
	struct delays delays;
	double part;
};

static void quantile_step(sqlite3_context *context, int n, sqlite3_value **of)
{
	struct aggregate *sum = sqlite3_aggregate_context(context, sizeof(*sum));
	const char *what = (const char *) sqlite3_value_text(of[0]);
	double bound = INFINITY;

	(void) n;
	if (!sum || !what)
		return;
	sum->part = sqlite3_value_double(of[2]);
	if (!strcmp(what, "delay inf") || sscanf(what, "delay %lf", &bound) == 1)
		delays_add(&sum->delays, bound, sqlite3_value_int64(of[1]));
}

static void quantile_end(sqlite3_context *context)
{
	const struct aggregate *sum = sqlite3_aggregate_context(context, 0);
	double seconds = sum ? delays_quantile(&sum->delays, sum->part) : -1;

	if (seconds >= 0)
		sqlite3_result_double(context, seconds);
}

int delays_register(const struct db *db)
{
	int rc = sqlite3_create_function(db->handle, "quantile", 3,
					 SQLITE_UTF8 | SQLITE_DETERMINISTIC,
					 NULL, NULL, quantile_step,
					 quantile_end);

	return rc == SQLITE_OK ? 0 : db_error(db);
}
