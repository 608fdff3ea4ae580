/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.c - the jobs of a simulation: in line, running, gone
 */
#include <stdlib.h>

#include "sim/sim_state.h"

/* ---- life ---- */

static void counts_set(struct sim_job *job, const struct workload_desc *d)
{
	job->evictions = (unsigned) min64(d->evictions, 0xfffff);
	job->lost = (unsigned) min64(d->lost, 0xfff);
	job->turns = (unsigned) min64(d->turns, 0x3f);
}

struct sim_job *sim_job_create(struct sim *sim, const struct sim_desc *desc)
{
	struct sim_job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->ask = sim_ask_get(sim, desc);
	if (desc->array)
		job->array = sim_array_get(sim, desc->array, desc->limit);
	if (!job->ask || (desc->array && !job->array)) {
		sim_ask_put(sim, job->ask);
		free(job);
		return NULL;
	}
	job->owner = desc->work.owner;
	job->local_queue = desc->work.local_queue;
	job->queue_order_at = desc->work.queue_order_at;
	job->tiebreak = desc->work.tiebreak;
	job->tasks = desc->work.tasks;
	job->duration = desc->duration;
	counts_set(job, &desc->work);
	job->no_nodes = desc->no_nodes;
	job->first_start = SIM_NOT_YET;
	job->first_queue = SPEC_NONE;
	job->before = sim->last_job;
	*sim->last_job = job;
	sim->last_job = &job->next;
	return job;
}

void sim_job_free(struct sim *sim, struct sim_job *job)
{
	sim_ask_put(sim, job->ask);
	free(job);
}

void sim_job_note_start(struct sim *sim, struct sim_job *job, int64_t at)
{
	if (job->first_start == SIM_NOT_YET) {
		job->first_start = at;
		job->first_queue = job->ask->queue;
	}
	sim_job_uncount(sim, job);
}

int sim_job_plan(struct sim *sim, struct sim_job *job, int kind, int64_t at)
{
	struct appointment a = { .at = at, .kind = kind, .what = job,
				 .version = job->version };

	job->due = at;
	if (at == SIM_FOREVER)
		return 0;
	job->appointments++;
	return agenda_add(&sim->agenda, &a);
}

/* It has ended: it is forgotten with its last appointment. */
static void job_forget(struct sim *sim, struct sim_job *job)
{
	job->ended = true;
	if (!sim->options.forget || job->appointments || job->bonded)
		return;
	*job->before = job->next;
	if (job->next)
		job->next->before = job->before;
	else
		sim->last_job = job->before;
	sim_job_free(sim, job);
}

void sim_job_met(struct sim *sim, struct sim_job *job)
{
	job->appointments--;
	if (job->ended)
		job_forget(sim, job);
}

void sim_tell(struct sim *sim, const struct sim_job *job,
	      struct sim_event event)
{
	if (!sim->options.event)
		return;
	event.at = sim->now;
	event.owner = job->owner;
	event.since = job->since;
	event.charges = workload_charges(job->work, &event.ncharges);
	sim->options.event(sim->options.arg, &event);
}

int sim_job_come(struct sim *sim, struct sim_job *job, int64_t at)
{
	job->coming = true;
	return sim_job_plan(sim, job, APPOINTMENT_COME, at);
}

/* ---- in line ---- */

/* For the engine it is the job that owns the workload. */
static struct workload_desc work_desc(struct sim_job *job)
{
	struct workload_desc d = sim_job_work_desc(job);
	bool limited = job->array && job->array->limit;

	d.owner = job;
	d.max_starts = limited ? sim_array_free(job) : 0;
	return d;
}

static void line_leave(struct sim *sim, struct sim_job *job)
{
	*job->link = job->next_waiting;
	if (job->next_waiting)
		job->next_waiting->link = job->link;
	sim->nwaiting--;
}

static void line_join(struct sim *sim, struct sim_job *job)
{
	job->fresh = true;
	job->next_waiting = sim->waiting;
	job->link = &sim->waiting;
	if (job->next_waiting)
		job->next_waiting->link = &job->next_waiting;
	sim->waiting = job;
	sim->nwaiting++;
}

