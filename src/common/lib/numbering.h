/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbering.h - a number for each text that is in use
 *
 * Numbers are from 1 on and small: that of a text which nobody uses any more is
 * the next new text's. So what is kept grows with what is in use at one time,
 * not with what has ever been.
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
	int *unused;			/* numbers, size of them at most */
	size_t nunused;
};

/* The number of a text, which has one more user now; 0 with errno = ENOMEM */
int numbering_take(struct numbering *n, const char *text);

/* One user less; the last one frees the number. 0 is allowed. */
void numbering_put(struct numbering *n, int number);

/* How many texts are in use */
size_t numbering_count(const struct numbering *n);

/* Frees all; the numbering is empty then. */
void numbering_clear(struct numbering *n);

#endif /* COHORT_NUMBERING_H */
