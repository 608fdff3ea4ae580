/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - rows of JSON objects as columns of text
 *
 * A column shows one member of each row. The user chooses the columns of the
 * table (-o NAME[%[-]WIDTH],...); by default it has those that fit the
 * width.
 */
#ifndef SCOHORT_TABLE_H
#define SCOHORT_TABLE_H

#include "output/output.h"

enum column_flag {
	COLUMN_RIGHT = 1,	/* numbers */
	COLUMN_TREE = 2,	/* the row's branch stands before it */
	COLUMN_ELASTIC = 4,	/* may be cut short, '+' at the end */
	COLUMN_ASKED = 8,	/* only if -o names it */
	COLUMN_IF_ANY = 16,	/* only if some row has it, and not 0 or "" */
	COLUMN_WHOLE = 32,	/* is cut short only after all else */
};

/* The text of a value of a row, which is not null: that is "-" in any column.
 * Default: a string as it is, numbers, yes or no */
typedef void (*column_text_f)(struct json_object *row, struct json_object *value, char *buf,
			      size_t size);
typedef enum paint (*column_paint_f)(struct json_object *row);

struct column {
	const char *name;	/* in capitals: the heading, and the name for -o
				 * in upper or lower case; NULL: the end */
	const char *key;	/* of the row */
	const char *help;
	unsigned flags;
	int spare;		/* if the line is too narrow, the highest number
				 * is left out first; 0: never */
	column_text_f text;	/* or NULL */
	column_paint_f paint;	/* or NULL */
};

/* COLUMN("USER", "user", "who it is of", .flags = COLUMN_ASKED) */
#define COLUMN(name_, key_, help_, ...) \
	{ .name = name_, .key = key_, .help = help_, __VA_ARGS__ }

struct table;

/* Makes cells for this output as rows come in. The columns have to outlive it. NULL with a
 * message in err: -o names an unknown column, which table_check() has found before. */
struct table *table_create(const struct column *columns,
			   const struct output *out, char *err, size_t size);
void table_destroy(struct table *t);

/* Takes the row. branch ("|- ") may be NULL. Returns 0. */
int table_add(struct table *t, struct json_object *row, const char *branch);

/* Prints it as text or, for -P, parsable. */
void table_print(const struct table *t, const struct output *out);

/* The first `most` of a list, and how many more there are; nothing of an empty one */
void table_print_list(const struct column *columns, const struct output *out, struct json_object *list,
		size_t most);

/* The headings of columns that table_print() leaves out for want of room:
 * "RUN, LATER". False: there are none. */
bool table_left_out(const struct table *t, const struct output *out, char *buf, size_t size);

/* The same check alone, to be made before any data is fetched */
int table_check(const struct column *columns, const struct output *out, char *err, size_t size);

/* For -e: names and their meaning */
void table_help(const struct column *columns, const struct output *out);

#endif /* SCOHORT_TABLE_H */
