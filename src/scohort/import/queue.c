/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - ClusterQueue and its LocalQueues as a cluster queue
 *
 * Namespaces become accounts: a user that could submit to a LocalQueue of a
 * namespace submits with the account of that name. Where the LocalQueues of a
 * namespace belong to several cluster queues, a QOS with the LocalQueue's name
 * selects one of them. Their weights (KEP-4136) become weights of accounts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

/* The next LocalQueue of the cluster queue, in that namespace if it is not NULL;
 * `of` NULL: the first one */
static const struct manifest *local_next(const struct import *im, const struct manifest *queue,
					 const char *space, const struct manifest *of)
{
	do {
		of = manifests_next(im, MANIFEST_LOCAL_QUEUE, of);
	} while (of && (!of->parent || strcmp(of->parent, queue->name)
			|| (space && strcmp(of->space, space))));
	return of;
}

/* Do LocalQueues of that namespace belong to another cluster queue too? */
static bool space_shared(const struct import *im, const struct manifest *local)
{
	const struct manifest *of = NULL;

	while ((of = manifests_next(im, MANIFEST_LOCAL_QUEUE, of)))
		if (!strcmp(of->space, local->space)
		    && (!of->parent || strcmp(of->parent, local->parent)))
			return true;
	return false;
}

static void match_write(struct import *im, const struct manifest *queue)
{
	static const struct field fields[] = {
		{ "clusterQueue", field_elsewhere, NULL },
		{ "fairSharing", field_elsewhere, NULL },
		{ NULL, NULL, NULL }
	};
	const char *heading = "    match:\n";
	const struct manifest *of = NULL;

	while ((of = im->of = local_next(im, queue, NULL, of))) {
		import_head(im, &heading);
		fields_check(im, of->spec, fields, 6);
		if (space_shared(im, of))
			fprintf(im->out, "      - {account: %s, qos: %s}\n",
				yaml_word(of->space), yaml_word(of->name));
		else if (local_next(im, queue, of->space, NULL) == of)
			fprintf(im->out, "      - {account: %s}\n", yaml_word(of->space));
	}
	if (heading)
		import_note(im, 4, "check: no LocalQueue names it, so its jobs are unknown: "
			    "give it match rules");
	im->of = queue;
}

/* ---- weights of LocalQueues ---- */

/* The weight that all LocalQueues of this namespace and queue have; one that says none
 * has 1. */
static void space_write(struct import *im, const struct manifest *queue,
			const struct manifest *first, const char **heading)
{
	bool given = false, same = true;
	double weight = 1;

	for (const struct manifest *of = first; of; of = local_next(im, queue, of->space, of)) {
		const struct node *n = node_find(node_find(of->spec, "fairSharing"), "weight");
		double own = 1;

		im->of = of;
		if (n && !import_read_weight(im, n, "fairSharing.weight", 6, &own))
			return;
		given |= n != NULL;
		same &= of == first || (own >= weight && own <= weight);
		weight = own;
	}
	im->of = first;
	if (!same)
		import_lost(im, first->root, 6, "different weights of the LocalQueues of namespace "
			    "%s; they are one account here", first->space);
	if (!same || !given)
		return;
	import_head(im, heading);
	fprintf(im->out, "      - {name: %s, fairSharing: {weight: %.15g}}\n",
		yaml_word(first->space), weight);
}

static void locals_write(struct import *im, const struct manifest *queue)
{
	const char *heading = "    localQueues:\n";
	const struct manifest *of = NULL;

	while ((of = local_next(im, queue, NULL, of)))
		if (local_next(im, queue, of->space, NULL) == of)
			space_write(im, queue, of, &heading);
	im->of = queue;
}

/* ---- priorities ---- */

int64_t import_read_priority(struct import *im, const struct node *n, const char *key)
{
	const char *text = n->kind == NODE_SCALAR ? n->text : "";
	int64_t number;
	char *end;

	errno = 0;
	number = strtoll(text, &end, 10);
	if (!errno && end != text && !*end && number >= INT32_MIN && number <= INT32_MAX)
		return number;
	import_error(im, n, "%s must be a whole number from -2147483648 to 2147483647", key);
	return 0;
}

static void threshold_write(struct import *im, const struct node *value, int indent)
{
	int64_t number = import_read_priority(im, value, "maxPriorityThreshold");

	fprintf(im->out, "%*smaxPriorityThreshold: %lld\n", indent, "",
		(long long) (number + im->raise));
}

/* ---- the queue ---- */

#define FIELDS(...) .fields = (const struct field[]) { __VA_ARGS__, { .key = NULL } }

static const struct field queue_fields[] = {
	{ "cohort", field_elsewhere, NULL },
	{ "cohortName", field_elsewhere, NULL },
	{ "admissionScope", FIELDS({ .key = "admissionMode" }) },
	{ "queueingStrategy", NULL, NULL },
	{ "resourceGroups", import_write_groups, NULL },
	{ "flavorFungibility", FIELDS({ .key = "whenCanBorrow" }, { .key = "whenCanPreempt" },
				      { .key = "preference" }) },
	{ "preemption", FIELDS(
		{ .key = "withinClusterQueue" },
		{ "withinClusterQueueConfig", FIELDS({ .key = "minAdmitDuration" }) },
		{ .key = "reclaimWithinCohort" },
		{ "borrowWithinCohort", FIELDS(
			{ .key = "policy" },
			{ .key = "maxPriorityThreshold", .write = threshold_write }) }) },
	{ "fairSharing", import_write_weight, NULL },
	{ "stopPolicy", NULL, NULL },
	{ NULL, NULL, NULL }
};

void import_write_queue(struct import *im)
{
	const struct manifest *queue = im->of;

	fprintf(im->out, "  - name: %s\n", yaml_word(queue->name));
	fields_check(im, queue->spec, queue_fields, 4);
	if (queue->parent)
		fprintf(im->out, "    cohort: %s\n", yaml_word(queue->parent));
	match_write(im, queue);
	locals_write(im, queue);
	fields_write(im, queue->spec, queue_fields, 4);
}
