/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.c - scohort simulate: last month's jobs with next month's quotas
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "lib/sat.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "simulate/simulate.h"
#include "slurm/conf_path.h"

#define ERROR_SIZE 1024
#define REPLAYS_MAX (1 + 2 * CLI_LIST_MAX)

static void finding_print(void *arg, bool warning, const char *message)
{
	(void) arg;
	if (!warning)
		stderr_line("%s", message);
}

/* ---- a trace and one configuration ---- */

/* Quotas for a time are those of the trace's time. False: reported */
static bool periods_date(struct conf *conf, const struct trace *trace)
{
	if (!conf->ntemporaries)
		return true;
	if (!trace->dates) {
		complain("temporaryQuota is left out: the times of %s are no dates",
			 trace->file);
		conf->spec->nperiods = 0;
		return true;
	}
	return !conf_lay_out_periods(conf, trace->jobs[0].submit / SPEC_SEC)
	       || complain("out of memory");
}

/* Plays it, and writes its events if there is a file for them. NULL: it was
 * reported */
static struct replay *replay_play(const struct conf *conf, const struct trace *trace,
				  struct replay_options *how, const char *path)
{
	struct events *events = path ? events_open(path, trace) : NULL;
	struct replay *r;

	if (path && !events)
		return NULL;
	how->event = path ? events_write : NULL;
	how->event_arg = events;
	r = replay_run(conf, trace, how);
	if (!events || events_close(events))
		return r;
	replay_free(r);
	return NULL;
}

/* Plays the trace through conf, which may be NULL and is then the replay's;
 * `what` is for the bar. NULL: it was reported, conf is destroyed. */
static struct replay *conf_play(struct conf *conf, const char *what, enum native native,
				const struct trace *trace, const struct options *o)
{
	struct progress *progress = progress_begin(what, trace);
	struct replay_options how = {
		.classes = o->classes, .nodes = o->nodes,
		.requeue_time = sat_mul(o->requeue, SPEC_SEC),
		.evict_time = sat_mul(o->grace, SPEC_SEC),
		.checkpoint = o->checkpoint, .restart_cost = o->restart_cost,
		.warm_up = o->warm_up ? replay_time_of(o->warm_up, NULL) : -1,
		.tail = replay_time_of(o->tail, NULL),
		.step = replay_time_of(o->step, NULL),
		.changes = o->html, .native = native, .depth = (size_t) o->depth,
		.progress = progress_show, .arg = progress,
	};
	struct replay *r = NULL;

	if (conf && periods_date(conf, trace))
		r = replay_play(conf, trace, &how, o->events);
	progress_end(progress);
	if (!r)
		conf_destroy(conf);
	return r;
}

static void replay_destroy(struct replay *r)
{
	struct conf *conf = (struct conf *) r->conf;

	replay_free(r);
	conf_destroy(conf);
}

/* ---- what comes of it ---- */

/* sweep: NULL without --sweep */
static void data_print(const struct output *out, const struct trace *trace,
		       struct json_object *sweep, struct json_object *const *documents, size_t n)
{
	struct json_object *all = json_object_new_object();
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, json_object_get(documents[i]));
	json_object_object_add(all, "trace", trace_document(trace));
	if (sweep)
		json_object_object_add(all, "sweep", sweep);
	json_object_object_add(all, "simulations", list);
	output_document(out, all);
	json_object_put(all);
}

/* s: NULL without --sweep */
static void text_print(const struct output *out, const struct trace *trace, const struct sweep *s,
		       struct json_object *const *documents, size_t n, bool usage)
{
	struct table *table =
		s ? sweep_table(s, documents, n, out) : simulate_table(documents, n, usage, out);

	if (out->kind == OUTPUT_TEXT && !out->no_header) {
		trace_print(out->file, trace);
		for (size_t i = 0; !s && i < n; i++)
			report_print(out->file, documents[i]);
		if (s)
			sweep_print(out->file, s, documents, n);
		fputc('\n', out->file);
	}
	table_print(table, out);
	table_destroy(table);
}

static void documents_free(struct json_object *const *documents, size_t n)
{
	for (size_t i = 0; i < n; i++)
		json_object_put(documents[i]);
}

/* ---- some configurations ---- */

static int replays_show(const struct call *call, const struct trace *trace,
			struct replay *const *replays, size_t n, const struct options *o)
{
	struct json_object *documents[REPLAYS_MAX];

	for (size_t i = 0; i < n; i++) {
		documents[i] = simulate_document(replays[i], o->resource);
		if (i)
			simulate_compare(documents[0], documents[i]);
	}
	if (output_is_data(&call->out))
		data_print(&call->out, trace, NULL, documents, n);
	else
		text_print(&call->out, trace, NULL, documents, n, o->usage);
	documents_free(documents, n);
	if (o->html && !plot_write(o->html, o->resource, trace->dates, replays, n))
		return STATUS_FAILED;
	return replays[n - 1]->stopped ? STATUS_INTERRUPTED : STATUS_OK;
}

