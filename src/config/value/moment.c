/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moment.c - points in time as people write them
 */
#define _DEFAULT_SOURCE	/* timegm */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "value/moment.h"
#include "value/scalar.h"

static const char *const days[] = {
	"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
	"Sunday",
};

/* Exactly n digits at *p, which moves on; -1: there are others */
static int digits_take(const char **p, int n)
{
	int value = 0;

	for (; n; n--, (*p)++) {
		if (!isdigit((unsigned char) **p))
			return -1;
		value = 10 * value + (**p - '0');
	}
	return value;
}

/* "08:00" or "08:00:00", and no more. Seconds of the day, or -1 */
static int clock_parse(const char *p)
{
	int hour = digits_take(&p, 2), minute, second = 0;

	if (hour < 0 || hour > 23 || *p++ != ':')
		return -1;
	minute = digits_take(&p, 2);
	if (minute < 0 || minute > 59)
		return -1;
	if (*p == ':') {
		p++;
		second = digits_take(&p, 2);
	}
	if (second < 0 || second > 59 || *p)
		return -1;
	return hour * 3600 + minute * 60 + second;
}

static int date_parse(const char *p, struct wall *wall)
{
	struct tm tm = { .tm_year = digits_take(&p, 4) - 1900 }, got;
	int clock = 0;

	if (tm.tm_year < 70 || *p++ != '-')
		return -1;
	tm.tm_mon = digits_take(&p, 2) - 1;
	if (tm.tm_mon < 0 || tm.tm_mon > 11 || *p++ != '-')
		return -1;
	tm.tm_mday = digits_take(&p, 2);
	if (tm.tm_mday < 1 || (*p && *p != 'T' && *p != ' '))
		return -1;
	if (*p)
		clock = clock_parse(p + 1);
	got = tm;
	wall->weekly = false;
	wall->seconds = timegm(&got) + clock;
	/* a day that the month does not have is one of the next month */
	return clock < 0 || got.tm_mday != tm.tm_mday ? -1 : 0;
}

/* A day's name, or three letters of it */
static int day_parse(const char *p, struct wall *wall)
{
	size_t n = strcspn(p, " \t"), blanks = strspn(p + n, " \t");
	int clock = p[n] ? clock_parse(p + n + blanks) : 0;

	for (int i = 0; i < 7 && clock >= 0; i++) {
		if ((n != 3 && n != strlen(days[i]))
		    || strncasecmp(p, days[i], n))
			continue;
		wall->weekly = true;
		wall->seconds = i * WALL_DAY + clock;
		return 0;
	}
	return -1;
}

int moment_parse(const char *text, struct wall *wall)
{
	if (isdigit((unsigned char) *text))
		return date_parse(text, wall);
	return day_parse(text, wall);
}

int value_moment(struct reader *r, const struct place *at, struct node *n,
		 void *dest, const void *arg)
{
	const char *text = value_text(r, at, n, "a time");

	(void) arg;
	if (!text)
		return -1;
	if (moment_parse(text, dest) < 0)
		return field_error(r, at, n, "%s is not a time "
				   "(2026-12-01T08:00, or Mon 08:00 for each "
				   "week, would be right)",
				   node_quote(n).text);
	return 0;
}
