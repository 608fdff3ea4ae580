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
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"
#include "value/amounts.h"
#include "value/scalar.h"
#include "value/tres.h"

/* The queue or cohort whose groups are read, and the current group */
struct groups {
	struct spec_queue *queue;	/* NULL for a cohort */
	struct spec_quota **quotas;
	size_t *nquotas;
	int *covered;		/* resources of all groups, group by group */
	size_t *covered_by;	/* the group of each */
	const char **names;	/* the name of each */
	size_t ncovered;
	size_t first;		/* of covered: where the group begins */
	bool certain;		/* its coveredResources are right */
	int *flavors;		/* of the group */
	size_t nflavors;
};

enum kind { NOMINAL, BORROWING, LENDING, KINDS };

/* What one flavor has of the group's resources */
struct flavor_quota {
	struct groups *g;
	int flavor;
	struct amounts amounts[KINDS];
};

static size_t group_size(const struct groups *g)
{
	return g->ncovered - g->first;
}

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

/* ---- flavors ---- */

static const struct reference flavor_reference = {
	.table = offsetof(struct reader, flavors), .section = "flavors"
};

static int limit_read(struct reader *r, const struct place *at,
		      struct node *n, void *dest, const void *arg)
{
	int rc = amounts_read(r, at, n, dest, arg);

	if (!r->has_parent)
		rc = field_error(r, at, n, "a limit needs a cohort to borrow "
				 "from and lend to (there is none above)");
	return rc;
}

static const struct field flavor_fields[] = {
	{ .key = "name", .read = value_reference, .arg = &flavor_reference,
	  .offset = offsetof(struct flavor_quota, flavor), .required = true },
	{ .key = "nominalQuota", .read = amounts_read, .required = true,
	  .offset = offsetof(struct flavor_quota, amounts[NOMINAL]) },
	{ .key = "borrowingLimit", .read = limit_read,
	  .offset = offsetof(struct flavor_quota, amounts[BORROWING]) },
	{ .key = "lendingLimit", .read = limit_read,
	  .offset = offsetof(struct flavor_quota, amounts[LENDING]) },
	{ .key = NULL }
};

static int flavor_once(struct reader *r, const struct place *at,
		       struct node *n, const struct flavor_quota *q)
{
	const struct place here = { .up = at, .key = "name" };
	struct groups *g = q->g;

	if (q->flavor == SPEC_NONE)
		return -1;
	for (size_t i = 0; i < g->nflavors; i++)
		if (g->flavors[i] == q->flavor)
			return field_error(r, &here, node_find(n, "name"),
					   "%s is in the group twice",
					   r->conf->spec->flavors[q->flavor]);
	g->flavors[g->nflavors++] = q->flavor;
	return 0;
}

/* Every covered resource needs a nominal quota. */
static int nominal_check(struct reader *r, const struct place *at,
			 struct node *n, const struct flavor_quota *q)
{
	const struct place here = { .up = at, .key = "nominalQuota" };
	const struct amounts *nominal = &q->amounts[NOMINAL];
	char missing[256] = "";
	size_t used = 0;

	if (!map_has_good(n, here.key))
		return -1;
	for (size_t i = 0; i < nominal->n && used < sizeof(missing); i++)
		if (nominal->of[i] == SPEC_NO_LIMIT)
			used += snprintf(missing + used,
					 sizeof(missing) - used, "%s%s",
					 used ? ", " : "", nominal->names[i]);
	if (!used)
		return 0;
	return field_error(r, &here, node_find(n, here.key), "no amount of "
			   "%s, which coveredResources names (0 would do)",
			   missing);
}

/* A queue cannot lend more than it has; a cohort can, from its members. */
static int lending_check(struct reader *r, const struct place *at,
			 struct node *n, const struct flavor_quota *q)
{
	const struct place here = { .up = at, .key = "lendingLimit" };
	const struct amounts *lending = &q->amounts[LENDING];
	const struct amounts *nominal = &q->amounts[NOMINAL];
	char amount[32], most[32];
	int rc = 0;

	for (size_t i = 0; q->g->queue && i < lending->n; i++) {
		const char *name = lending->names[i];

		if (nominal->of[i] == SPEC_NO_LIMIT ||
		    lending->of[i] <= nominal->of[i])
			continue;
		amount_format(name, lending->of[i], amount, sizeof(amount));
		amount_format(name, nominal->of[i], most, sizeof(most));
		rc = field_error(r, &here, node_find(n, here.key), "%s=%s is "
				 "over the nominal quota of %s", name, amount,
				 most);
	}
	return rc;
}

static int quotas_add(struct reader *r, const struct flavor_quota *q)
{
	struct groups *g = q->g;

	for (size_t i = 0; i < group_size(g); i++) {
		struct spec_quota *quota;

		quota = spec_add_quota(g->quotas, g->nquotas, q->flavor,
				       g->covered[g->first + i],
				       q->amounts[NOMINAL].of[i]);
		if (!quota)
			return report_nomem(r->report);
		quota->borrowing_limit = q->amounts[BORROWING].of[i];
		quota->lending_limit = q->amounts[LENDING].of[i];
	}
	return 0;
}

static int flavor_check(struct reader *r, const struct place *at,
			struct node *n, const struct flavor_quota *q)
{
	int rc = 0;

	if (flavor_once(r, at, n, q) < 0)
		rc = -1;
	if (nominal_check(r, at, n, q) < 0)
		rc = -1;
	if (lending_check(r, at, n, q) < 0)
		rc = -1;
	return rc;
}

/* dest: struct groups with room for one more flavor */
static int flavor_read(struct reader *r, const struct place *at,
		       struct node *n, void *dest, const void *arg)
{
	struct groups *g = dest;
	struct flavor_quota q = { .g = g, .flavor = SPEC_NONE };
	size_t size = group_size(g);
	int64_t *all = malloc((KINDS * size + 1) * sizeof(*all));
	int rc;

	(void) arg;
	if (!all)
		return report_nomem(r->report);
	for (size_t i = 0; i < KINDS * size; i++)
		all[i] = SPEC_NO_LIMIT;
	for (size_t kind = 0; kind < KINDS; kind++)
		q.amounts[kind] = (struct amounts) {
			.names = size ? g->names + g->first : NULL, .n = size,
			.open = !g->certain, .of = all + kind * size,
		};
	rc = map_read(r, at, n, &q, flavor_fields);
	if (n->kind == NODE_MAP && flavor_check(r, at, n, &q) < 0)
		rc = -1;
	if (!rc)
		rc = quotas_add(r, &q);
	free(all);
	return rc;
}

static int flavor_list_read(struct reader *r, const struct place *at,
			    struct node *list, void *dest, const void *arg)
{
	struct groups *g = dest;

	if (list->kind == NODE_LIST && !list->nitems)
		return field_error(r, at, list, "is empty");
	free(g->flavors);
	g->nflavors = 0;
	g->flavors = calloc(list->nitems + 1, sizeof(*g->flavors));
	if (!g->flavors)
		return report_nomem(r->report);
	return list_read(r, at, list, "a list of flavors with their quotas",
			 flavor_read, g, arg);
}

/* ---- groups ---- */

static const struct field group_fields[] = {
	{ .key = "coveredResources", .read = covered_list_read,
	  .required = true },
	{ .key = "flavors", .read = flavor_list_read, .required = true },
	{ .key = NULL }
};

/* Appends the current group to the queue's; it takes over the flavors. */
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
		.queue = queue,
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
		.quotas = &cohort->quotas, .nquotas = &cohort->nquotas,
	};

	(void) arg;
	return groups_read(r, at, list, &g);
}