void sim_job_set_blocked(struct sim *sim, struct sim_job *job, bool blocked)
{
	struct sim_queue *q = &sim->queues[job->ask->queue];
	int change = blocked - job->blocked;

	if (!change)
		return;
	job->blocked = blocked;
	q->blocked += (size_t) change;
	if (blocked) {
		job->next_blocked = q->blocked_jobs;
		job->blocked_link = &q->blocked_jobs;
		q->blocked_jobs = job;
	} else {
		*job->blocked_link = job->next_blocked;
	}
	if (job->next_blocked)
		job->next_blocked->blocked_link = blocked ? &job->next_blocked
							  : job->blocked_link;
	if (job->denied_once)
		job->ask->blocked += (size_t) change;
}

static int job_submit(struct sim *sim, struct sim_job *job,
		      const struct workload_desc *d)
{
	sim->newcomers |= job->counted;
	job->work = engine_submit(sim->engine, d);
	if (!job->work)
		return -1;
	line_join(sim, job);
	return sim_job_bond(sim, job);
}

int sim_job_admit(struct sim *sim, struct sim_job *job)
{
	struct workload_desc d = work_desc(job);

	d.max_starts = 0;
	return job_submit(sim, job, &d);
}

void sim_job_step_aside(struct sim *sim, struct sim_job *job)
{
	engine_remove(sim->engine, job->work);
	line_leave(sim, job);
	job->work = NULL;
}

static int job_leave(struct sim *sim, struct sim_job *job)
{
	sim->settled = false;
	job->version++;
	sim_job_set_blocked(sim, job, false);
	if (job->work) {
		engine_remove(sim->engine, job->work);
		line_leave(sim, job);
	}
	job->work = NULL;
	return 0;
}

int sim_job_withdraw(struct sim *sim, struct sim_job *job)
{
	sim_array_leave(job);
	job->coming = false;
	return job_leave(sim, job);
}

int sim_job_line_up(struct sim *sim, struct sim_job *job)
{
	struct workload_desc d = work_desc(job);

	sim->settled = false;
	if (!sim_array_free(job))
		return job_leave(sim, job);
	return job->work ? engine_update(sim->engine, job->work, &d)
			 : job_submit(sim, job, &d);
}

int sim_job_enter(struct sim *sim, struct sim_job *job)
{
	job->coming = false;
	sim_array_join(job);
	return sim_job_line_up(sim, job);
}

/* The other one comes first, so it is the first of the bond. */
int sim_job_come_also(struct sim *sim, struct sim_job *job, int64_t at)
{
	struct sim_desc desc = sim_job_desc(job);
	struct sim_job *other;
	int rc;

	desc.work.queue = desc.also - 1;
	desc.work.tiebreak++;
	desc.also = 0;
	other = sim_job_create(sim, &desc);
	if (!other)
		return -1;
	if (at > sim->now)
		rc = sim_job_come(sim, other, at);
	else
		rc = sim_job_enter(sim, other);
	if (rc == 0)
		rc = sim_bind(sim, job, other, BOND_EITHER);
	return rc;
}

/* More or fewer tasks of the array run: that changes how many of its waiting
 * tasks may be in line. */
static int array_count(struct sim *sim, struct sim_job *job, int n)
{
	if (!job->array)
		return 0;
	job->array->running += n;
	if (!job->array->limit)
		return 0;
	for (struct sim_job *other = job->array->waiting; other;
	     other = other->next_in_array) {
		if (sim_job_line_up(sim, other) < 0)
			return -1;
	}
	return 0;
}

struct sim_job *sim_job_task(struct sim *sim, struct sim_job *array)
{
	struct sim_desc desc = sim_job_desc(array);
	struct sim_job *task;
	struct workload_desc d;

	desc.work.tasks = 1;
	desc.work.tiebreak = (UINT64_C(1) << 63) + sim->tasks++;
	task = sim_job_create(sim, &desc);
	if (!task || sim_job_admit(sim, task) < 0)
		return NULL;
	array->tasks--;
	array->version++;
	sim_job_set_blocked(sim, array, false);
	engine_disown(sim->engine, array->work);
	engine_blocked(sim->engine, array->work, false);
	d = work_desc(array);
	return engine_update(sim->engine, array->work, &d) < 0 ? NULL : task;
}

int sim_own(struct sim *sim, struct sim_job *job, const struct charge *charges,
	    size_t n, int64_t until)
{
	if (!job->work)		/* as many of its array run as may */
		return 0;
	if (engine_own(sim->engine, job->work, charges, n) < 0)
		return -1;
	job->version++;
	sim->settled = false;
	return sim_job_plan(sim, job, APPOINTMENT_DISOWN, until);
}

