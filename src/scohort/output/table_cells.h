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

struct cell {
	char *text;
	enum paint paint;
};

struct table {
	struct column_choice *choices;
	size_t n;		/* columns that have cells */
	bool tree;		/* branches stand before names */
	bool *any;		/* by column: some row has a value */
	size_t nrows, rows_size;
	struct cell *cells;	/* [row * n + column] */
};

#endif /* SCOHORT_TABLE_CELLS_H */
