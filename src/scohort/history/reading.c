/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading.c - what a reading says of its time, and by how much counters have grown
 */
#include <stdio.h>
#include <string.h>

#include "history/reading.h"
#include "input/json_members.h"
#include "lib/sat.h"

#define DAY 86400
#define SPREAD_SECONDS 7200		/* longer without a reading: that is told */

/* ---- by how much a counter has grown ---- */

enum epoch epoch_of(int64_t before, int64_t newest, int64_t since)
{
	return since > newest ? EPOCH_NEW : since != before ? EPOCH_OLD : EPOCH_SAME;
}

int64_t growth_of(const struct counter *c, int64_t value)
{
	bool anew = c->epoch == EPOCH_NEW;
	/* such a counter has surely begun at zero when the epoch did */
	bool is_of_epoch = c->kind == COUNTED_SUM || c->kind == COUNTED_LOAN;

	if (c->epoch == EPOCH_FIRST || c->epoch == EPOCH_OLD)
		return 0;
	if (!c->known || (anew && is_of_epoch))
		return value;
	if (value >= c->before)
		return value - c->before;
	return anew || c->gone ? value : 0;
}

/* ---- over which time ---- */

static int64_t overlap(int64_t begin, int64_t end, int64_t from, int64_t until)
{
	return max64(0, min64(end, until) - max64(begin, from));
}

/* Of the time from..until what is known */
static int64_t known(const struct stretch *s, int64_t from, int64_t until)
{
	int64_t begin = max64(s->begin, from), end = min64(s->end, until);

	return overlap(s->begin, s->end, from, until)
	       - overlap(begin, end, s->gap_begin, s->gap_end);
}

int64_t stretch_length(const struct stretch *s)
{
	return known(s, s->begin, s->end);
}

int64_t stretch_last(const struct stretch *s)
{
	int64_t end = s->gap_begin < s->end && s->gap_end >= s->end ? s->gap_begin : s->end;

	return end > s->begin && stretch_length(s) ? end - 1 : s->end;
}

/* Without overflow: amounts may be large, lengths are of years at most */
static int64_t part_of(int64_t amount, int64_t done, int64_t length)
{
	return done >= length ? amount : amount / length * done + (int64_t)
	       ((long double) (amount % length) * (long double) done / (long double) length);
}

void stretch_spread(const struct stretch *s, enum span_by level, int64_t oldest, int64_t amount,
		    void (*put)(void *arg, int64_t slot, int64_t part), void *arg)
{
	int64_t length = stretch_length(s), done = 0, given = 0, next;
	int64_t slot = span_begin(level, length ? s->begin : s->end);

	if (!length && slot >= oldest)
		put(arg, slot, amount);
	for (; length && slot < s->end; slot = next) {
		int64_t part;

		next = span_next(level, slot);
		if (slot >= s->gap_begin && next <= s->gap_end)	/* it may be long */
			next = max64(next, span_begin(level, min64(s->gap_end, s->end)));
		done += known(s, slot, next);
		part = part_of(amount, done, length) - given;
		given += part;
		if (part && slot >= oldest)
			put(arg, slot, part);
	}
}

/* ---- reading ---- */

static bool queue_is_busy(struct json_object *queue)
{
	if (json_number(queue, "waiting") > 0)
		return true;
	for (size_t i = 0; i < json_items(queue, "quota"); i++)
		if (json_number(json_item(queue, "quota", i), "used") > 0)
			return true;
	return false;
}

bool reading_of(struct reading *r, struct json_object *document, int64_t now)
{
	struct json_object *account = json_member(document, "account");
	struct json_object *gaps = json_member(account, "gaps");

	*r = (struct reading) {
		.since = json_number(account, "since"),
		.at = json_number(account, "at"),
		.seen = now,
		.gaps = json_number(gaps, "number"),
		.gap_seconds = json_number(gaps, "seconds"),
		.gap_begin = json_number(gaps, "from"),
		.gap_end = json_number(gaps, "until"),
	};
	r->begun = r->at;
	for (size_t i = 0; !r->busy && i < json_items(document, "clusterQueues"); i++)
		r->busy = queue_is_busy(json_item(document, "clusterQueues", i));
	return r->at > 0;
}

void reading_follow(struct reading *r, const struct reading *before)
{
	r->newest = r->since;
	r->kept = min64(r->at, r->seen);
	if (!before) {
		zone_here(r->zone, sizeof(r->zone));
		return;
	}
	r->begun = before->begun;
	r->newest = max64(r->newest, before->newest);
	r->kept = min64(r->kept, before->kept + DAY);
	memcpy(r->zone, before->zone, sizeof(r->zone));
}

