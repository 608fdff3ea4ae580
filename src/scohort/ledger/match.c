/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.c - the cluster queue of a job
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "conf.h"
#include "input/json_members.h"
#include "ledger/lookup.h"
#include "ledger/match.h"

#define PARTITION_SIZE 256

/* slurmctld uses the first partition of several. NULL: the job has none */
static const char *first_partition(const struct view *v, char *buf, size_t size)
{
	if (!v->partition)
		return NULL;
	snprintf(buf, size, "%.*s", (int) strcspn(v->partition, ","),
		 v->partition);
	return buf;
}

static bool pattern_holds(struct json_object *rule, const char *key,
			  const char *value)
{
	const char *pattern = json_text(rule, key);

	return !*pattern || (value && !fnmatch(pattern, value, 0));
}

static bool partition_holds(struct json_object *rule, const struct view *v)
{
	char first[PARTITION_SIZE];

	return pattern_holds(rule, "partition",
			     first_partition(v, first, sizeof(first)));
}

bool published_rule_holds(struct json_object *rule, const struct view *v)
{
	return partition_holds(rule, v)
	       && pattern_holds(rule, "qos", v->qos)
	       && pattern_holds(rule, "account", v->account);
}

struct json_object *published_match(const struct published *p,
				    const struct view *v, bool *sure)
{
	*sure = true;
	for (size_t i = 0; i < json_items(p->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(p->document,
						      "clusterQueues", i);

		for (size_t k = 0; k < json_items(queue, "match"); k++) {
			struct json_object *rule = json_item(queue, "match", k);

			if (!published_rule_holds(rule, v))
				continue;
			if (!json_truth(rule, "user"))
				return queue;
			*sure = false;
		}
	}
	return NULL;
}

struct json_object *published_match_by_conf(const struct published *p,
					    const struct view *v, bool *sure)
{
	struct conf *conf = local_conf_load();
	struct json_object *queue = NULL;
	char partition[PARTITION_SIZE], uid[16];
	int index;

	*sure = conf != NULL;
	if (!conf)
		return NULL;
	snprintf(uid, sizeof(uid), "%u", v->uid);
	index = conf_match_queue(conf,
				 first_partition(v, partition,
						 sizeof(partition)), v->qos,
				 v->account, v->user ? v->user : uid);
	if (index != SPEC_NONE)
		queue = published_queue(p, conf->spec->queues[index].name);
	conf_destroy(conf);
	return queue;
}
