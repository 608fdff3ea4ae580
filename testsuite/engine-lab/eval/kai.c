/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kai.c - answers to KAI-Scheduler's min-runtime rows
 *
 * Each row has a tree of queues of its own, in which a queue need not be a leaf
 * and a parent need not exist. So the rows call the functions that the engine
 * itself calls, and not an engine.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "eval/answer.h"
#include "holding/holding.h"
#include "quota/minruntime.h"

static const struct word methods[] = {
	{ "lca", RESOLVE_LCA },
	{ "queue", RESOLVE_QUEUE },
	{ NULL, 0 }
};

enum action { ACTION_PREEMPT, ACTION_RECLAIM };

static const struct word actions[] = {
	{ "preempt", ACTION_PREEMPT },
	{ "reclaim", ACTION_RECLAIM },
	{ NULL, 0 }
};

static void put(struct json_object *o, const char *key, struct json_object *v)
{
	json_object_object_add(o, key, v);
}

static void put_bool(struct json_object *o, const char *key, bool value)
{
	put(o, key, json_object_new_boolean(value));
}

static struct json_object *seconds_json(int64_t ns)
{
	return json_object_new_int64(ns / SPEC_SEC);
}

/* ---- the row's tree: any queue may hold jobs ---- */

struct row {
	struct minruntime_node *nodes;
	const char **names;
	struct json_object *index;	/* name -> index */
	size_t n;
	int64_t preempt, reclaim;	/* defaults */
	int64_t now;
};

/* A queue outside the registry can be a preemptor or a victim, but is the
 * parent of no queue; a parent that is not in the registry is none. */
static void tree_link(struct row *row, const struct at *list)
{
	for (size_t i = 0; i < row->n; i++) {
		struct at item = at_item(list, i);
		const char *name = at_string(&item, "parent");
		int parent = name && *name ? at_index(row->index, name) : -1;

		row->nodes[i].parent = SPEC_NONE;
		if (parent < 0)
			continue;
		item = at_item(list, (size_t) parent);
		if (at_bool(&item, "in_registry", true))
			row->nodes[i].parent = parent;
	}
}

static void tree_check(const struct row *row, const struct at *list)
{
	for (size_t i = 0; i < row->n; i++) {
		size_t steps = 0;
		int n = (int) i;

		while (n != SPEC_NONE && steps++ <= row->n)
			n = row->nodes[n].parent;
		if (n != SPEC_NONE)
			at_fail(list, NULL, "\"%s\" is its own ancestor", row->names[i]);
	}
}

static void tree_read(struct row *row, const struct at *list)
{
	row->nodes = calloc(list->n + 1, sizeof(*row->nodes));
	row->names = calloc(list->n + 1, sizeof(*row->names));
	row->index = json_object_new_object();
	if (!row->nodes || !row->names || !row->index)
		at_fail(list, NULL, "%s", strerror(ENOMEM));
	for (size_t i = 0; i < list->n && !at_failed(list); i++) {
		struct at item = at_item(list, i);

		row->names[i] = at_name(&item, "name");
		row->nodes[i].preempt = at_seconds(&item, "preempt_min_runtime_s", SPEC_NO_TIME);
		row->nodes[i].reclaim = at_seconds(&item, "reclaim_min_runtime_s", SPEC_NO_TIME);
		at_index_add(row->index, row->names[i], i, &item);
	}
	row->n = list->n;
	if (!at_failed(list))
		tree_link(row, list);
	if (!at_failed(list))
		tree_check(row, list);
	if (!at_failed(list))
		minruntime_inherit(row->nodes, row->n, row->preempt, row->reclaim);
}

/* A queue by its name, which may be null: SPEC_NONE */
static int queue_find(const struct row *row, const struct at *at, const char *key)
{
	const char *name = at_string(at, key);
	int index = name ? at_index(row->index, name) : SPEC_NONE;

	if (name && index < 0)
		at_fail(at, key, "there is no \"%s\"", name);
	return index;
}

/* ---- victims ---- */

struct victim_row {
	int64_t start;			/* SPEC_NO_TIME: it has never started */
	bool elastic;			/* a part has more pods than it needs */
	bool can_lose;			/* each part loses no more than it can */
};

