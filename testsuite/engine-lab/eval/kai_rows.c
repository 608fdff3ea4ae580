/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kai_rows.c - trees of queues and victims as KAI-Scheduler's rows have them
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "eval/kai_rows.h"

void kai_tree_free(struct kai_tree *t)
{
	free(t->nodes);
	free(t->names);
	json_object_put(t->index);
}

/* A queue outside the registry can be a preemptor or a victim, but is the
 * parent of no queue; a parent that is not in the registry is none. */
static void tree_link(struct kai_tree *t, const struct at *list)
{
	for (size_t i = 0; i < t->n; i++) {
		struct at item = at_item(list, i);
		const char *name = at_string(&item, "parent");
		int parent = name && *name ? at_index(t->index, name) : -1;

		t->nodes[i].parent = SPEC_NONE;
		if (parent < 0)
			continue;
		item = at_item(list, (size_t) parent);
		if (at_bool(&item, "in_registry", true))
			t->nodes[i].parent = parent;
	}
}

static void tree_check(const struct kai_tree *t, const struct at *list)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t steps = 0;

		for (int n = (int) i; n != SPEC_NONE; n = t->nodes[n].parent) {
			if (steps++ <= t->n)
				continue;
			at_fail(list, NULL, "\"%s\" is its own ancestor",
				t->names[i]);
			return;
		}
	}
}

static void tree_nodes(struct kai_tree *t, const struct at *list)
{
	for (size_t i = 0; i < list->n && !at_failed(list); i++) {
		struct at item = at_item(list, i);

		t->names[i] = at_name(&item, "name");
		t->nodes[i].preempt = at_seconds(&item, "preempt_min_runtime_s",
						 SPEC_NO_TIME);
		t->nodes[i].reclaim = at_seconds(&item, "reclaim_min_runtime_s",
						 SPEC_NO_TIME);
		at_index_add(t->index, t->names[i], i, &item);
	}
	t->n = list->n;
}

void kai_tree_read(struct kai_tree *t, const struct at *root)
{
	struct at list = at_list(root, "tree");
	struct at defaults = at_member(root, "defaults");

	*t = (struct kai_tree) {
		.nodes = calloc(list.n + 1, sizeof(*t->nodes)),
		.names = calloc(list.n + 1, sizeof(*t->names)),
		.index = json_object_new_object(),
		.preempt = at_seconds(&defaults, "preempt_s", 0),
		.reclaim = at_seconds(&defaults, "reclaim_s", 0),
	};
	if (!t->nodes || !t->names || !t->index) {
		at_fail(root, NULL, "%s", strerror(ENOMEM));
		return;
	}
	tree_nodes(t, &list);
	if (at_failed(root))
		return;
	tree_link(t, &list);
	tree_check(t, &list);
}

int kai_tree_find(const struct kai_tree *t, const struct at *at,
		     const char *key)
{
	const char *name = at_string(at, key);
	int index = name ? at_index(t->index, name) : SPEC_NONE;

	if (name && index < 0)
		at_fail(at, key, "there is no \"%s\"", name);
	return index;
}

static void victim_parts(struct kai_victim *v, const struct at *at)
{
	struct at groups = at_member(at, "subgroups");
	struct at evict = at_member(at, "evict");
	size_t n = groups.json ? json_object_object_length(groups.json) : 0;

	v->parts = calloc(n + 1, sizeof(*v->parts));
	if (!v->parts)
		at_fail(at, NULL, "%s", strerror(ENOMEM));
	if (!v->parts || !groups.json)
		return;
	json_object_object_foreach(groups.json, name, unused) {
		struct at group = at_member(&groups, name);

		(void) unused;
		v->parts[v->nparts++] = (struct kai_part) {
			.group.min_available =
				at_int(&group, "min_available", 0, 0),
			.total = at_int(&group, "pods_total", 0, 0),
			.group.active = at_int(&group, "active_used", 0, 0),
			.evicted = at_int(&evict, name, 0, 0),
		};
	}
}

void kai_victim_read(struct kai_victim *v, const struct at *at)
{
	*v = (struct kai_victim) { 0 };
	v->start = at_millis(at, "start_ms", SPEC_NO_TIME);
	v->started = v->start != SPEC_NO_TIME;
	victim_parts(v, at);
}

bool kai_victim_protected(const struct kai_victim *v, int64_t duration,
			     int64_t now)
{
	return v->started && now < minruntime_until(v->start, duration);
}

bool kai_victim_is_elastic(const struct kai_victim *v)
{
	for (size_t i = 0; i < v->nparts; i++) {
		if (v->parts[i].group.min_available < v->parts[i].total)
			return true;
	}
	return false;
}

bool kai_victim_eligible(const struct kai_victim *v, bool protected)
{
	return !protected || kai_victim_is_elastic(v);
}

/* One pod after the other, as a search takes them */
static bool part_can_lose(const struct kai_part *part)
{
	struct queue queue = { .nspare = 0 };
	struct elastic group = part->group;
	struct holding pod = { .elastic = &group };

	group.q = &queue;
	for (int64_t i = 0; i < part->evicted; i++) {
		if (!elastic_has_spare(&pod))
			return false;
		elastic_take(&pod);
	}
	return true;
}

bool kai_victim_valid(const struct kai_victim *v, bool protected)
{
	if (!protected || !kai_victim_is_elastic(v))
		return true;
	for (size_t i = 0; i < v->nparts; i++) {
		if (!part_can_lose(&v->parts[i]))
			return false;
	}
	return true;
}
