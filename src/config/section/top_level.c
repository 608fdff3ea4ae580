/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top_level.c - the document, and settings of the whole site
 *
 *	enforcement: enforce			# or observe
 *	priority: qos				# or partition, job
 *	localQueue: account			# or user
 *	preemptorTimeout: 5m
 *	packBorrowers: true
 *	lentNodeWeight: 1
 *	plannedJobs: 1
 *	unmanaged: {preemption: none}		# or qos, partition_prio
 *	visibility: {updateInterval: 5s, maxPosition: 4000, comments: true,
 *		     adminComments: false,
 *		     publish: /run/slurm/cohort_status.json}
 *	events: {...}				# events.c
 *	notify: {...}				# events.c
 *	minRuntime: {preempt: 0, reclaim: 10m, resolve: lca}
 *	fairSharing: {enable: false, preemptionStrategies: [...],
 *		      usageHalfLifeTime: 0, kValue: 1, historyMargin: 0.25}
 *	flavors: [...]				# flavors.c
 *	cohorts: [...]				# cohorts.c
 *	clusterQueues: [...]			# queues.c
 *	admissionFairSharing: {...}		# history.c
 *	lossWeights: {cpu: 1, gres/gpu: 16}	# weights.c
 */
#include <string.h>

#include "section/sections.h"
#include "value/duration.h"
#include "value/scalar.h"

#define HOUR (INT64_C(3600) * SPEC_SEC)
#define MAX_POSITION 1000000000

static const struct word enforcement_words[] = {
	{ "enforce", false }, { "observe", true }, { NULL, 0 }
};

static const struct word priority_words[] = {
	{ "qos", CONF_PRIORITY_QOS },
	{ "partition", CONF_PRIORITY_PARTITION },
	{ "job", CONF_PRIORITY_JOB },
	{ NULL, 0 }
};

static const struct word local_queue_words[] = {
	{ "account", CONF_LOCAL_ACCOUNT },
	{ "user", CONF_LOCAL_USER },
	{ NULL, 0 }
};

static const struct word unmanaged_words[] = {
	{ "none", CONF_UNMANAGED_NONE },
	{ "qos", CONF_UNMANAGED_QOS },
	{ "partition_prio", CONF_UNMANAGED_PARTITION_PRIO },
	{ NULL, 0 }
};

static const struct word resolve_words[] = {
	{ "lca", RESOLVE_LCA }, { "queue", RESOLVE_QUEUE }, { NULL, 0 }
};

static const struct word strategy_words[] = {
	{ "LessThanOrEqualToFinalShare", FAIR_LESS_OR_EQUAL_FINAL },
	{ "LessThanInitialShare", FAIR_LESS_INITIAL },
	{ NULL, 0 }
};

static const struct range timeout_range = { SPEC_SEC, 24 * HOUR };
static const struct range interval_range = { SPEC_SEC, HOUR };
static const struct range planned_range = { 0, 16 };
static const struct range lent_node_range = { 1, 100 };
static const struct range position_range = { 1, MAX_POSITION };

static const struct field unmanaged_fields[] = {
	{ .key = "preemption", .read = value_word, .arg = unmanaged_words,
	  .offset = offsetof(struct conf, unmanaged) },
	{ .key = NULL }
};

static const struct field visibility_fields[] = {
	{ .key = "updateInterval", .read = value_time, .arg = &interval_range,
	  .offset = offsetof(struct conf, update_interval) },
	{ .key = "maxPosition", .read = value_integer, .arg = &position_range,
	  .offset = offsetof(struct conf, max_position) },
	{ .key = "comments", .read = value_bool,
	  .offset = offsetof(struct conf, comments) },
	{ .key = "adminComments", .read = value_bool,
	  .offset = offsetof(struct conf, admin_comments) },
	{ .key = "publish", .read = value_path,
	  .offset = offsetof(struct conf, publish) },
	{ .key = NULL }
};

static const struct field min_runtime_fields[] = {
	{ .key = "preempt", .read = value_time,
	  .offset = offsetof(struct spec, preempt_min_runtime) },
	{ .key = "reclaim", .read = value_time,
	  .offset = offsetof(struct spec, reclaim_min_runtime) },
	{ .key = "resolve", .read = value_word, .arg = resolve_words,
	  .offset = offsetof(struct spec, resolve) },
	{ .key = NULL }
};

