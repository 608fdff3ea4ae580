/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - a trace played through a configuration
 *
 * The simulation (sim.h) decides as slurmctld would; its events become figures
 * of queues.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "must.h"
#include "replay/replay.h"

/* So many evictions for each task that has begun, and none has ended meanwhile or saved
 * any of its work: jobs that take turns evict each other without end if a turn is too
 * short for one of them. Turns of a job double, so that none is too short for long. */
#define EVICTIONS_EACH 20
#define PROGRESS_STEPS 256
#define IDLE_MAX (INT64_C(366) * 86400 * SPEC_SEC)

/* A job of the trace */
struct entry {
	int queue;
	bool started;
};

struct player {
	struct replay *r;
	const struct trace *trace;
	const struct replay_options *options;
	struct replay_ask ask;
	struct sim *sim;
	struct spec *native;		/* NULL: our rules */
	double *cpus;			/* by resource: 1 for CPUs, else 0 */
	struct entry *entries;		/* by job of the trace */
	uint64_t numbers;		/* of tiebreaks so far */
	size_t submitted;		/* jobs of the trace, so far */
	size_t tasks, begun, ended;	/* of all jobs; of those of which a task has
					 * started, without what has ended; that have ended */
	size_t in_vain;			/* evictions since any job has ended, or saved
					 * some of its work */
	int64_t changed;		/* when something last happened */
};

/* ---- what happens ---- */

/* Keeps a change of the queue, if that is wanted. */
static void change_keep(struct player *p, struct replay_queue *q, int64_t at, int64_t waiting)
{
	if (!p->options->changes)
		return;
	q->changes = must_grow(q->changes, q->nchanges, sizeof(*q->changes));
	q->changes[q->nchanges++] = (struct replay_change) { at, waiting };
}

/* A queue has quota of all that its jobs are charged. */
static struct replay_use *use_of(struct replay_queue *q, const struct charge *c)
{
	struct replay_use *u = q->uses;

	while (u->flavor != c->flavor || u->resource != c->resource)
		u++;
	return u;
}

/* sign: it begins or ends to hold its charges; lost: the run was in vain */
static void charges_count(const struct sim_event *event, struct replay_queue *q, int sign,
			  bool lost)
{
	double span = seconds(event->at - event->since - event->kept);

	for (size_t i = 0; i < event->ncharges; i++) {
		int64_t amount = event->charges[i].amount;
		struct replay_use *u = use_of(q, &event->charges[i]);

		replay_use_change(u, event->at, sign * amount);
		if (lost)
			u->lost_time += (double) amount * span;
	}
}

/* Does the queue borrow when it has that as well? */
static bool will_borrow(struct replay_queue *q, const struct sim_event *event)
{
	for (size_t i = 0; i < event->ncharges; i++) {
		const struct replay_use *u = use_of(q, &event->charges[i]);

		if (event->charges[i].amount >
		    spec_nominal_at(u->spec, false, u->queue, u->quota, event->at, NULL) - u->used)
			return true;
	}
	return false;
}

static void first_start_count(struct player *p, struct entry *e, const struct sim_event *event)
{
	struct replay_queue *q = &p->r->queues[e->queue];
	const struct trace_job *job = &p->trace->jobs[e - p->entries];
	int64_t wait = event->at - job->submit;

	e->started = true;
	p->begun += (size_t) job->tasks;
	q->started++;
	q->waits[q->nwaits++] = wait;
	if (will_borrow(q, event)) {
		q->borrower_wait += seconds(wait);
	} else {
		q->owners++;
		q->owner_wait += seconds(wait);
	}
	for (size_t i = 0; i < event->ncharges; i++) {
		struct replay_use *u = use_of(q, &event->charges[i]);
		double amount = (double) event->charges[i].amount;

		u->asked += amount;
		u->waited += amount * seconds(wait);
	}
}

static void event_tell(const struct player *p, const struct sim_event *event)
{
	const struct entry *e = event->owner, *by = event->by;
	struct replay_event told = {
		.kind = event->kind, .at = event->at,
		.job = &p->trace->jobs[e - p->entries],
		.by = by ? &p->trace->jobs[by - p->entries] : NULL,
		.queue = p->r->conf->spec->queues[e->queue].name,
	};

	p->options->event(p->options->event_arg, &told);
}

static void event_count(void *arg, const struct sim_event *event)
{
	struct player *p = arg;
	struct entry *e = event->owner;
	struct replay_queue *q = &p->r->queues[e->queue];

	p->r->end = p->changed = event->at;
	if (p->options->event)
		event_tell(p, event);
	switch (event->kind) {
	case SIM_START:
		change_keep(p, q, event->at, -1);
		if (!e->started)
			first_start_count(p, e, event);
		charges_count(event, q, 1, false);
		break;
	case SIM_EVICT:
		q->evictions++;
		p->in_vain++;
		change_keep(p, q, event->at, 0);
		break;
	case SIM_GONE:
		change_keep(p, q, event->at, 1);
		if (event->kept > 0)
			p->in_vain = 0;
		q->lost += seconds(event->at - event->since - event->kept);
		charges_count(event, q, -1, true);
		break;
	case SIM_END:
		charges_count(event, q, -1, false);
		q->ended++;
		p->in_vain = 0;
		p->ended++;
		p->begun--;
		break;
	}
}

