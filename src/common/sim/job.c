/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.c - the jobs of a simulation: in line, running, gone; their room, arrays and bonds
 */
#include <stdlib.h>

#include "core/podsets.h"
#include "sim/sim_state.h"

/* ---- the agenda ---- */

static bool appointment_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct appointment *a = appointment_at(x), *b = appointment_at(y);

	return a->at != b->at ? a->at < b->at : a->number < b->number;
}

void sim_agenda_init(struct sim *sim)
{
	static const struct rank_order by_time = { .less = appointment_before };

	rankset_init(&sim->agenda, &by_time);
}

void sim_appoint(struct sim *sim, struct appointment *a, enum appointment_kind kind, int64_t at)
{
	if (a->number)
		rankset_remove(&sim->agenda, &a->place);
	a->number = at == SIM_FOREVER ? 0 : ++sim->appointments;
	a->at = at;
	a->kind = kind;
	if (a->number)
		rankset_insert(&sim->agenda, &a->place, 1);
}

/* ---- room on nodes ---- */

void sim_room_change(struct sim *sim, const struct charge *charges, size_t n, int sign)
{
	for (size_t i = 0; i < n; i++) {
		int64_t *room = sim_room_of(sim, charges[i].flavor, charges[i].resource);

		if (*room != SPEC_UNLIMITED)
			*room += sign * charges[i].amount;
	}
}

int sim_room_lacks(struct sim *sim, const struct charge *charges, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (*sim_room_of(sim, charges[i].flavor, charges[i].resource) < charges[i].amount)
			return charges[i].flavor;
	}
	return SPEC_NONE;
}

/* ---- arrays: how many of their tasks may run ---- */

/* The array of that id, created if it is new. limit: 0 if it is not known. NULL: no memory */
static struct sim_array *array_get(struct sim *sim, uint64_t id, int64_t limit)
{
	struct sim_array *array = keyed_get(&sim->arrays, 0, id, sizeof(*array));

	if (array && limit)
		array->limit = limit;
	return array;
}

void sim_arrays_free(struct sim *sim)
{
	for (size_t i = 0; i < sim->arrays.nbuckets; i++) {
		struct hash_link *link = sim->arrays.buckets[i];

		while (link) {
			struct hash_link *next = link->next;

			free(container_of(link, struct sim_array, keyed.link));
			link = next;
		}
	}
	hash_destroy(&sim->arrays);
}

/* How many of the job's tasks may be in line; 0: none */
static int64_t array_free(const struct sim_job *job)
{
	const struct sim_array *array = job->array;
	int64_t tasks = job->desc.work.tasks;

	if (!array || !array->limit)
		return tasks;
	return max64(0, min64(tasks, array->limit - array->running));
}

static void array_join(struct sim_job *job)
{
	if (!job->array)
		return;
	job->next_in_array = job->array->waiting;
	job->array->waiting = job;
}

static void array_leave(struct sim_job *job)
{
	struct sim_job **at = job->array ? &job->array->waiting : NULL;

	while (at && *at && *at != job)
		at = &(*at)->next_in_array;
	if (at && *at)
		*at = job->next_in_array;
}

/* More or fewer tasks of the array run: that changes how many of its waiting
 * tasks may be in line. */
static int array_count(struct sim *sim, struct sim_job *job, int n)
{
	struct sim_job *other = job->array ? job->array->waiting : NULL;

	if (job->array)
		job->array->running += n;
	for (; other && job->array->limit; other = other->next_in_array) {
		if (sim_job_line_up(sim, other) < 0)
			return -1;
	}
	return 0;
}

/* ---- bonds, as long as their members wait ---- */

/* It is in line: the engine gets its bond. */
static int job_bond(struct sim *sim, struct sim_job *job)
{
	for (struct sim_job *with = job->bonded; with && with != job; with = with->bonded) {
		if (sim_job_in_line(with))
			return engine_bond(sim->engine, job->work, with->work,
					   job->either ? BOND_EITHER
						       : BOND_TOGETHER);
	}
	return 0;
}

int sim_bind(struct sim *sim, struct sim_job *job, struct sim_job *with, enum bond_kind kind)
{
	struct sim_job *last = with;

	while (last->bonded && last->bonded != with)
		last = last->bonded;
	last->bonded = job;
	job->bonded = with;
	job->either = with->either = kind == BOND_EITHER;
	if (kind == BOND_EITHER)	/* they are one job */
		sim_job_uncount(sim, job);
	sim->settled = false;
	return sim_job_in_line(job) ? job_bond(sim, job) : 0;
}

void sim_job_unbind(struct sim_job *job)
{
	struct sim_job *before = job->bonded;

	while (before->bonded != job)
		before = before->bonded;
	before->bonded = before == job->bonded ? NULL : job->bonded;
	job->bonded = NULL;
}

/* ---- life ---- */

