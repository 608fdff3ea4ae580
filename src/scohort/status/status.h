/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.h - the ledger as a table and as a document
 */
#ifndef SCOHORT_STATUS_H
#define SCOHORT_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger/published.h"
#include "output/table.h"

/* ---- scarcest.c: which flavors and resources of a queue are shown ---- */

struct shown {
	bool all;		/* else one of each queue or cohort */
	const char *resource;	/* only of this one; NULL: any */
};

/* Has the queue or cohort nominal quota of that, or has what is below it? */
bool quota_is_owned(struct json_object *quota);

/* Is the i-th quota of the published queue or cohort shown? */
bool quota_is_shown(const struct shown *shown, struct json_object *node, size_t i);

/* ---- cells.c: rows as a table, and texts of columns that several tables have
 * (column_text_f of table.h) ---- */

/* All rows of an array */
void table_add_all(struct table *table, struct json_object *rows);

/* Prints the rows, an array, which get "time". */
void rows_show(const struct column *columns, const struct output *out,
	       struct json_object *rows, int64_t now);

/* A point in time as of the row's "time"; "-" if there is none */
void cell_time(struct json_object *row, struct json_object *value, char *buf, size_t size);

/* A point in time with its date */
void cell_date(struct json_object *row, struct json_object *value, char *buf, size_t size);

void cell_duration(struct json_object *row, struct json_object *value, char *buf, size_t size);

/* An amount of the row's "resource" */
void cell_amount(struct json_object *row, struct json_object *value, char *buf, size_t size);

/* A place in a local queue, of the row's "localTotal": "2/5" */
void cell_local_place(struct json_object *row, struct json_object *value, char *buf, size_t size);

/* ---- status.c ---- */

/* pairs: flavor -> resource -> any. Adds a sentence for each of them with more quota
 * than its nodes have: then not all that is free can be used. */
void promised_add(const struct published *p, struct json_object *pairs, struct json_object *notes);

/* ---- status_table.c ---- */

extern const struct column status_columns[];

/* Rows of a table, and what belongs to them */
struct status_rows {
	struct table *table;
	struct shown shown;
	bool once;			/* only the first row of a queue has its jobs */
	size_t hidden;			/* how many flavors and resources have no row */
	struct json_object *notes;	/* an array; gets lines for below the table */
	struct json_object *pairs;	/* gets flavor -> resource -> null for each row */
};

/* Cohorts as a tree with their queues, a row for each flavor and resource that is
 * shown; all, or only the named queues, those of named cohorts, and the cohorts
 * above */
void status_fill(struct status_rows *rows, const struct published *p, char **names, int n);

/* The same as a document: the published one without counters and places */
struct json_object *status_document(const struct published *p, char **names, int n);

#endif /* SCOHORT_STATUS_H */
