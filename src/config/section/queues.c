/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queues.c - cluster queues: what a job charges
 *
 *	clusterQueues:
 *	  - name: vision
 *	    cohort: ml
 *	    match: [...]			# see match_rules.c
 *	    queueingStrategy: BestEffortFIFO	# or StrictFIFO
 *	    stopPolicy: None			# or Hold, HoldAndDrain
 *	    resourceGroups: [...]		# see resource_groups.c
 *	    flavorFungibility: {whenCanBorrow, whenCanPreempt, preference}
 *	    preemption: {...}			# see preemption.c
 *	    preemptMinRuntime: 15m
 *	    reclaimMinRuntime: 15m
 *	    fairSharing: {weight: 2}
 *	    admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
 *	    localQueues: [...]			# see local_queues.c
 *	    maxPreemptions: 3
 *	    yieldAfterEvictions: 1
 *	    nonPreemptible: {...}		# see nonpreemptible.c
 */
#include <stdlib.h>

#include "section/sections.h"
#include "value/scalar.h"

#define MAX_EVICTIONS 1000000

static const struct reference cohort_reference = {
	.table = offsetof(struct reader, cohorts), .section = "cohorts"
};

static const struct word strategy_words[] = {
	{ "BestEffortFIFO", STRATEGY_BEST_EFFORT_FIFO },
	{ "StrictFIFO", STRATEGY_STRICT_FIFO },
	{ NULL, 0 }
};

static const struct word stop_words[] = {
	{ "None", STOP_NONE },
	{ "Hold", STOP_HOLD },
	{ "HoldAndDrain", STOP_HOLD_AND_DRAIN },
	{ NULL, 0 }
};

/* Borrow and Preempt are Kueue's former words for MayStopSearch. */
static const struct word borrow_words[] = {
	{ "MayStopSearch", FUNGIBILITY_MAY_STOP },
	{ "TryNextFlavor", FUNGIBILITY_TRY_NEXT },
	{ "Borrow", FUNGIBILITY_MAY_STOP },
	{ NULL, 0 }
};

static const struct word preempt_words[] = {
	{ "MayStopSearch", FUNGIBILITY_MAY_STOP },
	{ "TryNextFlavor", FUNGIBILITY_TRY_NEXT },
	{ "Preempt", FUNGIBILITY_MAY_STOP },
	{ NULL, 0 }
};

static const struct word preference_words[] = {
	{ "BorrowingOverPreemption", PREFER_BORROWING },
	{ "PreemptionOverBorrowing", PREFER_PREEMPTION },
	{ NULL, 0 }
};

static const struct field fungibility_fields[] = {
	{ .key = "whenCanBorrow", .read = value_word, .arg = borrow_words,
	  .offset = offsetof(struct spec_queue, when_can_borrow) },
	{ .key = "whenCanPreempt", .read = value_word, .arg = preempt_words,
	  .offset = offsetof(struct spec_queue, when_can_preempt) },
	{ .key = "preference", .read = value_word, .arg = preference_words,
	  .offset = offsetof(struct spec_queue, preference) },
	{ .key = NULL }
};

/* Names the key whose value, given or by default, is not TryNextFlavor. */
static const char *search_stops(const struct node *map,
				const struct spec_queue *queue)
{
	static const char *const keys[] = { "whenCanBorrow", "whenCanPreempt" };
	const enum fungibility values[] = {
		queue->when_can_borrow, queue->when_can_preempt
	};

	for (size_t i = 0; i < 2; i++)
		if (values[i] != FUNGIBILITY_TRY_NEXT &&
		    (!node_find(map, keys[i]) || map_has_good(map, keys[i])))
			return keys[i];
	return NULL;
}

static int fungibility_read(struct reader *r, const struct place *at,
			    struct node *map, void *dest, const void *arg)
{
	const struct place here = { .up = at, .key = "preference" };
	struct node *preference = node_find(map, "preference");
	int rc = map_read(r, at, map, dest, fungibility_fields);
	const char *stops = search_stops(map, dest);

