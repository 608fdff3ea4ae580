/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - rows of JSON objects as columns of text
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "output/table_cells.h"
#include "output/text.h"

#define CELL_SIZE 1024
#define WIDTH_MAX 1000

void table_destroy(struct table *t)
{
	int saved = errno;

	if (!t)
		return;
	for (size_t i = 0; i < t->nrows * t->n; i++)
		free(t->cells[i].text);
	free(t->choices);
	free(t->any);
	free(t->cells);
	free(t);
	errno = saved;
}

/* ---- columns ---- */

static bool value_says_something(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		return false;
	case json_type_boolean:
		return json_object_get_boolean(value);
	case json_type_int:
		return json_object_get_int64(value) != 0;
	case json_type_string:
		return *json_object_get_string(value) != '\0';
	default:
		return true;
	}
}

static const struct column *column_find(const struct column *columns,
					const char *name, size_t len)
{
	for (; columns->name; columns++)
		if (strlen(columns->name) == len
		    && !strncasecmp(columns->name, name, len))
			return columns;
	return NULL;
}

/* "%-20" -> width and side; false: it is no width */
static bool width_parse(const char *text, size_t len, struct column_choice *c)
{
	long width = 0;
	size_t i = 1;

	c->left = len > 1 && text[1] == '-';
	i += c->left;
	if (i == len)
		return false;
	for (; i < len; i++) {
		if (!isdigit((unsigned char) text[i]) || width > WIDTH_MAX)
			return false;
		width = width * 10 + text[i] - '0';
	}
	c->width = (int) width;
	return width > 0 && width <= WIDTH_MAX;
}

static bool item_parse(const struct column *columns, const char *item,
		       size_t len, struct column_choice *c, char *err,
		       size_t size)
{
	const char *percent = memchr(item, '%', len);
	size_t name = percent ? (size_t) (percent - item) : len;

	c->column = column_find(columns, item, name);
	if (!c->column) {
		snprintf(err, size, "\"%.*s\" is not a field (-e lists the "
			 "fields)",
			 (int) name, item);
		return false;
	}
	c->left = !(c->column->flags & COLUMN_RIGHT);
	if (percent && !width_parse(percent, len - name, c)) {
		snprintf(err, size, "\"%.*s\": the width is not a number from "
			 "1 to %d", (int) len, item, WIDTH_MAX);
		return false;
	}
	return true;
}

/* All columns that have none of these flags */
static size_t columns_add(const struct column *columns, unsigned without,
			  struct column_choice *c)
{
	size_t n = 0;

	for (; columns->name; columns++)
		if (!(columns->flags & without))
			c[n++] = (struct column_choice) {
				.column = columns,
				.left = !(columns->flags & COLUMN_RIGHT),
			};
	return n;
}

/* NAME[%[-]WIDTH],... as sacct has it: a width cuts, a negative one aligns to the left. ALL
 * stands for every column. */
static bool format_parse(const struct column *columns, const char *format,
			 struct column_choice *c, size_t *n, char *err,
			 size_t size)
{
	size_t len;

	for (const char *p = format;; p += len + 1) {
		len = strcspn(p, ",");
		if (len == 3 && !strncasecmp(p, "all", 3))
			*n += columns_add(columns, 0, c + *n);
		else if (!item_parse(columns, p, len, &c[(*n)++], err, size))
			return false;
		if (!p[len])
			return true;
	}
}

/* Freed by the caller; NULL with a message in err */
static struct column_choice *columns_choose(const struct column *columns,
					    const struct output *out, size_t *n,
					    char *err, size_t size)
{
	size_t all = 1, most = out->format ? strlen(out->format) + 1 : 1;
	struct column_choice *c;
	char why[256];

	for (const struct column *of = columns; of->name; of++)
		all++;
	c = calloc(most * all, sizeof(*c));
	*n = 0;
	if (!c) {
		snprintf(err, size, "out of memory");
	} else if (!out->format) {
		*n = columns_add(columns, COLUMN_ASKED, c);
	} else if (!format_parse(columns, out->format, c, n, why, sizeof(why))) {
		snprintf(err, size, "%s: %s", out->format_is_env
			 ? "SCOHORT_FORMAT" : "--format", why);
		free(c);
		return NULL;
	}
	return c;
}

int table_check(const struct column *columns, const struct output *out,
		char *err, size_t size)
{
	size_t n;
	struct column_choice *c = columns_choose(columns, out, &n, err, size);

	free(c);
	return c ? 0 : -1;
}

struct table *table_create(const struct column *columns,
			   const struct output *out, char *err, size_t size)
{
	struct table *t = calloc(1, sizeof(*t));

	snprintf(err, size, "out of memory");
	if (!t)
		return NULL;
	t->tree = out->kind != OUTPUT_PARSABLE;
	t->choices = columns_choose(columns, out, &t->n, err, size);
	t->any = t->choices ? calloc(t->n + 1, sizeof(*t->any)) : NULL;
	if (t->any)
		return t;
	table_destroy(t);
	return NULL;
}

/* ---- cells ---- */

static void value_text(struct json_object *value, char *buf, size_t size)
{
	const char *text;

	switch (json_object_get_type(value)) {
	case json_type_null:
		text = "-";
		break;
	case json_type_boolean:
		text = json_object_get_boolean(value) ? "yes" : "no";
		break;
	case json_type_double:
		snprintf(buf, size, "%.6g", json_object_get_double(value));
		return;
	default:
		text = json_object_get_string(value);
	}
	snprintf(buf, size, "%s", text);
}

static void cell_text(const struct table *t, const struct column *column,
		      struct json_object *row, struct json_object *value,
		      const char *branch, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	if (t->tree && branch && (column->flags & COLUMN_TREE))
		used = (size_t) snprintf(buf, size / 2, "%s", branch);
	if (column->text && value)
		column->text(row, value, buf + used, size - used);
	else
		value_text(value, buf + used, size - used);
	text_sanitize(buf);
}

static int rows_grow(struct table *t)
{
	size_t size = t->rows_size ? 2 * t->rows_size : 64;
	struct cell *cells = realloc(t->cells, size * t->n * sizeof(*cells));

	if (!cells)
		return -1;
	t->cells = cells;
	t->rows_size = size;
	return 0;
}

static struct cell cell_make(struct table *t, size_t column,
			     struct json_object *row, const char *branch)
{
	const struct column *c = t->choices[column].column;
	struct json_object *value = NULL;
	char buf[CELL_SIZE];

	json_object_object_get_ex(row, c->key, &value);
	t->any[column] |= value_says_something(value);
	cell_text(t, c, row, value, branch, buf, sizeof(buf));
	return (struct cell) { strdup(buf), c->paint ? c->paint(row)
						     : PAINT_NONE };
}

int table_add(struct table *t, struct json_object *row, const char *branch)
{
	bool grown = t->nrows < t->rows_size || !rows_grow(t), made = grown;
	struct cell *cells = grown ? &t->cells[t->nrows * t->n] : NULL;

	for (size_t c = 0; grown && c < t->n; c++) {
		cells[c] = cell_make(t, c, row, branch);
		made &= cells[c].text != NULL;
	}
	json_object_put(row);
	t->nrows += made;
	if (made)
		return 0;
	for (size_t c = 0; grown && c < t->n; c++)
		free(cells[c].text);
	errno = ENOMEM;
	return -1;
}
