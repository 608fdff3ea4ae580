/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * periods.c - quotas for a time, worked out for the engine
 *
 * The engine knows no weeks and no time zones: it gets each single period.
 */
#include <stdlib.h>

#include "lib/sat.h"
#include "model/model.h"

/* Those of each week are worked out so far ahead. */
#define WEEKS_AHEAD 105

static bool same_quota(const struct conf_temporary *a, const struct conf_temporary *b)
{
	return a->is_cohort == b->is_cohort && a->node == b->node
	       && a->flavor == b->flavor && a->resource == b->resource;
}

void temporary_times(const struct conf_temporary *t, int64_t *from, int64_t *until)
{
	*from = t->has_begin ? wall_time(t->begin.seconds) : INT64_MIN;
	*until = t->has_end ? wall_time(t->end.seconds) : INT64_MAX;
}

/* How long one of each week lasts, in seconds */
static int64_t week_length(const struct conf_temporary *t)
{
	int64_t length = t->end.seconds - t->begin.seconds;

	return length > 0 ? length : length + WALL_WEEK;
}

/* Is the begin of b in a, on the ring of the week? */
static bool begins_in(const struct conf_temporary *a, const struct conf_temporary *b)
{
	int64_t after = b->begin.seconds - a->begin.seconds;

	return (after < 0 ? after + WALL_WEEK : after) < week_length(a);
}

bool temporary_overlap(const struct conf_temporary *a, const struct conf_temporary *b)
{
	int64_t from[2], until[2];

	if (a->begin.weekly != b->begin.weekly)
		return false;	/* the date holds */
	if (a->begin.weekly)
		return begins_in(a, b) || begins_in(b, a);
	temporary_times(a, &from[0], &until[0]);
	temporary_times(b, &from[1], &until[1]);
	return from[0] < until[1] && from[1] < until[0];
}

/* temporary_times(), as the engine counts. A time that it can't count to, in 2262,
 * is INT64_MAX, which is never. */
static void times_ns(const struct conf_temporary *t, int64_t *from, int64_t *until)
{
	temporary_times(t, from, until);
	*from = sat_mul(*from, SPEC_SEC);
	*until = sat_mul(*until, SPEC_SEC);
}

static int period_add(struct spec *spec, const struct conf_temporary *t,
		      int64_t from, int64_t until)
{
	const struct spec_period p = {
		.is_cohort = t->is_cohort, .node = t->node,
		.flavor = t->flavor, .resource = t->resource,
		.nominal = t->nominal, .from = from < 1 ? 1 : from,
		.until = until,
	};

	return p.from < p.until ? spec_add_period(spec, &p) : 0;
}

/* Adds what no dated one from number i on has of the time: a date comes before a
 * day of the week. */
static int rest_add(struct conf *conf, const struct conf_temporary *t,
		    int64_t from, int64_t until, size_t i)
{
	for (; i < conf->ntemporaries; i++) {
		const struct conf_temporary *other = &conf->temporaries[i];
		int64_t begin, end;

		if (other->begin.weekly || !same_quota(t, other))
			continue;
		times_ns(other, &begin, &end);
		if (begin >= until || end <= from)
			continue;
		if (begin > from && rest_add(conf, t, from, begin, i + 1) < 0)
			return -1;
		if (end >= until)
			return 0;
		from = end;
	}
	return period_add(conf->spec, t, from, until);
}

static int weeks_add(struct conf *conf, const struct conf_temporary *t, time_t now)
{
	int64_t monday = wall_monday(wall_seconds(now)) - WALL_WEEK;
	int64_t length = week_length(t);

	for (int i = 0; i <= WEEKS_AHEAD; i++, monday += WALL_WEEK) {
		int64_t begin = monday + t->begin.seconds;
		int64_t from = sat_mul(wall_time(begin), SPEC_SEC);
		int64_t until = sat_mul(wall_time(begin + length), SPEC_SEC);

		if (from < until && rest_add(conf, t, from, until, 0) < 0)
			return -1;
	}
	return 0;
}

int conf_lay_out_periods(struct conf *conf, time_t now)
{
	struct spec *spec = conf->spec;

	free(spec->periods);
	spec->periods = NULL;
	spec->nperiods = 0;
	for (size_t i = 0; i < conf->ntemporaries; i++) {
		const struct conf_temporary *t = &conf->temporaries[i];
		int64_t from, until;
		int rc;

		if (t->begin.weekly) {
			rc = weeks_add(conf, t, now);
		} else {
			times_ns(t, &from, &until);
			rc = period_add(spec, t, from, until);
		}
		if (rc < 0)
			return -1;
	}
	spec_sort_periods(spec);
	return 0;
}
