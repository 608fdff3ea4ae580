/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * podsets.h - what workloads ask for: those that ask for the same share one copy
 */
#ifndef COHORT_PODSETS_H
#define COHORT_PODSETS_H

#include "engine.h"

/* The engine's copy of these, with one more user. Pod sets that are the same in number,
 * order and all that they say have the same copy. NULL with errno = ENOMEM. */
const struct podset_desc *podsets_get(struct engine *e,
				      const struct podset_desc *podsets, size_t n);

/* Takes one user off; the last one frees the copy. NULL is allowed. */
void podsets_put(struct engine *e, const struct podset_desc *podsets);

/* Of a copy: different ones have different hashes, but for rare cases. */
uint64_t podsets_hash(const struct podset_desc *podsets);

#endif /* COHORT_PODSETS_H */
