/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz trace - traces as CSV, with columns of resources, of sacct, and in the
 * Standard Workload Format, plain and gzip; small traces are replayed
 */
#include "input.h"
#include "simulate/simulate.h"
#include "trace/trace.h"

static const char conf_text[] =
	"flavors: [{name: f}]\n"
	"cohorts: [{name: c}]\n"
	"fairSharing: {enable: true}\n"
	"clusterQueues:\n"
	"- name: a\n"
	"  cohort: c\n"
	"  match: [{account: a}]\n"
	"  resourceGroups: [{coveredResources: [cpu], flavors:"
	" [{name: f, nominalQuota: cpu=4}]}]\n"
	"  preemption: {reclaimWithinCohort: Any,"
	" withinClusterQueue: LowerPriority}\n"
	"- name: b\n"
	"  cohort: c\n"
	"  match: [{account: \"*\"}]\n"
	"  resourceGroups: [{coveredResources: [cpu], flavors:"
	" [{name: f, nominalQuota: cpu=4}]}]\n";

#define TASKS_PLAYED 40

static bool is_small(const struct trace *trace)
{
	int64_t tasks = 0;

	for (size_t i = 0; i < trace->n && tasks <= TASKS_PLAYED; i++)
		tasks += trace->jobs[i].tasks;
	return tasks <= TASKS_PLAYED;
}

static void play(const struct trace *trace)
{
	static struct conf *conf;
	struct replay_options how = { .requeue_time = 121 * SPEC_SEC };
	struct replay *r;

	if (!conf)
		conf = conf_read_text("cohort.yaml", conf_text,
				      strlen(conf_text), input_report, NULL);
	require(conf);
	r = replay_run(conf, trace, &how);
	if (r)
		json_object_put(simulate_document(r, NULL));
	replay_free(r);
}

/* Text of a trace is made printable where it is printed. */
static void report(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	require(*message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct trace_options kinds[] = {
		{ 0 }, { .columns = "submit=start,cpu=cpus,"
		  "gres/gpu=gpus", .unit = 3600 * SPEC_SEC },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct trace *trace = trace_load(input_file(data, size),
						 &kinds[i], report, NULL);

		if (trace && !trace->errors && is_small(trace))
			play(trace);
		trace_free(trace);
	}
	return 0;
}
