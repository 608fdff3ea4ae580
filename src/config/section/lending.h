/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lending.h - quota that could be lent or borrowed, but has no other side
 */
#ifndef COHORT_LENDING_H
#define COHORT_LENDING_H

#include "spec.h"

struct node;
struct reader;

/* Warns of it. The conf has no errors; root: its document. */
void lending_advise(struct reader *r, const struct node *root);

/* By queue: does it lend anything that another node may borrow? Sets lends[] of
 * the queues that do. */
void lending_lenders(const struct spec *spec, bool *lends);

#endif /* COHORT_LENDING_H */
