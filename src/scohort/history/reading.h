/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading.h - what a reading says of its time, and the one before it
 */
#ifndef SCOHORT_HISTORY_READING_H
#define SCOHORT_HISTORY_READING_H

#include <json.h>

#include "history/growth.h"

/* Times in seconds */
struct reading {
	int64_t begun;		/* `at` of the first reading of all */
	int64_t since, at;	/* of the published sums */
	int64_t newest;		/* the largest `since` of all readings */
	int64_t kept;		/* how long things are kept is counted from then */
	int64_t seen;		/* when it was taken, by the clock here */
	bool busy;		/* something was in use, or a queue waited */
	int64_t gaps, gap_seconds;	/* how many, up to now */
	int64_t gap_begin, gap_end;	/* the last one */
	char zone[ZONE_MAX];	/* of the first reading of all */
};

/* How the time between two readings is told */
struct interval {
	enum epoch epoch;
	int64_t since;
	struct stretch nominal;	/* nominal quota adds up all the time, */
	struct stretch used;	/* all else while something is in use */
};

/* false: the document has no account */
bool reading_of(struct reading *r, struct json_object *document, int64_t now);

/* What goes on from the reading before; before is NULL for the first one. Time goes on
 * by a day from one reading to the next at most: a clock that is wrong for a while must
 * not make everything old. */
void reading_follow(struct reading *r, const struct reading *before);

/* `at` is 0 if there is none. -1 after a message */
int reading_load(struct reading *r, const struct db *db);
int reading_store(const struct reading *r, const struct db *db);

/* before is NULL for the first reading. Keeps the gaps in the database. -1 after
 * a message */
int interval_make(struct interval *v, const struct db *db,
		  const struct reading *before, const struct reading *r);

#endif /* SCOHORT_HISTORY_READING_H */
