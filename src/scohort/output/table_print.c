/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_print.c - the cells of a table as lines that fit
 */
#include <stdlib.h>
#include <string.h>

#include "output/table_cells.h"
#include "output/text.h"

#define ELASTIC_EASY 24		/* cut to this before columns are left out, */
#define ELASTIC_LEAST 8		/* to this after */

/* ---- widths ---- */

/* The printed form of a table: how wide each column is; below 0: it is left
 * out */
struct sheet {
	const struct table *t;
	int *widths;
};

static int column_width(const struct table *t, size_t column, bool header)
{
	const char *name = t->choices[column].column->name;
	int width = header ? text_columns(name, strlen(name)) : 1;

	for (size_t r = 0; r < t->nrows; r++) {
		const char *cell = t->cells[r * t->n + column].text;
		int columns = text_columns(cell, strlen(cell));

		if (columns > width)
			width = columns;
	}
	return width;
}

static void widths_measure(struct sheet *s, const struct output *out)
{
	const struct table *t = s->t;

	for (size_t c = 0; c < t->n; c++) {
		const struct column_choice *choice = &t->choices[c];

		if (choice->width)
			s->widths[c] = choice->width;
		else if (!out->format && !t->any[c]
			 && (choice->column->flags & COLUMN_IF_ANY))
			s->widths[c] = -1;
		else
			s->widths[c] = column_width(t, c, !out->no_header);
	}
}

static int widths_total(const struct sheet *s)
{
	int total = -1;

	for (size_t c = 0; c < s->t->n; c++)
		total += s->widths[c] < 0 ? 0 : s->widths[c] + 1;
	return total;
}

/* Cuts the widest column that has any of these flags again and again, none
 * below `least` */
static void widths_cut(struct sheet *s, int width, int least, unsigned flags)
{
	while (widths_total(s) > width) {
		int widest = -1;

		for (size_t c = 0; c < s->t->n; c++) {
			if ((s->t->choices[c].column->flags & flags)
			    && s->widths[c] > least
			    && (widest < 0
				|| s->widths[c] > s->widths[widest]))
				widest = (int) c;
		}
		if (widest < 0)
			return;
		s->widths[widest]--;
	}
}

static void widths_spare(struct sheet *s, int width)
{
	while (widths_total(s) > width) {
		int spared = -1, most = 0;

		for (size_t c = 0; c < s->t->n; c++) {
			if (s->widths[c] >= 0
			    && s->t->choices[c].column->spare > most) {
				most = s->t->choices[c].column->spare;
				spared = (int) c;
			}
		}
		if (spared < 0)
			return;
		s->widths[spared] = -1;
	}
}

/* A column that the user asked for stays, as wide as it is. */
static void widths_fit(struct sheet *s, const struct output *out)
{
	if (!out->width || out->format)
		return;
	widths_cut(s, out->width, ELASTIC_EASY, COLUMN_ELASTIC);
	widths_spare(s, out->width);
	widths_cut(s, out->width, ELASTIC_LEAST, COLUMN_ELASTIC);
	widths_cut(s, out->width, ELASTIC_LEAST, COLUMN_WHOLE);
}

/* ---- lines ---- */

static void blanks_print(FILE *file, int n)
{
	while (n-- > 0)
		putc(' ', file);
}

/* One that is too long ends in '+', as sacct has it. */
static void cell_print(const struct output *out, const char *text, int width,
		       bool left, bool last, enum paint paint)
{
	int columns = text_columns(text, strlen(text));
	bool cut = columns > width;
	size_t n = cut ? text_bytes(text, width - 1) : strlen(text);

	if (!left)
		blanks_print(out->file, width - columns);
	fputs(paint_begin(out, paint), out->file);
	fwrite(text, 1, n, out->file);
	if (cut)
		putc('+', out->file);
	fputs(paint_end(out, paint), out->file);
	if (left && !last)
		blanks_print(out->file, width - columns);
}

/* row < 0: the headings */
static void line_print(const struct sheet *s, const struct output *out,
		       long row)
{
	size_t last = s->t->n;
	bool first = true;

	while (last && s->widths[last - 1] < 0)
		last--;
	for (size_t c = 0; c < last; c++) {
		const struct column_choice *choice = &s->t->choices[c];
		enum paint paint = row < 0 ? PAINT_BOLD : PAINT_NONE;
		const char *text = choice->column->name;

		if (s->widths[c] < 0)
			continue;
		if (row >= 0) {
			const struct cell *cell = &s->t->cells[
				(size_t) row * s->t->n + c];

			text = cell->text;
			paint = cell->paint;
		}
		if (!first)
			putc(' ', out->file);
		first = false;
		cell_print(out, text, s->widths[c], choice->left,
			   c + 1 == last, paint);
	}
	putc('\n', out->file);
}

/* -P shows the same columns for any rows: scripts count on them. */
static void parsable_print(const struct table *t, const struct output *out)
{
	for (long r = out->no_header ? 0 : -1; r < (long) t->nrows; r++) {
		for (size_t c = 0; c < t->n; c++) {
			if (c)
				putc('|', out->file);
			fputs(r < 0 ? t->choices[c].column->name
				    : t->cells[(size_t) r * t->n + c].text,
			      out->file);
		}
		putc('\n', out->file);
	}
}

/* False: no memory */
static bool sheet_make(struct sheet *s, const struct table *t,
		       const struct output *out)
{
	s->t = t;
	s->widths = calloc(t->n + 1, sizeof(*s->widths));
	if (!s->widths)
		return false;
	widths_measure(s, out);
	widths_fit(s, out);
	return true;
}

void table_print(const struct table *t, const struct output *out)
{
	struct sheet s;

	if (out->kind == OUTPUT_PARSABLE) {
		parsable_print(t, out);
		return;
	}
	if (!sheet_make(&s, t, out)) {
		perror("scohort");
		return;
	}
	for (long r = out->no_header ? 0 : -1; r < (long) t->nrows; r++)
		line_print(&s, out, r);
	free(s.widths);
}

static bool leaves_out(const struct sheet *s)
{
	for (size_t c = 0; c < s->t->n; c++)
		if (s->widths[c] < 0)
			return true;
	return false;
}

bool table_left_out(const struct table *t, const struct output *out, char *buf,
		    size_t size)
{
	const struct output wide = { .no_header = out->no_header,
				     .format = out->format };
	struct sheet narrow, all;
	size_t used = 0;

	buf[0] = '\0';
	if (!sheet_make(&narrow, t, out))
		return false;
	if (leaves_out(&narrow) && sheet_make(&all, t, &wide)) {
		for (size_t c = 0; c < t->n && used < size; c++)
			if (narrow.widths[c] < 0 && all.widths[c] >= 0)
				used += (size_t) snprintf(
					buf + used, size - used, "%s%s",
					used ? ", " : "",
					t->choices[c].column->name);
		free(all.widths);
	}
	free(narrow.widths);
	return used > 0;
}

void table_help(const struct column *columns, const struct output *out)
{
	int width = 0;

	for (const struct column *c = columns; c->name; c++) {
		if ((int) strlen(c->name) > width)
			width = (int) strlen(c->name);
	}
	for (const struct column *c = columns; c->name; c++)
		fprintf(out->file, "%-*s  %s\n", width, c->name, c->help);
}
