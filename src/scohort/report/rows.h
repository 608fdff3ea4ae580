/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.h - a report as JSON: rows, and totals by resource
 *
 * Amounts are hours of the resource: base units times hours.
 */
#ifndef SCOHORT_REPORT_ROWS_H
#define SCOHORT_REPORT_ROWS_H

#include <json.h>

#include "output/table.h"
#include "report/catalog.h"
#include "report/slots.h"

/* ---- cells ---- */

/* With one decimal; "-" where nothing is known */
void hours_text(struct json_object *row, struct json_object *value, char *buf,
		size_t size);
void resource_text(struct json_object *row, struct json_object *value,
		   char *buf, size_t size);

/* What period_add() adds */
#define PERIOD_COLUMNS \
	{ "TIME", "time", "the hour, day, week or month (--by)", \
	  COLUMN_IF_ANY, 0, NULL, NULL }, \
	{ "BEGIN", "begin", "the same in seconds since 1970", COLUMN_ASKED, 0, \
	  NULL, NULL }

/* ---- rows ---- */

/* Hours of what the database counts in seconds, with four decimals */
struct json_object *hours_json(int64_t seconds);

/* Adds "time" and "begin" (seconds since 1970: two hours of a day in autumn have one
 * name) unless the report is of the whole range. */
void period_add(struct json_object *row, enum span_by by, int64_t begin);

/* A row for each cluster queue, resource and period. -1 after a message */
int rows_fill(const struct db *db, const struct range *range,
	      const struct catalog *catalog, struct json_object *rows,
	      struct json_object *totals);

/* A row for each lender, borrower, resource and period: of chosen queues, those in
 * which they are either. -1 after a message */
int matrix_fill(const struct db *db, const struct range *range,
		const struct choice *choice, struct json_object *rows,
		struct json_object *totals);

extern const struct column eviction_columns[], costliest_columns[];

/* A row for each queue that has lost jobs, queue that got their place, rule, resource
 * that they had used, and period. Of chosen queues, those in which they are either. -1
 * after a message */
int evictions_fill(const struct db *db, const struct range *range,
		   const struct choice *choice, const struct catalog *catalog,
		   struct json_object *rows, struct json_object *totals);

/* The evictions that have cost most of the chosen resource, that first. -1 after a
 * message */
int costliest_fill(const struct db *db, const struct range *range,
		   const struct choice *choice, const struct catalog *catalog,
		   int64_t most, struct json_object *rows);

#endif /* SCOHORT_REPORT_ROWS_H */
