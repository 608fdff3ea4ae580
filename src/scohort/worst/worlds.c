/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worlds.c - worlds in which the engine has the most to do
 */
#include <string.h>

#include "worst/worst.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define HOUR (3600 * SPEC_SEC)
#define RUN_UP_TO (900000 * SPEC_SEC)
#define LONGER (1000000 * SPEC_SEC)	/* than anything has run */

/* ---- two queues: all that runs is in one, and half of it on lent quota ---- */

#define BORROWER 0
#define LENDER 1

static void pair_open(struct site *s, size_t running, struct tree_plan plan)
{
	plan.queues = 2;
	plan.nominal = (int64_t) running / 2;
	site_open(s, &plan);
}

static void pair_run(struct site *s, size_t running)
{
	site_run_many(s, &(struct ask) {
		.queue = BORROWER, .priority = SITE_PRIORITY,
		.first = 1, .others = 1,
	}, running, 0, RUN_UP_TO);
}

/* Shapes that wait in a queue, and the event there. They are older than all that
 * runs. */
static void pair_wait(struct site *s, int queue, size_t shapes)
{
	struct ask ask = {
		.queue = queue, .priority = SITE_PRIORITY,
		.first = 1, .others = 1, .age = LONGER,
	};

	site_wait_many(s, &ask, shapes, 1);
	s->event = ask;
	s->event.priority = SITE_PRIORITY + 4;
	s->event.others = 2;
}

static void array_build(struct site *s, size_t n)
{
	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
	site_wait_many(s, &(struct ask) {
		.queue = BORROWER, .priority = SITE_PRIORITY,
		.first = (int64_t) n, .others = 1,
	}, 5, -1);
	site_wait(s, &(struct ask) {
		.queue = LENDER, .priority = SITE_PRIORITY,
		.first = 1, .others = 1, .tasks = (int64_t) n,
	});
	pair_wait(s, LENDER, 0);
}

static void protected_build(struct site *s, size_t n)
{
	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
		.preempt_min_runtime = LONGER, .reclaim_min_runtime = LONGER,
	});
	pair_run(s, n);
	pair_wait(s, LENDER, 12);
}

static void exempt_build(struct site *s, size_t n)
{
	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
	for (size_t i = 0; i < n; i++) {
		struct ask ask = {
			.queue = BORROWER, .priority = SITE_PRIORITY,
			.first = 1, .others = 1,
			.age = (int64_t) (n - i + 1000) * SPEC_SEC,
		};
		struct workload *w = site_run(s, &ask, 0);
		struct eviction_terms terms = {
			.exempt_until = SITE_NOW - (int64_t) (i % 1000 + 1) * SPEC_SEC,
			.min_available = -1,
		};

		if (w && engine_set_terms(s->engine, w, &terms) < 0)
			s->failed = true;
	}
	pair_wait(s, LENDER, 12);
}

static void turns_build(struct site *s, size_t n)
{
	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_OR_NEWER_EQUAL, .turn = HOUR,
	});
	pair_run(s, n);
	pair_wait(s, BORROWER, 12);
}

static void owners_build(struct site *s, size_t n)
{
	struct ask ask = {
		.queue = BORROWER, .priority = SITE_PRIORITY,
		.first = 1, .others = 1, .age = HOUR,
	};

	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
	pair_run(s, n);
	for (size_t i = 0; i < 50; i++) {
		struct workload *victim, *owner;

		ask.queue = BORROWER;
		victim = site_run(s, &ask, 0);
		ask.queue = LENDER;
		owner = site_wait(s, &ask);
		site_own(s, owner, victim, 1);
	}
	pair_wait(s, LENDER, 0);
}

/* ---- many queues in one cohort: every other one lends all that it has ---- */

#define FLAT_JOBS 20			/* in each that borrows */
#define FLAT_JOB 4			/* of each resource */
#define FLAT_NOMINAL (FLAT_JOBS * FLAT_JOB / 2)
#define FLAT_SHAPES 3

static struct ask flat_job(size_t queue, int64_t priority, int64_t amount)
{
	return (struct ask) {
		.queue = (int) queue, .priority = priority,
		.first = amount, .others = amount,
	};
}

