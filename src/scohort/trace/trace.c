/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - a workload from a file
 */
#include <stdlib.h>
#include <string.h>

#include "input/lines.h"
#include "lib/sat.h"
#include "must.h"
#include "trace/reader.h"

/* ---- lines ---- */

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
	for (; *text && strchr("-0123456789", *text); fields++) {
		text += strspn(text, "-.0123456789");
		text += strspn(text, " \t");
	}
	return !*text && fields > 1 ? TRACE_SWF : TRACE_CSV;
}

/* -1: reading can't go on */
static int line_take(struct reader *r, char *line)
{
	struct trace *trace = r->trace;
	const char *begin = line + strspn(line, " \t\r");

	if (!*begin || *begin == '#')
		return 0;
	if (trace->kind == TRACE_CSV && !r->nfields)
		trace->kind = kind_of(line);
	if (trace->kind != TRACE_SWF && !r->nfields)
		return csv_begin(r, line);
	if (trace->kind != TRACE_SWF)
		csv_row(r, line);
	else if (*begin == ';')
		swf_header(r, line);
	else
		swf_row(r, line);
	return 0;
}

static void lines_read(struct reader *r, struct lines *lines)
{
	char err[256], *line;
	const char *text;
	size_t len;
	int more, rc = 0;

	while (!rc && (more = lines_next(lines, &text, &len, err, sizeof(err)))) {
		r->line = lines_number(lines);
		if (more < 0) {
			reader_error(r, "%s", err);
			return;
		}
		if (memchr(text, '\0', len)) {	/* it would hide what is behind it */
			reader_error(r, "contains a NUL byte");
			continue;
		}
		len -= len && text[len - 1] == '\r';	/* of DOS */
		line = must(strndup(text, len));
		rc = line_take(r, line);
		free(line);
	}
}

/* ---- the file ---- */

static int trace_compare(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;
	int order = compare64(x->submit, y->submit);

	return order ? order : compare64((int64_t) x->line, (int64_t) y->line);
}

/* What can be said only when all has been read */
static void trace_finish(struct reader *r)
{
	struct trace *trace = r->trace;
	const struct trace_options *o = r->options;

	r->line = 0;
	if (trace->kind != TRACE_CSV && (o->columns || (o->unit && o->unit != SPEC_SEC)))
		reader_error(r, "is %s, which has no --columns or --unit", trace->kind == TRACE_SWF
			     ? "in the Standard Workload Format" : "output of sacct");
	reader_count_errors(r);
	if (!trace->n && !trace->errors)
		reader_error(r, "contains no jobs");
	if (trace->n)
		qsort(trace->jobs, trace->n, sizeof(*trace->jobs), trace_compare);
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
	struct trace *trace = must(calloc(1, sizeof(*trace)));
	struct reader r = { .trace = trace, .options = options, .report = report, .arg = arg };
	char err[256];
	struct lines *lines = lines_open(strcmp(path, "-") ? path : NULL, err, sizeof(err));

	trace->file = must(strdup(name));
	trace->kind = is_named_swf(name) ? TRACE_SWF : TRACE_CSV;
	if (lines) {
		lines_read(&r, lines);
		trace_finish(&r);
	} else {
		reader_error(&r, "cannot be read: %s", err);
	}
	lines_close(lines);
	if (trace->n)
		return trace;
	trace_free(trace);
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
