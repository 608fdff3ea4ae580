/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells.h - rows as a table, and texts of columns that several tables have
 * (column_text_f of table.h)
 */
#ifndef SCOHORT_CELLS_H
#define SCOHORT_CELLS_H

#include <stddef.h>

#include <stdint.h>

#include <json.h>

#include "output/table.h"

/* All rows of an array */
void table_add_all(struct table *table, struct json_object *rows);

/* Prints the rows, an array, which get "time". An exit status, after a message */
int rows_show(const struct column *columns, const struct output *out,
	      struct json_object *rows, int64_t now);

/* A point in time as of the row's "time"; "-" if there is none */
void cell_time(struct json_object *row, struct json_object *value, char *buf,
	       size_t size);

/* A point in time with its date */
void cell_date(struct json_object *row, struct json_object *value, char *buf,
	       size_t size);

void cell_duration(struct json_object *row, struct json_object *value, char *buf,
		   size_t size);

/* An amount of the row's "resource" */
void cell_amount(struct json_object *row, struct json_object *value, char *buf,
		 size_t size);

/* A place in a local queue, of the row's "localTotal": "2/5" */
void cell_local_place(struct json_object *row, struct json_object *value,
		      char *buf, size_t size);

#endif /* SCOHORT_CELLS_H */
