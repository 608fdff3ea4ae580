/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.h - shared by the parts of scohort simulate
 */
#ifndef SCOHORT_SIMULATE_H
#define SCOHORT_SIMULATE_H

#include <stdio.h>

#include <json.h>

#include "output/table.h"
#include "simulate/replay.h"

/* ---- report.c ---- */

/* One replay, all of it except the points. Waits are weighted by that resource;
 * NULL: as in plot_resource() */
struct json_object *simulate_document(const struct replay *r,
				      const char *resource);

/* ---- compare.c ---- */

/* Adds to the other document how it differs from the first one. */
void simulate_compare(struct json_object *first, struct json_object *other);

extern const struct column simulate_columns[];

/* A row for each queue, or with `usage` for each of its flavors and resources;
 * the rows of one queue in all documents stand together. NULL with a message in
 * err. */
struct table *simulate_table(struct json_object *const *documents, size_t n,
			     bool usage, const struct output *out, char *err,
			     size_t size);

/* ---- summary.c ---- */

struct json_object *summary_trace_document(const struct trace *trace);
/* Lines about the trace, and about one configuration from its document */
void summary_trace(FILE *out, const struct trace *trace);
void summary_print(FILE *out, struct json_object *document);

/* ---- progress.c ---- */

struct progress;

/* From now on Ctrl-C stops the replay. NULL: no memory, it is not shown */
struct progress *progress_begin(const char *what, const struct trace *trace);

/* A line on stderr if that is a terminal; false: Ctrl-C. Fits replay_options. */
bool progress_show(void *arg, size_t done, size_t of, int64_t now);
void progress_end(struct progress *progress);

/* ---- plot.c ---- */

/* The resource to draw if none was named: the first GRES, else the first one
 * that has quota */
int plot_resource(const struct spec *spec);

/* Writes an SVG of usage and borrowing of a resource over time, the replays
 * side by side. -1 with a message in err. */
int plot_write(const char *path, const char *resource,
	       const struct replay *const *replays, size_t n, char *err,
	       size_t size);

/* The command: prints, and returns the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_simulate(int argc, char **argv);

#endif /* SCOHORT_SIMULATE_H */
