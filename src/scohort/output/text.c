/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - numbers, amounts and times as people read them
 */
#define _GNU_SOURCE	/* strptime */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output/text.h"
#include "text/printable.h"

#define DATE_FORMAT "%Y-%m-%dT%H:%M:%S"

static bool is_mem(const char *resource)
{
	return resource && !strcmp(resource, "mem");
}

/* Exact: a unit is taken only if at most quarters of it remain. */
char *text_amount(char *buf, size_t size, const char *resource, int64_t amount)
{
	static const char units[] = "MGTP";
	int64_t unit = 1;
	size_t u = 0;

	if (!is_mem(resource) || !amount) {
		snprintf(buf, size, "%" PRId64, amount);
		return buf;
	}
	while (units[u + 1] && llabs(amount) >= unit * 1024 && amount * 4 % (unit * 1024) == 0) {
		unit *= 1024;
		u++;
	}
	if (amount % unit)
		snprintf(buf, size, "%.6g%c", (double) amount / unit, units[u]);
	else
		snprintf(buf, size, "%" PRId64 "%c", amount / unit, units[u]);
	return buf;
}

char *text_amount_of(char *buf, size_t size, const char *resource, int64_t amount)
{
	char number[TEXT_SIZE];

	text_amount(number, sizeof(number), resource, amount);
	snprintf(buf, size, is_mem(resource) ? "%s of %s" : "%s %s", number, resource);
	return buf;
}

char *text_duration(char *buf, size_t size, int64_t seconds)
{
	int64_t s = seconds < 0 ? 0 : seconds;
	int64_t days = s / 86400, hours = s / 3600 % 24, minutes = s / 60 % 60;

	s %= 60;
	if (days)
		snprintf(buf, size, "%" PRId64 "-%02" PRId64 ":%02" PRId64 ":%02" PRId64, days,
			 hours, minutes, s);
	else if (hours)
		snprintf(buf, size, "%" PRId64 ":%02" PRId64 ":%02" PRId64, hours, minutes, s);
	else
		snprintf(buf, size, "%" PRId64 ":%02" PRId64, minutes, s);
	return buf;
}

static char *time_print(char *buf, size_t size, const char *format, int64_t when)
{
	time_t t = when;
	struct tm tm;

	if (when <= 0 || !localtime_r(&t, &tm) || !strftime(buf, size, format, &tm))
		snprintf(buf, size, "unknown");
	return buf;
}

char *text_date(char *buf, size_t size, int64_t when)
{
	return time_print(buf, size, DATE_FORMAT, when);
}

bool text_date_read(const char *text, int64_t *when)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *end = strptime(text, DATE_FORMAT, &tm);

	if (!end || *end)
		return false;
	*when = mktime(&tm);
	return true;
}

char *text_time(char *buf, size_t size, int64_t when, int64_t now)
{
	char day[TEXT_SIZE], today[TEXT_SIZE];

	time_print(day, sizeof(day), "%F", when);
	time_print(today, sizeof(today), "%F", now);
	if (strcmp(day, today))
		return text_date(buf, size, when);
	return time_print(buf, size, "%H:%M:%S", when);
}

char *text_ordinal(char *buf, size_t size, int64_t n)
{
	static const char *const ends[] = { "th", "st", "nd", "rd" };
	bool teen = n % 100 >= 11 && n % 100 <= 13;
	bool other = teen || n < 0 || n % 10 > 3;

	snprintf(buf, size, "%"PRId64"%s", n, ends[other ? 0 : n % 10]);
	return buf;
}

static void append(char *buf, size_t size, const char *fmt, va_list ap)
{
	size_t used = strlen(buf);

	vsnprintf(buf + used, size - used, fmt, ap);
}

void text_append(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	append(buf, size, fmt, ap);
	va_end(ap);
}

void text_join(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	text_append(buf, size, "%s", *buf ? ", " : "");
	va_start(ap, fmt);
	append(buf, size, fmt, ap);
	va_end(ap);
}

static bool begins_character(char c)
{
	return ((unsigned char) c & 0xc0) != 0x80;
}

int text_columns(const char *text, size_t n)
{
	int columns = 0;

	for (size_t i = 0; i < n && text[i]; i++)
		columns += begins_character(text[i]);
	return columns;
}

size_t text_bytes(const char *text, int columns)
{
	size_t i = 0;

	for (; text[i]; i++) {
		if (begins_character(text[i]) && columns-- == 0)
			break;
	}
	return i;
}

void text_sanitize(char *text)
{
	char *to;

	/* of most texts that is all */
	while (*text >= ' ' && *text <= '~')
		text++;
	to = text;
	while (*text) {
		size_t n = printable_length(text);

		if (n) {
			memmove(to, text, n);
			to += n;
			text += n;
			continue;
		}
		/* a control character of several bytes is one */
		n = utf8_length(text, strnlen(text, UTF8_MAX));
		text += n ? n : 1;
		*to++ = '?';
	}
	*to = '\0';
}

bool text_number(const char *text, int64_t *number)
{
	char *end;
	long long n;

	if (!isdigit((unsigned char) *text))
		return false;
	errno = 0;
	n = strtoll(text, &end, 10);
	if (errno || *end)
		return false;
	*number = n;
	return true;
}
