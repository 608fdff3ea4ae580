/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.c - the engine's answer to a scenario, as JSON
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "eval/answer.h"
#include "input/json_members.h"
#include "must.h"

static const char *mode_name(enum mode mode)
{
	static const char *const names[] = {
		[MODE_NOFIT] = "NoFit",
		[MODE_PREEMPT] = "Preempt",
		[MODE_FIT] = "Fit",
	};

	return names[mode];
}

/* A string, or an object's "workload" */
static const char *sort_key(struct json_object *o)
{
	struct json_object *v = json_member(o, "workload");

	return json_object_get_string(v ? v : o);
}

static int key_compare(const void *a, const void *b)
{
	return strcmp(sort_key(*(struct json_object *const *) a),
		      sort_key(*(struct json_object *const *) b));
}

static struct json_object *victims_json(const struct scenario *s, const struct victim *victims,
					size_t n, bool with_queue)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < n; i++) {
		const struct scenario_item *item = scenario_item(victims[i].workload);
		struct json_object *o = json_append(list);

		json_add_text(o, "workload", item->name);
		if (with_queue)
			json_add_text(o, "clusterQueue", s->spec->queues[item->queue].name);
		json_add_text(o, "reason", victim_reason_name(victims[i].reason));
	}
	json_object_array_sort(list, key_compare);
	return list;
}

static struct json_object *resource_json(const struct scenario *s,
					 const struct assigned_resource *r,
					 const char *mode, bool detail)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "flavor", s->spec->flavors[r->flavor]);
	json_add_number(o, "triedFlavorIdx", r->tried);
	if (detail) {
		json_add_text(o, "mode", mode ? mode : mode_name(r->mode));
		json_add_number(o, "borrow", r->borrow);
	}
	return o;
}

/* Name of pod set i of a workload */
static const char *podset_name(const struct workload *w, size_t i)
{
	return json_text(json_item(scenario_item(w)->json, "podSets", i), "name");
}

static struct json_object *podset_json(const struct scenario *s, const struct workload *w,
				       const struct assigned_podset *p, const char *mode,
				       bool detail)
{
	struct json_object *o = json_object_new_object();
	struct json_object *flavors = json_object_new_object();

	for (size_t i = 0; i < p->nresources; i++) {
		const struct assigned_resource *r = &p->resources[i];

		json_object_object_add(flavors, s->spec->resources[r->resource],
				       resource_json(s, r, mode, detail));
	}
	json_add_text(o, "name", podset_name(w, p->index));
	json_add_number(o, "count", p->count);
	json_object_object_add(o, "flavors", flavors);
	if (detail && p->nofit)
		json_add_truth(o, "noFit", true);
	return o;
}

/* By the names of flavor and resource */
static int pair_compare(const void *a, const void *b)
{
	static const char *const keys[] = { "flavor", "resource" };
	int order = 0;

	for (size_t i = 0; i < 2 && !order; i++)
		order = strcmp(json_text(*(struct json_object *const *) a, keys[i]),
			       json_text(*(struct json_object *const *) b, keys[i]));
	return order;
}

static struct json_object *usage_json(const struct scenario *s, const struct assignment *a)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < a->nusage; i++) {
		const struct charge *c = &a->usage[i];
		struct json_object *o = json_append(list);

		json_add_text(o, "flavor", s->spec->flavors[c->flavor]);
		json_add_text(o, "resource", s->spec->resources[c->resource]);
		json_add_number(o, "amount", c->amount);
	}
	json_object_array_sort(list, pair_compare);
	return list;
}

/* mode: one that the engine has no name for, else NULL */
static struct json_object *assignment_json(const struct scenario *s, const struct workload *w,
					   const struct assignment *a, const char *mode,
					   bool detail)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();

	json_add_text(o, "mode", mode ? mode : mode_name(a->mode));
	json_add_number(o, "borrow", a->borrow);
	for (size_t i = 0; i < a->npodsets; i++)
		json_object_array_add(list, podset_json(s, w, &a->podsets[i], mode, detail));
	json_object_object_add(o, "podSets", list);
	if (detail)
		json_object_object_add(o, "usage", usage_json(s, a));
	return o;
}

/* ---- preempt ---- */

/* A list of charges of `at`; *n entries, the caller's */
static struct charge *charges_read(const struct scenario *s, const struct at *at, const char *key,
				   size_t *n)
{
	struct at list = at_list(at, key);
	struct charge *charges = must(calloc(list.n + 1, sizeof(*charges)));

	*n = 0;
	for (size_t i = 0; i < list.n && !at_failed(at); i++) {
		struct at item = at_item(&list, i);
		struct charge *c = &charges[(*n)++];

		c->flavor = spec_find_flavor(s->spec, at_name(&item, "flavor"));
		c->resource = spec_find_resource(s->spec, at_name(&item, "resource"));
		c->amount = at_int(&item, "amount", 0, 0);
	}
	return charges;
}

struct json_object *answer_preempt(struct scenario *s, const struct at *root, bool detail)
{
	struct at request = at_member(root, "request");
	const char *name = at_name(&request, "workload");
	const struct scenario_item *item = scenario_pending(s, name);
	struct json_object *o = NULL;
	const struct victim *victims;
	struct charge *demand, *need;
	size_t ndemand, nneed, n;

	(void) detail;
	if (!item)
		at_fail(&request, "workload", "\"%s\" is not pending", name);
	demand = charges_read(s, &request, "quantities", &ndemand);
	need = charges_read(s, &request, "needPreemption", &nneed);
	if (!at_failed(root)) {
		n = engine_targets(s->engine, item->workload, s->now, demand, ndemand, need,
				   nneed, &victims);
		o = json_object_new_object();
		json_object_object_add(o, "targets", victims_json(s, victims, n, true));
	}
	free(demand);
	free(need);
	return o;
}

