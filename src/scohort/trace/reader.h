/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - shared by the readers of traces
 */
#ifndef SCOHORT_TRACE_READER_H
#define SCOHORT_TRACE_READER_H

#include "trace/trace.h"

#define TRACE_FIELDS_MAX 128

struct reader;

/* A field of a job, and where it stands in the rows of a CSV, or of sacct */
struct column {
	const char *name;	/* or of a resource */
	/* Reads the text of a field. -1 after an error was reported; 1: the row is no job */
	int (*take)(struct reader *r, const struct column *c, const char *text, void *to);
	size_t offset;		/* of `to` in struct row (csv.c) */
	bool required;
	const char *title;	/* the heading that it has in this file */
	int at;			/* -1: not there */
};

struct reader {
	struct trace *trace;
	const struct trace_options *options;
	conf_report_f report;
	void *arg;
	size_t line;
	/* csv.c */
	struct column columns[TRACE_FIELDS_MAX];
	size_t ncolumns;
	int nfields;		/* of the line of headings; 0: that has not come */
	bool joined;		/* sacct: the last column is of features, which may
				 * have the separator in them */
	/* swf.c */
	int64_t begin;		/* ns since the epoch, 0: not said */
};

/* Reports what is wrong with the line and is -1. line 0: with the file */
int reader_error(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Only the first errors are reported; says how many more there were. */
void reader_count_errors(struct reader *r);

/* A copy of the job is added. */
void reader_add(struct reader *r, const struct trace_job *job);

/* A row that is no job */
void reader_leave_out(struct reader *r, enum trace_cause cause);

/* Takes text as the field *to; "" leaves it as it is. */
void reader_text(struct reader *r, const char **to, const char *text);

/* ---- csv.c; lines may be changed ---- */

/* The line of headings. -1: reading can't go on */
int csv_begin(struct reader *r, char *line);
void csv_row(struct reader *r, char *line);

/* ---- swf.c ---- */

/* A line of the header, which begins with ';' */
void swf_header(struct reader *r, const char *line);
void swf_row(struct reader *r, char *line);

#endif /* SCOHORT_TRACE_READER_H */
