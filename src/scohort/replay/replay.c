/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - a trace played through a configuration
 *
 * The simulation (sim.h) decides as slurmctld would; count.c counts its
 * events.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "replay/player.h"

/* So many evictions for each task, and none has ended meanwhile or saved any of its work:
 * jobs that take turns evict each other without end if a turn is too short for one of
 * them. */
#define EVICTIONS_EACH 100
#define PROGRESS_STEPS 256
#define IDLE_MAX (INT64_C(366) * 86400 * SPEC_SEC)

static int uses_make(struct replay_queue *q, const struct spec *all, size_t i)
{
	const struct spec_queue *spec = &all->queues[i];

	q->uses = calloc(spec->nquotas + 1, sizeof(*q->uses));
	if (!q->uses)
		return -1;
	for (size_t k = 0; k < spec->nquotas; k++)
		q->uses[q->nuses++] = (struct replay_use) {
			.flavor = spec->quotas[k].flavor,
			.resource = spec->quotas[k].resource,
			.spec = all, .queue = (int) i,
			.quota = &spec->quotas[k],
		};
	return 0;
}

static int queues_make(struct player *p, const struct trace *trace)
{
	const struct spec *spec = p->r->conf->spec;
	struct replay *r = p->r;

	r->queues = calloc(spec->nqueues + 1, sizeof(*r->queues));
	p->entries = calloc(trace->n, sizeof(*p->entries));
	if (!r->queues || !p->entries)
		return -1;
	for (size_t i = 0; i < trace->n; i++) {
		struct entry *e = &p->entries[i];

		e->queue = replay_queue_of(&p->ask, &trace->jobs[i]);
		e->submit = trace->jobs[i].submit;
		if (e->queue != SPEC_NONE)
			r->queues[e->queue].jobs++;
		else if (trace->jobs[i].queue)
			replay_misnamed(r, &trace->jobs[i]);
		else
			r->outside++;
	}
	for (size_t i = 0; i < spec->nqueues; i++) {
		r->queues[i].waits = calloc(r->queues[i].jobs + 1,
					    sizeof(*r->queues[i].waits));
		if (!r->queues[i].waits ||
		    uses_make(&r->queues[i], spec, i) < 0)
			return -1;
	}
	return 0;
}

/* The order of the trace decides among equals. */
static int desc_submit(struct player *p, const struct trace_job *job,
		       struct sim_desc *desc)
{
	desc->work.tiebreak = 2 * p->numbers++;
	return sim_submit(p->sim, job->submit, desc) ? 0 : -1;
}

/* Each task by itself: it runs in its queue, or as a scavenger. */
static int tasks_submit(struct player *p, const struct trace_job *job,
			struct sim_desc *desc)
{
	int64_t tasks = desc->work.tasks;

	desc->also = desc->work.queue + 1;
	desc->work.queue += (int) p->r->conf->spec->nqueues;
	desc->work.tasks = 1;
	desc->work.nonpreemptible = false;
	while (tasks-- > 0)
		if (desc_submit(p, job, desc) < 0)
			return -1;
	return 0;
}

static int job_submit(struct player *p, const struct trace_job *job, size_t i,
		      const struct replay_options *options)
{
	struct entry *e = &p->entries[i];
	struct podset_desc podset;
	struct sim_desc desc = {
		.duration = job->duration, .evict_time = options->evict_time,
		.min_available = -1,
	};
	int64_t priority;

	if (e->queue == SPEC_NONE)
		return 0;
	desc.checkpoint = replay_time_of(options->checkpoint,
					 replay_class_of(&p->ask, job));
	desc.restart_cost = replay_time_of(options->restart_cost,
					   replay_class_of(&p->ask, job));
	if (replay_desc(&p->ask, job, e->queue, &desc.work, &podset) < 0 ||
	    replay_uncovered(p->r, job, e->queue) < 0)
		return -1;
	desc.work.owner = e;
	replay_keep_change(p, &p->r->queues[e->queue], job->submit, job->tasks);
	p->r->unnamed += !replay_priority_of(&p->ask, job, &priority);
	return options->native == NATIVE_SCAVENGER
	       ? tasks_submit(p, job, &desc)
	       : desc_submit(p, job, &desc);
}

/* All sums are computed up to the same end. */
static int replay_close(struct replay *r)
{
	bool nomem = false;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
		struct replay_queue *q = &r->queues[i];

		for (size_t j = 0; j < q->nuses; j++) {
			nomem |= replay_use_close(&q->uses[j], r) < 0;
		}
		replay_waits_sort(q);
		r->unstarted += q->jobs - q->started;
	}
	return nomem ? -1 : 0;
}

static size_t tasks_of(const struct player *p, const struct trace *trace)
{
	size_t tasks = 0;

	for (size_t i = 0; i < trace->n; i++)
		if (p->entries[i].queue != SPEC_NONE)
			tasks += (size_t) trace->jobs[i].tasks;
	return tasks;
}

/* The simulation gets the jobs as late as it can: it need not know those that
 * come later. False: no memory */
static bool jobs_submit(struct player *p, const struct replay_options *options,
			const struct trace *trace)
{
	while (!p->nomem && p->submitted < trace->n &&
	       trace->jobs[p->submitted].submit <=
	       sat_add(sim_next(p->sim), options->step)) {
		size_t i = p->submitted++;

		p->nomem = job_submit(p, &trace->jobs[i], i, options) < 0;
	}
	return !p->nomem;
}

/* Jobs that wait for ever wait for quotas that change every week: after so long
 * these have all been there. */
