/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading.h - what a reading says of its time, and by how much counters have grown
 */
#ifndef SCOHORT_HISTORY_READING_H
#define SCOHORT_HISTORY_READING_H

#include <json.h>

#include "history/db.h"

/* ---- by how much a counter has grown since the last reading, and over which time ----
 *
 * slurmctld's counters live as long as its state file. What may happen to them
 * between two readings, and what is made of it:
 *
 *	the state was lost: they begin anew at a later `since`
 *		sums count in full; of other counters, which may have been kept,
 *		what is above the old value, or all of those that are below it
 *	a queue or its quota went and came back: they begin anew, too
 *		the same
 *	slurmctld crashed: they are as last saved, up to a minute ago
 *		one that is less than before has not grown; it goes on from there
 *	an older state file was put back, the clock set back, or a second controller
 *	published a state of its own: another `since`, not above all that were seen
 *		nothing has grown; all go on from there
 *
 * So nothing counts twice, and in doubt it counts not at all.
 */

enum epoch {
	EPOCH_FIRST,		/* no reading before: what was is not known */
	EPOCH_SAME,
	EPOCH_NEW,		/* a later `since` than any reading had */
	EPOCH_OLD,		/* another than at the last reading, and not later
				 * than all: that may have been counted */
};

/* The kinds of counters, as the database has them */
enum counted {
	COUNTED_SUM,		/* of a pair, what: enum db_amount */
	COUNTED_LOAN,		/* of a link */
	COUNTED_EVENT,		/* of a node, by `what` */
	COUNTED_LOST,		/* of a pair */
};

struct counter {
	enum counted kind;
	bool gone;		/* the last reading did not have what it is of */
	enum epoch epoch;	/* since it was seen last; if it never was, since
				 * the last reading */
	bool known;		/* some reading had it; then */
	int64_t before;
};

/* before: of the last reading; newest: the largest of all readings */
enum epoch epoch_of(int64_t before, int64_t newest, int64_t since);

/* Not less than 0 */
int64_t growth_of(const struct counter *c, int64_t value);

/* The time between two readings, and one in it that is not known; gap_end <= gap_begin:
 * there is none, whatever else they are */
struct stretch {
	int64_t begin, end, gap_begin, gap_end;
};

/* The seconds of it that are known, and the last of these */
int64_t stretch_length(const struct stretch *s);
int64_t stretch_last(const struct stretch *s);

/* Spreads the amount evenly over what is known of the stretch; if that is nothing, all falls
 * to its end. Calls put() for each slot that has some of it, from `oldest` on; what falls
 * to earlier ones is left out. Parts are whole, and all of them together are the amount. */
void stretch_spread(const struct stretch *s, enum span_by level, int64_t oldest, int64_t amount,
		    void (*put)(void *arg, int64_t slot, int64_t part), void *arg);

/* ---- a reading, and the one before it ---- */

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