/* ---- what the trace has ---- */

static void queue_make(struct replay_queue *q, const struct spec *all, size_t i, int64_t begin)
{
	const struct spec_queue *spec = &all->queues[i];

	q->waits = must(calloc(q->jobs + 1, sizeof(*q->waits)));
	q->uses = must(calloc(spec->nquotas + 1, sizeof(*q->uses)));
	for (size_t k = 0; k < spec->nquotas; k++) {
		q->uses[k] = (struct replay_use) {
			.flavor = spec->quotas[k].flavor,
			.resource = spec->quotas[k].resource,
			.spec = all, .queue = (int) i, .quota = &spec->quotas[k],
		};
		replay_use_open(&q->uses[k], begin);
	}
	q->nuses = spec->nquotas;
}

static void queues_make(struct player *p)
{
	const struct spec *spec = p->r->conf->spec;
	struct replay *r = p->r;

	r->queues = must(calloc(spec->nqueues + 1, sizeof(*r->queues)));
	p->entries = must(calloc(p->trace->n, sizeof(*p->entries)));
	for (size_t i = 0; i < p->trace->n; i++) {
		const struct trace_job *job = &p->trace->jobs[i];
		int queue = p->entries[i].queue = replay_queue_of(&p->ask, job);

		if (queue != SPEC_NONE) {
			r->queues[queue].jobs++;
			p->tasks += (size_t) job->tasks;
		} else if (!job->queue) {
			r->outside++;
		} else if (!r->misnamed++) {
			r->wrong_queue = job->queue;
			r->wrong_line = job->line;
		}
	}
	for (size_t i = 0; i < spec->nqueues; i++)
		queue_make(&r->queues[i], spec, i, r->begin);
}

static struct replay_missing *missing_of(struct replay *r, const char *resource)
{
	for (size_t i = 0; i < r->nuncovered; i++)
		if (!strcmp(r->uncovered[i].resource, resource))
			return &r->uncovered[i];
	r->uncovered = must_grow(r->uncovered, r->nuncovered, sizeof(*r->uncovered));
	r->uncovered[r->nuncovered] = (struct replay_missing) { .jobs = 0 };
	strcpy(r->uncovered[r->nuncovered].resource, resource);
	return &r->uncovered[r->nuncovered++];
}

/* Counts what the queue does not cover of a job. */
static void uncovered_count(struct replay *r, const struct trace_job *job, int queue)
{
	size_t missing = 0;

	for (size_t i = 0; i < job->request->n; i++) {
		const char *resource = job->request->amounts[i].resource;

		if (replay_covers(r->conf->spec, queue, resource))
			continue;
		missing++;
		missing_of(r, resource)->jobs++;
	}
	r->uncharged += missing == job->request->n;
}

/* The order of the trace decides among equals. */
static void desc_submit(struct player *p, const struct trace_job *job, struct sim_desc *desc)
{
	desc->work.tiebreak = 2 * p->numbers++;
	must(sim_submit(p->sim, job->submit, desc));
}

/* Each task by itself: it runs in its queue, or as a scavenger. */
static void tasks_submit(struct player *p, const struct trace_job *job, struct sim_desc *desc)
{
	desc->also = desc->work.queue + 1;
	desc->work.queue += (int) p->r->conf->spec->nqueues;
	desc->work.tasks = 1;
	desc->work.nonpreemptible = false;
	for (int64_t tasks = job->tasks; tasks > 0; tasks--)
		desc_submit(p, job, desc);
}

static void job_submit(struct player *p, size_t i)
{
	const struct replay_options *options = p->options;
	const struct trace_job *job = &p->trace->jobs[i];
	const char *class = replay_class_of(&p->ask, job);
	struct entry *e = &p->entries[i];
	struct podset_desc podset;
	struct sim_desc desc = {
		.duration = job->duration, .evict_time = options->evict_time,
		.min_available = -1,
	};
	int64_t priority;

	if (e->queue == SPEC_NONE)
		return;
	by_class_find(&options->checkpoint, class, &desc.checkpoint);
	if (job->checkpoint)
		desc.checkpoint = job->checkpoint;
	by_class_find(&options->restart_cost, class, &desc.restart_cost);
	replay_desc(&p->ask, job, e->queue, &desc.work, &podset);
	desc.work.owner = e;
	uncovered_count(p->r, job, e->queue);
	change_keep(p, &p->r->queues[e->queue], job->submit, job->tasks);
	p->r->unnamed += !replay_priority_of(&p->ask, job, &priority);
	if (options->native == NATIVE_SCAVENGER)
		tasks_submit(p, job, &desc);
	else
		desc_submit(p, job, &desc);
}

