/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quotas.c - amounts of quota that differ between two configurations
 */
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "diff/diff.h"
#include "input/json_members.h"

/* The quotas of a queue or cohort; n = 0 for one that is not there */
struct quotas {
	const struct spec *spec;
	const struct spec_quota *of;
	size_t n;
	bool is_cohort;
	int node;
};

static const struct spec_quota *quota_find(const struct quotas *q,
					   const char *flavor,
					   const char *resource)
{
	for (size_t i = 0; i < q->n; i++)
		if (!strcmp(q->spec->flavors[q->of[i].flavor], flavor)
		    && !strcmp(q->spec->resources[q->of[i].resource], resource))
			return &q->of[i];
	return NULL;
}

static void amount_add(struct json_object *o, const char *key, int64_t amount)
{
	json_object_object_add(o, key, amount == SPEC_NO_LIMIT ? NULL
			       : json_object_new_int64(amount));
}

static int64_t amount_of(const struct spec_quota *q, size_t offset)
{
	return q ? *(const int64_t *) (const void *) ((const char *) q + offset)
		 : SPEC_NO_LIMIT;
}

static const struct {
	const char *key;
	size_t offset;
} amounts[] = {
	{ "nominalQuota", offsetof(struct spec_quota, nominal) },	/* the first: below */
	{ "borrowingLimit", offsetof(struct spec_quota, borrowing_limit) },
	{ "lendingLimit", offsetof(struct spec_quota, lending_limit) },
};

/* A temporaryQuota that holds now, and until when: then nominalQuota does not */
static void temporary_add(struct json_object *o, const struct quotas *q,
			  const struct spec_quota *quota)
{
	int64_t now = (int64_t) time(NULL) * SPEC_SEC;
	const struct spec_period *p = spec_find_period(q->spec, q->is_cohort,
						       q->node, quota, now);

	if (!p || p->from > now)
		return;
	json_add_number(o, "temporary", p->nominal);
	if (p->until != INT64_MAX)
		json_add_number(o, "until", p->until / SPEC_SEC);
}

/* of: the quotas that b is one of */
static void pair_compare(struct json_object *list, const char *kind,
			 const char *name, const char *flavor,
			 const char *resource, const struct spec_quota *a,
			 const struct spec_quota *b, const struct quotas *of)
{
	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
		int64_t from = amount_of(a, amounts[i].offset);
		int64_t to = amount_of(b, amounts[i].offset);
		struct json_object *o;

		if (from == to)
			continue;
		o = json_object_new_object();
		json_add_text(o, "kind", kind);
		json_add_text(o, "name", name);
		json_add_text(o, "flavor", flavor);
		json_add_text(o, "resource", resource);
		json_add_text(o, "key", amounts[i].key);
		amount_add(o, "from", from);
		amount_add(o, "to", to);
		if (b && !i)
			temporary_add(o, of, b);
		json_object_array_add(list, o);
	}
}

static void quotas_compare(struct json_object *list, const char *kind,
			   const char *name, const struct quotas *a,
			   const struct quotas *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const char *flavor = a->spec->flavors[a->of[i].flavor];
		const char *resource = a->spec->resources[a->of[i].resource];

		pair_compare(list, kind, name, flavor, resource, &a->of[i],
			     quota_find(b, flavor, resource), b);
	}
	for (size_t i = 0; i < b->n; i++) {
		const char *flavor = b->spec->flavors[b->of[i].flavor];
		const char *resource = b->spec->resources[b->of[i].resource];

		if (!quota_find(a, flavor, resource))
			pair_compare(list, kind, name, flavor, resource, NULL,
				     &b->of[i], b);
	}
}

static struct quotas of_queue(const struct spec *spec, int i)
{
	struct quotas q = { .spec = spec, .node = i };

	if (i != SPEC_NONE) {
		q.of = spec->queues[i].quotas;
		q.n = spec->queues[i].nquotas;
	}
	return q;
}

static struct quotas of_cohort(const struct spec *spec, int i)
{
	struct quotas q = { .spec = spec, .is_cohort = true, .node = i };

	if (i != SPEC_NONE) {
		q.of = spec->cohorts[i].quotas;
		q.n = spec->cohorts[i].nquotas;
	}
	return q;
}

static void cohorts_compare(struct json_object *list, const struct spec *a,
			    const struct spec *b)
{
	for (size_t i = 0; i < a->ncohorts; i++) {
		const char *name = a->cohorts[i].name;
		struct quotas x = of_cohort(a, (int) i);
		struct quotas y = of_cohort(b, spec_find_cohort(b, name));

		quotas_compare(list, "cohort", name, &x, &y);
	}
	for (size_t i = 0; i < b->ncohorts; i++) {
		const char *name = b->cohorts[i].name;
		struct quotas x = of_cohort(a, SPEC_NONE);
		struct quotas y = of_cohort(b, (int) i);

		if (spec_find_cohort(a, name) == SPEC_NONE)
			quotas_compare(list, "cohort", name, &x, &y);
	}
}

struct json_object *diff_quotas(const struct conf *from, const struct conf *to)
{
	const struct spec *a = from->spec, *b = to->spec;
	struct json_object *list = json_object_new_array();

	cohorts_compare(list, a, b);
	for (size_t i = 0; i < a->nqueues; i++) {
		const char *name = a->queues[i].name;
		struct quotas x = of_queue(a, (int) i);
		struct quotas y = of_queue(b, spec_find_queue(b, name));

		quotas_compare(list, "clusterQueue", name, &x, &y);
	}
	for (size_t i = 0; i < b->nqueues; i++) {
		const char *name = b->queues[i].name;
		struct quotas x = of_queue(a, SPEC_NONE);
		struct quotas y = of_queue(b, (int) i);

		if (spec_find_queue(a, name) == SPEC_NONE)
			quotas_compare(list, "clusterQueue", name, &x, &y);
	}
	return list;
}
