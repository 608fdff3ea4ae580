/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moment.c - points in time as people write them
 */
#define _GNU_SOURCE	/* strptime, timegm */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "value/moment.h"
#include "value/scalar.h"

static const char *const days[] = {
	"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
	"Sunday",
};

static const char *const dates[] = {
	"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
	"%Y-%m-%d %H:%M:%S", NULL
};

static const char *const clocks[] = { "%H:%M", "%H:%M:%S", NULL };

/* Seconds since 1970, or of a day. strptime() takes more than it writes, as
 * February 31 or " 8:00": the text has to be what the time looks like. */
static int time_parse(const char *text, const char *const *formats,
		      int64_t *seconds)
{
	char again[32];

	for (; *formats; formats++) {
		struct tm tm = { .tm_year = 70, .tm_mday = 1 };
		const char *end = strptime(text, *formats, &tm);

		if (!end || *end)
			continue;
		*seconds = timegm(&tm);
		if (*seconds >= 0 &&
		    strftime(again, sizeof(again), *formats, &tm) &&
		    !strcmp(again, text))
			return 0;
	}
	return -1;
}

/* A day's name, or three letters of it, and a clock if wanted */
static int week_parse(const char *text, int64_t *seconds)
{
	size_t n = strcspn(text, " \t"), blanks = strspn(text + n, " \t");
	int64_t clock = 0;

	if (text[n] && time_parse(text + n + blanks, clocks, &clock) < 0)
		return -1;
	for (int i = 0; i < 7; i++) {
		if ((n == 3 || n == strlen(days[i])) &&
		    !strncasecmp(text, days[i], n)) {
			*seconds = i * WALL_DAY + clock;
			return 0;
		}
	}
	return -1;
}

int moment_parse(const char *text, struct wall *wall)
{
	wall->weekly = !isdigit((unsigned char) *text);
	if (wall->weekly)
		return week_parse(text, &wall->seconds);
	return time_parse(text, dates, &wall->seconds);
}

int value_moment(struct value *v)
{
	const char *text = value_text(v, "a time");

	if (!text)
		return -1;
	if (moment_parse(text, v->dest) < 0)
		return value_error(v, "%s is not a time (2026-12-01T08:00, or Mon 08:00 for each "
				   "week, would be right)", node_quote(v->n).text);
	return 0;
}