/* A part is an elastic group of the engine's. It loses its pods one after the
 * other, as a search takes them. */
static bool part_can_lose(int64_t min_available, int64_t active, int64_t evicted)
{
	struct queue queue = { .nspare = 0 };
	struct elastic group = {
		.q = &queue, .min_available = min_available, .active = active,
	};
	struct holding pod = { .elastic = &group };

	for (int64_t i = 0; i < evicted; i++) {
		if (!elastic_has_spare(&pod))
			return false;
		elastic_count(&pod, -1);
	}
	return true;
}

static struct victim_row victim_read(const struct at *at)
{
	struct victim_row v = {
		.start = at_millis(at, "start_ms", SPEC_NO_TIME), .can_lose = true,
	};
	struct at groups = at_member(at, "subgroups");
	struct at evict = at_member(at, "evict");

	if (!groups.json)
		return v;
	json_object_object_foreach(groups.json, name, unused) {
		struct at group = at_member(&groups, name);
		int64_t min = at_int(&group, "min_available", 0, 0);
		int64_t active = at_int(&group, "active_used", 0, 0);

		(void) unused;
		v.elastic |= min < at_int(&group, "pods_total", 0, 0);
		v.can_lose &= part_can_lose(min, active, at_int(&evict, name, 0, 0));
	}
	return v;
}

/* A victim that never started is never protected. */
static bool is_protected(const struct victim_row *v, int64_t duration, int64_t now)
{
	return v->start != SPEC_NO_TIME && now < sat_add(v->start, duration);
}

/* May it be a victim at all? Elastic ones always. */
static bool is_eligible(const struct victim_row *v, bool protected)
{
	return !protected || v->elastic;
}

/* May it lose the parts that it would lose? Only elastic ones are looked at:
 * the others are judged by eligibility. */
static bool is_valid(const struct victim_row *v, bool protected)
{
	return !protected || !v->elastic || v->can_lose;
}

/* ---- durations ---- */

/* KAI's resolver has no answer without these queues; its caller then takes the
 * default. */
static bool resolve_fails(enum action action, int preemptor, int victim)
{
	return victim == SPEC_NONE || (action == ACTION_RECLAIM && preemptor == SPEC_NONE);
}

static int64_t resolve(const struct row *row, enum action action, enum resolve_method method,
		       int preemptor, int victim)
{
	if (resolve_fails(action, preemptor, victim))
		return action == ACTION_PREEMPT ? row->preempt : row->reclaim;
	return action == ACTION_PREEMPT ? row->nodes[victim].preempt
	       : minruntime_reclaim(row->nodes, preemptor, victim, method);
}

/* How long the job of `at`'s queue is protected, in a row that states one action */
static int64_t row_duration(const struct row *row, const struct at *root, const struct at *at,
			    const char *queue, bool *fails)
{
	enum action action = at_word(root, "action", actions, ACTION_PREEMPT);
	enum resolve_method method = at_word(root, "method", methods, RESOLVE_LCA);
	int preemptor = queue_find(row, root, "preemptor_queue");
	int victim = queue_find(row, at, queue);

	*fails = resolve_fails(action, preemptor, victim);
	return at_failed(root) ? 0 : resolve(row, action, method, preemptor, victim);
}

/* Rows with a tree expect the duration to be resolved and to be in the answer;
 * the "raw" ones give the duration themselves. */
static int64_t victim_duration(const struct row *row, const struct at *root,
			       const struct at *at, const char *queue)
{
	int64_t given = at_seconds(at, "resolved_duration_s", SPEC_NO_TIME);
	bool fails;

	return given != SPEC_NO_TIME ? given : row_duration(row, root, at, queue, &fails);
}

/* ---- rows by kind: each fills the answer ---- */

