/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - the names that the items of a list declare
 */
#ifndef COHORT_NAMES_H
#define COHORT_NAMES_H

#include <stddef.h>

struct node;
struct reader;

struct name {
	const char *text;	/* the document's */
	size_t index;		/* of the item in the list */
};

/* Sorted by text; all 0: no names. Freed with free(of) */
struct names {
	struct name *of;
	size_t n;
};

/* Enters the names of a list of maps; what: "a list of ...". -1 if it reports
 * names that come twice, or that there are none (names->of is NULL): the value is
 * no list, longer than max, or there is no memory. */
int names_read(struct reader *r, struct node *list, const char *what,
	       size_t max, struct names *names);

/* NULL if there is no such name */
const struct name *names_find(const struct names *names, const char *text);

#endif /* COHORT_NAMES_H */
