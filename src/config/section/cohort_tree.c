/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cohort_tree.c - do the cohorts form trees?
 *
 * Each cohort is walked up to one that is known to be good. A cohort that is
 * met twice on one walk is in a cycle. The cycle is reported once, at the
 * parent of its first member in the file. That link is then cut, so that later
 * walks end.
 */
#include <stdio.h>
#include <stdlib.h>

#include "section/sections.h"
#include "value/map.h"

#define UNSEEN 0		/* else: the level of the cohort, root = 1 */

struct walk {
	struct spec_cohort *cohorts;
	int *level;
	int *met;		/* number of the walk that met it last, + 1 */
};

/* "ml -> org -> ml", from the first member in the file, as far as it fits */
static void cycle_format(const struct spec_cohort *cohorts, int first,
			 char *buf, size_t size)
{
	size_t used = snprintf(buf, size, "%s", cohorts[first].name);
	int i = cohorts[first].parent;

	for (; i != first && used < size; i = cohorts[i].parent)
		used += snprintf(buf + used, size - used, " -> %s",
				 cohorts[i].name);
	if (used < size)
		used += snprintf(buf + used, size - used, " -> %s",
				 cohorts[first].name);
	if (used >= size)
		snprintf(buf + size - 4, 4, "...");
}

static int cycle_report(struct reader *r, const struct place *at,
			struct node *list, struct spec_cohort *cohorts,
			int member)
{
	char cycle[512];
	int first = member;
	struct place item = { .up = at };
	const struct place here = { .up = &item, .key = "parent" };

	for (int i = cohorts[member].parent; i != member;
	     i = cohorts[i].parent)
		if (i < first)
			first = i;
	item.index = first;
	cycle_format(cohorts, first, cycle, sizeof(cycle));
	cohorts[first].parent = SPEC_NONE;
	return field_error(r, &here, node_find(list->items[first], "parent"),
			   "is a cycle: %s", cycle);
}

/* Walks up from cohort i: its level, or -1 with *member of a cycle */
static int level_find(struct walk *w, int i, int *member)
{
	int up, steps = 0, base = 0;

	for (up = i; up != SPEC_NONE; up = w->cohorts[up].parent) {
		if (w->level[up] != UNSEEN) {
			base = w->level[up];
			break;
		}
		if (w->met[up] == i + 1) {
			*member = up;
			return -1;
		}
		w->met[up] = i + 1;
		steps++;
	}
	for (int level = base + steps, c = i; steps--; level--) {
		w->level[c] = level;
		c = w->cohorts[c].parent;
	}
	return w->level[i];
}

static int cohort_check(struct reader *r, const struct place *at,
			struct node *list, struct walk *w, int i)
{
	struct place here = { .up = at, .index = i };
	int member, level, rc = 0;

	level = level_find(w, i, &member);
	if (level < 0) {
		rc = cycle_report(r, at, list, w->cohorts, member);
		/* else the marks of this walk would look like another cycle */
		for (int c = i; c != SPEC_NONE && w->met[c] == i + 1;
		     c = w->cohorts[c].parent)
			w->met[c] = 0;
		level = level_find(w, i, &member);
	}
	if (level == COHORT_LEVELS_MAX + 1)
		rc = field_error(r, &here, list->items[i], "\"%s\" is deeper "
				 "than %d levels of cohorts",
				 w->cohorts[i].name, COHORT_LEVELS_MAX);
	return rc;
}

int cohort_tree_check(struct reader *r, const struct place *at,
		      struct node *list)
{
	size_t n = r->conf->spec->ncohorts;
	struct walk w = {
		.cohorts = r->conf->spec->cohorts,
		.level = calloc(n + 1, sizeof(int)),
		.met = calloc(n + 1, sizeof(int)),
	};
	int rc = 0;

	if (!w.level || !w.met)
		rc = report_nomem(r->report);
	for (size_t i = 0; w.level && w.met && i < n; i++)
		if (cohort_check(r, at, list, &w, (int) i) < 0)
			rc = -1;
	free(w.level);
	free(w.met);
	return rc;
}