/* ---- running ---- */

/* Sets what keeps others from evicting it */
static int job_guard(struct sim *sim, struct sim_job *job)
{
	const struct sim_ask *ask = job->ask;
	const struct eviction_terms terms = {
		.exempt_until = ask->exempt_time
				? sat_add(job->since, ask->exempt_time) : 0,
		.cost = ask->cancels,
		.group = job->array ? job->array->id : 0,
		.min_available = job->array ? ask->min_available : -1,
	};

	return engine_set_terms(sim->engine, job->work, &terms);
}

int sim_job_start(struct sim *sim, struct sim_job *job,
		  const struct charge *charges, size_t n, int64_t since,
		  int64_t until)
{
	if (engine_start(sim->engine, job->work, charges, n, since) < 0)
		return -1;
	line_leave(sim, job);
	sim_array_leave(job);
	sim_job_set_blocked(sim, job, false);
	job->version++;
	job->since = since;
	sim_job_note_start(sim, job, since);
	sim->settled = false;
	sim_room_change(sim, charges, n, -1);
	if (job_guard(sim, job) < 0 || array_count(sim, job, 1) < 0)
		return -1;
	return sim_job_plan(sim, job, APPOINTMENT_END, until);
}

int sim_job_go(struct sim *sim, struct sim_job *job, int64_t gone_at,
	       const struct victim *victim)
{
	engine_evicting(sim->engine, job->work, true);
	job->version++;
	job->turn = victim && victim->reason == VICTIM_TIME_BASED;
	job->pure = victim && victim->pure;
	job->no_loss = !victim;
	job->evicted_at = sim->now;
	sim->settled = false;
	return sim_job_plan(sim, job, APPOINTMENT_GONE, gone_at);
}

/* Its run is over. */
static int job_release(struct sim *sim, struct sim_job *job,
		       enum sim_event_kind kind, int64_t kept)
{
	const struct charge *charges;
	size_t n;

	sim_tell(sim, job, (struct sim_event) { .kind = kind, .kept = kept });
	charges = workload_charges(job->work, &n);
	sim_room_change(sim, charges, n, 1);
	sim->released = true;
	engine_remove(sim->engine, job->work);
	job->work = NULL;
	job->version++;
	sim->settled = false;
	return array_count(sim, job, -1);
}

/* An eviction costs the work since the last checkpoint, and a restart. Returns the
 * work that is kept of this run. */
static int64_t job_keep_work(const struct sim *sim, struct sim_job *job)
{
	const struct sim_ask *ask = job->ask;
	int64_t overhead = job->restarts ? ask->restart_cost : 0;
	int64_t work = max64(0, sim->now - job->since - overhead);
	int64_t kept = ask->checkpoint ? work - work % ask->checkpoint : 0;

	if (job->duration != SIM_FOREVER)
		job->duration = sat_add(max64(0, job->duration - overhead
						 - kept), ask->restart_cost);
	job->restarts = true;
	return kept;
}

static int job_gone(struct sim *sim, struct sim_job *job)
{
	int64_t kept = job_keep_work(sim, job), back_at;
	struct workload_desc d = sim_job_work_desc(job);

	if (job->turn) {	/* it stands behind those that waited */
		job->queue_order_at = job->evicted_at;
		d.turns++;
	} else if (!job->no_loss) {
		d.evictions++;
		d.lost += !job->pure;
	}
	counts_set(job, &d);
	job->turn = false;
	if (job_release(sim, job, SIM_GONE, kept) < 0)
		return -1;
	job->ended = job->ask->cancels;
	if (job->ended)
		return 0;
	back_at = sat_add(sim->now, sim->options.requeue_time);
	if (job->ask->also && sim_job_come_also(sim, job, back_at) < 0)
		return -1;
	return sim_job_come(sim, job, back_at);
}

int sim_job_happens(struct sim *sim, struct sim_job *job, int kind)
{
	switch (kind) {
	case APPOINTMENT_COME:
		return sim_job_enter(sim, job);
	case APPOINTMENT_END:
		job->ended = true;
		return job_release(sim, job, SIM_END, 0);
	case APPOINTMENT_GONE:
		return job_gone(sim, job);
	default:
		engine_disown(sim->engine, job->work);
		sim->settled = false;
		return 0;
	}
}
