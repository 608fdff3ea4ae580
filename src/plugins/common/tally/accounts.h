/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  accounts.h - what was owned, used, borrowed and lent: over restarts and
 *  reconfigures, and for publication
 *
 *  No job record tells it. All functions under the job lock.
\*****************************************************************************/
#ifndef COHORT_TALLY_ACCOUNTS_H
#define COHORT_TALLY_ACCOUNTS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "tally/sums.h"

/* The engine is new: it keeps the account from now on. */
extern void account_begin(void);

/* The sums for the state file, and its object without them. NULL: those of the last call
 * are not a minute old (all: they are taken nevertheless), or there are none. Both are the
 * caller's. */
extern struct sums *account_dump(bool all, struct json_object **head);
/* These sums are added as soon as account_restore() is called. What makes no
 * sense is ignored. Takes a reference of its own; NULL is allowed. */
extern void account_keep(struct json_object *sums);
/* account_keep() of the sums of now: the engine is about to go. */
extern void account_carry(void);
extern void account_restore(void);

/* Adds "account" to the document, and returns the sums for sums_publish(), the caller's;
 * or NULL. All are of one time: the last change, or the last full minute while anything is
 * in use or a queue waits, or that of a dump. So a document is another one only when
 * something has changed, or twice a minute. */
extern struct sums *account_publish(struct json_object *document);

#endif /* COHORT_TALLY_ACCOUNTS_H */