/* ---- assign ---- */

/* The prepared answers of an assign scenario, in place of a search */
struct canned {
	const struct scenario *s;
	struct at list;
};

static bool canned_matches(const struct at *item, const char *flavor, const char *resource)
{
	return !strcmp(at_name(item, "flavor"), flavor)
	       && !strcmp(at_name(item, "resource"), resource);
}

static void canned_ask(void *arg, int flavor, int resource, int64_t amount, enum suit *suit,
		       int *borrow)
{
	static const struct word possibilities[] = { { "NoCandidates", SUIT_NO_CANDIDATES },
						     { "Preempt", SUIT_PREEMPT },
						     { "Reclaim", SUIT_RECLAIM },
						     { NULL, 0 } };
	struct canned *c = arg;
	const struct spec *spec = c->s->spec;

	(void) amount;
	*suit = SUIT_NO_CANDIDATES;
	*borrow = 0;
	for (size_t i = 0; i < c->list.n && !at_failed(&c->list); i++) {
		struct at item = at_item(&c->list, i);
		bool exact =
			canned_matches(&item, spec->flavors[flavor], spec->resources[resource]);

		if (!exact && !canned_matches(&item, "*", "*"))
			continue;
		*suit = at_word(&item, "possibility", possibilities, SUIT_NO_CANDIDATES);
		*borrow = (int) at_int(&item, "borrow", 0, 0);
		if (exact)
			return;
	}
}

struct json_object *answer_assign(struct scenario *s, const struct at *root, bool detail)
{
	struct canned canned = { s, at_list(root, "simulation") };
	struct oracle oracle = { canned_ask, &canned };
	const struct assignment *a;
	struct workload *w;
	struct json_object *o;

	if (s->nitems == s->nadmitted) {
		at_fail(root, "pending", "is empty");
		return NULL;
	}
	w = s->items[s->nadmitted].workload;
	a = engine_assign(s->engine, w, s->now, canned.list.n ? &oracle : NULL);
	if (!a)
		at_fail(root, NULL, "engine_assign: %s", strerror(errno));
	if (at_failed(root))
		return NULL;
	o = json_object_new_object();
	json_object_object_add(o, "assignment", assignment_json(s, w, a, NULL, detail));
	return o;
}

/* ---- cycle ---- */

static void head_detail(const struct scenario *s, const struct head *h, struct json_object *o)
{
	const struct assignment *a = h->nominated;

	json_add_truth(o, "recomputed", h->recomputed);
	if (a)
		json_object_object_add(o, "nominated",
				       assignment_json(s, h->workload, a, NULL, true));
	json_object_object_add(o, "nominatedTargets",
			       victims_json(s, h->nominated_victims, h->n_nominated_victims,
					    true));
}

static struct json_object *head_json(const struct scenario *s,
				     const struct head *h, bool detail)
{
	const struct scenario_item *item = scenario_item(h->workload);
	const struct assignment *a = h->final;
	struct json_object *o = json_object_new_object();
	char *root;

	json_add_text(o, "workload", item->name);
	json_add_text(o, "clusterQueue", s->spec->queues[item->queue].name);
	root = must_format("%s:%s", h->root_is_cohort ? "cohort" : "cq", h->root_is_cohort
			   ? s->spec->cohorts[h->root].name : s->spec->queues[h->root].name);
	json_add_text(o, "root", root);
	free(root);
	json_add_number(o, "order", (int64_t) h->order);
	json_add_text(o, "outcome", outcome_name(h->outcome));
	json_object_object_add(o, "victims",
		victims_json(s, h->victims, h->nvictims, false));
	/* A workload that fits only because others' victims leave has a mode of
	 * its own in the answers, but not in the engine. */
	if (a)
		json_object_object_add(o, "assignment",
			assignment_json(s, h->workload, a,
				h->outcome == OUTCOME_DEFERRED_FIT ?
				"DeferredFit" : NULL, detail));
	if (detail)
		head_detail(s, h, o);
	return o;
}

static void list_add(void *arg, struct workload *w)
{
	json_object_array_add(arg, json_object_new_string(scenario_item(w)->name));
}

/* Queues that have any workloads in that list */
static struct json_object *lists_json(const struct scenario *s, enum queue_list which)
{
	struct json_object *o = json_object_new_object();

	for (size_t i = 0; i < s->spec->nqueues; i++) {
		struct json_object *list = json_object_new_array();

		engine_queue_list(s->engine, (int) i, which, list_add, list);
		json_object_array_sort(list, key_compare);
		if (json_object_array_length(list))
			json_object_object_add(o, s->spec->queues[i].name, list);
		else
			json_object_put(list);
	}
	return o;
}

struct json_object *answer_cycle(struct scenario *s, const struct at *root, bool detail)
{
	struct json_object *o, *list;
	const struct head *heads;
	size_t n;

	if (engine_cycle(s->engine, s->now, &heads, &n) < 0) {
		at_fail(root, NULL, "engine_cycle: %s", strerror(errno));
		return NULL;
	}
	o = json_object_new_object();
	list = json_object_new_array();
	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, head_json(s, &heads[i], detail));
	json_object_object_add(o, "heads", list);
	json_object_object_add(o, "left", lists_json(s, LIST_ACTIVE));
	json_object_object_add(o, "inadmissible", lists_json(s, LIST_INADMISSIBLE));
	return o;
}
