/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wall.c - times as clocks on the wall show them
 *
 * mktime() does not say which of two times it takes, and may take another one
 * the next time.
 */
#define _GNU_SOURCE	/* tm_gmtoff */
#include "model/model.h"

/* How far clocks are ahead of UTC at that time */
static int64_t offset_at(int64_t at)
{
	time_t t = (time_t) at;
	struct tm tm;

	return localtime_r(&t, &tm) ? tm.tm_gmtoff : 0;
}

int64_t wall_seconds(time_t at)
{
	return (int64_t) at + offset_at(at);
}

/* The first time with another offset than `low` has; at the latest `high` */
static int64_t change_between(int64_t low, int64_t high)
{
	int64_t before = offset_at(low);

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (offset_at(middle) == before)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* A day before and a day after, clocks have been set at most once. */
time_t wall_time(int64_t seconds)
{
	int64_t early = seconds - offset_at(seconds - WALL_DAY);
	int64_t late = seconds - offset_at(seconds + WALL_DAY);

	if (early + offset_at(early) == seconds)
		return (time_t) early;
	if (late + offset_at(late) == seconds)
		return (time_t) late;
	return (time_t) change_between(late, early);
}

int64_t wall_monday(int64_t seconds)
{
	int64_t thursday = 3 * WALL_DAY;	/* 1970 began with one */
	int64_t into = (seconds + thursday) % WALL_WEEK;

	return seconds - (into < 0 ? into + WALL_WEEK : into);
}
