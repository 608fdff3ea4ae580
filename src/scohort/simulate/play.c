/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play.c - a trace and one configuration: played as the options say
 */
#include <stdio.h>

#include "lib/sat.h"
#include "output/output.h"
#include "simulate/simulate.h"

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

/* Plays it, and writes its events if there is a file for them. NULL: it was
 * reported */
static struct replay *conf_play(const struct conf *conf,
				const struct trace *trace,
				struct replay_options *how, const char *path,
				const char *command)
{
	struct events *events = NULL;
	struct replay *r = NULL;
	char err[512];

	if (path) {
		events = events_open(path, trace, err, sizeof(err));
		how->event = events_write;
		how->event_arg = events;
	}
	if (!path || events)
		r = replay_run(conf, trace, how, err, sizeof(err));
	if (events_close(events, r ? err : NULL, r ? sizeof(err) : 0) < 0
	    && r) {
		replay_free(r);
		r = NULL;
	}
	if (!r)
		stderr_line("%s: %s", command, err);
	return r;
}

struct replay *replay_conf(struct conf *conf, const char *what,
			   enum native native, const struct trace *trace,
			   const struct options *o, const char *command)
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

	if (conf && periods_date(conf, trace, command))
		r = conf_play(conf, trace, &how, o->events, command);
	progress_end(progress);
	if (!r)
		conf_destroy(conf);
	return r;
}

void replay_conf_free(struct replay *r)
{
	struct conf *conf = r ? (struct conf *) r->conf : NULL;

	replay_free(r);
	conf_destroy(conf);
}
