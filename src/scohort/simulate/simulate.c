/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.c - scohort simulate: last month's jobs with next month's quotas
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "input/json_members.h"
#include "must.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "simulate/simulate.h"
#include "slurm/conf_path.h"

#define ERROR_SIZE (CONF_PATH_MAX + 1024)

/* ---- a trace and one configuration ---- */

/* Quotas for a time are those of the trace's time. */
static void periods_date(struct conf *conf, const struct trace *trace)
{
	if (conf->ntemporaries && trace->dates) {
		must(conf_lay_out_periods(conf, trace->jobs[0].submit / SPEC_SEC) ? NULL : conf);
	} else if (conf->ntemporaries) {
		complain("temporaryQuota is left out: the times of %s are no dates", trace->file);
		conf->spec->nperiods = 0;
	}
}

/* Plays it, and writes its events if there is a file for them. NULL: it was reported */
static struct replay *events_play(const struct conf *conf, const struct trace *trace,
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

/* `what` is for the bar. NULL: it was reported */
static struct replay *conf_play(struct conf *conf, const char *what, enum native native,
				const struct trace *trace, const struct options *o)
{
	struct replay_options how = o->how;
	struct replay *r;

	how.native = native;
	how.progress = progress_show;
	how.arg = progress_begin(what, trace);
	periods_date(conf, trace);
	r = events_play(conf, trace, &how, o->events);
	progress_end(how.arg);
	return r;
}

/* ---- all replays of one command ---- */

/* The combinations; or the configuration, what Slurm alone would do, and the other ones */
struct runs {
	const struct options *o;
	const struct trace *trace;
	size_t all, n;				/* n: that have been played */
	struct conf *confs[SWEEP_MAX];
	struct json_object *documents[SWEEP_MAX];
	struct replay *replays[SWEEP_MAX];	/* for the charts; not with --sweep */
};

static const char *config_of(const struct options *o, size_t i)
{
	return i > o->native.n ? o->against.of[i - 1 - o->native.n] : o->config;
}

/* Keeps the first message. */
static void error_keep(void *arg, bool warning, const char *message)
{
	char *first = arg;

	if (!warning && !*first)
		snprintf(first, ERROR_SIZE, "%s", message);
}

/* The configuration of combination i; NULL: it was reported, without the place in the text
 * that no file has */
static struct conf *sweep_conf(const struct sweep *s, size_t i, const struct conf *conf)
{
	char err[ERROR_SIZE] = "", label[512];
	char *text = sweep_text(s, i, conf->source, err, sizeof(err));
	const char *why = err, *place = NULL;
	struct conf *new = NULL;

	if (text) {
		new = conf_read_text(conf->file, text, strlen(text), error_keep, err);
		place = new ? NULL : strstr(err + strlen(conf->file), ": ");
	}
	if (place)
		why = place + 2;
	free(text);
	if (!new)
		complain("--sweep %s: %s: %s", sweep_label(s, i, true, label, sizeof(label)),
			 conf->file, why);
	return new;
}

/* False: one of them is wrong, which was reported */
static bool confs_read(struct runs *runs)
{
	const struct options *o = runs->o;
	struct conf *of = o->sweep.n ? conf_load(o->config, output_error, NULL) : NULL;
	bool good = of || !o->sweep.n;

	for (size_t i = 0; good && i < runs->all; i++) {
		runs->confs[i] = of ? sweep_conf(&o->tried, i, of)
				    : conf_load(config_of(o, i), output_error, NULL);
		good = runs->confs[i];
	}
	conf_destroy(of);
	return good;
}

static struct replay *next_play(const struct runs *runs)
{
	const struct options *o = runs->o;
	enum native native = NATIVE_NONE;
	size_t i = runs->n;
	char label[512];

	if (i && i <= o->native.n)
		native_find(o->native.of[i - 1], &native);
	return conf_play(runs->confs[i], o->sweep.n
			 ? sweep_label(&o->tried, i, true, label, sizeof(label))
			 : config_of(o, i), native, runs->trace, o);
}

/* ---- what comes of it ---- */

static void data_print(const struct output *out, const struct runs *runs)
{
	struct json_object *all = json_object_new_object(), *list;

	json_object_object_add(all, "trace", trace_document(runs->trace));
	if (runs->o->sweep.n)
		json_object_object_add(all, "sweep", sweep_document(&runs->o->tried));
	list = json_add_list(all, "simulations");
	for (size_t i = 0; i < runs->n; i++)
		json_object_array_add(list, json_object_get(runs->documents[i]));
	output_document(out, all);
	json_object_put(all);
}

static void lines_print(FILE *out, const struct runs *runs)
{
	trace_print(out, runs->trace);
	if (runs->o->sweep.n)
		sweep_print(out, &runs->o->tried, runs->documents, runs->n);
	for (size_t i = 0; !runs->o->sweep.n && i < runs->n; i++)
		report_print(out, runs->documents[i]);
	fputc('\n', out);
}

static void text_print(const struct output *out, const struct runs *runs)
{
	const struct options *o = runs->o;
	struct table *table = o->sweep.n ? sweep_table(&o->tried, runs->documents, runs->n, out)
			      : simulate_table(runs->documents, runs->n, o->usage, out);

	if (out->kind == OUTPUT_TEXT && !out->no_header)
		lines_print(out->file, runs);
	table_print(table, out);
	table_destroy(table);
}

/* False: the charts could not be written, which was reported */
static bool runs_show(const struct call *call, const struct runs *runs)
{
	const struct options *o = runs->o;

	if (o->sweep.n)
		sweep_mark(&o->tried, runs->documents, runs->n);
	for (size_t i = 1; !o->sweep.n && i < runs->n; i++)
		simulate_compare(runs->documents[0], runs->documents[i]);
	if (output_is_data(&call->out))
		data_print(&call->out, runs);
	else
		text_print(&call->out, runs);
	if (o->html && o->sweep.n)
		return sweep_plot(o->html, &o->tried, runs->documents, runs->n);
	return !o->html || plot_write(o->html, o->resource, runs->trace->dates, runs->replays,
				      runs->n);
}

static int runs_make(const struct call *call, struct runs *runs)
{
	const struct options *o = runs->o;
	bool stopped = false;
	struct replay *r;

	while (runs->n < runs->all && !stopped && (r = next_play(runs))) {
		runs->documents[runs->n] = simulate_document(r, o->resource);
		stopped = r->stopped;
		if (o->sweep.n)
			replay_free(r);
		else
			runs->replays[runs->n] = r;
		runs->n++;
	}
	if ((runs->n < runs->all && !stopped) || !runs_show(call, runs))
		return STATUS_FAILED;
	return stopped ? STATUS_INTERRUPTED : STATUS_OK;
}

static int trace_play(const struct call *call, const struct options *o, const struct trace *trace)
{
	struct runs runs = {
		.o = o, .trace = trace,
		.all = o->sweep.n ? o->tried.n : 1 + o->native.n + o->against.n,
	};
	int status = confs_read(&runs) ? runs_make(call, &runs) : STATUS_FAILED;

	for (size_t i = 0; i < runs.all; i++) {
		json_object_put(runs.documents[i]);
		replay_free(runs.replays[i]);
		conf_destroy(runs.confs[i]);
	}
	return status;
}

int cmd_simulate(int argc, char **argv)
{
	char beside[CONF_PATH_MAX];
	int status = STATUS_FAILED;
	struct options o;
	struct trace *trace;
	struct call call;

	if (!simulate_options(argc, argv, &o, &call)) {
		simulate_options_close(&o);
		return call.status;
	}
	if (!o.config)
		o.config = conf_path("cohort.yaml", beside, sizeof(beside));
	trace = trace_load(call.args[0], &o.trace, output_error, NULL);
	if (trace && trace->errors)
		complain("%zu row%s wrong, nothing was simulated", trace->errors,
			 trace->errors == 1 ? " is" : "s are");
	else if (trace)
		status = trace_play(&call, &o, trace);
	trace_free(trace);
	simulate_options_close(&o);
	return status;
}