struct sim_job *sim_job_create(struct sim *sim, const struct sim_desc *desc)
{
	struct sim_job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->desc = *desc;
	job->desc.work.podsets = podsets_get(sim->engine, desc->work.podsets, desc->work.npodsets);
	if (desc->array)
		job->array = array_get(sim, desc->array, desc->limit);
	if (!job->desc.work.podsets || (desc->array && !job->array)) {
		sim_job_free(sim, job);
		return NULL;
	}
	job->first_start = SIM_NOT_YET;
	job->first_queue = SPEC_NONE;
	job->before = sim->last_job;
	*sim->last_job = job;
	sim->last_job = &job->next;
	return job;
}

void sim_job_free(struct sim *sim, struct sim_job *job)
{
	podsets_put(sim->engine, job->desc.work.podsets);
	free(job);
}

/* It has ended. */
static void job_forget(struct sim *sim, struct sim_job *job)
{
	if (!sim->options.forget)
		return;
	*job->before = job->next;
	if (job->next)
		job->next->before = job->before;
	else
		sim->last_job = job->before;
	sim_job_free(sim, job);
}

void sim_tell(struct sim *sim, const struct sim_job *job, struct sim_event event)
{
	if (!sim->options.event)
		return;
	event.at = sim->now;
	event.owner = job->desc.work.owner;
	event.since = job->since;
	event.charges = workload_charges(job->work, &event.ncharges);
	sim->options.event(sim->options.arg, &event);
}

/* ---- in line ---- */

/* For the engine it is the job that owns the workload. */
static struct workload_desc work_desc(struct sim_job *job)
{
	struct workload_desc d = job->desc.work;
	bool limited = job->array && job->array->limit;

	d.owner = job;
	d.max_starts = limited ? array_free(job) : 0;
	return d;
}

static void line_leave(struct sim *sim, struct sim_job *job)
{
	list_drop(job, next_waiting, link);
	sim->nwaiting--;
}

static void line_join(struct sim *sim, struct sim_job *job)
{
	job->fresh = true;
	list_push(&sim->waiting, job, next_waiting, link);
	sim->nwaiting++;
}

void sim_job_set_blocked(struct sim *sim, struct sim_job *job, bool blocked)
{
	if (blocked != job->blocked)
		sim_queue_of(sim, job)->blocked += blocked ? 1 : (size_t) -1;
	job->blocked = blocked;
	if (sim_job_in_line(job))
		engine_blocked(sim->engine, job->work, blocked);
}

int sim_job_admit(struct sim *sim, struct sim_job *job)
{
	struct workload_desc d = work_desc(job);

	job->work = engine_submit(sim->engine, &d);
	if (!job->work)
		return -1;
	line_join(sim, job);
	return job_bond(sim, job);
}

void sim_job_step_aside(struct sim *sim, struct sim_job *job)
{
	sim->settled = false;
	sim_appoint(sim, &job->due, job->due.kind, SIM_FOREVER);
	sim_job_set_blocked(sim, job, false);
	if (job->work) {
		engine_remove(sim->engine, job->work);
		line_leave(sim, job);
	}
	job->work = NULL;
}

void sim_job_withdraw(struct sim *sim, struct sim_job *job)
{
	array_leave(job);
	sim_job_step_aside(sim, job);
}

int sim_job_line_up(struct sim *sim, struct sim_job *job)
{
	struct workload_desc d = work_desc(job);

	sim->settled = false;
	if (!array_free(job)) {
		sim_job_step_aside(sim, job);
		return 0;
	}
	return job->work ? engine_update(sim->engine, job->work, &d)
			 : sim_job_admit(sim, job);
}

int sim_job_enter(struct sim *sim, struct sim_job *job, int64_t at)
{
	if (at > sim->now) {
		sim_appoint(sim, &job->due, APPOINTMENT_COME, at);
		return 0;
	}
	array_join(job);
	return sim_job_line_up(sim, job);
}

/* The other one comes first, so it is the first of the bond. */
int sim_job_come_also(struct sim *sim, struct sim_job *job, int64_t at)
{
	struct sim_desc desc = job->desc;
	struct sim_job *other;

	desc.work.queue = desc.also - 1;
	desc.work.tiebreak++;
	desc.also = 0;
	other = sim_job_create(sim, &desc);
	if (!other || sim_job_enter(sim, other, at) < 0)
		return -1;
	return sim_bind(sim, job, other, BOND_EITHER);
}

struct sim_job *sim_job_task(struct sim *sim, struct sim_job *array)
{
	struct sim_desc desc = array->desc;
	struct sim_job *task;
	struct workload_desc d;

	desc.work.tasks = 1;
	desc.work.tiebreak = (UINT64_C(1) << 63) + sim->tasks++;
	task = sim_job_create(sim, &desc);
	if (!task || sim_job_admit(sim, task) < 0)
		return NULL;
	array->desc.work.tasks--;
	sim_appoint(sim, &array->due, APPOINTMENT_DISOWN, SIM_FOREVER);
	sim_job_set_blocked(sim, array, false);
	engine_disown(sim->engine, array->work);
	d = work_desc(array);
	return engine_update(sim->engine, array->work, &d) < 0 ? NULL : task;
}

