/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario_work.c - the workloads of a scenario, running and waiting
 *
 * Everything goes in through the engine's events, as it does in slurmctld: a
 * running workload is submitted and then started with what it got.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "eval/scenario.h"

/* A resource that no workload requests and that queues may cover all the same:
 * the number of pods */
#define RESOURCE_PODS "pods"

static const struct word preemptibilities[] = {
	{ "", false },
	{ "preemptible", false },
	{ "non-preemptible", true },
	{ NULL, 0 }
};

/* One workload on its way into the engine */
struct draft {
	struct podset_desc *podsets;
	struct request *requests;
	bool *ineligible;		/* npodsets rows of flavors */
	struct charge *charges;
	size_t ncharges;
	struct json_object *groups;	/* name -> number */
	struct json_object *names;	/* keeps those of shape_name() */
};

static void draft_free(struct draft *d)
{
	free(d->podsets);
	free(d->requests);
	free(d->ineligible);
	free(d->charges);
	json_object_put(d->groups);
	json_object_put(d->names);
}

static size_t member_count(const struct at *at, const char *key)
{
	struct at m = at_member(at, key);

	return m.json ? (size_t) json_object_object_length(m.json) : 0;
}

/* Arrays that have room for the lists of the workload. A pod set has one
 * request more than it names: pods. */
static void draft_alloc(struct draft *d, const struct scenario *s,
			const struct at *at, const struct at *podsets)
{
	size_t n = podsets->n, nrequests = n + 1;
	size_t ncharges = at_list(at, "usage").n + 1;

	for (size_t i = 0; i < n; i++) {
		struct at item = at_item(podsets, i);

		nrequests += member_count(&item, "requests");
		ncharges += member_count(&item, "flavors");
	}
	d->podsets = calloc(n + 1, sizeof(*d->podsets));
	d->requests = calloc(nrequests, sizeof(*d->requests));
	d->ineligible = calloc(n * s->spec->nflavors + 1, sizeof(bool));
	d->charges = calloc(ncharges, sizeof(*d->charges));
	d->groups = json_object_new_object();
	d->names = json_object_new_array();
	if (!d->podsets || !d->requests || !d->ineligible || !d->charges ||
	    !d->groups || !d->names)
		at_fail(at, NULL, "%s", strerror(ENOMEM));
}

static bool queue_covers(const struct spec_queue *q, int resource)
{
	for (size_t g = 0; g < q->ngroups; g++)
		for (size_t i = 0; i < q->groups[g].nresources; i++)
			if (q->groups[g].resources[i] == resource)
				return true;
	return false;
}

static int request_compare(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	return (x->resource > y->resource) - (x->resource < y->resource);
}

/* Sorted: for the engine two workloads are alike only if they ask for the same
 * in the same order. */
static size_t read_requests(const struct scenario *s, const struct at *at,
			    int queue, int64_t count, struct request *out)
{
	struct at requests = at_member(at, "requests");
	int pods = spec_find_resource(s->spec, RESOURCE_PODS);
	size_t n = 0;

	if (requests.json) {
		json_object_object_foreach(requests.json, name, amount) {
			(void) amount;
			out[n].resource = spec_find_resource(s->spec, name);
			out[n].amount = at_int(&requests, name, 0, 0);
			if (out[n].resource != pods)
				n++;
		}
	}
	if (pods >= 0 && queue_covers(&s->spec->queues[queue], pods))
		out[n++] = (struct request) { pods, count };
	qsort(out, n, sizeof(*out), request_compare);
	return n;
}

/* Flavors that a pod set cannot use: those listed, and those that a queue
 * names but the scenario does not declare. */
static void read_ineligible(const struct scenario *s, const struct at *at, bool *row)
{
	struct at list = at_list(at, "ineligibleFlavors");

	for (size_t f = s->nflavors; f < s->spec->nflavors; f++)
		row[f] = true;
	for (size_t i = 0; i < list.n && !at_failed(at); i++) {
		struct at item = at_any(&list, i);
		int f = spec_find_flavor(s->spec, at_text(&item));

		if (f >= 0)
			row[f] = true;
	}
}

/* Pod sets that share a group's name get their flavors as one. */
static int read_group(struct draft *d, const struct at *at)
{
	const char *name = at_string(at, "group");
	int index;

	if (!name || !*name)
		return -1;
	index = at_index(d->groups, name);
	if (index >= 0)
		return index;
	index = json_object_object_length(d->groups);
	at_index_add(d->groups, name, (size_t) index, at);
	return index;
}

