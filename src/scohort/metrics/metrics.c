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

#include "cli/commands.h"
#include "cli/options.h"
#include "input/json_members.h"
#include "ledger/published.h"
#include "lib/sat.h"
#include "metrics/metrics.h"
#include "text/printable.h"

#define NAME "slurm_cohort"
#define MEGABYTE 1048576

struct options {
	bool prometheus;
};

static const struct cli_option options[] = {
	{ "prometheus", 0, NULL, "the older text format, for textfile "
	  "collectors", OPTION(FLAG, prometheus) },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "",
	.about = "Quota, usage and counters as OpenMetrics text.\n",
	.options = options,
};

/* ---- text ---- */

enum metric_kind { METRIC_GAUGE, METRIC_COUNTER, METRIC_HISTOGRAM };

struct writer {
	FILE *file;
	bool prometheus;	/* the older format */
	struct json_object *document;	/* where the values come from */
};

/* Labels that the samples of one thing have in common */
struct labels {
	const char *names[6], *values[6];
	size_t n;
};

static void label_add(struct labels *l, const char *name, const char *value)
{
	l->names[l->n] = name;
	l->values[l->n++] = value;
}

/* Those that all samples of a cluster queue have; its texts */
static struct labels queue_labels(struct json_object *queue)
{
	struct labels l = { .n = 0 };

	label_add(&l, "cohort", json_text(queue, "cohort"));
	label_add(&l, "cluster_queue", json_text(queue, "name"));
	return l;
}

/* The lines that begin a family. Names have no prefix here. */
static void family_print(const struct writer *w, enum metric_kind kind,
		  const char *name, const char *help)
{
	static const char *const kinds[] = { "gauge", "counter", "histogram" };
	bool total = w->prometheus && kind == METRIC_COUNTER;
	const char *end = total ? "_total" : "";

	fprintf(w->file, "# HELP " NAME "_%s%s %s\n# TYPE " NAME "_%s%s %s\n",
		name, end, help, name, end, kinds[kind]);
}

/* One label that is no UTF-8 would make Prometheus reject all samples. */
static void label_value_print(FILE *file, const char *value)
{
	char *mended = utf8_mend(value);

	for (const char *c = mended; c && *c; c++) {
		if (*c == '\n')
			fputs("\\n", file);
		else if (*c == '"' || *c == '\\')
			fprintf(file, "\\%c", *c);
		else
			putc(*c, file);
	}
	free(mended);
}

/* A sample of it: `end` comes behind the name ("_total", "_bucket" or ""); le
 * is the bound of a bucket, or NULL. Infinity is +Inf. */
static void sample_print(const struct writer *w, const char *name, const char *end,
		  const struct labels *l, const char *le, double value)
{
	fprintf(w->file, NAME "_%s%s", name, end);
	for (size_t i = 0; i < l->n; i++) {
		fprintf(w->file, "%s%s=\"", i ? "," : "{", l->names[i]);
		label_value_print(w->file, l->values[i]);
		putc('"', w->file);
	}
	if (le)
		fprintf(w->file, "%sle=\"%s\"", l->n ? "," : "{", le);
	fputs(l->n || le ? "} " : " ", w->file);
	if (isinf(value))
		fputs("+Inf\n", w->file);
	else
		fprintf(w->file, "%.15g\n", value);
}

/* All samples of a published histogram: bounds, buckets and sum */
static void histogram_print(const struct writer *w, const char *name,
		     const struct labels *l, struct json_object *h)
{
	size_t n = json_items(h, "bounds");
	int64_t count = 0;
	char le[32];

	for (size_t i = 0; i < n; i++) {
		double bound = json_object_get_double(json_item(h, "bounds", i));

		count = sat_add(count, json_object_get_int64(json_item(h, "buckets", i)));
		snprintf(le, sizeof(le), bound == floor(bound) && fabs(bound) < 1e15 ? "%.1f"
			 : "%.6g", bound);
		sample_print(w, name, "_bucket", l, le, (double) count);
	}
	count = sat_add(count, json_object_get_int64(json_item(h, "buckets", n)));
	sample_print(w, name, "_bucket", l, "+Inf", (double) count);
	sample_print(w, name, "_sum", l, NULL, json_real(h, "sum"));
	sample_print(w, name, "_count", l, NULL, (double) count);
}

