/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_read.c - sums over time from JSON into the engine
\*****************************************************************************/
#include "tally/sums_read.h"

#include "state/pair_key.h"
#include "state/state.h"

#include "account.h"

struct place {
	bool is_cohort;
	int node, borrower;
};

static int64_t _integer(struct json_object *item, size_t i)
{
	return json_object_get_int64(json_object_array_get_idx(item, i));
}

static double _number(struct json_object *item, size_t i)
{
	return json_object_get_double(json_object_array_get_idx(item, i));
}

typedef void (*restore_f)(const struct place *n, int flavor, int resource,
			  struct json_object *value);

/* What the engine refuses is no sum. */
static void _restore_sums(const struct place *n, int flavor, int resource,
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

static void _restore_between(const struct place *n, int flavor, int resource,
			     struct json_object *value)
{
	(void) engine_restore_between(ctld.engine, n->is_cohort, n->node,
				      n->borrower, flavor, resource,
				      json_object_get_double(value));
}

static void _restore_node(const struct place *n, struct json_object *pairs,
			  restore_f f)
{
	int flavor, resource;

	if (!json_object_is_type(pairs, json_type_object))
		return;
	json_object_object_foreach(pairs, key, value) {
		if (pair_key_find(key, &flavor, &resource))
			f(n, flavor, resource, value);
	}
}

static void _restore_nodes(struct json_object *o, const char *key,
			   struct place n, restore_f f)
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

static void _read_lenders(struct json_object *queues)
{
	struct place n = { .is_cohort = false };

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

extern void sums_read(struct json_object *account)
{
	struct json_object *from;

	_restore_nodes(account, "cohorts",
		       (struct place) { .is_cohort = true }, _restore_sums);
	_restore_nodes(account, "clusterQueues",
		       (struct place) { .is_cohort = false }, _restore_sums);
	if (json_object_object_get_ex(account, "borrowedFrom", &from))
		_read_lenders(from);
}
