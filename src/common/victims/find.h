/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find.h - the two ways to find victims
 *
 * By priority and by distance in the cohort tree, or by fair share. In s
 * everything up to need[] is set, and a trial is open. Both return the number of
 * victims, 0 if they are not enough. *targets: see targets_find().
 */
#ifndef COHORT_FIND_H
#define COHORT_FIND_H

#include "victims/target.h"

size_t targets_classical(struct search *s, struct target **targets);
size_t targets_fair(struct search *s, struct target **targets);

#endif /* COHORT_FIND_H */
