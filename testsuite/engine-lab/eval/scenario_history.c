/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario_history.c - what was used before the scenario begins
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "eval/scenario.h"

/* Index of a resource that something else in the scenario names */
static int resource_find(const struct scenario *s, const struct at *at,
			 const char *key, const char *name)
{
	int resource = spec_find_resource(s->spec, name);

	if (resource < 0 && !at_failed(at))
		at_fail(at, key, "there is no resource \"%s\"", name);
	return resource;
}

static void read_weights(struct scenario *s, const struct at *at)
{
	struct spec_history *h = &s->spec->history;
	size_t n = s->spec->nresources;

	if (!at->json)
		return;
	h->weights = calloc(n + 1, sizeof(*h->weights));
	if (!h->weights) {
		at_fail(at, NULL, "%s", strerror(errno));
		return;
	}
	for (size_t r = 0; r < n; r++)
		h->weights[r] = 1;
	json_object_object_foreach(at->json, name, weight) {
		int resource = resource_find(s, at, name, name);

		(void) weight;
		if (resource >= 0)
			h->weights[resource] = at_weight(at, name, 1);
	}
}

void scenario_read_history(struct scenario *s, const struct at *root)
{
	struct at between = at_member(root, "fairSharingHistory");
	struct at inside = at_member(root, "admissionFairSharing");
	struct at weights = at_member(&inside, "resourceWeights");
	struct spec_history *h = &s->spec->history;

	h->half_life = at_seconds(&between, "usageHalfLifeTime", 0);
	h->k = at_weight(&between, "kValue", h->k);
	h->margin = at_weight(&between, "historyMargin", h->margin);
	h->local_half_life = at_seconds(&inside, "usageHalfLifeTime", 0);
	h->sampling = at_seconds(&inside, "usageSamplingInterval", h->sampling);
	read_weights(s, &weights);
}

/* "past", and the "amount" since "at" */
static void read_past(struct scenario *s, const struct at *at, bool is_cohort, int node)
{
	const char *name = at_string(at, "resource");
	struct usage_history h = {
		.past = at_weight(at, "past", 0),
		.amount = at_weight(at, "amount", 0),
		.at = at_seconds(at, "at", s->now),
	};
	int resource, rc;

	if (!name)
		return;
	resource = resource_find(s, at, "resource", name);
	if (at_failed(at))
		return;
	if (at_string(at, "localQueue"))
		rc = engine_restore_local(s->engine, node, scenario_local_queue(s, at), resource,
					  &h);
	else
		rc = engine_restore_history(s->engine, is_cohort, node, resource, &h);
	if (rc < 0)
		at_fail(at, NULL, "%s", strerror(errno));
}

static void read_item(struct scenario *s, const struct at *at)
{
	const char *cohort = at_string(at, "cohort");
	const char *name = cohort ? cohort : at_name(at, "clusterQueue");
	int node = at_index(cohort ? s->cohorts : s->queues, name);

	if (node < 0 && !at_failed(at))
		at_fail(at, cohort ? "cohort" : "clusterQueue",
			"there is no \"%s\"", name);
	if (at_failed(at))
		return;
	if (cohort && at_string(at, "localQueue"))
		at_fail(at, "localQueue", "is in a cluster queue, not in a"
			" cohort");
	else if (!cohort && at_string(at, "localQueue")
		 && engine_weigh_local(s->engine, node,
				       scenario_local_queue(s, at),
				       at_weight(at, "weight", 1)) < 0)
		at_fail(at, NULL, "%s", strerror(errno));
	if (!at_failed(at))
		read_past(s, at, cohort != NULL, node);
}

void scenario_read_histories(struct scenario *s, const struct at *root)
{
	struct at list = at_list(root, "histories");

	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at item = at_item(&list, i);

		read_item(s, &item);
	}
}
