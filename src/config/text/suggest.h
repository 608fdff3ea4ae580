/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - which of the known words was meant?
 *
 *	near_init(&near, "minAdmitDuraton");
 *	for each known word: near_try(&near, word);
 *	near.best is the nearest one, or NULL if none is near enough
 *
 * Case does not count; a letter more, less, different or swapped with its
 * neighbour counts one; up to a third of the word's letters may be wrong.
 */
#ifndef COHORT_SUGGEST_H
#define COHORT_SUGGEST_H

#include <stddef.h>

struct near {
	const char *word;
	const char *best;
	size_t distance;	/* of best; first the most that is allowed */
};

void near_init(struct near *near, const char *word);
void near_try(struct near *near, const char *known);

#endif /* COHORT_SUGGEST_H */
