/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggestion.h - which of the known words was meant?
 *
 *	suggestion_init(&near, "minAdmitDuraton");
 *	for each known word: suggestion_try(&near, word);
 *	near.best is the nearest one, or NULL if none is near enough
 *
 * Case does not count. A letter that is missing, added, different or swapped
 * with its neighbour counts one. Up to a third of the word's letters may be
 * wrong.
 */
#ifndef COHORT_SUGGESTION_H
#define COHORT_SUGGESTION_H

#include <stddef.h>

struct suggestion {
	const char *word;
	const char *best;
	size_t distance;	/* of best; at first the largest allowed */
};

void suggestion_init(struct suggestion *near, const char *word);
void suggestion_try(struct suggestion *near, const char *known);

#endif /* COHORT_SUGGESTION_H */
