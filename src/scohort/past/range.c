/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range.c - which time a page of the past is about, and its steps
 */
#include <string.h>

#include "past/past.h"

#define HOUR 3600
#define DAY (24 * HOUR)
#define YEAR (366 * (int64_t) DAY)
#define FAR 100000000000	/* from 1970, either way: differences don't overflow */

/* Up to so long by so much: 720 minutes, 744 hours, 1,000 days, 1,043 weeks, 961 months */
static const struct {
	int64_t seconds;
	enum span_by by;
} steps[] = {
	{ 12 * HOUR, SPAN_MINUTE }, { 31 * DAY, SPAN_HOUR },
	{ 1000 * (int64_t) DAY, SPAN_DAY }, { 20 * YEAR, SPAN_WEEK },
	{ 80 * YEAR, SPAN_MONTH },
};

#define NSTEPS (sizeof(steps) / sizeof(*steps))

static const struct {
	const char *name;
	int64_t seconds;
	enum span_by by;
} kinds[RANGE_KINDS] = {
	[RANGE_HOUR] = { "hour", HOUR, SPAN_MINUTE }, [RANGE_DAY] = { "day", DAY, SPAN_HOUR },
	[RANGE_WEEK] = { "week", 7 * DAY, SPAN_HOUR },
	[RANGE_MONTH] = { "month", 30 * (int64_t) DAY, SPAN_DAY }, [RANGE_SPAN] = { .name = "span" },
};

const char *range_name(enum range_kind kind)
{
	return kinds[kind].name;
}

/* The begin of the step, or of the next one if it is not that */
static int64_t next_begin(enum span_by by, int64_t at)
{
	int64_t begin = span_begin(by, at);

	return begin < at ? span_next(by, begin) : begin;
}

static void last_set(struct range *r, enum range_kind kind, int64_t now)
{
	r->by = kinds[kind].by;
	/* what has just begun is there, too, but a minute is too short for that */
	r->end = r->by == SPAN_MINUTE ? span_begin(r->by, now) : next_begin(r->by, now + 1);
	r->start = r->end - kinds[kind].seconds;
	/* days have 23 to 25 hours */
	if (r->by == SPAN_DAY)
		r->start = span_begin(SPAN_DAY, r->start + DAY / 2);
}

static const char *span_set(struct range *r, const char *from, const char *to, int64_t now)
{
	size_t i = 0;

	if (!is_given(from) || !span_time(from, now, &r->start))
		return "The begin is no time, such as 2026-11-23T14:00.";
	r->end = now;
	if (is_given(to) && !span_time(to, now, &r->end))
		return "The end is no time, such as 2026-11-23T14:00.";
	if (r->start < -FAR || r->start > FAR || r->end < -FAR || r->end > FAR)
		return "Such a time is too far away.";
	if (r->start > r->end)
		return "The begin is later than the end.";
	while (i < NSTEPS && r->end - r->start > steps[i].seconds)
		i++;
	if (i == NSTEPS)
		return "More than 80 years are too many.";
	r->by = steps[i].by;
	/* longer steps may be cut: the rest of them is there by hour */
	r->start = span_begin(r->by == SPAN_MINUTE ? SPAN_MINUTE : SPAN_HOUR, r->start);
	r->end = next_begin(r->by == SPAN_MINUTE ? SPAN_MINUTE : SPAN_HOUR, r->end);
	if (r->end == r->start)
		r->end = span_next(r->by, r->start);
	return NULL;
}

const char *range_read(struct range *range, enum range_kind *kind,
		       const char *name, const char *from, const char *to, int64_t now)
{
	int k = RANGE_HOUR;

	if (!is_given(name))
		name = range_name(is_given(from) ? RANGE_SPAN : RANGE_DAY);
	*range = (struct range) { .by = SPAN_WHOLE };
	while (k < RANGE_KINDS && strcmp(name, kinds[k].name))
		k++;
	*kind = k < RANGE_KINDS ? (enum range_kind) k : RANGE_DAY;
	if (k == RANGE_KINDS)
		return "The time is none of hour, day, week, month and span.";
	if (k == RANGE_SPAN)
		return span_set(range, from, to, now);
	last_set(range, *kind, now);
	return NULL;
}

void range_to_days(struct range *range)
{
	if (range->by < SPAN_DAY)
		range->by = SPAN_DAY;
	range->start = span_begin(SPAN_DAY, range->start);
	range->end = next_begin(SPAN_DAY, range->end);
}

void range_coarsen(struct range *range)
{
	if (range->by == SPAN_MONTH)
		return;
	range->by++;
	range->start = span_begin(range->by, range->start);
	range->end = next_begin(range->by, range->end);
}
