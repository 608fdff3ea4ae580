/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario_spec.c - the declarations of a scenario: flavors, cohorts, queues
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "eval/scenario.h"

/* Hand-written scenarios have "" where an API would have put its default: as a
 * policy it is a value of its own. */
static const struct word policies[] = {
	{ "", POLICY_EMPTY },
	{ "Never", POLICY_NEVER },
	{ "LowerPriority", POLICY_LOWER_PRIORITY },
	{ "LowerOrNewerEqualPriority", POLICY_LOWER_OR_NEWER_EQUAL },
	{ "Any", POLICY_ANY },
	{ NULL, 0 }
};

static const struct word borrow_policies[] = {
	{ "", POLICY_EMPTY },
	{ "Never", POLICY_NEVER },
	{ "LowerPriority", POLICY_LOWER_PRIORITY },
	{ NULL, 0 }
};

static const struct word strategies[] = {
	{ "", STRATEGY_BEST_EFFORT_FIFO },
	{ "BestEffortFIFO", STRATEGY_BEST_EFFORT_FIFO },
	{ "StrictFIFO", STRATEGY_STRICT_FIFO },
	{ NULL, 0 }
};

static const struct word stop_policies[] = {
	{ "", STOP_NONE },
	{ "None", STOP_NONE },
	{ "Hold", STOP_HOLD },
	{ "HoldAndDrain", STOP_HOLD_AND_DRAIN },
	{ NULL, 0 }
};

static const struct word fungibilities[] = {
	{ "", FUNGIBILITY_MAY_STOP },
	{ "MayStopSearch", FUNGIBILITY_MAY_STOP },
	{ "TryNextFlavor", FUNGIBILITY_TRY_NEXT },
	{ NULL, 0 }
};

static const struct word preferences[] = {
	{ "", PREFER_BORROWING },
	{ "BorrowingOverPreemption", PREFER_BORROWING },
	{ "PreemptionOverBorrowing", PREFER_PREEMPTION },
	{ NULL, 0 }
};

static const struct word fair_strategies[] = {
	{ "LessThanOrEqualToFinalShare", FAIR_LESS_OR_EQUAL_FINAL },
	{ "LessThanInitialShare", FAIR_LESS_INITIAL },
	{ NULL, 0 }
};

static const struct word cap_scopes[] = {
	{ "", CAP_QUEUE },
	{ "ClusterQueue", CAP_QUEUE },
	{ "Cohort", CAP_COHORT },
	{ NULL, 0 }
};

static const struct word admission_modes[] = {
	{ "NoAdmissionFairSharing", false },
	{ "UsageBasedAdmissionFairSharing", true },
	{ NULL, 0 }
};

/* struct spec.kueue_rules */
static const struct word rules[] = {
	{ "slurm-cohort", false },
	{ "kueue", true },
	{ NULL, 0 }
};

static const struct word resolve_methods[] = {
	{ "lca", RESOLVE_LCA },
	{ "queue", RESOLVE_QUEUE },
	{ NULL, 0 }
};

static void fail_errno(const struct at *at)
{
	at_fail(at, NULL, "%s", strerror(errno));
}

static void read_quotas(struct spec *spec, const struct at *at, struct spec_quota **quotas,
			size_t *n)
{
	struct at list = at_list(at, "quotas");

	for (size_t i = 0; i < list.n && !at_failed(at); i++) {
		struct at item = at_item(&list, i);
		int flavor = spec_flavor(spec, at_name(&item, "flavor"));
		int resource = spec_resource(spec, at_name(&item, "resource"));
		struct spec_quota *q;

		q = spec_add_quota(quotas, n, flavor, resource, at_int(&item, "nominal", 0, 0));
		if (flavor < 0 || resource < 0 || !q) {
			fail_errno(&item);
			return;
		}
		q->borrowing_limit = at_int(&item, "borrowingLimit", SPEC_NO_LIMIT, 0);
		q->lending_limit = at_int(&item, "lendingLimit", SPEC_NO_LIMIT, 0);
	}
}

/* Index of a cohort. A cohort that is only named exists, without quota. */
static int cohort_named(struct scenario *s, const struct at *at, const char *key)
{
	const char *name = at_string(at, key);
	int index;

	if (!name || !*name)
		return SPEC_NONE;
	index = at_index(s->cohorts, name);
	if (index >= 0)
		return index;
	index = (int) s->spec->ncohorts;
	if (!spec_add_cohort(s->spec, name)) {
		fail_errno(at);
		return SPEC_NONE;
	}
	at_index_add(s->cohorts, name, (size_t) index, at);
	return index;
}

static void read_cohort(struct scenario *s, const struct at *at, size_t i)
{
	struct spec_cohort *c;
	int parent = cohort_named(s, at, "parent");

	c = &s->spec->cohorts[i];
	c->parent = parent;
	c->weight = at_weight(at, "weight", 1);
	c->preempt_min_runtime = at_seconds(at, "preemptMinRuntime", SPEC_NO_TIME);
	c->reclaim_min_runtime = at_seconds(at, "reclaimMinRuntime", SPEC_NO_TIME);
	read_quotas(s->spec, at, &c->quotas, &c->nquotas);
}

