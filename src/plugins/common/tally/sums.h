/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums.h - sums over time as JSON, in base units times seconds
 *
 *  The sums are copied under the job lock, and become JSON without it.
\*****************************************************************************/
#ifndef COHORT_TALLY_SUMS_H
#define COHORT_TALLY_SUMS_H

#include <json-c/json.h>
#include <stdint.h>

struct sums;

/* All sums at a time, ns, which is not before the last change; the caller's. NULL: none
 * are kept, or there is no memory. Under the job lock */
extern struct sums *sums_copy(int64_t at);
/* NULL is allowed. */
extern void sums_free(struct sums *sums);

/* ---- without locks ---- */

/* Adds all of them to an object, in the form of accounts.c, but for pairs and lenders
 * that have only 0 */
extern void sums_add_all(const struct sums *sums, struct json_object *o);
/* Adds "account", [nominal, own, borrowed, lent, shared, idle], to each pair in "quota"
 * of the published cohorts and cluster queues, and "borrowedFrom" to queues that have
 * borrowed: {"cohorts": {NAME: {RESOURCE@FLAVOR: sum}}, "clusterQueues": {...}}. The
 * lists are in the order of the configuration. */
extern void sums_publish(const struct sums *sums, struct json_object *cohorts,
			 struct json_object *queues);

/* ---- under the job lock ---- */

/* What sums_add_all() has added is added to what the engine has. What makes no sense is
 * ignored. */
extern void sums_read(struct json_object *o);

#endif /* COHORT_TALLY_SUMS_H */
