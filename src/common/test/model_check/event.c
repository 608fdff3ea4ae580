/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event.c - random events, told to the engine and written down
 */
#include "model_check/model.h"
#include "test/terms.h"

/* ---- of all ---- */

void model_remove(struct model *m, struct model_job *job)
{
	bool was_fixed = job->running && job->fixed;

	model_note(m, job, "remove");
	engine_remove(m->engine, job->w);
	model_leave_bond(m, job);
	job->running = job->owns = false;
	if (was_fixed)
		model_settle_members(m, job);
	*job = (struct model_job) { 0 };
}

static void job_repoint(struct model_job *job)
{
	for (size_t i = 0; i < MODEL_PODSETS; i++) {
		job->podsets[i].requests = job->requests[i];
		job->podsets[i].ineligible = job->ineligible[i];
		if (job->podsets[i].by_flavor)
			job->podsets[i].by_flavor = job->by_flavor[i];
	}
	job->desc.podsets = job->podsets;
}

static void asks_copy(struct model_job *job, const struct model_job *like)
{
	memcpy(job->podsets, like->podsets, sizeof(job->podsets));
	memcpy(job->requests, like->requests, sizeof(job->requests));
	memcpy(job->by_flavor, like->by_flavor, sizeof(job->by_flavor));
	memcpy(job->ineligible, like->ineligible, sizeof(job->ineligible));
}

/* Sometimes it asks for the same as another job */
static void describe(struct model *m, struct model_job *job)
{
	const struct model_job *like = model_draw(m);

	model_describe(m, job);
	if (!like->w || like == job || chance(m, 60))
		return;
	asks_copy(job, like);
	job->desc.npodsets = like->desc.npodsets;
	job->desc.queue = like->desc.queue;
	job->desc.priority = like->desc.priority;
	job->desc.nonpreemptible = like->desc.nonpreemptible;
	job->desc.group = like->desc.group;
	job->desc.fixed_members = like->desc.fixed_members;
	job_repoint(job);
}

static void submit(struct model *m, struct model_job *job)
{
	describe(m, job);
	model_note_desc(m, job, "submit");
	job->w = engine_submit(m->engine, &job->desc);
	model_need(m, job, job->w ? 0 : -1, "submit");
	model_tell_members(m, job);
}

static void update(struct model *m, struct model_job *job)
{
	struct model_job was = *job;

	job_repoint(&was);
	if (!job->running && chance(m, 50))
		describe(m, job);
	if (job->bond && job->kind == BOND_TOGETHER)
		job->desc.group = job->desc.fixed_members = 0;
	job->desc.priority = draw(m, 3);
	job->desc.queue_order_at = draw(m, 20);
	if (!job->running)
		job->desc.tasks = 1 + draw(m, 12);
	model_note_desc(m, job, "update");
	model_need(m, job, engine_update(m->engine, job->w, &job->desc), "update");
	if (job->desc.queue != was.desc.queue)
		job->blocked = false;
	if (job->desc.queue != was.desc.queue && !job->bond)
		job->could_evict = 0;
	if (job->desc.queue != was.desc.queue || !model_asks_same(job, &was)
	    || job->desc.nonpreemptible != was.desc.nonpreemptible
	    || job->desc.fixed_members != was.desc.fixed_members
	    || job->desc.group != was.desc.group)
		job->owns = false;
	model_tell_members(m, job);
}

/* ---- of waiting jobs ---- */

void model_split(struct model *m, struct model_job *array, struct model_job *task)
{
	asks_copy(task, array);
	task->desc = array->desc;
	task->desc.tasks = 1;
	task->desc.tiebreak = 1 + (task - m->jobs);
	task->desc.owner = task;
	job_repoint(task);
	model_note_desc(m, task, "submit");
	task->w = engine_submit(m->engine, &task->desc);
	model_need(m, task, task->w ? 0 : -1, "submit");
	array->desc.tasks--;
	array->owns = array->blocked = false;
	engine_disown(m->engine, array->w);
	engine_blocked(m->engine, array->w, false);
	model_note_desc(m, array, "update");
	model_need(m, array, engine_update(m->engine, array->w, &array->desc), "update");
}

void model_start(struct model *m, struct model_job *job,
		 const struct charge *charges, size_t n, int64_t since)
{
	bool starts = !job->running;

	if (starts) {
		job->fixed = job->owns ? job->claim_fixed : model_is_capped(m, job);
		model_forget_waiting(m, job);
		job->since = since;
	}
	job->running = true;
	job->ncharges = n;
	memmove(job->charges, charges, n * sizeof(*charges));
	if (starts)
		model_start_count(m, job);
	model_note(m, job, "start since=%lld n=%zu", (long long) job->since, n);
	for (size_t i = 0; i < n; i++)
		model_note(m, job, "  %d@%d=%lld", charges[i].resource,
			   charges[i].flavor, (long long) charges[i].amount);
	model_need(m, job, engine_start(m->engine, job->w, job->charges, n, since), "start");
}

