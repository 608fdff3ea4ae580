/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outside.h - jobs that there are, and that no cluster queue matches
 */
#ifndef SCOHORT_OUTSIDE_H
#define SCOHORT_OUTSIDE_H

#include "check/turns.h"

/* Warns of what they have in common: account, QOS and partition. */
void outside_advise(const struct check *c);

#endif /* SCOHORT_OUTSIDE_H */