static void row_min_runtime(const struct row *row, const struct at *root, struct json_object *o)
{
	static const struct {
		const char *name;
		enum action action;
		enum resolve_method method;
	} ways[] = {
		{ "preempt", ACTION_PREEMPT, RESOLVE_LCA },
		{ "reclaim_lca", ACTION_RECLAIM, RESOLVE_LCA },
		{ "reclaim_queue", ACTION_RECLAIM, RESOLVE_QUEUE },
	};
	struct at at = at_member(root, "victim");
	struct victim_row v = victim_read(&at);
	int preemptor = queue_find(row, root, "preemptor_queue");
	int victim = queue_find(row, root, "preemptee_queue");

	for (size_t i = 0; i < 3 && !at_failed(root); i++) {
		struct json_object *way = json_object_new_object();
		int64_t duration =
			resolve(row, ways[i].action, ways[i].method, preemptor, victim);
		bool protected = is_protected(&v, duration, row->now);
		bool eligible = is_eligible(&v, protected);
		bool valid = is_valid(&v, protected);

		put(way, "duration_s", seconds_json(duration));
		put_bool(way, "error", resolve_fails(ways[i].action, preemptor, victim));
		put_bool(way, "protected", protected);
		put_bool(way, "filter_eligible", eligible);
		put_bool(way, "scenario_valid", valid);
		put_bool(way, "evictable", eligible && valid);
		put(o, ways[i].name, way);
	}
	put_bool(o, "elastic", v.elastic);
}

static void row_resolve(const struct row *row, const struct at *root, struct json_object *o)
{
	bool fails;
	int64_t duration = row_duration(row, root, root, "preemptee_queue", &fails);

	put(o, "duration_s", seconds_json(duration));
	put_bool(o, "error", fails);
}

static void row_path(const struct row *row, const struct at *root, struct json_object *o)
{
	struct json_object *path = json_object_new_array();
	int queue = queue_find(row, root, "queue"), up;
	size_t n = 0;

	for (up = queue; up >= 0; up = row->nodes[up].parent)
		n++;
	for (up = queue; up >= 0; up = row->nodes[up].parent)
		json_object_array_put_idx(path, --n, json_object_new_string(row->names[up]));
	put(o, "path", path);
}

static void row_filter(const struct row *row, const struct at *root, struct json_object *o)
{
	int64_t duration = victim_duration(row, root, root, "preemptee_queue");
	struct at at = at_member(root, "victim");
	struct victim_row v = victim_read(&at);

	put_bool(o, "eligible", is_eligible(&v, is_protected(&v, duration, row->now)));
	if (row->n)
		put(o, "resolved_duration_s", seconds_json(duration));
}

static void row_evictions(const struct row *row, const struct at *root, struct json_object *o)
{
	struct at list = at_list(root, "victims");
	struct json_object *durations = json_object_new_array();
	struct json_object *protections = json_object_new_array();
	bool valid = true;

	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at at = at_item(&list, i);
		int64_t duration = victim_duration(row, root, &at, "queue");
		struct victim_row v = victim_read(&at);
		bool protected = is_protected(&v, duration, row->now);

		valid = valid && is_valid(&v, protected);
		json_object_array_add(durations, seconds_json(duration));
		json_object_array_add(protections, json_object_new_boolean(protected));
	}
	put_bool(o, "valid", valid);
	put(o, "resolved_duration_s", durations);
	put(o, "protected", protections);
	if (!row->n) {
		json_object_object_del(o, "resolved_duration_s");
		json_object_object_del(o, "protected");
	}
}

static const struct {
	const char *kind;
	void (*fill)(const struct row *row, const struct at *root, struct json_object *o);
} kinds[] = {
	{ "min-runtime", row_min_runtime },
	{ "resolve", row_resolve },
	{ "path", row_path },
	{ "filter", row_filter },
	{ "filter_raw", row_filter },
	{ "scenario", row_evictions },
	{ "scenario_raw", row_evictions },
};

struct json_object *answer_kai(const char *kind, const struct at *root)
{
	struct at list = at_list(root, "tree");
	struct at defaults = at_member(root, "defaults");
	struct json_object *o = json_object_new_object();
	struct row row = {
		.now = at_millis(root, "now_ms", 0),
		.preempt = at_seconds(&defaults, "preempt_s", 0),
		.reclaim = at_seconds(&defaults, "reclaim_s", 0),
	};

	tree_read(&row, &list);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!at_failed(root) && !strcmp(kinds[i].kind, kind))
			kinds[i].fill(&row, root, o);
	}
	free(row.nodes);
	free(row.names);
	json_object_put(row.index);
	return o;
}
