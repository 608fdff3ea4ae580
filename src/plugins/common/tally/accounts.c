/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  accounts.c - what was owned, used, borrowed and lent: over restarts and
 *  reconfigures, and for publication
 *
 *	"account": {
 *	  "since": SECOND, "at": SECOND,
 *	  "gaps": {"number": N, "seconds": N, "from": SECOND, "until": SECOND},
 *	  "cohorts": {NAME: {RESOURCE@FLAVOR: [nominal, own, borrowed, lent,
 *					       shared, idle]}},
 *	  "clusterQueues": {NAME: {...}},
 *	  "borrowedFrom": {CLUSTER QUEUE: {
 *	    "cohorts": {NAME: {RESOURCE@FLAVOR: sum}},
 *	    "clusterQueues": {...}}}}
 *
 *  in base units times seconds. Nothing is known of the time from `at` until
 *  it is read: that is a gap, and counted as one; from and until are of the last
 *  one.
\*****************************************************************************/
#include "tally/accounts.h"

#include "state/json_number.h"
#include "state/state.h"
#include "slurm/saver.h"
#include "state/publish_json.h"

#include "account.h"

#define KEEP_SECONDS 60		/* so old may the sums in the state file be */

static struct {
	struct json_object *kept;	/* until account_restore() */
	time_t dumped_at;		/* 0: not yet */
	time_t begun;			/* the engine keeps it since */
	time_t since;
	int64_t gaps, gap_seconds;
	time_t gap_from, gap_until;	/* of the last one */
	int64_t date;			/* for publication, ns */
	size_t set_backs;		/* of the engine's clock */
} account;

/* The engine may go on from an earlier time: nobody knows how long it was between,
 * but that there is a gap. */
static void _see_clock(void)
{
	size_t set_backs = engine_account_set_backs(ctld.engine);

	if (set_backs == account.set_backs)
		return;
	account.dumped_at = 0;
	account.set_backs = set_backs;
	account.date = engine_account_changed(ctld.engine);
	account.gaps = sat_add(account.gaps, 1);
	account.gap_from = account.gap_until = time(NULL);
}

static struct json_object *_head_json(int64_t at)
{
	struct json_object *o = json_object_new_object();
	struct json_object *gaps = json_object_new_object();

	publish_number(o, "since", account.since);
	publish_number(o, "at", at / SPEC_SEC);
	publish_number(gaps, "number", account.gaps);
	publish_number(gaps, "seconds", account.gap_seconds);
	publish_number(gaps, "from", account.gap_from);
	publish_number(gaps, "until", account.gap_until);
	publish_add(o, "gaps", gaps);
	return o;
}

/* ---- publication ---- */

extern struct sums *account_publish(struct json_object *document)
{
	int64_t minute = ns_of((int64_t) (time(NULL) / 60) * 60);

	_see_clock();
	account.date = MAX(account.date, engine_account_changed(ctld.engine));
	if (engine_account_moves(ctld.engine))
		account.date = MAX(account.date, minute);
	publish_add(document, "account", _head_json(account.date));
	return sums_copy(account.date);
}

/* ---- saving ---- */

/* The sums of now. NULL: there are none */
static struct sums *_take(struct json_object **head)
{
	time_t now = time(NULL);
	struct sums *sums;
	int64_t at;

	engine_advance(ctld.engine, ns_of(now));
	_see_clock();
	at = MAX(ns_of(now), engine_account_changed(ctld.engine));
	if (!(sums = sums_copy(at)))
		return NULL;
	*head = _head_json(at);
	account.dumped_at = now;
	if (engine_account_moves(ctld.engine))
		account.date = MAX(account.date, at);
	return sums;
}

extern struct sums *account_dump(bool all, struct json_object **head)
{
	time_t now = time(NULL);

	if (!ctld.engine || !ctld.conf)
		return NULL;
	if (engine_account_moves(ctld.engine))
		saver_save_within(KEEP_SECONDS);
	if (account.dumped_at && !all && (now >= account.dumped_at) &&
	    (now < account.dumped_at + KEEP_SECONDS))
		return NULL;
	return _take(head);
}

extern void account_keep(struct json_object *sums)
{
	json_object_put(account.kept);
	account.kept = json_object_get(sums);
}

/* All at once, and under the locks: a reconfigure makes the engine anew. */
extern void account_carry(void)
{
	struct json_object *o = NULL;
	struct sums *sums;

	if (!ctld.engine || !ctld.conf)
		return;
	if ((sums = _take(&o)))
		sums_add_all(sums, o);
	else
		error(PREFIX "the account of quota over time is lost, and begins anew: out of memory");
	sums_free(sums);
	account_keep(o);
	json_object_put(o);
}

extern void account_begin(void)
{
	account.dumped_at = 0;
	account.begun = time(NULL);
	account.date = 0;
	account.set_backs = 0;
	account.since = 0;
	account.gaps = account.gap_seconds = 0;
	account.gap_from = account.gap_until = 0;
	if (engine_keep_account(ctld.engine))
		error(PREFIX "no account of quota over time is kept: %m");
	else
		saver_save_within(KEEP_SECONDS);
}

/* ---- reading ---- */

/* now: when this engine began to keep the account. The clock may have been set back
 * since: then no gap can be seen. */
static void _restore_head(time_t now)
{
	int64_t since = json_number(account.kept, "since");
	int64_t at = json_number(account.kept, "at");
	struct json_object *gaps;

	if ((since > 0) && (since < now))
		account.since = since;
	if (json_object_object_get_ex(account.kept, "gaps", &gaps)) {
		account.gaps = MAX(json_number(gaps, "number"), 0);
		account.gap_seconds = MAX(json_number(gaps, "seconds"), 0);
		account.gap_from = MAX(json_number(gaps, "from"), 0);
		account.gap_until = MAX(json_number(gaps, "until"), 0);
	}
	if ((at <= 0) || (at >= now))
		return;
	account.gaps = sat_add(account.gaps, 1);
	account.gap_seconds = sat_add(account.gap_seconds, now - at);
	account.gap_from = at;
	account.gap_until = now;
}

extern void account_restore(void)
{
	if (!account.since)
		account.since = account.begun;
	if (json_object_is_type(account.kept, json_type_object) && ctld.engine) {
		_restore_head(account.begun);
		sums_read(account.kept);
		account.dumped_at = 0;
	}
	account_keep(NULL);
}
