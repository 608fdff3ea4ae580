/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - ClusterQueue and its LocalQueues as a cluster queue
 *
 * Namespaces become accounts: a user that could submit to a LocalQueue of a
 * namespace submits with the account of that name. Where the LocalQueues of a
 * namespace belong to several cluster queues, a QOS with the LocalQueue's name
 * selects one of them.
 */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

/* Do LocalQueues of that namespace belong to another cluster queue too? */
static bool space_shared(const struct import *im, const char *space,
			 const char *queue)
{
	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *of = &im->m.items[i];

		if (of->kind == MANIFEST_LOCAL_QUEUE &&
		    !strcmp(of->space, space) && !manifest_serves(of, queue))
			return true;
	}
	return false;
}

/* Is there a rule for this namespace already? */
static bool space_done(const struct import *im, size_t end, const char *space,
		       const char *queue)
{
	for (size_t i = 0; i < end; i++)
		if (manifest_serves(&im->m.items[i], queue) &&
		    !strcmp(im->m.items[i].space, space))
			return true;
	return false;
}

static void local_note(struct import *im, const struct manifest *local)
{
	const char *stop = node_text(local->spec, "stopPolicy");

	if (stop && strcmp(stop, "None") != 0)
		import_lost(im, local, local->root, 6, "hold all its jobs, or "
			    "set a limit on its account",
			    "stopPolicy %s of LocalQueue %s/%s", stop,
			    local->space, local->name);
}

static void rule_write(struct import *im, size_t index, const char *queue)
{
	const struct manifest *local = &im->m.items[index];

	local_note(im, local);
	if (space_shared(im, local->space, queue))
		fprintf(im->out, "      - {account: %s, qos: %s}\n",
			yaml_word(local->space), yaml_word(local->name));
	else if (!space_done(im, index, local->space, queue))
		fprintf(im->out, "      - {account: %s}\n",
			yaml_word(local->space));
}

static void match_write(struct import *im, const char *queue)
{
	size_t n = 0;

	for (size_t i = 0; i < im->m.n; i++) {
		if (!manifest_serves(&im->m.items[i], queue))
			continue;
		if (!n++)
			fputs("    match:\n", im->out);
		rule_write(im, i, queue);
	}
	if (!n)
		import_note(im, 4, "check: no LocalQueue names it, so its jobs "
			    "are unknown: give it match rules");
}

/* A key whose value is a word, which is copied */
static void word_write(struct import *im, const struct node *map,
		       const char *key, int indent)
{
	const char *text = node_text(map, key);

	if (text)
		fprintf(im->out, "%*s%s: %s\n", indent, "", key,
			yaml_word(text));
}

static void fungibility_write(struct import *im, const struct manifest *of)
{
	const struct node *map = node_find(of->spec, "flavorFungibility");

	if (!map || map->kind != NODE_MAP || !map->nitems)
		return;
	fputs("    flavorFungibility:\n", im->out);
	word_write(im, map, "whenCanBorrow", 6);
	word_write(im, map, "whenCanPreempt", 6);
	word_write(im, map, "preference", 6);
}

static void threshold_write(struct import *im, const struct manifest *of,
			    const struct node *map)
{
	const struct node *n = node_find(map, "maxPriorityThreshold");
	int64_t value;

	if (!n)
		return;
	if (import_read_priority(n, &value))
		fprintf(im->out, "        maxPriorityThreshold: %lld\n",
			(long long) (value + im->raise));
	else
		manifest_error(&im->m, of, n,
			       "maxPriorityThreshold " IMPORT_PRIORITY_IS);
}

static void borrow_write(struct import *im, const struct manifest *of,
			 const struct node *preemption)
{
	const struct node *map = node_find(preemption, "borrowWithinCohort");
	const char *policy = node_text(map, "policy");

	/* A policy that is Never has no other settings. */
	if (!policy || !strcmp(policy, "Never"))
		return;
	fputs("      borrowWithinCohort:\n", im->out);
	word_write(im, map, "policy", 8);
	threshold_write(im, of, map);
}

static void preemption_write(struct import *im, const struct manifest *of)
{
	const struct node *map = node_find(of->spec, "preemption");
	const struct node *config = node_find(map, "withinClusterQueueConfig");

	if (!map || map->kind != NODE_MAP || !map->nitems)
		return;
	fputs("    preemption:\n", im->out);
	word_write(im, map, "withinClusterQueue", 6);
	if (node_text(config, "minAdmitDuration")) {
		fputs("      withinClusterQueueConfig:\n", im->out);
		word_write(im, config, "minAdmitDuration", 8);
	}
	if (manifest_parent(of))
		word_write(im, map, "reclaimWithinCohort", 6);
	if (manifest_parent(of))
		borrow_write(im, of, map);
}

static void selector_note(struct import *im, const struct manifest *of)
{
	const struct node *map = node_find(of->spec, "namespaceSelector");

	if (map && map->kind == NODE_MAP && map->nitems)
		import_lost(im, of, map, 4, "the rules come from LocalQueues; "
			    "labels of namespaces are ignored",
			    "namespaceSelector");
}

void import_write_queue(struct import *im, const struct manifest *of)
{
	static const char *const known[] = {
		"cohort", "cohortName", "queueingStrategy", "resourceGroups",
		"flavorFungibility", "preemption", "stopPolicy", "fairSharing",
		"namespaceSelector", "admissionScope", NULL
	};
	const char *cohort = manifest_parent(of);

	fprintf(im->out, "  - name: %s\n", yaml_word(of->name));
	import_note_rest(im, of, 4, known);
	selector_note(im, of);
	if (cohort)
		fprintf(im->out, "    cohort: %s\n", yaml_word(cohort));
	match_write(im, of->name);
	import_write_locals(im, of->name);
	import_write_scope(im, of);
	word_write(im, of->spec, "queueingStrategy", 4);
	import_write_groups(im, of, 4);
	fungibility_write(im, of);
	preemption_write(im, of);
	import_write_weight(im, of, 4);
	word_write(im, of->spec, "stopPolicy", 4);
}
