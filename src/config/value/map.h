/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map.h - maps by tables: which keys there are, and how each is read
 *
 *	static const struct field visibility_fields[] = {
 *		{ .key = "comments", .read = value_bool,
 *		  .offset = offsetof(struct conf, comments) },
 *		{ .key = NULL }
 *	};
 *
 * A key that is unknown, comes twice or has no value is reported here, so that
 * no section has to do it.
 */
#ifndef COHORT_MAP_H
#define COHORT_MAP_H

#include "value/reader.h"
#include "yaml/document.h"

/* Reads node n, found at `at`, to dest. arg is the field's own. Returns 0, or
 * -1 after it has reported what is wrong; *dest is then as before. */
typedef int (*field_read_f)(struct reader *r, const struct place *at,
			    struct node *n, void *dest, const void *arg);

struct field {
	const char *key;
	field_read_f read;
	size_t offset;		/* of dest in the object */
	const void *arg;
	bool required;
};

/* Reports an error of node n, marks n bad, and is -1. */
#define field_error(r, at, n, ...) \
	((n)->bad = true, \
	 report_error((r)->report, (at), (n)->line, __VA_ARGS__))

/* The map has the key, and nothing is wrong with its value; for checks that
 * need two values. */
bool map_has_good(const struct node *map, const char *key);

/* Reads a map by the table that arg points to (of struct field). Fields are
 * read in the order of the table. Fits .read, for maps in maps. */
int map_read(struct reader *r, const struct place *at, struct node *map,
		void *object, const void *arg);

/* True if n is null: nothing, ~ or null without quotes */
bool node_is_null(const struct node *n);

/* "a list", "a map" or the text in quotes: how a message calls n */
struct quoted node_quote(const struct node *n);

/* Calls read() on each item with dest and arg. what: "a list of ..." */
int list_read(struct reader *r, const struct place *at, struct node *list,
	      const char *what, field_read_f read, void *dest,
	      const void *arg);

#endif /* COHORT_MAP_H */
