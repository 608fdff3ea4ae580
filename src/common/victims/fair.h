/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.h - victims by fair share
 */
#ifndef COHORT_FAIR_H
#define COHORT_FAIR_H

#include "victims/target.h"

/* In s everything up to need[] is set, and a trial is open. Returns the number
 * of victims, 0 if they are not enough. *targets: see targets_find(). */
size_t targets_fair(struct search *s, struct target **targets);

#endif /* COHORT_FAIR_H */
