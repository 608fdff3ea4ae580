/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wall.h - times as clocks on the wall show them
 *
 * The time zone is that of the process. Where its clocks are set forward, a time
 * that they skip is the moment of the change. Where they are set back, a time
 * that they show twice is the first of the two.
 */
#ifndef COHORT_WALL_H
#define COHORT_WALL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define WALL_DAY INT64_C(86400)
#define WALL_WEEK (7 * WALL_DAY)

struct wall {
	bool weekly;
	int64_t seconds;	/* since 1970 if clocks were never set; weekly:
				 * since Monday, 00:00 */
};

/* What clocks show at that time */
int64_t wall_seconds(time_t at);

/* When clocks show that (not weekly) */
time_t wall_time(int64_t seconds);

/* Monday, 00:00, of the week of that time, as clocks show it */
int64_t wall_monday(int64_t seconds);

/* Writes "2026-12-01T08:00:00", as clocks show it */
void wall_format(time_t at, char *buf, size_t size);

#endif /* COHORT_WALL_H */
