/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.c - the document, and settings of the whole site
 */
#include <stdlib.h>

#include "section/sections.h"
#include "value/times.h"

#define SECOND SPEC_SEC
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* PriorityDecayHalfLife by default */
#define SLURM_HALF_LIFE (7 * DAY)

/* 0: off. Shorter ones would have the scheduler run all the time. */
#define HALF_LIFE_RANGE .min = MINUTE, .max = DURATION_MAX_DAYS * DAY, \
	.or_zero = true

/* ---- fairSharing ---- */

struct strategies {
	int of[2];
	size_t n;
};

static int strategy_read(struct value *v)
{
	struct strategies *s = v->dest;

	return value_word(&(struct value) { v->r, v->n, &s->of[s->n++], v->key });
}

/* As in Kueue: one of the two, or both in this order */
static int strategies_read(struct value *v)
{
	enum fair_strategy *to = v->dest;
	struct strategies s = { .n = 0 };

	if (v->n->kind == NODE_LIST && (!v->n->nitems || v->n->nitems > 2))
		return value_error(v, "is not a list of one or two strategies");
	if (list_read(v, "a list of strategies", strategy_read, &s) < 0)
		return -1;
	if (s.n == 2 && s.of[0] >= s.of[1])
		return value_error(v, "two strategies can only be LessThanOrEqualToFinalShare and "
				   "then LessThanInitialShare");
	to[0] = s.of[0];
	to[1] = s.n == 2 ? s.of[1] : FAIR_NONE;
	return 0;
}

static int fair_read(struct value *v)
{
	const struct spec_history *h = &v->r->conf->spec->history;
	int rc = map_read(v);
	struct node *n = node_find(v->n, "historyMargin");

	if (!n)
		n = node_find(v->n, "kValue");
	if (rc < 0 || !n || h->k == 0 || h->margin < h->k)
		return rc;
	return node_error(v->r, n, "historyMargin (%g) has to be below kValue (%g): else equal "
			  "queues never take turns", h->margin, h->k);
}

/* ---- weights of resources ---- */

static bool is_covered(const struct spec *spec, int resource)
{
	for (size_t q = 0; q < spec->nqueues; q++)
		for (size_t i = 0; i < spec->queues[q].nquotas; i++)
			if (spec->queues[q].quotas[i].resource == resource)
				return true;
	return false;
}

/* A weight for each resource of the spec: `others` for those that the map leaves
 * out. After the cluster queues, which say what resources there are */
static int weights_read(struct value *v, double others)
{
	const struct spec *spec = v->r->conf->spec;
	double *weights = calloc(spec->nresources + 1, sizeof(*weights));
	int rc = 0;

	if (!weights)
		return report_nomem(v->r->report);
	for (size_t i = 0; i < spec->nresources; i++)
		weights[i] = others;
	free(*(double **) v->dest);
	*(double **) v->dest = weights;
	if (v->n->kind != NODE_MAP)
		return value_error(v, "%s is not a map of resources and weights",
				   node_quote(v->n).text);
	for (size_t i = 0; i < node_length(v->n); i++) {
		double weight;
		struct value item = { v->r, node_item(v->n, i), &weight, NULL };
		int resource = spec_find_resource(spec, item.n->at.key);

		if (value_weight(&item) < 0)
			rc = -1;
		else if (resource == SPEC_NONE || !is_covered(spec, resource))
			rc = value_error(&item, "no cluster queue covers this resource");
		else
			weights[resource] = weight;
	}
	return rc;
}

static int resource_weights_read(struct value *v)
{
	return weights_read(v, 1);
}

static int loss_weights_read(struct value *v)
{
	double sum = 0;

	if (v->n->kind == NODE_MAP && !v->n->nitems)
		return value_error(v, "names no resource (leave the key out for CPU time)");
	if (weights_read(v, 0) < 0)
		return -1;
	for (size_t i = 0; i < v->r->conf->spec->nresources; i++)
		sum += (*(double **) v->dest)[i];
	if (sum == 0)
		return value_error(v, "all weights are 0, so nothing would be lost (leave the key "
				   "out for CPU time)");
	return 0;
}

/* ---- admissionFairSharing ---- */

static int from_read(struct value *v)
{
	struct conf *conf = v->r->conf;

	if (value_word(&(struct value) { v->r, v->n, &conf->slurm_usage, v->key }) < 0)
		return -1;
	if (conf->slurm_usage && !conf->spec->history.local_half_life)
		conf->spec->history.local_half_life = SLURM_HALF_LIFE;
	return 0;
}

/* ---- all keys of the site ---- */

#define CONF(member) IN(conf, member)
#define SPEC(member) IN(spec, member)

