/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.c - keys that differ between two files
 *
 * Maps are compared key by key, lists of things with names by name, other lists
 * of maps as sets whose order counts, all else as text. So comments and the way
 * in which it is written do not count. Amounts of quota are in diff.c.
 */
#define _GNU_SOURCE	/* open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "input/json_members.h"
#include "ledger/lookup.h"
#include "must.h"
#include "yaml/document.h"

/* ---- what a key means that is left out, as cohort.yaml(5) has it ---- */

static const struct {
	const char *key, *text;
} implied[] = {
	{ "enforcement", "enforce" },
	{ "priority", "qos with slurmdbd, else partition" },
	{ "localQueue", "account" },
	{ "preemptorTimeout", "5m" },
	{ "packBorrowers", "true" },
	{ "lentNodeWeight", "1" },
	{ "planBudget", "800000" },
	{ "plannedJobs", "0" },
	{ "lossWeights", "{cpu: 1}" },
	{ "unmanaged.preemption", "none" },
	{ "visibility.updateInterval", "5s" },
	{ "visibility.maxPosition", "4000" },
	{ "visibility.comments", "true" },
	{ "visibility.adminComments", "false" },
	{ "visibility.publish", "cohort_status.json in StateSaveLocation" },
	{ "events.enable", "true" },
	{ "events.file", "cohort_events.jsonl in StateSaveLocation" },
	{ "events.maxMegabytes", "16" },
	{ "events.keep", "4" },
	{ "notify.timeLimit", "30s" },
	{ "notify.atOnce", "4" },
	{ "minRuntime.preempt", "0" },
	{ "minRuntime.reclaim", "0" },
	{ "minRuntime.resolve", "lca" },
	{ "fairSharing.enable", "false" },
	{ "fairSharing.preemptionStrategies", "both" },
	{ "fairSharing.usageHalfLifeTime", "0" },
	{ "fairSharing.kValue", "1" },
	{ "fairSharing.historyMargin", "0.25, below kValue" },
	{ "fairSharing.weight", "1" },
	{ "admissionFairSharing.usageHalfLifeTime", "0" },
	{ "admissionFairSharing.usageSamplingInterval", "5m" },
	{ "admissionFairSharing.usageFrom", "cohort" },
	{ "preemptMinRuntime", "that of the cohort, or of minRuntime" },
	{ "reclaimMinRuntime", "that of the cohort, or of minRuntime" },
	{ "reclaimDelay", "0" },
	{ "reclaimDelayPolicy", "Always" },
	{ "queueingStrategy", "BestEffortFIFO" },
	{ "stopPolicy", "None" },
	{ "admissionScope.admissionMode", "NoAdmissionFairSharing" },
	{ "maxPreemptions", "3" },
	{ "yieldAfterEvictions", "1" },
	{ "nonPreemptible.byUser", "false" },
	{ "nonPreemptible.scope", "ClusterQueue" },
	{ "flavorFungibility.whenCanBorrow", "MayStopSearch" },
	{ "flavorFungibility.whenCanPreempt", "TryNextFlavor" },
	{ "flavorFungibility.preference", "BorrowingOverPreemption" },
	{ "preemption.withinClusterQueue", "Never" },
	{ "preemption.withinClusterQueueConfig.minAdmitDuration",
	  "no turns" },
	{ "preemption.reclaimWithinCohort", "Never" },
	{ "preemption.borrowWithinCohort.policy", "Never" },
	{ "preemption.borrowWithinCohort.maxPriorityThreshold", "no bound" },
};

#define NIMPLIED (sizeof(implied) / sizeof(*implied))

/* Is the end of the path this key, from the begin of one of its parts on? */
static bool ends_with(const char *path, const char *key)
{
	size_t len = strlen(path), n = strlen(key);

	return len >= n && !strcmp(path + len - n, key) && (len == n || path[len - n - 1] == '.');
}

/* NULL: nothing */
static const char *implied_value(const char *path)
{
	for (size_t i = 0; i < NIMPLIED; i++)
		if (ends_with(path, implied[i].key))
			return implied[i].text;
	return NULL;
}

/* Are there such keys in the map with this path? */
static bool implied_below(const char *path)
{
	const char *dot = strrchr(path, '.'), *last = dot ? dot + 1 : path;
	size_t n = strlen(last);

	for (size_t i = 0; i < NIMPLIED; i++) {
		const char *at = strstr(implied[i].key, last);

		if (at && at[n] == '.' && (at == implied[i].key || at[-1] == '.'))
			return true;
	}
	return false;
}

