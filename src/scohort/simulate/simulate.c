/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.c - scohort simulate: last month's jobs with next month's quotas
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "input/json_members.h"
#include "ledger/published.h"
#include "lib/sat.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "simulate/simulate.h"
#include "slurm/conf_path.h"
#include "text/printable.h"

/* A requeued job waits for its old credentials to expire (AuthInfo's
 * cred_expire, by default 120 s) and a second more. */
#define REQUEUE_SECONDS 121

#define REPLAYS_MAX (1 + CLI_LIST_MAX)

struct options {
	const char *config, *plot, *resource, *classes, *nodes;
	const char *columns, *unit, *checkpoint, *restart_cost, *warm_up, *tail;
	const char *step;
	struct cli_list against;
	int64_t requeue, grace;
	bool from_sacct, from_swf, usage;
};

static const struct cli_option options[] = {
	{ "config", 'c', "FILE", "cohort.yaml to use (default: as in check)",
	  CLI_TEXT, offsetof(struct options, config), 0 },
	{ "against", 'a', "FILE", "another one to compare it with (again: more)",
	  CLI_LIST, offsetof(struct options, against), 0 },
	{ "from-sacct", 0, NULL, "TRACE is the output of sacct --parsable2",
	  CLI_FLAG, offsetof(struct options, from_sacct), 0 },
	{ "from-swf", 0, NULL, "TRACE is in the Standard Workload Format",
	  CLI_FLAG, offsetof(struct options, from_swf), 0 },
	{ "columns", 0, "NAME=COLUMN,...", "which column of a CSV has what",
	  CLI_TEXT, offsetof(struct options, columns), 0 },
	{ "unit", 0, "s|m|h", "unit of plain numbers in a CSV (s: seconds)",
	  CLI_TEXT, offsetof(struct options, unit), 0 },
	{ "classes", 0, "NAME=N,...", "priorities of QOS or partitions",
	  CLI_TEXT, offsetof(struct options, classes), 0 },
	{ "nodes", 0, "FLAVOR:TRES;...", "what the flavors' nodes have",
	  CLI_TEXT, offsetof(struct options, nodes), 0 },
	{ "requeue-time", 0, "SECONDS", "seconds until an evicted job waits "
	  "again (121)", CLI_NUMBER, offsetof(struct options, requeue), 0 },
	{ "grace-time", 0, "SECONDS", "seconds until an evicted job has ended "
	  "(0)",
	  CLI_NUMBER, offsetof(struct options, grace), 0 },
	{ "checkpoint", 0, "TIME|CLASS=TIME,...", "how often jobs save their "
	  "work (never)", CLI_TEXT, offsetof(struct options, checkpoint), 0 },
	{ "restart-cost", 0, "TIME|CLASS=TIME,...", "so much longer is a run "
	  "after an eviction (0s)", CLI_TEXT,
	  offsetof(struct options, restart_cost), 0 },
	{ "step", 0, "TIME", "decide only so often, which is faster (at each "
	  "event)", CLI_TEXT, offsetof(struct options, step), 0 },
	{ "warm-up", 0, "TIME", "the steady use begins so long after the first "
	  "job (a tenth)", CLI_TEXT, offsetof(struct options, warm_up), 0 },
	{ "tail", 0, "TIME", "and ends so long before the last job comes (0s)",
	  CLI_TEXT, offsetof(struct options, tail), 0 },
	{ "usage", 'u', NULL, "a row for each flavor and resource", CLI_FLAG,
	  offsetof(struct options, usage), 0 },
	{ "plot", 'p', "FILE", "draw usage and borrowing over time as SVG",
	  CLI_TEXT, offsetof(struct options, plot), 0 },
	{ "resource", 'r', "TRES", "what to draw", CLI_TEXT,
	  offsetof(struct options, resource), 0 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "TRACE", .min = 1, .max = 1,
	.about = "Plays the jobs of a trace through cohort.yaml, and shows how "
		 "long they waited,\nhow much they used and borrowed, and what "
		 "evictions cost.\n",
	.options = options, .output = CLI_TABLE, .columns = simulate_columns,
};

static void finding_print(void *arg, bool warning, const char *message)
{
	(void) arg;
	if (!warning)
		stderr_line("%s", message);
}

/* Quotas for a time are those of the trace's time. False: no memory */
static bool periods_date(struct conf *conf, const struct trace *trace,
			 const char *command)
{
	if (!conf->ntemporaries)
		return true;
	if (!trace->dates) {
		stderr_line("%s: temporaryQuota is left out: the times of %s "
			    "are no dates", command, trace->file);
		conf->spec->nperiods = 0;
		return true;
	}
	if (!conf_lay_out_periods(conf, trace->jobs[0].submit / SPEC_SEC))
		return true;
	stderr_line("%s: out of memory", command);
	return false;
}

static struct replay *config_play(const char *path, const struct trace *trace,
				  const struct options *o,
				  const char *command)
{
	struct conf *conf = conf_load(path, finding_print, NULL);
	struct progress *progress = progress_begin(path, trace);
	struct replay_options how = {
		.classes = o->classes, .nodes = o->nodes,
		.requeue_time = sat_mul(o->requeue, SPEC_SEC),
		.evict_time = sat_mul(o->grace, SPEC_SEC),
		.checkpoint = o->checkpoint, .restart_cost = o->restart_cost,
		.warm_up = o->warm_up ? replay_time_of(o->warm_up, NULL) : -1,
		.tail = replay_time_of(o->tail, NULL),
		.step = replay_time_of(o->step, NULL),
		.progress = progress_show, .arg = progress,
	};
	struct replay *r = NULL;
	char err[512];

	if (conf && periods_date(conf, trace, command)) {
		r = replay_run(conf, trace, &how, err, sizeof(err));
		if (!r)
			stderr_line("%s: %s", command, err);
	}
	progress_end(progress);
	if (!r)
		conf_destroy(conf);
	return r;
}

static void play_free(struct replay *r)
{
	struct conf *conf = r ? (struct conf *) r->conf : NULL;

	replay_free(r);
	conf_destroy(conf);
}

/* ---- output ---- */

static int text_show(const struct output *out, const struct trace *trace,
		     struct json_object *const *documents, size_t n,
		     bool usage, const char *command)
{
	char err[256];
	struct table *table = simulate_table(documents, n, usage, out, err,
					     sizeof(err));
	int status = STATUS_OK;

	if (out->kind == OUTPUT_TEXT && !out->no_header) {
		summary_trace(out->file, trace);
		for (size_t i = 0; i < n; i++)
			summary_print(out->file, documents[i]);
		fputc('\n', out->file);
	}
	if (table) {
		table_print(table, out);
	} else {
		stderr_line("%s: %s", command, err);
		status = STATUS_FAILED;
	}
	table_destroy(table);
	return status;
}

static int result_show(const struct output *out, const struct trace *trace,
		       struct replay *const *replays, size_t n,
		       const struct options *o, const char *command)
{
	struct json_object *all = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct json_object *documents[REPLAYS_MAX];
	int status = STATUS_OK;

	for (size_t i = 0; i < n; i++) {
		documents[i] = simulate_document(replays[i], o->resource);
		if (i)
			simulate_compare(documents[0], documents[i]);
		json_object_array_add(list, documents[i]);
	}
	json_object_object_add(all, "trace", summary_trace_document(trace));
	json_object_object_add(all, "simulations", list);
	if (output_is_data(out))
		output_document(out, all);
	else
		status = text_show(out, trace, documents, n, o->usage,
				   command);
	json_object_put(all);
	return status;
}

static int plot_maybe(const struct options *o, struct replay *const *replays,
		      size_t n, const char *command)
{
	char err[512];

	if (!o->plot ||
	    !plot_write(o->plot, o->resource,
			(const struct replay *const *) replays, n, err,
			sizeof(err)))
		return STATUS_OK;
	stderr_line("%s: %s", command, err);
	return STATUS_FAILED;
}

static int trace_play(const struct call *call, const struct options *o,
		      const struct trace *trace, const char *command)
{
	struct replay *replays[REPLAYS_MAX] = { NULL };
	char beside[CONF_PATH_MAX];
	const char *config = o->config;
	int status = STATUS_FAILED;
	size_t n = 0;

	if (!config)
		config = conf_path("cohort.yaml", beside, sizeof(beside));
	do {
		replays[n] = config_play(n ? o->against.of[n - 1] : config,
					 trace, o, command);
	} while (replays[n] && !replays[n++]->stopped &&
		 n <= o->against.n);
	if (n && replays[n - 1] && (n > o->against.n || replays[n - 1]->stopped))
		status = result_show(&call->out, trace, replays, n, o,
				     command);
	if (status == STATUS_OK)
		status = plot_maybe(o, replays, n, command);
	if (status == STATUS_OK && replays[n - 1]->stopped)
		status = STATUS_INTERRUPTED;
	for (size_t i = 0; i < n; i++)
		play_free(replays[i]);
	return status;
}

/* ---- options ---- */

/* False: it was reported */
static bool classes_are_good(const char *classes, const char *command)
{
	while (classes && *classes) {
		size_t len = strcspn(classes, ","), name = strcspn(classes, "=");
		const char *number = classes + name + 1;
		char *end = NULL;

		if (name && name < len)
			(void) strtoll(number, &end, 10);
		if (!end || end == number || end != classes + len) {
			stderr_line("%s: --classes: \"%.*s\" is not "
				    "NAME=NUMBER (high=100)", command,
				    (int) len, classes);
			return false;
		}
		classes += len + !!classes[len];
	}
	return true;
}

/* ns of "s", "m" or "h", 0: reported */
static int64_t unit_of(const char *unit, const char *command)
{
	static const int64_t seconds[] = { 1, 60, 3600 };
	static const char letters[] = "smh";
	const char *letter = unit && *unit && !unit[1] ? strchr(letters, *unit)
						      : NULL;

	if (!unit)
		return SPEC_SEC;
	if (letter)
		return seconds[letter - letters] * SPEC_SEC;
	stderr_line("%s: --unit: \"%s\" is not s, m or h", command, unit);
	return 0;
}

/* Spans and lists of spans. False: it was reported */
static bool times_are_good(const struct options *o, const char *command)
{
	const struct {
		const char *name, *text;
		bool one;
	} times[] = {
		{ "checkpoint", o->checkpoint, false },
		{ "restart-cost", o->restart_cost, false },
		{ "warm-up", o->warm_up, true },
		{ "tail", o->tail, true },
		{ "step", o->step, true },
	};
	char err[256];

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		const char *text = times[i].text;
		bool bad = replay_times_check(text, err, sizeof(err)) < 0;

		if (!bad && text && times[i].one && strpbrk(text, ",=")) {
			bad = true;
			snprintf(err, sizeof(err), "\"%.60s\" is not one time "
				 "(30s, 10m, 1h)", text);
		}
		if (bad) {
			stderr_line("%s: --%s: %s", command, times[i].name,
				    err);
			return false;
		}
	}
	return true;
}

