/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv.h - which column of a CSV, or of sacct, has what
 */
#ifndef SCOHORT_TRACE_CSV_H
#define SCOHORT_TRACE_CSV_H

#include "trace/rows.h"

enum csv_kind { KIND_TEXT, KIND_SPAN, KIND_WHEN, KIND_TASKS, KIND_REQUEST,
	    KIND_AMOUNT, KIND_JOB, KIND_PREEMPTIBILITY };

struct heading {
	const char *name;
	enum csv_kind kind;
	size_t offset;		/* in struct trace_job */
	bool required;
};

/* A field of a job, and where it stands in the rows */
struct column {
	struct heading what;	/* name: of a resource, if KIND_AMOUNT */
	char *title;		/* the heading that it has in this file */
	int at;			/* -1: not there */
};

struct headings {
	struct column columns[TRACE_FIELDS_MAX];
	size_t n;
	int nfields;		/* of the line of headings */
	bool joined;		/* sacct: the last one is of features, which may
				 * have the separator in them */
	char separator;
};

static inline bool is_sacct(const struct loader *l)
{
	return l->trace->kind == TRACE_SACCT;
}

/* Makes l->headings from the line of headings and --columns, which is changed.
 * -1: something is missing; it was reported */
int headings_read(struct loader *l, char *line);
void headings_free(struct headings *headings);

#endif /* SCOHORT_TRACE_CSV_H */
