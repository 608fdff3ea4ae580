/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tally.h - what was used, over time
\*****************************************************************************/
#ifndef COHORT_TALLY_TALLY_H
#define COHORT_TALLY_TALLY_H

#include <json-c/json.h>
#include <stdbool.h>

#include "compat/slurm_compat.h"

/* ---- what was owned, used, borrowed and lent, over restarts and reconfigures: accounts.c ---- */

/* No job record tells it. The sums of one time are copied under the job lock, and
 * become JSON without it. */

/* All sums of one time, with the names of the configuration that they are of */
struct account_copy;

/* ---- under the job lock ---- */

/* The engine is new: it keeps the account from now on. */
extern void account_begin(void);
/* The sums of now, as the state file has them: the engine is about to go. NULL: no memory */
extern struct json_object *account_now(void);
/* These sums are added to those since account_begin(). What makes no sense is ignored. */
extern void account_restore(struct json_object *sums);

/* The sums of now, for account_json(). NULL: those of the last call are not a minute old
 * (all: they are taken nevertheless), or there are none. */
extern struct account_copy *account_to_save(bool all);
/* For account_publish(). They are those of the last change, or the last full minute while
 * anything is in use or a queue waits, or those that were saved since. So a document is
 * another one only when something has changed, or twice a minute. */
extern struct account_copy *account_to_publish(void);

/* ---- without locks; both take the copy over ---- */

/* The object for the state file, but for pairs and lenders that have only 0 */
extern struct json_object *account_json(struct account_copy *copy);
/* Adds "account" to the document, [nominal, own, borrowed, lent, shared, idle] as "account"
 * to each pair in "quota" of its cohorts and cluster queues, and "borrowedFrom" to queues
 * that have borrowed. Its lists are in the order of the configuration. */
extern void account_publish(struct account_copy *copy, struct json_object *document);

/* ---- local queues go by the usage that Slurm keeps (usageFrom: slurm): slurm_usage.c ---- */

/* All functions under the job lock. */

struct conf;

/* The half-life is Slurm's, if it has one. Before the engine is made */
extern void slurm_usage_take_half_life(struct conf *conf);
/* Before a plan: what Slurm has counted since the last call is the engine's from
 * now on. Looks at all associations once in a minute, or when there is a new
 * local queue; does nothing with another usageFrom. */
extern void slurm_usage_look(time_t now);
/* There is a new engine. */
extern void slurm_usage_forget(void);

#endif /* COHORT_TALLY_TALLY_H */
