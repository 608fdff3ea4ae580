/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * effect.h - fields that are understood but have no effect in this version
 */
#ifndef COHORT_EFFECT_H
#define COHORT_EFFECT_H

#include "reader.h"

/* Reports field n, found at `at` and well-formed, if it would have no effect:
 * -1 then, else 0. */
int effect_check(struct reader *r, const struct place *at, struct node *n);

#endif /* COHORT_EFFECT_H */