int sim_remind(struct sim *sim, struct sim_job *job,
	       const struct workload_memory *m, int64_t owns_until)
{
	if (!job->work)		/* as many of its array run as may, or it comes later */
		return 0;
	sim_job_set_blocked(sim, job, m->blocked);
	if (engine_remind(sim->engine, job->work, m) < 0)
		return -1;
	if (!m->owns)
		return 0;
	sim->settled = false;
	sim_appoint(sim, &job->due, APPOINTMENT_DISOWN, owns_until);
	return 0;
}

/* ---- running ---- */

/* Sets what keeps others from evicting it */
static int job_guard(struct sim *sim, struct sim_job *job)
{
	const struct sim_desc *d = &job->desc;
	const struct eviction_terms terms = {
		.exempt_until = d->exempt_time
				? sat_add(job->since, d->exempt_time) : 0,
		.cost = d->cancels,
		.group = d->array,
		.min_available = d->array ? d->min_available : -1,
	};

	return engine_set_terms(sim->engine, job->work, &terms);
}

void sim_job_began(struct sim *sim, struct sim_job *job, int64_t at)
{
	if (job->first_start == SIM_NOT_YET) {
		job->first_start = at;
		job->first_queue = job->desc.work.queue;
	}
	sim_job_uncount(sim, job);
}

int sim_job_start(struct sim *sim, struct sim_job *job,
		  const struct charge *charges, size_t n, int64_t since, int64_t until)
{
	if (engine_start(sim->engine, job->work, charges, n, since) < 0)
		return -1;
	line_leave(sim, job);
	array_leave(job);
	sim_job_set_blocked(sim, job, false);
	sim_appoint(sim, &job->due, APPOINTMENT_END, until);
	job->since = since;
	sim_job_began(sim, job, since);
	sim->settled = false;
	sim_room_change(sim, charges, n, -1);
	return job_guard(sim, job) < 0 ? -1 : array_count(sim, job, 1);
}

void sim_job_go(struct sim *sim, struct sim_job *job, int64_t gone_at, const struct victim *victim)
{
	engine_evicting(sim->engine, job->work, true);
	job->turn = victim && victim->reason == VICTIM_TIME_BASED;
	job->pure = victim && victim->pure;
	job->no_loss = !victim;
	job->evicted_at = sim->now;
	sim->settled = false;
	sim_appoint(sim, &job->due, APPOINTMENT_GONE, gone_at);
}

/* Its run is over. */
static int job_release(struct sim *sim, struct sim_job *job, enum sim_event_kind kind, int64_t kept)
{
	const struct charge *charges;
	size_t n;

	sim_tell(sim, job, (struct sim_event) { .kind = kind, .kept = kept });
	charges = workload_charges(job->work, &n);
	sim_room_change(sim, charges, n, 1);
	sim->releases++;
	engine_remove(sim->engine, job->work);
	job->work = NULL;
	sim->settled = false;
	return array_count(sim, job, -1);
}

/* What the run has to do before it goes on where the last one ended */
static int64_t job_overhead(const struct sim_job *job)
{
	return job->restarts ? job->desc.restart_cost : 0;
}

int64_t sim_job_kept(const struct sim *sim, const struct sim_job *job)
{
	int64_t work = max64(0, sim->now - job->since - job_overhead(job));

	return job->desc.checkpoint ? work - work % job->desc.checkpoint : 0;
}

/* An eviction costs the work since the last checkpoint, and a restart. Returns the
 * work that is kept of this run. */
static int64_t job_keep_work(const struct sim *sim, struct sim_job *job)
{
	struct sim_desc *d = &job->desc;
	int64_t overhead = job_overhead(job), kept = sim_job_kept(sim, job);

	if (d->duration != SIM_FOREVER)
		d->duration = sat_add(max64(0, d->duration - overhead - kept), d->restart_cost);
	job->restarts = true;
	return kept;
}

static int job_gone(struct sim *sim, struct sim_job *job)
{
	struct workload_desc *w = &job->desc.work;
	int64_t kept = job_keep_work(sim, job), back_at;

	if (job->turn) {	/* it stands behind those that waited */
		w->queue_order_at = job->evicted_at;
		w->turns++;
	} else if (!job->no_loss) {
		w->evictions++;
		w->lost += !job->pure;
	}
	if (job_release(sim, job, SIM_GONE, kept) < 0)
		return -1;
	if (job->desc.cancels) {
		job_forget(sim, job);
		return 0;
	}
	back_at = sat_add(sim->now, sim->options.requeue_time);
	if (job->desc.also && sim_job_come_also(sim, job, back_at) < 0)
		return -1;
	sim_appoint(sim, &job->due, APPOINTMENT_COME, back_at);
	return 0;
}

int sim_job_happens(struct sim *sim, struct sim_job *job)
{
	int rc;

	switch (job->due.kind) {
	case APPOINTMENT_COME:
		return sim_job_enter(sim, job, sim->now);
	case APPOINTMENT_END:
		rc = job_release(sim, job, SIM_END, 0);
		job_forget(sim, job);
		return rc;
	case APPOINTMENT_GONE:
		return job_gone(sim, job);
	default:
		engine_disown(sim->engine, job->work);
		sim->settled = false;
		return 0;
	}
}
