/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cohorts.c - groups of cluster queues that lend to each other
 *
 *	cohorts:
 *	  - {name: org}
 *	  - name: ml
 *	    parent: org
 *	    resourceGroups: [...]		# resource_groups.c
 *	    fairSharing: {weight: 2}
 *	    preemptMinRuntime: 10m
 *	    reclaimMinRuntime: 30m
 */
#include "section/sections.h"
#include "value/scalar.h"

static const struct reference parent_reference = {
	.table = offsetof(struct reader, cohorts), .section = "cohorts"
};

static const struct field fair_fields[] = {
	{ .key = "weight", .read = value_weight,
	  .offset = offsetof(struct spec_cohort, weight) },
	{ .key = NULL }
};

static const struct field cohort_fields[] = {
	{ .key = "name", .read = value_name, .required = true },
	{ .key = "parent", .read = value_reference, .arg = &parent_reference,
	  .offset = offsetof(struct spec_cohort, parent) },
	{ .key = "resourceGroups", .read = cohort_groups_read },
	{ .key = "fairSharing", .read = map_read, .arg = fair_fields },
	{ .key = "preemptMinRuntime", .read = value_time,
	  .offset = offsetof(struct spec_cohort, preempt_min_runtime) },
	{ .key = "reclaimMinRuntime", .read = value_time,
	  .offset = offsetof(struct spec_cohort, reclaim_min_runtime) },
	{ .key = NULL }
};

static int cohort_add(struct spec *spec, const char *name)
{
	return spec_add_cohort(spec, name) ? (int) spec->ncohorts - 1 : -1;
}

static int cohort_read(struct reader *r, const struct place *at,
		       struct node *n, void *dest, const void *arg)
{
	struct spec *spec = r->conf->spec;

	(void) dest;
	(void) arg;
	if (at->index >= spec->ncohorts)
		return -1;	/* no memory when it was declared */
	r->has_parent = node_find(n, "parent") != NULL;
	return map_read(r, at, n, &spec->cohorts[at->index], cohort_fields);
}

int cohorts_read(struct reader *r, const struct place *at, struct node *list,
		 void *dest, const void *arg)
{
	int rc;

	rc = names_declare(r, at, list, COHORTS_MAX, r->cohorts, cohort_add);
	if (rc < 0 && !r->conf->spec->ncohorts)
		return -1;
	if (list_read(r, at, list, "a list of cohorts", cohort_read, dest,
		      arg) < 0)
		rc = -1;
	if (cohort_tree_check(r, at, list) < 0)
		rc = -1;
	return rc;
}