/* False: it was reported */
static bool trace_options_make(const struct options *o,
			       struct trace_options *how, const char *command)
{
	*how = (struct trace_options) {
		.kind = o->from_sacct ? TRACE_SACCT :
			o->from_swf ? TRACE_SWF : TRACE_CSV,
		.columns = o->columns, .unit = unit_of(o->unit, command),
	};
	if (!how->unit || !classes_are_good(o->classes, command) ||
	    !times_are_good(o, command))
		return false;
	if (o->from_sacct && o->from_swf)
		stderr_line("%s: --from-sacct and --from-swf: only one of them",
			    command);
	else if (how->kind != TRACE_CSV && (o->columns || o->unit))
		stderr_line("%s: --columns and --unit are for CSV", command);
	else
		return true;
	return false;
}

int cmd_simulate(int argc, char **argv)
{
	struct options o = { .requeue = REQUEUE_SECONDS };
	struct trace_options how;
	struct trace *trace;
	struct call call;
	int status;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
	if (!trace_options_make(&o, &how, argv[0]))
		return STATUS_USAGE;
	trace = trace_load(call.args[0], &how, finding_print, NULL);
	if (!trace)
		return STATUS_FAILED;
	if (trace->errors) {
		stderr_line("%s: %zu row%s wrong, nothing was simulated",
			    argv[0], trace->errors,
			    trace->errors == 1 ? " is" : "s are");
		status = STATUS_FAILED;
	} else {
		status = trace_play(&call, &o, trace, argv[0]);
	}
	trace_free(trace);
	return status;
}
