/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gaps.c - what a database does not know of a time
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "report/ask.h"

#define GAPS_SHOWN 10

static int time_add(const struct ask *a, const char *sql, const char *key,
		    struct json_object *document)
{
	int64_t when;
	int rc = db_numbers(&a->db, &when, 1, sql, "");

	json_add_time(document, key, when);
	return rc < 0 ? -1 : 0;
}

/* The first hour that is still kept, if there are older days */
static const char hours_sql[] =
	"SELECT (SELECT min(slot) FROM usage WHERE level = 1)"
	" WHERE (SELECT min(slot) FROM usage WHERE level = 2) <="
	" (SELECT min(slot) FROM usage WHERE level = 1) - 86400";

int ask_gaps(const struct ask *a, struct json_object *document)
{
	struct json_object *list = json_add_list(document, "gaps");

	json_add_time(document, "recordedFrom", a->last.begun);
	json_add_time(document, "recordedUntil", a->last.at);
	/* kind: enum db_gap */
	return ask_rows(a, list, "SELECT CASE kind WHEN 1 THEN 'spread' ELSE 'unknown' END"
			" AS kind, \"begin\" AS \"from\", \"end\" AS until, seconds FROM gap"
			" WHERE \"begin\" < ?2 AND \"end\" >= ?1 ORDER BY \"begin\", \"end\"",
			"ii", a->range.start, a->range.end) < 0
	       || time_add(a, hours_sql, "hoursFrom", document) < 0 ? -1 : 0;
}

int ask_evictions_from(const struct ask *a, struct json_object *document)
{
	json_add_time(document, "recordedUntil", a->last.at);
	return time_add(a, "SELECT min(ended) FROM event", "evictionsFrom", document);
}

/* ---- notes ---- */

static bool needs_hours(const struct range *range, int64_t before)
{
	struct part parts[RANGE_PARTS];
	size_t n = range_parts(range, parts);

	for (size_t i = 0; i < n; i++)
		if (parts[i].level == SPAN_HOUR && parts[i].begin < before)
			return true;
	return false;
}

/* format has the two times, and the length as texts */
__attribute__((format(printf, 2, 0)))
static void note_add(struct json_object *notes, const char *format,
		     int64_t from, int64_t until, int64_t seconds)
{
	char text[512];

	snprintf(text, sizeof(text), format, text_date(TEXT_BUF, from), text_date(TEXT_BUF, until),
		 text_duration(TEXT_BUF, seconds));
	json_object_array_add(notes, json_object_new_string(text));
}

static void gap_note(struct json_object *notes, struct json_object *gap)
{
	int64_t begin = json_number(gap, "from"), end = json_number(gap, "until");
	int64_t seconds = json_number(gap, "seconds");

	note_add(notes, !strcmp(json_text(gap, "kind"), "spread")
		 ? "From %s to %s nothing was recorded: the sums are right, and "
		   "spread evenly over it."
		 : begin == end
		 ? "At %s the clock was set back: times before it may be there "
		   "twice."
		 : seconds < end - begin
		 ? "From %s to %s there is no account of %s in all: slurmctld "
		   "was down."
		 : "From %s to %s there is no account: slurmctld was down.", begin, end, seconds);
}

void ask_notes(const struct ask *a, struct json_object *document, struct json_object *notes)
{
	int64_t from = json_number(document, "recordedFrom");
	int64_t until = json_number(document, "recordedUntil");
	int64_t hours = json_number(document, "hoursFrom");
	int64_t oldest = json_number(document, "evictionsFrom");
	size_t gaps = json_items(document, "gaps");
	char text[128];

	if (a->range.start < oldest)
		note_add(notes, "The oldest eviction that is kept ended at %s.", oldest, 0, 0);
	if (a->range.start < from)
		note_add(notes, "Recorded from %s on.", from, 0, 0);
	if (until && until < a->range.end)
		note_add(notes, "Recorded until %s.", until, 0, 0);
	if (hours && needs_hours(&a->range, hours))
		note_add(notes, "Hours before %s are no longer kept, and are left out: only whole "
			 "days are.", hours, 0, 0);
	for (size_t i = 0; i < gaps && i < GAPS_SHOWN; i++)
		gap_note(notes, json_item(document, "gaps", i));
	if (gaps <= GAPS_SHOWN)
		return;
	snprintf(text, sizeof(text), "There are %zu more such times: --json lists "
		 "them.", gaps - GAPS_SHOWN);
	json_object_array_add(notes, json_object_new_string(text));
}
