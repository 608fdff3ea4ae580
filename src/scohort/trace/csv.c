/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv.c - traces as lines of fields under headings: CSV, and of sacct
 *
 * A table says which heading goes to which field of a job. --columns says that
 * another heading goes there, or the amount of a resource.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "must.h"
#include "output/text.h"
#include "text/report.h"
#include "trace/reader.h"

#define TASKS_MAX 4000000
#define REQUEST_SIZE 1024

/* What is read of one */
struct row {
	struct trace_job job;
	char request[REQUEST_SIZE];	/* of columns of resources */
};

static bool is_sacct(const struct reader *r)
{
	return r->trace->kind == TRACE_SACCT;
}

static char separator(const struct reader *r)
{
	return is_sacct(r) ? '|' : ',';
}

/* ---- one field ---- */

/* "request", or "request (column tres)" */
static const char *called(const struct column *c, char *buf, size_t size)
{
	if (!strcasecmp(c->title, c->name))
		return c->name;
	snprintf(buf, size, "%s (column %s)", c->name, quote(c->title).text);
	return buf;
}

#define field_error(r, c, fmt, ...) \
	reader_error(r, "%s: " fmt, called(c, (char [256]) { 0 }, 256), __VA_ARGS__)

static int64_t unit_of(const struct reader *r)
{
	return r->options->unit && !is_sacct(r) ? r->options->unit : SPEC_SEC;
}

/* A date, or a span since the beginning of the trace. sacct also has words like Unknown. */
static int when_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	int64_t at;
	bool date = !trace_date(text, &at);

	if (!date && is_sacct(r)) {
		if (!*text || !strcasecmp(text, "Unknown") || !strcasecmp(text, "None"))
			return 0;
		return field_error(r, c, "%s is not a time (2026-11-21T14:05:11)",
				   quote(text).text);
	}
	if (!date && trace_span(text, unit_of(r), &at) < 0)
		return field_error(r, c, "%s is not a time (90, 1:30:00, 4h since the "
				   "beginning, or 2026-11-21T14:05:11)", quote(text).text);
	if (r->trace->n && date != r->trace->dates)
		return field_error(r, c, "%s: either all are dates, or none", quote(text).text);
	r->trace->dates = date;
	*(int64_t *) to = at + (date ? 0 : TRACE_ORIGIN);
	return 0;
}

static int tasks_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	char *end;
	long long n = strtoll(text, &end, 10);

	if (!*text)
		return 0;
	if (!isdigit((unsigned char) *text) || *end || n < 1 || n > TASKS_MAX)
		return field_error(r, c, "%s is not a number from 1 to %d", quote(text).text,
				   TASKS_MAX);
	*(int64_t *) to = n;
	return 0;
}

static int preemptibility_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	enum conf_preemptibility *word = to;

	if (!strcmp(text, "preemptible"))
		*word = CONF_PREEMPTIBLE;
	else if (!strcmp(text, "non-preemptible"))
		*word = CONF_NONPREEMPTIBLE;
	else if (*text)
		return field_error(r, c, "%s is neither preemptible nor non-preemptible",
				   quote(text).text);
	return 0;
}

static int request_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	const struct trace_request **request = to;
	char err[256];

	if (!*text && is_sacct(r))
		return 0;
	*request = trace_request(&r->trace->names, text, err, sizeof(err));
	return *request ? 0 : field_error(r, c, "%s", err);
}

/* Appends "gres/gpu=4" to the request that columns of resources make. */
static int amount_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	char *request = to;
	size_t len = strlen(request), left = REQUEST_SIZE - len;
	int64_t amount;
	char why[160];

	if (amount_parse(c->name, text, &amount, why, sizeof(why)) < 0)
		return field_error(r, c, "%s %s", quote(text).text, why);
	if (strlen(text) > TRES_VALUE_MAX)
		return field_error(r, c, "is too long for an amount (at most %d characters)",
				   TRES_VALUE_MAX);
	if (amount && (size_t) snprintf(request + len, left, "%s%s=%s", len ? "," : "",
					c->name, text) >= left)
		return field_error(r, c, "the request of all columns is too long (at most "
				   "%d characters)", REQUEST_SIZE - 1);
	return 0;
}