/* ---- a node as one line ---- */

static void node_write(const struct node *n, FILE *out)
{
	const char *sep = "";

	if (n->kind == NODE_SCALAR) {
		fputs(n->text, out);
		return;
	}
	putc(n->kind == NODE_MAP ? '{' : '[', out);
	for (size_t i = 0; i < n->nitems; i++) {
		fputs(sep, out);
		node_write(n->items[i], out);
		sep = n->kind == NODE_MAP && i % 2 == 0 ? ": " : ", ";
	}
	putc(n->kind == NODE_MAP ? '}' : ']', out);
}

/* To be freed; NULL for no node */
static char *node_line(const struct node *n)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!n)
		return NULL;
	out = must(open_memstream(&text, &size));
	node_write(n, out);
	fclose(out);
	return must(text);
}

static bool same_line(const struct node *a, const struct node *b)
{
	char *x = node_line(a), *y = node_line(b);
	bool same = !strcmp(x, y);

	free(x);
	free(y);
	return same;
}

/* ---- changes ---- */

/* def: what an absent value means, or NULL */
static void change_add(struct json_object *list, const char *path, const char *from,
		       const char *to, const char *def)
{
	struct json_object *o = json_append(list);

	json_add_text(o, "path", path);
	json_add_text(o, "from", from);
	json_add_text(o, "to", to);
	if (def)
		json_add_text(o, "default", def);
}

/* A value that is what its absence means is no change. */
static void value_change(struct json_object *list, const char *path, const struct node *from,
			 const struct node *to)
{
	char *a = node_line(from), *b = node_line(to);
	const char *def = a && b ? NULL : implied_value(path);

	if (!def || strcmp(a ? a : b, def) != 0)
		change_add(list, path, a, b, def);
	free(a);
	free(b);
}

static void nodes_compare(struct json_object *list, const char *path, const struct node *a,
			  const struct node *b);

static void below_compare(struct json_object *list, const char *path, const char *sep,
			  const char *key, const char *end, const struct node *a,
			  const struct node *b)
{
	char *below = must_format("%s%s%s%s", path, sep, key, end);

	nodes_compare(list, below, a, b);
	free(below);
}

static bool is_amounts(const char *key)
{
	return !strcmp(key, "nominalQuota") || !strcmp(key, "borrowingLimit")
	       || !strcmp(key, "lendingLimit");
}

static void maps_compare(struct json_object *list, const char *path, const struct node *a,
			 const struct node *b)
{
	const char *sep = *path ? "." : "";

	for (size_t i = 0; i < a->nitems; i += 2) {
		const char *key = a->items[i]->text;

		if (!is_amounts(key))
			below_compare(list, path, sep, key, "", a->items[i + 1], node_find(b, key));
	}
	for (size_t i = 0; i < b->nitems; i += 2) {
		const char *key = b->items[i]->text;

		if (!is_amounts(key) && !node_find(a, key))
			below_compare(list, path, sep, key, "", NULL, b->items[i + 1]);
	}
}

/* ---- lists ---- */

/* Which item of one list is which of the other: resource groups have no names */
enum pairing { BY_NUMBER, BY_NAME, BY_TEXT };

static const char *name_of(const struct node *item)
{
	const struct node *name = node_find(item, "name");

	return name && name->kind == NODE_SCALAR ? name->text : NULL;
}

/* What item i of the list `of` is in the other one; NULL: it is not there */
static const struct node *twin_of(const struct node *of, size_t i, const struct node *other,
				  enum pairing how)
{
	if (how == BY_NUMBER)
		return i < other->nitems ? other->items[i] : NULL;
	for (size_t k = 0; k < other->nitems; k++)
		if (how == BY_NAME ? !strcmp(name_of(of->items[i]), name_of(other->items[k]))
				   : same_line(of->items[i], other->items[k]))
			return other->items[k];
	return NULL;
}

static void item_compare(struct json_object *list, const char *path, const struct node *item,
			 size_t i, enum pairing how, const struct node *a, const struct node *b)
{
	char number[24];

	snprintf(number, sizeof(number), "%zu", i);
	if (how != BY_TEXT)
		below_compare(list, path, "[", how == BY_NAME ? name_of(item) : number, "]", a, b);
	else if (!a || !b)
		value_change(list, path, a, b);
}

