/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * podsets.h - what workloads ask for: compared, copied and shared
 */
#ifndef COHORT_PODSETS_H
#define COHORT_PODSETS_H

#include "engine.h"

struct engine;

/* The pod sets are the same in number, order and all that they say. */
bool podsets_ask_same(size_t nflavors, const struct podset_desc *a, size_t na,
		      const struct podset_desc *b, size_t nb);

/* Those that ask for the same have the same hash, which continues `hash`. */
uint64_t podsets_hash(size_t nflavors, const struct podset_desc *podsets,
		      size_t n, uint64_t hash);

/* A copy in one block, with all that it points to; free() frees it. NULL with
 * errno = ENOMEM. */
struct podset_desc *podsets_copy(size_t nflavors,
				 const struct podset_desc *podsets, size_t n);

/* The engine's copy, with one more user: those that ask for the same have the same one.
 * NULL with errno = ENOMEM. */
const struct podset_desc *podsets_get(struct engine *e, const struct podset_desc *podsets,
				      size_t n);

/* Takes one user off; the last one frees it. NULL is allowed. */
void podsets_put(struct engine *e, const struct podset_desc *podsets);

#endif /* COHORT_PODSETS_H */
