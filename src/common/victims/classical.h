/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classical.h - victims by priority and by distance in the cohort tree
 */
#ifndef COHORT_CLASSICAL_H
#define COHORT_CLASSICAL_H

#include "victims/target.h"

/* In s everything up to need[] is set, and a trial is open. Returns the number
 * of victims, 0 if they are not enough. *targets: see targets_find(). */
size_t targets_classical(struct search *s, struct target **targets);

#endif /* COHORT_CLASSICAL_H */