/* Do those that are in both lists come in another order? */
static bool order_differs(const struct node *a, const struct node *b, enum pairing how)
{
	size_t at = 0;

	for (size_t i = 0; i < a->nitems; i++) {
		const struct node *other = twin_of(a, i, b, how);

		while (other && at < b->nitems && b->items[at] != other)
			at++;
		if (at == b->nitems && other)
			return true;
	}
	return false;
}

static void items_compare(struct json_object *list, const char *path, const struct node *a,
			  const struct node *b, enum pairing how)
{
	for (size_t i = 0; i < a->nitems; i++)
		item_compare(list, path, a->items[i], i, how, a->items[i], twin_of(a, i, b, how));
	for (size_t i = 0; i < b->nitems; i++)
		if (!twin_of(b, i, a, how))
			item_compare(list, path, b->items[i], i, how, NULL, b->items[i]);
	if (order_differs(a, b, how))
		change_add(list, path, NULL, "another order", NULL);
}

static bool all_named(const struct node *list)
{
	for (size_t i = 0; i < list->nitems; i++)
		if (!name_of(list->items[i]))
			return false;
	return true;
}

static bool has_maps(const struct node *list)
{
	return list->nitems && list->items[0]->kind == NODE_MAP;
}

static void lists_compare(struct json_object *list, const char *path, const struct node *a,
			  const struct node *b)
{
	if (ends_with(path, "resourceGroups"))
		items_compare(list, path, a, b, BY_NUMBER);
	else if (all_named(a) && all_named(b) && (a->nitems || b->nitems))
		items_compare(list, path, a, b, BY_NAME);
	else if (has_maps(a) && has_maps(b))
		items_compare(list, path, a, b, BY_TEXT);
	else if (!same_line(a, b))
		value_change(list, path, a, b);
}

/* A map that is left out is an empty one, if its keys mean something all the same. */
static const struct node *map_or_empty(const struct node *n, const struct node *other,
				       const char *path)
{
	static const struct node empty = { .kind = NODE_MAP };

	return !n && other && other->kind == NODE_MAP && implied_below(path) ? &empty : n;
}

static void nodes_compare(struct json_object *list, const char *path, const struct node *from,
			  const struct node *to)
{
	const struct node *a = map_or_empty(from, to, path), *b = map_or_empty(to, from, path);

	if (!a || !b || a->kind != b->kind)
		value_change(list, path, a, b);
	else if (a->kind == NODE_MAP)
		maps_compare(list, path, a, b);
	else if (a->kind == NODE_LIST)
		lists_compare(list, path, a, b);
	else if (strcmp(a->text, b->text) != 0)
		value_change(list, path, a, b);
}

struct json_object *diff_keys(const char *from, const char *to)
{
	struct report *report = must(report_create(""));
	struct document *a = document_load(from, strlen(from), report);
	struct document *b = document_load(to, strlen(to), report);
	struct json_object *list = NULL;

	if (a && b) {
		list = json_object_new_array();
		nodes_compare(list, "", document_root(a), document_root(b));
	}
	document_destroy(a);
	document_destroy(b);
	report_destroy(report);
	return list;
}

/* ---- other defaults than in the slurmctld that runs ---- */

/* runs: what slurmctld uses; reads: what its file means to us; to: what the new one does */
static void default_compare(struct json_object *keys, const char *queue, const char *key,
			    int64_t runs, int64_t reads, int64_t to)
{
	char path[512], was[32], is[32];

	if (runs == reads || runs == to)
		return;
	snprintf(path, sizeof(path), "clusterQueues[%s].%s", queue, key);
	snprintf(was, sizeof(was), "%ld", (long) runs);
	snprintf(is, sizeof(is), "%ld", (long) to);
	change_add(keys, path, was, is, NULL);
}

void diff_defaults(struct json_object *keys, const struct conf *from, const struct conf *to,
		   const struct published *p)
{
	for (size_t i = 0; i < to->spec->nqueues; i++) {
		const struct spec_queue *q = &to->spec->queues[i], *was;
		int old = spec_find_queue(from->spec, q->name);
		struct json_object *rules = json_member(published_queue(p, q->name), "preemption");

		if (old == SPEC_NONE || !rules)
			continue;
		was = &from->spec->queues[old];
		default_compare(keys, q->name, "maxPreemptions",
				json_number(rules, "maxPreemptions"), was->max_preemptions,
				q->max_preemptions);
		default_compare(keys, q->name, "yieldAfterEvictions",
				json_number(rules, "yieldAfterEvictions"), was->yield_after,
				q->yield_after);
	}
}
