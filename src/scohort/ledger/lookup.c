/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup.c - queues, cohorts, quotas and flavors in the published document
 */
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/output.h"
#include "slurm/nodes.h"

static struct json_object *by_name(const struct published *p, const char *list, const char *name)
{
	for (size_t i = 0; i < json_items(p->document, list); i++) {
		struct json_object *o = json_item(p->document, list, i);

		if (!strcmp(json_text(o, "name"), name))
			return o;
	}
	return NULL;
}

struct json_object *published_queue(const struct published *p, const char *name)
{
	return by_name(p, "clusterQueues", name);
}

struct json_object *published_cohort(const struct published *p, const char *name)
{
	return by_name(p, "cohorts", name);
}

struct json_object *published_flavor(const struct published *p, const char *name)
{
	return by_name(p, "flavors", name);
}

static bool is_any_or(const char *asked, const char *name)
{
	return !*asked || !strcmp(asked, name);
}

struct json_object *published_quota(struct json_object *node,
				    const char *flavor, const char *resource)
{
	for (size_t i = 0; i < json_items(node, "quota"); i++) {
		struct json_object *o = json_item(node, "quota", i);

		if (is_any_or(flavor, json_text(o, "flavor"))
		    && is_any_or(resource, json_text(o, "resource")))
			return o;
	}
	return NULL;
}

const char *published_stop(struct json_object *queue)
{
	const char *stop = json_text(queue, "stopPolicy");

	return strcmp(stop, "None") ? stop : "";
}

const char *published_root(const struct published *p, struct json_object *queue)
{
	const char *name = json_text(queue, "cohort"), *parent = name;

	while (*parent) {
		name = parent;
		parent = json_text(published_cohort(p, name), "parent");
	}
	return name;
}

/* ---- flavors ---- */

const char *published_flavor_of(const struct published *p, struct json_object *queue,
				const char *resource, const char *nodes)
{
	for (size_t i = 0; i < json_items(queue, "quota"); i++) {
		struct json_object *quota = json_item(queue, "quota", i);
		const char *flavor = json_text(quota, "flavor"), *among;

		if (strcmp(json_text(quota, "resource"), resource))
			continue;
		among = json_text(published_flavor(p, flavor), "nodes");
		if (nodes_are_among(nodes, *among ? among : NULL))
			return flavor;
	}
	return "";
}

bool published_has_names(const struct published *p, char **names, int n, bool cohorts)
{
	bool known = true;

	for (int i = 0; i < n; i++) {
		if (published_queue(p, names[i]) || (cohorts && published_cohort(p, names[i])))
			continue;
		complain("there is no cluster queue %s\"%s\"",
			 cohorts ? "or cohort " : "", names[i]);
		known = false;
	}
	return known;
}
