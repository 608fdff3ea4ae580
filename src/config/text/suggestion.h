/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggestion.h - which of the known words was meant?
 */
#ifndef COHORT_SUGGESTION_H
#define COHORT_SUGGESTION_H

#include "text/report.h"

/* " (did you mean WORD?)", or "" if no known word is near enough. items: an array
 * of n items, each with `size` bytes, that begin with the pointer to a word; NULL
 * ends it, too. Case does not count. A letter that is missing, added, different or
 * swapped with its neighbour counts one. Up to a third of the word's letters may
 * be wrong; the first of the nearest words is taken. */
struct quoted did_you_mean(const char *word, const void *items, size_t size, size_t n);

#endif /* COHORT_SUGGESTION_H */
