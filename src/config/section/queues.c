/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queues.c - cluster queues: which jobs enter, and what these may evict
 *
 * What they may evict comes from KEP-83, KEP-1337 and KEP-8522. The quota is in
 * quotas.c.
 */
#include <stdlib.h>

#include "section/sections.h"
#include "value/times.h"

#define EVICTIONS_MAX 1000000
#define TEXT_MAX 127

#define QUEUE(member) IN(spec_queue, member)
#define GIVEN(member) .given = offsetof(struct spec_queue, member)

/* ---- match ---- */

static const struct text_rule pattern = {
	.what = "a shell pattern", .max = TEXT_MAX,
	.empty = "is empty (\"*\" matches any, and so does no key)",
};

#define MATCH(member) IN(conf_match, member), .arg = &pattern

static const struct key rule_keys[] = {
	{ "partition", value_string, MATCH(partition) },
	{ "qos", value_string, MATCH(qos) },
	{ "account", value_string, MATCH(account) },
	{ "user", value_string, MATCH(user) },
	NO_KEY
};

static int rule_read(struct value *v)
{
	struct conf_rules *rules = v->dest;
	struct conf_match *rule = &rules->list[rules->n++];

	rule->line = v->n->line;
	if (keys_read(v->r, v->n, rule, rule_keys) < 0)
		return -1;
	if (!v->n->nitems)
		return value_error(v, "is empty (a rule needs at least one of partition, qos, "
				   "account, user)");
	return 0;
}

/* dest: struct conf_rules */
static int rules_read(struct value *v)
{
	struct conf_rules *rules = v->dest;

	rules->list = calloc(v->n->nitems + 1, sizeof(*rules->list));
	if (!rules->list)
		return report_nomem(v->r->report);
	return list_read(v, "a list of rules like [{partition: gpu}]", rule_read, rules);
}

static int match_read(struct value *v)
{
	return rules_read(&(struct value) { v->r, v->n, &v->r->queue->match, v->key });
}

/* ---- nonPreemptible ---- */

#define NONPREEMPTIBLE(member) IN(conf_nonpreemptible, member)

static const struct key nonpreemptible_keys[] = {
	{ "match", rules_read, NONPREEMPTIBLE(rules) },
	{ "priority", value_integer, NONPREEMPTIBLE(priority), PRIORITY_RANGE,
	  .given = offsetof(struct conf_nonpreemptible, priority_set) },
	{ "byUser", value_word, NONPREEMPTIBLE(by_user) },
	{ "scope", value_word, NONPREEMPTIBLE(scope),
	  WORDS({ "ClusterQueue", CAP_QUEUE }, { "Cohort", CAP_COHORT }) },
	NO_KEY
};

/* Now or for a time */
static bool has_nominal(const struct conf *conf, const struct spec_queue *queue)
{
	for (size_t i = 0; i < queue->nquotas; i++)
		if (queue->quotas[i].nominal > 0)
			return true;
	for (size_t i = 0; i < conf->ntemporaries; i++) {
		const struct conf_temporary *t = &conf->temporaries[i];

		if (!t->is_cohort && &conf->spec->queues[t->node] == queue && t->nominal > 0)
			return true;
	}
	return false;
}

/* Settings that leave the section without any effect, or without any job that could start */
static void nonpreemptible_advise(struct value *v)
{
	const struct conf_nonpreemptible *by = &v->r->queue->nonpreemptible;
	const struct spec_queue *queue = v->dest;
	const struct node *scope = node_find(v->n, "scope");

	if (!by->rules.n && !by->priority_set && !by->by_user)
		node_warning(v->r, v->n, "selects no jobs: it needs match, priority or byUser to "
			     "have any effect");
	if (scope && by->scope == CAP_COHORT && !v->r->has_parent)
		node_warning(v->r, scope, "has no effect without a cohort");
	if (by->scope == CAP_QUEUE && queue->nquotas && !has_nominal(v->r->conf, queue))
		node_warning(v->r, v->n, "no such job can start: nominal quota limits them, and "
			     "the queue has none (scope: Cohort would count the quota of its "
			     "cohorts)");
}

static int nonpreemptible_read(struct value *v)
{
	struct conf_nonpreemptible *by = &v->r->queue->nonpreemptible;
	struct spec_queue *queue = v->dest;
	int rc = keys_read(v->r, v->n, by, nonpreemptible_keys);

	queue->cap_scope = by->scope;
	if (rc == 0)
		nonpreemptible_advise(v);
	return rc;
}

/* ---- localQueues ---- */

static const struct text_rule local_name = {
	.what = "a name", .max = TEXT_MAX,
	.empty = "is empty: it has to be the name of an account (or user, as localQueue says)",
	.without = "*?[",
	.wrong = "is a pattern: a weight is for one account or user, by its name",
};

