/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range.h - which time a page of the past is about, and its steps
 *
 * Each choice leads to RANGE_STEPS_MAX steps at most, whatever is asked.
 */
#ifndef SCOHORT_PAST_RANGE_H
#define SCOHORT_PAST_RANGE_H

#include "report/span.h"

#define RANGE_STEPS_MAX 1100

enum range_kind {
	RANGE_HOUR,		/* the last 60 minutes, by minute */
	RANGE_DAY,		/* 24 hours, this one included */
	RANGE_WEEK,		/* 7 times 24 hours, by hour */
	RANGE_MONTH,		/* 30 days, today included */
	RANGE_SPAN,		/* from one time to another */
	RANGE_KINDS
};

/* "hour", "day", "week", "month", "span" */
const char *range_name(enum range_kind kind);

/* What a request says; NULL or "": nothing. No name: a span if there is a begin, else a
 * day. A span ends now if it has no end; times are those of span_time(). NULL, or what is
 * wrong, a literal. */
const char *range_read(struct range *range, enum range_kind *kind,
		       const char *name, const char *from, const char *to,
		       int64_t now);

/* The next longer steps, and as much time more as these need. Of months: as it is */
void range_coarsen(struct range *range);

/* As much time more as whole days need, by days at least */
void range_to_days(struct range *range);

#endif /* SCOHORT_PAST_RANGE_H */
