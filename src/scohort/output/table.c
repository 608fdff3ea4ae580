/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - rows of JSON objects as columns of text, in lines that fit
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "must.h"
#include "output/table.h"
#include "output/text.h"

#define CELL_SIZE 1024
#define WIDTH_MAX 1000
#define ELASTIC_EASY 24		/* cut to this before columns are left out, */
#define ELASTIC_LEAST 8		/* to this after */

#define WIDTH_EMPTY (-1)	/* left out: no row has a value */
#define WIDTH_SPARED (-2)	/* left out for want of room */

struct choice {
	const struct column *column;
	int width;		/* as the user asked for; 0: as wide as needed */
	bool left;
	bool any;		/* some row has a value */
};

struct cell {
	char *text;
	enum paint paint;
};

struct table {
	struct choice *choices;
	size_t n;		/* columns that have cells */
	bool tree;		/* branches stand before names */
	size_t nrows;
	struct cell **rows;	/* n cells each */
};

/* ---- columns ---- */

/* "%-20" -> width and side; false: it is no width */
static bool width_parse(const char *text, size_t len, struct choice *c)
{
	size_t i = 1;

	c->left = len > 1 && text[1] == '-';
	i += c->left;
	c->width = 0;
	for (size_t at = i; at < len; at++) {
		if (!isdigit((unsigned char) text[at]) || c->width > WIDTH_MAX)
			return false;
		c->width = c->width * 10 + text[at] - '0';
	}
	return i < len && c->width > 0 && c->width <= WIDTH_MAX;
}

static struct choice *choice_add(struct table *t, const struct column *column)
{
	t->choices = must_grow(t->choices, t->n, sizeof(*t->choices));
	t->choices[t->n] = (struct choice) { .column = column,
					     .left = !(column->flags & COLUMN_RIGHT) };
	return &t->choices[t->n++];
}

/* NAME[%[-]WIDTH]. False with a message in err */
static bool item_parse(struct table *t, const struct column *columns, const char *item,
		       size_t len, char *err, size_t size)
{
	const char *percent = memchr(item, '%', len);
	size_t name = percent ? (size_t) (percent - item) : len;
	struct choice *choice;

	while (columns->name && (strlen(columns->name) != name
				 || strncasecmp(columns->name, item, name)))
		columns++;
	if (!columns->name) {
		snprintf(err, size, "\"%.*s\" is not a field (-e lists the fields)",
			 (int) name, item);
		return false;
	}
	choice = choice_add(t, columns);
	if (!percent || width_parse(percent, len - name, choice))
		return true;
	snprintf(err, size, "\"%.*s\": the width is not a number from 1 to %d", (int) len,
		 item, WIDTH_MAX);
	return false;
}

/* All columns that have none of these flags */
static void columns_add(struct table *t, const struct column *columns, unsigned without)
{
	for (; columns->name; columns++)
		if (!(columns->flags & without))
			choice_add(t, columns);
}

/* NAME[%[-]WIDTH],... as sacct has it: a width cuts, a negative one aligns to the left. ALL
 * stands for every column. */
static bool format_parse(struct table *t, const struct column *columns, const char *format,
			 char *err, size_t size)
{
	size_t len;

	for (const char *p = format;; p += len + 1) {
		len = strcspn(p, ",");
		if (len == 3 && !strncasecmp(p, "all", 3))
			columns_add(t, columns, 0);
		else if (!item_parse(t, columns, p, len, err, size))
			return false;
		if (!p[len])
			return true;
	}
}

struct table *table_create(const struct column *columns, const struct output *out, char *err,
			   size_t size)
{
	struct table *t = must(calloc(1, sizeof(*t)));
	char why[256];

	t->tree = out->kind != OUTPUT_PARSABLE;
	if (!out->format) {
		columns_add(t, columns, COLUMN_ASKED);
	} else if (!format_parse(t, columns, out->format, why, sizeof(why))) {
		snprintf(err, size, "%s: %s", out->format_is_env ? "SCOHORT_FORMAT"
								 : "--format", why);
		table_destroy(t);
		return NULL;
	}
	return t;
}

