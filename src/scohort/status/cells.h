/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells.h - texts of columns that several tables have (struct column, table.h)
 */
#ifndef SCOHORT_CELLS_H
#define SCOHORT_CELLS_H

#include <stddef.h>

#include <json.h>

/* A point in time as of the row's "time"; "-" if there is none */
void cell_time(struct json_object *row, struct json_object *value, char *buf,
	       size_t size);

/* A place in a local queue, of the row's "localTotal": "2/5" */
void cell_local_place(struct json_object *row, struct json_object *value,
		      char *buf, size_t size);

#endif /* SCOHORT_CELLS_H */
