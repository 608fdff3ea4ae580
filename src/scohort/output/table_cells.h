/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_cells.h - the inside of a table: made by table.c, printed by
 * table_print.c
 */
#ifndef SCOHORT_TABLE_CELLS_H
#define SCOHORT_TABLE_CELLS_H

#include "output/table.h"

struct column_choice {
	const struct column *column;
	int width;		/* as the user asked for; 0: as wide as needed */
	bool left;
};

/* Texts lie one after the other in one block; cells are offsets into it. */
struct table {
	const struct column *columns;
	struct column_choice *choices;
	size_t n;		/* columns that have cells */
	bool tree;		/* branches stand before names */
	bool *any;		/* by column: some row has a value */
	size_t nrows, rows_size;
	size_t *cells;		/* [row * n + column] */
	unsigned char *paints;	/* the same */
	char *text;
	size_t used, size;
};

static inline const char *cell_at(const struct table *t, size_t row, size_t column)
{
	return t->text + t->cells[row * t->n + column];
}

#endif /* SCOHORT_TABLE_CELLS_H */
