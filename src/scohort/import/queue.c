/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - ClusterQueue and its LocalQueues as a cluster queue
 *
 * Namespaces become accounts: a user that could submit to a LocalQueue of a
 * namespace submits with the account of that name. Where the LocalQueues of a
 * namespace belong to several cluster queues, a QOS with the LocalQueue's name
 * selects one of them. Their weights (KEP-4136) become weights of accounts.
 */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

static const struct manifest *local_next(const struct import *im, const struct manifest *of)
{
	return manifests_next(&im->m, MANIFEST_LOCAL_QUEUE, of);
}

static bool same_space(const struct manifest *a, const struct manifest *b)
{
	return !strcmp(a->space, b->space);
}

/* Do LocalQueues of that namespace belong to another cluster queue too? */
static bool space_shared(const struct import *im, const struct manifest *local, const char *queue)
{
	const struct manifest *of = local_next(im, NULL);

	while (of && (!same_space(of, local) || manifest_serves(of, queue)))
		of = local_next(im, of);
	return of;
}

/* Is it the first LocalQueue of its namespace in this queue? */
static bool is_first(const struct import *im, const struct manifest *local, const char *queue)
{
	const struct manifest *of = local_next(im, NULL);

	while (of != local && (!same_space(of, local) || !manifest_serves(of, queue)))
		of = local_next(im, of);
	return of == local && manifest_serves(local, queue);
}

/* ---- rules ---- */

static void rule_write(struct import *im, const struct manifest *local, const char *queue)
{
	const char *stop = node_text(local->spec, "stopPolicy");

	if (stop && strcmp(stop, "None") != 0)
		import_lost(im, local, local->root, 6, "hold all its jobs, or set a limit on "
			    "its account", "stopPolicy %s of LocalQueue %s/%s", stop,
			    local->space, local->name);
	if (space_shared(im, local, queue))
		fprintf(im->out, "      - {account: %s, qos: %s}\n", yaml_word(local->space),
			yaml_word(local->name));
	else if (is_first(im, local, queue))
		fprintf(im->out, "      - {account: %s}\n", yaml_word(local->space));
}

static void match_write(struct import *im, const char *queue)
{
	bool any = false;

	for (const struct manifest *of = local_next(im, NULL); of; of = local_next(im, of)) {
		if (!manifest_serves(of, queue))
			continue;
		if (!any)
			fputs("    match:\n", im->out);
		any = true;
		rule_write(im, of, queue);
	}
	if (!any)
		import_note(im, 4, "check: no LocalQueue names it, so its jobs are unknown: "
			    "give it match rules");
}

/* ---- weights of LocalQueues ---- */

/* Reads the weight that all LocalQueues of this namespace and queue have; one that says
 * none has 1. False: none says one, or they are not the same. */
static bool space_weight(struct import *im, const struct manifest *local, const char *queue,
			 double *weight)
{
	bool any = false, same = true;

	*weight = -1;
	for (const struct manifest *of = local_next(im, NULL); of; of = local_next(im, of)) {
		const struct node *n = node_find(node_find(of->spec, "fairSharing"), "weight");
		double w = 1;

		if (!same_space(local, of) || !manifest_serves(of, queue))
			continue;
		any |= n != NULL;
		if (n && !import_read_weight(im, of, n, "fairSharing.weight", 6, &w))
			return false;
		same &= *weight < 0 || (w >= *weight && w <= *weight);
		*weight = w;
	}
	if (any && !same)
		import_lost(im, local, local->root, 6, "they are one account here",
			    "different weights of the LocalQueues of namespace %s", local->space);
	return any && same;
}

static void locals_write(struct import *im, const char *queue)
{
	bool any = false;
	double weight;

	for (const struct manifest *of = local_next(im, NULL); of; of = local_next(im, of)) {
		if (!is_first(im, of, queue) || !space_weight(im, of, queue, &weight))
			continue;
		if (!any)
			fputs("    localQueues:\n", im->out);
		any = true;
		fprintf(im->out, "      - {name: %s, fairSharing: {weight: %.15g}}\n",
			yaml_word(of->space), weight);
	}
}

/* ---- rules of preemption ---- */

/* A policy that is Never has no other settings. */
static void borrow_write(struct import *im, const struct manifest *of,
			 const struct node *preemption)
{
	const struct node *map = node_find(preemption, "borrowWithinCohort");
	const struct node *threshold = node_find(map, "maxPriorityThreshold");
	const char *policy = node_text(map, "policy");
	int64_t value;

	if (!policy || !strcmp(policy, "Never"))
		return;
	fputs("      borrowWithinCohort:\n", im->out);
	import_write_word(im, map, "policy", 8);
	if (threshold && import_read_priority(threshold, &value))
		fprintf(im->out, "        maxPriorityThreshold: %lld\n",
			(long long) (value + im->raise));
	else if (threshold)
		manifest_error(&im->m, of, threshold, "maxPriorityThreshold " IMPORT_PRIORITY_IS);
}

static void preemption_write(struct import *im, const struct manifest *of)
{
	const struct node *map = node_map(of->spec, "preemption");
	const struct node *config = node_find(map, "withinClusterQueueConfig");

	if (!map)
		return;
	fputs("    preemption:\n", im->out);
	import_write_word(im, map, "withinClusterQueue", 6);
	if (node_text(config, "minAdmitDuration")) {
		fputs("      withinClusterQueueConfig:\n", im->out);
		import_write_word(im, config, "minAdmitDuration", 8);
	}
	if (!manifest_parent(of))
		return;
	import_write_word(im, map, "reclaimWithinCohort", 6);
	borrow_write(im, of, map);
}

void import_write_queue(struct import *im, const struct manifest *of)
{
	static const char *const known[] = {
		"cohort", "cohortName", "queueingStrategy", "resourceGroups",
		"flavorFungibility", "preemption", "stopPolicy", "fairSharing",
		"namespaceSelector", "admissionScope", NULL
	};
	const struct node *fungibility = node_map(of->spec, "flavorFungibility");
	const struct node *selector = node_map(of->spec, "namespaceSelector");
	const char *cohort = manifest_parent(of);
	const char *mode = node_text(node_find(of->spec, "admissionScope"), "admissionMode");

	fprintf(im->out, "  - name: %s\n", yaml_word(of->name));
	import_note_rest(im, of, 4, known);
	if (selector)
		import_lost(im, of, selector, 4, "the rules come from LocalQueues; labels of "
			    "namespaces are ignored", "namespaceSelector");
	if (cohort)
		fprintf(im->out, "    cohort: %s\n", yaml_word(cohort));
	match_write(im, of->name);
	locals_write(im, of->name);
	if (mode)
		fprintf(im->out, "    admissionScope: {admissionMode: %s}\n", yaml_word(mode));
	import_write_word(im, of->spec, "queueingStrategy", 4);
	import_write_groups(im, of, 4);
	if (fungibility)
		fputs("    flavorFungibility:\n", im->out);
	import_write_word(im, fungibility, "whenCanBorrow", 6);
	import_write_word(im, fungibility, "whenCanPreempt", 6);
	import_write_word(im, fungibility, "preference", 6);
	preemption_write(im, of);
	import_write_weight(im, of, 4);
	import_write_word(im, of->spec, "stopPolicy", 4);
}
