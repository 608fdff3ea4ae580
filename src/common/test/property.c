/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test property.c - what must hold in every world: random trees, random events
 *
 * Seeds are fixed; COHORT_SEEDS=N in the environment tries N of them instead
 * of the usual few.
 */
#include <stdlib.h>

#include "world.h"

#define JOBS 40
#define EVENTS 60
#define NOW 1000

struct job {
	struct workload *w;
	struct workload_desc desc;
	struct podset_desc podset;
	struct request requests[2];
	bool ineligible[2];
	struct charge charges[4], claim[4];
	size_t ncharges, nclaim;
	uint64_t claimed;
	int64_t since;
	bool there, running, evicting, blocked;
};

struct play {
	uint64_t state;			/* of the random numbers */
	struct spec *spec;
	struct engine *engine;
	struct job jobs[JOBS];
	uint64_t claims;
	int64_t now;
};

static uint64_t draw(struct play *play, uint64_t n)
{
	play->state = play->state * UINT64_C(6364136223846793005)
		      + UINT64_C(1442695040888963407);
	return (play->state >> 33) % n;
}

/* ---- random specs ---- */

static void limits_draw(struct play *play, struct spec_quota *quota)
{
	if (!draw(play, 3))
		quota->borrowing_limit = draw(play, 6);
	if (!draw(play, 3))
		quota->lending_limit = draw(play, 6);
}

static void cohort_draw(struct play *play, int i)
{
	struct spec_cohort *c;
	char name[] = "c0";

	name[1] += i;
	c = spec_add_cohort(play->spec, name);
	c->parent = i && draw(play, 4) ? (int) draw(play, i) : SPEC_NONE;
	c->weight = draw(play, 3);
	if (!draw(play, 3))
		c->reclaim_min_runtime = draw(play, 40);
	if (!draw(play, 2))
		limits_draw(play, spec_add_quota(&c->quotas, &c->nquotas,
						 draw(play, 2), draw(play, 2),
						 draw(play, 6)));
}

static struct spec_group group_all(void)
{
	struct spec_group group = { calloc(2, sizeof(int)), 2,
				    calloc(2, sizeof(int)), 2 };

	group.resources[1] = 1;
	group.flavors[1] = 1;
	return group;
}

static void policies_draw(struct play *play, struct spec_queue *q)
{
	static const enum policy policies[] = {
		POLICY_NEVER, POLICY_LOWER_PRIORITY,
		POLICY_LOWER_OR_NEWER_EQUAL, POLICY_ANY,
	};

	q->strategy = draw(play, 3) ? STRATEGY_BEST_EFFORT_FIFO
				    : STRATEGY_STRICT_FIFO;
	q->inactive = !draw(play, 12);
	q->within = policies[draw(play, 3)];
	q->reclaim = policies[draw(play, 4)];
	q->borrow_set = q->reclaim != POLICY_NEVER && !draw(play, 2);
	q->borrow = POLICY_LOWER_PRIORITY;
	q->threshold_set = !draw(play, 2);
	q->threshold = draw(play, 3);
	q->when_can_borrow = draw(play, 2);
	q->when_can_preempt = draw(play, 2);
	if (q->within == POLICY_LOWER_OR_NEWER_EQUAL && !draw(play, 2))
		q->min_admit = 60;
}

static void queue_draw(struct play *play, int i, int ncohorts)
{
	struct spec_queue *q;
	char name[] = "q0";

	name[1] += i;
	q = spec_add_queue(play->spec, name);
	q->cohort = draw(play, 6) ? (int) draw(play, ncohorts) : SPEC_NONE;
	policies_draw(play, q);
	for (int p = 0; p < 4; p++)
		limits_draw(play, spec_add_quota(&q->quotas, &q->nquotas,
						 p / 2, p % 2,
						 draw(play, 9)));
	q->groups = calloc(1, sizeof(*q->groups));
	q->groups[q->ngroups++] = group_all();
}

static void spec_draw(struct play *play)
{
	int ncohorts = 1 + draw(play, 4), nqueues = 1 + draw(play, 5);

	play->spec = spec_create();
	assert_non_null(play->spec);
	spec_flavor(play->spec, "f");
	spec_flavor(play->spec, "g");
	spec_resource(play->spec, "cpu");
	spec_resource(play->spec, "mem");
	play->spec->fair_sharing = !draw(play, 2);
	play->spec->preempt_min_runtime = draw(play, 2) ? 0 : 30;
	for (int i = 0; i < ncohorts; i++)
		cohort_draw(play, i);
	for (int i = 0; i < nqueues; i++)
		queue_draw(play, i, ncohorts);
}

