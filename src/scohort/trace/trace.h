/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - a workload: which jobs were submitted when, and how long they ran
 *
 * As CSV with a line of headings, as sacct --parsable2 prints it, or in the
 * Standard Workload Format (scohort(1) has the columns of each). The trace does
 * not depend on a configuration.
 */
#ifndef SCOHORT_TRACE_H
#define SCOHORT_TRACE_H

#include "conf.h"
#include "lib/arena.h"
#include "lib/hash.h"
#include "value/tres.h"

/* ---- names.c: texts and requests that many jobs share ----
 *
 * A trace of a million jobs has some thousand users, and hardly more requests.
 * Each is kept once, until trace_names_free(). */

struct trace_amount {
	char resource[RESOURCE_NAME_MAX + 1];
	int64_t amount;			/* of one task */
};

/* In the order in which they were written, each resource once */
struct trace_request {
	size_t n;
	struct trace_amount amounts[];
};

struct trace_names {
	struct hash texts;
	struct arena memory;
};

/* The same pointer for the same text */
const char *trace_name(struct trace_names *names, const char *text);

/* "cpu=4,mem=3.50G,node=1", the same pointer for the same text. NULL with what
 * is wrong in err. */
const struct trace_request *trace_request(struct trace_names *names, const char *text,
					  char *err, size_t size);

/* From now on trace_labelled() gives text[0..len) for this key, NULL for
 * others. A later one replaces it. */
void trace_label(struct trace_names *names, const char *key, const char *text, size_t len);
const char *trace_labelled(struct trace_names *names, const char *key);

void trace_names_free(struct trace_names *names);

/* ---- the trace ---- */

/* Where time begins in a trace without dates: the engine uses 0 for something else */
#define TRACE_ORIGIN (INT64_C(86400) * SPEC_SEC)

enum trace_kind { TRACE_CSV, TRACE_SACCT, TRACE_SWF };

struct trace_options {
	const char *columns;	/* CSV: "submit=start_time,gres/gpu=gpus":
				 * which column has what; or NULL */
	int64_t unit;		/* CSV: ns of a plain number; 0: seconds */
};

/* Why a row is no job of the simulation */
enum trace_cause {
	TRACE_IS_STEP,		/* sacct: a step of a job */
	TRACE_NEVER_RAN,	/* it does not show how long it would have run */
	TRACE_NO_REQUEST,	/* it does not show what it asked for */
	TRACE_NO_TIME,		/* it does not show when it was submitted */
	TRACE_IS_PART,		/* SWF: a part of a job that has its own row */
	TRACE_CAUSES
};

struct trace_job {
	size_t line;
	int64_t submit;			/* ns since the epoch, or TRACE_ORIGIN and on */
	int64_t duration;		/* ns, of a run */
	int64_t tasks;			/* array tasks, at least 1 */
	/* NULL: not said */
	const char *queue;		/* cluster queue */
	const char *class;		/* a priority, or the name of one */
	const char *partition, *qos, *account, *user;
	const char *features;		/* what it asks of nodes */
	enum conf_preemptibility preemptibility;	/* its user's word */
	int64_t checkpoint;		/* it saves its work after each such time, ns; 0: not said */
	const struct trace_request *request;
};

struct trace {
	char *file;
	enum trace_kind kind;
	struct trace_job *jobs;		/* in order of submission */
	size_t n;
	size_t left_out[TRACE_CAUSES];	/* rows, by cause */
	size_t skipped;			/* all of these */
	size_t errors;			/* rows that are wrong */
	char *unused;			/* CSV: columns that nothing was taken
					 * from, "a, b"; or NULL */
	bool dates;			/* submit is since the epoch */
	char *computer;			/* SWF: its header says so; or NULL */
	int64_t processors;		/* the same; 0: not said */
	struct trace_names names;	/* owns the texts of the jobs */
};

/* Reads the trace; the first wrong rows are reported, and how many more there
 * are. NULL if it can't be read at all, or has no jobs; that was reported. */
struct trace *trace_load(const char *path, const struct trace_options *options,
			 conf_report_f report, void *arg);
void trace_free(struct trace *trace);

/* "steps", the key of a document; "row of a step", "rows of steps" */
const char *trace_cause_key(enum trace_cause cause);
const char *trace_cause_text(enum trace_cause cause, size_t n);

/* ---- reader.c: the texts of fields ---- */

#define TRACE_UNCLOSED (-1)	/* a quote is not closed */
#define TRACE_BEHIND (-2)	/* there is text behind a closing quote */

/* Takes a line apart in place; the fields point into it. separator ',': a field may stand in
 * double quotes; ' ': any number of blanks. rest: the last one of max has all that follows.
 * Returns the number, max + 1 if there are more than max, or one of the above. */
int trace_split(char *line, char separator, char **fields, int max, bool rest);

/* 1:30:00, 2-00:00:00, 30s, 4h: a time as in cohort.yaml; but 90 and 1.5, plain numbers, count
 * units of that many ns. -1: none of these, or more than the engine can count */
int trace_span(const char *text, int64_t unit, int64_t *ns);

/* 2026-11-21T14:05:11, or with a blank for the T, local time, or with a Z at
 * the end; or seconds since the epoch: a number of ten digits. -1: none of
 * these, or no day of the calendar */
int trace_date(const char *text, int64_t *ns);

#endif /* SCOHORT_TRACE_H */
