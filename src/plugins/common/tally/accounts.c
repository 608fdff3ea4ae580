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
#include "slurm/waker.h"

#include "account.h"

#define KEEP_SECONDS 60		/* so old may the sums in the state file be */

static struct {
	struct json_object *kept;	/* until account_restore() */
	struct json_object *dumped;	/* the last one, */
	time_t dumped_at;
	time_t since;
	int64_t gaps, gap_seconds;
	time_t gap_from, gap_until;	/* of the last one */
	int64_t date;			/* for publication, ns */
} account;

/* ---- numbers ---- */

static int _print_text(struct json_object *o, struct printbuf *to,
		       int level UNUSED, int flags UNUSED)
{
	const char *text = json_object_get_userdata(o);

	return printbuf_memappend(to, text, strlen(text));
}

static void _free_text(struct json_object *o UNUSED, void *text)
{
	xfree(text);
}

/* There are many of them, so each is one object that is text already, xmalloc'd
 * and taken over. */
static struct json_object *_text_json(char *text)
{
	struct json_object *o = json_object_new_object();

	json_object_set_serializer(o, _print_text, text, _free_text);
	return o;
}

static struct json_object *_sums_json(const struct account_sums *s)
{
	return _text_json(xstrdup_printf(
		"[%"PRId64",%"PRId64",%"PRId64",%.3f,%.3f,%.3f]", s->nominal,
		s->own, s->borrowed, s->lent, s->shared, s->idle));
}

static struct json_object *_sum_json(double sum)
{
	return _text_json(xstrdup_printf("%.3f", sum));
}

static bool _is_any(const struct account_sums *s)
{
	return s->nominal || s->own || s->borrowed || (s->lent > 0) ||
		(s->shared > 0) || (s->idle > 0);
}

/* Adds o to the parent, unless it is empty */
static void _add_object(struct json_object *parent, const char *key,
			struct json_object *o)
{
	if (json_object_object_length(o))
		json_object_object_add(parent, key, o);
	else
		json_object_put(o);
}

struct node {
	bool is_cohort;
	int node, borrower;
	int64_t at;
};

/* {RESOURCE@FLAVOR: sums}, without pairs of which nothing is known */
static struct json_object *_pairs_json(const struct node *n)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = json_object_new_object();
	struct account_sums s;

	for (size_t r = 0; r < spec->nresources; r++) {
		for (size_t i = 0; i < spec->nflavors; i++) {
			char key[256];

			if (!engine_account(ctld.engine, n->is_cohort, n->node,
					    i, r, n->at, &s) || !_is_any(&s))
				continue;
			snprintf(key, sizeof(key), "%s@%s", spec->resources[r],
				 spec->flavors[i]);
			json_object_object_add(o, key, _sums_json(&s));
		}
	}
	return o;
}

/* By names of cohorts or queues, those of which something is known */
static struct json_object *_nodes_json(struct node n)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = json_object_new_object();
	size_t end = n.is_cohort ? spec->ncohorts : spec->nqueues;

	for (size_t i = 0; i < end; i++) {
		n.node = i;
		_add_object(o, n.is_cohort ? spec->cohorts[i].name :
			    spec->queues[i].name, _pairs_json(&n));
	}
	return o;
}

/* ---- publication ---- */

extern void account_date(void)
{
	int64_t changed = engine_account_changed(ctld.engine), minute;

	account.date = MAX(account.date, changed);
	minute = (int64_t) (time(NULL) / 60) * 60;
	if (engine_account_moves(ctld.engine) && (ns_of(minute) > account.date))
		account.date = ns_of(minute);
	engine_account_date(ctld.engine, account.date);
}

extern struct json_object *account_pair_json(bool is_cohort, int node,
					     int flavor, int resource)
{
	struct account_sums s;

	if (!engine_account(ctld.engine, is_cohort, node, flavor, resource,
			    account.date, &s))
		return NULL;
	return _sums_json(&s);
}

/* The member of that name, made if it is not there */
static struct json_object *_member(struct json_object *o, const char *name)
{
	struct json_object *member;

	if (!json_object_object_get_ex(o, name, &member)) {
		member = json_object_new_object();
		json_object_object_add(o, name, member);
	}
	return member;
}

static void _add_lender(void *arg, bool is_cohort, int lender, int flavor,
			int resource, double sum)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = _member(arg, is_cohort ? "cohorts" :
					"clusterQueues");
	char key[256];

	snprintf(key, sizeof(key), "%s@%s", spec->resources[resource],
		 spec->flavors[flavor]);
	o = _member(o, is_cohort ? spec->cohorts[lender].name :
		    spec->queues[lender].name);
	json_object_object_add(o, key, _sum_json(sum));
}

extern struct json_object *account_lenders_json(int queue)
{
	struct json_object *o = json_object_new_object();

	engine_account_lenders(ctld.engine, queue, _add_lender, o);
	if (json_object_object_length(o))
		return o;
	json_object_put(o);
	return NULL;
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


static struct json_object *_dump(int64_t at)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = _head_json(at), *queues;

	engine_account_date(ctld.engine, at);
	_add_object(o, "cohorts", _nodes_json(
			    (struct node) { .is_cohort = true, .at = at }));
	_add_object(o, "clusterQueues", _nodes_json(
			    (struct node) { .at = at }));
	queues = json_object_new_object();
	for (size_t i = 0; i < spec->nqueues; i++) {
		struct json_object *from = account_lenders_json(i);

		if (from)
			json_object_object_add(queues, spec->queues[i].name,
					       from);
	}
	_add_object(o, "borrowedFrom", queues);
	return o;
}

