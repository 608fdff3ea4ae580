/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field.c - the texts of a trace's fields
 */
#define _GNU_SOURCE	/* strptime, timegm */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/trace.h"
#include "value/times.h"

/* The longest span, and the last second since the epoch, that leave room for
 * later sums in ns */
#define SPAN_MAX (INT64_C(1000000000) * SPEC_SEC)
#define EPOCH_MAX (INT64_MAX / SPEC_SEC / 2)

/* ---- fields of a line ---- */

/* Takes the quotes off; NULL if there is no closing one, else what follows */
static char *quoted_end(char *field)
{
	char *to = field, *from = field + 1;

	for (; *from; from++) {
		if (*from == '"' && from[1] != '"')
			break;
		from += *from == '"';
		*to++ = *from;
	}
	if (!*from)
		return NULL;
	*to = '\0';
	return from + 1;
}

static int words_split(char *line, char **fields, int max)
{
	static const char blanks[] = " \t\r";
	int n = 0;

	for (line += strspn(line, blanks); *line; line += strspn(line, blanks)) {
		if (n == max)
			return max + 1;
		fields[n++] = line;
		line += strcspn(line, blanks);
		if (*line)
			*line++ = '\0';
	}
	return n;
}

int trace_split(char *line, char separator, char **fields, int max)
{
	const char ends[] = { separator, '\0' };
	int n = 0;

	if (separator == ' ')
		return words_split(line, fields, max);
	for (;;) {
		bool quoted = separator == ',' && *line == '"';
		char *end = quoted ? quoted_end(line) : line;

		if (!end)
			return TRACE_UNCLOSED;
		if (quoted && *end && *end != separator)
			return TRACE_BEHIND;
		end += strcspn(end, ends);
		if (n == max)
			return max + 1;
		fields[n++] = line;
		if (!*end)
			return n;
		*end = '\0';
		line = end + 1;
	}
}

/* ---- times ---- */

/* 90 or 1.5: the length of the whole text, 0 if it is not that; *whole: of the
 * part before the point */
static size_t number_length(const char *text, size_t *whole)
{
	size_t n = *whole = strspn(text, "0123456789"), more;

	if (!n || text[n] != '.')
		return text[n] ? 0 : n;
	more = strspn(text + n + 1, "0123456789");
	return more && !text[n + 1 + more] ? n + 1 + more : 0;
}

int trace_span(const char *text, int64_t unit, int64_t *ns)
{
	char err[160];
	double value;
	size_t whole;

	if (!number_length(text, &whole))
		return duration_parse(text, ns, err, sizeof(err));
	value = strtod(text, NULL) * (double) unit;
	if (value > (double) SPAN_MAX)
		return -1;
	if (text[whole])
		*ns = (int64_t) (value + 0.5);
	else
		*ns = strtoll(text, NULL, 10) * unit;
	return 0;
}

/* What may stand behind the seconds: a fraction, and Z. -1: something else */
static int date_end(const char *end, bool *utc)
{
	if (*end == '.') {
		size_t n = strspn(end + 1, "0123456789");

		if (!n)
			return -1;
		end += 1 + n;
	}
	*utc = *end == 'Z';
	return end[*utc] ? -1 : 0;
}

int trace_date(const char *text, int64_t *ns)
{
	struct tm tm = { .tm_isdst = -1 };
	bool utc = false;
	size_t whole;
	const char *end;
	int day;
	time_t t;

	if (number_length(text, &whole)) {
		if (whole != 10)
			return -1;
		t = strtoll(text, NULL, 10);
	} else {
		end = strptime(text, "%Y-%m-%d", &tm);
		if (!end || (*end != 'T' && *end != ' '))
			return -1;
		end = strptime(end + 1, "%H:%M:%S", &tm);
		if (!end || date_end(end, &utc) < 0)
			return -1;
		day = tm.tm_mday;
		t = utc ? timegm(&tm) : mktime(&tm);
		if (tm.tm_mday != day)	/* there is no 30th of February */
			return -1;
	}
	if (t < 0 || t > EPOCH_MAX)
		return -1;
	*ns = (int64_t) t * SPEC_SEC;
	return 0;
}
