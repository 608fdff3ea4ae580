/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weights.c - weights of resources
 *
 *	admissionFairSharing: {resourceWeights: {gres/gpu: 10}}
 *	lossWeights: {cpu: 1, gres/gpu: 16}
 */
#include <stdlib.h>

#include "section/sections.h"
#include "value/scalar.h"

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

int resource_weights_read(struct reader *r, const struct place *at,
			  struct node *map, void *dest, const void *arg)
{
	size_t n = r->conf->spec->nresources;
	double *weights = calloc(n + 1, sizeof(*weights));
	int rc = 0;

	if (!weights)
		return report_nomem(r->report);
	for (size_t i = 0; i < n; i++)
		weights[i] = *(const double *) arg;
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

static bool is_any(const struct spec *spec, const double *weights)
{
	for (size_t i = 0; i < spec->nresources; i++) {
		if (weights[i] > 0)
			return true;
	}
	return false;
}

int loss_weights_read(struct reader *r, const struct place *at,
		      struct node *map, void *dest, const void *arg)
{
	static const double none = 0;

	(void) arg;
	if (map->kind == NODE_MAP && !map->nitems)
		return field_error(r, at, map, "names no resource (leave the "
				   "key out for CPU time)");
	if (resource_weights_read(r, at, map, dest, &none) < 0)
		return -1;
	if (!is_any(r->conf->spec, *(double **) dest))
		return field_error(r, at, map, "all weights are 0, so nothing "
				   "would be lost (leave the key out for CPU "
				   "time)");
	return 0;
}
