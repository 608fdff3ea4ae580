/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play.c - random worlds, and random events in them
 */
#include "test/terms.h"
#include "workload/workload.h"
#include "play.h"
#include "random/draw.h"

static uint64_t draw(struct play *play, uint64_t n)
{
	return random_below(&play->state, n);
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
						 draw(play, 2), draw(play, 2), draw(play, 6)));
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

	q->strategy = draw(play, 3) ? STRATEGY_BEST_EFFORT_FIFO : STRATEGY_STRICT_FIFO;
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
		limits_draw(play, spec_add_quota(&q->quotas, &q->nquotas, p / 2, p % 2,
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

void job_start(struct play *play, struct job *job,
	       const struct charge *charges, size_t n, int64_t since)
{
	job->running = true;
	job->evicting = job->blocked = false;
	job->since = since;
	job->ncharges = n;
	job->nclaim = 0;
	memcpy(job->charges, charges, n * sizeof(*charges));
	assert_int_equal(engine_start(play->engine, job->w, charges, n, job->since), 0);
}

static void job_try(struct play *play, struct job *job)
{
	struct nomination nom;

	assert_int_equal(engine_nominate(play->engine, job->w, play->now, NULL, &nom), 0);
	if (nom.mode == MODE_FIT)
		job_start(play, job, nom.charges, nom.ncharges, play->now - draw(play, 100));
}

void job_own(struct play *play, struct job *job)
{
	struct nomination nom;

	assert_int_equal(engine_nominate(play->engine, job->w, play->now, NULL, &nom), 0);
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
	assert_int_equal(engine_own(play->engine, job->w, job->claim, job->nclaim), 0);
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
		assert_int_equal(engine_requeue(play->engine, job->w, job->desc.queue_order_at), 0);
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
		assert_int_equal(engine_update(play->engine, job->w, &job->desc), 0);
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

void play_event(struct play *play)
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

void play_bond_event(struct play *play, uint64_t *random, const struct bond_odds *odds)
{
	struct job *a = &play->jobs[random_below(random, JOBS)];
	struct job *b = &play->jobs[random_below(random, JOBS)];

	if (!a->there || !b->there || a == b || a->running != b->running)
		return;
	if (a->running)
		(void) terms_join(play->engine, a->w, b->w);
	else if (a->w->bond && !random_below(random, odds->undone))
		engine_unbond(play->engine, a->w);
	else
		(void) engine_bond(play->engine, a->w, b->w,
				   b->w->bond ? b->w->bond->kind
				   : random_below(random, odds->rare)
				   ? odds->usual_kind : odds->rare_kind);
}

void play_begin(struct play *play, uint64_t seed)
{
	*play = (struct play) { .state = seed, .now = 1000 };
	spec_draw(play);
	play->engine = engine_create(play->spec);
	assert_non_null(play->engine);
}

void play_end(struct play *play)
{
	engine_destroy(play->engine);
	spec_destroy(play->spec);
}
