/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbering.h - a number for each text that is in use
 *
 * Numbers begin with 1 and stay small: when the last user of a text has gone,
 * its number is free for the next new text. So what is kept grows with what is
 * in use at one time, not with all that has ever been in use.
 */
#ifndef COHORT_NUMBERING_H
#define COHORT_NUMBERING_H

#include <stddef.h>

#include "lib/hash.h"

struct numbered;

struct numbering {
	struct hash texts;
	struct numbered **list;		/* by number; NULL: not in use */
	size_t size;			/* of the list */
	size_t first_unused;		/* no smaller number is free */
};

/* The number of a text, which then has one more user; 0 with errno = ENOMEM */
int numbering_take(struct numbering *n, const char *text);

/* One user less; the last one frees the number. 0 is allowed. */
void numbering_put(struct numbering *n, int number);

/* The text of a number; NULL: it is not in use. Valid as long as it is. */
const char *numbering_text(const struct numbering *n, int number);

/* How many texts are in use */
size_t numbering_count(const struct numbering *n);

#endif /* COHORT_NUMBERING_H */
