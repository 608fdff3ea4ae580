/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - usage history
 *
 *	fairSharing: {usageHalfLifeTime: 7d, kValue: 1, historyMargin: 0.25}
 *	admissionFairSharing:
 *	    usageHalfLifeTime: 7d
 *	    usageSamplingInterval: 5m
 *	    resourceWeights: {gres/gpu: 10}
 *	    usageFrom: cohort			# or slurm
 *	clusterQueues:
 *	  - admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
 */
#include "section/sections.h"
#include "value/duration.h"
#include "value/scalar.h"

/* 0: off. Shorter ones would have the scheduler run all the time. */
static const struct range half_life_range = {
	60 * SPEC_SEC, DURATION_MAX_DAYS * DURATION_DAY
};
#define SLURM_HALF_LIFE (7 * DURATION_DAY)	/* PriorityDecayHalfLife by default */
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

static const double weight_default = 1;

static const struct word from_words[] = {
	{ "cohort", false }, { "slurm", true }, { NULL, 0 }
};

static int from_read(struct reader *r, const struct place *at, struct node *n,
		     void *dest, const void *arg)
{
	(void) dest;
	return value_bool(r, at, n, &r->conf->slurm_usage, arg);
}

static const struct field admission_fields[] = {
	{ .key = "usageHalfLifeTime", .read = half_life_read,
	  .offset = offsetof(struct spec_history, local_half_life) },
	{ .key = "usageSamplingInterval", .read = value_time,
	  .arg = &sampling_range,
	  .offset = offsetof(struct spec_history, sampling) },
	{ .key = "resourceWeights", .read = resource_weights_read,
	  .arg = &weight_default,
	  .offset = offsetof(struct spec_history, weights) },
	{ .key = "usageFrom", .read = from_read, .arg = from_words },
	{ .key = NULL }
};

int admission_read(struct reader *r, const struct place *at, struct node *map,
		   void *dest, const void *arg)
{
	struct spec_history *h = &r->conf->spec->history;
	int rc = map_read(r, at, map, h, admission_fields);

	(void) dest;
	(void) arg;
	if (r->conf->slurm_usage && !h->local_half_life)
		h->local_half_life = SLURM_HALF_LIFE;
	return rc;
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

static void weights_advise(struct reader *r, const struct place *item,
			   const struct node *map)
{
	const struct place at = { .up = item, .key = "localQueues" };
	const struct node *n = node_find(map, at.key);

	if (n && n->nitems)
		report_warning(r->report, &at, n->line, "has no effect unless "
			       "admissionScope.admissionMode is "
			       "UsageBasedAdmissionFairSharing");
}

void history_advise(struct reader *r, const struct node *root)
{
	const struct place at = { .key = "clusterQueues" };
	const struct node *list = node_find(root, at.key);
	struct spec *spec = r->conf->spec;

	for (size_t i = 0; list && i < list->nitems && i < spec->nqueues; i++) {
		struct place here = { .up = &at, .index = i };

		if (!spec->queues[i].by_usage)
			weights_advise(r, &here, list->items[i]);
		else if (!spec->history.local_half_life)
			scope_advise(r, &here, list->items[i]);
		spec->queues[i].by_usage &= spec->history.local_half_life != 0;
	}
}
