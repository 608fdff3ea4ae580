/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quotas.c - resource groups of cluster queues and cohorts
 *
 *	resourceGroups:
 *	  - coveredResources: [cpu, mem, gres/gpu]
 *	    flavors:			# in order of preference
 *	      - name: a100
 *	        nominalQuota: cpu=256,mem=2T,gres/gpu=32
 *	        borrowingLimit: {gres/gpu: 16}
 *	        lendingLimit: gres/gpu=24
 *	        temporaryQuota: [...]		# amounts.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "section/groups.h"
#include "value/tres.h"

/* ---- coveredResources ---- */

static int covered_read(struct value *v)
{
	struct spec *spec = v->r->conf->spec;
	struct groups *g = v->r->groups;
	const char *name = value_text(v, "a resource");
	char err[160];
	int resource;

	if (!name)
		return -1;
	if (resource_check(name, err, sizeof(err)) < 0)
		return value_error(v, "%s %s", quote(name).text, err);
	if (spec->nresources >= RESOURCES_MAX && spec_find_resource(spec, name) == SPEC_NONE)
		return value_error(v, "more than %d resources", RESOURCES_MAX);
	resource = spec_resource(spec, name);
	if (resource < 0)
		return report_nomem(v->r->report);
	for (size_t i = 0; i < g->ncovered; i++) {
		if (g->covered[i] != resource)
			continue;
		if (g->covered_by[i] == g->group)
			return value_error(v, "%s is there twice", name);
		return value_error(v, "%s is in two groups (first in resourceGroups[%zu])", name,
				   g->covered_by[i]);
	}
	g->covered[g->ncovered] = resource;
	g->covered_by[g->ncovered++] = g->group;
	return 0;
}

static int covered_list_read(struct value *v)
{
	if (list_read(v, "a list of resources like [cpu, mem]", covered_read, NULL) < 0)
		return -1;
	v->r->groups->certain = true;
	return 0;
}

/* ---- flavors ---- */

static int limit_read(struct value *v)
{
	int rc = amounts_read(v);

	if (!v->r->has_parent)
		rc = value_error(v, "a limit needs a cohort to borrow from and lend to (there is "
				 "none above)");
	return rc;
}

#define GROUPS(member) IN(groups, member)

static const struct key flavor_keys[] = {
	{ "name", value_flavor, GROUPS(flavor), .required = true },
	{ "nominalQuota", amounts_read, GROUPS(amounts[NOMINAL]), .required = true },
	{ "borrowingLimit", limit_read, GROUPS(amounts[BORROWING]) },
	{ "lendingLimit", limit_read, GROUPS(amounts[LENDING]) },
	{ "temporaryQuota", .read = temporary_read },
	NO_KEY
};

static int flavor_once(struct value *v)
{
	struct groups *g = v->r->groups;

	if (g->flavor == SPEC_NONE)
		return -1;
	for (size_t i = 0; i < g->nflavors; i++)
		if (g->flavors[i] == g->flavor)
			return node_error(v->r, node_find(v->n, "name"), "%s is in the group twice",
					  v->r->conf->spec->flavors[g->flavor]);
	g->flavors[g->nflavors++] = g->flavor;
	return 0;
}

/* Every covered resource needs a nominal quota. */
static int nominal_check(struct value *v)
{
	struct node *n = node_find(v->n, "nominalQuota");
	const struct groups *g = v->r->groups;
	char missing[256] = "";
	size_t used = 0;

	if (!n || n->bad)
		return -1;
	for (size_t i = 0; i < group_size(g) && used < sizeof(missing); i++)
		if (g->amounts[NOMINAL][i] == SPEC_NO_LIMIT)
			used += snprintf(missing + used, sizeof(missing) - used, "%s%s",
					 used ? ", " : "", group_resource(v->r, i));
	if (!used)
		return 0;
	return node_error(v->r, n, "no amount of %s, which coveredResources names (0 would do)",
			  missing);
}

