/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.h - shared by the readers of traces
 */
#ifndef SCOHORT_TRACE_ROWS_H
#define SCOHORT_TRACE_ROWS_H

#include "trace/trace.h"

#define TRACE_FIELDS_MAX 128

struct headings;

struct loader {
	struct trace *trace;
	const struct trace_options *options;
	struct headings *headings;	/* csv.c */
	size_t line;
	size_t room;			/* of the list of jobs */
	int64_t begin;			/* SWF: ns since the epoch, 0: not
					 * said */
	conf_report_f report;
	void *arg;
};

/* Reports what is wrong with the line and is -1. line 0: with the file */
int loader_error(struct loader *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Only the first errors are reported; says how many more there were. */
void loader_count_errors(struct loader *l);

/* A copy of the job is added. */
int loader_add(struct loader *l, const struct trace_job *job);

/* A row that is no job */
void loader_leave_out(struct loader *l, enum trace_cause cause);

/* Takes text as the field *to; "" leaves it as it is. */
int loader_text(struct loader *l, const char **to, const char *text);

/* ---- csv.c; lines may be changed ---- */

/* The line of headings. -1: reading can't go on */
int csv_begin(struct loader *l, char *line);
void csv_row(struct loader *l, char *line);
void csv_end(struct loader *l);

/* ---- swf.c ---- */

/* A line of the header, which begins with ';' */
void swf_header(struct loader *l, const char *line);
void swf_row(struct loader *l, char *line);

#endif /* SCOHORT_TRACE_ROWS_H */
