/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test property.c - rules that hold in every world: random trees and events
 *
 * Seeds are fixed; COHORT_SEEDS=N in the environment tries N of them instead
 * of the usual few.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "play.h"
#include "query.h"
#include "random/draw.h"
#include "workload/waiting.h"

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
				engine_verdict(play->engine,
					       play->jobs[i].w)->kind,
				VERDICT_NONE);
	}
}

static struct job *next_owner(struct play *play, uint64_t claimed)
{
	struct job *next = NULL;

	for (size_t i = 0; i < JOBS; i++) {
		struct job *job = &play->jobs[i];

		if (job->there && job->nclaim && job->claimed > claimed
		    && (!next || job->claimed < next->claimed))
			next = job;
	}
	return next;
}

/* Builds the same state from nothing, with the jobs in another order */
static struct engine *engine_again(struct play *play, struct workload **ws)
{
	struct engine *e = engine_create(play->spec);
	struct job *owner = NULL;

	assert_non_null(e);
	for (size_t k = 0; k < JOBS; k++) {
		size_t i = (k * 7 + 3) % JOBS;
		struct job *job = &play->jobs[i];

		if (!job->there)
			continue;
		ws[i] = engine_submit(e, &job->desc);
		assert_non_null(ws[i]);
		engine_blocked(e, ws[i], job->blocked);
		if (job->running)
			assert_int_equal(engine_start(e, ws[i], job->charges,
						      job->ncharges,
						      job->since), 0);
		engine_evicting(e, ws[i], job->evicting);
	}
	while ((owner = next_owner(play, owner ? owner->claimed : 0)))
		assert_int_equal(engine_own(e, ws[owner - play->jobs],
					    owner->claim, owner->nclaim), 0);
	return e;
}

static void verdicts_equal(const struct verdict *a, const struct verdict *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->rank, b->rank);
	assert_int_equal(a->starts, b->starts);
	assert_int_equal(a->reason, b->reason);
	assert_int_equal(a->flavor, b->flavor);
	assert_int_equal(a->resource, b->resource);
	assert_int_equal(a->need, b->need);
	assert_int_equal(a->free, b->free);
	assert_int_equal(a->until, b->until);
	assert_int_equal(a->nvictims, b->nvictims);
}

/* Single events give the same as their end state at once, in any order */
static void history_is_forgotten(struct play *play)
{
	struct workload *ws[JOBS] = { NULL };
	struct engine *again = engine_again(play, ws);
	int64_t here, there;

	assert_true(engine_digest(again) == engine_digest(play->engine));
	engine_plan(play->engine, play->now);
	engine_plan(again, play->now);
	for (size_t i = 0; i < JOBS; i++) {
		const struct job *job = &play->jobs[i];

		if (!job->there || job->running)
			continue;
		verdicts_equal(engine_verdict(again, ws[i]),
			       engine_verdict(play->engine, job->w));
		assert_int_equal(engine_place(again, ws[i], &here),
				 engine_place(play->engine, job->w, &there));
		assert_int_equal(here, there);
	}
	assert_int_equal(engine_next_expiry(again),
			 engine_next_expiry(play->engine));
	engine_destroy(again);
}

/* It would use more than its queue's nominal quota of something */
static bool would_borrow(struct play *play, const struct job *job,
			 const struct nomination *nom)
{
	for (size_t i = 0; i < nom->ncharges; i++) {
		const struct charge *c = &nom->charges[i];
		struct ledger l;

		assert_int_equal(engine_ledger(play->engine, false,
					       job->desc.queue, c->flavor,
					       c->resource, &l), 0);
		if (l.used + c->amount > l.nominal)
			return true;
	}
	return false;
}

static void victims_check(struct play *play, const struct job *job,
			  const struct nomination *nom)
{
	struct workload *gone[JOBS];
	size_t n = nom->nvictims;

	for (size_t i = 0; i < n; i++) {
		const struct job *victim = workload_owner(nom->victims[i]
							      .workload);
		bool own = victim->desc.queue == job->desc.queue;

		gone[i] = victim->w;
		assert_true(victim->running);
		if (own && !victim->evicting
		    && play->spec->preempt_min_runtime)
			assert_true(play->now >= victim->since
				    + play->spec->preempt_min_runtime);
		/* one that is on its way out counts, wherever it is */
		assert_true(victim->evicting ||
			    !play->spec->queues[victim->desc.queue].inactive);
	}
	assert_true(engine_fits(play->engine, job->w, nom->charges,
				nom->ncharges, gone, n));
	for (size_t i = 0; i < n; i++) {
		struct workload *last = gone[n - 1];

		gone[n - 1] = gone[i];
		gone[i] = last;
		if (engine_fits(play->engine, job->w, nom->charges,
				nom->ncharges, gone, n - 1))
			assert_true(job->nclaim
				    || would_borrow(play, job, nom));
		gone[i] = gone[n - 1];
		gone[n - 1] = last;
	}
}

