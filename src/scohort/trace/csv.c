/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv.c - traces as lines of fields under headings: CSV, and of sacct
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text/report.h"
#include "trace/csv.h"

#define TASKS_MAX 4000000
#define REQUEST_SIZE 1024

/* ---- one field ---- */

/* "request", or "request (column tres)" */
static const char *called(const struct column *c, char *buf, size_t size)
{
	if (!strcasecmp(c->title, c->what.name))
		return c->what.name;
	snprintf(buf, size, "%s (column %s)", c->what.name,
		 quote(c->title).text);
	return buf;
}

#define field_error(l, c, fmt, ...) \
	loader_error(l, "%s: " fmt, \
		     called(c, (char [256]) { 0 }, 256), __VA_ARGS__)

static bool is_unknown_time(const char *text)
{
	return !*text || !strcasecmp(text, "Unknown") ||
		!strcasecmp(text, "None");
}

/* A date, or a span since the beginning of the trace. sacct also has words like
 * Unknown. */
static int when_take(struct loader *l, const struct column *c, const char *text,
		     int64_t *to)
{
	int64_t unit = l->options->unit ? l->options->unit : SPEC_SEC;
	int64_t at;
	bool date = !trace_date(text, &at);

	if (!date && is_sacct(l) && is_unknown_time(text))
		return 0;
	if (!date && is_sacct(l))
		return field_error(l, c, "%s is not a time "
				   "(2026-11-21T14:05:11)", quote(text).text);
	if (!date && trace_span(text, unit, &at) < 0)
		return field_error(l, c, "%s is not a time (90, 1:30:00, 4h "
				   "since the beginning, or "
				   "2026-11-21T14:05:11)", quote(text).text);
	if (l->trace->n && date != l->trace->dates)
		return field_error(l, c, "%s: either all are dates, or none",
				   quote(text).text);
	l->trace->dates = date;
	*to = at + (date ? 0 : TRACE_ORIGIN);
	return 0;
}

static int tasks_take(struct loader *l, const struct column *c,
		      const char *text, int64_t *to)
{
	char *end;
	long long n = strtoll(text, &end, 10);

	if (!isdigit((unsigned char) *text) || *end || n < 1 || n > TASKS_MAX)
		return field_error(l, c, "%s is not a number from 1 to %d",
				   quote(text).text, TASKS_MAX);
	*to = n;
	return 0;
}

static int span_take(struct loader *l, const struct column *c, const char *text,
		     int64_t *to)
{
	int64_t unit = l->options->unit && !is_sacct(l) ? l->options->unit
							: SPEC_SEC;

	if (!trace_span(text, unit, to))
		return 0;
	return field_error(l, c, "%s is not a time (90, 1:30:00, 4h)",
			   quote(text).text);
}

static int preemptibility_take(struct loader *l, const struct column *c,
			       const char *text, enum conf_preemptibility *to)
{
	if (!*text)
		return 0;
	if (!strcmp(text, "preemptible"))
		*to = CONF_PREEMPTIBLE;
	else if (!strcmp(text, "non-preemptible"))
		*to = CONF_NONPREEMPTIBLE;
	else
		return field_error(l, c, "%s is neither preemptible nor "
				   "non-preemptible", quote(text).text);
	return 0;
}

static int request_take(struct loader *l, const struct column *c,
			const char *text, const struct trace_request **to)
{
	char err[256];

	if (!*text && is_sacct(l))
		return 0;
	*to = trace_request(&l->trace->names, text, err, sizeof(err));
	return *to ? 0 : field_error(l, c, "%s", err);
}

/* Appends "gres/gpu=4" to the request that columns of resources make. */
static int amount_take(struct loader *l, const struct column *c,
		       const char *text, char *request)
{
	size_t len = strlen(request), left = REQUEST_SIZE - len;
	int64_t amount;
	char why[160];

	if (amount_parse(c->what.name, text, &amount, why, sizeof(why)) < 0)
		return field_error(l, c, "%s %s", quote(text).text, why);
	if (strlen(text) > TRES_VALUE_MAX)
		return field_error(l, c, "is too long for an amount (at most "
				   "%d characters)", TRES_VALUE_MAX);
	if (amount &&
	    (size_t) snprintf(request + len, left, "%s%s=%s", len ? "," : "",
			      c->what.name, text) >= left)
		return field_error(l, c, "the request of all columns is too "
				   "long (at most %d characters)",
				   REQUEST_SIZE - 1);
	return 0;
}

