/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advice.c - warnings: settings that are legal, but hardly meant
 */
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"

/* Each rule is compared with at most this many earlier ones: to compare all
 * with all would take too long in a huge file. */
#define RULES_COMPARED 1024

static void queues_advise(struct reader *r, struct node *list)
{
	const struct place at = { .key = "clusterQueues" };
	const struct spec *spec = r->conf->spec;

	if (!spec->nqueues)
		report_warning(r->report, &at, list->line, "is empty: no job "
			       "is managed");
	for (size_t i = 0; i < spec->nqueues; i++) {
		struct place here = { .up = &at, .index = i };
		const struct conf_queue *queue = &r->conf->queues[i];

		if (!queue->nmatches)
			report_warning(r->report, &here, queue->line,
				       "\"%s\" has no match rules: no job can "
				       "enter it", spec->queues[i].name);
		if (!spec->queues[i].ngroups)
			report_warning(r->report, &here, queue->line,
				       "\"%s\" has no resourceGroups: it "
				       "limits nothing", spec->queues[i].name);
	}
}

static void flavors_mark(const struct spec_quota *quotas, size_t n, bool *used)
{
	for (size_t i = 0; i < n; i++)
		used[quotas[i].flavor] = true;
}

static void flavors_advise(struct reader *r)
{
	const struct place at = { .key = "flavors" };
	const struct spec *spec = r->conf->spec;
	bool used[FLAVORS_MAX] = { false };

	for (size_t i = 0; i < spec->ncohorts; i++)
		flavors_mark(spec->cohorts[i].quotas,
			     spec->cohorts[i].nquotas, used);
	for (size_t i = 0; i < spec->nqueues; i++)
		flavors_mark(spec->queues[i].quotas, spec->queues[i].nquotas,
			     used);
	for (size_t i = 0; i < spec->nflavors; i++) {
		struct place here = { .up = &at, .index = i };

		if (!used[i])
			report_warning(r->report, &here,
				       r->conf->flavors[i].line, "\"%s\" has "
				       "no quota anywhere", spec->flavors[i]);
	}
}

static void cohorts_advise(struct reader *r, const struct node *list)
{
	const struct place at = { .key = "cohorts" };
	const struct spec *spec = r->conf->spec;
	bool *used = calloc(spec->ncohorts + 1, sizeof(*used));

	if (!used) {
		report_nomem(r->report);
		return;
	}
	for (size_t i = 0; i < spec->nqueues; i++)
		for (int c = spec->queues[i].cohort;
		     c != SPEC_NONE && !used[c]; c = spec->cohorts[c].parent)
			used[c] = true;
	for (size_t i = 0; i < spec->ncohorts; i++) {
		struct place here = { .up = &at, .index = i };

		if (!used[i])
			report_warning(r->report, &here, list->items[i]->line,
				       "\"%s\" has no cluster queues",
				       spec->cohorts[i].name);
	}
	free(used);
}

/* ---- rules that can never match ---- */

struct rules {
	struct {
		const struct conf_match *rule;
		size_t queue;
		size_t index;
	} of[RULES_COMPARED];
	size_t n;
};

static bool key_covers(const char *pattern, const char *other)
{
	return !pattern || (other && (!strcmp(pattern, "*") ||
				      !strcmp(pattern, other)));
}

/* Does the first rule match all that the second one matches, as far as the
 * texts show? */
static bool rule_covers(const struct conf_match *a, const struct conf_match *b)
{
	return key_covers(a->partition, b->partition) &&
	       key_covers(a->qos, b->qos) &&
	       key_covers(a->account, b->account) &&
	       key_covers(a->user, b->user);
}

static void rule_advise(struct reader *r, struct rules *seen, size_t queue,
			size_t index)
{
	const struct place list = { .key = "clusterQueues" };
	const struct place item = { .up = &list, .index = queue };
	const struct place match = { .up = &item, .key = "match" };
	const struct place at = { .up = &match, .index = index };
	const struct conf_match *rule = &r->conf->queues[queue].matches[index];
	size_t i = 0;

	while (i < seen->n && !rule_covers(seen->of[i].rule, rule))
		i++;
	if (i < seen->n) {
		report_warning(r->report, &at, rule->line, "has no effect: "
			       "clusterQueues[%zu].match[%zu] on line %d "
			       "comes first and takes all its jobs",
			       seen->of[i].queue, seen->of[i].index,
			       seen->of[i].rule->line);
	} else if (seen->n < RULES_COMPARED) {
		seen->of[seen->n].rule = rule;
		seen->of[seen->n].queue = queue;
		seen->of[seen->n++].index = index;
	}
}

static void rules_advise(struct reader *r)
{
	struct rules *seen = malloc(sizeof(*seen));

	if (!seen) {
		report_nomem(r->report);
		return;
	}
	seen->n = 0;
	for (size_t i = 0; i < r->conf->spec->nqueues; i++)
		for (size_t j = 0; j < r->conf->queues[i].nmatches; j++)
			rule_advise(r, seen, i, j);
	free(seen);
}

/* ---- fair sharing that is not turned on ---- */

static void fair_warn(struct reader *r, const struct place *item,
		      const struct node *map, const char *key)
{
	const struct place fair = { .up = item, .key = "fairSharing" };
	const struct place at = { .up = &fair, .key = key };
	const struct node *n = node_find(node_find(map, fair.key), key);

	if (n)
		report_warning(r->report, &at, n->line, "has no effect unless "
			       "fairSharing.enable is true");
}

static void weights_advise(struct reader *r, const struct node *root,
			   const char *section)
{
	const struct place at = { .key = section };
	const struct node *list = node_find(root, section);

	for (size_t i = 0; list && i < list->nitems; i++) {
		struct place here = { .up = &at, .index = i };

		fair_warn(r, &here, list->items[i], "weight");
	}
}

static void fair_advise(struct reader *r, const struct node *root)
{
	if (r->conf->spec->fair_sharing)
		return;
	fair_warn(r, NULL, root, "preemptionStrategies");
	fair_warn(r, NULL, root, "usageHalfLifeTime");
	weights_advise(r, root, "cohorts");
	weights_advise(r, root, "clusterQueues");
}

void advice_give(struct reader *r, struct node *root)
{
	queues_advise(r, node_find(root, "clusterQueues"));
	flavors_advise(r);
	cohorts_advise(r, node_find(root, "cohorts"));
	rules_advise(r);
	lending_advise(r, root);
	fair_advise(r, root);
	history_advise(r, root);
}