static const struct key local_keys[] = {
	{ "name", value_string, IN(conf_local, name), .arg = &local_name, .required = true },
	{ "fairSharing", map_read, KEYS(
		{ "weight", value_weight, IN(conf_local, weight) }) },
	NO_KEY
};

static int local_read(struct value *v)
{
	struct conf_queue *queue = v->r->queue;
	struct conf_local *local = &queue->locals[queue->nlocals++];

	local->weight = 1;
	return keys_read(v->r, v->n, local, local_keys);
}

static int locals_add(struct reader *r, const struct node *list)
{
	r->queue->locals = calloc(list->nitems + 1, sizeof(*r->queue->locals));
	return r->queue->locals ? 0 : -1;
}

static int local_queues_read(struct value *v)
{
	return named_list_read(v, "a list of accounts or users like [{name: lab, fairSharing: "
			       "{weight: 2}}]", NULL, locals_add, local_read);
}

/* ---- flavorFungibility ---- */

/* The key whose value, given or by default, is not TryNextFlavor; or NULL */
static const char *search_stops(const struct node *map, const struct spec_queue *queue)
{
	if (queue->when_can_borrow != FUNGIBILITY_TRY_NEXT &&
	    node_is_good(node_find(map, "whenCanBorrow")))
		return "whenCanBorrow";
	if (queue->when_can_preempt != FUNGIBILITY_TRY_NEXT &&
	    node_is_good(node_find(map, "whenCanPreempt")))
		return "whenCanPreempt";
	return NULL;
}

static int fungibility_read(struct value *v)
{
	int rc = map_read(v);
	const char *stops = search_stops(v->n, v->dest);
	struct node *preference = node_find(v->n, "preference");

	if (preference && stops)
		rc = node_error(v->r, preference, "needs TryNextFlavor as whenCanBorrow and "
				"whenCanPreempt (%s is MayStopSearch)", stops);
	return rc;
}

/* ---- preemption ---- */

/* A turn ends only in favor of equals: KEP-8522. */
static int min_admit_check(struct value *v, const struct spec_queue *queue)
{
	struct node *n = node_find(node_find(v->n, "withinClusterQueueConfig"), "minAdmitDuration");

	if (!n || !node_is_good(node_find(v->n, "withinClusterQueue")) ||
	    queue->within == POLICY_LOWER_OR_NEWER_EQUAL)
		return 0;
	return node_error(v->r, n, "needs withinClusterQueue to be LowerOrNewerEqualPriority");
}

static int borrow_check(struct value *v, const struct spec_queue *queue)
{
	struct node *n = node_find(v->n, "borrowWithinCohort");
	const struct node *bound = node_find(n, "maxPriorityThreshold");

	if (!n || !node_is_good(node_find(n, "policy")))
		return 0;
	if (queue->borrow == POLICY_NEVER) {
		if (bound)
			node_warning(v->r, bound, "has no effect unless policy is LowerPriority");
		return 0;
	}
	if (!node_is_good(node_find(v->n, "reclaimWithinCohort")) || queue->reclaim != POLICY_NEVER)
		return 0;
	return node_error(v->r, n, "needs a reclaimWithinCohort other than Never");
}

static int preemption_read(struct value *v)
{
	const struct spec_queue *queue = v->dest;
	int rc = map_read(v);

	if (min_admit_check(v, queue) < 0)
		rc = -1;
	if (borrow_check(v, queue) < 0)
		rc = -1;
	if (queue->reclaim != POLICY_NEVER && !v->r->has_parent)
		node_warning(v->r, node_find(v->n, "reclaimWithinCohort"),
			     "has no effect without a cohort");
	return rc;
}

/* ---- the section ---- */