static int job_id_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	(void) to;
	if (strchr(text, '.')) {
		reader_leave_out(r, TRACE_IS_STEP);
		return 1;
	}
	if (isdigit((unsigned char) *text))
		return 0;
	return field_error(r, c, "%s is not the id of a job", quote(text).text);
}

static int text_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	(void) c;
	reader_text(r, to, text);
	return 0;
}

static int span_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	return !trace_span(text, unit_of(r), to) ? 0
	       : field_error(r, c, "%s is not a time (90, 1:30:00, 4h)", quote(text).text);
}

static int checkpoint_take(struct reader *r, const struct column *c, const char *text, void *to)
{
	return *text ? span_take(r, c, text, to) : 0;
}

/* ---- headings ---- */

#define FIELD(name, take, field, required) \
	{ name, take, offsetof(struct row, job.field), required, NULL, -1 }

static const struct column csv[] = {
	FIELD("submit", when_take, submit, true),
	FIELD("duration", span_take, duration, true),
	FIELD("request", request_take, request, true),
	FIELD("tasks", tasks_take, tasks, false),
	FIELD("queue", text_take, queue, false),
	FIELD("class", text_take, class, false),
	FIELD("partition", text_take, partition, false),
	FIELD("qos", text_take, qos, false),
	FIELD("account", text_take, account, false),
	FIELD("user", text_take, user, false),
	FIELD("features", text_take, features, false),
	FIELD("preemptibility", preemptibility_take, preemptibility, false),
	FIELD("checkpoint", checkpoint_take, checkpoint, false),
	{ .name = NULL }
};

/* Of ReqTRES and AllocTRES the latter counts, so it comes later. */
static const struct column sacct[] = {
	FIELD("JobID", job_id_take, line, true),
	FIELD("Submit", when_take, submit, true),
	FIELD("Eligible", when_take, submit, false),
	FIELD("ElapsedRaw", span_take, duration, true),
	FIELD("ReqTRES", request_take, request, false),
	FIELD("AllocTRES", request_take, request, true),
	FIELD("Priority", text_take, class, false),
	FIELD("Partition", text_take, partition, false),
	FIELD("QOS", text_take, qos, false),
	FIELD("Account", text_take, account, false),
	FIELD("User", text_take, user, false),
	FIELD("Constraints", text_take, features, false),
	{ .name = NULL }
};

static struct column *column_find(struct reader *r, const char *name)
{
	for (size_t i = 0; i < r->ncolumns; i++)
		if (!strcmp(r->columns[i].name, name))
			return &r->columns[i];
	return NULL;
}

/* A resource has a column of its own: there need be none for all. NULL: reported */
static struct column *amount_add(struct reader *r, const char *name)
{
	struct column *c = &r->columns[r->ncolumns];
	char why[160];

	if (resource_check(name, why, sizeof(why)) < 0) {
		reader_error(r, "--columns: %s %s; the others are submit, duration, "
			     "request, tasks, queue, class, partition, qos, account, user, "
			     "features, preemptibility, checkpoint", quote(name).text, why);
		return NULL;
	}
	if (r->ncolumns == TRACE_FIELDS_MAX) {
		reader_error(r, "--columns: more than %d", TRACE_FIELDS_MAX);
		return NULL;
	}
	column_find(r, "request")->required = false;
	*c = (struct column) { .name = trace_name(&r->trace->names, name),
			       .take = amount_take,
			       .offset = offsetof(struct row, request), .at = -1 };
	r->ncolumns++;
	return c;
}

/* "submit=start_time,gres/gpu=gpus" */
static int columns_say(struct reader *r, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, ",");
		const char *equals = memchr(text, '=', len);
		size_t n = equals ? (size_t) (equals - text) : 0;
		char name[64], title[256];
		struct column *c;

		if (!n || n + 1 == len || n >= sizeof(name) || len - n > sizeof(title))
			return reader_error(r, "--columns: \"%.*s\" is not NAME=COLUMN "
					    "(submit=start_time)", len > 60 ? 60 : (int) len, text);
		snprintf(name, sizeof(name), "%.*s", (int) n, text);
		snprintf(title, sizeof(title), "%.*s", (int) (len - n - 1), equals + 1);
		c = column_find(r, name);
		if (!c)
			c = amount_add(r, name);
		if (!c)
			return -1;
		c->title = trace_name(&r->trace->names, title);
		c->required = true;	/* it was said */
		text += len + !!text[len];
	}
	return 0;
}

