/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test property.c - rules that hold in every world: random trees and events
 *
 * Seeds are fixed; COHORT_SEEDS=N in the environment tries N of them instead
 * of the usual few.
 */
#include "play.h"
#include "query.h"
#include "random/draw.h"
#include "workload/workload.h"

#define EVENTS 60
#define PAIRS 16			/* of flavors and resources, at most */

static void plan_changes_nothing(struct play *play)
{
	uint64_t digest = engine_digest(play->engine);

	engine_plan(play->engine, play->now);
	assert_true(engine_digest(play->engine) == digest);
	assert_false(engine_stale(play->engine, play->now));
	assert_false(engine_plan(play->engine, play->now));
	for (size_t i = 0; i < JOBS; i++) {
		if (play->jobs[i].there && !play->jobs[i].running)
			assert_int_not_equal(
				engine_verdict(play->engine, play->jobs[i].w)->kind, VERDICT_NONE);
	}
}

/* It would use more than its queue's nominal quota of something */
static bool would_borrow(struct play *play, const struct job *job, const struct nomination *nom)
{
	for (size_t i = 0; i < nom->ncharges; i++) {
		const struct charge *c = &nom->charges[i];
		struct ledger l;

		assert_int_equal(engine_ledger(play->engine, false, job->desc.queue, c->flavor,
					       c->resource, &l), 0);
		if (l.used + c->amount > l.nominal)
			return true;
	}
	return false;
}

static void victims_check(struct play *play, const struct job *job, const struct nomination *nom)
{
	struct victim gone[JOBS];
	size_t n = nom->nvictims;

	for (size_t i = 0; i < n; i++) {
		const struct job *victim = workload_owner(nom->victims[i]
							      .workload);
		bool own = victim->desc.queue == job->desc.queue;

		gone[i] = nom->victims[i];
		assert_true(victim->running);
		if (own && !victim->evicting && play->spec->preempt_min_runtime)
			assert_true(play->now >= victim->since + play->spec->preempt_min_runtime);
		/* one that is on its way out counts, wherever it is */
		assert_true(victim->evicting || !play->spec->queues[victim->desc.queue].inactive);
	}
	assert_true(engine_fits(play->engine, job->w, nom->charges, nom->ncharges, gone, n));
	for (size_t i = 0; i < n; i++) {
		const struct victim last = gone[n - 1];

		gone[n - 1] = gone[i];
		gone[i] = last;
		if (engine_fits(play->engine, job->w, nom->charges, nom->ncharges, gone, n - 1))
			assert_true(job->nclaim || would_borrow(play, job, nom));
		gone[i] = gone[n - 1];
		gone[n - 1] = last;
	}
}

/* A copy of an answer: the engine's own is valid only until the next question */
struct answer {
	struct nomination nom;
	struct charge charges[PAIRS];
	struct victim victims[JOBS];
};

static void ask(struct play *play, struct job *job, struct answer *a)
{
	struct nomination *nom = &a->nom;

	assert_int_equal(engine_nominate(play->engine, job->w, play->now, NULL, nom), 0);
	assert_true(nom->ncharges <= PAIRS && nom->nvictims <= JOBS);
	for (size_t i = 0; i < nom->ncharges; i++)
		a->charges[i] = nom->charges[i];
	for (size_t i = 0; i < nom->nvictims; i++)
		a->victims[i] = nom->victims[i];
	nom->charges = a->charges;
	nom->victims = a->victims;
}

/* Charges fit where they are promised; victims suffice, and none is needless. */
static void nominations_are_right(struct play *play)
{
	struct answer answer;
	const struct nomination *nom = &answer.nom;

	for (size_t i = 0; i < JOBS; i++) {
		struct job *job = &play->jobs[i];
		uint64_t digest = engine_digest(play->engine);

		if (!job->there || job->running)
			continue;
		ask(play, job, &answer);
		assert_true(engine_digest(play->engine) == digest);
		if (nom->mode == MODE_FIT)
			assert_true(engine_fits(play->engine, job->w, nom->charges, nom->ncharges,
						NULL, 0));
		if (nom->mode == MODE_PREEMPT && nom->nvictims)
			victims_check(play, job, nom);
	}
}

/* The job with the lowest rank above `rank` */
static struct job *next_rank(struct play *play, uint64_t rank)
{
	struct job *next = NULL;
	uint64_t best = UINT64_MAX;

	for (size_t i = 0; i < JOBS; i++) {
		struct job *job = &play->jobs[i];
		const struct verdict *v;

		if (!job->there || job->running)
			continue;
		v = engine_verdict(play->engine, job->w);
		if ((v->kind == VERDICT_START || v->kind == VERDICT_PREEMPT)
		    && v->rank > rank && v->rank < best) {
			best = v->rank;
			next = job;
		}
	}
	return next;
}

/* No job has a turn before those that own freed quota and may have it */
static void owners_come_first(struct play *play)
{
	engine_plan(play->engine, play->now);
	for (size_t i = 0; i < JOBS; i++) {
		const struct job *job = &play->jobs[i];
		const struct verdict *v;

		if (!job->there || job->running || !job->nclaim)
			continue;
		v = engine_verdict(play->engine, job->w);
		if (v->kind != VERDICT_START || owned_quota_is_void(job->w))
			continue;
		for (struct job *next = next_rank(play, 0);
		     next && next != job;
		     next = next_rank(play, engine_verdict(play->engine, next->w)->rank))
			assert_true(next->nclaim || next->w->shape->q->tree
				       != job->w->shape->q->tree);
	}
}

static void run(void (*check)(struct play *play))
{
	uint64_t n = seeds_wanted(60);

	for (uint64_t seed = 1; seed <= n; seed++) {
		struct play play;

		play_begin(&play, seed);
		for (int i = 0; i < EVENTS; i++) {
			play_event(&play);
			check(&play);
		}
		play_end(&play);
	}
}

static void test_plan(void **state)
{
	run(plan_changes_nothing);
}

static void test_nominations(void **state)
{
	run(nominations_are_right);
}

static void test_owners(void **state)
{
	run(owners_come_first);
}

TESTS(cmocka_unit_test(test_plan), cmocka_unit_test(test_nominations),
      cmocka_unit_test(test_owners))
