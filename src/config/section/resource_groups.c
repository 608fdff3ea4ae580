/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resource_groups.c - resource groups of cluster queues and cohorts
 *
 *	resourceGroups:
 *	  - coveredResources: [cpu, mem, gres/gpu]
 *	    flavors:			# in order of preference
 *	      - name: a100
 *	        nominalQuota: cpu=256,mem=2T,gres/gpu=32
 *	        borrowingLimit: {gres/gpu: 16}
 *	        lendingLimit: gres/gpu=24
 *	        temporaryQuota: [...]		# temporary.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "section/resource_groups.h"
#include "section/sections.h"
#include "value/scalar.h"
#include "value/tres.h"

/* ---- coveredResources ---- */

static int covered_check(struct reader *r, const struct place *at,
			 struct node *n)
{
	const char *name = value_text(r, at, n, "a resource");
	char err[160];

	if (!name)
		return -1;
	if (resource_check(name, err, sizeof(err)) < 0)
		return field_error(r, at, n, "%s %s", quote(name).text, err);
	if (r->conf->spec->nresources >= RESOURCES_MAX &&
	    spec_find_resource(r->conf->spec, name) == SPEC_NONE)
		return field_error(r, at, n, "more than %d resources",
				   RESOURCES_MAX);
	return 0;
}

/* dest: struct groups with room for one more */
static int covered_read(struct reader *r, const struct place *at,
			struct node *n, void *dest, const void *arg)
{
	struct groups *g = dest;
	size_t group = at->up->up->index;
	int resource;

	(void) arg;
	if (covered_check(r, at, n) < 0)
		return -1;
	resource = spec_resource(r->conf->spec, n->text);
	if (resource < 0)
		return report_nomem(r->report);
	for (size_t i = 0; i < g->ncovered; i++) {
		if (g->covered[i] != resource)
			continue;
		if (g->covered_by[i] == group)
			return field_error(r, at, n, "%s is there twice",
					   n->text);
		return field_error(r, at, n, "%s is in two groups (first in "
				   "resourceGroups[%zu])", n->text,
				   g->covered_by[i]);
	}
	g->covered[g->ncovered] = resource;
	g->names[g->ncovered] = r->conf->spec->resources[resource];
	g->covered_by[g->ncovered++] = group;
	return 0;
}

/* Makes room for n more. */
static int covered_grow(struct reader *r, struct groups *g, size_t n)
{
	size_t room = g->ncovered + n;
	int *covered = realloc(g->covered, room * sizeof(*covered));
	size_t *covered_by;
	const char **names;

	if (!covered)
		return report_nomem(r->report);
	g->covered = covered;
	covered_by = realloc(g->covered_by, room * sizeof(*covered_by));
	if (!covered_by)
		return report_nomem(r->report);
	g->covered_by = covered_by;
	names = realloc(g->names, room * sizeof(*names));
	if (!names)
		return report_nomem(r->report);
	g->names = names;
	return 0;
}

static int covered_list_read(struct reader *r, const struct place *at,
			     struct node *list, void *dest, const void *arg)
{
	struct groups *g = dest;

	if (list->kind == NODE_LIST && !list->nitems)
		return field_error(r, at, list, "is empty");
	if (covered_grow(r, g, list->nitems + 1) < 0 ||
	    list_read(r, at, list, "a list of resources like [cpu, mem]",
		      covered_read, g, arg) < 0)
		return -1;
	g->certain = true;
	return 0;
}

/* ---- groups ---- */

static const struct field group_fields[] = {
	{ .key = "coveredResources", .read = covered_list_read,
	  .required = true },
	{ .key = "flavors", .read = flavor_quotas_read, .required = true },
	{ .key = NULL }
};

/* Appends the current group to the queue's groups, which take over its
 * flavors */
static int group_publish(struct reader *r, struct groups *g)
{
	size_t bytes = group_size(g) * sizeof(int);
	struct spec_queue *queue = g->queue;
	struct spec_group *groups, *group;

	groups = realloc(queue->groups,
			 (queue->ngroups + 1) * sizeof(*groups));
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

static int group_read(struct reader *r, const struct place *at,
		      struct node *n, void *dest, const void *arg)
{
	struct groups *g = dest;

	(void) arg;
	g->first = g->ncovered;
	g->certain = false;
	if (map_read(r, at, n, g, group_fields) < 0)
		return -1;
	return g->queue ? group_publish(r, g) : 0;
}

static int groups_read(struct reader *r, const struct place *at,
		       struct node *list, struct groups *g)
{
	int rc = list_read(r, at, list, "a list of resource groups",
			   group_read, g, NULL);

	free(g->covered);
	free(g->covered_by);
	free(g->names);
	free(g->flavors);
	return rc;
}

int queue_groups_read(struct reader *r, const struct place *at,
		      struct node *list, void *dest, const void *arg)
{
	struct spec_queue *queue = dest;
	struct groups g = {
		.queue = queue, .node = (int) (queue - r->conf->spec->queues),
		.quotas = &queue->quotas, .nquotas = &queue->nquotas,
	};

	(void) arg;
	return groups_read(r, at, list, &g);
}

int cohort_groups_read(struct reader *r, const struct place *at,
		       struct node *list, void *dest, const void *arg)
{
	struct spec_cohort *cohort = dest;
	struct groups g = {
		.node = (int) (cohort - r->conf->spec->cohorts),
		.quotas = &cohort->quotas, .nquotas = &cohort->nquotas,
	};

	(void) arg;
	return groups_read(r, at, list, &g);
}
