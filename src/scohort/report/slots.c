/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slots.c - rows of a table of the database, in the order of their slots
 */
#include "output/output.h"
#include "report/slots.h"

#define DAY_MAX (26 * 3600)

static void segment_add(struct range *r, enum db_level level, int64_t begin,
			int64_t end)
{
	if (begin < end)
		r->segments[r->n++] = (struct segment) { level, begin, end };
}

void range_make(struct range *r, int64_t start, int64_t end, enum span_by by)
{
	int64_t first = db_slot(DB_DAY, start), last = db_slot(DB_DAY, end);

	*r = (struct range) { .start = start, .end = end, .by = by };
	if (by == SPAN_MINUTE) {
		segment_add(r, DB_MINUTE, start, end);
		return;
	}
	if (first < start)
		first = db_next_slot(DB_DAY, first);
	if (by == SPAN_HOUR || first >= last) {
		segment_add(r, DB_HOUR, start, end);
		return;
	}
	segment_add(r, DB_HOUR, start, first);
	segment_add(r, DB_DAY, first, last);
	segment_add(r, DB_HOUR, last, end);
}

int range_check(const struct range *r, const struct db *db, const char *zone)
{
	sqlite3_stmt *s = db_prepare(db, "SELECT DISTINCT slot FROM usage"
					 " WHERE level = ?1 AND slot >= ?2"
					 " AND slot < ?3");
	bool fits = true;
	int rc = SQLITE_ERROR;

	if (!s)
		return -1;
	/* a day that begins before the range may reach into it */
	db_bind(s, "iii", (int64_t) DB_DAY, r->start - DAY_MAX, r->end);
	while (fits && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		int64_t slot = sqlite3_column_int64(s, 0);

		fits = db_slot(DB_DAY, slot) == slot;
	}
	if (!fits)
		stderr_line("scohort: %s: its days are not those of its time "
			    "zone %s on this host: are the files of zones the "
			    "same here (Debian: package tzdata) as where it was "
			    "recorded?", db->path, zone);
	else if (rc != SQLITE_DONE)
		db_error(db);
	sqlite3_finalize(s);
	return fits && rc == SQLITE_DONE ? 0 : -1;
}

static void segment_begin(struct slots *c)
{
	const struct segment *s = &c->range->segments[c->segment];

	sqlite3_reset(c->s);
	db_bind(c->s, "iii", (int64_t) s->level, s->begin, s->end);
}

void slots_next(struct slots *c)
{
	int rc = SQLITE_DONE;

	while (c->segment < c->range->n) {
		rc = sqlite3_step(c->s);
		if (rc != SQLITE_DONE)
			break;
		if (++c->segment < c->range->n)
			segment_begin(c);
	}
	c->slot = rc == SQLITE_ROW ? sqlite3_column_int64(c->s, 0) : INT64_MAX;
	c->failed = rc != SQLITE_ROW && rc != SQLITE_DONE;
	if (c->failed)
		db_error(c->db);
}

int slots_begin(struct slots *c, const struct db *db, const struct range *range,
		const char *sql)
{
	*c = (struct slots) { .db = db, .range = range, .slot = INT64_MAX };
	c->s = db_prepare(db, sql);
	if (!c->s) {
		c->failed = true;
		return -1;
	}
	if (range->n) {
		segment_begin(c);
		slots_next(c);
	}
	return c->failed ? -1 : 0;
}

int slots_end(struct slots *c)
{
	sqlite3_finalize(c->s);
	c->s = NULL;
	return c->failed ? -1 : 0;
}
