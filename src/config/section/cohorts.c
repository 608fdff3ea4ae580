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

/* ---- do the cohorts form trees? ----
 *
 * Each cohort is walked up to one whose level is known. A cohort that is met
 * twice on one walk is in a cycle. The cycle is reported once, at the parent of
 * its first member in the file. That link is then cut, so that later walks
 * end. */

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

/* Sets the levels of cohort i and of those above it; that of a root is 1. The
 * walk leaves a mark of its own, below 0. */
static int tree_check(struct reader *r, struct node *list, int *levels, int i)
{
	struct spec_cohort *cohorts = r->conf->spec->cohorts;
	const int mark = -1 - i;
	int rc = 0, steps = 0, level, c;

	for (c = i; c != SPEC_NONE && levels[c] <= 0; c = cohorts[c].parent) {
		if (levels[c] == mark) {
			rc = cycle_report(r, list, c);
			break;
		}
		levels[c] = mark;
	}
	for (c = i; c != SPEC_NONE && levels[c] <= 0; c = cohorts[c].parent)
		steps++;
	level = steps + (c == SPEC_NONE ? 0 : levels[c]);
	for (c = i; steps; steps--, c = cohorts[c].parent)
		levels[c] = level--;
	if (levels[i] == COHORT_LEVELS_MAX + 1)
		rc = node_error(r, node_item(list, i), "\"%s\" is deeper than %d levels of cohorts",
				cohorts[i].name, COHORT_LEVELS_MAX);
	return rc;
}

static int trees_check(struct reader *r, struct node *list)
{
	size_t n = r->conf->spec->ncohorts;
	int *levels = calloc(n + 1, sizeof(*levels)), rc = 0;

	if (!levels)
		return report_nomem(r->report);
	for (size_t i = 0; i < n; i++)
		if (tree_check(r, list, levels, (int) i) < 0)
			rc = -1;
	free(levels);
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

	return trees_check(v->r, v->n) < 0 ? -1 : rc;
}
