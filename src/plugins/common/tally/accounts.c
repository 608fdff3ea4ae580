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
 *  in base units times seconds. The published document has the same lists at the
 *  pairs and queues that it has anyway. Nothing is known of the time from `at` until
 *  it is read: that is a gap, and counted as one; from and until are of the last
 *  one.
 *
 *  Who lent to whom has ACCOUNT_SUMS_MAX sums at most, each of 256 bytes at most: 64 MB.
 *  All else is as long as the quota in cohort.yaml.
\*****************************************************************************/
#include "tally/tally.h"

#include "state/json.h"
#include "slurm/worker.h"

#include "account.h"

#define KEEP_SECONDS 60		/* so old may the sums in the state file be */

static const char key_lenders[] = "borrowedFrom";
/* By is_cohort */
static const char *const key_nodes[] = { "clusterQueues", "cohorts" };

static struct {
	time_t dumped_at;		/* 0: not yet */
	time_t since;
	int64_t gaps, gap_seconds;
	time_t gap_from, gap_until;	/* of the last one */
	size_t set_backs;		/* of the engine's clock */
} account;

struct account_copy {
	struct conf *conf;		/* a use of it: a reconfigure may come before the text */
	struct json_object *head;	/* all but the sums */
	struct account_table *table;	/* NULL: there are no sums */
};

/* ---- the copy; under the job lock ---- */

/* The engine may go on from an earlier time: nobody knows how long it was between,
 * but that there is a gap. */
static void _see_clock(const struct account_table *table)
{
	if (table->set_backs == account.set_backs)
		return;
	account.dumped_at = 0;
	account.set_backs = table->set_backs;
	account.gaps = sat_add(account.gaps, 1);
	account.gap_from = account.gap_until = time(NULL);
}

static struct json_object *_head_json(int64_t at)
{
	struct json_object *o = json_object_new_object();
	struct json_object *gaps = json_object_new_object();

	json_add_number(o, "since", account.since);
	json_add_number(o, "at", at / SPEC_SEC);
	json_add_number(gaps, "number", account.gaps);
	json_add_number(gaps, "seconds", account.gap_seconds);
	json_add_number(gaps, "from", account.gap_from);
	json_add_number(gaps, "until", account.gap_until);
	json_add(o, "gaps", gaps);
	return o;
}

/* As of then, or of the last change or copy, if that is later */
static struct account_copy *_copy(time_t at)
{
	struct account_copy *copy = xmalloc(sizeof(*copy));

	copy->conf = conf_share(ctld.conf);
	copy->table = engine_account(ctld.engine, ns_of(at));
	if (copy->table)
		_see_clock(copy->table);
	copy->head = _head_json(copy->table ? copy->table->at : 0);
	return copy;
}

static void _free(struct account_copy *copy)
{
	conf_destroy(copy->conf);
	json_object_put(copy->head);
	free(copy->table);
	xfree(copy);
}

extern struct account_copy *account_to_publish(void)
{
	time_t now = time(NULL);

	return _copy(engine_account_moves(ctld.engine) ? now - now % 60 : 0);
}

/* NULL: there are no sums */
static struct account_copy *_copy_now(void)
{
	struct account_copy *copy;
	time_t now = time(NULL);

	engine_advance(ctld.engine, ns_of(now));
	copy = _copy(now);
	if (copy->table) {
		account.dumped_at = now;
		return copy;
	}
	_free(copy);
	return NULL;
}

extern struct account_copy *account_to_save(bool all)
{
	time_t now = time(NULL), age = now - account.dumped_at;
	bool fresh = account.dumped_at && !all && (age >= 0) && (age < KEEP_SECONDS);

	/* each save takes the place of those that were to come */
	if (engine_account_moves(ctld.engine))
		saver_save_within(fresh ? KEEP_SECONDS - age : KEEP_SECONDS);
	return fresh ? NULL : _copy_now();
}

/* ---- to JSON; without locks ---- */

static struct json_object *_sum_json(double sum)
{
	struct json_object *o = json_object_new_double(sum);

	json_object_set_serializer(o, json_object_double_to_json_string, "%.3f", NULL);
	return o;
}

static struct json_object *_sums_json(const struct account_sums *s)
{
	struct json_object *list = json_object_new_array();

	json_object_array_add(list, json_object_new_int64(s->nominal));
	json_object_array_add(list, json_object_new_int64(s->own));
	json_object_array_add(list, json_object_new_int64(s->borrowed));
	json_object_array_add(list, _sum_json(s->lent));
	json_object_array_add(list, _sum_json(s->shared));
	json_object_array_add(list, _sum_json(s->idle));
	return list;
}

static bool _is_any(const struct account_sums *s)
{
	return s->nominal || s->own || s->borrowed || (s->lent > 0) ||
		(s->shared > 0) || (s->idle > 0);
}

/* Adds "cohorts" or "clusterQueues": {NAME: {RESOURCE@FLAVOR: what the row says}} */
static void _add_row(struct json_object *o, const struct spec *spec,
		     const struct account_row *row)
{
	const char *name = row->is_cohort ? spec->cohorts[row->node].name :
		spec->queues[row->node].name;
	char key[PAIR_KEY_BYTES];

	pair_key_print(key, spec, row->flavor, row->resource);
	json_object_object_add(json_member(json_member(o, key_nodes[row->is_cohort]), name), key,
			       row->borrower == SPEC_NONE ? _sums_json(&row->sums) :
			       _sum_json(row->sums.lent));
}