static bool nothing_will_happen(const struct player *p,
				const struct trace *trace)
{
	return p->submitted == trace->n && sim_idle(p->sim) &&
		(!sim_unstarted(p->sim) ||
		 sim_next(p->sim) > sat_add(p->changed, IDLE_MAX));
}

static int play(struct player *p, const struct replay_options *options,
		const struct trace *trace)
{
	size_t looks = 0, tasks = tasks_of(p, trace);
	int more = 0;

	while (jobs_submit(p, options, trace) &&
	       !nothing_will_happen(p, trace) &&
	       (more = sim_step(p->sim, options->step)) > 0) {
		if (options->progress && looks++ % PROGRESS_STEPS == 0 &&
		    !options->progress(options->arg, p->ended, tasks,
				       sim_now(p->sim))) {
			p->r->stopped = true;
			break;
		}
		if (p->in_vain / EVICTIONS_EACH > tasks) {
			p->r->endless = true;
			break;
		}
	}
	return more < 0 || p->nomem ? -1 : 0;
}

/* The time of the submissions without what is cut off at its ends */
static void window_set(struct replay *r, const struct trace *trace,
		       const struct replay_options *options)
{
	int64_t last = min64(r->end, trace->jobs[trace->n - 1].submit);
	int64_t span = max64(0, last - r->begin);
	int64_t warm_up = options->warm_up < 0 ? span / 10 : options->warm_up;

	r->steady_begin = sat_add(r->begin, warm_up);
	r->steady_end = last - max64(0, options->tail);
	if (r->steady_end < r->steady_begin)	/* nothing is left of it */
		r->steady_end = r->steady_begin;
}

/* Which victims for nodes: lost CPU time, or lossWeights and then CPU time. Where
 * quota knows no CPUs, all that it knows counts as much. */
static int loss_set(struct player *p, struct sim_options *how)
{
	const struct conf *conf = p->r->conf;
	size_t n = conf->spec->nresources;
	int cpu = spec_find_resource(conf->spec, "cpu");

	p->cpus = calloc(n + 1, sizeof(*p->cpus));
	if (!p->cpus)
		return -1;
	for (size_t i = 0; i < n; i++)
		p->cpus[i] = cpu == SPEC_NONE || (int) i == cpu;
	how->loss = conf->loss_weights ? conf->loss_weights : p->cpus;
	how->loss_tie = conf->loss_weights ? p->cpus : NULL;
	return 0;
}

static int replay_play(struct player *p, const struct trace *trace,
		       const struct replay_options *options, char *err,
		       size_t size)
{
	struct sim_options how = {
		.requeue_time = options->requeue_time,
		.own_time = p->r->conf->own_timeout,
		.depth = options->nodes ? options->depth : 0,
		.forget = true, .event = replay_count, .arg = p,
	};

	p->changed = trace->jobs[trace->n - 1].submit;
	if (options->native != NATIVE_NONE) {
		p->native = native_make(p->r->conf->spec, options->native);
		if (!p->native)
			return -1;
	}
	if (options->nodes && options->native == NATIVE_NONE &&
	    loss_set(p, &how) < 0)
		return -1;
	p->sim = sim_create(p->native ? p->native : p->r->conf->spec,
			    trace->jobs[0].submit, &how);
	if (!p->sim)
		return -1;
	p->ask.sim = p->sim;
	if (options->nodes &&
	    replay_nodes_tell(p->sim, p->r->conf, options->nodes, err,
			      size) < 0)
		return -1;
	if (play(p, options, trace) < 0)
		return -1;
	if (p->r->stopped)	/* what is used is used until now */
		p->r->end = sim_now(p->sim);
	window_set(p->r, trace, options);
	return replay_close(p->r);
}

static int player_open(struct player *p, const struct trace *trace)
{
	const struct spec *spec = p->r->conf->spec;

	p->ask.requests = calloc(spec->nresources + 1,
				 sizeof(*p->ask.requests));
	p->ask.ineligible = calloc(spec->nflavors + 1,
				   sizeof(*p->ask.ineligible));
	if (!p->ask.requests || !p->ask.ineligible)
		return -1;
	return queues_make(p, trace);
}

static void player_close(struct player *p)
{
	sim_destroy(p->sim);
	free(p->cpus);
	native_free(p->native);
	replay_ask_free(&p->ask);
	free(p->entries);
}

struct replay *replay_run(const struct conf *conf, const struct trace *trace,
			  const struct replay_options *options, char *err,
			  size_t size)
{
	struct player p = {
		.r = calloc(1, sizeof(*p.r)),
		.trace = trace, .options = options,
		.ask = { .conf = conf, .options = options,
			 .sacct = trace->kind == TRACE_SACCT },
	};

	snprintf(err, size, "no memory");
	if (!p.r)
		return NULL;
	p.r->conf = conf;
	p.r->native = options->native;
	p.r->begin = p.r->end = trace->jobs[0].submit;
	if (replay_times_fit(&p.ask, trace, "checkpoint", options->checkpoint,
			     err, size) < 0 ||
	    replay_times_fit(&p.ask, trace, "restart-cost",
			     options->restart_cost, err, size) < 0 ||
	    player_open(&p, trace) < 0 ||
	    replay_play(&p, trace, options, err, size) < 0) {
		replay_free(p.r);
		p.r = NULL;
	}
	player_close(&p);
	return p.r;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->queues && i < r->conf->spec->nqueues; i++) {
		struct replay_queue *q = &r->queues[i];

		for (size_t j = 0; j < q->nuses; j++)
			free(q->uses[j].points);
		free(q->uses);
		free(q->waits);
		free(q->changes);
	}
	free(r->queues);
	free(r->uncovered);
	free(r);
}
