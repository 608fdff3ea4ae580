/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * published_world.c - a world of the engine as the plugin would publish it
 */
#include <stdio.h>

#include "input/json_members.h"
#include "drawn_world.h"
#include "query.h"

static struct json_object *pair_json(struct world *w, int64_t at, bool is_cohort,
				     int node, int flavor, int resource)
{
	struct json_object *o = json_object_new_object();
	struct reclaim r = { 0 };
	struct ledger l;

	assert_int_equal(engine_ledger(w->engine, is_cohort, node, flavor, resource, &l), 0);
	if (!is_cohort)
		(void) engine_reclaimable(w->engine, at, node, flavor, resource, &r);
	json_add_text(o, "flavor", w->spec->flavors[flavor]);
	json_add_text(o, "resource", w->spec->resources[resource]);
	json_add_number(o, "nominal", l.nominal);
	if (l.lending_limit != SPEC_NO_LIMIT)
		json_add_number(o, "lendingLimit", l.lending_limit);
	json_add_number(o, "used", l.used);
	json_add_number(o, "borrowed", l.borrowed);
	json_add_number(o, "lent", l.lent);
	json_add_number(o, "free", l.available);
	json_add_number(o, "potential", l.potential);
	json_add_number(o, "subtree", l.subtree);
	json_add_number(o, "reclaimable", r.now);
	return o;
}

static void node_add(struct world *w, struct json_object *o, bool is_cohort, int node)
{
	double share = engine_share(w->engine, is_cohort, node);
	int64_t runtime = engine_branch_runtime(w->engine, is_cohort, node);

	if (share <= 1e300)
		json_object_object_add(o, "share", json_object_new_double(share / 1000));
	if (runtime != SPEC_NO_TIME)
		json_add_number(o, "reclaimMinRuntime", runtime);
}

static struct json_object *cohort_json(struct world *w, int i)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();
	const struct spec_cohort *c = &w->spec->cohorts[i];
	struct ledger l;

	json_add_text(o, "name", c->name);
	json_add_text(o, "parent", c->parent == SPEC_NONE ? NULL
		      : w->spec->cohorts[c->parent].name);
	node_add(w, o, true, i);
	for (int f = 0; f < (int) w->spec->nflavors; f++) {
		for (int r = 0; r < (int) w->spec->nresources; r++) {
			if (!engine_ledger(w->engine, true, i, f, r, &l)
			    && (l.subtree || l.used)) json_object_array_add(list, pair_json(
					w, 0, true, i, f, r));
		}
	}
	json_object_object_add(o, "quota", list);
	return o;
}

static const char *policy_name(enum policy policy)
{
	return policy == POLICY_ANY ? "Any" : policy == POLICY_LOWER_PRIORITY ? "LowerPriority"
	       : policy == POLICY_LOWER_OR_NEWER_EQUAL
	       ? "LowerOrNewerEqualPriority" : "Never";
}

static struct json_object *preemption_json(struct world *w, int i)
{
	struct json_object *o = json_object_new_object();
	const struct spec_queue *q = &w->spec->queues[i];
	int64_t preempt, reclaim;

	engine_min_runtimes(w->engine, i, &preempt, &reclaim);
	json_add_text(o, "withinClusterQueue", policy_name(q->within));
	json_add_text(o, "reclaimWithinCohort", policy_name(q->reclaim));
	json_add_text(o, "borrowWithinCohort", policy_name(q->borrow));
	if (q->threshold_set)
		json_add_number(o, "maxPriorityThreshold", q->threshold);
	json_add_number(o, "preemptMinRuntime", preempt);
	json_add_number(o, "reclaimMinRuntime", reclaim);
	json_add_number(o, "reclaimDelay", q->reclaim_delay);
	json_add_number(o, "maxPreemptions", q->max_preemptions);
	return o;
}

static struct json_object *queue_json(struct world *w, int64_t at, int i)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct json_object *rules = json_object_new_array();
	struct json_object *rule = json_object_new_object();
	const struct spec_queue *q = &w->spec->queues[i];
	const struct spec_group *g = &q->groups[0];

	json_add_text(o, "name", q->name);
	json_add_text(o, "cohort", q->cohort == SPEC_NONE ? NULL
		      : w->spec->cohorts[q->cohort].name);
	json_add_text(o, "stopPolicy", q->stop ? "Hold" : "None");
	json_add_text(rule, "account", q->name);
	json_object_array_add(rules, rule);
	json_object_object_add(o, "match", rules);
	json_object_object_add(o, "preemption", preemption_json(w, i));
	node_add(w, o, false, i);
	for (size_t f = 0; f < g->nflavors; f++) {
		for (size_t r = 0; r < g->nresources; r++)
			json_object_array_add(list, pair_json(
				w, at, false, i, g->flavors[f], g->resources[r]));
	}
	json_object_object_add(o, "quota", list);
	return o;
}

struct json_object *world_publish(struct world *w, int64_t at)
{
	struct json_object *o = json_object_new_object();
	struct json_object *flavors = json_object_new_array();
	struct json_object *cohorts = json_object_new_array();
	struct json_object *queues = json_object_new_array();

	json_add_number(o, "time", at);
	json_add_text(o, "priority", "job");
	json_object_object_add(o, "fairSharing", json_object_new_boolean(w->spec->fair_sharing));
	for (size_t i = 0; i < w->spec->nflavors; i++) {
		struct json_object *flavor = json_object_new_object();
		char nodes[32];

		snprintf(nodes, sizeof(nodes), "%s[1-9]", w->spec->flavors[i]);
		json_add_text(flavor, "name", w->spec->flavors[i]);
		json_add_text(flavor, "nodes", nodes);
		json_object_array_add(flavors, flavor);
	}
	for (int i = 0; i < (int) w->spec->ncohorts; i++)
		json_object_array_add(cohorts, cohort_json(w, i));
	for (int i = 0; i < (int) w->spec->nqueues; i++)
		json_object_array_add(queues, queue_json(w, at, i));
	json_object_object_add(o, "flavors", flavors);
	json_object_object_add(o, "cohorts", cohorts);
	json_object_object_add(o, "clusterQueues", queues);
	return o;
}
