/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kai_answer.c - answers to KAI-Scheduler's min-runtime rows
 *
 * Each row has a tree of queues of its own, in which a queue need not be a leaf
 * and a parent need not exist. So the rows call the functions that the engine
 * itself calls, and not an engine.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "eval/answer.h"
#include "eval/kai_rows.h"

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

static int64_t row_resolve(const struct kai_tree *t, enum action action,
			    enum resolve_method method, int preemptor,
			    int victim)
{
	if (action == ACTION_PREEMPT)
		return minruntime_preempt(t->nodes, victim, t->preempt);
	return minruntime_reclaim(t->nodes, preemptor, victim, method,
				  t->reclaim);
}

/* KAI's resolver has no answer without these queues; its caller then takes the
 * default. */
static bool resolve_fails(enum action action, int preemptor, int victim)
{
	return victim == SPEC_NONE ||
	       (action == ACTION_RECLAIM && preemptor == SPEC_NONE);
}

static struct json_object *seconds_json(int64_t ns)
{
	return json_object_new_int64(ns / SPEC_SEC);
}

static struct json_object *min_runtime_json(const struct kai_tree *t,
					    const struct kai_victim *v,
					    enum action action,
					    enum resolve_method method,
					    const int queues[2], int64_t now)
{
	struct json_object *o = json_object_new_object();
	int64_t duration = row_resolve(t, action, method, queues[0], queues[1]);
	bool protected = kai_victim_protected(v, duration, now);
	bool eligible = kai_victim_eligible(v, protected);
	bool valid = kai_victim_valid(v, protected);

	put(o, "duration_s", seconds_json(duration));
	put_bool(o, "error", resolve_fails(action, queues[0], queues[1]));
	put_bool(o, "protected", protected);
	put_bool(o, "filter_eligible", eligible);
	put_bool(o, "scenario_valid", valid);
	put_bool(o, "evictable", eligible && valid);
	return o;
}

struct json_object *answer_min_runtime(const struct at *root)
{
	int64_t now = at_millis(root, "now_ms", 0);
	struct at at = at_member(root, "victim");
	struct json_object *o = NULL;
	struct kai_victim v;
	struct kai_tree t;
	int queues[2];

	kai_tree_read(&t, root);
	kai_victim_read(&v, &at);
	queues[0] = kai_tree_find(&t, root, "preemptor_queue");
	queues[1] = kai_tree_find(&t, root, "preemptee_queue");
	if (!at_failed(root)) {
		o = json_object_new_object();
		put(o, "preempt", min_runtime_json(&t, &v, ACTION_PREEMPT,
						   RESOLVE_LCA, queues, now));
		put(o, "reclaim_lca", min_runtime_json(&t, &v, ACTION_RECLAIM,
						       RESOLVE_LCA, queues,
						       now));
		put(o, "reclaim_queue", min_runtime_json(&t, &v, ACTION_RECLAIM,
							 RESOLVE_QUEUE, queues,
							 now));
		put_bool(o, "elastic", kai_victim_is_elastic(&v));
	}
	free(v.parts);
	kai_tree_free(&t);
	return o;
}

/* How long the job of `victim_queue` is protected, in a row that states one
 * action */
static int64_t row_duration(const struct kai_tree *t, const struct at *root,
			    const struct at *at, const char *victim_queue,
			    bool *fails)
{
	enum action action = at_word(root, "action", actions, ACTION_PREEMPT);
	enum resolve_method method = at_word(root, "method", methods,
					     RESOLVE_LCA);
	int preemptor = kai_tree_find(t, root, "preemptor_queue");
	int victim = kai_tree_find(t, at, victim_queue);

	*fails = resolve_fails(action, preemptor, victim);
	return at_failed(root) ? 0 : row_resolve(t, action, method, preemptor,
						  victim);
}

struct json_object *answer_resolve(const struct at *root)
{
	struct json_object *o = NULL;
	struct kai_tree t;
	int64_t duration;
	bool fails;

	kai_tree_read(&t, root);
	duration = row_duration(&t, root, root, "preemptee_queue", &fails);
	if (!at_failed(root)) {
		o = json_object_new_object();
		put(o, "duration_s", seconds_json(duration));
		put_bool(o, "error", fails);
	}
	kai_tree_free(&t);
	return o;
}