static const struct key site_keys[] = {
	{ "enforcement", value_word, CONF(observe),
	  WORDS({ "enforce", false }, { "observe", true }) },
	{ "priority", value_word, CONF(priority),
	  WORDS({ "qos", CONF_PRIORITY_QOS },
		{ "partition", CONF_PRIORITY_PARTITION },
		{ "job", CONF_PRIORITY_JOB }) },
	{ "localQueue", value_word, CONF(local_queue),
	  WORDS({ "account", CONF_LOCAL_ACCOUNT },
		{ "user", CONF_LOCAL_USER }) },
	{ "preemptorTimeout", value_time, CONF(own_timeout), .min = SECOND,
	  .max = DAY, .initial = 5 * MINUTE },
	{ "packBorrowers", value_word, CONF(pack_borrowers), .initial = true },
	{ "lentNodeWeight", value_integer, CONF(lent_node_weight), .min = 1,
	  .max = 100, .initial = 1 },
	{ "planBudget", value_integer, CONF(plan_budget), .min = 10000,
	  .max = 1000000000, .initial = 800000 },
	{ "plannedJobs", value_integer, CONF(planned_jobs), .max = 16 },
	{ "unmanaged", map_read, KEYS(
		{ "preemption", value_word, CONF(unmanaged),
		  WORDS({ "none", CONF_UNMANAGED_NONE },
			{ "qos", CONF_UNMANAGED_QOS },
			{ "partition_prio", CONF_UNMANAGED_PARTITION_PRIO }) }) },
	{ "visibility", map_read, KEYS(
		{ "updateInterval", value_time, CONF(update_interval), .min = SECOND,
		  .max = HOUR, .initial = 5 * SECOND },
		{ "maxPosition", value_integer, CONF(max_position), .min = 1,
		  .max = 1000000000, .initial = 4000 },
		{ "comments", value_word, CONF(comments), .initial = true },
		{ "adminComments", value_word, CONF(admin_comments) },
		{ "publish", value_string, CONF(publish), .arg = &path_rule }) },
	{ "events", map_read, KEYS(
		{ "enable", value_word, CONF(events.enable), .initial = true },
		{ "file", value_string, CONF(events.file), .arg = &path_rule },
		{ "maxMegabytes", value_integer, CONF(events.max_megabytes), .min = 1,
		  .max = 1024, .initial = 16 },
		{ "keep", value_integer, CONF(events.keep), .max = 1000, .initial = 4 }) },
	{ "notify", map_read, KEYS(
		{ "program", value_string, CONF(notify.program), .arg = &path_rule,
		  .required = true },
		{ "timeLimit", value_time, CONF(notify.time_limit), .min = SECOND,
		  .max = 10 * MINUTE, .initial = 30 * SECOND },
		{ "atOnce", value_integer, CONF(notify.at_once), .min = 1, .max = 64,
		  .initial = 4 }) },
	{ "minRuntime", map_read, CONF(spec), .pointer = true, KEYS(
		{ "preempt", value_time, SPEC(preempt_min_runtime) },
		{ "reclaim", value_time, SPEC(reclaim_min_runtime) },
		{ "resolve", value_word, SPEC(resolve),
		  WORDS({ "lca", RESOLVE_LCA }, { "queue", RESOLVE_QUEUE }) }) },
	{ "fairSharing", fair_read, CONF(spec), .pointer = true, KEYS(
		{ "enable", value_word, SPEC(fair_sharing) },
		{ "preemptionStrategies", strategies_read, SPEC(strategies[0]),
		  WORDS({ "LessThanOrEqualToFinalShare", FAIR_LESS_OR_EQUAL_FINAL },
			{ "LessThanInitialShare", FAIR_LESS_INITIAL }) },
		{ "usageHalfLifeTime", value_time, SPEC(history.half_life), HALF_LIFE_RANGE },
		{ "kValue", value_weight, SPEC(history.k) },
		{ "historyMargin", value_weight, SPEC(history.margin) }) },
	{ "flavors", .read = flavors_read, .max = FLAVORS_MAX },
	{ "cohorts", .read = cohorts_read, .max = COHORTS_MAX },
	{ "clusterQueues", queues_read, .max = QUEUES_MAX, .required = true },
	/* usageFrom comes behind the half-life, which has another default then. */
	{ "admissionFairSharing", map_read, CONF(spec), .pointer = true, KEYS(
		{ "usageHalfLifeTime", value_time, SPEC(history.local_half_life),
		  HALF_LIFE_RANGE },
		{ "usageSamplingInterval", value_time, SPEC(history.sampling), .min = SECOND,
		  .max = DAY },
		{ "resourceWeights", resource_weights_read, SPEC(history.weights) },
		{ "usageFrom", from_read, .size = sizeof(bool),
		  WORDS({ "cohort", false }, { "slurm", true }) }) },
	{ "lossWeights", loss_weights_read, CONF(loss_weights) },
	NO_KEY
};

int site_read(struct reader *r, struct node *root)
{
	keys_initial(r->conf, site_keys);
	return keys_read(r, root, r->conf, site_keys);
}