/* What waits in each queue asks for a little; the event, for more than a queue
 * has of its own. */
static void flat_wait(struct site *s, size_t queues, size_t shapes,
		      int64_t priority, int64_t nominal)
{
	for (size_t q = 0; q < queues; q++) {
		struct ask ask = flat_job(q, priority, 1);

		ask.age = LONGER;
		site_wait_many(s, &ask, shapes, 1);
	}
	s->event = flat_job(LENDER, SITE_PRIORITY + 4, 1);
	s->event.first = nominal + 100;
}

static void flat_fill(struct site *s, size_t queues, size_t jobs,
		      int64_t longest)
{
	for (size_t q = 0; q < queues; q += 2) {
		struct ask ask = flat_job(q, SITE_PRIORITY, FLAT_JOB);

		site_run_many(s, &ask, jobs, 0, longest);
	}
}

static void flat_open(struct site *s, size_t queues, struct tree_plan plan)
{
	plan.queues = queues;
	plan.nominal = FLAT_NOMINAL;
	plan.within = POLICY_LOWER_PRIORITY;
	site_open(s, &plan);
	flat_fill(s, queues, FLAT_JOBS, RUN_UP_TO);
	flat_wait(s, queues, FLAT_SHAPES, SITE_PRIORITY - 1, FLAT_NOMINAL);
}

static void flat_full_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) { .reclaim = POLICY_LOWER_PRIORITY });
}

static void flat_reclaim_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) { .reclaim = POLICY_ANY });
}

static void flat_fair_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true,
	});
}

static void fair_history_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .history = true,
	});
}

/* The quickest of some events with usage history, and of as many without, each
 * pair one after the other: so both have the machine as it is. */
double sample_history(struct site *s)
{
	double on = 0, off = 0;
	struct site plain;

	if (s->failed)
		return -1;
	flat_fair_build(&plain, s->spec->nqueues);
	for (int i = 0; i < 5; i++) {
		double with = sample_event(s), without = sample_event(&plain);

		on = i && on < with ? on : with;
		off = i && off < without ? off : without;
	}
	s->failed |= plain.failed;
	site_close(&plain);
	return s->failed || off <= 0 ? -1 : on / off;
}

static void deep_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .depth = 32,
	});
}

static void depth_build(struct site *s, size_t n)
{
	flat_open(s, 200, (struct tree_plan) {
		.reclaim = POLICY_ANY, .depth = n,
	});
}

/* `jobs` in each queue that borrows, all protected */
static void protected_open(struct site *s, size_t queues, size_t jobs,
			   size_t shapes)
{
	int64_t nominal = (int64_t) jobs * FLAT_JOB / 2;

	site_open(s, &(struct tree_plan) {
		.queues = queues, .nominal = nominal,
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
		.preempt_min_runtime = HOUR, .reclaim_min_runtime = HOUR,
	});
	flat_fill(s, queues, jobs, HOUR - 100 * SPEC_SEC);
	flat_wait(s, queues, shapes, SITE_PRIORITY - 1, nominal);
}

static void flat_protected_build(struct site *s, size_t n)
{
	protected_open(s, 500, n / 250, FLAT_SHAPES);
}

static void shapes_build(struct site *s, size_t n)
{
	protected_open(s, 10, 4000, n / 10);
}

static void strict_build(struct site *s, size_t n)
{
	int64_t tasks = 5000;

	site_open(s, &(struct tree_plan) {
		.queues = n + 1, .nominal = tasks, .strict = true,
		.lends_nothing = true,
		.within = POLICY_LOWER_PRIORITY,
		.reclaim = POLICY_LOWER_PRIORITY,
	});
	for (size_t q = 0; q < n; q += 2) {
		struct ask ask = flat_job(q, SITE_PRIORITY,
					  tasks / (FLAT_JOBS / 2));

		site_run_many(s, &ask, FLAT_JOBS, 0, RUN_UP_TO);
	}
	flat_wait(s, n, FLAT_SHAPES, SITE_PRIORITY - 1, tasks);
	site_wait(s, &(struct ask) {
		.queue = (int) n, .priority = SITE_PRIORITY,
		.first = 1, .others = 1, .tasks = tasks,
	});
}

