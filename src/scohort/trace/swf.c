/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf.c - traces in the Standard Workload Format
 *
 * Version 2.2: a header of lines "; Label: value", then a line of 18 numbers
 * for each job, -1 where something is not known. Memory is KB of a processor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text/report.h"
#include "trace/reader.h"

enum { JOB, SUBMIT, WAIT, RUN, USED_PROCESSORS, USED_CPU, USED_MEMORY,
       PROCESSORS, TIME, MEMORY, STATUS, USER, GROUP, EXECUTABLE, QUEUE,
       PARTITION, PRECEDING, THINK, SWF_FIELDS };

static const char *const names[SWF_FIELDS] = {
	"job number", "submit time", "wait time", "run time",
	"allocated processors", "CPU time", "used memory",
	"requested processors", "requested time", "requested memory", "status",
	"user", "group", "executable", "queue", "partition", "preceding job",
	"think time",
};

/* Where a value may be; the rest of a job's row is text or a count */
#define NUMBER_MAX 1e15

/* Lines of parts of a job (runs between checkpoints) have these states; the
 * whole job has a line of its own. */
#define FIRST_PART 2
#define LAST_PART 4

/* ---- header ---- */

/* "1 lancs.ac.uk": the partition or queue of that number has that name. */
static void name_note(struct reader *r, const char *kind, const char *value)
{
	size_t digits = strspn(value, "0123456789"), len;
	const char *name = value + digits + strspn(value + digits, " \t");
	char key[64];

	len = strcspn(name, " \t\r,:");
	if (!digits || digits > 9 || !len)
		return;
	snprintf(key, sizeof(key), "%s %.*s", kind, (int) digits, value);
	trace_label(&r->trace->names, key, name, len);
}

static void computer_note(struct reader *r, const char *value)
{
	size_t len = strlen(value);

	while (len && strchr(" \t\r", value[len - 1]))
		len--;
	free(r->trace->computer);
	r->trace->computer = strndup(value, len);
}

static bool value_is_date(const char *value, int64_t *at)
{
	char *end;
	long long seconds = strtoll(value, &end, 10);

	end += strspn(end, " \t\r");
	if (end == value || *end || seconds <= 0 || seconds > INT64_MAX / SPEC_SEC / 2)
		return false;
	*at = seconds * SPEC_SEC;
	return true;
}

void swf_header(struct reader *r, const char *line)
{
	size_t len = strcspn(line += strspn(line, "; \t"), ":");
	const char *value = line + len + !!line[len];
	int64_t at;

	value += strspn(value, " \t");
	if (!strncasecmp(line, "UnixStartTime:", 14)) {
		if (r->trace->n || !value_is_date(value, &at))
			reader_error(r, "UnixStartTime: %s is not a number of seconds since the "
				     "epoch, before all jobs", quote(value).text);
		else
			r->begin = at;
	} else if (!strncasecmp(line, "Computer:", 9)) {
		computer_note(r, value);
	} else if (!strncasecmp(line, "MaxProcs:", 9)) {
		r->trace->processors = strtoll(value, NULL, 10);
	} else if (!strncasecmp(line, "Partition:", 10)) {
		name_note(r, "partition", value);
	} else if (!strncasecmp(line, "Queue:", 6)) {
		name_note(r, "queue", value);
	}
}

/* ---- jobs ---- */

static int numbers_read(struct reader *r, char *line, double *number)
{
	char *fields[SWF_FIELDS], *end;
	int n = trace_split(line, ' ', fields, SWF_FIELDS, false);

	if (n != SWF_FIELDS)
		return reader_error(r, "has %s%d fields; a job of the Standard Workload Format has "
				    "%d", n > SWF_FIELDS ? "more than " : "", n > SWF_FIELDS
				    ? SWF_FIELDS : n, SWF_FIELDS);
	for (int i = 0; i < SWF_FIELDS; i++) {
		number[i] = strtod(fields[i], &end);
		if (*end || !(number[i] >= -1 && number[i] <= NUMBER_MAX))
			return reader_error(r, "%s: %s is not a number, or -1 for one that is not "
					    "known", names[i], quote(fields[i]).text);
	}
	return 0;
}

/* What it asked for, or else what it got */
static int request_make(struct reader *r, const double *number, const struct trace_request **to)
{
	double n = number[PROCESSORS] > 0 ? number[PROCESSORS] : number[USED_PROCESSORS];
	char text[96], err[256];
	int len;

	if (n < 1) {
		reader_leave_out(r, TRACE_NO_REQUEST);
		return 1;
	}
	len = snprintf(text, sizeof(text), "cpu=%.0f", n);
	if (number[MEMORY] > 0)
		snprintf(text + len, sizeof(text) - (size_t) len, ",mem=%.0fM",
			 ceil(number[MEMORY] * n / 1024));
	*to = trace_request(&r->trace->names, text, err, sizeof(err));
	return *to ? 0 : reader_error(r, "%s", err);
}

/* The name that the header has for the number, or the number */
static void name_take(struct reader *r, const char **to, const char *kind, double number)
{
	char key[64];

	if (number < 0)
		return;
	snprintf(key, sizeof(key), "%s %.0f", kind, number);
	*to = trace_labelled(&r->trace->names, key);
	if (!*to)
		reader_text(r, to, strchr(key, ' ') + 1);
}

/* Why the row is no job; TRACE_CAUSES: it is one */
static enum trace_cause cause_of(const double *number)
{
	if (number[STATUS] >= FIRST_PART && number[STATUS] <= LAST_PART)
		return TRACE_IS_PART;
	if (number[SUBMIT] < 0)
		return TRACE_NO_TIME;
	if (number[RUN] <= 0)
		return TRACE_NEVER_RAN;
	return TRACE_CAUSES;
}

void swf_row(struct reader *r, char *line)
{
	struct trace_job job = { .line = r->line, .tasks = 1 };
	double number[SWF_FIELDS];
	enum trace_cause cause;

	if (numbers_read(r, line, number) < 0)
		return;
	cause = cause_of(number);
	if (cause != TRACE_CAUSES) {
		reader_leave_out(r, cause);
		return;
	}
	if (number[SUBMIT] > 1e9 || number[RUN] > 1e9) {
		reader_error(r, "%s: over the maximum of 1000000000 s",
			     names[number[RUN] > 1e9 ? RUN : SUBMIT]);
		return;
	}
	job.submit = (r->begin ? r->begin : TRACE_ORIGIN) +
		(int64_t) (number[SUBMIT] * (double) SPEC_SEC);
	job.duration = (int64_t) (number[RUN] * (double) SPEC_SEC);
	r->trace->dates = r->begin;
	if (request_make(r, number, &job.request))
		return;
	name_take(r, &job.user, "user", number[USER]);
	name_take(r, &job.account, "group", number[GROUP]);
	name_take(r, &job.qos, "queue", number[QUEUE]);
	name_take(r, &job.partition, "partition", number[PARTITION]);
	reader_add(r, &job);
}
