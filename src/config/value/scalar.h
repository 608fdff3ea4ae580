/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar.h - single values: words, numbers, times, names
 *
 * Each function value_X() below is a read_f; the comment says what dest is.
 */
#ifndef COHORT_SCALAR_H
#define COHORT_SCALAR_H

#include <stdint.h>

#include "value/keys.h"

#define NAME_MAX_LENGTH 63

/* The scalar's text; or NULL, after it has reported that n is not `what`, for
 * example "a name" */
const char *value_text(struct reader *r, struct node *n, const char *what);

/* Keeps a copy of the text in dest, a char *, which it frees. */
int value_keep(struct reader *r, void *dest, const char *text);

/* An enum, int or bool; the key has the words, or it is true or false. */
int value_word(struct reader *r, struct node *n, void *dest,
	       const struct key *key);

/* int or int64_t; the key has the bounds. */
int value_integer(struct reader *r, struct node *n, void *dest,
		  const struct key *key);

/* int64_t, ns; the key has the bounds. */
int value_time(struct reader *r, struct node *n, void *dest,
	       const struct key *key);

/* double, 0 or 0.001 to 1000000 */
int value_weight(struct reader *r, struct node *n, void *dest,
		 const struct key *key);

/* char *, the absolute path of a file */
int value_path(struct reader *r, struct node *n, void *dest,
	       const struct key *key);

/* Checks a name that names_read() has entered already: letters, digits, "_", "-"
 * and "."; dest is not used. */
int value_name(struct reader *r, struct node *n, void *dest,
	       const struct key *key);

/* int, the index of a flavor, or of a cohort */
int value_flavor(struct reader *r, struct node *n, void *dest,
		 const struct key *key);
int value_cohort(struct reader *r, struct node *n, void *dest,
		 const struct key *key);

#endif /* COHORT_SCALAR_H */
