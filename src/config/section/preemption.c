/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemption.c - what a cluster queue's jobs may evict (KEP-83, KEP-1337,
 * KEP-8522)
 *
 *	preemption:
 *	  withinClusterQueue: LowerOrNewerEqualPriority
 *	  withinClusterQueueConfig: {minAdmitDuration: 4h}
 *	  reclaimWithinCohort: Any
 *	  borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 100}
 */
#include "section/sections.h"
#include "value/duration.h"
#include "value/scalar.h"

#define MIN_ADMIT_MIN (60 * SPEC_SEC)

static const struct word within_words[] = {
	{ "Never", POLICY_NEVER },
	{ "LowerPriority", POLICY_LOWER_PRIORITY },
	{ "LowerOrNewerEqualPriority", POLICY_LOWER_OR_NEWER_EQUAL },
	{ NULL, 0 }
};

static const struct word reclaim_words[] = {
	{ "Never", POLICY_NEVER },
	{ "LowerPriority", POLICY_LOWER_PRIORITY },
	{ "LowerOrNewerEqualPriority", POLICY_LOWER_OR_NEWER_EQUAL },
	{ "Any", POLICY_ANY },
	{ NULL, 0 }
};

static const struct word borrow_words[] = {
	{ "Never", POLICY_NEVER },
	{ "LowerPriority", POLICY_LOWER_PRIORITY },
	{ NULL, 0 }
};

static const struct range min_admit_range = {
	MIN_ADMIT_MIN, DURATION_MAX_DAYS * DURATION_DAY
};

/* Slurm's priorities are unsigned 32-bit numbers; Kueue's may be negative. */
static const struct range threshold_range = { INT32_MIN, UINT32_MAX };

static const struct field within_fields[] = {
	{ .key = "minAdmitDuration", .read = value_time,
	  .arg = &min_admit_range,
	  .offset = offsetof(struct spec_queue, min_admit) },
	{ .key = NULL }
};

static int threshold_read(struct reader *r, const struct place *at,
			  struct node *n, void *dest, const void *arg)
{
	struct spec_queue *queue = dest;

	queue->threshold_set = true;
	return value_integer(r, at, n, &queue->threshold, arg);
}

static const struct field borrow_fields[] = {
	{ .key = "policy", .read = value_word, .arg = borrow_words,
	  .offset = offsetof(struct spec_queue, borrow) },
	{ .key = "maxPriorityThreshold", .read = threshold_read,
	  .arg = &threshold_range },
	{ .key = NULL }
};

static int borrow_read(struct reader *r, const struct place *at,
		       struct node *map, void *dest, const void *arg)
{
	struct spec_queue *queue = dest;

	queue->borrow_set = true;
	return map_read(r, at, map, queue, arg);
}

static const struct field preemption_fields[] = {
	{ .key = "withinClusterQueue", .read = value_word,
	  .arg = within_words,
	  .offset = offsetof(struct spec_queue, within) },
	{ .key = "withinClusterQueueConfig", .read = map_read,
	  .arg = within_fields },
	{ .key = "reclaimWithinCohort", .read = value_word,
	  .arg = reclaim_words,
	  .offset = offsetof(struct spec_queue, reclaim) },
	{ .key = "borrowWithinCohort", .read = borrow_read,
	  .arg = borrow_fields },
	{ .key = NULL }
};

/* The value of a policy, given or by default, is known; false if it is in
 * error */
static bool policy_known(const struct node *map, const char *key)
{
	return !node_find(map, key) || map_has_good(map, key);
}

/* A turn ends only in favor of equals: KEP-8522. */
static int min_admit_check(struct reader *r, const struct place *at,
			   const struct node *map,
			   const struct spec_queue *queue)
{
	const struct place config = {
		.up = at, .key = "withinClusterQueueConfig"
	};
	const struct place here = { .up = &config, .key = "minAdmitDuration" };
	struct node *n = node_find(node_find(map, config.key), here.key);

	if (!n || !policy_known(map, "withinClusterQueue") ||
	    queue->within == POLICY_LOWER_OR_NEWER_EQUAL)
		return 0;
	return field_error(r, &here, n, "needs withinClusterQueue to be "
			   "LowerOrNewerEqualPriority");
}

static int borrow_check(struct reader *r, const struct place *at,
			const struct node *map,
			const struct spec_queue *queue)
{
	const struct place here = { .up = at, .key = "borrowWithinCohort" };
	const struct place threshold = {
		.up = &here, .key = "maxPriorityThreshold"
	};
	struct node *n = node_find(map, here.key);
	const struct node *bound = node_find(n, threshold.key);

	if (!n || !policy_known(n, "policy"))
		return 0;
	if (queue->borrow == POLICY_NEVER) {
		if (bound)
			report_warning(r->report, &threshold, bound->line,
				       "has no effect unless policy is "
				       "LowerPriority");
		return 0;
	}
	if (!policy_known(map, "reclaimWithinCohort") ||
	    queue->reclaim != POLICY_NEVER)
		return 0;
	return field_error(r, &here, n, "needs a reclaimWithinCohort other "
			   "than Never");
}

int preemption_read(struct reader *r, const struct place *at,
		    struct node *map, void *dest, const void *arg)
{
	const struct place reclaim = { .up = at, .key = "reclaimWithinCohort" };
	const struct spec_queue *queue = dest;
	int rc = map_read(r, at, map, dest, preemption_fields);

	(void) arg;
	if (min_admit_check(r, at, map, queue) < 0)
		rc = -1;
	if (borrow_check(r, at, map, queue) < 0)
		rc = -1;
	if (queue->reclaim != POLICY_NEVER && !r->has_parent)
		report_warning(r->report, &reclaim,
			       node_find(map, reclaim.key)->line, "has no "
			       "effect without a cohort");
	return rc;
}
