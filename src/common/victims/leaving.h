/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leaving.h - no victim where others leave anyway
 */
#ifndef COHORT_LEAVING_H
#define COHORT_LEAVING_H

#include "victims/target.h"

/* A workload on its way out leaves, whether or not the policies name it for this
 * preemptor; and if it has been evicted for an owner, what it frees is in the books twice,
 * as its use and as the owner's. So a search that counts it as staying finds too many
 * victims. With all of them gone, targets that are not needed are dropped; those that leave,
 * and that the demand counts on, are added at the end of targets[]. Returns how many there
 * are. The books are as before. */
size_t leaving_spare_others(struct search *s, struct target *targets, size_t n);

#endif /* COHORT_LEAVING_H */
