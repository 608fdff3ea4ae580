/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.c - what readers of traces do with a row: it is a job, is left out, or
 * is wrong
 */
#include <stdarg.h>
#include <stdio.h>

#include "must.h"
#include "trace/reader.h"

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
