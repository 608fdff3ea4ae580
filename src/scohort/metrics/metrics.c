/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.c - scohort metrics: the ledger and the counters for Prometheus
 *
 * OpenMetrics 1.0, or with --prometheus the older text format, which
 * node_exporter's textfile collector reads: there the name of a counter's
 * family ends in _total, too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "input/json_members.h"
#include "ledger/published.h"
#include "metrics/costs.h"
#include "metrics/metrics.h"
#include "metrics/openmetrics.h"
#include "output/exit_status.h"

#define MEGABYTE 1048576

struct options {
	bool prometheus;
};

static const struct cli_option options[] = {
	{ "prometheus", 0, NULL, "the older text format, for textfile "
	  "collectors", CLI_FLAG, offsetof(struct options, prometheus), 0 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "",
	.about = "Quota, usage and counters as OpenMetrics text.\n",
	.options = options,
};

/* ---- by flavor and resource ---- */

static const struct quota_metric {
	const char *name, *key, *help;
} queue_metrics[] = {
	{ "quota_nominal", "nominal", "Nominal quota of the cluster queue." },
	{ "quota_borrowing_limit", "borrowingLimit", "How much the cluster "
	  "queue may borrow, where that is limited." },
	{ "quota_lending_limit", "lendingLimit", "How much of its nominal "
	  "quota other queues may use, where that is limited." },
	{ "usage", "used", "Used by the cluster queue's jobs, or reserved for "
	  "its preemptors." },
	{ "borrowed", "borrowed", "The part of the usage above nominal quota." },
	{ "lent", "lent", "The part of nominal quota that other queues use." },
	{ "free", "free", "What a job could get without any eviction." },
	{ "reclaimable", "reclaimable", "The part of what is lent that the "
	  "cluster queue could reclaim now." },
	{ "reclaimable_later", "reclaimableLater", "The part of what is lent "
	  "that it could reclaim once protections end." },
	{ "nonpreemptible", "nonPreemptible", "The part of the usage by jobs "
	  "that can't be preempted." },
	{ "nonpreemptible_cap", "nonPreemptibleCap", "The most that jobs that "
	  "can't be preempted may use in the cluster queue now." },
};

static const struct quota_metric cohort_metrics[] = {
	{ "subtree_quota", "subtree", "Quota of the cohort and what its "
	  "members lend to it." },
	{ "subtree_usage", "used", "The cohort's quota used by all its members." },
};

/* Prometheus counts memory in bytes */
static double amount_of(struct json_object *quota, const char *key)
{
	double amount = (double) json_number(quota, key);

	return strcmp(json_text(quota, "resource"), "mem") ? amount
							   : amount * MEGABYTE;
}

static void node_samples_print(const struct writer *w,
			       const struct quota_metric *m,
			       struct json_object *node,
			       const struct labels *base)
{
	for (size_t i = 0; i < json_items(node, "quota"); i++) {
		struct json_object *quota = json_item(node, "quota", i);
		struct labels l = *base;

		if (!json_member(quota, m->key))
			continue;	/* no limit */
		label_add(&l, "flavor", json_text(quota, "flavor"));
		label_add(&l, "resource", json_text(quota, "resource"));
		sample_print(w, m->name, "", &l, NULL,
			     amount_of(quota, m->key));
	}
}

static void queue_quotas_print(const struct writer *w,
			       const struct quota_metric *m)
{
	family_print(w, METRIC_GAUGE, m->name, m->help);
	for (size_t i = 0; i < json_items(w->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(w->document,
						      "clusterQueues", i);
		struct labels l = queue_labels(queue);

		node_samples_print(w, m, queue, &l);
	}
}

static void cohort_quotas_print(const struct writer *w,
				const struct quota_metric *m)
{
	family_print(w, METRIC_GAUGE, m->name, m->help);
	for (size_t i = 0; i < json_items(w->document, "cohorts"); i++) {
		struct json_object *cohort = json_item(w->document, "cohorts",
						       i);
		struct labels l = { .n = 0 };

		label_add(&l, "cohort", json_text(cohort, "name"));
		node_samples_print(w, m, cohort, &l);
	}
}

/* ---- by queue ---- */

static double stopped_of(struct json_object *queue)
{
	return strcmp(json_text(queue, "stopPolicy"), "None") != 0;
}

static double pending_of(struct json_object *queue)
{
	return (double) json_number(queue, "waiting");
}

static double running_of(struct json_object *queue)
{
	return (double) json_number(queue, "running");
}

static double weight_of(struct json_object *queue)
{
	return json_real(queue, "weight");
}

/* null: without weight, beyond all other shares */
static double share_of(struct json_object *queue)
{
	return json_member(queue, "share") ? json_real(queue, "share")
					   : HUGE_VAL;
}

static double admitted_of(struct json_object *queue)
{
	return (double) json_number(json_member(queue, "counters"),
				    "admitted");
}

static const struct {
	const char *name;
	enum metric_kind kind;
	double (*value)(struct json_object *queue);
	const char *help;
} per_queue[] = {
	{ "pending_jobs", METRIC_GAUGE, pending_of,
	  "Waiting jobs with a position; each array task counts." },
	{ "admitted_active_jobs", METRIC_GAUGE, running_of, "Running jobs." },
	{ "stopped", METRIC_GAUGE, stopped_of,
	  "1 if the cluster queue has a "
	  "stopPolicy." },
	{ "weight", METRIC_GAUGE, weight_of, "Weight for fair sharing." },
	{ "share", METRIC_GAUGE, share_of,
	  "Share for fair sharing: what it borrows of what can be lent, "
	  "divided by weight." },
	{ "admitted_jobs", METRIC_COUNTER, admitted_of, "Jobs started." },
};

static void queue_sample_print(const struct writer *w, size_t m,
			 struct json_object *queue)
{
	struct labels l = queue_labels(queue);

	sample_print(w, per_queue[m].name,
	       per_queue[m].kind == METRIC_COUNTER ? "_total" : "", &l, NULL,
	       per_queue[m].value(queue));
}

static void queue_numbers_print(const struct writer *w)
{
	for (size_t m = 0; m < sizeof(per_queue) / sizeof(*per_queue); m++) {
		family_print(w, per_queue[m].kind, per_queue[m].name,
		       per_queue[m].help);
		for (size_t i = 0; i < json_items(w->document,
						  "clusterQueues"); i++)
			queue_sample_print(w, m, json_item(w->document,
						     "clusterQueues", i));
	}
}

/* Only where usage history counts; by resource, over all flavors */
static void history_print(const struct writer *w)
{
	bool told = false;

	for (size_t i = 0; i < json_items(w->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(w->document,
						      "clusterQueues", i);
		struct json_object *history = json_member(queue, "history");

		if (!json_object_is_type(history, json_type_object))
			continue;
		if (!told)
			family_print(w, METRIC_GAUGE, "borrowed_history",
				     "What the cluster queue borrowed lately, "
				     "by half-life.");
		told = true;
		json_object_object_foreach(history, resource, value) {
			struct labels l = queue_labels(queue);
			double amount = json_object_get_double(value);

			label_add(&l, "resource", resource);
			sample_print(w, "borrowed_history", "", &l, NULL,
				     strcmp(resource, "mem") ? amount
				     : amount * MEGABYTE);
		}
	}
}

/* ---- all of it ---- */

static void up_print(const struct writer *w, bool is_up)
{
	const struct labels none = { .n = 0 };

	family_print(w, METRIC_GAUGE, "up",
		     "1 if slurmctld answers and publishes.");
	sample_print(w, "up", "", &none, NULL, is_up);
}

/* For how long other threads of slurmctld had to wait for ours */
static void locks_print(const struct writer *w, struct json_object *locks)
{
	const struct labels none = { .n = 0 };

	family_print(w, METRIC_HISTOGRAM, "lock_hold_seconds",
		     "How long a thread of the plugin held slurmctld's lock.");
	histogram_print(w, "lock_hold_seconds", &none, locks);
	family_print(w, METRIC_GAUGE, "lock_hold_longest_seconds",
		     "The longest of these, since slurmctld was started.");
	sample_print(w, "lock_hold_longest_seconds", "", &none, NULL,
		     json_real(locks, "longest"));
}

/* What the passes had to do, since slurmctld was started */
static void work_print(const struct writer *w)
{
	static const struct {
		const char *name, *key, *help;
	} counters[] = {
		{ "job_record_looks", "looks", "Job records looked at." },
		{ "rule_matches", "matches",
		  "Times that the rules of all cluster queues were compared with a job." },
		{ "job_bookings", "booked",
		  "Jobs that were booked, or booked anew after a change." },
		{ "preemption_candidates", "candidates",
		  "Records that slurmctld asked about as candidates for preemption." },
		{ "reason_texts", "texts", "Texts for squeue that were other ones." },
		{ "untried_jobs", "untried",
		  "Jobs that lost their place because slurmctld did not try them." },
		{ "saved_jobs", "saved",
		  "Jobs looked at to write what the state file has of them." },
	};
	struct json_object *work = json_member(w->document, "work");
	const struct labels none = { .n = 0 };

	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		family_print(w, METRIC_COUNTER, counters[i].name,
			     counters[i].help);
		sample_print(w, counters[i].name, "_total", &none, NULL,
			     (double) json_number(work, counters[i].key));
	}
	family_print(w, METRIC_GAUGE, "pass_longest_seconds",
		     "The longest that the plugin took, since slurmctld was "
		     "started.");
	sample_print(w, "pass_longest_seconds", "", &none, NULL,
		     json_real(work, "longestPassSeconds"));
	locks_print(w, json_member(work, "lockSeconds"));
}

static void site_numbers_print(const struct writer *w)
{
	struct json_object *counters = json_member(w->document, "counters");
	const struct labels none = { .n = 0 };

	family_print(w, METRIC_GAUGE, "enforcing",
		     "0 if quota is only observed.");
	sample_print(w, "enforcing", "", &none, NULL,
	       strcmp(json_text(w->document, "enforcement"), "observe") != 0);
	family_print(w, METRIC_GAUGE, "published_timestamp_seconds",
		     "When these numbers "
		     "last changed.");
	sample_print(w, "published_timestamp_seconds", "", &none, NULL,
	       (double) json_number(w->document, "time"));
	family_print(w, METRIC_COUNTER, "plans", "Plans made.");
	sample_print(w, "plans", "_total", &none, NULL,
	       (double) json_number(counters, "plans"));
	work_print(w);
	family_print(w, METRIC_HISTOGRAM, "pass_duration_seconds",
		     "How long the plugin "
		     "took at the start of a scheduling pass.");
	histogram_print(w, "pass_duration_seconds", &none,
		  json_member(counters, "passSeconds"));
}

/* What the plays for squeue --start cost, since slurmctld was started */
static void estimates_print(const struct writer *w)
{
	struct json_object *estimates = json_member(
		json_member(w->document, "work"), "estimates");
	const struct labels none = { .n = 0 };

	family_print(w, METRIC_COUNTER, "estimate_plays",
		     "How often the plugin simulated the cluster to estimate "
		     "starts.");
	sample_print(w, "estimate_plays", "_total", &none, NULL,
		     (double) json_number(estimates, "plays"));
	family_print(w, METRIC_COUNTER, "estimate_cpu_seconds",
		     "CPU time spent on these estimates.");
	sample_print(w, "estimate_cpu_seconds", "_total", &none, NULL,
		     (double) json_number(estimates, "microseconds") / 1e6);
	family_print(w, METRIC_GAUGE, "estimate_jobs_too_far",
		     "Waiting jobs whose start is too far ahead to be "
		     "estimated.");
	sample_print(w, "estimate_jobs_too_far", "", &none, NULL,
		     (double) json_number(estimates, "tooFar"));
}

/* What became of evictions since slurmctld was started */
static void events_print(const struct writer *w)
{
	struct json_object *events = json_member(w->document, "events");
	struct json_object *notify = json_member(events, "notify");
	const struct labels none = { .n = 0 };

	family_print(w, METRIC_COUNTER, "events_written",
		     "Evictions written to the file of events.");
	sample_print(w, "events_written", "_total", &none, NULL,
		     (double) json_number(events, "written"));
	family_print(w, METRIC_COUNTER, "events_writes",
		     "How often it was written to: several evictions at once.");
	sample_print(w, "events_writes", "_total", &none, NULL,
		     (double) json_number(events, "writes"));
	family_print(w, METRIC_COUNTER, "events_lost",
		     "Evictions that could not be written to it.");
	sample_print(w, "events_lost", "_total", &none, NULL,
		     (double) json_number(events, "lost"));
	family_print(w, METRIC_COUNTER, "notify_runs",
		     "Runs of the program of notify that ended well.");
	sample_print(w, "notify_runs", "_total", &none, NULL,
		     (double) json_number(notify, "ran"));
	family_print(w, METRIC_COUNTER, "notify_failures",
		     "Evictions for which it failed, was killed or not run.");
	sample_print(w, "notify_failures", "_total", &none, NULL,
		     (double) json_number(notify, "failed"));
}

static void config_print(const struct writer *w)
{
	struct json_object *c = json_member(w->document, "configuration");
	const struct labels none = { .n = 0 };

	if (!c)
		return;
	family_print(w, METRIC_GAUGE, "config_valid",
		     "0 if slurmctld rejected cohort.yaml when it read it "
		     "last.");
	sample_print(w, "config_valid", "", &none, NULL,
		     json_truth(c, "valid"));
	family_print(w, METRIC_GAUGE, "config_current",
		     "0 if cohort.yaml was changed after slurmctld read it.");
	sample_print(w, "config_current", "", &none, NULL,
		     !strcmp(json_text(c, "onDisk"), "same"));
}

void metrics_print(struct json_object *document, bool prometheus, FILE *file)
{
	const struct writer writer = { file, prometheus, document }, *w = &writer;

	for (size_t i = 0; i < sizeof(queue_metrics) / sizeof(*queue_metrics);
	     i++)
		queue_quotas_print(w, &queue_metrics[i]);
	for (size_t i = 0;
	     i < sizeof(cohort_metrics) / sizeof(*cohort_metrics); i++)
		cohort_quotas_print(w, &cohort_metrics[i]);
	queue_numbers_print(w);
	history_print(w);
	costs_print(w);
	site_numbers_print(w);
	estimates_print(w);
	events_print(w);
	config_print(w);
}

int cmd_metrics(int argc, char **argv)
{
	struct options o = { false };
	struct published p;
	struct controller controller;
	struct call call;
	struct writer w;
	int status;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
	status = published_open_live(&p, &controller, argv[0]);
	w = (struct writer) { stdout, o.prometheus, p.document };
	up_print(&w, !status);
	if (!status)
		metrics_print(p.document, o.prometheus, stdout);
	if (!o.prometheus)
		puts("# EOF");
	published_close(&p);
	controller_close(&controller);
	return status;
}
