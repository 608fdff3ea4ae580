/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lending.h - quota that could be lent, but to nobody; or borrowed, from nobody
 */
#ifndef COHORT_LENDING_H
#define COHORT_LENDING_H

#include "value/reader.h"

/* Warns of both; the conf has no errors. root: its document */
void lending_advise(struct reader *r, const struct node *root);

/* By queue: does it lend anything that somebody else may borrow? -1 for
 * ENOMEM. */
int lending_lenders(const struct spec *spec, bool *lends);

#endif /* COHORT_LENDING_H */
