/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * defaults.c - keys whose default is another one than in the slurmctld that runs
 *
 * A new version of slurm-cohort may have other defaults. Until slurmctld has started with
 * it, what it publishes of its rules differs from what its file means to the new version.
 */
#include <stdio.h>
#include <string.h>

#include "diff/diff.h"
#include "input/json_members.h"
#include "ledger/lookup.h"

static const struct spec_queue *queue_named(const struct conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->spec->nqueues; i++)
		if (!strcmp(conf->spec->queues[i].name, name))
			return &conf->spec->queues[i];
	return NULL;
}

/* runs: what slurmctld goes by; reads: what its file means to us; to: what the new one does */
static void default_compare(struct json_object *keys, const char *queue, const char *key,
			    int64_t runs, int64_t reads, int64_t to)
{
	struct json_object *o;
	char path[512], number[32];

	if (runs == reads || runs == to)
		return;
	o = json_object_new_object();
	snprintf(path, sizeof(path), "clusterQueues[%s].%s", queue, key);
	json_add_text(o, "path", path);
	snprintf(number, sizeof(number), "%ld", (long) runs);
	json_add_text(o, "from", number);
	snprintf(number, sizeof(number), "%ld", (long) to);
	json_add_text(o, "to", number);
	json_object_array_add(keys, o);
}

void diff_defaults(struct json_object *keys, const struct conf *from, const struct conf *to,
		   const struct published *p)
{
	for (size_t i = 0; i < to->spec->nqueues; i++) {
		const struct spec_queue *q = &to->spec->queues[i];
		const struct spec_queue *was = queue_named(from, q->name);
		struct json_object *rules = json_member(published_queue(p, q->name),
							"preemption");

		if (!was || !rules)
			continue;
		default_compare(keys, q->name, "maxPreemptions",
				json_number(rules, "maxPreemptions"),
				was->max_preemptions, q->max_preemptions);
		default_compare(keys, q->name, "yieldAfterEvictions",
				json_number(rules, "yieldAfterEvictions"),
				was->yield_after, q->yield_after);
	}
}