extern struct json_object *account_json(struct account_copy *copy)
{
	const struct spec *spec = copy->conf->spec;
	struct json_object *root = json_object_get(copy->head), *o;

	for (size_t i = 0; i < copy->table->n; i++) {
		const struct account_row *row = &copy->table->rows[i];

		if (!_is_any(&row->sums))
			continue;
		o = row->borrower == SPEC_NONE ? root :
			json_member(json_member(root, key_lenders),
				    spec->queues[row->borrower].name);
		_add_row(o, spec, row);
	}
	_free(copy);
	return root;
}

static struct json_object *_published_node(struct json_object *document, bool is_cohort, int node)
{
	return json_object_array_get_idx(
		json_object_object_get(document, key_nodes[is_cohort]), node);
}

/* NULL: the document does not have the pair there */
static struct json_object *_published_pair(struct json_object *document, const struct spec *spec,
					   const struct account_row *row)
{
	struct json_object *quota = json_object_object_get(
		_published_node(document, row->is_cohort, row->node), "quota");

	for (size_t i = 0; i < json_object_array_length(quota); i++) {
		struct json_object *pair = json_object_array_get_idx(quota, i);

		if (json_is_pair(pair, spec, row->flavor, row->resource))
			return pair;
	}
	return NULL;
}

extern void account_publish(struct account_copy *copy, struct json_object *document)
{
	const struct spec *spec = copy->conf->spec;
	struct json_object *o;

	json_add(document, "account", json_object_get(copy->head));
	for (size_t i = 0; copy->table && (i < copy->table->n); i++) {
		const struct account_row *row = &copy->table->rows[i];

		if (row->borrower != SPEC_NONE) {
			o = _published_node(document, false, row->borrower);
			_add_row(json_member(o, key_lenders), spec, row);
		} else if ((o = _published_pair(document, spec, row))) {
			json_add(o, "account", _sums_json(&row->sums));
		}
	}
	_free(copy);
}

/* ---- from JSON; under the job lock ---- */

static double _number(struct json_object *list, size_t i)
{
	return json_object_get_double(json_object_array_get_idx(list, i));
}

static int64_t _integer(struct json_object *list, size_t i)
{
	return json_object_get_int64(json_object_array_get_idx(list, i));
}

static bool _read_value(struct json_object *value, struct account_row *row)
{
	if (row->borrower != SPEC_NONE) {
		row->sums.lent = json_object_get_double(value);
		return true;
	}
	if (!json_object_is_type(value, json_type_array) ||
	    (json_object_array_length(value) != 6))
		return false;
	row->sums = (struct account_sums) {
		.nominal = _integer(value, 0), .own = _integer(value, 1),
		.borrowed = _integer(value, 2), .lent = _number(value, 3),
		.shared = _number(value, 4), .idle = _number(value, 5),
	};
	return true;
}

/* What the engine refuses is no sum. */
static void _read_nodes(struct json_object *o, bool is_cohort, int borrower)
{
	struct account_row row = { .is_cohort = is_cohort, .borrower = borrower };
	struct json_object *nodes = json_object_of(o, key_nodes[is_cohort]);
	const struct spec *spec = ctld.conf->spec;

	json_object_object_foreach(nodes, name, pairs) {
		row.node = is_cohort ? spec_find_cohort(spec, name) : spec_find_queue(spec, name);
		if (row.node == SPEC_NONE)
			continue;
		json_object_object_foreach(json_object_of(nodes, name), key, value) {
			if (pair_key_find(key, &row.flavor, &row.resource) &&
			    _read_value(value, &row))
				(void) engine_restore_account(ctld.engine, &row);
		}
	}
}

static void _read_all(struct json_object *o)
{
	_read_nodes(o, true, SPEC_NONE);
	_read_nodes(o, false, SPEC_NONE);
	json_object_object_foreach(json_object_of(o, key_lenders), name, from) {
		int borrower = spec_find_queue(ctld.conf->spec, name);

		if (borrower == SPEC_NONE)
			continue;
		_read_nodes(from, true, borrower);
		_read_nodes(from, false, borrower);
	}
}

/* now: when this engine began to keep the account. The clock may have been set back
 * since: then no gap can be seen. */
static void _read_head(struct json_object *o, time_t now)
{
	int64_t since = json_number(o, "since"), at = json_number(o, "at");
	struct json_object *gaps;

	if ((since > 0) && (since < now))
		account.since = since;
	if (json_object_object_get_ex(o, "gaps", &gaps)) {
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

/* ---- from one engine to the next ---- */

extern struct json_object *account_now(void)
{
	struct account_copy *copy = _copy_now();

	if (!copy)
		error(PREFIX "the account of quota over time is lost, and begins anew: out of memory");
	return copy ? account_json(copy) : NULL;
}

extern void account_begin(void)
{
	memset(&account, 0, sizeof(account));
	account.since = time(NULL);
	if (engine_keep_account(ctld.engine))
		error(PREFIX "no account of quota over time is kept: %m");
	else
		saver_save_within(KEEP_SECONDS);
}

extern void account_restore(struct json_object *sums)
{
	if (!json_object_object_length(sums))
		return;
	_read_head(sums, account.since);
	_read_all(sums);
	account.dumped_at = 0;
}
