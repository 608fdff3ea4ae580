/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - a workload: which jobs were submitted when, and how long they ran
 *
 * As CSV with a line of headings (scohort(1) has the columns), or as sacct
 * --parsable2 prints it. The trace does not depend on a configuration.
 */
#ifndef SCOHORT_TRACE_H
#define SCOHORT_TRACE_H

#include "conf.h"
#include "value/tres.h"

/* Where time begins in a trace without dates: the engine uses 0 for something
 * else */
#define TRACE_ORIGIN (INT64_C(86400) * SPEC_SEC)

struct trace_amount {
	char resource[RESOURCE_NAME_MAX + 1];
	int64_t amount;			/* of one task */
};

struct trace_job {
	size_t line;
	int64_t submit;			/* ns since the epoch, or
					 * TRACE_ORIGIN and on */
	int64_t duration;		/* ns, of a run */
	int64_t tasks;			/* array tasks, at least 1 */
	/* NULL: not said */
	char *queue;			/* cluster queue */
	char *class;			/* a priority, or the name of one */
	char *partition, *qos, *account, *user;
	char *features;			/* what it asks of nodes */
	struct trace_amount *request;
	size_t nrequest;
};

struct trace {
	char *file;
	struct trace_job *jobs;		/* in order of submission */
	size_t n;
	size_t skipped;			/* rows of jobs that did not run, and
					 * other rows that are no job */
	size_t errors;			/* rows that are wrong, reported */
	bool dates;			/* submit is since the epoch */
	bool sacct;
};

/* Reads the trace; each wrong row is reported. NULL if it can't be read at all,
 * or has no jobs; that was reported. */
struct trace *trace_load(const char *path, bool sacct, conf_report_f report,
			 void *arg);
void trace_free(struct trace *trace);

/* ---- trace_field.c: the texts of fields ---- */

/* Takes a line apart in place; the fields point into it. separator ',': a
 * field may stand in double quotes. Returns the number, max + 1 if there are
 * more than max, or -1: a quote is not closed. */
int trace_split(char *line, char separator, char **fields, int max);

/* 90, 1:30:00, 2-00:00:00, 30s, 4h: a plain number is seconds. -1: none of
 * these. */
int trace_span(const char *text, int64_t *ns);

/* 2026-11-21T14:05:11, local time */
int trace_date(const char *text, int64_t *ns);

/* "cpu=4,mem=3.50G,node=1": appends the amounts; -1 with err */
int trace_request(const char *text, struct trace_amount **list, size_t *n,
		  char *err, size_t size);

#endif /* SCOHORT_TRACE_H */