static int job_id_check(struct loader *l, const struct column *c,
			const char *text)
{
	if (strchr(text, '.')) {
		loader_leave_out(l, TRACE_IS_STEP);
		return 1;
	}
	if (isdigit((unsigned char) *text))
		return 0;
	return field_error(l, c, "%s is not the id of a job",
			   quote(text).text);
}

/* 1: the row is no job */
static int field_take(struct loader *l, const struct column *c,
		      struct trace_job *job, const char *text, char *request)
{
	void *to = (char *) job + c->what.offset;

	switch (c->what.kind) {
	case KIND_JOB:
		return job_id_check(l, c, text);
	case KIND_TEXT:
		return loader_text(l, to, text);
	case KIND_WHEN:
		return when_take(l, c, text, to);
	case KIND_TASKS:
		return *text ? tasks_take(l, c, text, to) : 0;
	case KIND_SPAN:
		return span_take(l, c, text, to);
	case KIND_PREEMPTIBILITY:
		return preemptibility_take(l, c, text, to);
	case KIND_REQUEST:
		return request_take(l, c, text, &job->request);
	case KIND_AMOUNT:
		return amount_take(l, c, text, request);
	}
	return 0;
}

/* ---- rows ---- */

/* A row has as many fields as the line of headings: with more or fewer of them
 * they are not what the headings say. */
static int row_check(struct loader *l, int n)
{
	const struct headings *h = l->headings;

	if (n == TRACE_UNCLOSED)
		return loader_error(l, "a quote is not closed");
	if (n == TRACE_BEHIND)
		return loader_error(l, "there is text behind a closing quote "
				    "(a quote inside is written twice)");
	for (size_t i = 0; i < h->n && n < h->nfields; i++)
		if (h->columns[i].at >= n)
			return loader_error(l, "has %d fields, and none for %s",
					    n, h->columns[i].title);
	if (n == h->nfields)
		return 0;
	if (n < h->nfields)
		return loader_error(l, "has %d fields, and the line of "
				    "headings has %d", n, h->nfields);
	if (is_sacct(l))
		return loader_error(l, "has more than the %d fields of the "
				    "line of headings (with Constraints last, "
				    "these may contain |)", h->nfields);
	return loader_error(l, "has more than the %d fields of the line of "
			    "headings (a field with commas is written in "
			    "quotes: \"cpu=1,gres/gpu=1\")", h->nfields);
}

/* The last field of sacct's row has what would be further ones. */
static int row_split(struct loader *l, char *line, char **fields)
{
	struct headings *h = l->headings;
	int n = 0;

	if (!h->joined)
		return trace_split(line, h->separator, fields,
				   TRACE_FIELDS_MAX);
	for (char *end = line; n < h->nfields; n++) {
		fields[n] = line;
		end = n + 1 < h->nfields ? strchr(line, h->separator) : NULL;
		if (!end)
			return n + 1;
		*end = '\0';
		line = end + 1;
	}
	return n;
}

/* 1: the row was left out */
static int job_judge(struct loader *l, struct trace_job *job,
		     const char *request)
{
	char err[256];

	if (*request) {
		job->request = trace_request(&l->trace->names, request, err,
					     sizeof(err));
		if (!job->request)
			return loader_error(l, "%s", err);
	}
	if (is_sacct(l) && (!job->duration || !job->request))
		loader_leave_out(l, TRACE_NEVER_RAN);
	else if (is_sacct(l) && !job->submit)
		loader_leave_out(l, TRACE_NO_TIME);
	else if (!job->request)		/* columns of resources that say 0 */
		loader_leave_out(l, TRACE_NO_REQUEST);
	else
		return 0;
	return 1;
}

void csv_row(struct loader *l, char *line)
{
	struct trace_job job = { .line = l->line, .tasks = 1 };
	struct headings *h = l->headings;
	char *fields[TRACE_FIELDS_MAX], request[REQUEST_SIZE] = "";
	int n = row_split(l, line, fields), rc = row_check(l, n);

	for (size_t i = 0; !rc && i < h->n; i++)
		if (h->columns[i].at >= 0)
			rc = field_take(l, &h->columns[i], &job,
					fields[h->columns[i].at], request);
	if (!rc)
		rc = job_judge(l, &job, request);
	if (!rc)
		loader_add(l, &job);
}

int csv_begin(struct loader *l, char *line)
{
	return headings_read(l, line);
}

void csv_end(struct loader *l)
{
	headings_free(l->headings);
}
