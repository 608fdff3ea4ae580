/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test engine without memory - each allocation of each event fails once: the
 * event is refused and changes nothing, or it has happened; a plan that could
 * not be made is made later
 *
 * Two engines see the same events. One of them lacks memory; in the end both
 * must give the same answers for every job.
 */
#include "test/terms.h"
#include "world.h"

#include "failing.h"
#include "query.h"
#include "sim.h"

#define JOBS 14
#define EVENTS 38
#define NOW(event) (2000 + (event))

static const char text[] = "cohort top\ncohort c in top\n"
	"queue a in c within=lower reclaim=any max=3 yield=1 "
	"cpu@f=8 mem@f=8 cpu@g=4 mem@g=4\n"
	"queue b in c strict within=newer reclaim=lower max=3 yield=1 cpu@f=8 mem@f=8\n"
	"queue d in top max=3 yield=1 cpu@f=0 mem@f=0\n";

struct run {
	struct engine *e;
	struct workload *w[JOBS];
};

/* ---- events: 0, or -1 without memory ---- */

static int submit(struct run *r, int i, int queue, int64_t cpu)
{
	const struct request asks[] = { { 0, cpu }, { 1, 1 } };
	const bool ineligible[] = { false, i % 3 == 2 };
	const int64_t by_flavor[] = { cpu, cpu + 1, 1, 1 };
	struct podset_desc podset = {
		.name = "main", .count = 2, .min_count = i == 7, .group = -1,
		.requests = asks, .nrequests = 2,
		.ineligible = i % 2 ? ineligible : NULL,
		.by_flavor = i == 9 ? by_flavor : NULL,
	};
	struct workload_desc d = {
		.queue = queue, .local_queue = i % 4, .priority = i % 5,
		.queue_order_at = 100 + i,
		.tiebreak = (uint64_t) i, .tasks = i == 11 ? 3 : 1,
		.podsets = &podset, .npodsets = 1,
	};

	if (r->w[i])
		return engine_update(r->e, r->w[i], &d);
	r->w[i] = engine_submit(r->e, &d);
	return r->w[i] ? 0 : -1;
}

static int start(struct run *r, int i, int64_t cpu)
{
	const struct charge charges[] = { { 0, 0, cpu }, { 0, 1, 1 } };

	return engine_start(r->e, r->w[i], charges, 2, 200 + i);
}

static int own(struct run *r, int i, int64_t cpu)
{
	const struct charge charges[] = { { 0, 0, cpu }, { 0, 1, 1 } };

	return engine_own(r->e, r->w[i], charges, 2);
}

static int plan(struct run *r, int64_t now)
{
	return engine_plan(r->e, now) < 0 ? -1 : 0;
}

/* An answer without memory is "no", and cannot be told from a real "no": the
 * question is repeated until there was enough memory. */
static int look(struct run *r, int i)
{
	const struct charge charges[] = { { 0, 0, 2 }, { 0, 1, 1 } };
	const struct victim gone[] = { { .workload = r->w[0] } };
	struct candidates_query query = {
		.charges = charges, .ncharges = 2, .gone = gone, .ngone = 1,
	};
	struct candidates answer;
	struct victim victims[JOBS];
	struct nomination nom;

	engine_nominate(r->e, r->w[i], NOW(0), NULL, &nom);
	(void) engine_fits(r->e, r->w[i], charges, 2, gone, 1);
	(void) engine_candidates(r->e, r->w[i], NOW(0), &query, &answer);
	for (size_t k = 0; k < answer.n; k++)
		victims[k] = answer.list[k];
	if (answer.n)
		engine_allowed(r->e, r->w[i], NOW(0), charges, 2, victims, answer.n);
	query.ngone = 0;
	query.alone = true;
	(void) engine_candidates(r->e, r->w[i], NOW(0), &query, &answer);
	return failing_failed ? -1 : 0;
}

/* These do not report that they found no memory; to call them twice does no harm. */
static int others(struct run *r)
{
	engine_evicting(r->e, r->w[1], true);
	(void) terms_set_exempt(r->e, r->w[2], 5000);
	(void) terms_set_evictions(r->e, r->w[2], 1);
	(void) terms_set_cost(r->e, r->w[0], 3);
	engine_blocked(r->e, r->w[5], true);
	return failing_failed ? -1 : 0;
}

