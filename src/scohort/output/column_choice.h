/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_choice.h - which columns a table has: NAME[%[-]WIDTH],...
 *
 * As sacct has it: a width cuts, a negative one aligns to the left. ALL stands
 * for every column.
 */
#ifndef SCOHORT_COLUMN_CHOICE_H
#define SCOHORT_COLUMN_CHOICE_H

#include "output/table.h"

struct column_choice {
	const struct column *column;
	int width;		/* as the user asked for; 0: as wide as needed */
	bool left;
};

/* The chosen columns, freed by the caller; NULL with a message in err. */
struct column_choice *format_parse(const struct column *columns,
				   const char *format, size_t *n, char *err,
				   size_t size);

#endif /* SCOHORT_COLUMN_CHOICE_H */
