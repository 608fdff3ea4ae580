/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owned_quota.h - freed quota that belongs to the preemptor that freed it
 */
#ifndef COHORT_OWNED_QUOTA_H
#define COHORT_OWNED_QUOTA_H

#include <stdbool.h>

struct engine;
struct workload;


/* Gives up what the workload owns, if anything, and takes it out of the
 * books */
void owned_quota_drop(struct engine *e, struct workload *w);

/* The last plan of the tree found nothing that the owner could wait for. The
 * owner then competes like any other workload. */
bool owned_quota_is_void(const struct workload *w);

/* In a trial: takes out of the books what the workload owns, what others came
 * to own after that, and claims that the last plan found void. */
void owned_quota_lift(struct engine *e, const struct workload *w);

#endif /* COHORT_OWNED_QUOTA_H */