/* The configuration, what Slurm alone would do, and the other ones */
static struct replay *nth_play(size_t n, const char *config, const struct trace *trace,
			       const struct options *o)
{
	enum native native = NATIVE_NONE;

	if (n && n <= o->native.n)
		native_find(o->native.of[n - 1], &native);
	if (n > o->native.n)
		config = o->against.of[n - 1 - o->native.n];
	return conf_play(conf_load(config, finding_print, NULL), config, native, trace, o);
}

static int configs_play(const struct call *call, const char *config, const struct options *o,
			const struct trace *trace)
{
	struct replay *replays[REPLAYS_MAX];
	size_t n = 0, all = 1 + o->native.n + o->against.n;
	int status = STATUS_FAILED;
	bool stopped = false;

	while (n < all && !stopped && (replays[n] = nth_play(n, config, trace, o)))
		stopped = replays[n++]->stopped;
	if (n == all || stopped)
		status = replays_show(call, trace, replays, n, o);
	for (size_t i = 0; i < n; i++)
		replay_destroy(replays[i]);
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
static struct conf *sweep_conf(const struct sweep *s, size_t i, const struct conf *conf,
			       bool judge)
{
	char err[ERROR_SIZE] = "", label[512];
	char *text = sweep_text(s, i, conf->source, err, sizeof(err));
	struct conf *new = NULL;

	if (text)
		new = conf_read_text(judge ? "" : conf->file, text, strlen(text), change_judge,
				     err);
	free(text);
	if (!new)
		complain("--sweep %s: %s: %s",
			 sweep_label(s, i, true, label, sizeof(label)), conf->file, err);
	return new;
}

/* False: some combination is wrong, which was reported */
static bool sweep_judge(const struct sweep *s, const struct conf *conf)
{
	for (size_t i = 0; i < s->n; i++) {
		struct conf *new = sweep_conf(s, i, conf, true);

		if (!new)
			return false;
		conf_destroy(new);
	}
	return true;
}

static int sweep_show(const struct call *call, const struct sweep *s, const struct options *o,
		      const struct trace *trace, struct json_object *const *documents, size_t n)
{
	sweep_mark(s, documents, n);
	if (output_is_data(&call->out))
		data_print(&call->out, trace, sweep_document(s), documents, n);
	else
		text_print(&call->out, trace, s, documents, n, false);
	return !o->html || sweep_plot(o->html, s, documents, n) ? STATUS_OK : STATUS_FAILED;
}

/* All combinations, one after the other */
static int combinations_play(const struct call *call, const struct conf *conf,
			     const struct sweep *s, const struct options *o,
			     const struct trace *trace)
{
	struct json_object *documents[SWEEP_MAX];
	int status = STATUS_FAILED;
	bool stopped = false;
	size_t n = 0;

	while (n < s->n && !stopped) {
		char label[512];
		struct replay *r = conf_play(sweep_conf(s, n, conf, false),
					     sweep_label(s, n, true, label, sizeof(label)),
					     NATIVE_NONE, trace, o);

		if (!r)
			break;
		documents[n++] = simulate_document(r, o->resource);
		stopped = r->stopped;
		replay_destroy(r);
	}
	if (n == s->n || stopped)
		status = sweep_show(call, s, o, trace, documents, n);
	documents_free(documents, n);
	return status == STATUS_OK && stopped ? STATUS_INTERRUPTED : status;
}

static int sweep_play(const struct call *call, const char *config, const struct options *o,
		      const struct trace *trace)
{
	struct conf *conf = conf_load(config, finding_print, NULL);
	int status = STATUS_FAILED;
	struct sweep s;

	/* simulate_options() has found it right */
	(void) sweep_open(&s, &o->sweep);
	if (conf && sweep_judge(&s, conf))
		status = combinations_play(call, conf, &s, o, trace);
	conf_destroy(conf);
	sweep_close(&s);
	return status;
}

int cmd_simulate(int argc, char **argv)
{
	char beside[CONF_PATH_MAX];
	int status = STATUS_FAILED;
	struct trace_options how;
	struct options o;
	struct trace *trace;
	struct call call;

	if (!simulate_options(argc, argv, &o, &how, &call))
		return call.status;
	if (!o.config)
		o.config = conf_path("cohort.yaml", beside, sizeof(beside));
	trace = trace_load(call.args[0], &how, finding_print, NULL);
	if (trace && trace->errors)
		complain("%zu row%s wrong, nothing was simulated", trace->errors,
			 trace->errors == 1 ? " is" : "s are");
	else if (trace)
		status = (o.sweep.n ? sweep_play : configs_play)(&call, o.config, &o, trace);
	trace_free(trace);
	return status;
}
