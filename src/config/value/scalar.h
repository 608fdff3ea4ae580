/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar.h - single values: words, numbers, times, names
 *
 * Each function fits struct field's .read; the comment says what dest and
 * arg are.
 */
#ifndef COHORT_SCALAR_H
#define COHORT_SCALAR_H

#include <stdint.h>

#include "value/map.h"

#define NAME_MAX_LENGTH 63

struct word {
	const char *word;	/* NULL ends a list of words */
	int value;
};

struct range {
	int64_t min;
	int64_t max;
};

/* The scalar's text; or NULL, after it has reported that n is not `what`, for
 * example "a name" */
const char *value_text(struct reader *r, const struct place *at,
		       struct node *n, const char *what);

/* dest: an enum, or int; arg: struct word[] */
int value_word(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg);

/* dest: bool; arg: struct word[] with the values 0 and 1, or NULL for true and
 * false */
int value_bool(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg);

/* dest: int64_t; arg: struct range */
int value_integer(struct reader *r, const struct place *at, struct node *n,
		  void *dest, const void *arg);

/* dest: int64_t, ns; arg: struct range in ns, or NULL for any */
int value_time(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg);

/* dest: double, 0 or 0.001 to 1000000; arg: NULL */
int value_weight(struct reader *r, const struct place *at, struct node *n,
		 void *dest, const void *arg);

/* dest: char *, the absolute path of a file; arg: not used */
int value_path(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg);

/* Checks a name that names_declare() has entered already: letters, digits, "_",
 * "-" and "."; dest and arg are not used. */
int value_name(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg);

/* dest: int, index of a declared name; arg: struct reference */
struct reference {
	size_t table;		/* offset of the struct symtab * in the reader */
	const char *section;
};
int value_reference(struct reader *r, const struct place *at, struct node *n,
		    void *dest, const void *arg);

#endif /* COHORT_SCALAR_H */
