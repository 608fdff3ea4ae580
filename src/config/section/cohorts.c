/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cohorts.c - groups of cluster queues that lend to each other
 */
#include <stdio.h>
#include <stdlib.h>

#include "section/sections.h"

#define COHORT(member) IN(spec_cohort, member)

static const struct key cohort_keys[] = {
	{ "name", value_string, .arg = &name_rule, .required = true },
	{ "parent", value_cohort, COHORT(parent) },
	{ "resourceGroups", .read = cohort_groups_read },
	{ "fairSharing", map_read, KEYS(
		{ "weight", value_weight, COHORT(weight) }) },
	{ "preemptMinRuntime", value_time, COHORT(preempt_min_runtime) },
	{ "reclaimMinRuntime", value_time, COHORT(reclaim_min_runtime) },
	NO_KEY
};

/* ---- do the cohorts form trees? ---- */

/* "ml -> org -> ml", from the first member in the file, as far as it fits */
static void cycle_format(const struct spec_cohort *cohorts, int first, char *buf, size_t size)
{
	size_t used = snprintf(buf, size, "%s", cohorts[first].name);
	int i = first;

	do {
		i = cohorts[i].parent;
		used += snprintf(buf + used, size - used, " -> %s", cohorts[i].name);
	} while (i != first && used < size);
	if (used >= size)
		snprintf(buf + size - 4, 4, "...");
}

/* Reports the cycle at the parent of its first member in the file, and cuts that link, so that
 * later walks end. */
static int cycle_report(struct reader *r, struct node *list, int member)
{
	struct spec_cohort *cohorts = r->conf->spec->cohorts;
	int first = member;
	char cycle[512];

	for (int i = cohorts[member].parent; i != member; i = cohorts[i].parent)
		if (i < first)
			first = i;
	cycle_format(cohorts, first, cycle, sizeof(cycle));
	cohorts[first].parent = SPEC_NONE;
	return node_error(r, node_find(node_item(list, first), "parent"), "is a cycle: %s", cycle);
}

/* Each cohort is walked up from. One that is met twice on one walk is in a cycle. */
static int cycles_check(struct reader *r, struct node *list)
{
	const struct spec *spec = r->conf->spec;
	size_t *met = calloc(spec->ncohorts + 1, sizeof(*met));	/* by which walk, from 1 */
	int rc = 0, c;

	if (!met)
		return report_nomem(r->report);
	for (size_t i = 0; i < spec->ncohorts; i++) {
		for (c = (int) i; c != SPEC_NONE && !met[c]; c = spec->cohorts[c].parent)
			met[c] = i + 1;
		if (c != SPEC_NONE && met[c] == i + 1)
			rc = cycle_report(r, list, c);
	}
	free(met);
	return rc;
}

/* Only the first one that is too deep is reported on each way down. */
static int levels_check(struct reader *r, struct node *list)
{
	const struct spec *spec = r->conf->spec;
	int rc = 0;

	for (size_t i = 0; i < spec->ncohorts; i++) {
		int c = (int) i, level = 0;

		for (; c != SPEC_NONE && level <= COHORT_LEVELS_MAX; c = spec->cohorts[c].parent)
			level++;
		if (c == SPEC_NONE && level > COHORT_LEVELS_MAX)
			rc = node_error(r, node_item(list, i), "\"%s\" is deeper than %d levels of "
					"cohorts", spec->cohorts[i].name, COHORT_LEVELS_MAX);
	}
	return rc;
}

/* ---- the section ---- */

static int cohort_read(struct value *v)
{
	v->r->has_parent = node_find(v->n, "parent") != NULL;
	return keys_read(v->r, v->n, &v->r->conf->spec->cohorts[v->n->at.index], cohort_keys);
}

static int cohorts_add(struct reader *r, const struct node *list)
{
	for (size_t i = 0; i < list->nitems; i++)
		if (!spec_add_cohort(r->conf->spec, item_name(list->items[i])))
			return -1;
	return 0;
}

int cohorts_read(struct value *v)
{
	int rc = named_list_read(v, "a list of cohorts", &v->r->cohorts, cohorts_add, cohort_read);

	if (cycles_check(v->r, v->n) < 0)
		rc = -1;
	return levels_check(v->r, v->n) < 0 ? -1 : rc;
}
