/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_read.h - sums over time from JSON into the engine
\*****************************************************************************/
#ifndef COHORT_TALLY_SUMS_READ_H
#define COHORT_TALLY_SUMS_READ_H

#include <json-c/json.h>

/* "cohorts", "clusterQueues" and "borrowedFrom" of an object are added to what
 * the engine has: accounts.c. What makes no sense is ignored. */
extern void sums_read(struct json_object *account);

#endif /* COHORT_TALLY_SUMS_READ_H */
