/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeats.h - how many tasks of an array can go at once
 */
#ifndef COHORT_REPEATS_H
#define COHORT_REPEATS_H

#include "cycle/order.h"

/* After the turn of one of n entries: sets `repeats` to how many more of its tasks could
 * go if no other entry starts. The heads that have their turn later do not matter: in the
 * next cycle they have it later, too. With fair sharing other flavors are judged by shares,
 * in which all that is used counts; and a pod set is judged beside those before it. */
void repeats_count(struct engine *e, struct entry *entry,
		   const struct entry *entries, size_t n);

/* After all turns of a cycle: only the only entry that starts keeps `repeats`. */
void repeats_settle(struct entry *const *entries, size_t n);

#endif /* COHORT_REPEATS_H */
