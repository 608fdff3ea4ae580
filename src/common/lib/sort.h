/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sort.h - many elements in an order that a few numbers tell
 *
 * The numbers are computed once for each element, so that no function is called to compare
 * two of them.
 */
#ifndef COHORT_SORT_H
#define COHORT_SORT_H

#include <stddef.h>
#include <stdint.h>

struct sort_key {
	uint64_t words[3];		/* the first one that differs tells: the
					 * lower one comes first */
	size_t index;			/* of the element that it is of */
};

/* Sorts n keys; those that are the same stay in their order. Where only few are out of order,
 * or none is far from its place, that takes about n steps. room: for n keys, too; what is in
 * it does not matter. */
void sort_keys(struct sort_key *keys, struct sort_key *room, size_t n);

#endif /* COHORT_SORT_H */
