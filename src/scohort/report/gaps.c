/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gaps.c - what a database does not know of the time of a report
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "report/gaps.h"

#define GAPS_SHOWN 10

static int gaps_list(const struct db *db, const struct range *range,
		     struct json_object *list)
{
	sqlite3_stmt *s = db_prepare(db, "SELECT kind, begin, end, seconds"
		" FROM gap WHERE begin < ?2 AND end >= ?1 ORDER BY begin, end");
	int rc = SQLITE_ERROR;

	if (!s)
		return -1;
	db_bind(s, "ii", range->start, range->end);
	while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
		struct json_object *o = json_object_new_object();

		json_add_text(o, "kind", sqlite3_column_int(s, 0)
			      == DB_GAP_SPREAD ? "spread" : "unknown");
		json_add_number(o, "from", sqlite3_column_int64(s, 1));
		json_add_number(o, "until", sqlite3_column_int64(s, 2));
		json_add_number(o, "seconds", sqlite3_column_int64(s, 3));
		json_object_array_add(list, o);
	}
	if (rc != SQLITE_DONE)
		db_error(db);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? 0 : -1;
}

/* The first hour that is still kept, if there are older days */
static const char hours_sql[] =
	"SELECT (SELECT min(slot) FROM usage WHERE level = 1)"
	" WHERE (SELECT min(slot) FROM usage WHERE level = 2) <="
	" (SELECT min(slot) FROM usage WHERE level = 1) - 86400";

static int number_add(const struct db *db, const char *sql, const char *key,
		      struct json_object *document)
{
	int64_t number = 0;
	int rc = db_once(db, &number, sql, "");

	json_add_time(document, key, number);
	return rc < 0 ? -1 : 0;
}

int gaps_fill(const struct db *db, const struct range *range,
	      struct json_object *document)
{
	struct json_object *list = json_object_new_array();
	int rc = gaps_list(db, range, list);

	json_object_object_add(document, "gaps", list);
	if (rc < 0
	    || number_add(db, "SELECT begun FROM reading", "recordedFrom",
			  document) < 0
	    || number_add(db, "SELECT at FROM reading", "recordedUntil",
			  document) < 0
	    || number_add(db, hours_sql, "hoursFrom", document) < 0)
		return -1;
	return 0;
}

int evictions_known_fill(const struct db *db, struct json_object *document)
{
	return number_add(db, "SELECT min(ended) FROM event", "evictionsFrom",
			  document) < 0
	       || number_add(db, "SELECT at FROM reading", "recordedUntil",
			     document) < 0 ? -1 : 0;
}

/* ---- notes ---- */

static bool needs_hours(const struct range *range, int64_t before)
{
	struct part parts[RANGE_PARTS];
	size_t n = range_parts(range, parts);

	for (size_t i = 0; i < n; i++)
		if (parts[i].level == DB_HOUR && parts[i].begin < before)
			return true;
	return false;
}

/* format has the two times, as texts */
__attribute__((format(printf, 2, 0)))
static void note_add(struct json_object *notes, const char *format,
		     int64_t from, int64_t until, int64_t seconds)
{
	char begin[TEXT_SIZE], end[TEXT_SIZE], length[TEXT_SIZE], text[512];

	text_date(begin, sizeof(begin), from);
	text_date(end, sizeof(end), until);
	text_duration(length, sizeof(length), seconds);
	snprintf(text, sizeof(text), format, begin, end, length);
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
		 : "From %s to %s there is no account: slurmctld was down.",
		 begin, end, seconds);
}

void gaps_notes(struct json_object *notes, const struct range *range,
		struct json_object *document)
{
	int64_t from = json_number(document, "recordedFrom");
	int64_t until = json_number(document, "recordedUntil");
	int64_t hours = json_number(document, "hoursFrom");
	int64_t oldest = json_number(document, "evictionsFrom");
	size_t gaps = json_items(document, "gaps");
	char text[128];

	if (range->start < oldest)
		note_add(notes, "The oldest eviction that is kept ended at %s.",
			 oldest, 0, 0);
	if (range->start < from)
		note_add(notes, "Recorded from %s on.", from, 0, 0);
	if (until && until < range->end)
		note_add(notes, "Recorded until %s.", until, 0, 0);
	if (hours && needs_hours(range, hours))
		note_add(notes, "Hours before %s are no longer kept, and are "
			 "left out: only whole days are.", hours, 0, 0);
	for (size_t i = 0; i < gaps && i < GAPS_SHOWN; i++)
		gap_note(notes, json_item(document, "gaps", i));
	if (gaps <= GAPS_SHOWN)
		return;
	snprintf(text, sizeof(text), "There are %zu more such times: --json "
		 "lists them.", gaps - GAPS_SHOWN);
	json_object_array_add(notes, json_object_new_string(text));
}