/* A queue cannot lend more than it has; a cohort can, from its members. */
static int lending_check(struct value *v)
{
	const struct groups *g = v->r->groups;
	int rc = 0;

	for (size_t i = 0; g->queue && i < group_size(g); i++) {
		const char *name = group_resource(v->r, i);
		int64_t nominal = g->amounts[NOMINAL][i];
		int64_t lending = g->amounts[LENDING][i];
		char amount[32], most[32];

		if (nominal == SPEC_NO_LIMIT || lending <= nominal)
			continue;
		amount_format(name, lending, amount, sizeof(amount));
		amount_format(name, nominal, most, sizeof(most));
		rc = node_error(v->r, node_find(v->n, "lendingLimit"),
				"%s=%s is over the nominal quota of %s", name, amount, most);
	}
	return rc;
}

static int quotas_add(struct reader *r, const struct groups *g)
{
	for (size_t i = 0; i < group_size(g); i++) {
		struct spec_quota *quota;

		quota = spec_add_quota(g->quotas, g->nquotas, g->flavor, g->covered[g->first + i],
				       g->amounts[NOMINAL][i]);
		if (!quota)
			return report_nomem(r->report);
		quota->borrowing_limit = g->amounts[BORROWING][i];
		quota->lending_limit = g->amounts[LENDING][i];
	}
	return 0;
}

static int flavor_read(struct value *v)
{
	struct groups *g = v->r->groups;
	int rc;

	g->flavor = SPEC_NONE;
	for (size_t kind = 0; kind < QUOTA_KINDS; kind++)
		amounts_clear(g->amounts[kind]);
	rc = keys_read(v->r, v->n, g, flavor_keys);
	if (v->n->kind != NODE_MAP)
		return -1;
	if (flavor_once(v) < 0)
		rc = -1;
	if (nominal_check(v) < 0)
		rc = -1;
	if (lending_check(v) < 0)
		rc = -1;
	return rc < 0 ? rc : quotas_add(v->r, g);
}

static int flavors_of_group_read(struct value *v)
{
	struct groups *g = v->r->groups;

	g->flavors = calloc(v->n->nitems + 1, sizeof(*g->flavors));
	if (!g->flavors)
		return report_nomem(v->r->report);
	return list_read(v, "a list of flavors with their quotas", flavor_read, NULL);
}

/* ---- groups ---- */

static const struct key group_keys[] = {
	{ "coveredResources", .read = covered_list_read, .min = 1, .required = true },
	{ "flavors", .read = flavors_of_group_read, .min = 1, .required = true },
	NO_KEY
};

/* Appends the current group to the queue's groups, which take over its flavors. */
static int group_publish(struct reader *r, struct groups *g)
{
	struct spec_queue *queue = g->queue;
	struct spec_group *groups, *group;
	size_t bytes = group_size(g) * sizeof(int);

	groups = realloc(queue->groups, (queue->ngroups + 1) * sizeof(*groups));
	if (!groups)
		return report_nomem(r->report);
	queue->groups = groups;
	group = &groups[queue->ngroups];
	group->resources = malloc(bytes);
	if (!group->resources)
		return report_nomem(r->report);
	memcpy(group->resources, g->covered + g->first, bytes);
	group->nresources = group_size(g);
	group->flavors = g->flavors;
	group->nflavors = g->nflavors;
	queue->ngroups++;
	g->flavors = NULL;
	return 0;
}

static int group_read(struct value *v)
{
	struct groups *g = v->r->groups;
	int rc;

	g->group = v->n->at.index;
	g->first = g->ncovered;
	g->certain = false;
	g->nflavors = 0;
	rc = keys_read(v->r, v->n, g, group_keys);
	if (!rc && g->queue)
		rc = group_publish(v->r, g);
	free(g->flavors);
	g->flavors = NULL;
	return rc;
}

static int groups_read(struct value *v, struct groups *g)
{
	v->r->groups = g;
	return list_read(v, "a list of resource groups", group_read, NULL);
}

int queue_groups_read(struct value *v)
{
	struct spec_queue *queue = v->dest;

	return groups_read(v, &(struct groups) {
		.queue = queue, .node = (int) (queue - v->r->conf->spec->queues),
		.quotas = &queue->quotas, .nquotas = &queue->nquotas, });
}

int cohort_groups_read(struct value *v)
{
	struct spec_cohort *cohort = v->dest;

	return groups_read(v, &(struct groups) {
		.node = (int) (cohort - v->r->conf->spec->cohorts),
		.quotas = &cohort->quotas, .nquotas = &cohort->nquotas, });
}