static void read_cohorts(struct scenario *s, const struct at *root)
{
	struct at list = at_list(root, "cohorts");

	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at item = at_item(&list, i);
		const char *name = at_string(&item, "name");

		/* "" is a name here, of a cohort that can have no members */
		if (!name)
			at_fail(&item, "name", "is missing");
		else if (!spec_add_cohort(s->spec, name))
			fail_errno(&item);
		else
			at_index_add(s->cohorts, name, i, &item);
	}
	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at item = at_item(&list, i);

		read_cohort(s, &item, i);
	}
}

/* A list of names as indexes; find() adds names that are new. */
static int *read_indexes(struct spec *spec, const struct at *at, const char *key, size_t *n,
			 int (*find)(struct spec *, const char *))
{
	struct at list = at_list(at, key);
	int *indexes = calloc(list.n ? list.n : 1, sizeof(*indexes));

	*n = 0;
	if (!indexes)
		fail_errno(at);
	for (size_t i = 0; indexes && i < list.n && !at_failed(at); i++) {
		struct at item = at_any(&list, i);

		indexes[i] = find(spec, at_text(&item));
		if (indexes[i] < 0)
			fail_errno(&item);
		else
			(*n)++;
	}
	return indexes;
}

static void read_groups(struct spec *spec, const struct at *at, struct spec_queue *q)
{
	struct at list = at_list(at, "resourceGroups");

	q->groups = calloc(list.n ? list.n : 1, sizeof(*q->groups));
	if (!q->groups) {
		fail_errno(at);
		return;
	}
	for (size_t i = 0; i < list.n && !at_failed(at); i++) {
		struct at item = at_item(&list, i);
		struct spec_group *g = &q->groups[q->ngroups++];

		g->resources = read_indexes(spec, &item, "coveredResources", &g->nresources,
					    spec_resource);
		g->flavors = read_indexes(spec, &item, "flavors", &g->nflavors, spec_flavor);
	}
}

static void read_preemption(const struct at *at, struct spec_queue *q)
{
	struct at preemption = at_member(at, "preemption");
	struct at borrow = at_member(&preemption, "borrowWithinCohort");
	struct at within = at_member(&preemption, "withinClusterQueueConfig");

	q->within = at_word(&preemption, "withinClusterQueue", policies, POLICY_NEVER);
	q->reclaim = at_word(&preemption, "reclaimWithinCohort", policies, POLICY_NEVER);
	q->borrow_set = borrow.json != NULL;
	q->borrow = at_word(&borrow, "policy", borrow_policies, POLICY_NEVER);
	q->threshold = at_int(&borrow, "maxPriorityThreshold", INT64_MIN, INT64_MIN);
	q->threshold_set = q->threshold != INT64_MIN;
	q->min_admit = at_seconds(&within, "minAdmitDuration", SPEC_NO_TIME);
}

static void read_nonpreemptible(const struct at *at, struct spec_queue *q)
{
	struct at fixed = at_member(at, "nonPreemptible");

	q->cap_scope = at_word(&fixed, "scope", cap_scopes, CAP_QUEUE);
}

static void read_fungibility(const struct at *at, struct spec_queue *q)
{
	struct at f = at_member(at, "flavorFungibility");

	q->when_can_borrow = at_word(&f, "whenCanBorrow", fungibilities, FUNGIBILITY_MAY_STOP);
	q->when_can_preempt = at_word(&f, "whenCanPreempt", fungibilities, FUNGIBILITY_TRY_NEXT);
	q->preference = at_word(&f, "preference", preferences, PREFER_BORROWING);
}

static void read_queue(struct scenario *s, const struct at *at)
{
	const char *name = at_name(at, "name");
	int cohort = cohort_named(s, at, "cohort");
	struct spec_queue *q = spec_add_queue(s->spec, name);

	if (!q) {
		fail_errno(at);
		return;
	}
	at_index_add(s->queues, name, s->spec->nqueues - 1, at);
	q->cohort = cohort;
	q->strategy = at_word(at, "queueingStrategy", strategies, STRATEGY_BEST_EFFORT_FIFO);
	q->stop = at_word(at, "stopPolicy", stop_policies, STOP_NONE);
	q->inactive = !at_bool(at, "active", true);
	q->by_usage = at_word(at, "admissionMode", admission_modes, false);
	q->weight = at_weight(at, "weight", 1);
	q->preempt_min_runtime = at_seconds(at, "preemptMinRuntime", SPEC_NO_TIME);
	q->reclaim_min_runtime = at_seconds(at, "reclaimMinRuntime", SPEC_NO_TIME);
	/* Kueue has neither: a scenario has to ask for them */
	q->max_preemptions = (int) at_int(at, "maxPreemptions", 0, 0);
	q->yield_after = (int) at_int(at, "yieldAfterEvictions", 0, 0);
	read_groups(s->spec, at, q);
	read_quotas(s->spec, at, &q->quotas, &q->nquotas);
	read_preemption(at, q);
	read_nonpreemptible(at, q);
	read_fungibility(at, q);
}

