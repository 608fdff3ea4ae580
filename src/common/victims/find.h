/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find.h - the search for victims
 */
#ifndef COHORT_FIND_H
#define COHORT_FIND_H

#include "victims/target.h"

/* Victims for s->w of s->q, on the books as they are; the books are the same
 * afterwards. The caller has filled in s up to `everybody`. Returns the number
 * of victims; *targets stays valid until the next search. */
size_t targets_find(struct search *s, const struct target **targets);

#endif /* COHORT_FIND_H */
