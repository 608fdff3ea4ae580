/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * costs.c - metrics: what was lent and borrowed over time, and what it has cost
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "metrics/costs.h"

#define MEGABYTE 1048576

static size_t queues_of(const struct writer *w)
{
	return json_items(w->document, "clusterQueues");
}

static struct json_object *queue_of(const struct writer *w, size_t i)
{
	return json_item(w->document, "clusterQueues", i);
}

/* ---- evictions ---- */

static void by_reason_print(const struct writer *w, const char *name,
			    const char *key, const char *help)
{
	family_print(w, METRIC_COUNTER, name, help);
	for (size_t i = 0; i < queues_of(w); i++) {
		struct json_object *queue = queue_of(w, i), *counts;

		counts = json_member(json_member(queue, "counters"), key);
		if (!json_object_is_type(counts, json_type_object))
			continue;
		json_object_object_foreach(counts, reason, value) {
			struct labels l = queue_labels(queue);

			label_add(&l, "reason", reason);
			sample_print(w, name, "_total", &l, NULL,
				     (double) json_object_get_int64(value));
		}
	}
}

/* RESOURCE@FLAVOR: `pair` is cut there. */
static void lost_print(const struct writer *w, struct json_object *queue,
		       char *pair, int64_t sum)
{
	struct labels l = queue_labels(queue);
	char *flavor = strrchr(pair, '@');

	if (!flavor)
		return;
	*flavor++ = '\0';
	label_add(&l, "flavor", flavor);
	label_add(&l, "resource", pair);
	sample_print(w, "lost_resource_seconds", "_total", &l, NULL,
		     (double) sum * (strcmp(pair, "mem") ? 1 : MEGABYTE));
}

static void losses_print(const struct writer *w)
{
	family_print(w, METRIC_COUNTER, "lost_resource_seconds",
		     "What runs had used that were evicted.");
	for (size_t i = 0; i < queues_of(w); i++) {
		struct json_object *queue = queue_of(w, i), *lost;
		char pair[256];

		lost = json_member(json_member(queue, "counters"), "lost");
		if (!json_object_is_type(lost, json_type_object))
			continue;
		json_object_object_foreach(lost, key, value) {
			snprintf(pair, sizeof(pair), "%s", key);
			lost_print(w, queue, pair, json_object_get_int64(value));
		}
	}
}

static void times_print(const struct writer *w, const char *name,
			const char *key, const char *help)
{
	family_print(w, METRIC_HISTOGRAM, name, help);
	for (size_t i = 0; i < queues_of(w); i++) {
		struct json_object *queue = queue_of(w, i);
		struct labels l = queue_labels(queue);

		histogram_print(w, name, &l,
				json_member(json_member(queue, "counters"),
					    key));
	}
}

/* ---- over time ---- */

static const struct sum_metric {
	const char *name, *help;
	size_t place;			/* in "account" */
} sums[] = {
	{ "quota_resource_seconds", "Nominal quota over time.", 0 },
	{ "own_use_resource_seconds", "Use of nominal quota by the cluster "
	  "queue itself, over time.", 1 },
	{ "borrowed_resource_seconds", "Use above nominal quota, over time.",
	  2 },
	{ "lent_resource_seconds", "Use of nominal quota by others, over time.",
	  3 },
	{ "idle_while_waiting_resource_seconds", "Nominal quota that nobody "
	  "used while a job of the cluster queue waited, over time.", 5 },
};

static void sum_print(const struct writer *w, const struct sum_metric *m,
		      struct json_object *queue, struct json_object *pair)
{
	struct json_object *account = json_member(pair, "account"), *value;
	struct labels l = queue_labels(queue);
	const char *resource = json_text(pair, "resource");

	if (!json_object_is_type(account, json_type_array))
		return;
	value = json_object_array_get_idx(account, m->place);
	label_add(&l, "flavor", json_text(pair, "flavor"));
	label_add(&l, "resource", resource);
	sample_print(w, m->name, "_total", &l, NULL,
		     json_object_get_double(value)
		     * (strcmp(resource, "mem") ? 1 : MEGABYTE));
}

static void sums_print(const struct writer *w, const struct sum_metric *m)
{
	family_print(w, METRIC_COUNTER, m->name, m->help);
	for (size_t i = 0; i < queues_of(w); i++) {
		struct json_object *queue = queue_of(w, i);

		for (size_t k = 0; k < json_items(queue, "quota"); k++)
			sum_print(w, m, queue, json_item(queue, "quota", k));
	}
}

void costs_print(const struct writer *w)
{
	by_reason_print(w, "evicted_jobs", "evicted",
			"Jobs preempted, by reason.");
	by_reason_print(w, "caused_evictions", "caused",
			"Jobs preempted for the cluster queue, by reason.");
	losses_print(w);
	times_print(w, "admission_wait_seconds", "waitSeconds",
		    "How long jobs waited before they started.");
	times_print(w, "reclaim_delay_seconds", "reclaimDelaySeconds",
		    "How long jobs within nominal quota waited before they "
		    "started.");
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		sums_print(w, &sums[i]);
}