static void read_fair_sharing(struct spec *spec, const struct at *root)
{
	struct at list = at_list(root, "fairSharingStrategies");

	spec->fair_sharing = at_bool(root, "fairSharing", false);
	spec->strategies[0] = FAIR_LESS_OR_EQUAL_FINAL;
	spec->strategies[1] = FAIR_LESS_INITIAL;
	if (!list.n)
		return;
	spec->strategies[1] = FAIR_NONE;
	if (list.n > 2)
		at_fail(&list, NULL, "more than two");
	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at item = at_any(&list, i);
		const struct word *w = fair_strategies;

		while (w->word && strcmp(w->word, at_text(&item)))
			w++;
		spec->strategies[i] = w->value;
		if (!w->word)
			at_fail(&item, NULL, "\"%s\" is not known", at_text(&item));
	}
}

static void read_site(struct spec *spec, const struct at *root)
{
	struct at defaults = at_member(root, "minRuntimeDefaults");
	struct at features = at_member(root, "features");

	spec->preempt_min_runtime = at_seconds(&defaults, "preempt", 0);
	spec->reclaim_min_runtime = at_seconds(&defaults, "reclaim", 0);
	spec->resolve = at_word(root, "reclaimResolveMethod", resolve_methods, RESOLVE_LCA);
	spec->kueue_rules = at_word(root, "rules", rules,
				    json_object_object_get_ex(root->json, "expected", NULL));
	spec->no_recompute =
		!at_bool(&features, "RecomputeAssignmentUponPreemptionTargetsOverlap", true);
	spec->no_partial = !at_bool(&features, "PartialAdmission", true);
}

static void read_flavors(struct scenario *s, const struct at *root)
{
	struct at list = at_list(root, "flavors");

	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at item = at_item(&list, i);

		if (spec_flavor(s->spec, at_name(&item, "name")) < 0)
			fail_errno(&item);
	}
	s->nflavors = s->spec->nflavors;
}

/* ---- flavors and resources that only workloads name ----
 * The engine's flavors and resources are those of the spec, so a flavor or
 * resource of a workload must be in it even if no queue has quota for it. Whoever
 * reads the workloads says what is wrong with a name. */

static bool name_declare(struct spec *spec, const char *key, struct json_object *v)
{
	const char *name = json_object_get_string(v);

	if (!json_object_is_type(v, json_type_string))
		return true;
	if (!strcmp(key, "flavor"))
		return spec_flavor(spec, name) >= 0;
	return strcmp(key, "resource") || spec_resource(spec, name) >= 0;
}

/* "requests", or the "flavors" of a pod set: the keys are resources */
static bool resources_declare(struct spec *spec, struct json_object *o)
{
	json_object_object_foreach(o, resource, v) {
		if (spec_resource(spec, resource) < 0 || !name_declare(spec, "flavor", v))
			return false;
	}
	return true;
}

static bool names_declare(struct spec *spec, struct json_object *v)
{
	bool done = true;

	if (json_object_is_type(v, json_type_array)) {
		for (size_t i = 0; done && i < json_object_array_length(v); i++)
			done = names_declare(spec, json_object_array_get_idx(v, i));
	}
	if (!json_object_is_type(v, json_type_object))
		return done;
	json_object_object_foreach(v, key, member) {
		bool named = !strcmp(key, "requests") || !strcmp(key, "flavors");

		done = done && name_declare(spec, key, member)
		       && (named && json_object_is_type(member, json_type_object)
			   ? resources_declare(spec, member)
			   : names_declare(spec, member));
	}
	return done;
}

void scenario_read_spec(struct scenario *s, const struct at *root)
{
	static const char *const work[] = { "admitted", "pending", "extraUsage", "request" };
	struct at list;

	s->now = at_seconds(root, "now", SPEC_NO_TIME);
	if (s->now == SPEC_NO_TIME)
		at_fail(root, "now", "is missing");
	read_fair_sharing(s->spec, root);
	read_site(s->spec, root);
	read_flavors(s, root);
	read_cohorts(s, root);
	list = at_list(root, "clusterQueues");
	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at item = at_item(&list, i);

		read_queue(s, &item);
	}
	for (size_t i = 0; i < sizeof(work) / sizeof(work[0]); i++) {
		struct json_object *part = NULL;

		json_object_object_get_ex(root->json, work[i], &part);
		if (!at_failed(root) && !names_declare(s->spec, part))
			fail_errno(root);
	}
	scenario_read_history(s, root);
}
