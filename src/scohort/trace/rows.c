/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.c - what all readers of traces do with a row: it is a job, is left out, or
 * is wrong
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/rows.h"

/* So many wrong rows are reported; the others are of the same kind. */
#define ERRORS_SHOWN 20

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

static void loader_say(struct loader *l, const char *text)
{
	char message[1024];

	if (l->line)
		snprintf(message, sizeof(message), "%.400s:%zu: %s",
			 l->trace->file, l->line, text);
	else
		snprintf(message, sizeof(message), "%.400s: %s",
			 l->trace->file, text);
	l->report(l->arg, false, message);
}

int loader_error(struct loader *l, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (l->trace->errors++ >= ERRORS_SHOWN)
		return -1;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	loader_say(l, text);
	return -1;
}

int loader_add(struct loader *l, const struct trace_job *job)
{
	struct trace *trace = l->trace;

	if (trace->n == l->room) {
		size_t room = l->room ? 2 * l->room : 1024;
		struct trace_job *grown = realloc(trace->jobs,
						  room * sizeof(*grown));

		if (!grown)
			return loader_error(l, "%s", strerror(errno));
		trace->jobs = grown;
		l->room = room;
	}
	trace->jobs[trace->n++] = *job;
	return 0;
}

void loader_leave_out(struct loader *l, enum trace_cause cause)
{
	l->trace->left_out[cause]++;
	l->trace->skipped++;
}

int loader_text(struct loader *l, const char **to, const char *text)
{
	const char *name;

	if (!*text)
		return 0;
	name = trace_name(&l->trace->names, text);
	if (!name)
		return loader_error(l, "%s", strerror(errno));
	*to = name;
	return 0;
}

void loader_count_errors(struct loader *l)
{
	char text[64];

	if (l->trace->errors <= ERRORS_SHOWN)
		return;
	snprintf(text, sizeof(text), "%zu more rows are wrong",
		 l->trace->errors - ERRORS_SHOWN);
	loader_say(l, text);
}
