/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums.c - sums over time as JSON, and back
\*****************************************************************************/
#include "tally/sums.h"

#include "state/pair_key.h"
#include "state/state.h"
#include "state/publish_json.h"

#include "account.h"

static const char key_cohorts[] = "cohorts", key_queues[] = "clusterQueues";
static const char key_lenders[] = "borrowedFrom";

struct names {
	char **list;
	size_t n;
};

/* The names are as of the copy: a reconfigure may come before the text. */
struct sums {
	struct account_copy *copy;
	struct names cohorts, queues, flavors, resources;
};

/* ---- the copy ---- */

static struct names _names(size_t n)
{
	return (struct names) { xcalloc(n + 1, sizeof(char *)), n };
}

static struct names _names_copy(char *const *list, size_t n)
{
	struct names names = _names(n);

	for (size_t i = 0; i < n; i++)
		names.list[i] = xstrdup(list[i]);
	return names;
}

static void _names_free(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		xfree(names->list[i]);
	xfree(names->list);
}

extern struct sums *sums_copy(int64_t at)
{
	const struct spec *spec = ctld.conf->spec;
	struct account_copy *copy = NULL;
	struct sums *sums;

	if (engine_account_copy(ctld.engine, at, &copy))
		return NULL;
	sums = xmalloc(sizeof(*sums));
	sums->copy = copy;
	sums->flavors = _names_copy(spec->flavors, spec->nflavors);
	sums->resources = _names_copy(spec->resources, spec->nresources);
	sums->cohorts = _names(spec->ncohorts);
	for (size_t i = 0; i < spec->ncohorts; i++)
		sums->cohorts.list[i] = xstrdup(spec->cohorts[i].name);
	sums->queues = _names(spec->nqueues);
	for (size_t i = 0; i < spec->nqueues; i++)
		sums->queues.list[i] = xstrdup(spec->queues[i].name);
	return sums;
}

extern void sums_free(struct sums *sums)
{
	if (!sums)
		return;
	account_copy_destroy(sums->copy);
	_names_free(&sums->cohorts);
	_names_free(&sums->queues);
	_names_free(&sums->flavors);
	_names_free(&sums->resources);
	xfree(sums);
}

/* ---- to JSON ---- */

static struct json_object *_sum(double sum)
{
	struct json_object *o = json_object_new_double(sum);

	json_object_set_serializer(o, json_object_double_to_json_string, "%.3f", NULL);
	return o;
}

static struct json_object *_pair_json(const struct account_sums *s)
{
	struct json_object *list = json_object_new_array();

	json_object_array_add(list, json_object_new_int64(s->nominal));
	json_object_array_add(list, json_object_new_int64(s->own));
	json_object_array_add(list, json_object_new_int64(s->borrowed));
	json_object_array_add(list, _sum(s->lent));
	json_object_array_add(list, _sum(s->shared));
	json_object_array_add(list, _sum(s->idle));
	return list;
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

/* Adds NAME: {RESOURCE@FLAVOR: value} */
static void _add_value(const struct sums *s, struct json_object *o,
		       const char *name, int flavor, int resource,
		       struct json_object *value)
{
	char *key = xstrdup_printf("%s@%s", s->resources.list[resource],
				   s->flavors.list[flavor]);

