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

static void queues_advise(struct reader *r, const struct node *list)
{
	const struct spec *spec = r->conf->spec;

	if (!spec->nqueues)
		node_warning(r, list, "is empty: no job is managed");
	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct node *item = node_item(list, i);

		if (!r->conf->queues[i].nmatches)
			node_warning(r, item, "\"%s\" has no match rules: no job can enter it",
				     spec->queues[i].name);
		if (!spec->queues[i].ngroups)
			node_warning(r, item, "\"%s\" has no resourceGroups: it limits nothing",
				     spec->queues[i].name);
	}
}

static void flavors_mark(const struct spec_quota *quotas, size_t n, bool *used)
{
	for (size_t i = 0; i < n; i++)
		used[quotas[i].flavor] = true;
}

static void flavors_advise(struct reader *r, const struct node *list)
{
	const struct spec *spec = r->conf->spec;
	bool used[FLAVORS_MAX] = { false };

	for (size_t i = 0; i < spec->ncohorts; i++)
		flavors_mark(spec->cohorts[i].quotas, spec->cohorts[i].nquotas, used);
	for (size_t i = 0; i < spec->nqueues; i++)
		flavors_mark(spec->queues[i].quotas, spec->queues[i].nquotas, used);
	for (size_t i = 0; i < spec->nflavors; i++)
		if (!used[i])
			node_warning(r, node_item(list, i), "\"%s\" has no quota anywhere",
				     spec->flavors[i]);
}

static void cohorts_advise(struct reader *r, const struct node *list)
{
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
	for (size_t i = 0; i < spec->ncohorts; i++)
		if (!used[i])
			node_warning(r, node_item(list, i), "\"%s\" has no cluster queues",
				     spec->cohorts[i].name);
	free(used);
}

/* ---- rules that can never match ---- */

static bool key_covers(const char *pattern, const char *other)
{
	return !pattern || (other && (!strcmp(pattern, "*") || !strcmp(pattern, other)));
}

/* Does the first rule match all that the second one matches, as far as the texts show? */
static bool rule_covers(const struct conf_match *a, const struct conf_match *b)
{
	return key_covers(a->partition, b->partition) && key_covers(a->qos, b->qos) &&
	       key_covers(a->account, b->account) && key_covers(a->user, b->user);
}

static void rule_advise(struct reader *r, const struct node *n, size_t queue)
{
	const struct conf_queue *queues = r->conf->queues;
	const struct conf_match *rule = &queues[queue].matches[n->at.index];
	size_t left = RULES_COMPARED;

	for (size_t q = 0; q <= queue; q++) {
		for (size_t i = 0; i < queues[q].nmatches; i++) {
			const struct conf_match *earlier = &queues[q].matches[i];

			if (earlier == rule || !left--)
				return;
			if (!rule_covers(earlier, rule))
				continue;
			node_warning(r, n, "has no effect: clusterQueues[%zu].match[%zu] on line "
				     "%d comes first and takes all its jobs", q, i, earlier->line);
			return;
		}
	}
}

static void rules_advise(struct reader *r, const struct node *list)
{
	for (size_t i = 0; i < node_length(list); i++) {
		const struct node *rules = node_find(node_item(list, i), "match");

		for (size_t j = 0; j < node_length(rules); j++)
			rule_advise(r, node_item(rules, j), i);
	}
}

/* ---- fair sharing that is not turned on ---- */

static void fair_warn(struct reader *r, const struct node *map, const char *key)
{
	const struct node *n = node_find(node_find(map, "fairSharing"), key);

	if (n)
		node_warning(r, n, "has no effect unless fairSharing.enable is true");
}

static void fair_advise(struct reader *r, const struct node *root)
{
	static const char *const sections[] = { "cohorts", "clusterQueues" };

	if (r->conf->spec->fair_sharing)
		return;
	fair_warn(r, root, "preemptionStrategies");
	fair_warn(r, root, "usageHalfLifeTime");
	for (int s = 0; s < 2; s++) {
		const struct node *list = node_find(root, sections[s]);

		for (size_t i = 0; i < node_length(list); i++)
			fair_warn(r, node_item(list, i), "weight");
	}
}

/* ---- local queues ---- */

/* Without a half-life all local queues are equal: the queue is as any. */
static void usage_advise(struct reader *r, const struct node *map, struct spec_queue *queue)
{
	const struct node *mode = node_find(node_find(map, "admissionScope"), "admissionMode");
	const struct node *locals = node_find(map, "localQueues");

	if (!queue->by_usage) {
		if (node_length(locals))
			node_warning(r, locals, "has no effect unless admissionScope.admissionMode "
				     "is UsageBasedAdmissionFairSharing");
	} else if (!r->conf->spec->history.local_half_life) {
		queue->by_usage = false;
		node_warning(r, mode, "has no effect unless admissionFairSharing.usageHalfLifeTime "
			     "is set");
	}
}

void advice_give(struct reader *r, const struct node *root)
{
	const struct node *queues = node_find(root, "clusterQueues");

	queues_advise(r, queues);
	flavors_advise(r, node_find(root, "flavors"));
	cohorts_advise(r, node_find(root, "cohorts"));
	rules_advise(r, queues);
	lending_advise(r, root);
	fair_advise(r, root);
	for (size_t i = 0; i < node_length(queues); i++)
		usage_advise(r, node_item(queues, i), &r->conf->spec->queues[i]);
}
