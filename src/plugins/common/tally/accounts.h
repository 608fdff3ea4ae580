/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  accounts.h - what was owned, used, borrowed and lent: over restarts and
 *  reconfigures, and for publication
 *
 *  No job record tells it. All functions under the job lock, but for two.
\*****************************************************************************/
#ifndef COHORT_TALLY_ACCOUNTS_H
#define COHORT_TALLY_ACCOUNTS_H

#include <json-c/json.h>
#include <stdbool.h>

/* The engine is new: it keeps the account from now on. */
extern void account_begin(void);
/* Around a call of account_date() or account_dump(), and without the job lock: what
 * these return can be printed after account_end_text(), and only printed. */
extern void account_begin_text(void);
extern void account_end_text(void);

/* The sums by names, for the state file; the caller's. They may be a minute old,
 * unless all of them are asked for. null, in JSON: there are too many; NULL: there
 * is no engine */
extern struct json_object *account_dump(bool all);
/* These sums are added as soon as account_restore() is called. What makes no
 * sense is ignored. Takes a reference of its own; NULL is allowed. */
extern void account_keep(struct json_object *sums);
/* account_keep() of the sums of now: the engine is about to go. */
extern void account_carry(void);
extern void account_restore(void);

/* ---- for publication: all of one time, account_date() ---- */

/* Sets that time: the last change, or the last full minute while anything is in
 * use or a queue waits, or that of a dump. So a document is another one only when
 * something has changed, or twice a minute. */
extern void account_date(void);
extern struct json_object *account_json(void);
/* One flavor and resource of a cohort or queue; NULL: nothing is known */
extern struct json_object *account_pair_json(bool is_cohort, int node,
					     int flavor, int resource);
/* The lenders that the queue has borrowed from; NULL: none */
extern struct json_object *account_lenders_json(int queue);

#endif /* COHORT_TALLY_ACCOUNTS_H */
