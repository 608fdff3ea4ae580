/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span.c - the time that a report is about, and how it is divided
 */
#define _GNU_SOURCE	/* strptime */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/span.h"

#define COUNT_MAX 10000000

static struct tm local(int64_t at)
{
	time_t when = (time_t) at;
	struct tm tm = { .tm_isdst = -1 };

	localtime_r(&when, &tm);
	return tm;
}

static int64_t of_local(struct tm tm)
{
	tm.tm_isdst = -1;
	return (int64_t) mktime(&tm);
}

static struct tm midnight(struct tm tm)
{
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	return tm;
}

/* ---- reading ---- */

/* "second" to "weeks", or "": seconds. 0: no such unit */
static int64_t unit_seconds(const char *text)
{
	static const struct {
		const char *name;
		int64_t seconds;
	} units[] = {
		{ "second", 1 }, { "minute", 60 }, { "hour", 3600 },
		{ "day", 86400 }, { "week", 604800 },
	};

	if (!*text)
		return 1;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i].name);

		if (!strncasecmp(text, units[i].name, n)
		    && (!text[n] || !strcasecmp(text + n, "s")))
			return units[i].seconds;
	}
	return 0;
}

/* What follows "now": "", "-2days" */
static bool now_read(const char *text, int64_t now, int64_t *at)
{
	char *unit;
	int64_t count;

	*at = now;
	if (!*text)
		return true;
	if ((*text != '-' && *text != '+') || text[1] < '0' || text[1] > '9')
		return false;
	count = strtol(text, &unit, 10);
	/* llabs() of the least long is less than 0 */
	if (count < -COUNT_MAX || count > COUNT_MAX || !unit_seconds(unit))
		return false;
	*at = now + count * unit_seconds(unit);
	return true;
}

static bool word_read(const char *text, int64_t now, int64_t *at)
{
	struct tm tm = midnight(local(now));

	if (!strcasecmp(text, "yesterday"))
		tm.tm_mday--;
	else if (!strcasecmp(text, "tomorrow"))
		tm.tm_mday++;
	else if (!strcasecmp(text, "noon"))
		tm.tm_hour = 12;
	else if (strcasecmp(text, "today") && strcasecmp(text, "midnight"))
		return false;
	*at = of_local(tm);
	return true;
}

/* All of the text has the form; what it does not tell stays as it is. */
static bool form_read(const char *text, const char *form, struct tm *tm)
{
	struct tm read = *tm;
	const char *end = strptime(text, form, &read);

	if (!end || *end)
		return false;
	*tm = read;
	return true;
}

/* strptime() takes "1125" for a year, and may read a part of a number. */
static bool digits_read(const char *text, struct tm *tm)
{
	size_t n = strspn(text, "0123456789");

	return !text[n] && (n == 4 ? form_read(text, "%m%d", tm)
			    : n == 6 && form_read(text, "%m%d%y", tm));
}

/* mktime() takes February 30 for a day in March. */
static bool day_is(struct tm tm, int64_t *at)
{
	int64_t found = of_local(tm);

	if (local(found).tm_mday != tm.tm_mday)
		return false;
	*at = found;
	return true;
}

static bool date_read(const char *text, int64_t now, int64_t *at)
{
	static const char *const forms[] = {
		"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d",
		"%m/%d/%y-%H:%M:%S", "%m/%d/%y-%H:%M", "%m/%d/%y",
		"%m/%d-%H:%M:%S", "%m/%d-%H:%M", "%m/%d", "%m.%d.%y", "%m.%d",
		"%I:%M:%S%n%p", "%I:%M%n%p", "%H:%M:%S", "%H:%M",
	};
	struct tm tm = midnight(local(now));
	bool is = digits_read(text, &tm);

	for (size_t i = 0; !is && i < sizeof(forms) / sizeof(*forms); i++)
		is = form_read(text, forms[i], &tm);
	return is && day_is(tm, at);
}

bool span_time(const char *text, int64_t now, int64_t *at)
{
	if (!strncasecmp(text, "now", 3))
		return now_read(text + 3, now, at);
	return word_read(text, now, at) || date_read(text, now, at);
}

int64_t span_round(int64_t at)
{
	return span_begin(SPAN_HOUR, at + 1800);
}

/* ---- dividing ---- */

static const char *const by_names[] = {
	[SPAN_WHOLE] = "whole", [SPAN_MINUTE] = "minute", [SPAN_HOUR] = "hour",
	[SPAN_DAY] = "day", [SPAN_WEEK] = "week", [SPAN_MONTH] = "month",
};

const char *span_by_text(enum span_by by)
{
	return by_names[by];
}

bool span_by_name(const char *name, enum span_by *by)
{
	for (int i = SPAN_HOUR; i <= SPAN_MONTH; i++) {
		if (!strcasecmp(name, by_names[i])) {
			*by = (enum span_by) i;
			return true;
		}
	}
	return false;
}

void span_name(enum span_by by, int64_t at, char *buf, size_t size)
{
	struct tm tm = local(at);

	strftime(buf, size, by < SPAN_DAY || by == SPAN_WHOLE ? "%Y-%m-%dT%H:%M"
		 : by == SPAN_MONTH ? "%Y-%m" : "%Y-%m-%d", &tm);
}

/* ---- ranges ---- */

size_t range_parts(const struct range *r, struct part parts[RANGE_PARTS])
{
	int64_t first = span_begin(SPAN_DAY, r->start), last = span_begin(SPAN_DAY, r->end);
	size_t n = 0;

	if (first < r->start)
		first = span_next(SPAN_DAY, first);
	if (r->by < SPAN_DAY || first >= last) {
		parts[0] = (struct part) { r->by < SPAN_DAY ? r->by : SPAN_HOUR, r->start, r->end };
		return 1;
	}
	if (r->start < first)
		parts[n++] = (struct part) { SPAN_HOUR, r->start, first };
	parts[n++] = (struct part) { SPAN_DAY, first, last };
	if (last < r->end)
		parts[n++] = (struct part) { SPAN_HOUR, last, r->end };
	return n;
}