/* The member of members: "counters.admitted". NULL: there is none */
static struct json_object *member_at(struct json_object *o, const char *path)
{
	char key[64];

	for (const char *dot; o && (dot = strchr(path, '.')); path = dot + 1) {
		snprintf(key, sizeof(key), "%.*s", (int) (dot - path), path);
		o = json_member(o, key);
	}
	return json_member(o, path);
}

/* Prometheus counts memory in bytes. */
static double amount_of(struct json_object *value, const char *resource)
{
	return json_object_get_double(value) * (strcmp(resource, "mem") ? 1 : MEGABYTE);
}

static const char *end_of(enum metric_kind kind)
{
	return kind == METRIC_COUNTER ? "_total" : "";
}

/* ---- all metrics ---- */

/* What has the samples: the site; cluster queues; each flavor and resource of these, or of
 * cohorts; what a map of cluster queues has by name */
enum metric_of { OF_SITE, OF_QUEUES, OF_PAIRS, OF_COHORT_PAIRS, OF_NAMES };

static const struct metric {
	const char *name;
	enum metric_kind kind;
	enum metric_of of;
	const char *path, *help;	/* in the site, the queue, the pair */
	const char *zero, *one;	/* 0 for this text, and 1 for others; the other way round;
				 * both NULL: a number */
	double none, parts;	/* without a value; of a unit (0: 1) */
	size_t place;		/* in "account" */
	const char *label;	/* of names; NULL: they are RESOURCE@FLAVOR */
	bool is_rare;		/* the family is there only with a sample */
} metrics[] = {
	{ "quota_nominal", METRIC_GAUGE, OF_PAIRS, "nominal",
	  .help = "Nominal quota of the cluster queue." },
	{ "quota_borrowing_limit", METRIC_GAUGE, OF_PAIRS, "borrowingLimit",
	  .help = "How much the cluster queue may borrow, where that is limited." },
	{ "quota_lending_limit", METRIC_GAUGE, OF_PAIRS, "lendingLimit",
	  .help = "How much of its nominal quota other queues may use, where that is "
	  "limited." },
	{ "usage", METRIC_GAUGE, OF_PAIRS, "used",
	  .help = "Used by the cluster queue's jobs, or reserved for its preemptors." },
	{ "borrowed", METRIC_GAUGE, OF_PAIRS, "borrowed",
	  .help = "The part of the usage above nominal quota." },
	{ "lent", METRIC_GAUGE, OF_PAIRS, "lent",
	  .help = "The part of nominal quota that other queues use." },
	{ "free", METRIC_GAUGE, OF_PAIRS, "free",
	  .help = "What a job could get without any eviction." },
	{ "reclaimable", METRIC_GAUGE, OF_PAIRS, "reclaimable",
	  .help = "The part of what is lent that the cluster queue could reclaim now." },
	{ "reclaimable_later", METRIC_GAUGE, OF_PAIRS, "reclaimableLater",
	  .help = "The part of what is lent that it could reclaim once protections end." },
	{ "nonpreemptible", METRIC_GAUGE, OF_PAIRS, "nonPreemptible",
	  .help = "The part of the usage by jobs that can't be preempted." },
	{ "nonpreemptible_cap", METRIC_GAUGE, OF_PAIRS, "nonPreemptibleCap",
	  .help = "The most that jobs that can't be preempted may use in the cluster "
	  "queue now." },
	{ "subtree_quota", METRIC_GAUGE, OF_COHORT_PAIRS, "subtree",
	  .help = "Quota of the cohort and what its members lend to it." },
	{ "subtree_usage", METRIC_GAUGE, OF_COHORT_PAIRS, "used",
	  .help = "The cohort's quota used by all its members." },
	{ "quota_resource_seconds", METRIC_COUNTER, OF_PAIRS, "account",
	  .help = "Nominal quota over time.", .place = 0 },
	{ "own_use_resource_seconds", METRIC_COUNTER, OF_PAIRS, "account",
	  .help = "Use of nominal quota by the cluster queue itself, over time.", .place = 1 },
	{ "borrowed_resource_seconds", METRIC_COUNTER, OF_PAIRS, "account",
	  .help = "Use above nominal quota, over time.", .place = 2 },
	{ "lent_resource_seconds", METRIC_COUNTER, OF_PAIRS, "account",
	  .help = "Use of nominal quota by others, over time.", .place = 3 },
	{ "idle_while_waiting_resource_seconds", METRIC_COUNTER, OF_PAIRS, "account",
	  .help = "Nominal quota that nobody used while a job of the cluster queue "
	  "waited, over time.", .place = 5 },
	{ "pending_jobs", METRIC_GAUGE, OF_QUEUES, "waiting",
	  .help = "Waiting jobs with a position; each array task counts." },
	{ "admitted_active_jobs", METRIC_GAUGE, OF_QUEUES, "running", .help = "Running jobs." },
	{ "stopped", METRIC_GAUGE, OF_QUEUES, "stopPolicy",
	  .help = "1 if the cluster queue has a stopPolicy.", .zero = "None" },
	{ "weight", METRIC_GAUGE, OF_QUEUES, "weight", .help = "Weight for fair sharing." },
	/* null: without weight, beyond all other shares */
	{ "share", METRIC_GAUGE, OF_QUEUES, "share", "Share for fair sharing: what it borrows of "
	  "what can be lent, divided by weight.", .none = HUGE_VAL },
	{ "admitted_jobs", METRIC_COUNTER, OF_QUEUES, "counters.admitted",
	  .help = "Jobs started." },
	{ "admission_wait_seconds", METRIC_HISTOGRAM, OF_QUEUES, "counters.waitSeconds",
	  .help = "How long jobs waited before they started." },
	{ "reclaim_delay_seconds", METRIC_HISTOGRAM, OF_QUEUES,
	  "counters.reclaimDelaySeconds", .help = "How long jobs within nominal "
	  "quota waited before they started." },
	/* only where usage history counts; over all flavors */
	{ "borrowed_history", METRIC_GAUGE, OF_NAMES, "history",
	  .help = "What the cluster queue borrowed lately, by half-life.", .label = "resource",
	  .is_rare = true },
	{ "evicted_jobs", METRIC_COUNTER, OF_NAMES, "counters.evicted",
	  .help = "Jobs preempted, by reason.", .label = "reason" },
	{ "caused_evictions", METRIC_COUNTER, OF_NAMES, "counters.caused",
	  .help = "Jobs preempted for the cluster queue, by reason.", .label = "reason" },
	{ "lost_resource_seconds", METRIC_COUNTER, OF_NAMES, "counters.lost",
	  .help = "What runs had used that were evicted." },
	{ "enforcing", METRIC_GAUGE, OF_SITE, "enforcement",
	  .help = "0 if quota is only observed.", .zero = "observe" },
	{ "published_timestamp_seconds", METRIC_GAUGE, OF_SITE, "time",
	  .help = "When these numbers last changed." },
	{ "plans", METRIC_COUNTER, OF_SITE, "counters.plans", .help = "Plans made." },
	{ "pass_duration_seconds", METRIC_HISTOGRAM, OF_SITE, "counters.passSeconds",
	  .help = "How long the plugin took at the start of a scheduling pass." },
	/* what the passes had to do, since slurmctld was started */
	{ "job_record_looks", METRIC_COUNTER, OF_SITE, "work.looks",
	  .help = "Job records looked at." },
	{ "rule_matches", METRIC_COUNTER, OF_SITE, "work.matches",
	  .help = "Times that the rules of all cluster queues were compared with a job." },
	{ "job_bookings", METRIC_COUNTER, OF_SITE, "work.booked",
	  .help = "Jobs that were booked, or booked anew after a change." },
	{ "preemption_candidates", METRIC_COUNTER, OF_SITE, "work.candidates",
	  .help = "Records that slurmctld asked about as candidates for preemption." },
	{ "reason_texts", METRIC_COUNTER, OF_SITE, "work.texts",
	  .help = "Texts for squeue that were other ones." },
	{ "untried_jobs", METRIC_COUNTER, OF_SITE, "work.untried",
	  .help = "Jobs that lost their place because slurmctld did not try them." },
	{ "cut_plans", METRIC_COUNTER, OF_SITE, "work.cutPlans",
	  .help = "Plans that used up planBudget, and were gone on with later." },
	{ "saved_jobs", METRIC_COUNTER, OF_SITE, "work.saved",
	  .help = "Jobs looked at to write what the state file has of them." },
	{ "pass_longest_seconds", METRIC_GAUGE, OF_SITE, "work.longestPassSeconds",
	  .help = "The longest that the plugin took, since slurmctld was started." },
	/* for how long other threads of slurmctld had to wait for ours */
	{ "lock_hold_seconds", METRIC_HISTOGRAM, OF_SITE, "work.lockSeconds",
	  .help = "How long a thread of the plugin held slurmctld's lock." },
	{ "lock_hold_longest_seconds", METRIC_GAUGE, OF_SITE, "work.lockSeconds.longest",
	  .help = "The longest of these, since slurmctld was started." },
	/* what the plays for squeue --start cost, since then */
	{ "estimate_plays", METRIC_COUNTER, OF_SITE, "work.estimates.plays",
	  .help = "How often the plugin simulated the cluster to estimate starts." },
	{ "estimate_cpu_seconds", METRIC_COUNTER, OF_SITE, "work.estimates.microseconds",
	  .help = "CPU time spent on these estimates.", .parts = 1e6 },
	{ "estimate_jobs_too_far", METRIC_GAUGE, OF_SITE, "work.estimates.tooFar",
	  .help = "Waiting jobs whose start is too far ahead to be estimated." },
	/* what became of evictions since then */
	{ "events_written", METRIC_COUNTER, OF_SITE, "events.written",
	  .help = "Events written to the file of events." },
	{ "events_writes", METRIC_COUNTER, OF_SITE, "events.writes",
	  .help = "How often it was written to: several events at once." },
	{ "events_lost", METRIC_COUNTER, OF_SITE, "events.lost",
	  .help = "Events that could not be written to it." },
	{ "notify_runs", METRIC_COUNTER, OF_SITE, "events.notify.ran",
	  .help = "Runs of the program of notify that ended well." },
	{ "notify_failures", METRIC_COUNTER, OF_SITE, "events.notify.failed",
	  .help = "Evictions for which it failed, was killed or not run." },
	{ "config_valid", METRIC_GAUGE, OF_SITE, "configuration.valid",
	  .help = "0 if slurmctld rejected cohort.yaml when it read it last.", .is_rare = true },
	{ "config_current", METRIC_GAUGE, OF_SITE, "configuration.onDisk", .help = "0 if "
	  "cohort.yaml was changed after slurmctld read it.", .one = "same", .is_rare = true },
};