/* Pod sets are alike only if their pods are, down to selectors that make no
 * difference to their flavors here. The engine knows a pod set's name as part
 * of its shape, so other differences go into the name. */
static const char *shape_name(struct draft *d, const struct at *at)
{
	static const char *const parts[] = { "tolerations", "nodeSelector", "hasAffinity" };
	struct json_object *name = json_object_new_array();

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct json_object *part;

		if (at->json && json_object_object_get_ex(at->json, parts[i], &part))
			json_object_array_add(name, json_object_get(part));
	}
	if (!json_object_array_length(name)) {
		json_object_put(name);
		return at_name(at, "name");
	}
	json_object_array_add(name, json_object_new_string(at_name(at, "name")));
	json_object_array_add(d->names, name);
	return json_object_to_json_string(name);
}

static void read_podset(const struct scenario *s, struct draft *d, const struct at *at, int queue,
			size_t i, struct request *requests)
{
	struct podset_desc *p = &d->podsets[i];
	bool *row = d->ineligible + i * s->spec->nflavors;

	p->name = shape_name(d, at);
	p->count = at_int(at, "count", 1, 0);
	p->min_count = at_int(at, "minCount", 0, 0);
	if (p->min_count > p->count)
		at_fail(at, "minCount", "is over count");
	p->group = read_group(d, at);
	p->requests = requests;
	p->nrequests = read_requests(s, at, queue, p->count, requests);
	read_ineligible(s, at, row);
	p->ineligible = row;
}

static void charge_add(struct draft *d, int flavor, int resource, int64_t amount)
{
	for (size_t i = 0; i < d->ncharges; i++) {
		struct charge *c = &d->charges[i];

		if (c->flavor == flavor && c->resource == resource) {
			c->amount += amount;
			return;
		}
	}
	d->charges[d->ncharges++] = (struct charge) { flavor, resource, amount };
}

static struct charge read_charge(const struct spec *spec, const struct at *at)
{
	return (struct charge) {
		.flavor = spec_find_flavor(spec, at_name(at, "flavor")),
		.resource = spec_find_resource(spec, at_name(at, "resource")),
		.amount = at_int(at, "amount", 0, 0),
	};
}

/* `usage` has what a running workload holds; a flavor that it got for a request
 * of 0 is only in the list of its pod sets. */
static void read_usage(const struct scenario *s, struct draft *d,
		       const struct at *at, const struct at *podsets)
{
	struct at usage = at_list(at, "usage");

	for (size_t i = 0; i < usage.n && !at_failed(at); i++) {
		struct at item = at_item(&usage, i);
		struct charge c = read_charge(s->spec, &item);

		charge_add(d, c.flavor, c.resource, c.amount);
	}
	for (size_t i = 0; i < podsets->n && !at_failed(at); i++) {
		struct at item = at_item(podsets, i);
		struct at flavors = at_member(&item, "flavors");

		if (!flavors.json)
			continue;
		json_object_object_foreach(flavors.json, name, flavor) {
			const char *f = at_name(&flavors, name);

			(void) flavor;

			charge_add(d, spec_find_flavor(s->spec, f),
				   spec_find_resource(s->spec, name), 0);
		}
	}
}

int scenario_local_queue(struct scenario *s, const struct at *at)
{
	const char *name = at_string(at, "localQueue");
	int index;

	if (!name)
		name = "";
	index = at_index(s->local_queues, name);
	if (index >= 0)
		return index;
	index = json_object_object_length(s->local_queues);
	at_index_add(s->local_queues, name, (size_t) index, at);
	return index;
}

static void start_item(const struct scenario *s, struct draft *d, const struct at *at,
		       const struct at *podsets, struct workload *w)
{
	int64_t reserved_at = at_seconds(at, "quotaReservedAt", s->now);

	read_usage(s, d, at, podsets);
	if (at_failed(at))
		return;
	if (engine_start(s->engine, w, d->charges, d->ncharges, reserved_at) < 0) {
		at_fail(at, NULL, "engine_start: %s", strerror(errno));
		return;
	}
	engine_keep_settled(s->engine, w, at_bool(at, "settled", false));
	if (at_bool(at, "evicted", false))
		engine_evicting(s->engine, w, true);
}

