/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - a workload from a file
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/lines.h"
#include "trace/rows.h"

/* ---- the file ---- */

static int trace_compare(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

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
		loader_error(l, "contains a NUL byte");
		return NULL;
	}
	if (len && text[len - 1] == '\r')
		len--;
	line = strndup(text, len);
	if (!line)
		loader_error(l, "%s", strerror(errno));
	return line;
}

/* The first line that is not blank tells: a comment of SWF or 18 numbers, the
 * headings of sacct, or those of a CSV. A name may have told before. */
static enum trace_kind kind_of(const char *line)
{
	const char *text = line + strspn(line, " \t");
	size_t fields = 0;

	if (*text == ';')
		return TRACE_SWF;
	if (!strncmp(text, "JobID|", 6) || strstr(text, "|JobID|"))
		return TRACE_SACCT;
	for (; strchr("-0123456789", *text) && *text; fields++) {
		text += strspn(text, "-.0123456789");
		text += strspn(text, " \t");
	}
	return !*text && fields > 1 ? TRACE_SWF : TRACE_CSV;
}

/* -1: reading can't go on */
static int line_take(struct loader *l, char *line)
{
	struct trace *trace = l->trace;
	bool comment = line[strspn(line, " \t")] == ';';

	if (is_blank(line))
		return 0;
	if (trace->kind == TRACE_CSV && !l->headings)
		trace->kind = kind_of(line);
	if (trace->kind == TRACE_SWF && comment)
		swf_header(l, line);
	else if (trace->kind == TRACE_SWF)
		swf_row(l, line);
	else if (l->headings)
		csv_row(l, line);
	else
		return csv_begin(l, line);
	return 0;
}

static void lines_read(struct loader *l, struct lines *lines)
{
	char err[256];
	const char *text;
	size_t len;
	int more;

	while ((more = lines_next(lines, &text, &len, err, sizeof(err))) > 0) {
		char *line;
		int rc;

		l->line = lines_number(lines);
		line = line_copy(l, text, len);
		rc = line ? line_take(l, line) : 0;
		free(line);
		if (rc < 0)
			break;
	}
	if (more < 0)
		loader_error(l, "%s", err);
	csv_end(l);
}

/* What can be said only when all has been read. True: there are jobs */
static bool trace_finish(struct loader *l)
{
	struct trace *trace = l->trace;

	l->line = 0;
	if (trace->kind != TRACE_CSV
	    && (l->options->columns
		|| (l->options->unit && l->options->unit != SPEC_SEC)))
		loader_error(l, "is %s, which has no --columns or --unit",
			     trace->kind == TRACE_SWF
			     ? "in the Standard Workload Format"
			     : "output of sacct");
	loader_count_errors(l);
	if (!trace->n && !trace->errors)
		loader_error(l, "contains no jobs");
	if (trace->n)
		qsort(trace->jobs, trace->n, sizeof(*trace->jobs),
		      trace_compare);
	return trace->n;
}

/* "x.swf", "x.swf.gz": no headings are needed to see it */
static bool is_named_swf(const char *name)
{
	const char *suffix = strstr(name, ".swf");

	while (suffix && suffix[4] && strcmp(suffix + 4, ".gz"))
		suffix = strstr(suffix + 1, ".swf");
	return suffix;
}

struct trace *trace_load(const char *path, const struct trace_options *options,
			 conf_report_f report, void *arg)
{
	const char *name = strcmp(path, "-") ? path : "(standard input)";
	struct loader l = {
		.trace = calloc(1, sizeof(*l.trace)),
		.options = options, .report = report, .arg = arg,
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
	l.trace->kind = is_named_swf(name) ? TRACE_SWF : TRACE_CSV;
	lines_read(&l, lines);
	lines_close(lines);
	if (trace_finish(&l))
		return l.trace;
	trace_free(l.trace);
	return NULL;
}

void trace_free(struct trace *trace)
{
	if (!trace)
		return;
	trace_names_free(&trace->names);
	free(trace->jobs);
	free(trace->unused);
	free(trace->computer);
	free(trace->file);
	free(trace);
}