struct json_object *answer_path(const struct at *root)
{
	struct json_object *o = NULL, *list;
	struct kai_tree t;
	int queue;
	size_t n = 0;

	kai_tree_read(&t, root);
	queue = kai_tree_find(&t, root, "queue");
	if (!at_failed(root)) {
		list = json_object_new_array();
		for (int q = queue; q != SPEC_NONE; q = t.nodes[q].parent)
			n++;
		for (; queue != SPEC_NONE; queue = t.nodes[queue].parent)
			json_object_array_put_idx(list, --n,
				json_object_new_string(t.names[queue]));
		o = json_object_new_object();
		put(o, "path", list);
	}
	kai_tree_free(&t);
	return o;
}

/* Rows with a tree expect the duration to be resolved and to be in the answer;
 * the "raw" ones give the duration themselves. */
static int64_t victim_duration(const struct kai_tree *t, const struct at *root,
			       const struct at *at, const char *queue)
{
	int64_t given = at_seconds(at, "resolved_duration_s", SPEC_NO_TIME);
	bool fails;

	if (given != SPEC_NO_TIME)
		return given;
	return row_duration(t, root, at, queue, &fails);
}

struct json_object *answer_filter(const struct at *root)
{
	int64_t now = at_millis(root, "now_ms", 0);
	struct at at = at_member(root, "victim");
	struct json_object *o = NULL;
	struct kai_victim v;
	struct kai_tree t;
	int64_t duration;

	kai_tree_read(&t, root);
	kai_victim_read(&v, &at);
	duration = victim_duration(&t, root, root, "preemptee_queue");
	if (!at_failed(root)) {
		bool protected = kai_victim_protected(&v, duration, now);

		o = json_object_new_object();
		put_bool(o, "eligible", kai_victim_eligible(&v, protected));
		if (t.n)
			put(o, "resolved_duration_s", seconds_json(duration));
	}
	free(v.parts);
	kai_tree_free(&t);
	return o;
}

struct json_object *answer_evictions(const struct at *root)
{
	int64_t now = at_millis(root, "now_ms", 0);
	struct at list = at_list(root, "victims");
	struct json_object *o = json_object_new_object();
	struct json_object *durations = json_object_new_array();
	struct json_object *protections = json_object_new_array();
	struct kai_tree t;
	bool valid = true;

	kai_tree_read(&t, root);
	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at at = at_item(&list, i);
		int64_t duration = victim_duration(&t, root, &at, "queue");
		struct kai_victim v;
		bool protected;

		kai_victim_read(&v, &at);
		protected = kai_victim_protected(&v, duration, now);
		valid = valid && kai_victim_valid(&v, protected);
		json_object_array_add(durations, seconds_json(duration));
		json_object_array_add(protections,
				      json_object_new_boolean(protected));
		free(v.parts);
	}
	put_bool(o, "valid", valid);
	if (t.n) {
		put(o, "resolved_duration_s", durations);
		put(o, "protected", protections);
	} else {
		json_object_put(durations);
		json_object_put(protections);
	}
	kai_tree_free(&t);
	return o;
}

/* KAI's durations: "5w4d12h", "1.5s"; 0 for no duration or a negative one */
static double kai_duration(const char *s)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "w", 604800 }, { "d", 86400 }, { "h", 3600 }, { "ms", 1e-3 },
		{ "us", 1e-6 }, { "ns", 1e-9 }, { "m", 60 }, { "s", 1 },
	};
	const size_t nunits = sizeof(units) / sizeof(units[0]);
	double sum = 0;

	while (*s) {
		char *end;
		double value;
		size_t i = 0;

		if (!isdigit((unsigned char) *s))
			return 0;
		value = strtod(s, &end);
		while (i < nunits && strncmp(end, units[i].name,
					     strlen(units[i].name)))
			i++;
		if (i == nunits)
			return 0;
		sum += value * units[i].seconds;
		s = end + strlen(units[i].name);
	}
	return sum;
}

struct json_object *answer_duration(const struct at *root)
{
	double seconds = kai_duration(at_name(root, "text"));
	struct json_object *o;

	if (at_failed(root))
		return NULL;
	o = json_object_new_object();
	if (seconds > 0)
		put_bool(o, "nonzero", true);
	else
		put(o, "seconds", json_object_new_int(0));
	return o;
}