/* ---- random events ---- */

static void job_describe(struct play *play, struct job *job)
{
	size_t i = job - play->jobs;

	job->requests[0] = (struct request) { 0, draw(play, 5) };
	job->requests[1] = (struct request) { 1, draw(play, 5) };
	job->podset = (struct podset_desc) {
		.count = 1,
		.group = -1,
		.requests = job->requests,
		.nrequests = 1 + draw(play, 2),
		.ineligible = job->ineligible,
	};
	job->ineligible[0] = !draw(play, 5);
	job->ineligible[1] = !draw(play, 5);
	job->desc = (struct workload_desc) {
		.queue = draw(play, play->spec->nqueues),
		.local_queue = draw(play, 3),
		.priority = draw(play, 3),
		.queue_order_at = draw(play, 20),
		.tiebreak = i + 1,
		.tasks = draw(play, 4) ? 1 : 1 + draw(play, 3),
		.podsets = &job->podset,
		.npodsets = 1,
		.owner = job,
	};
}

static void job_start(struct play *play, struct job *job,
		      const struct charge *charges, size_t n, int64_t since)
{
	job->running = true;
	job->evicting = job->blocked = false;
	job->since = since;
	job->ncharges = n;
	job->nclaim = 0;
	memcpy(job->charges, charges, n * sizeof(*charges));
	assert_int_equal(engine_start(play->engine, job->w, charges, n,
				      job->since), 0);
}

static void job_try(struct play *play, struct job *job)
{
	struct nomination nom;

	assert_int_equal(engine_nominate(play->engine, job->w, play->now, NULL,
					 &nom), 0);
	if (nom.mode == MODE_FIT)
		job_start(play, job, nom.charges, nom.ncharges,
			  play->now - draw(play, 100));
}

static void job_own(struct play *play, struct job *job)
{
	struct nomination nom;

	assert_int_equal(engine_nominate(play->engine, job->w, play->now, NULL,
					 &nom), 0);
	if (nom.mode != MODE_PREEMPT || !nom.nvictims)
		return;
	for (size_t i = 0; i < nom.nvictims; i++) {
		struct job *victim = workload_owner(nom.victims[i].workload);

		victim->evicting = true;
		engine_evicting(play->engine, victim->w, true);
	}
	if (!job->nclaim)
		job->claimed = ++play->claims;
	job->nclaim = nom.ncharges;
	memcpy(job->claim, nom.charges, nom.ncharges * sizeof(*nom.charges));
	assert_int_equal(engine_own(play->engine, job->w, job->claim,
				    job->nclaim), 0);
}

static void running_event(struct play *play, struct job *job)
{
	switch (draw(play, 4)) {
	case 0:
		engine_remove(play->engine, job->w);
		*job = (struct job) { 0 };
		break;
	case 1:
		job->running = job->evicting = false;
		job->desc.queue_order_at = draw(play, 20);
		assert_int_equal(engine_requeue(play->engine, job->w,
						job->desc.queue_order_at), 0);
		break;
	case 2:
		job->evicting = !job->evicting;
		engine_evicting(play->engine, job->w, job->evicting);
		break;
	default:
		job->since += 7;
		engine_pause(play->engine, job->w, 7);
	}
}

static void waiting_event(struct play *play, struct job *job)
{
	switch (draw(play, 8)) {
	case 0:
		engine_remove(play->engine, job->w);
		*job = (struct job) { 0 };
		break;
	case 1:
		engine_disown(play->engine, job->w);
		engine_blocked(play->engine, job->w, false);
		job->nclaim = 0;
		job->blocked = false;
		job_describe(play, job);
		assert_int_equal(engine_update(play->engine, job->w,
					       &job->desc), 0);
		break;
	case 2:
		job_own(play, job);
		break;
	case 3:
		job->blocked = !job->blocked;
		engine_blocked(play->engine, job->w, job->blocked);
		break;
	default:
		job_try(play, job);
	}
}

static void event_draw(struct play *play)
{
	struct job *job = &play->jobs[draw(play, JOBS)];

	play->now += draw(play, 5);
	if (!job->there) {
		job_describe(play, job);
		job->w = engine_submit(play->engine, &job->desc);
		assert_non_null(job->w);
		job->there = true;
	} else if (job->running) {
		running_event(play, job);
	} else {
		waiting_event(play, job);
	}
}