static int column_place(struct reader *r, struct column *c, char **fields, int n)
{
	for (int j = 0; j < n; j++) {
		if (strcasecmp(fields[j], c->title))
			continue;
		if (c->at >= 0)
			return reader_error(r, "two columns are called %s", quote(c->title).text);
		c->at = j;
	}
	if (c->required && c->at < 0)
		return reader_error(r, "missing column: %s", c->title);
	return 0;
}

/* Notes the columns that nothing is taken from. */
static void unused_note(struct reader *r, char **fields, int n)
{
	char list[1024] = "";

	for (int j = 0; j < n; j++) {
		bool used = false;

		for (size_t i = 0; i < r->ncolumns; i++)
			used |= r->columns[i].at == j;
		if (!used)
			text_join(list, sizeof(list), "%s", fields[j]);
	}
	if (*list)
		r->trace->unused = must(strdup(list));
}

int csv_begin(struct reader *r, char *line)
{
	char *fields[TRACE_FIELDS_MAX];
	int wrong = 0, n;

	for (const struct column *c = is_sacct(r) ? sacct : csv; c->name; c++) {
		r->columns[r->ncolumns] = *c;
		r->columns[r->ncolumns++].title = c->name;
	}
	if (r->options->columns && !is_sacct(r) && columns_say(r, r->options->columns) < 0)
		return -1;
	n = trace_split(line, separator(r), fields, TRACE_FIELDS_MAX, false);
	if (n < 0 || n > TRACE_FIELDS_MAX)
		return reader_error(r, "this is not a header line");
	r->nfields = n;
	for (size_t i = 0; i < r->ncolumns; i++) {
		wrong += column_place(r, &r->columns[i], fields, n);
		r->joined |= r->columns[i].at == n - 1
			     && !strcmp(r->columns[i].name, "Constraints");
	}
	unused_note(r, fields, n);
	return wrong ? -1 : 0;
}

/* ---- rows ---- */

/* A row has as many fields as the line of headings: with more or fewer of them
 * they are not what the headings say. */
static int row_check(struct reader *r, int n)
{
	if (n == TRACE_UNCLOSED)
		return reader_error(r, "a quote is not closed");
	if (n == TRACE_BEHIND)
		return reader_error(r, "there is text behind a closing quote "
				    "(a quote inside is written twice)");
	for (size_t i = 0; i < r->ncolumns && n < r->nfields; i++)
		if (r->columns[i].at >= n)
			return reader_error(r, "has %d fields, and none for %s", n,
					    r->columns[i].title);
	if (n == r->nfields)
		return 0;
	if (n < r->nfields)
		return reader_error(r, "has %d fields, and the line of headings has %d", n,
				    r->nfields);
	return reader_error(r, "has more than the %d fields of the line of headings (%s)",
			    r->nfields, is_sacct(r) ? "with Constraints last, these may contain |"
			    : "a field with commas is written in quotes: \"cpu=1,gres/gpu=1\"");
}

/* 1: the row was left out */
static int job_judge(struct reader *r, struct trace_job *job, const char *request)
{
	char err[256];

	if (*request) {
		job->request = trace_request(&r->trace->names, request, err, sizeof(err));
		if (!job->request)
			return reader_error(r, "%s", err);
	}
	if (is_sacct(r) && (!job->duration || !job->request))
		reader_leave_out(r, TRACE_NEVER_RAN);
	else if (is_sacct(r) && !job->submit)
		reader_leave_out(r, TRACE_NO_TIME);
	else if (!job->request)		/* columns of resources that say 0 */
		reader_leave_out(r, TRACE_NO_REQUEST);
	else
		return 0;
	return 1;
}

void csv_row(struct reader *r, char *line)
{
	struct row row = { .job = { .line = r->line, .tasks = 1 } };
	char *fields[TRACE_FIELDS_MAX];
	int rc = row_check(r, trace_split(line, separator(r), fields,
					  r->joined ? r->nfields : TRACE_FIELDS_MAX, r->joined));

	for (size_t i = 0; !rc && i < r->ncolumns; i++) {
		const struct column *c = &r->columns[i];

		if (c->at >= 0)
			rc = c->take(r, c, fields[c->at], (char *) &row + c->offset);
	}
	if (!rc)
		rc = job_judge(r, &row.job, row.request);
	if (!rc)
		reader_add(r, &row.job);
}