int table_check(const struct column *columns, const struct output *out, char *err, size_t size)
{
	struct table *t = table_create(columns, out, err, size);

	table_destroy(t);
	return t ? 0 : -1;
}

void table_destroy(struct table *t)
{
	if (!t)
		return;
	for (size_t r = 0; r < t->nrows; r++) {
		for (size_t c = 0; c < t->n; c++)
			free(t->rows[r][c].text);
		free(t->rows[r]);
	}
	free(t->rows);
	free(t->choices);
	free(t);
}

/* ---- cells ---- */

static bool says_something(struct json_object *value)
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

static void value_text(struct json_object *value, char *buf, size_t size)
{
	if (json_object_is_type(value, json_type_double))
		snprintf(buf, size, "%.6g", json_object_get_double(value));
	else if (json_object_is_type(value, json_type_boolean))
		snprintf(buf, size, "%s", json_object_get_boolean(value) ? "yes" : "no");
	else
		snprintf(buf, size, "%s", value ? json_object_get_string(value) : "-");
}

static struct cell cell_make(struct table *t, struct choice *choice, struct json_object *row,
			     const char *branch)
{
	const struct column *c = choice->column;
	struct json_object *value = NULL;
	char buf[CELL_SIZE] = "";
	size_t used = 0;

	json_object_object_get_ex(row, c->key, &value);
	choice->any |= says_something(value);
	if (t->tree && branch && (c->flags & COLUMN_TREE))
		used = (size_t) snprintf(buf, sizeof(buf) / 2, "%s", branch);
	if (c->text && value)
		c->text(row, value, buf + used, sizeof(buf) - used);
	else
		value_text(value, buf + used, sizeof(buf) - used);
	text_sanitize(buf);
	return (struct cell) { must(strdup(buf)), c->paint ? c->paint(row) : PAINT_NONE };
}

int table_add(struct table *t, struct json_object *row, const char *branch)
{
	struct cell *cells = must(calloc(t->n + 1, sizeof(*cells)));

	for (size_t c = 0; c < t->n; c++)
		cells[c] = cell_make(t, &t->choices[c], row, branch);
	json_object_put(row);
	t->rows = must_grow(t->rows, t->nrows, sizeof(*t->rows));
	t->rows[t->nrows++] = cells;
	return 0;
}

/* ---- widths ---- */

static int width_of(const struct table *t, size_t c, const struct output *out)
{
	const struct choice *choice = &t->choices[c];
	const char *name = choice->column->name;
	int width = out->no_header ? 1 : text_columns(name, strlen(name));

	if (choice->width)
		return choice->width;
	if (!out->format && !choice->any && (choice->column->flags & COLUMN_IF_ANY))
		return WIDTH_EMPTY;
	for (size_t r = 0; r < t->nrows; r++) {
		const char *cell = t->rows[r][c].text;
		int columns = text_columns(cell, strlen(cell));

		width = columns > width ? columns : width;
	}
	return width;
}

static bool is_wider(const struct table *t, const int *widths, int width)
{
	int total = -1;

	for (size_t c = 0; c < t->n; c++)
		total += widths[c] < 0 ? 0 : widths[c] + 1;
	return total > width;
}

/* Cuts the widest column that has any of these flags again and again, none below `least` */
static void widths_cut(const struct table *t, int *widths, int width, int least, unsigned flags)
{
	while (is_wider(t, widths, width)) {
		int *widest = NULL;

		for (size_t c = 0; c < t->n; c++)
			if ((t->choices[c].column->flags & flags) && widths[c] > least
			    && (!widest || widths[c] > *widest))
				widest = &widths[c];
		if (!widest)
			return;
		--*widest;
	}
}

static void widths_spare(const struct table *t, int *widths, int width)
{
	while (is_wider(t, widths, width)) {
		int *spared = NULL, most = 0;

		for (size_t c = 0; c < t->n; c++) {
			if (widths[c] < 0 || t->choices[c].column->spare <= most)
				continue;
			most = t->choices[c].column->spare;
			spared = &widths[c];
		}
		if (!spared)
			return;
		*spared = WIDTH_SPARED;
	}
}

