/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavor.h - the flavor that a group of resources gets
 */
#ifndef COHORT_FLAVOR_H
#define COHORT_FLAVOR_H

#include "nomination/wants.h"

/* Chooses one flavor for everything in wants[] that the group of the queue
 * covers, and writes it there (doc/how-it-decides.md, section 4). False if
 * there is none. */
bool flavor_choose(struct scan *s, int group);

#endif /* COHORT_FLAVOR_H */
