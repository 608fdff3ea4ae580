/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - a workload from a file
 *
 * Both kinds are lines of fields under headings. A table says which heading
 * goes to which field of a job, and how its text is read.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "input/lines.h"
#include "simulate/trace.h"
#include "text/report.h"

#define FIELDS_MAX 128
#define TASKS_MAX 4000000

enum kind { KIND_TEXT, KIND_SPAN, KIND_WHEN, KIND_TASKS, KIND_REQUEST,
	    KIND_JOB };

struct heading {
	const char *name;
	enum kind kind;
	size_t offset;		/* in struct trace_job */
	bool required;
};

#define TEXT(name, field) \
	{ name, KIND_TEXT, offsetof(struct trace_job, field), false }

static const struct heading csv[] = {
	{ "submit", KIND_WHEN, offsetof(struct trace_job, submit), true },
	{ "duration", KIND_SPAN, offsetof(struct trace_job, duration), true },
	{ "request", KIND_REQUEST, 0, true },
	{ "tasks", KIND_TASKS, offsetof(struct trace_job, tasks), false },
	TEXT("queue", queue),
	TEXT("class", class),
	TEXT("partition", partition),
	TEXT("qos", qos),
	TEXT("account", account),
	TEXT("user", user),
	TEXT("features", features),
	{ .name = NULL }
};

/* Of ReqTRES and AllocTRES the latter counts, so it comes later. */
static const struct heading sacct[] = {
	{ "JobID", KIND_JOB, 0, true },
	{ "Submit", KIND_WHEN, offsetof(struct trace_job, submit), true },
	{ "Eligible", KIND_WHEN, offsetof(struct trace_job, submit), false },
	{ "ElapsedRaw", KIND_SPAN, offsetof(struct trace_job, duration), true },
	{ "ReqTRES", KIND_REQUEST, 0, false },
	{ "AllocTRES", KIND_REQUEST, 0, true },
	{ "Priority", KIND_TEXT, offsetof(struct trace_job, class), false },
	TEXT("Partition", partition),
	TEXT("QOS", qos),
	TEXT("Account", account),
	TEXT("User", user),
	TEXT("Constraints", features),
	{ .name = NULL }
};

struct loader {
	struct trace *trace;
	const struct heading *headings;
	int column[FIELDS_MAX];		/* of each heading, -1: not there */
	char separator;
	size_t line;
	conf_report_f report;
	void *arg;
	size_t room;
};

