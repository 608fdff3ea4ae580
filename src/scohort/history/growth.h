/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.h - by how much a counter has grown since the last reading, and over which time
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
#ifndef SCOHORT_HISTORY_GROWTH_H
#define SCOHORT_HISTORY_GROWTH_H

#include "history/db.h"

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
void stretch_spread(const struct stretch *s, enum db_level level, int64_t oldest,
		    int64_t amount,
		    void (*put)(void *arg, int64_t slot, int64_t part), void *arg);

#endif /* SCOHORT_HISTORY_GROWTH_H */
