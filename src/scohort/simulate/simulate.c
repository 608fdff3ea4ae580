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

/* So many jobs of a queue that find no nodes are tried at each event. */
#define DEPTH 2

#define ERROR_SIZE 1024

#define REPLAYS_MAX (1 + 2 * CLI_LIST_MAX)

static const struct cli_option options[] = {
	{ "config", 'c', "FILE", "cohort.yaml to use (default: as in check)",
	  CLI_TEXT, offsetof(struct options, config), 0 },
	{ "against", 'a', "FILE", "another one to compare it with (again: more)",
	  CLI_LIST, offsetof(struct options, against), 0 },
	{ "native", 0, "caps|scavenger", "what Slurm alone would do, beside it "
	  "(again: both)", CLI_LIST, offsetof(struct options, native), 0 },
	{ "sweep", 0, "PATH=VALUE,...", "try these values in the file, and show "
	  "the trade (again: all combinations)", CLI_LIST,
	  offsetof(struct options, sweep), 0 },
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
	{ "depth", 0, "N", "so many jobs of a queue without nodes are tried "
	  "(0: all)", CLI_NUMBER, offsetof(struct options, depth), 0 },
	{ "warm-up", 0, "TIME", "the steady use begins so long after the first "
	  "job (a tenth)", CLI_TEXT, offsetof(struct options, warm_up), 0 },
	{ "tail", 0, "TIME", "and ends so long before the last job comes (0s)",
	  CLI_TEXT, offsetof(struct options, tail), 0 },
	{ "usage", 'u', NULL, "a row for each flavor and resource", CLI_FLAG,
	  offsetof(struct options, usage), 0 },
	{ "events", 0, "FILE", "write each start, eviction and end as CSV",
	  CLI_TEXT, offsetof(struct options, events), 0 },
	{ "html", 0, "FILE", "write a page with charts of the same",
	  CLI_TEXT, offsetof(struct options, html), 0 },
	{ "resource", 'r', "TRES", "what the charts show", CLI_TEXT,
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

static int plot_maybe(const struct options *o, const struct trace *trace,
		      struct replay *const *replays, size_t n,
		      const char *command)
{
	char err[512];

	if (!o->html ||
	    !plot_write(o->html, o->resource, trace->dates,
			(const struct replay *const *) replays, n, err,
			sizeof(err)))
		return STATUS_OK;
	stderr_line("%s: %s", command, err);
	return STATUS_FAILED;
}

/* The configuration, what Slurm alone would do, and the other ones */
static struct replay *nth_play(size_t n, const char *config,
			       const struct trace *trace,
			       const struct options *o, const char *command)
{
	enum native native = NATIVE_NONE;

	if (n && n <= o->native.n)
		native_find(o->native.of[n - 1], &native);
	if (n > o->native.n)
		config = o->against.of[n - 1 - o->native.n];
	return replay_conf(conf_load(config, finding_print, NULL), config,
			 native, trace, o, command);
}

static int configs_play(const struct call *call, const char *config,
			const struct options *o, const struct trace *trace,
			const char *command)
{
	struct replay *replays[REPLAYS_MAX] = { NULL };
	size_t n = 0, all = 1 + o->native.n + o->against.n;
	int status = STATUS_FAILED;

	do {
		replays[n] = nth_play(n, config, trace, o, command);
	} while (replays[n] && !replays[n++]->stopped && n < all);
	if (n && replays[n - 1] && (n == all || replays[n - 1]->stopped))
		status = result_show(&call->out, trace, replays, n, o,
				     command);
	if (status == STATUS_OK)
		status = plot_maybe(o, trace, replays, n, command);
	if (status == STATUS_OK && replays[n - 1]->stopped)
		status = STATUS_INTERRUPTED;
	for (size_t i = 0; i < n; i++)
		replay_conf_free(replays[i]);
	return status;
}

/* ---- --sweep ---- */

/* Keeps the first message, without the place in the text that no file has. */
static void change_judge(void *arg, bool warning, const char *message)
{
	const char *text = strstr(message, ": ");
	char *first = arg;

	if (!warning && !*first)
		snprintf(first, ERROR_SIZE, "%s", text ? text + 2 : message);
}

/* The configuration of combination i; NULL: it was reported */
static struct conf *sweep_conf(const struct sweep *s, size_t i,
			       const struct conf *conf, bool judge,
			       const char *command)
{
	char err[ERROR_SIZE] = "", label[512];
	char *text = sweep_text(s, i, conf->source, err, sizeof(err));
	struct conf *new = NULL;

	if (text)
		new = conf_read_text(judge ? "" : conf->file, text,
				     strlen(text), change_judge, err);
	free(text);
	if (!new)
		stderr_line("%s: --sweep %s: %s: %s", command,
			    sweep_label(s, i, label, sizeof(label)),
			    conf->file, err);
	return new;
}

/* False: some combination is wrong, which was reported */
static bool sweep_judge(const struct sweep *s, const struct conf *conf,
			const char *command)
{
	for (size_t i = 0; i < s->n; i++) {
		struct conf *new = sweep_conf(s, i, conf, true, command);

		if (!new)
			return false;
		conf_destroy(new);
	}
	return true;
}

static int sweep_text_show(const struct output *out, const struct trace *trace,
			   const struct sweep *s,
			   struct json_object *const *documents, size_t n,
			   const char *command)
{
	char err[256];
	struct table *table = sweep_table(s, documents, n, out, err,
					  sizeof(err));

	if (!table) {
		stderr_line("%s: %s", command, err);
		return STATUS_FAILED;
	}
	if (out->kind == OUTPUT_TEXT && !out->no_header) {
		summary_trace(out->file, trace);
		sweep_print(out->file, s, documents, n);
		fputc('\n', out->file);
	}
	table_print(table, out);
	table_destroy(table);
	return STATUS_OK;
}

static int sweep_show(const struct call *call, const struct sweep *s,
		      const struct options *o, const struct trace *trace,
		      struct json_object *const *documents, size_t n,
		      const char *command)
{
	struct json_object *all = json_object_new_object();
	struct json_object *list = json_object_new_array();
	int status = STATUS_OK;
	char err[512];

	sweep_mark(s, documents, n);
	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, json_object_get(documents[i]));
	json_object_object_add(all, "trace", summary_trace_document(trace));
	json_object_object_add(all, "sweep", sweep_document(s));
	json_object_object_add(all, "simulations", list);
	if (output_is_data(&call->out))
		output_document(&call->out, all);
	else
		status = sweep_text_show(&call->out, trace, s, documents, n,
					 command);
	json_object_put(all);
	if (status != STATUS_OK || !o->html ||
	    !sweep_plot(o->html, s, documents, n, err, sizeof(err)))
		return status;
	stderr_line("%s: %s", command, err);
	return STATUS_FAILED;
}

/* All combinations, one after the other */
static int sweep_play(const struct call *call, const struct conf *conf,
		      const struct sweep *s, const struct options *o,
		      const struct trace *trace, const char *command)
{
	struct json_object *documents[SWEEP_MAX];
	int status = STATUS_FAILED;
	bool stopped = false;
	size_t n = 0;

	while (n < s->n && !stopped) {
		char label[512];
		struct replay *r = replay_conf(
			sweep_conf(s, n, conf, false, command),
			sweep_label(s, n, label, sizeof(label)), NATIVE_NONE,
			trace, o, command);

		if (!r)
			break;
		documents[n++] = simulate_document(r, o->resource);
		stopped = r->stopped;
		replay_conf_free(r);
	}
	if (n == s->n || stopped)
		status = sweep_show(call, s, o, trace, documents, n, command);
	for (size_t i = 0; i < n; i++)
		json_object_put(documents[i]);
	return status == STATUS_OK && stopped ? STATUS_INTERRUPTED : status;
}

static int sweep_begin(const struct call *call, const char *config,
		       const struct options *o, const struct trace *trace,
		       const char *command)
{
	int status = STATUS_FAILED;
	struct conf *conf;
	struct sweep s;
	char err[512];

	if (sweep_open(&s, &o->sweep, err, sizeof(err)) < 0) {
		stderr_line("%s: --sweep: %s", command, err);
		sweep_close(&s);
		return STATUS_USAGE;
	}
	conf = conf_load(config, finding_print, NULL);
	if (conf && sweep_judge(&s, conf, command))
		status = sweep_play(call, conf, &s, o, trace, command);
	conf_destroy(conf);
	sweep_close(&s);
	return status;
}

static int trace_play(const struct call *call, const struct options *o,
		      const struct trace *trace, const char *command)
{
	char beside[CONF_PATH_MAX];
	const char *config = o->config;

	if (!config)
		config = conf_path("cohort.yaml", beside, sizeof(beside));
	return (o->sweep.n ? sweep_begin : configs_play)(call, config, o,
							 trace, command);
}

int cmd_simulate(int argc, char **argv)
{
	struct options o = { .requeue = REQUEUE_SECONDS, .depth = DEPTH };
	struct trace_options how;
	struct trace *trace;
	struct call call;
	int status;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
	if (!simulate_options_check(&o, &how, argv[0]))
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