static int __attribute__((format(printf, 2, 3)))
line_error(struct loader *l, const char *fmt, ...)
{
	char text[512], message[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (l->line)
		snprintf(message, sizeof(message), "%.400s:%zu: %s",
			 l->trace->file, l->line, text);
	else
		snprintf(message, sizeof(message), "%.400s: %s",
			 l->trace->file, text);
	l->report(l->arg, false, message);
	l->trace->errors++;
	return -1;
}

/* ---- one field ---- */

static int text_take(char **to, const char *text)
{
	if (!*text)
		return 0;
	free(*to);
	*to = strdup(text);
	return *to ? 0 : -1;
}

/* A date, or a span since the beginning of the trace. sacct also has words like
 * Unknown. */
static int when_take(struct loader *l, const char *name, const char *text,
		     int64_t *to)
{
	bool date = !trace_date(text, to);

	if (!date && l->separator == '|')
		return *to ? 0 : 1;
	if (!date && trace_span(text, to) < 0)
		return line_error(l, "%s: %s is not a time (90, 1:30:00, 4h "
				  "since the beginning, or "
				  "2026-11-21T14:05:11)", name,
				  quote(text).text);
	if (l->trace->n && date != l->trace->dates)
		return line_error(l, "%s: %s: either all are dates, or none",
				  name, quote(text).text);
	l->trace->dates = date;
	*to += date ? 0 : TRACE_ORIGIN;
	return 0;
}

static int tasks_take(struct loader *l, const char *text, int64_t *to)
{
	char *end;
	long long n = strtoll(text, &end, 10);

	if (!isdigit((unsigned char) *text) || *end || n < 1 || n > TASKS_MAX)
		return line_error(l, "tasks: %s is not a number from 1 to %d",
				  quote(text).text, TASKS_MAX);
	*to = n;
	return 0;
}

/* 1: the row is no job */
static int field_take(struct loader *l, const struct heading *h,
		      struct trace_job *job, const char *text)
{
	void *to = (char *) job + h->offset;
	char err[256];

	switch (h->kind) {
	case KIND_JOB:
		return strchr(text, '.') ? 1 : 0;
	case KIND_TEXT:
		return text_take(to, text);
	case KIND_WHEN:
		return when_take(l, h->name, text, to);
	case KIND_TASKS:
		return *text ? tasks_take(l, text, to) : 0;
	case KIND_SPAN:
		if (!trace_span(text, to))
			return 0;
		return line_error(l, "%s: %s is not a time (90, 1:30:00, 4h)",
				  h->name, quote(text).text);
	case KIND_REQUEST:
		if (!*text)
			return 0;
		job->nrequest = 0;
		if (!trace_request(text, &job->request, &job->nrequest, err,
				   sizeof(err)))
			return 0;
		return line_error(l, "%s: %s", h->name, err);
	}
	return 0;
}

/* ---- rows ---- */

static void job_clear(struct trace_job *job)
{
	free(job->queue);
	free(job->class);
	free(job->partition);
	free(job->qos);
	free(job->account);
	free(job->user);
	free(job->features);
	free(job->request);
}

static int job_add(struct loader *l, const struct trace_job *job)
{
	struct trace *trace = l->trace;

	if (trace->n == l->room) {
		size_t room = l->room ? 2 * l->room : 1024;
		struct trace_job *grown = realloc(trace->jobs,
						  room * sizeof(*grown));

		if (!grown)
			return line_error(l, "%s", strerror(errno));
		trace->jobs = grown;
		l->room = room;
	}
	trace->jobs[trace->n++] = *job;
	return 0;
}

static void row_read(struct loader *l, char *line)
{
	struct trace_job job = { .line = l->line, .tasks = 1 };
	char *fields[FIELDS_MAX];
	int n = trace_split(line, l->separator, fields, FIELDS_MAX), rc = 0;

	if (n < 0) {
		line_error(l, "a quote is not closed");
		return;
	}
	for (int i = 0; !rc && l->headings[i].name; i++) {
		int column = l->column[i];

		if (column >= n)
			rc = line_error(l, "has %d fields, and none for %s", n,
					l->headings[i].name);
		else if (column >= 0)
			rc = field_take(l, &l->headings[i], &job,
					fields[column]);
	}
	/* a job that never ran does not show how long it would have run */
	if (!rc && (!job.duration || !job.nrequest) && l->separator == '|')
		rc = 1;
	if (!rc)
		rc = job_add(l, &job);
	l->trace->skipped += rc == 1;
	if (rc)
		job_clear(&job);
}

static int headings_read(struct loader *l, char *line)
{
	char *fields[FIELDS_MAX];
	int n = trace_split(line, l->separator, fields, FIELDS_MAX), missing = 0;

	if (n < 0 || n > FIELDS_MAX)
		return line_error(l, "this is not a header line");
	for (int i = 0; l->headings[i].name; i++) {
		l->column[i] = -1;
		for (int j = 0; j < n; j++)
			if (!strcasecmp(fields[j], l->headings[i].name))
				l->column[i] = j;
		if (l->headings[i].required && l->column[i] < 0)
			missing += line_error(l, "missing column: %s",
					      l->headings[i].name);
	}
	return missing;
}

static int trace_compare(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* ---- the file ---- */

static bool is_blank(const char *line)
{
	line += strspn(line, " \t\r");
	return !*line || *line == '#';
}

/* The line as a string, without the \r of DOS; NULL if it is wrong. A NUL would
 * hide the text behind it. */
static char *line_copy(struct loader *l, const char *text, size_t len)
{
	char *line;

	if (memchr(text, '\0', len)) {
		line_error(l, "contains a NUL byte");
		return NULL;
	}
	if (len && text[len - 1] == '\r')
		len--;
	line = strndup(text, len);
	if (!line)
		line_error(l, "%s", strerror(errno));
	return line;
}

static void lines_read(struct loader *l, struct lines *lines)
{
	char err[256];
	const char *text;
	size_t len;
	bool headed = false;
	int more;

	while ((more = lines_next(lines, &text, &len, err, sizeof(err))) > 0) {
		char *line;

		l->line = lines_number(lines);
		line = line_copy(l, text, len);
		if (!line || is_blank(line)) {
			free(line);
			continue;
		}
		if (headed)
			row_read(l, line);
		else if (headings_read(l, line))
			more = 0;
		headed = true;
		free(line);
		if (!more)
			break;
	}
	if (more < 0)
		line_error(l, "%s", err);
}

struct trace *trace_load(const char *path, bool from_sacct,
			 conf_report_f report, void *arg)
{
	const char *name = strcmp(path, "-") ? path : "(standard input)";
	struct loader l = {
		.trace = calloc(1, sizeof(*l.trace)),
		.headings = from_sacct ? sacct : csv,
		.separator = from_sacct ? '|' : ',',
		.report = report, .arg = arg,
	};
	char err[256] = "no memory", message[1024];
	struct lines *lines = NULL;

	if (l.trace && (l.trace->file = strdup(name)))
		lines = lines_open(strcmp(path, "-") ? path : NULL, err,
				   sizeof(err));
	if (!lines) {
		snprintf(message, sizeof(message), "%.400s: cannot be read: %s",
			 name, err);
		report(arg, false, message);
		trace_free(l.trace);
		return NULL;
	}
	l.trace->sacct = from_sacct;
	lines_read(&l, lines);
	lines_close(lines);
	if (!l.trace->n) {
		l.line = 0;
		if (!l.trace->errors)
			line_error(&l, "contains no jobs");
		trace_free(l.trace);
		return NULL;
	}
	qsort(l.trace->jobs, l.trace->n, sizeof(*l.trace->jobs), trace_compare);
	return l.trace;
}

void trace_free(struct trace *trace)
{
	if (!trace)
		return;
	for (size_t i = 0; i < trace->n; i++)
		job_clear(&trace->jobs[i]);
	free(trace->jobs);
	free(trace->file);
	free(trace);
}
