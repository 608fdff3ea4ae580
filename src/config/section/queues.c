/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queues.c - cluster queues: what a job charges
 *
 * What its jobs may evict comes from KEP-83, KEP-1337 and KEP-8522. Which jobs
 * enter it is in jobs.c, its quota in quotas.c.
 */
#include <stdlib.h>

#include "section/sections.h"
#include "value/times.h"

#define EVICTIONS_MAX 1000000

#define QUEUE(member) IN(spec_queue, member)
#define GIVEN(member) .given = offsetof(struct spec_queue, member)

/* ---- flavorFungibility ---- */

/* Borrow and Preempt are Kueue's former words for MayStopSearch. */
static const struct key fungibility_keys[] = {
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
		{ "PreemptionOverBorrowing", PREFER_PREEMPTION }) },
	NO_KEY
};

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

static const struct key preemption_keys[] = {
	{ "withinClusterQueue", value_word, QUEUE(within),
	  WORDS({ "Never", POLICY_NEVER },
		{ "LowerPriority", POLICY_LOWER_PRIORITY },
		{ "LowerOrNewerEqualPriority", POLICY_LOWER_OR_NEWER_EQUAL }) },
	{ "withinClusterQueueConfig", map_read, KEYS(
		{ "minAdmitDuration", value_time, QUEUE(min_admit),
		  .min = 60 * SPEC_SEC,
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
		  PRIORITY_RANGE, GIVEN(threshold_set) }) },
	NO_KEY
};

/* A turn ends only in favor of equals: KEP-8522. */
static int min_admit_check(struct value *v, const struct spec_queue *queue)
{
	struct node *n = node_find(node_find(v->n, "withinClusterQueueConfig"),
				   "minAdmitDuration");

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
	if (!node_is_good(node_find(v->n, "reclaimWithinCohort")) ||
	    queue->reclaim != POLICY_NEVER)
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
	{ "flavorFungibility", fungibility_read, .keys = fungibility_keys },
	{ "preemption", preemption_read, .keys = preemption_keys },
	{ "preemptMinRuntime", value_time, QUEUE(preempt_min_runtime) },
	{ "reclaimMinRuntime", value_time, QUEUE(reclaim_min_runtime) },
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

	r->queue = &r->conf->queues[index];
	r->queue->line = v->n->line;
	r->has_parent = node_find(v->n, "cohort") != NULL;
	return keys_read(r, v->n, &r->conf->spec->queues[index], queue_keys);
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
