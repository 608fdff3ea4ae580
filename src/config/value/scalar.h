/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar.h - single values: words, numbers, times, texts
 */
#ifndef COHORT_SCALAR_H
#define COHORT_SCALAR_H

#include "value/keys.h"

/* The scalar's text; or NULL, after it has reported that it is not `what`, for
 * example "a name" */
const char *value_text(struct value *v, const char *what);

/* ---- each is a read_f; the comment says what dest is ---- */

/* An enum, int or bool; the key has the words, or it is true or false. */
int value_word(struct value *v);

/* int or int64_t; the key has the bounds. */
int value_integer(struct value *v);

/* int64_t, ns; the key has the bounds. */
int value_time(struct value *v);

/* struct wall: a point in time */
int value_moment(struct value *v);

/* double, 0 or 0.001 to 1000000 */
int value_weight(struct value *v);

/* char *, which it replaces by a copy; the key's arg is the rule. size 0: the
 * text is only judged. */
struct text_rule {
	const char *what;	/* "a path" */
	const char *empty;	/* what is wrong with an empty one */
	size_t max;		/* bytes */
	bool (*good)(const char *text);
	const char *wrong;	/* what is wrong else, behind the text */
};
int value_string(struct value *v);

/* Rules: the absolute path of a file; the name of a flavor, cohort or queue:
 * letters, digits, "_", "-" and "." */
extern const struct text_rule path_rule, name_rule;

/* int, the index of a flavor, or of a cohort */
int value_flavor(struct value *v);
int value_cohort(struct value *v);

#endif /* COHORT_SCALAR_H */
