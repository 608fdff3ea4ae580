/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.c - what readers of traces share: a row is a job, is left out, or is
 * wrong; the texts of its fields
 */
#define _GNU_SOURCE	/* strptime, timegm */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "must.h"
#include "trace/reader.h"
#include "value/times.h"

/* So many wrong rows are reported; the others are of the same kind. */
#define ERRORS_SHOWN 20

/* The longest span, and the last second since the epoch, that leave room for
 * later sums in ns */
#define SPAN_MAX (INT64_C(1000000000) * SPEC_SEC)
#define EPOCH_MAX (INT64_MAX / SPEC_SEC / 2)

/* ---- a row ---- */

static const struct {
	const char *key, *one, *many;
} causes[TRACE_CAUSES] = {
	[TRACE_IS_STEP] = { "steps", "row of a step", "rows of steps" },
	[TRACE_NEVER_RAN] = { "neverRan", "job that never ran",
			      "jobs that never ran" },
	[TRACE_NO_REQUEST] = { "noRequest", "job that asked for nothing",
			       "jobs that asked for nothing" },
	[TRACE_NO_TIME] = { "noSubmit", "job without a submit time",
			    "jobs without a submit time" },
	[TRACE_IS_PART] = { "parts", "row of a part of a job",
			    "rows of parts of jobs" },
};

const char *trace_cause_key(enum trace_cause cause)
{
	return causes[cause].key;
}

const char *trace_cause_text(enum trace_cause cause, size_t n)
{
	return n == 1 ? causes[cause].one : causes[cause].many;
}

static void reader_say(struct reader *r, const char *text)
{
	char message[1024], line[32] = "";

	if (r->line)
		snprintf(line, sizeof(line), ":%zu", r->line);
	snprintf(message, sizeof(message), "%.400s%s: %s", r->trace->file, line, text);
	r->report(r->arg, false, message);
}

int reader_error(struct reader *r, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (r->trace->errors++ >= ERRORS_SHOWN)
		return -1;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	reader_say(r, text);
	return -1;
}

void reader_add(struct reader *r, const struct trace_job *job)
{
	struct trace *trace = r->trace;

	trace->jobs = must_grow(trace->jobs, trace->n, sizeof(*trace->jobs));
	trace->jobs[trace->n++] = *job;
}

void reader_leave_out(struct reader *r, enum trace_cause cause)
{
	r->trace->left_out[cause]++;
	r->trace->skipped++;
}

void reader_text(struct reader *r, const char **to, const char *text)
{
	if (*text)
		*to = trace_name(&r->trace->names, text);
}

void reader_count_errors(struct reader *r)
{
	char text[64];

	if (r->trace->errors <= ERRORS_SHOWN)
		return;
	snprintf(text, sizeof(text), "%zu more rows are wrong", r->trace->errors - ERRORS_SHOWN);
	reader_say(r, text);
}

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

int trace_split(char *line, char separator, char **fields, int max, bool rest)
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
		end += rest && n + 1 == max ? strlen(end) : strcspn(end, ends);
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
