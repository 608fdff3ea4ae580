/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.h - the past as a page: what the database of scohort record knows of a range
 *
 * The sums are those of scohort report. What a request asks for is looked up by name, and
 * not in an answer; times come back as times that were read. A request takes PAST_SECONDS
 * at most.
 */
#ifndef SCOHORT_PAST_PAST_H
#define SCOHORT_PAST_PAST_H

#include <json.h>

#include "pages/pages.h"
#include "report/ask.h"

/* ---- range.c: which time a page is about, and its steps ----
 *
 * Each choice leads to RANGE_STEPS_MAX steps at most, whatever is asked. */

#define RANGE_STEPS_MAX 1100

enum range_kind {
	RANGE_HOUR,		/* the last 60 minutes, by minute */
	RANGE_DAY,		/* 24 hours, this one included */
	RANGE_WEEK,		/* 7 times 24 hours, by hour */
	RANGE_MONTH,		/* 30 days, today included */
	RANGE_SPAN,		/* from one time to another */
	RANGE_KINDS
};

/* A part of a request may be NULL or "". */
static inline bool is_given(const char *text)
{
	return text && *text;
}

/* "hour", "day", "week", "month", "span" */
const char *range_name(enum range_kind kind);

/* What a request says; NULL or "": nothing. No name: a span if there is a begin, else a
 * day. A span ends now if it has no end; times are those of span_time(). NULL, or what is
 * wrong, a literal. */
const char *range_read(struct range *range, enum range_kind *kind,
		       const char *name, const char *from, const char *to, int64_t now);

/* The next longer steps, and as much time more as these need. Of months: as it is */
void range_coarsen(struct range *range);

/* As much time more as whole days need, by days at least */
void range_to_days(struct range *range);

/* ---- past.c ---- */

#define PAST_SECONDS 4
#define PAST_ROWS_MAX 1000	/* of a list of evictions */

/* Parts of a request; NULL or "": not given */
struct past_query {
	const char *range, *from, *to;	/* range_read() */
	const char *queue;	/* of the plot; else all */
	const char *of;		/* RESOURCE, or RESOURCE@FLAVOR */
};

enum past_kind { PAST_USAGE, PAST_EVICTIONS };

enum past_status {
	PAST_OK,
	PAST_WRONG,		/* such a range can't be */
	PAST_MISSING,		/* the database has no such queue or resource */
	PAST_FAILED,		/* the database can't be read now */
};

struct past {
	enum past_kind kind;
	enum past_status status;
	enum range_kind when;
	struct json_object *document;	/* never NULL; if not PAST_OK "error", "choices"
					 * and what is chosen, and nothing else */
	struct ask ask;		/* its range is that of the document */
};

/*
 * Until past_close() local time is that of the database's zone. The document has
 *   start, end, zone, by; resource, flavor; clusterQueue (usage; null: all)
 *   choices: {queues: [NAME], of: [RESOURCE or RESOURCE@FLAVOR]}
 *   notes: what is not known of the range, in sentences
 *   rows, totals: as scohort report --json has them; of evictions as --evictions
 *   steps (usage): ask_steps()
 *   Where jobs are private, evictions and delays of less than a day are left out (rows,
 *   totals) or null (steps).
 *   wholeDays (evictions): jobs are private, so the range is one of whole days
 *   costliest (evictions): as --costliest, without jobs; null where jobs are private
 */
void past_open(struct past *p, const char *db, enum past_kind kind,
	       const struct past_query *q, int64_t now);
void past_close(struct past *p);

/* The same as HTML: tables, and a place for the charts of charts.js. v: is_past */
void past_page(struct html *h, const struct page_source *v, const struct past *p);

#endif /* SCOHORT_PAST_PAST_H */
