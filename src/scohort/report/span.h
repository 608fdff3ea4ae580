/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span.h - the time that a report is about, and how it is divided
 */
#ifndef SCOHORT_REPORT_SPAN_H
#define SCOHORT_REPORT_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history/db.h"

/* As sreport reads them: YYYY-MM-DD[THH:MM[:SS]], MM/DD[/YY][-HH:MM[:SS]],
 * MM.DD[.YY], MMDD[YY], HH:MM[:SS] [AM|PM], today, yesterday, tomorrow, midnight,
 * noon, now[{+|-}COUNT[seconds|minutes|hours|days|weeks]]. A time without a date
 * is today's. Seconds since the epoch; false: none of these */
bool span_time(const char *text, int64_t now, int64_t *at);

/* The nearest hour of the local clock, as sreport rounds times */
int64_t span_round(int64_t at);

/* "hour", "day", "week", "month" */
bool span_by_name(const char *name, enum span_by *by);
/* The same, and "minute" and "whole" */
const char *span_by_text(enum span_by by);

/* "2026-11-23", "2026-11-23T14:00", "2026-11" */
void span_name(enum span_by by, int64_t at, char *buf, size_t size);

struct range {
	int64_t start, end;		/* full hours; by minute: full minutes */
	enum span_by by;
};

#define RANGE_PARTS 3

struct part {
	enum span_by level;
	int64_t begin, end;
};

/* What of a range is read from which level: whole days from days, the rest from hours; by
 * hour all from hours, and by minute from minutes. How many parts there are */
size_t range_parts(const struct range *r, struct part parts[RANGE_PARTS]);

#endif /* SCOHORT_REPORT_SPAN_H */
