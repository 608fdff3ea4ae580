/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * times.c - times as people write them
 *
 * Slurm's own reader accepts all that sscanf() can make something of. This one
 * takes the same formats and nothing else.
 */
#define _GNU_SOURCE	/* strptime, timegm */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text/report.h"
#include "value/times.h"

/* ---- spans of time ---- */

#define SECOND INT64_C(1000000000)
#define MINUTE 60
#define HOUR 3600
#define DAY 86400
#define SECONDS_MAX ((int64_t) DURATION_MAX_DAYS * DAY)

/* Numbers, each with the mark behind it */
struct numbers {
	int64_t of[4];
	char marks[5];		/* as many, or one less */
	size_t n;
};

/* One with too many digits is the largest that there is. */
static int numbers_read(const char *p, struct numbers *numbers)
{
	*numbers = (struct numbers) { .n = 0 };
	while (numbers->n < 4 && isdigit((unsigned char) *p)) {
		char *end, mark;

		numbers->of[numbers->n] = strtoll(p, &end, 10);
		mark = *end;
		if (mark && !strchr("-:dhms", mark))
			return -1;
		numbers->marks[numbers->n++] = mark;
		/* a unit may be the end, another mark may not */
		if (!mark || (isalpha((unsigned char) mark) && !end[1]))
			return 0;
		p = end + 1;
	}
	return -1;
}

/* The units of numbers, by their marks */
static const int64_t lengths[] = { DAY, HOUR, MINUTE, 1 };

/* "1h30m": the marks are units, the largest first, each once. 0 with the length
 * of each number's unit, or -1 */
static int units_find(const char *marks, size_t n, int64_t *units)
{
	static const char letters[] = "dhms";
	const char *next = letters;

	for (size_t i = 0; i < n; i++) {
		const char *letter = marks[i] ? strchr(next, marks[i]) : NULL;

		if (!letter)
			return -1;
		units[i] = lengths[letter - letters];
		next = letter + 1;
	}
	return 0;
}

/* Slurm's formats. Hours come first behind days, or if there are three numbers;
 * one or two numbers without days are minutes and seconds. */
static int clock_find(const char *marks, size_t n, int64_t *units)
{
	static const char *const with_days[] = { "-", "-:", "-::" };
	static const char *const without[] = { "", ":", "::" };
	const int64_t *first = n == 3 ? &lengths[1] : &lengths[2];

	if (n > 1 && !strcmp(marks, with_days[n - 2]))
		first = lengths;
	else if (n > 3 || strcmp(marks, without[n - 1]) != 0)
		return -1;
	memcpy(units, first, n * sizeof(*units));
	return 0;
}

int duration_parse(const char *text, int64_t *ns, char *err, size_t size)
{
	struct numbers numbers;
	int64_t units[4], seconds = 0;
	const char *wrong = NULL;

	if (!*text)
		wrong = "is empty, not a time";
	else if (*text == '-')
		wrong = "is negative";
	else if (numbers_read(text, &numbers) < 0 ||
		 (units_find(numbers.marks, numbers.n, units) < 0 &&
		  clock_find(numbers.marks, numbers.n, units) < 0))
		wrong = "is not a time";
	if (wrong)
		return errprintf(err, size, "%s (minutes, 4:00:00, 2-12, or a number with unit "
				 "like 30s, 10m, 4h, 2d)", wrong);
	for (size_t i = 0; i < numbers.n && seconds <= SECONDS_MAX; i++)
		seconds += numbers.of[i] > SECONDS_MAX / units[i] ? SECONDS_MAX + 1 :
			   numbers.of[i] * units[i];
	if (seconds > SECONDS_MAX)
		return errprintf(err, size, "is over the maximum of %dd", DURATION_MAX_DAYS);
	*ns = seconds * SECOND;
	return 0;
}

void duration_format(int64_t ns, char *buf, size_t size)
{
	int64_t seconds = ns / SECOND;

	if (seconds < 2 * MINUTE || seconds % MINUTE)
		snprintf(buf, size, "%llds", (long long) seconds);
	else if (seconds % HOUR)
		snprintf(buf, size, "%lldm", (long long) seconds / MINUTE);
	else if (seconds % DAY)
		snprintf(buf, size, "%lldh", (long long) seconds / HOUR);
	else
		snprintf(buf, size, "%lldd", (long long) seconds / DAY);
}

/* ---- points in time ---- */

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
static int time_parse(const char *text, const char *const *formats, int64_t *seconds)
{
	char again[32];

	for (; *formats; formats++) {
		struct tm tm = { .tm_year = 70, .tm_mday = 1 };
		const char *end = strptime(text, *formats, &tm);

		if (!end || *end)
			continue;
		*seconds = timegm(&tm);
		if (*seconds >= 0 && strftime(again, sizeof(again), *formats, &tm) &&
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
		if ((n == 3 || n == strlen(days[i])) && !strncasecmp(text, days[i], n)) {
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
