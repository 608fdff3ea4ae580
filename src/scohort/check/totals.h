/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals.h - quotas that promise more than the nodes of their flavor have
 */
#ifndef SCOHORT_TOTALS_H
#define SCOHORT_TOTALS_H

#include "check/turns.h"

/* Warns of what quotas sum to, and of each temporaryQuota with which they sum to
 * more, in times that are not over. */
void totals_advise(const struct check *c);

#endif /* SCOHORT_TOTALS_H */