/* dest: a struct strategies with room */
struct strategies {
	int of[2];
	size_t n;
};

static int strategy_read(struct reader *r, const struct place *at,
			 struct node *n, void *dest, const void *arg)
{
	struct strategies *s = dest;

	return value_word(r, at, n, &s->of[s->n++], arg);
}

/* As in Kueue: one of the two, or both in this order */
static int strategies_read(struct reader *r, const struct place *at,
			   struct node *list, void *dest, const void *arg)
{
	struct strategies s = { .n = 0 };
	struct spec *spec = dest;

	if (list->kind == NODE_LIST && (!list->nitems || list->nitems > 2))
		return field_error(r, at, list, "is not a list of one or two "
				   "strategies");
	if (list_read(r, at, list, "a list of strategies", strategy_read, &s,
		      arg) < 0)
		return -1;
	if (s.n == 2 && s.of[0] >= s.of[1])
		return field_error(r, at, list, "two strategies can only be "
				   "LessThanOrEqualToFinalShare and then "
				   "LessThanInitialShare");
	spec->strategies[0] = s.of[0];
	spec->strategies[1] = s.n == 2 ? s.of[1] : FAIR_NONE;
	return 0;
}

static const struct field fair_fields[] = {
	{ .key = "enable", .read = value_bool,
	  .offset = offsetof(struct spec, fair_sharing) },
	{ .key = "preemptionStrategies", .read = strategies_read,
	  .arg = strategy_words },
	{ .key = "usageHalfLifeTime", .read = half_life_read,
	  .offset = offsetof(struct spec, history.half_life) },
	{ .key = "kValue", .read = value_weight,
	  .offset = offsetof(struct spec, history.k) },
	{ .key = "historyMargin", .read = value_weight,
	  .offset = offsetof(struct spec, history.margin) },
	{ .key = NULL }
};

/* A map whose fields are the spec's */
static int spec_fields_read(struct reader *r, const struct place *at,
			    struct node *map, void *dest, const void *arg)
{
	(void) dest;
	return map_read(r, at, map, r->conf->spec, arg);
}

static int fair_read(struct reader *r, const struct place *at,
		     struct node *map, void *dest, const void *arg)
{
	int rc = spec_fields_read(r, at, map, dest, arg);

	return rc < 0 ? rc : fair_history_check(r, at, map);
}

static const struct field site_fields[] = {
	{ .key = "enforcement", .read = value_bool, .arg = enforcement_words,
	  .offset = offsetof(struct conf, observe) },
	{ .key = "priority", .read = value_word, .arg = priority_words,
	  .offset = offsetof(struct conf, priority) },
	{ .key = "localQueue", .read = value_word, .arg = local_queue_words,
	  .offset = offsetof(struct conf, local_queue) },
	{ .key = "preemptorTimeout", .read = value_time, .arg = &timeout_range,
	  .offset = offsetof(struct conf, own_timeout) },
	{ .key = "packBorrowers", .read = value_bool,
	  .offset = offsetof(struct conf, pack_borrowers) },
	{ .key = "lentNodeWeight", .read = value_integer, .arg = &lent_node_range,
	  .offset = offsetof(struct conf, lent_node_weight) },
	{ .key = "plannedJobs", .read = value_integer, .arg = &planned_range,
	  .offset = offsetof(struct conf, planned_jobs) },
	{ .key = "unmanaged", .read = map_read, .arg = unmanaged_fields },
	{ .key = "visibility", .read = map_read, .arg = visibility_fields },
	{ .key = "events", .read = events_read },
	{ .key = "notify", .read = notify_read },
	{ .key = "minRuntime", .read = spec_fields_read,
	  .arg = min_runtime_fields },
	{ .key = "fairSharing", .read = fair_read, .arg = fair_fields },
	{ .key = "flavors", .read = flavors_read },
	{ .key = "cohorts", .read = cohorts_read },
	{ .key = "clusterQueues", .read = queues_read, .required = true },
	{ .key = "admissionFairSharing", .read = admission_read },
	{ .key = "lossWeights", .read = loss_weights_read,
	  .offset = offsetof(struct conf, loss_weights) },
	{ .key = NULL }
};

int top_level_read(struct reader *r, struct node *root)
{
	return map_read(r, NULL, root, r->conf, site_fields);
}