/* A copy of an answer: the engine's own is valid only until the next
 * question */
struct answer {
	struct nomination nom;
	struct charge charges[PAIRS];
	struct victim victims[JOBS];
};

static void ask(struct play *play, struct job *job, struct answer *a)
{
	struct nomination *nom = &a->nom;

	assert_int_equal(engine_nominate(play->engine, job->w, play->now, NULL,
					 nom), 0);
	assert_true(nom->ncharges <= PAIRS && nom->nvictims <= JOBS);
	for (size_t i = 0; i < nom->ncharges; i++)
		a->charges[i] = nom->charges[i];
	for (size_t i = 0; i < nom->nvictims; i++)
		a->victims[i] = nom->victims[i];
	nom->charges = a->charges;
	nom->victims = a->victims;
}

/* Charges fit where they are promised; victims suffice, and none is
 * needless. */
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
			assert_true(engine_fits(play->engine, job->w,
						nom->charges, nom->ncharges,
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
		     next = next_rank(play, engine_verdict(play->engine,
							   next->w)->rank))
			assert_true(next->nclaim
				    || next->w->shape->q->tree
				       != job->w->shape->q->tree);
	}
}

static int run(void (*check)(struct play *play))
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
	return 0;
}

/* What a plan promised a job: a copy, as its victims are the engine's only until the
 * next event */
struct promise {
	struct job *job;
	enum verdict_kind kind;
	size_t nvictims;
	struct workload *victims[JOBS];
};

static void promise_read(struct promise *promise, struct job *job,
			 const struct verdict *v)
{
	promise->job = job;
	promise->kind = job->blocked ? VERDICT_NONE : v->kind;	/* it has no nodes */
	promise->nvictims = v->nvictims;
	for (size_t i = 0; i < v->nvictims; i++)
		promise->victims[i] = v->victims[i].workload;
}

/* At its turn, does the job evict those that the plan said, and no others? */
static bool evicts_as_promised(struct play *play, const struct promise *promise)
{
	struct nomination nom;
	size_t nagain = 0;

	assert_int_equal(engine_nominate(play->engine, promise->job->w,
					 play->now, NULL, &nom), 0);
	if (nom.mode != MODE_PREEMPT || nom.nvictims != promise->nvictims)
		return false;
	for (size_t i = 0; i < nom.nvictims; i++)
		for (size_t k = 0; k < promise->nvictims; k++)
			nagain += nom.victims[i].workload == promise->victims[k];
	return nagain == nom.nvictims;
}

static bool is_one_of(const struct tree *tree, const struct tree *const *trees, size_t n)
{
	while (n--)
		if (trees[n] == tree)
			return true;
	return false;
}

static uint64_t nkept, nvoid;		/* promises of all worlds */

/* All that may start can start, in the order of the ranks, although preemptors
 * between them own what their victims still hold. Those without nodes start nowhere, and evict
 * nobody: others behind them have their quota. A preemptor that is decided otherwise at its
 * turn (doc/how-it-decides.md, section 10) voids what is promised to those behind it in its
 * tree; there are few of them. */
static void promises_are_kept(struct play *play)
{
	struct promise promises[JOBS];
	const struct tree *voided[JOBS];
	uint64_t rank = 0;
	size_t n = 0, nvoided = 0;

	engine_plan(play->engine, play->now);
	for (struct job *job; (job = next_rank(play, rank)); n++) {
		const struct verdict *v = engine_verdict(play->engine, job->w);

		rank = v->rank;
		promise_read(&promises[n], job, v);
	}
	for (size_t i = 0; i < n; i++) {
		const struct promise *promise = &promises[i];
		struct job *job = promise->job;
		struct nomination nom;

		if (promise->kind == VERDICT_PREEMPT) {
			if (!evicts_as_promised(play, promise))
				voided[nvoided++] = job->w->shape->q->tree;
			job_own(play, job);
		}
		if (promise->kind != VERDICT_START
		    || is_one_of(job->w->shape->q->tree, voided, nvoided))
			continue;
		assert_int_equal(engine_nominate(play->engine, job->w,
						 play->now, NULL, &nom), 0);
		assert_int_equal(nom.mode, MODE_FIT);
		job_start(play, job, nom.charges, nom.ncharges, play->now);
		nkept++;
	}
	nvoid += nvoided;
}

static void test_plan(void **state)
{
	(void) state;
	run(plan_changes_nothing);
}

static void test_history(void **state)
{
	(void) state;
	run(history_is_forgotten);
}

static void test_nominations(void **state)
{
	(void) state;
	run(nominations_are_right);
}

static void test_owners(void **state)
{
	(void) state;
	run(owners_come_first);
}

static void test_promises(void **state)
{
	(void) state;
	run(promises_are_kept);
	print_message("# %" PRIu64 " promises were kept, %" PRIu64 " preemptors decided otherwise\n",
		      nkept, nvoid);
	assert_true(nvoid * 50 < nkept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_nominations),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_promises),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