static double value_of(const struct metric *m, struct json_object *value)
{
	if (m->zero)
		return !value || strcmp(json_object_get_string(value), m->zero);
	if (m->one)
		return value && !strcmp(json_object_get_string(value), m->one);
	return value ? json_object_get_double(value) / (m->parts > 0 ? m->parts : 1) : m->none;
}

static void value_print(const struct writer *w, const struct metric *m,
			const struct labels *l, struct json_object *value)
{
	if (m->kind == METRIC_HISTOGRAM)
		histogram_print(w, m->name, l, value);
	else
		sample_print(w, m->name, end_of(m->kind), l, NULL, value_of(m, value));
}

/* flavor: NULL: of all; label: what the name is */
static void amount_print(const struct writer *w, const struct metric *m,
			 struct json_object *node, const char *flavor, const char *label,
			 const char *name, struct json_object *value)
{
	struct labels l = queue_labels(node);

	if (m->of == OF_COHORT_PAIRS)
		l = (struct labels) { { "cohort" }, { json_text(node, "name") }, 1 };
	if (flavor)
		label_add(&l, "flavor", flavor);
	label_add(&l, label, name);
	sample_print(w, m->name, end_of(m->kind), &l, NULL,
		     amount_of(value, strcmp(label, "resource") ? "" : name));
}

