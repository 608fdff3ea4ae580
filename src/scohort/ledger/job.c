/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.c - a job of slurmctld, as the published document has it
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/lookup.h"
#include "output/text.h"

#define PARTITION_SIZE 256

/* ---- its cluster queue ---- */

/* slurmctld uses the first partition of several. NULL: the job has none */
static const char *first_partition(const struct view *v, char *buf, size_t size)
{
	if (!v->partition)
		return NULL;
	snprintf(buf, size, "%.*s", (int) strcspn(v->partition, ","), v->partition);
	return buf;
}

static bool pattern_holds(struct json_object *rule, const char *key, const char *value)
{
	const char *pattern = json_text(rule, key);

	return !*pattern || (value && !fnmatch(pattern, value, 0));
}

bool published_rule_holds(struct json_object *rule, const struct view *v)
{
	char first[PARTITION_SIZE];

	return pattern_holds(rule, "partition", first_partition(v, first, sizeof(first)))
	       && pattern_holds(rule, "qos", v->qos) && pattern_holds(rule, "account", v->account);
}

struct json_object *published_match(const struct published *p, const struct view *v, bool *sure)
{
	*sure = true;
	for (size_t i = 0; i < json_items(p->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(p->document, "clusterQueues", i);

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
				 first_partition(v, partition, sizeof(partition)), v->qos,
				 v->account, v->user ? v->user : uid);
	if (index != SPEC_NONE)
		queue = published_queue(p, conf->spec->queues[index].name);
	conf_destroy(conf);
	return queue;
}

/* ---- what it asks for, in short ---- */

/* billing is no request; without a database GPUs are in another field. */
char *request_text(const struct view *v, char *buf, size_t size)
{
	const char *asked = v->tres_asked ? v->tres_asked : "";
	bool gres = strstr(asked, "gres/");
	size_t len;

	buf[0] = '\0';
	for (const char *p = asked; *p; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		if (strncmp(p, "billing=", 8) != 0)
			text_append(buf, size, "%s%.*s", *buf ? "," : "", (int) len, p);
	}
	if (!gres && v->tres_per_job)
		text_append(buf, size, "%s%s", *buf ? "," : "", v->tres_per_job);
	if (!gres && v->tres_per_node)
		text_append(buf, size, "%s%s/node", *buf ? "," : "", v->tres_per_node);
	return buf;
}

char *class_text(const struct published *p, const struct view *v, char *buf, size_t size)
{
	const char *priority = json_text(p->document, "priority");

	if (!strcmp(priority, "job"))
		snprintf(buf, size, "%u", v->priority);
	else if (strcmp(priority, "partition") != 0 && v->qos)
		snprintf(buf, size, "%s", v->qos);
	else
		snprintf(buf, size, "%s", v->partition ? v->partition : "");
	return buf;
}

/* ---- a job that was preempted ---- */

bool provenance_parse(const char *text, struct provenance *p)
{
	const char *ran;
	int n = 0;

	memset(p, 0, sizeof(*p));
	text = text ? strstr(text, "preempted at ") : NULL;
	if (!text || sscanf(text, "preempted at %127s by job %" SCNd64 " (cluster queue %127[^)]), "
			    "rule %127[^,], %n", p->when, &p->by, p->queue, p->rule, &n) < 4 || !n)
		return false;
	text_date_read(p->when, &p->at);
	text += n;
	ran = strstr(text, ", ran ");
	n = 0;
	if (!ran || sscanf(ran, ", ran %" SCNd64 " s%n", &p->ran, &n) < 1)
		return false;
	snprintf(p->numbers, sizeof(p->numbers), "%.*s", (int) (ran - text), text);
	ran += n;
	n = 0;
	(void) sscanf(ran, ", saved %" SCNd64 " s%n", &p->saved, &n);
	ran += n;
	n = 0;
	if (sscanf(ran, ", preemption %" SCNd64 "%n", &p->count, &n) < 1)
		return false;
	ran += n;
	n = 0;
	(void) sscanf(ran, ", turns %" SCNd64 "%n", &p->turns, &n);
	return sscanf(ran + n, ", counted %" SCNd64 " of %" SCNd64, &p->counted, &p->max) > 0;
}
