/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeats.h - how many tasks of an array can go at once
 */
#ifndef COHORT_REPEATS_H
#define COHORT_REPEATS_H

#include "cycle/order.h"

/* After the turns of a cycle: sets `repeats` of the only entry that starts. With fair
 * sharing other flavors are judged by shares, in which all that is used counts; and a
 * pod set is judged beside those before it. */
void repeats_find(struct engine *e, struct entry **entries, size_t n);

#endif /* COHORT_REPEATS_H */