/* How wide each column is printed, or why it is left out; to be freed. A column that the
 * user asked for stays, as wide as it is. */
static int *widths_make(const struct table *t, const struct output *out)
{
	int *widths = must(calloc(t->n + 1, sizeof(*widths)));

	for (size_t c = 0; c < t->n; c++)
		widths[c] = width_of(t, c, out);
	if (!out->width || out->format)
		return widths;
	widths_cut(t, widths, out->width, ELASTIC_EASY, COLUMN_ELASTIC);
	widths_spare(t, widths, out->width);
	widths_cut(t, widths, out->width, ELASTIC_LEAST, COLUMN_ELASTIC);
	widths_cut(t, widths, out->width, ELASTIC_LEAST, COLUMN_WHOLE);
	return widths;
}

/* ---- lines ---- */

/* One that is too long ends in '+', as sacct has it. */
static void cell_print(const struct output *out, const struct cell *cell, int width, bool left,
		       bool last)
{
	int columns = text_columns(cell->text, strlen(cell->text));
	int blanks = columns < width ? width - columns : 0;
	size_t n = columns > width ? text_bytes(cell->text, width - 1) : strlen(cell->text);

	fprintf(out->file, "%*s%s%.*s%s%s%*s", left ? 0 : blanks, "",
		paint_begin(out, cell->paint), (int) n, cell->text, columns > width ? "+" : "",
		paint_end(out, cell->paint), left && !last ? blanks : 0, "");
}

/* cells: NULL: the headings */
static void line_print(const struct table *t, const struct output *out, const int *widths,
		       const struct cell *cells)
{
	size_t last = t->n;
	bool first = true;

	while (last && widths[last - 1] < 0)
		last--;
	for (size_t c = 0; c < last; c++) {
		const struct choice *choice = &t->choices[c];
		const struct cell heading = { (char *) choice->column->name, PAINT_BOLD };

		if (widths[c] < 0)
			continue;
		if (!first)
			putc(' ', out->file);
		first = false;
		cell_print(out, cells ? &cells[c] : &heading, widths[c], choice->left,
			   c + 1 == last);
	}
	putc('\n', out->file);
}

/* -P shows the same columns for any rows: scripts count on them. */
static void parsable_print(const struct table *t, const struct output *out,
			   const struct cell *cells)
{
	for (size_t c = 0; c < t->n; c++)
		fprintf(out->file, "%s%s", c ? "|" : "",
			cells ? cells[c].text : t->choices[c].column->name);
	putc('\n', out->file);
}

void table_print(const struct table *t, const struct output *out)
{
	int *widths = widths_make(t, out);

	for (size_t r = out->no_header; r <= t->nrows; r++) {
		const struct cell *cells = r ? t->rows[r - 1] : NULL;

		if (out->kind == OUTPUT_PARSABLE)
			parsable_print(t, out, cells);
		else
			line_print(t, out, widths, cells);
	}
	free(widths);
}

bool table_left_out(const struct table *t, const struct output *out, char *buf, size_t size)
{
	int *widths = widths_make(t, out);

	buf[0] = '\0';
	for (size_t c = 0; c < t->n; c++)
		if (widths[c] == WIDTH_SPARED)
			text_join(buf, size, "%s", t->choices[c].column->name);
	free(widths);
	return *buf;
}

void table_help(const struct column *columns, const struct output *out)
{
	int width = 0;

	for (const struct column *c = columns; c->name; c++)
		width = (int) strlen(c->name) > width ? (int) strlen(c->name) : width;
	for (const struct column *c = columns; c->name; c++)
		fprintf(out->file, "%-*s  %s\n", width, c->name, c->help);
}

void table_print_list(const struct column *columns, const struct output *out, struct json_object *list,
		size_t most)
{
	size_t n = json_object_array_length(list);
	struct table *t = table_create(columns, out, NULL, 0);

	for (size_t i = 0; i < n && i < most; i++)
		table_add(t, json_object_get(json_object_array_get_idx(list, i)), NULL);
	if (n)
		table_print(t, out);
	if (n > most)
		fprintf(out->file, "and %zu more (--json has all)\n", n - most);
	table_destroy(t);
}