/* ---- the play ---- */

/* The simulation gets the jobs as late as it can: it need not know those that come later. */
static void jobs_submit(struct player *p)
{
	const struct trace *trace = p->trace;

	while (p->submitted < trace->n && trace->jobs[p->submitted].submit <=
					  sat_add(sim_next(p->sim), p->options->step))
		job_submit(p, p->submitted++);
}

/* Jobs that wait for ever wait for quotas that change every week: after so long
 * these have all been there. */
static bool nothing_will_happen(const struct player *p)
{
	return p->submitted == p->trace->n && sim_idle(p->sim)
	       && (!sim_waits(p->sim) || sim_next(p->sim) > sat_add(p->changed, IDLE_MAX));
}

static void play(struct player *p)
{
	const struct replay_options *o = p->options;
	size_t looks = 0;

	for (;;) {
		int more;

		jobs_submit(p);
		if (nothing_will_happen(p))
			return;
		more = sim_step(p->sim, o->step);
		must(more < 0 ? NULL : p);
		if (!more)
			return;
		if (o->progress && looks++ % PROGRESS_STEPS == 0
		    && !o->progress(o->arg, p->ended, p->tasks, sim_now(p->sim))) {
			p->r->stopped = true;
			p->r->end = sim_now(p->sim);	/* what is used is used until now */
			return;
		}
		if (p->in_vain / EVICTIONS_EACH > p->begun) {
			p->r->endless = true;
			return;
		}
	}
}

/* Which victims for nodes: lost CPU time, or lossWeights and then CPU time. Where
 * quota knows no CPUs, all that it knows counts as much. */
static void loss_set(struct player *p, struct sim_options *how)
{
	const struct conf *conf = p->r->conf;
	size_t n = conf->spec->nresources;
	int cpu = spec_find_resource(conf->spec, "cpu");

	p->cpus = must(calloc(n + 1, sizeof(*p->cpus)));
	for (size_t i = 0; i < n; i++)
		p->cpus[i] = cpu == SPEC_NONE || (int) i == cpu;
	how->loss = conf->loss_weights ? conf->loss_weights : p->cpus;
	how->loss_tie = conf->loss_weights ? p->cpus : NULL;
}

static void sim_open(struct player *p)
{
	const struct replay_options *options = p->options;
	const struct conf *conf = p->r->conf;
	struct sim_options how = {
		.requeue_time = options->requeue_time, .own_time = conf->own_timeout,
		.depth = options->nodes ? (size_t) options->depth : 0,
		.forget = true, .event = event_count, .arg = p,
	};

	if (options->native != NATIVE_NONE)
		p->native = native_make(conf->spec, options->native);
	else if (options->nodes)
		loss_set(p, &how);
	p->sim = must(sim_create(p->native ? p->native : conf->spec,
				 p->trace->jobs[0].submit, &how));
	p->ask.sim = p->sim;
}

/* All sums are computed up to the same end; the steady time is that of the submissions
 * without what is cut off at its ends. */
static void replay_close(struct replay *r, const struct trace *trace,
			 const struct replay_options *options)
{
	int64_t last = min64(r->end, trace->jobs[trace->n - 1].submit);
	int64_t span = max64(0, last - r->begin);

	r->steady_begin = sat_add(r->begin, options->warm_up < 0 ? span / 10 : options->warm_up);
	r->steady_end = max64(r->steady_begin, last - max64(0, options->tail));
	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
		replay_queue_close(&r->queues[i], r);
		r->unstarted += r->queues[i].jobs - r->queues[i].started;
	}
}

static void player_close(struct player *p)
{
	sim_destroy(p->sim);
	free(p->cpus);
	native_free(p->native);
	replay_ask_close(&p->ask);
	free(p->entries);
}

struct replay *replay_run(const struct conf *conf, const struct trace *trace,
			  const struct replay_options *options)
{
	struct player p = {
		.r = must(calloc(1, sizeof(*p.r))), .trace = trace, .options = options,
		.changed = trace->jobs[trace->n - 1].submit,
	};

	p.r->conf = conf;
	p.r->native = options->native;
	p.r->begin = p.r->end = trace->jobs[0].submit;
	replay_ask_open(&p.ask, conf, trace, options);
	queues_make(&p);
	sim_open(&p);
	if (by_class_fits(&options->checkpoint, &p.ask, trace, "checkpoint")
	    && by_class_fits(&options->restart_cost, &p.ask, trace, "restart-cost")
	    && (!options->nodes || replay_nodes_tell(p.sim, conf, options->nodes))) {
		play(&p);
		replay_close(p.r, trace, options);
	} else {
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
	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
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