static void submit_item(struct scenario *s, const struct at *at, size_t i, uint64_t tiebreak)
{
	struct scenario_item *item = &s->items[i];
	struct at podsets = at_list(at, "podSets");
	struct draft d = { 0 };
	struct workload_desc desc = {
		.queue = item->queue,
		.local_queue = scenario_local_queue(s, at),
		.priority = at_int(at, "priority", 0, INT64_MIN),
		.nonpreemptible = at_word(at, "preemptibility", preemptibilities, false),
		.evictions = at_int(at, "evictions", 0, 0),
		.lost = at_int(at, "lost", 0, 0),
		.turns = at_int(at, "turns", 0, 0),
		.tiebreak = tiebreak,
		.tasks = 1,
		.npodsets = podsets.n,
		.owner = item,
	};
	struct request *requests;

	desc.queue_order_at = at_seconds(at, "queueOrderAt", at_seconds(at, "createdAt", 0));
	draft_alloc(&d, s, at, &podsets);
	requests = d.requests;
	for (size_t p = 0; p < podsets.n && !at_failed(at); p++) {
		struct at podset = at_item(&podsets, p);

		read_podset(s, &d, &podset, item->queue, p, requests);
		requests += d.podsets[p].nrequests;
	}
	desc.podsets = d.podsets;
	if (!at_failed(at)) {
		item->workload = engine_submit(s->engine, &desc);
		if (!item->workload)
			at_fail(at, NULL, "engine_submit: %s", strerror(errno));
	}
	if (!at_failed(at) && i < s->nadmitted)
		start_item(s, &d, at, &podsets, item->workload);
	draft_free(&d);
}

static void read_items(struct scenario *s, const struct at *list, size_t first)
{
	for (size_t i = 0; i < list->n && !at_failed(list); i++) {
		struct at at = at_item(list, i);
		struct scenario_item *item = &s->items[first + i];
		const char *queue = at_name(&at, "clusterQueue");
		const char *uid = at_string(&at, "uid");

		item->json = at.json;
		item->name = at_name(&at, "name");
		item->uid = uid ? uid : "";
		item->queue = at_index(s->queues, queue);
		if (item->queue < 0)
			at_fail(&at, "clusterQueue", "there is no \"%s\"", queue);
	}
}

/* The uid decides, then the place in the file: hand-written scenarios have
 * workloads without one, listed in queue order. */
static int item_compare(const void *a, const void *b)
{
	const struct scenario_item *x = *(struct scenario_item *const *) a;
	const struct scenario_item *y = *(struct scenario_item *const *) b;
	int order = strcmp(x->uid, y->uid);

	return order ? order : (x > y) - (x < y);
}

/* Rank of every item in the order of the uids, first = 1 */
static uint64_t *rank_items(struct scenario *s, const struct at *root)
{
	struct scenario_item **sorted = calloc(s->nitems + 1, sizeof(*sorted));
	uint64_t *ranks = calloc(s->nitems + 1, sizeof(*ranks));

	if (!sorted || !ranks) {
		at_fail(root, NULL, "%s", strerror(ENOMEM));
		free(sorted);
		free(ranks);
		return NULL;
	}
	for (size_t i = 0; i < s->nitems; i++)
		sorted[i] = &s->items[i];
	qsort(sorted, s->nitems, sizeof(*sorted), item_compare);
	for (size_t i = 0; i < s->nitems; i++)
		ranks[sorted[i] - s->items] = i + 1;
	free(sorted);
	return ranks;
}

static void read_extra_usage(struct scenario *s, const struct at *root)
{
	struct at list = at_list(root, "extraUsage");

	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at item = at_item(&list, i);
		const char *name = at_name(&item, "clusterQueue");
		struct charge c = read_charge(s->spec, &item);
		int queue = at_index(s->queues, name);

		if (queue < 0)
			at_fail(&item, "clusterQueue", "there is no \"%s\"", name);
		if (!at_failed(root) && engine_charge_queue(s->engine, queue, &c, 1) < 0)
			at_fail(&item, NULL, "engine_charge_queue: %s", strerror(errno));
	}
}

void scenario_read_work(struct scenario *s, const struct at *root)
{
	struct at admitted = at_list(root, "admitted");
	struct at pending = at_list(root, "pending");
	uint64_t *ranks;

	s->nadmitted = admitted.n;
	s->nitems = admitted.n + pending.n;
	s->items = calloc(s->nitems + 1, sizeof(*s->items));
	if (!s->items) {
		at_fail(root, NULL, "%s", strerror(ENOMEM));
		return;
	}
	read_items(s, &admitted, 0);
	read_items(s, &pending, admitted.n);
	ranks = at_failed(root) ? NULL : rank_items(s, root);
	for (size_t i = 0; i < s->nitems && !at_failed(root); i++) {
		bool running = i < s->nadmitted;
		struct at at = at_item(running ? &admitted : &pending,
				       running ? i : i - s->nadmitted);

		submit_item(s, &at, i, ranks[i]);
	}
	free(ranks);
	read_extra_usage(s, root);
}
