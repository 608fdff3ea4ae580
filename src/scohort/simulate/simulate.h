/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.h - shared by the parts of scohort simulate
 */
#ifndef SCOHORT_SIMULATE_H
#define SCOHORT_SIMULATE_H

#include <stdio.h>

#include <json.h>

#include "cli/options.h"
#include "output/table.h"
#include "replay/replay.h"

/* ---- options.c ---- */

#define SWEEP_PATHS_MAX 2
#define SWEEP_VALUES_MAX 30	/* of one path */
#define SWEEP_MAX 100		/* combinations */

struct sweep_path {
	char *text;		/* "PATH", then its values, each NUL-terminated */
	const char *values[SWEEP_VALUES_MAX];
	size_t n;
};

/* What --sweep tries */
struct sweep {
	struct sweep_path paths[SWEEP_PATHS_MAX];
	size_t npaths, n;	/* n: combinations, the last path's values the fastest */
};

struct options {
	const char *config, *html, *resource, *events, *unit;
	const char *classes, *checkpoint, *restart_cost, *warm_up, *tail, *step;
	struct cli_list against, native, sweep;
	bool usage;
	/* what all that means */
	struct trace_options trace;
	struct replay_options how;
	struct sweep tried;
};

/* Reads argv. False: nothing more is to be done but to return call->status.
 * simulate_options_close() in any case */
bool simulate_options(int argc, char **argv, struct options *o, struct call *call);
void simulate_options_close(struct options *o);

/* ---- report.c ---- */

/* The resource of that name; NULL: the first GRES, else the first one that has quota.
 * SPEC_NONE: there is none */
int report_resource(const struct spec *spec, const char *resource);

/* What the configuration is called */
const char *replay_title(const struct replay *r);

/* One replay, all of it except the points. Waits are weighted by that resource, as
 * report_resource() has it. */
struct json_object *simulate_document(const struct replay *r, const char *resource);
struct json_object *trace_document(const struct trace *trace);

/* Lines about the trace, and about one configuration from its document */
void trace_print(FILE *out, const struct trace *trace);
void report_print(FILE *out, struct json_object *document);
/* Of these only the jobs that are not simulated as the trace has them, by cause */
void left_out_print(FILE *out, struct json_object *document);

/* ---- rows.c ---- */

/* Adds to the other document how it differs from the first one. */
void simulate_compare(struct json_object *first, struct json_object *other);

extern const struct column simulate_columns[];

/* A row for each queue, or with `usage` for each of its flavors and resources;
 * the rows of one queue in all documents stand together. */
struct table *simulate_table(struct json_object *const *documents, size_t n, bool usage,
			     const struct output *out);

/* ---- during.c: while a replay runs ---- */

struct progress;

/* From now on Ctrl-C stops the replay. */
struct progress *progress_begin(const char *what, const struct trace *trace);

/* A line on stderr if that is a terminal; false: Ctrl-C. Fits replay_options. */
bool progress_show(void *arg, size_t done, size_t of, int64_t now);
void progress_end(struct progress *progress);

struct events;

/* A CSV for the events of one replay of the trace. NULL: reported */
struct events *events_open(const char *path, const struct trace *trace);
/* Writes one; fits replay_options. */
void events_write(void *arg, const struct replay_event *e);
/* False: not all was written, which was reported */
bool events_close(struct events *events);

/* ---- plot.c ---- */

/* Writes a page of charts over time: use and borrowing of a resource, waiting
 * jobs, evictions; the replays side by side. With `dates` the times of the trace are
 * since the epoch. False after a message */
bool plot_write(const char *path, const char *resource, bool dates,
		struct replay *const *replays, size_t n);

/* ---- sweep.c: the values of --sweep ---- */

/* From "PATH=VALUE,..."; false after a message. sweep_close() in any case */
bool sweep_open(struct sweep *s, const struct cli_list *texts);
void sweep_close(struct sweep *s);

/* The value of a path in combination i */
const char *sweep_value(const struct sweep *s, size_t path, size_t i);
/* "10m", or with `paths` "minRuntime.reclaim=10m"; with another path, both */
char *sweep_label(const struct sweep *s, size_t i, bool paths, char *buf, size_t size);

/* The text of a cohort.yaml without errors, with the values of combination i, to
 * be freed by the caller. NULL with a message in err */
char *sweep_text(const struct sweep *s, size_t i, const char *text, char *err, size_t size);

/* ---- sweep_report.c ---- */

/* Marks the documents, n of the combinations from the first one, with their
 * values and with `unbeaten`: no other one has shorter waits of owners without
 * more lost work, or less lost work without longer waits. */
void sweep_mark(const struct sweep *s, struct json_object *const *documents, size_t n);
struct json_object *sweep_document(const struct sweep *s);
/* A row for each */
struct table *sweep_table(const struct sweep *s, struct json_object *const *documents,
			  size_t n, const struct output *out);
/* Lines: what was tried, and what nothing else beats */
void sweep_print(FILE *out, const struct sweep *s, struct json_object *const *documents, size_t n);
/* Writes a page with owners' wait against lost work. False after a message */
bool sweep_plot(const char *path, const struct sweep *s,
		struct json_object *const *documents, size_t n);

#endif /* SCOHORT_SIMULATE_H */
