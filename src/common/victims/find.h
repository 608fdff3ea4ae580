/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find.h - the search for victims
 */
#ifndef COHORT_FIND_H
#define COHORT_FIND_H

#include "victims/target.h"

/* Victims for s->w of s->q, on the books as they are, which are the same
 * afterwards; s is filled in up to `everybody`. Returns their number;
 * *targets stays valid until the next search. */
size_t targets_find(struct search *s, const struct target **targets);

#endif /* COHORT_FIND_H */
