/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - ClusterQueue and its LocalQueues as a cluster queue
 *
 * Namespaces become accounts: a user that could submit to a LocalQueue of a
 * namespace submits with the account of that name. Where the LocalQueues of a
 * namespace belong to several cluster queues, a QOS with the LocalQueue's name
 * selects one of them. Their weights (KEP-4136) become weights of accounts.
 */
#include <string.h>

#include "import/import.h"

/* The next LocalQueue of the cluster queue; `of` NULL: the first one */
static const struct manifest *local_next(const struct import *im, const struct manifest *of)
{
	const char *queue = im->of->name;

	do {
		of = manifests_next(&im->m, MANIFEST_LOCAL_QUEUE, of);
	} while (of && (!of->parent || strcmp(of->parent, queue)));
	return of;
}

static bool same_space(const struct manifest *a, const struct manifest *b)
{
	return !strcmp(a->space, b->space);
}

/* Do LocalQueues of that namespace belong to another cluster queue too? */
static bool space_shared(const struct import *im, const struct manifest *local)
{
	const struct manifest *of = NULL;

	while ((of = manifests_next(&im->m, MANIFEST_LOCAL_QUEUE, of)))
		if (same_space(of, local) && (!of->parent || strcmp(of->parent, im->of->name)))
			return true;
	return false;
}

/* Is it the first LocalQueue of its namespace in this queue? */
static bool is_first(const struct import *im, const struct manifest *local)
{
	const struct manifest *of = local_next(im, NULL);

	while (!same_space(of, local))
		of = local_next(im, of);
	return of == local;
}

/* ---- rules ---- */

/* Of LocalQueue `local`: notes are about it. */
static void stop_note(struct import *im, const struct manifest *local)
{
	const char *stop = node_text(local->spec, "stopPolicy");
	const struct manifest *queue = im->of;

	im->of = local;
	if (stop && strcmp(stop, "None") != 0)
		import_lost(im, local->root, 6, "hold all its jobs, or set a limit on its account",
			    "stopPolicy %s of LocalQueue %s/%s", stop, local->space, local->name);
	im->of = queue;
}

static void match_write(struct import *im)
{
	const char *heading = "    match:\n";

	for (const struct manifest *of = local_next(im, NULL); of; of = local_next(im, of)) {
		import_head(im, &heading);
		stop_note(im, of);
		if (space_shared(im, of))
			fprintf(im->out, "      - {account: %s, qos: %s}\n",
				yaml_word(of->space), yaml_word(of->name));
		else if (is_first(im, of))
			fprintf(im->out, "      - {account: %s}\n", yaml_word(of->space));
	}
	if (heading)
		import_note(im, 4, "check: no LocalQueue names it, so its jobs are unknown: "
			    "give it match rules");
}

/* ---- weights of LocalQueues ---- */

/* Reads the weight that all LocalQueues of this namespace and queue have; one that says
 * none has 1. False: none says one, or they are not the same. */
static bool space_weight(struct import *im, const struct manifest *local, double *weight)
{
	const struct manifest *queue = im->of, *of = local;
	bool any = false, same = true, right = true;

	for (; right && of; im->of = queue, of = local_next(im, of)) {
		const struct node *n = node_find(node_find(of->spec, "fairSharing"), "weight");
		double w = 1;

		if (!same_space(local, of))
			continue;
		any |= n != NULL;
		im->of = of;
		right = !n || import_read_weight(im, n, "fairSharing.weight", 6, &w);
		same &= of == local || (w >= *weight && w <= *weight);
		*weight = w;
	}
	im->of = local;
	if (right && any && !same)
		import_lost(im, local->root, 6, "they are one account here",
			    "different weights of the LocalQueues of namespace %s", local->space);
	im->of = queue;
	return right && any && same;
}

static void locals_write(struct import *im)
{
	const char *heading = "    localQueues:\n";
	double weight = 1;

	for (const struct manifest *of = local_next(im, NULL); of; of = local_next(im, of)) {
		if (!is_first(im, of) || !space_weight(im, of, &weight))
			continue;
		import_head(im, &heading);
		fprintf(im->out, "      - {name: %s, fairSharing: {weight: %.15g}}\n",
			yaml_word(of->space), weight);
	}
}

/* ---- rules of preemption ---- */

/* A policy that is Never has no other settings. */
static void borrow_write(struct import *im, const struct node *map)
{
	const char *policy = node_text(map, "policy"), *key = "maxPriorityThreshold";
	int64_t value;

	if (!policy || !strcmp(policy, "Never"))
		return;
	fputs("      borrowWithinCohort:\n", im->out);
	import_write_word(im, map, "policy", 8);
	if (import_read_priority(im, map, key, &value) && node_find(map, key))
		fprintf(im->out, "        %s: %lld\n", key, (long long) (value + im->raise));
}

static void preemption_write(struct import *im)
{
	const struct node *map = node_map(im->of->spec, "preemption");
	const struct node *config = node_find(map, "withinClusterQueueConfig");

	if (!map)
		return;
	fputs("    preemption:\n", im->out);
	import_write_word(im, map, "withinClusterQueue", 6);
	if (node_text(config, "minAdmitDuration"))
		fputs("      withinClusterQueueConfig:\n", im->out);
	import_write_word(im, config, "minAdmitDuration", 8);
	if (!im->of->parent)
		return;
	import_write_word(im, map, "reclaimWithinCohort", 6);
	borrow_write(im, node_find(map, "borrowWithinCohort"));
}

void import_write_queue(struct import *im)
{
	static const char *const known[] = {
		"cohort", "cohortName", "queueingStrategy", "resourceGroups",
		"flavorFungibility", "preemption", "stopPolicy", "fairSharing",
		"namespaceSelector", "admissionScope", NULL
	};
	const struct node *spec = im->of->spec;
	const struct node *fungibility = node_map(spec, "flavorFungibility");
	const struct node *selector = node_map(spec, "namespaceSelector");
	const char *mode = node_text(node_find(spec, "admissionScope"), "admissionMode");

	fprintf(im->out, "  - name: %s\n", yaml_word(im->of->name));
	import_note_rest(im, known);
	if (selector)
		import_lost(im, selector, 4, "the rules come from LocalQueues; labels of "
			    "namespaces are ignored", "namespaceSelector");
	if (im->of->parent)
		fprintf(im->out, "    cohort: %s\n", yaml_word(im->of->parent));
	match_write(im);
	locals_write(im);
	if (mode)
		fprintf(im->out, "    admissionScope: {admissionMode: %s}\n", yaml_word(mode));
	import_write_word(im, spec, "queueingStrategy", 4);
	import_write_groups(im);
	if (fungibility)
		fputs("    flavorFungibility:\n", im->out);
	import_write_word(im, fungibility, "whenCanBorrow", 6);
	import_write_word(im, fungibility, "whenCanPreempt", 6);
	import_write_word(im, fungibility, "preference", 6);
	preemption_write(im);
	import_write_weight(im);
	import_write_word(im, spec, "stopPolicy", 4);
}
