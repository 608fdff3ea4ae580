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
#include "state/json_text.h"
#include "state/state.h"
#include "slurm/saver.h"
#include "tally/sums_json.h"
#include "tally/sums_later.h"
#include "tally/sums_read.h"

#include "account.h"

#define KEEP_SECONDS 60		/* so old may the sums in the state file be */

static struct {
	struct json_object *kept;	/* until account_restore() */
	bool none;			/* the engine has no memory for it: kept
					 * stays */
	time_t dumped_at;		/* 0: not yet */
	time_t begun;			/* the engine keeps it since */
	time_t since;
	int64_t gaps, gap_seconds;
	time_t gap_from, gap_until;	/* of the last one */
	int64_t date;			/* for publication, ns */
	size_t set_backs;		/* of the engine's clock */
} account;

/* ---- publication ---- */

static void _forget(void)
{
	sums_later_forget();
	account.dumped_at = 0;
}

/* The engine may go on from an earlier time: nobody knows how long it was between,
 * but that there is a gap. */
static void _see_clock(void)
{
	size_t set_backs = engine_account_set_backs(ctld.engine);

	if (set_backs == account.set_backs)
		return;
	_forget();
	account.set_backs = set_backs;
	account.date = engine_account_changed(ctld.engine);
	account.gaps = sat_add(account.gaps, 1);
	account.gap_from = account.gap_until = time(NULL);
}

extern void account_begin_text(void)
{
	sums_later_begin();
}

extern void account_end_text(void)
{
	sums_later_end();
}

extern void account_date(void)
{
	int64_t changed, minute;

	_see_clock();
	changed = engine_account_changed(ctld.engine);
	account.date = MAX(account.date, changed);
	minute = (int64_t) (time(NULL) / 60) * 60;
	if (engine_account_moves(ctld.engine) && (ns_of(minute) > account.date))
		account.date = ns_of(minute);
	(void) sums_later_copy(account.date);
}

extern struct json_object *account_pair_json(bool is_cohort, int node,
					     int flavor, int resource)
{
	return sums_later_pair(is_cohort, node, flavor, resource);
}

extern struct json_object *account_lenders_json(int queue)
{
	return sums_later_lenders(queue, account.date);
}

static struct json_object *_gaps_json(void)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "number", json_object_new_int64(account.gaps));
	json_object_object_add(o, "seconds",
			       json_object_new_int64(account.gap_seconds));
	json_object_object_add(o, "from",
			       json_object_new_int64(account.gap_from));
	json_object_object_add(o, "until",
			       json_object_new_int64(account.gap_until));
	return o;
}

static struct json_object *_head_json(int64_t at)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "since", json_object_new_int64(account.since));
	json_object_object_add(o, "at", json_object_new_int64(at / SPEC_SEC));
	json_object_object_add(o, "gaps", _gaps_json());
	return o;
}

extern struct json_object *account_json(void)
{
	return _head_json(account.date);
}

/* ---- saving ---- */

/* The time of a dump */
static int64_t _dump_at(time_t now)
{
	engine_advance(ctld.engine, ns_of(now));
	_see_clock();
	return MAX(ns_of(now), engine_account_changed(ctld.engine));
}

/* Where nothing has changed since, and only nominal quota adds up, the sums are
 * old, and will be brought up when something is in use. */
static struct json_object *_dumped(bool all)
{
	time_t now = time(NULL);
	int64_t at;

	if (account.dumped_at && !all && (now >= account.dumped_at) &&
	    (now < account.dumped_at + KEEP_SECONDS))
		return sums_later_all(NULL, 0);
	at = _dump_at(now);
	if (!sums_later_copy(at))
		return sums_later_all(NULL, 0);
	account.dumped_at = now;
	if (engine_account_moves(ctld.engine))
		account.date = MAX(account.date, at);
	return sums_later_all(_head_json(at), at);
}

static struct json_object *_copy_of(struct json_object *o)
{
	return json_printed(xstrdup(json_object_to_json_string(o)));
}

extern struct json_object *account_dump(bool all)
{
	if (!ctld.engine || !ctld.conf)
		return NULL;
	if (account.none)
		return account.kept ? _copy_of(account.kept) : NULL;
	if (engine_account_moves(ctld.engine))
		saver_save_within(KEEP_SECONDS);
	return _dumped(all);
}

extern void account_keep(struct json_object *sums)
{
	json_object_put(account.kept);
	account.kept = json_object_get(sums);
}

/* All at once, and under the locks: a reconfigure makes the engine anew. */
static char *_all_text(bool *whole)
{
	int64_t at = _dump_at(time(NULL));
	struct json_object *head = _head_json(at);
	struct sums all = { 0 };
	char *text = NULL;

	if (!engine_account_copy(ctld.engine, at, &all.copy)) {
		all.names = sums_names_of(ctld.conf->spec);
		text = sums_all_text(&all, json_object_to_json_string(head), at,
				     whole);
		sums_forget(&all);
	}
	account_copy_destroy(all.copy);
	json_object_put(head);
	return text;
}

extern void account_carry(void)
{
	char *text;
	bool whole = true;

	if (!ctld.engine || !ctld.conf || account.none)
		return;
	if (!(text = _all_text(&whole)))
		error(PREFIX "the account of quota over time is lost, and begins anew: out of memory, or more than %d MB",
		      SUMS_MB_MAX);
	else if (!whole)
		error(PREFIX "the account of quota over time has more than %d MB and goes on without who lent to whom",
		      SUMS_MB_MAX);
	json_object_put(account.kept);
	account.kept = text ? json_tokener_parse(text) : NULL;
	xfree(text);
}

/* Without memory there is no account, and what is known is saved as it was. */
extern void account_begin(void)
{
	_forget();
	account.begun = time(NULL);
	account.date = 0;
	account.set_backs = 0;
	account.since = 0;
	account.gaps = account.gap_seconds = 0;
	account.gap_from = account.gap_until = 0;
	account.none = engine_keep_account(ctld.engine) != 0;
	if (account.none)
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
	if (account.none)
		return;
	if (json_object_is_type(account.kept, json_type_object) &&
	    ctld.engine) {
		_restore_head(account.begun);
		sums_read(account.kept);
		_forget();
	}
	account_keep(NULL);
}