/* ---- n of the same, that all move in one plan ---- */

static void moves_build(struct site *s, size_t n)
{
	struct ask ask = flat_job(LENDER, SITE_PRIORITY, 1);

	site_open(s, &(struct tree_plan) {
		.queues = 3, .nominal = (int64_t) n, .lends_nothing = true,
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
	pair_run(s, 2 * n);
	pair_wait(s, LENDER, 0);
	site_wait_many(s, &ask, n, 0);
	ask.queue = 2;
	site_wait_many(s, &ask, n, 0);
}

/* ---- many pairs of flavor and resource ---- */

#define FLAVORS_RESOURCES 16

static void flavors_build(struct site *s, size_t n)
{
	site_open(s, &(struct tree_plan) {
		.queues = 10, .flavors = n, .resources = FLAVORS_RESOURCES,
		.nominal = FLAT_NOMINAL,
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
		.reclaim_min_runtime = HOUR,
	});
	for (size_t q = 0; q < 10; q += 2) {
		struct ask ask = flat_job(q, SITE_PRIORITY, FLAT_JOB);

		for (size_t f = 0; f < n; f++)
			site_run_many(s, &ask, FLAT_JOBS, (int) f,
				      HOUR - 100 * SPEC_SEC);
	}
	for (size_t q = 1; q < 10; q += 2) {
		struct ask ask = flat_job(q, SITE_PRIORITY, FLAT_JOB);

		site_wait_many(s, &ask, FLAT_SHAPES, 1);
	}
	s->event = flat_job(LENDER, SITE_PRIORITY + 4, FLAT_JOB + 1);
}

static void memory_build(struct site *s, size_t n)
{
	site_open(s, &(struct tree_plan) {
		.queues = n, .flavors = 64, .resources = FLAVORS_RESOURCES,
		.nominal = FLAT_NOMINAL,
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
}

/* ---- the table ---- */

const struct worst worsts[] = {
	{ "array", "tasks",
	  "one array of n tasks, all of which may start",
	  .build = array_build, .sample = sample_event, .unit = "ms",
	  .small = 500, .sizes = { 2500, 10000, 40000 },
	  .large = { 10000, 20000, 50000 }, .goal = 20 },
	{ "protected", "running",
	  "two queues: n jobs run, protected by a min-runtime; 12 shapes wait",
	  .build = protected_build, .sample = sample_event, .unit = "ms",
	  .small = 500, .sizes = { 3125, 12500, 50000 },
	  .large = { 12500, 50000, 200000 }, .goal = 10 },
	{ "exempt", "running",
	  "two queues: n jobs run, whose exemptions are over; 12 shapes reclaim",
	  .build = exempt_build, .sample = sample_event, .unit = "ms",
	  .small = 500, .sizes = { 3125, 12500, 50000 },
	  .large = { 12500, 50000, 200000 }, .goal = 10 },
	{ "turns", "running",
	  "one queue: n jobs run by turns (minAdmitDuration); 12 shapes wait",
	  .build = turns_build, .sample = sample_event, .unit = "ms",
	  .small = 500, .sizes = { 3125, 12500, 50000 },
	  .large = { 12500, 50000, 200000 }, .goal = 10 },
	{ "owners", "running",
	  "two queues: n jobs run; 50 that wait own freed quota",
	  .build = owners_build, .sample = sample_event, .unit = "ms",
	  .small = 500, .sizes = { 3125, 12500, 50000 },
	  .large = { 12500, 50000, 200000 }, .goal = 10 },
	{ "flat", "queues",
	  "n queues in one cohort that is full; nobody may evict",
	  .build = flat_full_build, .sample = sample_event, .unit = "ms",
	  .small = 32, .sizes = { 125, 500, 1000 },
	  .large = { 500, 1000, 2000 }, .goal = 40 },
	{ "flat-reclaim", "queues",
	  "n queues in one cohort; every other one reclaims",
	  .build = flat_reclaim_build, .sample = sample_event, .unit = "ms",
	  .small = 32, .sizes = { 125, 250, 500 },
	  .large = { 500, 1000, 2000 }, .goal = 120 },
	{ "flat-fair", "queues",
	  "the same with fair sharing",
	  .build = flat_fair_build, .sample = sample_event, .unit = "ms",
	  .small = 16, .sizes = { 50, 100, 200 },
	  .large = { 250, 500, 1000 }, .goal = 200 },
	{ "fair-history", "queues",
	  "flat-fair with usage history: how many times as long an event takes",
	  .build = fair_history_build, .sample = sample_history,
	  .unit = WORST_TIMES,
	  .small = 16, .sizes = { 50, 100, 200 },
	  .large = { 100, 200, 400 }, .goal = 1.05 },
	{ "flat-protected", "running",
	  "500 queues in one cohort: n jobs run, protected by a min-runtime",
	  .build = flat_protected_build, .sample = sample_event, .unit = "ms",
	  .small = 250, .sizes = { 1250, 2500, 5000 },
	  .large = { 5000, 20000, 80000 }, .goal = 100 },
	{ "deep", "queues",
	  "n queues in 32 cohorts below each other; every other one reclaims",
	  .build = deep_build, .sample = sample_event, .unit = "ms",
	  .small = 64, .sizes = { 125, 250, 500 },
	  .large = { 500, 1000, 2000 }, .goal = 120 },
	{ "depth", "cohorts",
	  "200 queues in n cohorts below each other; every other one reclaims",
	  .build = depth_build, .sample = sample_event, .unit = "ms",
	  .small = 4, .sizes = { 2, 8, 32 },
	  .large = { 8, 16, 32 }, .goal = 20 },
	{ "shapes", "shapes",
	  "10 queues: 20,000 jobs run, protected; n shapes wait",
	  .build = shapes_build, .sample = sample_event, .unit = "ms",
	  .small = 10, .sizes = { 20, 50, 100 },
	  .large = { 50, 200, 800 }, .goal = 50 },
	{ "flavors", "flavors",
	  "10 queues with n flavors of 16 resources, full of protected jobs",
	  .build = flavors_build, .sample = sample_event, .unit = "ms",
	  .small = 2, .sizes = { 4, 8, 16 },
	  .large = { 16, 32, 64 }, .goal = 50 },
	{ "moves", "jobs",
	  "n jobs evict one each, beside n that have quota of their own",
	  .build = moves_build, .sample = sample_event, .unit = "ms",
	  .small = 50, .sizes = { 500, 1000, 2000 },
	  .large = { 1000, 2000, 4000 }, .goal = 60 },
	{ "strict", "queues",
	  "n strict queues with heads that cannot go, beside an array of 5,000",
	  .build = strict_build, .sample = sample_event, .unit = "ms",
	  .small = 2, .sizes = { 10, 20, 40 },
	  .large = { 50, 100, 200 }, .goal = 20 },
	{ "reclaimable", "queues",
	  "what each of n queues in one cohort could have back",
	  .build = flat_reclaim_build, .sample = sample_reclaimable, .unit = "ms",
	  .small = 32, .sizes = { 125, 500, 2000 },
	  .large = { 500, 1000, 2000 }, .goal = 50 },
	{ "reclaimable-deep", "queues",
	  "the same in 32 cohorts below each other",
	  .build = deep_build, .sample = sample_reclaimable, .unit = "ms",
	  .small = 64, .sizes = { 125, 500, 2000 },
	  .large = { 500, 1000, 2000 }, .goal = 50 },
	{ "memory", "queues",
	  "the engine with n queues, 64 flavors and 16 resources, before any job",
	  .build = memory_build, .sample = sample_memory, .unit = "MB",
	  .small = 10, .sizes = { 125, 250, 500 },
	  .large = { 500, 1000, 2000 }, .goal = 40 },
	{ "account", "queues",
	  "the account over time in that world, beside the engine",
	  .build = memory_build, .sample = sample_account, .unit = "MB",
	  .small = 100, .sizes = { 125, 250, 500 },
	  .large = { 500, 1000, 2000 }, .goal = 36 },
};

const size_t nworsts = COUNT(worsts);