/* As many charges as there are cells, in any flavor: perhaps above all quota */
static size_t charges_draw(struct model *m, struct charge *charges)
{
	size_t n = 1 + draw(m, MODEL_RESOURCES);

	for (size_t i = 0; i < n; i++)
		charges[i] = (struct charge) { draw(m, MODEL_FLAVORS), i,
					       draw(m, 6) };
	return n;
}

/* Where a clock was set back, jobs have begun in the future. */
static void start(struct model *m, struct model_job *job)
{
	int64_t since = m->now + (chance(m, 15) ? 80 : 0) - (int64_t) draw(m, 80);
	struct charge charges[MODEL_PAIRS];
	struct nomination nom;

	if (chance(m, 8)) {
		model_start(m, job, charges, charges_draw(m, charges), since);
		return;
	}
	model_need(m, job, engine_nominate(m->engine, job->w, m->now, NULL, &nom), "nomination");
	if (nom.mode == MODE_FIT && nom.ncharges <= MODEL_PAIRS)
		model_start(m, job, nom.charges, nom.ncharges, since);
}

static void evicting_set(struct model *m, struct model_job *job, bool evicting)
{
	model_note(m, job, "evicting %d", evicting);
	job->evicting = evicting;
	engine_evicting(m->engine, job->w, evicting);
}

/* Victims are told to go, with all of their unit. */
static void victims_tell(struct model *m, const struct nomination *nom)
{
	const struct model_job *victims[MODEL_JOBS];

	for (size_t i = 0; i < nom->nvictims; i++)
		victims[i] = workload_owner(nom->victims[i].workload);
	for (size_t i = 0; i < nom->nvictims; i++) {
		for (size_t k = 0; k < MODEL_JOBS; k++) {
			struct model_job *job = &m->jobs[k];

			if (job->w && (job == victims[i]
				       || (job->unit && job->unit == victims[i]->unit)))
				evicting_set(m, job, true);
		}
	}
}

void model_own(struct model *m, struct model_job *job, const struct nomination *nom)
{
	if (nom->ncharges > MODEL_PAIRS || nom->nvictims > MODEL_JOBS)
		return;
	if (!job->owns)
		job->claimed = ++m->number;
	job->claim_fixed = model_is_capped(m, job);
	job->owns = true;
	job->nclaim = nom->ncharges;
	if (nom->ncharges)
		memcpy(job->claim, nom->charges, nom->ncharges * sizeof(*nom->charges));
	model_note(m, job, "own n=%zu", job->nclaim);
	victims_tell(m, nom);
	model_need(m, job, engine_own(m->engine, job->w, job->claim, job->nclaim), "own");
}

static void own(struct model *m, struct model_job *job)
{
	struct nomination nom = { .mode = MODE_PREEMPT };
	struct charge charges[MODEL_PAIRS];

	if (chance(m, 15)) {
		nom.ncharges = charges_draw(m, charges);
		nom.charges = charges;
		model_own(m, job, &nom);
		return;
	}
	model_need(m, job, engine_nominate(m->engine, job->w, m->now, NULL, &nom), "nomination");
	if (nom.mode == MODE_PREEMPT && nom.nvictims)
		model_own(m, job, &nom);
}

static void disown(struct model *m, struct model_job *job)
{
	model_note(m, job, "disown");
	job->owns = false;
	engine_disown(m->engine, job->w);
}

static void block(struct model *m, struct model_job *job)
{
	job->blocked = !job->blocked;
	model_note(m, job, "blocked %d", job->blocked);
	engine_blocked(m->engine, job->w, job->blocked);
}

static void bond(struct model *m, struct model_job *job)
{
	struct model_job *with = model_draw(m);
	enum bond_kind kind = chance(m, 50) ? BOND_EITHER : BOND_TOGETHER;

	if (!with->w || with->running || with == job || job->bond)
		return;
	if (with->bond)
		kind = with->kind;
	/* no array has components */
	if (kind == BOND_TOGETHER && (job->desc.fixed_members || with->desc.fixed_members))
		return;
	if (!with->bond) {
		with->bond = ++m->number;
		with->bonded = with->bond;
		with->kind = kind;
	}
	job->bond = with->bond;
	job->bonded = ++m->number;
	job->kind = kind;
	model_note(m, job, "%s j%d", kind == BOND_EITHER ? "either" : "together",
		   (int) (with - m->jobs));
	model_need(m, job, engine_bond(m->engine, job->w, with->w, kind), "bond");
}