static void pair_print(const struct writer *w, const struct metric *m,
		       struct json_object *node, struct json_object *quota)
{
	struct json_object *value = json_member(quota, m->path);

	if (!strcmp(m->path, "account"))
		value = json_object_is_type(value, json_type_array)
			? json_object_array_get_idx(value, m->place) : NULL;
	if (value)	/* else there is no limit */
		amount_print(w, m, node, json_text(quota, "flavor"), "resource",
			     json_text(quota, "resource"), value);
}

static void name_print(const struct writer *w, const struct metric *m,
		       struct json_object *queue, const char *name, struct json_object *value)
{
	const char *at = strrchr(name, '@');
	char resource[256];

	if (m->label) {
		amount_print(w, m, queue, NULL, m->label, name, value);
	} else if (at) {
		snprintf(resource, sizeof(resource), "%.*s", (int) (at - name), name);
		amount_print(w, m, queue, at + 1, "resource", resource, value);
	}
}

static void node_print(const struct writer *w, const struct metric *m, struct json_object *node)
{
	struct json_object *value = member_at(node, m->path);
	const struct labels l = queue_labels(node);

	if (m->of == OF_QUEUES) {
		value_print(w, m, &l, value);
	} else if (m->of != OF_NAMES) {
		for (size_t i = 0; i < json_items(node, "quota"); i++)
			pair_print(w, m, node, json_item(node, "quota", i));
	} else if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, name, number)
			name_print(w, m, node, name, number);
	}
}