static void play_begin(struct play *play, uint64_t seed)
{
	*play = (struct play) { .state = seed, .now = NOW };
	spec_draw(play);
	play->engine = engine_create(play->spec);
	assert_non_null(play->engine);
}

static void play_end(struct play *play)
{
	engine_destroy(play->engine);
	spec_destroy(play->spec);
}

/* ---- the properties ---- */

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

/* The same state from nothing, the jobs in another order */
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

/* Events one by one give what the end state gives at once, in any order */
static void history_is_forgotten(struct play *play)
{
	struct workload *ws[JOBS] = { NULL };
	struct engine *again = engine_again(play, ws);
	struct position here, there;

	assert_true(engine_digest(again) == engine_digest(play->engine));
	engine_plan(play->engine, play->now);
	engine_plan(again, play->now);
	for (size_t i = 0; i < JOBS; i++) {
		const struct job *job = &play->jobs[i];

		if (!job->there || job->running)
			continue;
		verdicts_equal(engine_verdict(again, ws[i]),
			       engine_verdict(play->engine, job->w));
		engine_position(again, ws[i], &here);
		engine_position(play->engine, job->w, &there);
		assert_memory_equal(&here, &there, sizeof(here));
	}
	assert_int_equal(engine_next_expiry(again),
			 engine_next_expiry(play->engine));
	engine_destroy(again);
}

/* Above nominal quota in something the victim's place is wanted for */
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
		assert_false(play->spec->queues[victim->desc.queue].inactive);
	}
	assert_true(engine_fits(play->engine, job->w, nom->charges,
				nom->ncharges, gone, n));
	for (size_t i = 0; i < n; i++) {
		struct workload *last = gone[n - 1];

		gone[n - 1] = gone[i];
		gone[i] = last;
		if (engine_fits(play->engine, job->w, nom->charges,
				nom->ncharges, gone, n - 1))
			assert_true(!job->nclaim
				    && would_borrow(play, job, nom));
		gone[i] = gone[n - 1];
		gone[n - 1] = last;
	}
}

/* Charges fit where they are promised; victims suffice, none is too many */
static void nominations_are_right(struct play *play)
{
	for (size_t i = 0; i < JOBS; i++) {
		struct job *job = &play->jobs[i];
		struct nomination nom;
		uint64_t digest = engine_digest(play->engine);

		if (!job->there || job->running)
			continue;
		assert_int_equal(engine_nominate(play->engine, job->w,
						 play->now, NULL, &nom), 0);
		assert_true(engine_digest(play->engine) == digest);
		if (nom.mode == MODE_FIT)
			assert_true(engine_fits(play->engine, job->w,
						nom.charges, nom.ncharges,
						NULL, 0));
		if (nom.mode == MODE_PREEMPT && nom.nvictims)
			victims_check(play, job, &nom);
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

static int run(void (*check)(struct play *play))
{
	const char *seeds = getenv("COHORT_SEEDS");
	uint64_t n = seeds ? strtoull(seeds, NULL, 10) : 60;

	for (uint64_t seed = 1; seed <= n; seed++) {
		struct play play;

		play_begin(&play, seed);
		for (int i = 0; i < EVENTS; i++) {
			event_draw(&play);
			check(&play);
		}
		play_end(&play);
	}
	return 0;
}

/* Whoever may start can start, in the order of the ranks, though preemptors
 * between them own what their victims still hold */
static void promises_are_kept(struct play *play)
{
	struct job *todo[JOBS];
	enum verdict_kind kind[JOBS];
	uint64_t rank = 0;
	size_t n = 0;

	engine_plan(play->engine, play->now);
	for (struct job *job; (job = next_rank(play, rank)); n++) {
		const struct verdict *v = engine_verdict(play->engine, job->w);

		rank = v->rank;
		todo[n] = job;
		kind[n] = v->kind;
		if (job->blocked && v->kind == VERDICT_START)
			kind[n] = VERDICT_NONE;	/* has no nodes */
	}
	for (size_t i = 0; i < n; i++) {
		struct nomination nom;

		if (kind[i] == VERDICT_PREEMPT)
			job_own(play, todo[i]);
		if (kind[i] != VERDICT_START)
			continue;
		assert_int_equal(engine_nominate(play->engine, todo[i]->w,
						 play->now, NULL, &nom), 0);
		assert_int_equal(nom.mode, MODE_FIT);
		job_start(play, todo[i], nom.charges, nom.ncharges,
			  play->now);
	}
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

static void test_promises(void **state)
{
	(void) state;
	run(promises_are_kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_nominations),
		cmocka_unit_test(test_promises),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
