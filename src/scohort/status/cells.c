/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells.c - rows as a table, and texts of columns that several tables have
 */
#include <inttypes.h>
#include <stdio.h>

#include "input/json_members.h"
#include "output/text.h"
#include "status/status.h"

void table_add_all(struct table *table, struct json_object *rows)
{
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		table_add(table, json_object_get(json_object_array_get_idx(rows, i)), NULL);
}

void rows_show(const struct column *columns, const struct output *out,
	       struct json_object *rows, int64_t now)
{
	struct table *table = table_create(columns, out, NULL, 0);

	for (size_t i = 0; i < json_object_array_length(rows); i++)
		json_add_number(json_object_array_get_idx(rows, i), "time", now);
	table_add_all(table, rows);
	table_print(table, out);
	table_destroy(table);
}

void cell_time(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	int64_t when = json_object_get_int64(value);

	if (when)
		text_time(buf, size, when, json_number(row, "time"));
	else
		snprintf(buf, size, "-");
}

void cell_date(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	text_date(buf, size, json_object_get_int64(value));
}

void cell_duration(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	text_duration(buf, size, json_object_get_int64(value));
}

void cell_amount(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	text_amount(buf, size, json_text(row, "resource"), json_object_get_int64(value));
}

void cell_local_place(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	snprintf(buf, size, "%"PRId64"/%"PRId64, json_object_get_int64(value),
		 json_number(row, "localTotal"));
}