static bool is_there(const struct writer *w, const struct metric *m)
{
	bool any = !m->is_rare || (m->of == OF_SITE && member_at(w->document, m->path));

	for (size_t i = 0; !any && i < json_items(w->document, "clusterQueues"); i++)
		any = member_at(json_item(w->document, "clusterQueues", i), m->path);
	return any;
}

static void metric_print(const struct writer *w, const struct metric *m)
{
	const char *of = m->of == OF_COHORT_PAIRS ? "cohorts" : "clusterQueues";
	const struct labels none = { .n = 0 };

	if (!is_there(w, m))
		return;
	family_print(w, m->kind, m->name, m->help);
	if (m->of == OF_SITE)
		value_print(w, m, &none, member_at(w->document, m->path));
	for (size_t i = 0; m->of != OF_SITE && i < json_items(w->document, of); i++)
		node_print(w, m, json_item(w->document, of, i));
}

void metrics_print(struct json_object *document, bool prometheus, FILE *file)
{
	const struct writer w = { file, prometheus, document };

	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++)
		metric_print(&w, &metrics[i]);
}

int cmd_metrics(int argc, char **argv)
{
	const struct labels none = { .n = 0 };
	struct options o = { false };
	struct published p;
	struct controller controller;
	struct call call;
	struct writer w;
	int status;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
	status = published_open_live(&p, &controller);
	w = (struct writer) { stdout, o.prometheus, p.document };
	family_print(&w, METRIC_GAUGE, "up", "1 if slurmctld answers and publishes.");
	sample_print(&w, "up", "", &none, NULL, !status);
	if (!status)
		metrics_print(p.document, o.prometheus, stdout);
	if (!o.prometheus)
		puts("# EOF");
	published_close(&p);
	controller_close(&controller);
	return status;
}