static int event(struct run *r, int i)
{
	switch (i) {
	case 0 ... JOBS - 1:
		return submit(r, i, i % 3, 1 + i % 4);
	case 14: return start(r, 0, 4);
	case 15: return start(r, 1, 5);
	case 16: return start(r, 2, 6);
	case 17: return start(r, 3, 4);
	case 18: return plan(r, NOW(i));
	case 19: return engine_bond(r->e, r->w[4], r->w[6], BOND_EITHER);
	case 20: return engine_bond(r->e, r->w[7], r->w[9], BOND_TOGETHER);
	case 21: return engine_bond(r->e, r->w[10], r->w[7], BOND_TOGETHER);
	case 22: return plan(r, NOW(i));
	case 23: return terms_join(r->e, r->w[0], r->w[3]);
	case 24: return terms_set_elastic(r->e, r->w[2], 7, 0);
	case 25: return others(r);
	case 26: return plan(r, NOW(i));
	case 27: return own(r, 12, 3);
	case 28: return look(r, 12);
	case 29: return look(r, 5);
	case 30: return submit(r, 8, 1, 7);
	case 31: return plan(r, NOW(i));
	case 32: return engine_requeue(r->e, r->w[1], 900);
	case 33: return start(r, 4, 2);
	case 34: return start(r, 0, 6);		/* resized */
	case 35: return own(r, 12, 4);
	case 36: engine_pause(r->e, r->w[0], 5); return 0;
	case 37: return plan(r, NOW(i));
	default: return -1;
	}
}

/* ---- the two ---- */

static void run_begin(struct run *r, const struct spec *spec)
{
	memset(r, 0, sizeof(*r));
	r->e = engine_create(spec);
	assert_non_null(r->e);
}

static void same(const struct run *a, const struct run *b, int after)
{
	for (size_t i = 0; i < JOBS; i++) {
		const struct verdict *x, *y;
		int64_t total;

		if (!a->w[i] || workload_running(a->w[i]))
			continue;
		x = engine_verdict(a->e, a->w[i]);
		y = engine_verdict(b->e, b->w[i]);
		if (x->kind != y->kind || x->reason != y->reason
		    || x->rank != y->rank || x->nvictims != y->nvictims
		    || x->starts != y->starts || engine_place(a->e, a->w[i], &total)
		       != engine_place(b->e, b->w[i], &total))
			fail_msg("after event %d, job %zu: %d:%d %lu, but %d:%d "
				 "%lu", after, i, x->kind, x->reason,
				 (unsigned long) x->rank, y->kind, y->reason,
				 (unsigned long) y->rank);
	}
}

/* Repeats event i until it has happened; each time one more allocation succeeds
 * before the one that fails. */
static void event_poor(struct run *poor, int i)
{
	size_t n = 0;
	int rc;

	do {
		failing_begin(++n);
		rc = event(poor, i);
		if (!failing_end())
			assert_int_equal(rc, 0);
	} while (rc < 0);
}

/* The same for the plan that both engines make then: at first only a part of it can be made. */
static void plan_poor(struct run *poor, int64_t now)
{
	bool failed;
	size_t n = 0;

	do {
		failing_begin(++n);
		engine_plan(poor->e, now);
		failed = failing_end();
	} while (failed && n < 300);
	engine_plan(poor->e, now);
}

static void events_poor(bool fair)
{
	struct world *world = world_create(text);
	struct run sure, poor;

	world->spec->fair_sharing = fair;
	run_begin(&sure, world->spec);
	run_begin(&poor, world->spec);
	for (int i = 0; i < EVENTS; i++) {
		if (event(&sure, i) < 0)
			fail_msg("event %d is refused: %s", i, strerror(errno));
		event_poor(&poor, i);
		engine_plan(sure.e, NOW(i));
		plan_poor(&poor, NOW(i));
		same(&sure, &poor, i);
	}
	engine_destroy(sure.e);
	engine_destroy(poor.e);
	world_destroy(world);
}

static void test_events(void **state)
{
	events_poor(false);
}

static void test_events_fair(void **state)
{
	events_poor(true);
}

static void test_create(void **state)
{
	struct world *world = world_create(text);
	struct engine *e;
	bool failed = true;

	for (size_t n = 1; failed; n++) {
		failing_begin(n);
		e = engine_create(world->spec);
		failed = failing_end();
		if (failed)
			assert_null(e);
		engine_destroy(e);
	}
	world_destroy(world);
}

/* ---- playing forward ---- */

static const char lent[] = "cohort o\nqueue a in o reclaim=any max=3 yield=1 cpu@f=12\n"
	"queue b in o max=3 yield=1 cpu@f=0\n";

struct evicted {
	const void *owner;
	size_t n;
};

