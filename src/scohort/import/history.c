/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - Kueue's admission fair sharing (KEP-4136) as usage history inside
 *	       cluster queues
 *
 * The controller's Configuration has half-life, sampling interval and weights of
 * resources; a ClusterQueue has admissionScope; a LocalQueue has a weight, which
 * becomes that of the account of its namespace.
 */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

/* ---- the controller's configuration ---- */

/* Reads one of resourceWeights. False: it has been said why it is left out. */
static bool resource_weight(struct import *im, const struct manifest *of,
			    const struct node *key, const struct node *value,
			    char *tres, double *weight)
{
	if (import_resource_name(im, key->text, tres) < 0 ||
	    !import_is_covered(im, key->text)) {
		import_lost(im, of, key, 4, "no cluster queue has quota of it",
			    "resourceWeights of %s", quote(key->text).text);
		return false;
	}
	return import_read_weight(im, of, value, "resourceWeights", 4, weight);
}

static void resource_weights_write(struct import *im, const struct manifest *of,
				   const struct node *map)
{
	bool any = false;
	char tres[IMPORT_NAME_SIZE];
	double weight;

	for (size_t i = 0; map && map->kind == NODE_MAP && i + 1 < map->nitems;
	     i += 2) {
		if (!resource_weight(im, of, map->items[i], map->items[i + 1],
				     tres, &weight))
			continue;
		if (!any) {
			import_note(im, 2, "check: what was used is divided by "
				    "the most that the cluster queue could ever "
				    "use, then weighted; Kueue weights cores "
				    "and bytes");
			fputs("  resourceWeights:\n", im->out);
		}
		any = true;
		fprintf(im->out, "    %s: %.15g\n", tres, weight);
	}
}

void import_write_history(struct import *im, const struct manifest *of)
{
	const struct node *map = node_find(of->root, "admissionFairSharing");
	const char *half_life = node_text(map, "usageHalfLifeTime");
	const char *sampling = node_text(map, "usageSamplingInterval");

	if (!map || map->kind != NODE_MAP || !map->nitems)
		return;
	/* Kueue's default, too */
	fprintf(im->out, "admissionFairSharing:\n  usageHalfLifeTime: %s\n",
		half_life ? yaml_word(half_life) : "0s");
	if (sampling)
		fprintf(im->out, "  usageSamplingInterval: %s\n",
			yaml_word(sampling));
	resource_weights_write(im, of, node_find(map, "resourceWeights"));
}

/* ---- a cluster queue ---- */

void import_write_scope(struct import *im, const struct manifest *of)
{
	const char *mode = node_text(node_find(of->spec, "admissionScope"),
				     "admissionMode");

	if (mode)
		fprintf(im->out, "    admissionScope: {admissionMode: %s}\n",
			yaml_word(mode));
}

/* NULL: it has none, which counts as 1. */
static const struct node *weight_of(const struct manifest *local)
{
	return node_find(node_find(local->spec, "fairSharing"), "weight");
}

static bool same_space(const struct manifest *a, const struct manifest *b,
		       const char *queue)
{
	return manifest_serves(b, queue) && !strcmp(a->space, b->space);
}

/* Reads the weight that all LocalQueues of this namespace and queue have. False:
 * they have none, or not the same. */
static bool space_weight(struct import *im, const struct manifest *local,
			 const char *queue, double *weight)
{
	bool any = false, same = true;

	*weight = -1;
	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *of = &im->m.items[i];
		double w = 1;

		if (!same_space(local, of, queue))
			continue;
		any |= weight_of(of) != NULL;
		if (weight_of(of) &&
		    !import_read_weight(im, of, weight_of(of),
					"fairSharing.weight", 6, &w))
			return false;
		same &= *weight < 0 || (w >= *weight && w <= *weight);
		*weight = w;
	}
	if (any && !same)
		import_lost(im, local, local->root, 6, "they are one account "
			    "here", "different weights of the LocalQueues of "
			    "namespace %s", local->space);
	return any && same;
}

/* Is it the first LocalQueue of its namespace in this queue? */
static bool is_first(const struct import *im, size_t index, const char *queue)
{
	for (size_t i = 0; i < index; i++)
		if (same_space(&im->m.items[index], &im->m.items[i], queue))
			return false;
	return manifest_serves(&im->m.items[index], queue);
}

void import_write_locals(struct import *im, const char *queue)
{
	bool any = false;
	double weight;

	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *local = &im->m.items[i];

		if (!is_first(im, i, queue) ||
		    !space_weight(im, local, queue, &weight))
			continue;
		if (!any)
			fputs("    localQueues:\n", im->out);
		any = true;
		fprintf(im->out, "      - {name: %s, fairSharing: {weight: "
			"%.15g}}\n", yaml_word(local->space), weight);
	}
}
