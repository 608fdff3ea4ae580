/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promised.c - quotas that promise more than the nodes have
 */
#include <stdio.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "lib/sat.h"
#include "output/text.h"
#include "slurm/nodes.h"
#include "status/status.h"

/* What those of one list of the document own */
static int64_t owned_sum(const struct published *p, const char *list,
			 const char *flavor, const char *resource)
{
	int64_t sum = 0;

	for (size_t i = 0; i < json_items(p->document, list); i++)
		sum = sat_add(sum, json_number(published_quota(
			json_item(p->document, list, i), flavor, resource), "nominal"));
	return sum;
}

/* -1: nodes have none of it */
static int64_t nodes_sum(const struct node_view_list *nodes,
			 struct node_set *set, const char *resource)
{
	int64_t sum = node_amount(resource, 0, 0, NULL);

	for (size_t i = 0; sum >= 0 && i < nodes->n; i++) {
		const struct node_view *v = &nodes->views[i];

		if (node_set_has(set, v->name))
			sum = sat_add(sum, node_amount(resource, v->cpus, v->memory, v->gres));
	}
	return sum;
}

static void pair_check(const struct published *p,
		       const struct node_view_list *nodes, struct node_set *set,
		       const char *flavor, const char *resource, struct json_object *notes)
{
	int64_t have = nodes_sum(nodes, set, resource);
	int64_t owned = sat_add(owned_sum(p, "clusterQueues", flavor, resource),
				owned_sum(p, "cohorts", flavor, resource));
	char more[TEXT_SIZE], less[TEXT_SIZE], line[512];

	if (have < 0 || owned <= have)
		return;
	snprintf(line, sizeof(line), "The quotas of flavor %s sum to %s, and its nodes have %s: "
		 "not all that is free can be used.", flavor,
		 text_amount_of(more, sizeof(more), resource, owned),
		 text_amount(less, sizeof(less), resource, have));
	json_object_array_add(notes, json_object_new_string(line));
}

void promised_add(const struct published *p, struct json_object *pairs, struct json_object *notes)
{
	struct node_view_list nodes = { .n = 0 };
	char err[256];

	/* none: PrivateData hides them, or slurmctld is busy */
	if (node_views_load(&nodes, NULL, err, sizeof(err)) || !nodes.n) {
		node_views_free(&nodes);
		return;
	}
	json_object_object_foreach(pairs, flavor, resources) {
		const char *of = json_text(published_flavor(p, flavor), "nodes");
		struct node_set *set = node_set_make(*of ? of : NULL);

		json_object_object_foreach(resources, resource, quota) {
			(void) quota;
			pair_check(p, &nodes, set, flavor, resource, notes);
		}
		node_set_free(set);
	}
	node_views_free(&nodes);
}