	(void) arg;
	if (preference && stops)
		rc = field_error(r, &here, preference, "needs TryNextFlavor "
				 "as whenCanBorrow and whenCanPreempt (%s is "
				 "MayStopSearch)", stops);
	return rc;
}

static const struct field fair_fields[] = {
	{ .key = "weight", .read = value_weight,
	  .offset = offsetof(struct spec_queue, weight) },
	{ .key = NULL }
};

/* dest: int */
static int evictions_read(struct reader *r, const struct place *at,
				struct node *n, void *dest, const void *arg)
{
	static const struct range range = { 0, MAX_EVICTIONS };
	int64_t value;

	(void) arg;
	if (value_integer(r, at, n, &value, &range) < 0)
		return -1;
	*(int *) dest = (int) value;
	return 0;
}

static const struct field queue_fields[] = {
	{ .key = "name", .read = value_name, .required = true },
	{ .key = "cohort", .read = value_reference, .arg = &cohort_reference,
	  .offset = offsetof(struct spec_queue, cohort) },
	{ .key = "queueingStrategy", .read = value_word, .arg = strategy_words,
	  .offset = offsetof(struct spec_queue, strategy) },
	{ .key = "stopPolicy", .read = value_word, .arg = stop_words,
	  .offset = offsetof(struct spec_queue, stop) },
	{ .key = "match", .read = match_rules_read },
	{ .key = "resourceGroups", .read = queue_groups_read },
	{ .key = "flavorFungibility", .read = fungibility_read },
	{ .key = "preemption", .read = preemption_read },
	{ .key = "preemptMinRuntime", .read = value_time,
	  .offset = offsetof(struct spec_queue, preempt_min_runtime) },
	{ .key = "reclaimMinRuntime", .read = value_time,
	  .offset = offsetof(struct spec_queue, reclaim_min_runtime) },
	{ .key = "fairSharing", .read = map_read, .arg = fair_fields },
	{ .key = "admissionScope", .read = admission_scope_read },
	{ .key = "localQueues", .read = local_queues_read },
	{ .key = "maxPreemptions", .read = evictions_read,
	  .offset = offsetof(struct spec_queue, max_preemptions) },
	{ .key = "yieldAfterEvictions", .read = evictions_read,
	  .offset = offsetof(struct spec_queue, yield_after) },
	{ .key = "nonPreemptible", .read = nonpreemptible_read },
	{ .key = NULL }
};

static int queue_add(struct spec *spec, const char *name)
{
	struct spec_queue *q = spec_add_queue(spec, name);

	if (!q)
		return -1;
	q->max_preemptions = 3;
	q->yield_after = 1;
	return (int) spec->nqueues - 1;
}

static int queue_read(struct reader *r, const struct place *at,
		      struct node *n, void *dest, const void *arg)
{
	struct spec *spec = r->conf->spec;

	(void) dest;
	(void) arg;
	if (at->index >= spec->nqueues)
		return -1;	/* no memory when it was declared */
	r->conf->queues[at->index].line = n->line;
	r->has_parent = node_find(n, "cohort") != NULL;
	return map_read(r, at, n, &spec->queues[at->index], queue_fields);
}

int queues_read(struct reader *r, const struct place *at, struct node *list,
		void *dest, const void *arg)
{
	struct conf *conf = r->conf;
	int rc;

	rc = names_declare(r, at, list, QUEUES_MAX, r->queues, queue_add);
	if (rc < 0 && !conf->spec->nqueues)
		return -1;
	conf->queues = calloc(conf->spec->nqueues + 1, sizeof(*conf->queues));
	if (!conf->queues)
		return report_nomem(r->report);
	if (list_read(r, at, list, "a list of cluster queues", queue_read,
		      dest, arg) < 0)
		rc = -1;
	return rc;
}