static void unbond(struct model *m, struct model_job *job)
{
	model_note(m, job, "unbond");
	model_leave_bond(m, job);
	engine_unbond(m->engine, job->w);
}

static void preempted(struct model *m, struct model_job *job)
{
	job->desc.evictions = draw(m, 5);
	job->desc.lost = draw(m, 1 + (uint64_t) job->desc.evictions);
	model_note(m, job, "preempted %lld, lost %lld", (long long) job->desc.evictions,
		   (long long) job->desc.lost);
	model_need(m, job, engine_set_evictions(m->engine, job->w, job->desc.evictions,
						job->desc.lost), "preempted");
}

static void waiting_event(struct model *m, struct model_job *job)
{
	static void (*const events[])(struct model *m, struct model_job *job) = {
		start, start, start, start, own, own, disown, block,
		bond, bond, bond, bond, unbond, update, update, model_remove,
		preempted,
	};

	events[draw(m, COUNT(events))](m, job);
}

/* ---- of running jobs ---- */

static void requeue(struct model *m, struct model_job *job)
{
	bool was_fixed = job->fixed;

	model_note(m, job, "requeue");
	model_forget_running(job);
	job->desc.queue_order_at = draw(m, 20);
	model_need(m, job, engine_requeue(m->engine, job->w, job->desc.queue_order_at), "requeue");
	if (was_fixed)
		model_settle_members(m, job);
}

static void evict(struct model *m, struct model_job *job)
{
	evicting_set(m, job, !job->evicting);
}

static void exempt(struct model *m, struct model_job *job)
{
	job->exempt = chance(m, 30) ? 0 : chance(m, 30) ? INT64_MAX
			: m->now + (int64_t) draw(m, 60) - 15;
	model_note(m, job, "exempt %lld", (long long) job->exempt);
	(void) terms_set_exempt(m->engine, job->w, job->exempt);
}

static void cost(struct model *m, struct model_job *job)
{
	job->cost = draw(m, 3);
	model_note(m, job, "cost %lld", (long long) job->cost);
	(void) terms_set_cost(m->engine, job->w, job->cost);
}

/* The minimum that was set last holds for all of the group. */
static void elastic(struct model *m, struct model_job *job)
{
	job->group = 1 + draw(m, 2);
	job->min_available = draw(m, 3);
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		struct model_job *other = &m->jobs[i];

		if (other->running && other->group == job->group
		    && other->desc.queue == job->desc.queue)
			other->min_available = job->min_available;
	}
	model_note(m, job, "elastic %d min=%lld", (int) job->group, (long long) job->min_available);
	model_need(m, job, terms_set_elastic(m->engine, job->w, job->group,
					  job->min_available), "elastic");
}

/* All that were joined before go with them. */
static void unit(struct model *m, struct model_job *job)
{
	struct model_job *with = model_draw(m);
	uint64_t was = job->unit;

	if (!with->running || with == job)
		return;
	if (!with->unit)
		with->unit = ++m->number;
	job->unit = with->unit;
	for (size_t i = 0; was && i < MODEL_JOBS; i++) {
		if (m->jobs[i].unit == was)
			m->jobs[i].unit = with->unit;
	}
	model_note(m, job, "unit j%d", (int) (with - m->jobs));
	model_need(m, job, terms_join(m->engine, job->w, with->w), "unit");
}

static void pause_for(struct model *m, struct model_job *job)
{
	int64_t paused = draw(m, 1 + (uint64_t) max64(0, m->now - job->since));

	job->since += paused;
	model_note(m, job, "pause %lld", (long long) paused);
	engine_pause(m->engine, job->w, paused);
}

static void resize(struct model *m, struct model_job *job)
{
	struct charge charges[MODEL_PAIRS];
	size_t n = charges_draw(m, charges);

	model_start(m, job, charges, n, 77);
}

static void running_event(struct model *m, struct model_job *job)
{
	static void (*const events[])(struct model *m, struct model_job *job) = {
		requeue, evict, exempt, preempted, cost, elastic, elastic,
		unit, unit, pause_for, resize, update, model_fix, model_remove,
		model_remove,
	};

	events[draw(m, COUNT(events))](m, job);
}

/* ---- the choice of an event ---- */

bool model_event(struct model *m, uint64_t seed)
{
	struct model_job *job;

	m->random = seed;
	if (model_pass_time(m))
		return true;
	job = model_draw(m);
	if (chance(m, 8))
		model_follow(m);
	else if (!job->w)
		submit(m, job);
	else if (job->running)
		running_event(m, job);
	else
		waiting_event(m, job);
	return chance(m, 50);
}
