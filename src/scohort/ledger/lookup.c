/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup.c - queues, cohorts, flavors and places in the published document
 */
#include <fnmatch.h>
#include <string.h>

#include "ledger/published.h"

static struct json_object *by_name(const struct published *p, const char *list,
				   const char *name)
{
	for (size_t i = 0; i < json_items(p->document, list); i++) {
		struct json_object *o = json_item(p->document, list, i);

		if (!strcmp(json_text(o, "name"), name))
			return o;
	}
	return NULL;
}

struct json_object *published_queue(const struct published *p,
				    const char *name)
{
	return by_name(p, "clusterQueues", name);
}

struct json_object *published_cohort(const struct published *p,
				     const char *name)
{
	return by_name(p, "cohorts", name);
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

const char *published_root(const struct published *p,
			   struct json_object *queue)
{
	const char *name = json_text(queue, "cohort"), *parent = name;

	for (int depth = 0; *parent && depth < 64; depth++) {
		name = parent;
		parent = json_text(published_cohort(p, name), "parent");
	}
	return name;
}

/* ---- rules ---- */

static bool pattern_holds(struct json_object *rule, const char *key,
			  const char *value)
{
	const char *pattern = json_text(rule, key);

	return !*pattern || (value && !fnmatch(pattern, value, 0));
}

/* slurmctld goes by the first partition of several. */
static bool partition_holds(struct json_object *rule, const struct view *v)
{
	char first[256] = "";

	if (v->partition)
		snprintf(first, sizeof(first), "%.*s",
			 (int) strcspn(v->partition, ","), v->partition);
	return pattern_holds(rule, "partition", v->partition ? first : NULL);
}

static bool rule_holds(struct json_object *rule, const struct view *v)
{
	return partition_holds(rule, v)
	       && pattern_holds(rule, "qos", v->qos)
	       && pattern_holds(rule, "account", v->account);
}

struct json_object *published_match(const struct published *p,
				    const struct view *v, bool *sure)
{
	*sure = true;
	for (size_t i = 0; i < json_items(p->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(p->document,
						      "clusterQueues", i);

		for (size_t k = 0; k < json_items(queue, "match"); k++) {
			struct json_object *rule = json_item(queue, "match", k);

			if (!rule_holds(rule, v))
				continue;
			if (!json_truth(rule, "user"))
				return queue;
			*sure = false;
		}
	}
	return NULL;
}

/* ---- flavors ---- */

const char *published_flavor_of(const struct published *p,
				struct json_object *queue,
				const char *resource, const char *nodes)
{
	for (size_t i = 0; i < json_items(queue, "quota"); i++) {
		struct json_object *quota = json_item(queue, "quota", i);
		const char *flavor = json_text(quota, "flavor"), *among;

		if (strcmp(json_text(quota, "resource"), resource))
			continue;
		among = json_text(by_name(p, "flavors", flavor), "nodes");
		if (nodes_are_among(nodes, *among ? among : NULL))
			return flavor;
	}
	return "";
}