/* Where nothing has changed since, and only nominal quota adds up, the sums are
 * old, and will be brought up when something is in use. */
extern struct json_object *account_dump(bool all)
{
	time_t now = time(NULL);
	int64_t at;

	if (!ctld.engine || !ctld.conf)
		return NULL;
	if (engine_account_moves(ctld.engine))
		waker_save_within(KEEP_SECONDS);
	if (account.dumped && !all && (now >= account.dumped_at) &&
	    (now < account.dumped_at + KEEP_SECONDS))
		return json_object_get(account.dumped);
	engine_advance(ctld.engine, ns_of(now));
	at = MAX(ns_of(now), engine_account_changed(ctld.engine));
	json_object_put(account.dumped);
	account.dumped = _dump(at);
	account.dumped_at = now;
	return json_object_get(account.dumped);
}

extern void account_keep(struct json_object *sums)
{
	json_object_put(account.kept);
	account.kept = json_object_get(sums);
}

/* By way of the text: what is dumped can only be printed. */
extern void account_carry(void)
{
	struct json_object *sums = account_dump(true);

	json_object_put(account.kept);
	account.kept = sums ? json_tokener_parse(
		json_object_to_json_string_ext(sums, JSON_C_TO_STRING_PLAIN)) :
		NULL;
	json_object_put(sums);
}

extern void account_begin(void)
{
	json_object_put(account.dumped);
	account.dumped = NULL;
	account.date = 0;
	account.since = 0;
	account.gaps = account.gap_seconds = 0;
	account.gap_from = account.gap_until = 0;
	if (engine_keep_account(ctld.engine))
		fatal(PREFIX "books: %m");
}

/* ---- reading ---- */

static int64_t _integer(struct json_object *item, size_t i)
{
	return json_object_get_int64(json_object_array_get_idx(item, i));
}

static double _number(struct json_object *item, size_t i)
{
	return json_object_get_double(json_object_array_get_idx(item, i));
}

/* "gres/gpu@a100" */
static bool _parse_key(const char *key, int *flavor, int *resource)
{
	char *copy = xstrdup(key), *at = strrchr(copy, '@');

	*flavor = *resource = SPEC_NONE;
	if (at) {
		*at = '\0';
		*flavor = spec_find_flavor(ctld.conf->spec, at + 1);
		*resource = spec_find_resource(ctld.conf->spec, copy);
	}
	xfree(copy);
	return (*flavor != SPEC_NONE) && (*resource != SPEC_NONE);
}

typedef void (*restore_f)(const struct node *n, int flavor, int resource,
			  struct json_object *value);

/* What the engine refuses is no sum. */
static void _restore_sums(const struct node *n, int flavor, int resource,
			  struct json_object *value)
{
	struct account_sums s;

	if (!json_object_is_type(value, json_type_array) ||
	    (json_object_array_length(value) != 6))
		return;
	s = (struct account_sums) {
		.nominal = _integer(value, 0), .own = _integer(value, 1),
		.borrowed = _integer(value, 2), .lent = _number(value, 3),
		.shared = _number(value, 4), .idle = _number(value, 5),
	};
	(void) engine_restore_account(ctld.engine, n->is_cohort, n->node,
				      flavor, resource, &s);
}

static void _restore_between(const struct node *n, int flavor, int resource,
			     struct json_object *value)
{
	(void) engine_restore_between(ctld.engine, n->is_cohort, n->node,
				      n->borrower, flavor, resource,
				      json_object_get_double(value));
}

static void _restore_node(const struct node *n, struct json_object *pairs,
			  restore_f f)
{
	int flavor, resource;

	if (!json_object_is_type(pairs, json_type_object))
		return;
	json_object_object_foreach(pairs, key, value) {
		if (_parse_key(key, &flavor, &resource))
			f(n, flavor, resource, value);
	}
}

static void _restore_nodes(struct json_object *o, const char *key,
			   struct node n, restore_f f)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list;

	if (!json_object_object_get_ex(o, key, &list) ||
	    !json_object_is_type(list, json_type_object))
		return;
	json_object_object_foreach(list, name, pairs) {
		n.node = n.is_cohort ? spec_find_cohort(spec, name) :
			spec_find_queue(spec, name);
		if (n.node != SPEC_NONE)
			_restore_node(&n, pairs, f);
	}
}

static void _restore_lenders(struct json_object *queues)
{
	struct node n = { .is_cohort = false };

	if (!json_object_is_type(queues, json_type_object))
		return;
	json_object_object_foreach(queues, name, from) {
		n.borrower = spec_find_queue(ctld.conf->spec, name);
		if ((n.borrower == SPEC_NONE) ||
		    !json_object_is_type(from, json_type_object))
			continue;
		n.is_cohort = false;
		_restore_nodes(from, "clusterQueues", n, _restore_between);
		n.is_cohort = true;
		_restore_nodes(from, "cohorts", n, _restore_between);
	}
}

/* The clock may have been set back since: then there was no gap that anybody
 * could see. */
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
	time_t now = time(NULL);
	struct json_object *from;

	if (!account.since)
		account.since = now;
	if (!json_object_is_type(account.kept, json_type_object) ||
	    !ctld.engine) {
		account_keep(NULL);
		return;
	}
	_restore_head(now);
	_restore_nodes(account.kept, "cohorts",
		       (struct node) { .is_cohort = true }, _restore_sums);
	_restore_nodes(account.kept, "clusterQueues",
		       (struct node) { .is_cohort = false }, _restore_sums);
	if (json_object_object_get_ex(account.kept, "borrowedFrom", &from))
		_restore_lenders(from);
	account_keep(NULL);
}
