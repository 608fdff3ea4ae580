/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv_headings.c - which column of a CSV, or of sacct, has what
 *
 * A table says which heading goes to which field of a job. --columns says that
 * another heading goes there, or the amount of a resource.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text/report.h"
#include "trace/csv.h"

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
	{ "preemptibility", KIND_PREEMPTIBILITY,
	  offsetof(struct trace_job, preemptibility), false },
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

static int column_add(struct loader *l, const struct heading *what,
		      const char *title)
{
	struct headings *h = l->headings;
	struct column *c = &h->columns[h->n];

	if (h->n == TRACE_FIELDS_MAX)
		return loader_error(l, "--columns: more than %d",
				    TRACE_FIELDS_MAX);
	*c = (struct column) { .what = *what, .at = -1 };
	c->title = strdup(title);
	if (!c->title)
		return loader_error(l, "%s", strerror(errno));
	h->n++;
	return 0;
}

static struct column *column_find(struct headings *h, const char *name)
{
	for (size_t i = 0; i < h->n; i++)
		if (!strcmp(h->columns[i].what.name, name))
			return &h->columns[i];
	return NULL;
}

/* A resource has a column of its own: there need be none for all. */
static int amount_add(struct loader *l, const char *name, const char *title)
{
	struct heading what = { .kind = KIND_AMOUNT, .required = true };
	struct column *request = column_find(l->headings, "request");
	char why[160];

	if (resource_check(name, why, sizeof(why)) < 0)
		return loader_error(l, "--columns: %s %s; the others are "
				    "submit, duration, request, tasks, queue, "
				    "class, partition, qos, account, user, "
				    "features, preemptibility",
				    quote(name).text, why);
	what.name = trace_name(&l->trace->names, name);
	if (!what.name)
		return loader_error(l, "%s", strerror(errno));
	if (request)
		request->what.required = false;
	return column_add(l, &what, title);
}

/* "submit=start_time,gres/gpu=gpus" */
static int columns_say(struct loader *l, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, ",");
		const char *equals = memchr(text, '=', len);
		char name[64], title[256];
		struct column *c;
		int n = equals ? (int) (equals - text) : 0;

		if (!n || n + 1 == (int) len || n >= (int) sizeof(name) ||
		    len - n > sizeof(title))
			return loader_error(l, "--columns: \"%.*s\" is not "
					    "NAME=COLUMN (submit=start_time)",
					    len > 60 ? 60 : (int) len, text);
		snprintf(name, sizeof(name), "%.*s", n, text);
		snprintf(title, sizeof(title), "%.*s", (int) len - n - 1,
			 equals + 1);
		c = column_find(l->headings, name);
		if (!c && amount_add(l, name, title) < 0)
			return -1;
		if (c) {
			free(c->title);
			c->title = strdup(title);
			c->what.required = true;	/* it was said */
		}
		text += len + !!text[len];
	}
	return 0;
}

static int column_place(struct loader *l, struct column *c, char **fields,
			int n)
{
	for (int j = 0; c->title && j < n; j++) {
		if (strcasecmp(fields[j], c->title))
			continue;
		if (c->at >= 0)
			return loader_error(l, "two columns are called %s",
					    quote(c->title).text);
		c->at = j;
	}
	if (c->what.required && c->at < 0)
		return loader_error(l, "missing column: %s",
				    c->title ? c->title : "");
	return 0;
}

/* Notes the columns that nothing is taken from. */
static int unused_note(struct loader *l, char **fields, int n)
{
	char list[1024] = "";
	size_t len = 0;

	for (int j = 0; j < n && len < sizeof(list); j++) {
		bool used = false;

		for (size_t i = 0; i < l->headings->n; i++)
			used |= l->headings->columns[i].at == j;
		if (!used)
			len += (size_t) snprintf(list + len, sizeof(list) - len,
						 "%s%s", len ? ", " : "",
						 fields[j]);
	}
	if (*list)
		l->trace->unused = strdup(list);
	return !*list || l->trace->unused ? 0 :
		loader_error(l, "%s", strerror(errno));
}

static int headings_make(struct loader *l)
{
	const struct heading *h;

	l->headings = calloc(1, sizeof(*l->headings));
	if (!l->headings)
		return loader_error(l, "%s", strerror(errno));
	l->headings->separator = is_sacct(l) ? '|' : ',';
	for (h = is_sacct(l) ? sacct : csv; h->name; h++)
		if (column_add(l, h, h->name) < 0)
			return -1;
	return l->options->columns && !is_sacct(l) ?
		columns_say(l, l->options->columns) : 0;
}

int headings_read(struct loader *l, char *line)
{
	char *fields[TRACE_FIELDS_MAX];
	struct headings *h;
	int missing = 0, n;

	if (headings_make(l) < 0)
		return -1;
	h = l->headings;
	n = trace_split(line, h->separator, fields, TRACE_FIELDS_MAX);
	if (n < 0 || n > TRACE_FIELDS_MAX)
		return loader_error(l, "this is not a header line");
	h->nfields = n;
	for (size_t i = 0; i < h->n; i++) {
		missing += column_place(l, &h->columns[i], fields, n);
		h->joined |= is_sacct(l) && h->columns[i].at == n - 1 &&
			!strcmp(h->columns[i].what.name, "Constraints");
	}
	return missing ? -1 : unused_note(l, fields, n);
}

void headings_free(struct headings *headings)
{
	if (!headings)
		return;
	for (size_t i = 0; i < headings->n; i++)
		free(headings->columns[i].title);
	free(headings);
}