	json_object_object_add(_member(o, name), key, value);
	xfree(key);
}

static bool _is_any(const struct account_sums *s)
{
	return s->nominal || s->own || s->borrowed || (s->lent > 0) ||
		(s->shared > 0) || (s->idle > 0);
}

static void _add_nodes(const struct sums *s, bool is_cohort, struct json_object *o)
{
	const struct names *names = is_cohort ? &s->cohorts : &s->queues;
	struct account_sums sums;

	for (size_t i = 0; i < names->n; i++) {
		for (size_t p = 0; p < s->resources.n * s->flavors.n; p++) {
			int r = p / s->flavors.n, f = p % s->flavors.n;

			if (account_copy_sums(s->copy, is_cohort, i, f, r, &sums) &&
			    _is_any(&sums))
				_add_value(s, o, names->list[i], f, r, _pair_json(&sums));
		}
	}
}

struct lenders {
	const struct sums *sums;
	struct json_object *o;
};

static void _add_lender(void *arg, bool is_cohort, int lender, int flavor,
			int resource, double sum)
{
	const struct lenders *l = arg;
	const struct names *names = is_cohort ? &l->sums->cohorts : &l->sums->queues;

	_add_value(l->sums, _member(l->o, is_cohort ? key_cohorts : key_queues),
		   names->list[lender], flavor, resource, _sum(sum));
}

/* Adds to the object, if the queue has borrowed */
static void _add_lenders(const struct sums *s, int queue, struct json_object *o,
			 const char *key)
{
	struct lenders l = { .sums = s };

	if (!account_copy_has_lenders(s->copy, queue))
		return;
	l.o = _member(o, key);
	account_copy_lenders(s->copy, queue, _add_lender, &l);
}

extern void sums_add_all(const struct sums *s, struct json_object *o)
{
	struct json_object *lenders = _member(o, key_lenders);

	_add_nodes(s, true, _member(o, key_cohorts));
	_add_nodes(s, false, _member(o, key_queues));
	for (size_t i = 0; i < s->queues.n; i++)
		_add_lenders(s, i, lenders, s->queues.list[i]);
}

/* ---- into the published document ---- */

static int _find(const struct names *names, struct json_object *pair, const char *key)
{
	const char *name = json_text_of(pair, key);
	size_t i = 0;

	while ((i < names->n) && xstrcmp(names->list[i], name))
		i++;
	return i < names->n ? (int) i : SPEC_NONE;
}

static void _publish_nodes(const struct sums *s, bool is_cohort, struct json_object *nodes)
{
	struct account_sums sums;

	for (size_t i = 0; i < json_object_array_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		struct json_object *quota = json_object_object_get(node, "quota");

		for (size_t p = 0; p < json_object_array_length(quota); p++) {
			struct json_object *pair = json_object_array_get_idx(quota, p);

			if (account_copy_sums(s->copy, is_cohort, i,
					      _find(&s->flavors, pair, "flavor"),
					      _find(&s->resources, pair, "resource"),
					      &sums))
				publish_add(pair, "account", _pair_json(&sums));
		}
		if (!is_cohort)
			_add_lenders(s, i, node, key_lenders);
	}
}

extern void sums_publish(const struct sums *s, struct json_object *cohorts,
			 struct json_object *queues)
{
	_publish_nodes(s, true, cohorts);
	_publish_nodes(s, false, queues);
}

/* ---- from JSON ---- */

struct reading {
	bool is_cohort;
	int node, borrower;
};

typedef void (*read_f)(const struct reading *r, int flavor, int resource,
		       struct json_object *value);

static double _number(struct json_object *list, size_t i)
{
	return json_object_get_double(json_object_array_get_idx(list, i));
}

static int64_t _integer(struct json_object *list, size_t i)
{
	return json_object_get_int64(json_object_array_get_idx(list, i));
}

/* What the engine refuses is no sum. */
static void _read_sums(const struct reading *r, int flavor, int resource,
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
	(void) engine_restore_account(ctld.engine, r->is_cohort, r->node, flavor, resource, &s);
}

static void _read_lender(const struct reading *r, int flavor, int resource,
			 struct json_object *value)
{
	(void) engine_restore_between(ctld.engine, r->is_cohort, r->node,
				      r->borrower, flavor, resource,
				      json_object_get_double(value));
}

/* NULL: there is no such object */
static struct json_object *_object(struct json_object *o, const char *key)
{
	struct json_object *member = NULL;

	(void) json_object_object_get_ex(o, key, &member);
	return json_object_is_type(member, json_type_object) ? member : NULL;
}

static void _read_nodes(struct json_object *o, struct reading r, read_f f)
{
	struct json_object *nodes = _object(o, r.is_cohort ? key_cohorts : key_queues);
	const struct spec *spec = ctld.conf->spec;
	int flavor, resource;

	if (!nodes)
		return;
	json_object_object_foreach(nodes, name, pairs) {
		r.node = r.is_cohort ? spec_find_cohort(spec, name) :
			spec_find_queue(spec, name);
		if ((r.node == SPEC_NONE) || !json_object_is_type(pairs, json_type_object))
			continue;
		json_object_object_foreach(pairs, key, value) {
			if (pair_key_find(key, &flavor, &resource))
				f(&r, flavor, resource, value);
		}
	}
}

static void _read_both(struct json_object *o, int borrower, read_f f)
{
	_read_nodes(o, (struct reading) { true, SPEC_NONE, borrower }, f);
	_read_nodes(o, (struct reading) { false, SPEC_NONE, borrower }, f);
}

extern void sums_read(struct json_object *o)
{
	struct json_object *lenders = _object(o, key_lenders);

	_read_both(o, SPEC_NONE, _read_sums);
	if (!lenders)
		return;
	json_object_object_foreach(lenders, name, from) {
		int borrower = spec_find_queue(ctld.conf->spec, name);

		if ((borrower != SPEC_NONE) && json_object_is_type(from, json_type_object))
			_read_both(from, borrower, _read_lender);
	}
}
