/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - usage history
 *
 *	fairSharing: {usageHalfLifeTime: 7d, kValue: 1, historyMargin: 0.25}
 *	admissionFairSharing:
 *	    usageHalfLifeTime: 7d
 *	    usageSamplingInterval: 5m
 *	    resourceWeights: {gres/gpu: 10}
 *	clusterQueues:
 *	  - admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
 */
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"
#include "value/duration.h"
#include "value/scalar.h"

/* 0: off. Shorter ones would have the scheduler run all the time. */
static const struct range half_life_range = {
	60 * SPEC_SEC, DURATION_MAX_DAYS * DURATION_DAY
};
static const struct range sampling_range = { SPEC_SEC, DURATION_DAY };

static const struct word mode_words[] = {
	{ "NoAdmissionFairSharing", false },
	{ "UsageBasedAdmissionFairSharing", true },
	{ NULL, 0 }
};

int half_life_read(struct reader *r, const struct place *at, struct node *n,
		   void *dest, const void *arg)
{
	int64_t ns;

	(void) arg;
	if (n->kind == NODE_SCALAR && duration_parse(n->text, &ns,
						     (char[160]) { 0 }, 160) == 0
	    && ns == 0) {
		*(int64_t *) dest = 0;
		return 0;
	}
	return value_time(r, at, n, dest, &half_life_range);
}

int fair_history_check(struct reader *r, const struct place *at,
		       struct node *map)
{
	const struct spec_history *h = &r->conf->spec->history;
	struct place here = { .up = at, .key = "historyMargin" };
	struct node *n = node_find(map, here.key);

	if (!n) {
		here.key = "kValue";
		n = node_find(map, here.key);
	}
	if (!n || n->bad || h->k == 0 || h->margin < h->k)
		return 0;
	return field_error(r, &here, n, "historyMargin (%g) has to be below "
			   "kValue (%g): else equal queues never take turns",
			   h->margin, h->k);
}

/* ---- inside queues ---- */

static bool group_covers(const struct spec_group *g, int resource)
{
	for (size_t i = 0; i < g->nresources; i++) {
		if (g->resources[i] == resource)
			return true;
	}
	return false;
}

static bool is_covered(const struct spec *spec, int resource)
{
	for (size_t q = 0; q < spec->nqueues; q++) {
		for (size_t g = 0; g < spec->queues[q].ngroups; g++) {
			if (group_covers(&spec->queues[q].groups[g], resource))
				return true;
		}
	}
	return false;
}

static int weight_read(struct reader *r, const struct place *at,
		       const struct node *key, struct node *n, double *weights)
{
	int resource = spec_find_resource(r->conf->spec, key->text);
	double weight;

	if (value_weight(r, at, n, &weight, NULL) < 0)
		return -1;
	if (resource == SPEC_NONE || !is_covered(r->conf->spec, resource))
		return field_error(r, at, n, "no cluster queue covers this "
				   "resource");
	weights[resource] = weight;
	return 0;
}

/* dest: double *; after the cluster queues, which say what resources there
 * are */
static int weights_read(struct reader *r, const struct place *at,
			struct node *map, void *dest, const void *arg)
{
	size_t n = r->conf->spec->nresources;
	double *weights = calloc(n + 1, sizeof(*weights));
	int rc = 0;

	(void) arg;
	if (!weights)
		return report_nomem(r->report);
	for (size_t i = 0; i < n; i++)
		weights[i] = 1;
	if (map->kind != NODE_MAP)
		rc = field_error(r, at, map, "%s is not a map of resources and "
				 "weights", node_quote(map).text);
	for (size_t i = 0; map->kind == NODE_MAP && i < map->nitems; i += 2) {
		const struct place here = { .up = at,
					    .key = map->items[i]->text };

		if (weight_read(r, &here, map->items[i], map->items[i + 1],
				weights) < 0)
			rc = -1;
	}
	free(*(double **) dest);
	*(double **) dest = weights;
	return rc;
}

static const struct field admission_fields[] = {
	{ .key = "usageHalfLifeTime", .read = half_life_read,
	  .offset = offsetof(struct spec_history, local_half_life) },
	{ .key = "usageSamplingInterval", .read = value_time,
	  .arg = &sampling_range,
	  .offset = offsetof(struct spec_history, sampling) },
	{ .key = "resourceWeights", .read = weights_read,
	  .offset = offsetof(struct spec_history, weights) },
	{ .key = NULL }
};

int admission_read(struct reader *r, const struct place *at, struct node *map,
		   void *dest, const void *arg)
{
	(void) dest;
	(void) arg;
	return map_read(r, at, map, &r->conf->spec->history, admission_fields);
}

static const struct field scope_fields[] = {
	{ .key = "admissionMode", .read = value_bool, .arg = mode_words,
	  .offset = offsetof(struct spec_queue, by_usage) },
	{ .key = NULL }
};

int admission_scope_read(struct reader *r, const struct place *at,
			 struct node *map, void *dest, const void *arg)
{
	(void) arg;
	return map_read(r, at, map, dest, scope_fields);
}

/* Without a half-life all local queues are equal: the queue is as any. */
static void scope_advise(struct reader *r, const struct place *item,
			 const struct node *map)
{
	const struct place scope = { .up = item, .key = "admissionScope" };
	const struct place at = { .up = &scope, .key = "admissionMode" };
	const struct node *n = node_find(node_find(map, scope.key), at.key);

	if (n)
		report_warning(r->report, &at, n->line, "has no effect unless "
			       "admissionFairSharing.usageHalfLifeTime is set");
}

void history_advise(struct reader *r, const struct node *root)
{
	const struct place at = { .key = "clusterQueues" };
	const struct node *list = node_find(root, at.key);
	struct spec *spec = r->conf->spec;

	if (spec->history.local_half_life)
		return;
	for (size_t i = 0; list && i < list->nitems && i < spec->nqueues; i++) {
		struct place here = { .up = &at, .index = i };

		if (spec->queues[i].by_usage)
			scope_advise(r, &here, list->items[i]);
		spec->queues[i].by_usage = false;
	}
}