static bool row_load(void *arg, sqlite3_stmt *row)
{
	const unsigned char *zone = sqlite3_column_text(row, 9);
	struct reading *r = arg;

	*r = (struct reading) {
		.begun = sqlite3_column_int64(row, 0),
		.since = sqlite3_column_int64(row, 1),
		.at = sqlite3_column_int64(row, 2),
		.seen = sqlite3_column_int64(row, 3),
		.busy = sqlite3_column_int(row, 4),
		.gaps = sqlite3_column_int64(row, 5),
		.gap_seconds = sqlite3_column_int64(row, 6),
		.newest = sqlite3_column_int64(row, 7),
		.kept = sqlite3_column_int64(row, 8),
	};
	snprintf(r->zone, sizeof(r->zone), "%s", zone ? (const char *) zone : "");
	return false;
}

int reading_load(struct reading *r, const struct db *db)
{
	*r = (struct reading) { .at = 0 };
	return db_ask(db, row_load, r, "SELECT begun, since, at, seen, busy, gaps,"
		      " gap_seconds, newest, kept, zone FROM reading", "");
}

int reading_store(const struct reading *r, const struct db *db)
{
	return db_do(db, "INSERT OR REPLACE INTO reading VALUES"
		     " (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
		     "iiiiiiiiit", r->begun, r->since, r->at, r->seen,
		     (int64_t) r->busy, r->gaps, r->gap_seconds, r->newest, r->kept, r->zone);
}

/* ---- gaps ---- */

static int gap_put(const struct db *db, enum db_gap kind, int64_t begin,
		   int64_t end, int64_t seconds)
{
	return db_do(db, "INSERT OR REPLACE INTO gap"
		     " VALUES (?1, ?2, ?3, ?4)", "iiii", (int64_t) kind, begin, end, seconds);
}

/* The last gap is known by its times. If there were others since the last reading,
 * it is known how long they were, and that they were before it. */
static int gaps_put(const struct db *db, const struct reading *before, const struct reading *r)
{
	int64_t number = r->gaps - before->gaps;
	int64_t others = r->gap_seconds - before->gap_seconds - (r->gap_end - r->gap_begin);

	if (number <= 0)
		return 0;
	if (gap_put(db, DB_GAP_UNKNOWN, r->gap_begin, r->gap_end, r->gap_end - r->gap_begin) < 0)
		return -1;
	if (number == 1 || others <= 0 || before->at >= r->gap_begin)
		return 0;
	return gap_put(db, DB_GAP_UNKNOWN, before->at, r->gap_begin, others);
}

/* The sums are right, but who knows when it was: while nothing was in use nothing
 * but nominal quota has added up. */
static int spread_put(const struct db *db, const struct reading *before, const struct reading *r)
{
	/* this machine's clock may not be slurmctld's */
	bool differs = before->seen < before->at || before->seen > r->at;
	int64_t begin = differs ? before->at : before->seen;

	if (r->at - begin <= SPREAD_SECONDS)
		return 0;
	return gap_put(db, DB_GAP_SPREAD, begin, r->at, r->at - begin);
}

static int interval_gaps_put(const struct db *db, enum epoch epoch, const struct reading *before,
			     const struct reading *r)
{
	int64_t unknown = epoch == EPOCH_NEW ? r->since : r->at;

	if (epoch == EPOCH_SAME)
		return gaps_put(db, before, r) < 0 || spread_put(db, before, r) < 0 ? -1 : 0;
	if (unknown <= before->at)
		return 0;
	return gap_put(db, DB_GAP_UNKNOWN, before->at, unknown, unknown - before->at);
}

/* ---- interval ---- */

int interval_make(struct interval *v, const struct db *db,
		  const struct reading *before, const struct reading *r)
{
	int64_t from = r->at, used;

	v->epoch = before ? epoch_of(before->since, before->newest, r->since) : EPOCH_FIRST;
	v->since = r->since;
	if (before && before->at < r->at)
		from = before->at;
	if (v->epoch == EPOCH_NEW && r->since > from)
		from = r->since < r->at ? r->since : r->at;
	used = from;
	if (v->epoch == EPOCH_SAME && !before->busy && before->seen > from && from < r->at)
		used = before->seen < r->at ? before->seen : r->at - 1;
	v->nominal = (struct stretch) { .begin = from, .end = r->at };
	if (v->epoch == EPOCH_SAME && r->gaps > before->gaps) {
		v->nominal.gap_begin = r->gap_begin;
		v->nominal.gap_end = r->gap_end;
	}
	v->used = v->nominal;
	v->used.begin = used;
	return before ? interval_gaps_put(db, v->epoch, before, r) : 0;
}
