/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash_spread.h - are the members of a hash table all over it?
 */
#ifndef COHORT_LIB_TEST_HASH_SPREAD_H
#define COHORT_LIB_TEST_HASH_SPREAD_H

#include "lib/hash.h"

/* No place has more than nine of them. Needs world.h before it, for cmocka.h. */
static inline void hash_is_spread(const struct hash *h)
{
	for (size_t i = 0; i < h->nbuckets; i++) {
		int n = 0;

		for (struct hash_link *link = h->buckets[i]; link; link = link->next)
			n++;
		assert_in_range(n, 0, 9);
	}
}

#endif /* COHORT_LIB_TEST_HASH_SPREAD_H */
