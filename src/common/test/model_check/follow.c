/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.c - the plan is carried out, as slurmctld would
 */
#include "model_check/model.h"

struct turn {
	struct model_job *job;
	uint64_t rank;
	int64_t starts;			/* 0: evicts */
	uint64_t victims;		/* a bit for each, */
	uint64_t pairs;			/* and for each pair, before others have
					 * started */
};

static void turns_sort(struct turn *turns, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		for (size_t k = i; k && turns[k].rank < turns[k - 1].rank; k--) {
			struct turn t = turns[k];

			turns[k] = turns[k - 1];
			turns[k - 1] = t;
		}
	}
}

static uint64_t victims_of(const struct model *m, const struct victim *victims, size_t n)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < n; i++)
		bits |= UINT64_C(1) << ((struct model_job *) workload_owner(
					victims[i].workload) - m->jobs);
	return bits;
}

/* The flavors that it would get now, in each resource: bits */
static uint64_t pairs_of(const struct nomination *nom)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < nom->ncharges; i++)
		bits |= UINT64_C(1) << (nom->charges[i].flavor * MODEL_RESOURCES
					+ nom->charges[i].resource);
	return bits;
}

static size_t turns_collect(struct model *m, struct turn *turns)
{
	size_t n = 0;

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		struct model_job *job = &m->jobs[i];
		const struct verdict *v;
		struct nomination nom = { .ncharges = 0 };

		if (!job->w || job->running)
			continue;
		v = engine_verdict(m->engine, job->w);
		if (v->kind == VERDICT_PREEMPT)
			model_need(m, job, engine_nominate(m->engine, job->w, m->now,
							   NULL, &nom), "nomination");
		if (v->kind == VERDICT_START || v->kind == VERDICT_PREEMPT)
			turns[n++] = (struct turn) {
				job, v->rank,
				v->kind == VERDICT_START ? v->starts : 0,
				victims_of(m, v->victims, v->victims ? v->nvictims : 0),
				pairs_of(&nom) };
		model_note(m, job, "verdict %d reason %d rank=%d starts=%lld",
			   v->kind, v->reason, (int) v->rank, (long long) v->starts);
	}
	turns_sort(turns, n);
	return n;
}

/* It owns quota in a flavor in which no nodes were found since then, or as one of members
 * of which another one may be non-preemptible by now (its first task owns nothing); or it
 * would evict others, or in other flavors, as jobs before it have started: doc/
 * how-it-decides.md, section 10. */
static bool is_no_guide(const struct model *m, const struct turn *t, const struct nomination *nom)
{
	const struct model_job *job = t->job;
	bool another = job->owns && job->desc.tasks > 1 && job->desc.fixed_members;

	return another || (!t->starts
			   && (pairs_of(nom) != t->pairs
			       || victims_of(m, nom->victims, nom->nvictims) != t->victims));
}

/* One task of an array starts, as a workload of its own. */
static void task_start(struct model *m, struct model_job *array, const struct nomination *nom)
{
	struct charge charges[MODEL_PAIRS];
	struct model_job *task = array;

	memcpy(charges, nom->charges, nom->ncharges * sizeof(*charges));
	for (size_t i = 0; array->desc.tasks > 1 && i < MODEL_JOBS; i++) {
		if (!m->jobs[i].w)
			task = &m->jobs[i];
	}
	if (task != array)
		model_split(m, array, task);
	model_start(m, task, charges, nom->ncharges, m->now);
}

/* A job that has found no nodes finds none now. False: no more turns */
static bool turn_take(struct model *m, const struct turn *t)
{
	struct model_job *job = t->job;
	struct nomination nom;

	if (!job->w || job->running || job->blocked)
		return true;
	if (engine_nominate(m->engine, job->w, m->now, NULL, &nom) < 0) {
		model_fail(m, "no nomination of j%d", (int) (job - m->jobs));
		return false;
	}
	if (is_no_guide(m, t, &nom))
		return false;
	if (!t->starts && nom.mode == MODE_PREEMPT && nom.nvictims)
		model_own(m, job, &nom);
	if (!t->starts)
		return true;
	/* A task of its array was to evict: with that one the plan counts enough
	 * members, and without it this one would be capped. */
	if (nom.mode != MODE_FIT && job->desc.fixed_members)
		return false;
	if (nom.mode != MODE_FIT)
		model_fail(m, "j%d may start by the plan, and does not fit", (int) (job - m->jobs));
	else if (nom.ncharges <= MODEL_PAIRS)
		task_start(m, job, &nom);
	return t->starts == 1;
}

/* The other entries of a job that has started are gone. */
static void others_remove(struct model *m, uint64_t bond)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		if (bond && m->jobs[i].bond == bond)
			model_remove(m, &m->jobs[i]);
	}
}

/* Stops where more than one task of an array would start: the places of the
 * others in the line are not known. */
void model_follow(struct model *m)
{
	struct turn turns[MODEL_JOBS];
	size_t n;

	engine_plan(m->engine, m->now);
	n = turns_collect(m, turns);
	for (size_t i = 0; i < n && !*m->error; i++) {
		struct model_job *job = turns[i].job;
		uint64_t bond = job->kind == BOND_EITHER ? job->bond : 0;

		if (!turn_take(m, &turns[i]))
			return;
		if (job->running)
			others_remove(m, bond);
	}
}
