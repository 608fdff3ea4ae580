/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quotas.c - amounts of quota that differ between two configurations
 */
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "diff/diff.h"
#include "input/json_members.h"

/* A cluster queue or cohort; one that is not there has no quotas */
struct owner {
	const struct spec *spec;
	bool is_cohort;
	int node;
	const char *name;
	const struct spec_quota *of;
	size_t n;
};

static struct owner owner_of(const struct spec *spec, bool is_cohort, const char *name)
{
	struct owner o = { .spec = spec, .is_cohort = is_cohort, .name = name };

	o.node = is_cohort ? spec_find_cohort(spec, name) : spec_find_queue(spec, name);
	if (o.node != SPEC_NONE) {
		o.of = is_cohort ? spec->cohorts[o.node].quotas : spec->queues[o.node].quotas;
		o.n = is_cohort ? spec->cohorts[o.node].nquotas : spec->queues[o.node].nquotas;
	}
	return o;
}

static const char *flavor_name(const struct owner *o, const struct spec_quota *q)
{
	return o->spec->flavors[q->flavor];
}

static const char *resource_name(const struct owner *o, const struct spec_quota *q)
{
	return o->spec->resources[q->resource];
}

/* The quota of the owner o that `twin` is one of the owner `of`; NULL: it has none */
static const struct spec_quota *quota_find(const struct owner *o, const struct owner *of,
					   const struct spec_quota *twin)
{
	for (size_t i = 0; i < o->n; i++)
		if (!strcmp(flavor_name(o, &o->of[i]), flavor_name(of, twin))
		    && !strcmp(resource_name(o, &o->of[i]), resource_name(of, twin)))
			return &o->of[i];
	return NULL;
}

static const struct {
	const char *key;
	size_t offset;
} amounts[] = {
	{ "nominalQuota", offsetof(struct spec_quota, nominal) },	/* the first: below */
	{ "borrowingLimit", offsetof(struct spec_quota, borrowing_limit) },
	{ "lendingLimit", offsetof(struct spec_quota, lending_limit) },
};

static int64_t amount_of(const struct spec_quota *q, size_t offset)
{
	return q ? *(const int64_t *) (const void *) ((const char *) q + offset) : SPEC_NO_LIMIT;
}

static void amount_add(struct json_object *o, const char *key, int64_t amount)
{
	json_object_object_add(o, key, amount == SPEC_NO_LIMIT ? NULL
			       : json_object_new_int64(amount));
}

/* A temporaryQuota that holds now, and until when: then nominalQuota does not */
static void temporary_add(struct json_object *o, const struct owner *of,
			  const struct spec_quota *quota)
{
	int64_t now = (int64_t) time(NULL) * SPEC_SEC;
	const struct spec_period *p = spec_find_period(of->spec, of->is_cohort, of->node,
						       quota, now);

	if (!p || p->from > now)
		return;
	json_add_number(o, "temporary", p->nominal);
	if (p->until != INT64_MAX)
		json_add_number(o, "until", p->until / SPEC_SEC);
}

/* a and b are quotas of x and y for the same pair, one of them may be NULL. */
static void pair_compare(struct json_object *list, const struct owner *x,
			 const struct spec_quota *a, const struct owner *y,
			 const struct spec_quota *b)
{
	const struct owner *is = a ? x : y;
	const struct spec_quota *quota = a ? a : b;

	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
		int64_t from = amount_of(a, amounts[i].offset);
		int64_t to = amount_of(b, amounts[i].offset);
		struct json_object *o;

		if (from == to)
			continue;
		o = json_append(list);
		json_add_text(o, "kind", is->is_cohort ? "cohort" : "clusterQueue");
		json_add_text(o, "name", is->name);
		json_add_text(o, "flavor", flavor_name(is, quota));
		json_add_text(o, "resource", resource_name(is, quota));
		json_add_text(o, "key", amounts[i].key);
		amount_add(o, "from", from);
		amount_add(o, "to", to);
		if (b && !i)
			temporary_add(o, y, b);
	}
}

static void quotas_compare(struct json_object *list, const struct owner *x, const struct owner *y)
{
	for (size_t i = 0; i < x->n; i++)
		pair_compare(list, x, &x->of[i], y, quota_find(y, x, &x->of[i]));
	for (size_t i = 0; i < y->n; i++)
		if (!quota_find(x, y, &y->of[i]))
			pair_compare(list, x, NULL, y, &y->of[i]);
}

/* All that are in `of`: first those of a, then what only b has */
static void owners_compare(struct json_object *list, const struct spec *a, const struct spec *b,
			   const struct spec *of, bool is_cohort)
{
	size_t n = is_cohort ? of->ncohorts : of->nqueues;

	for (size_t i = 0; i < n; i++) {
		const char *name = is_cohort ? of->cohorts[i].name : of->queues[i].name;
		struct owner x = owner_of(a, is_cohort, name), y = owner_of(b, is_cohort, name);

		if (of == a || x.node == SPEC_NONE)
			quotas_compare(list, &x, &y);
	}
}

struct json_object *diff_quotas(const struct conf *from, const struct conf *to)
{
	struct json_object *list = json_object_new_array();

	for (int is_cohort = 1; is_cohort >= 0; is_cohort--) {
		owners_compare(list, from->spec, to->spec, from->spec, is_cohort);
		owners_compare(list, from->spec, to->spec, to->spec, is_cohort);
	}
	return list;
}