static void note_evicted(void *arg, const struct sim_event *event)
{
	struct evicted *evicted = arg;

	if (event->kind != SIM_EVICT)
		return;
	evicted->owner = event->owner;
	evicted->n++;
}

static struct sim_job *one_submit(struct sim *sim, int queue, int64_t amount,
				  void *owner, bool runs)
{
	const struct request ask[] = { { 0, amount } };
	const struct charge held[] = { { 0, 0, amount } };
	struct podset_desc podset = { .name = "m", .count = 1, .group = -1,
				      .requests = ask, .nrequests = 1 };
	struct sim_desc d = {
		.work = { .queue = queue, .tasks = 1, .podsets = &podset,
			  .npodsets = 1, .owner = owner },
		.duration = 100, .cancels = true, .min_available = -1,
	};

	return runs ? sim_run(sim, &d, held, 1, 1, 100) : sim_submit(sim, 10, &d);
}

/* A large job and a small one borrow, and the nodes are full: the small one goes
 * for the owner's, or there was no memory. */
static void test_sim_lighter(void **state)
{
	struct world *world = world_create(lent);
	const double weights[] = { 1, 1, 1, 1 };
	struct evicted evicted;
	char large, small, own;
	struct sim_options options = { .event = note_evicted, .arg = &evicted,
				       .loss = weights, .loss_tie = weights };
	bool failed = true;

	for (size_t n = 1; failed; n++) {
		struct sim *sim;

		evicted = (struct evicted) { 0 };
		failing_begin(n);
		sim = sim_create(world->spec, 10, &options);
		if (sim)
			sim_room(sim, 0, 0, 8);
		if (sim && one_submit(sim, 1, 6, &large, true)
		    && one_submit(sim, 1, 2, &small, true) && one_submit(sim, 0, 1, &own, false))
			(void) sim_step(sim, 0);
		failed = failing_end();
		sim_destroy(sim);
		assert_true(!evicted.n || evicted.owner == &small);
	}
	assert_int_equal(evicted.n, 1);
	world_destroy(world);
}

static void count_event(void *arg, const struct sim_event *event)
{
	size_t *starts = arg;

	*starts += event->kind == SIM_START;
}

/* Two jobs run, six come. The fourth owns what the first two hold; the sixth is
 * bonded to the fifth. False: no memory */
static bool sim_fill(struct sim *sim)
{
	struct sim_job *job, *last = NULL;
	const struct request ask[] = { { 0, 3 }, { 1, 1 } };
	const struct charge held[] = { { 0, 0, 5 }, { 0, 1, 1 } };
	const struct workload_memory m = { .blocked = true, .owns = true, .owned = held, .nowned = 2 };
	struct podset_desc podset = { .name = "m", .count = 1, .group = -1,
				      .requests = ask, .nrequests = 2 };

	for (int i = 0; i < 8; i++) {
		struct sim_desc d = {
			.work = { .queue = i % 3, .priority = i, .tasks = 1,
				  .queue_order_at = i,
				  .local_queue = i, .tiebreak = (uint64_t) i,
				  .podsets = &podset, .npodsets = 1 },
			.duration = 100, .evict_time = 5, .min_available = -1,
			.array = i > 5,
		};

		job = i < 2 ? sim_run(sim, &d, held, 2, 1, 100) : sim_submit(sim, 10 + i, &d);
		if (!job)
			return false;
		if ((i == 3 && sim_remind(sim, job, &m, 30) < 0)
		    || (i == 5 && sim_bind(sim, job, last, BOND_TOGETHER) < 0))
			return false;
		last = job;
	}
	return !sim_occupy(sim, held, 2, 40);
}

static void test_sim(void **state)
{
	struct world *world = world_create(text);
	size_t starts = 0, all = 0;
	struct sim_options options = { .requeue_time = 10, .own_time = 50,
				       .event = count_event, .arg = &starts };
	bool failed = true;

	for (size_t n = 1; failed; n++) {
		struct sim *sim;

		starts = 0;
		failing_begin(n);
		sim = sim_create(world->spec, 10, &options);
		if (sim && sim_fill(sim)) {
			for (int i = 0; i < 200; i++)
				if (sim_step(sim, 1) <= 0)
					break;
		}
		failed = failing_end();
		sim_destroy(sim);
		all = starts;
	}
	assert_true(all >= 6);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_create), cmocka_unit_test(test_events),
      cmocka_unit_test(test_events_fair), cmocka_unit_test(test_sim),
      cmocka_unit_test(test_sim_lighter))