static const struct key queue_keys[] = {
	{ "name", value_string, .arg = &name_rule, .required = true },
	{ "cohort", value_cohort, QUEUE(cohort) },
	{ "queueingStrategy", value_word, QUEUE(strategy),
	  WORDS({ "BestEffortFIFO", STRATEGY_BEST_EFFORT_FIFO },
		{ "StrictFIFO", STRATEGY_STRICT_FIFO }) },
	{ "stopPolicy", value_word, QUEUE(stop),
	  WORDS({ "None", STOP_NONE }, { "Hold", STOP_HOLD },
		{ "HoldAndDrain", STOP_HOLD_AND_DRAIN }) },
	{ "match", .read = match_read },
	{ "resourceGroups", .read = queue_groups_read },
	/* Borrow and Preempt are Kueue's former words for MayStopSearch. */
	{ "flavorFungibility", fungibility_read, KEYS(
		{ "whenCanBorrow", value_word, QUEUE(when_can_borrow),
		  WORDS({ "MayStopSearch", FUNGIBILITY_MAY_STOP },
			{ "TryNextFlavor", FUNGIBILITY_TRY_NEXT },
			{ "Borrow", FUNGIBILITY_MAY_STOP }) },
		{ "whenCanPreempt", value_word, QUEUE(when_can_preempt),
		  WORDS({ "MayStopSearch", FUNGIBILITY_MAY_STOP },
			{ "TryNextFlavor", FUNGIBILITY_TRY_NEXT },
			{ "Preempt", FUNGIBILITY_MAY_STOP }) },
		{ "preference", value_word, QUEUE(preference),
		  WORDS({ "BorrowingOverPreemption", PREFER_BORROWING },
			{ "PreemptionOverBorrowing", PREFER_PREEMPTION }) }) },
	{ "preemption", preemption_read, KEYS(
		{ "withinClusterQueue", value_word, QUEUE(within),
		  WORDS({ "Never", POLICY_NEVER },
			{ "LowerPriority", POLICY_LOWER_PRIORITY },
			{ "LowerOrNewerEqualPriority", POLICY_LOWER_OR_NEWER_EQUAL }) },
		{ "withinClusterQueueConfig", map_read, KEYS(
			{ "minAdmitDuration", value_time, QUEUE(min_admit), .min = 60 * SPEC_SEC,
			  .max = DURATION_MAX_DAYS * DURATION_DAY }) },
		{ "reclaimWithinCohort", value_word, QUEUE(reclaim),
		  WORDS({ "Never", POLICY_NEVER },
			{ "LowerPriority", POLICY_LOWER_PRIORITY },
			{ "LowerOrNewerEqualPriority", POLICY_LOWER_OR_NEWER_EQUAL },
			{ "Any", POLICY_ANY }) },
		{ "borrowWithinCohort", map_read, GIVEN(borrow_set), KEYS(
			{ "policy", value_word, QUEUE(borrow),
			  WORDS({ "Never", POLICY_NEVER },
				{ "LowerPriority", POLICY_LOWER_PRIORITY }) },
			{ "maxPriorityThreshold", value_integer, QUEUE(threshold),
			  PRIORITY_RANGE, GIVEN(threshold_set) }) }) },
	{ "preemptMinRuntime", value_time, QUEUE(preempt_min_runtime) },
	{ "reclaimMinRuntime", value_time, QUEUE(reclaim_min_runtime) },
	{ "reclaimDelay", value_time, QUEUE(reclaim_delay) },
	{ "reclaimDelayPolicy", value_word, QUEUE(delay_if_expected),
	  WORDS({ "Always", false }, { "Expected", true }) },
	{ "fairSharing", map_read, KEYS(
		{ "weight", value_weight, QUEUE(weight) }) },
	{ "admissionScope", map_read, KEYS(
		{ "admissionMode", value_word, QUEUE(by_usage),
		  WORDS({ "NoAdmissionFairSharing", false },
			{ "UsageBasedAdmissionFairSharing", true }) }) },
	{ "localQueues", .read = local_queues_read, .max = LOCAL_QUEUES_MAX },
	{ "maxPreemptions", value_integer, QUEUE(max_preemptions),
	  .max = EVICTIONS_MAX, .initial = 3 },
	{ "yieldAfterEvictions", value_integer, QUEUE(yield_after),
	  .max = EVICTIONS_MAX, .initial = 1 },
	{ "nonPreemptible", .read = nonpreemptible_read },
	NO_KEY
};

static int queue_read(struct value *v)
{
	struct reader *r = v->r;
	size_t index = v->n->at.index;
	struct spec_queue *queue = &r->conf->spec->queues[index];
	int rc;

	r->queue = &r->conf->queues[index];
	r->queue->line = v->n->line;
	r->has_parent = node_find(v->n, "cohort") != NULL;
	rc = keys_read(r, v->n, queue, queue_keys);
	if (queue->reclaim_delay && queue->reclaim == POLICY_NEVER)
		node_warning(r, node_find(v->n, "reclaimDelay"), "has no effect without a "
			     "reclaimWithinCohort other than Never");
	if (queue->delay_if_expected && !queue->reclaim_delay)
		node_warning(r, node_find(v->n, "reclaimDelayPolicy"),
			     "has no effect without reclaimDelay");
	return rc;
}

static int queues_add(struct reader *r, const struct node *list)
{
	struct conf *conf = r->conf;

	conf->queues = calloc(list->nitems + 1, sizeof(*conf->queues));
	for (size_t i = 0; conf->queues && i < list->nitems; i++) {
		struct spec_queue *queue = spec_add_queue(conf->spec, item_name(list->items[i]));

		if (!queue)
			return -1;
		keys_initial(queue, queue_keys);
	}
	return conf->queues ? 0 : -1;
}

int queues_read(struct value *v)
{
	return named_list_read(v, "a list of cluster queues", NULL, queues_add, queue_read);
}
