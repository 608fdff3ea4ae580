/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worlds.c - the worlds in which the engine is measured: what runs there, and what waits
 */
#include <string.h>

#include "worlds/worlds.h"

#define HOUR (3600 * SPEC_SEC)
#define RUN_UP_TO (900000 * SPEC_SEC)
#define LONGER (1000000 * SPEC_SEC)	/* than anything has run */

/* Of each pair of queues */
#define BORROWER 0
#define LENDER 1

#define JOB 4				/* of each resource, what most jobs ask for */
#define NOMINAL (10 * JOB)
#define JOBS 20				/* in each queue that borrows */
#define SHAPES 3			/* different requests that wait in each queue */

#define USUAL .cohort_queues = 10, .flavors = 2, .reclaim = POLICY_ANY

/* A job asks for as much of each resource. */
static struct ask job(size_t queue, int64_t priority, int64_t amount)
{
	return (struct ask) {
		.queue = (int) queue, .priority = priority,
		.first = amount, .others = amount,
	};
}

/* ---- usual sites ---- */

static bool usual_lends(size_t queue, size_t queues)
{
	return queue % 10 == 9 || queue + 1 == queues;
}

/* One of four sizes and three priorities */
static struct ask usual_job(struct site *s, size_t queue)
{
	int64_t priority = SITE_PRIORITY - (int64_t) site_random(s, 3);

	return job(queue, priority, JOB * (1 + (int64_t) site_random(s, 4)));
}

/* One queue in ten runs nothing, the others use their quota and what that one lends. In
 * these `waiting` jobs wait, every tenth an array. */
static void usual_open(struct site *s, size_t queues, size_t waiting, struct tree_plan plan)
{
	const int64_t group = queues < 2 ? 2 : queues < 10 ? (int64_t) queues : 10;
	const int64_t most = 36 * JOB * group / (group - 1);

	plan.queues = queues;
	plan.nominal = 36 * JOB;
	site_open(s, &plan);
	for (size_t i = 0; i < 2 * queues; i++) {
		int64_t left = usual_lends(i / 2, queues) ? 0 : most;

		while (left > 0) {
			struct ask ask = usual_job(s, i / 2);

			if (ask.first > left)
				ask.first = ask.others = left;
			ask.priority = SITE_PRIORITY;
			site_run_many(s, &ask, 1, (int) (i % 2), RUN_UP_TO);
			left -= ask.first;
		}
	}
	for (size_t i = 0; i < waiting; i++) {
		size_t q = site_random(s, queues);
		struct ask ask = usual_job(s, usual_lends(q, queues) ? 0 : q);

		ask.age = SPEC_SEC * (1 + (int64_t) site_random(s, 100000));
		ask.tasks = i % 10 ? 0 : 2 + (int64_t) site_random(s, 99);
		site_wait(s, &ask);
	}
	s->event = job(BORROWER, SITE_PRIORITY, JOB);
}

static void usual_build(struct site *s, size_t n, struct tree_plan plan)
{
	usual_open(s, n, 50 * n, plan);
}

static void waiting_build(struct site *s, size_t n, struct tree_plan plan)
{
	usual_open(s, 200, n, plan);
}

/* ---- two queues: all that runs is in one, and half of it on lent quota ---- */

static void pair_open(struct site *s, size_t running, struct tree_plan plan)
{
	plan.queues = 2;
	plan.nominal = (int64_t) running / 2;
	plan.reclaim = POLICY_ANY;
	site_open(s, &plan);
}

/* Shapes that wait in the queue that lends, longer than all runs have taken, and the
 * event there */
static void pair_wait(struct site *s, size_t shapes)
{
	struct ask ask = job(LENDER, SITE_PRIORITY, 1);

	ask.age = LONGER;
	site_wait_many(s, &ask, shapes, 1);
	s->event = ask;
	s->event.priority += 4;
	s->event.others = 2;
}

static void array_build(struct site *s, size_t n, struct tree_plan plan)
{
	struct ask large = job(BORROWER, SITE_PRIORITY, 1);
	struct ask array = job(LENDER, SITE_PRIORITY, 1);

	pair_open(s, n, plan);
	large.first = (int64_t) n;
	site_wait_many(s, &large, 5, -1);
	array.tasks = (int64_t) n;
	site_wait(s, &array);
	pair_wait(s, 0);
}

static void pair_build(struct site *s, size_t n, struct tree_plan plan)
{
	struct ask ask = job(BORROWER, SITE_PRIORITY, 1);

	pair_open(s, n, plan);
	site_run_many(s, &ask, n, 0, RUN_UP_TO);
	pair_wait(s, 12);
}

/* Every exemption is over. */
static void exempt_build(struct site *s, size_t n, struct tree_plan plan)
{
	pair_open(s, n, plan);
	for (size_t i = 0; i < n; i++) {
		struct ask ask = job(BORROWER, SITE_PRIORITY, 1);
		struct eviction_terms terms = {
			.exempt_until = SITE_NOW - (int64_t) (i % 1000 + 1) * SPEC_SEC,
			.min_available = -1,
		};

		ask.age = (int64_t) (n - i + 1000) * SPEC_SEC;
		site_terms(s, site_run(s, &ask, 0), &terms);
	}
	pair_wait(s, 12);
}

/* Elastic arrays of a hundred tasks, each with as many as it needs; only the first one
 * has three more. */
static void elastic_build(struct site *s, size_t n, struct tree_plan plan)
{
	pair_open(s, n, plan);
	for (size_t i = 0; i < n; i++) {
		struct ask ask = job(BORROWER, SITE_PRIORITY, 1);
		size_t group = i % ((n + 99) / 100);
		struct eviction_terms terms = {
			.group = group, .min_available = group ? 100 : 97,
		};

		ask.age = (int64_t) (i + 1000) * SPEC_SEC;
		site_terms(s, site_run(s, &ask, 0), &terms);
	}
	pair_wait(s, 12);
}

/* n of the same evict one each, beside n that have quota of their own. */
static void moves_build(struct site *s, size_t n, struct tree_plan plan)
{
	struct ask ask = job(BORROWER, SITE_PRIORITY, 1);

	plan.queues = 3;
	plan.nominal = (int64_t) n;
	site_open(s, &plan);
	site_run_many(s, &ask, 2 * n, 0, RUN_UP_TO);
	pair_wait(s, 0);
	for (ask.queue = LENDER; ask.queue < 3; ask.queue++)
		site_wait_many(s, &ask, n, 0);
}

/* ---- many queues: every other one lends all that it has ---- */

/* `jobs` run in each queue that borrows, or in every queue. */
static void flat_fill(struct site *s, size_t jobs, size_t step, int64_t longest)
{
	for (size_t q = 0; q < s->spec->nqueues; q += step) {
		struct ask ask = job(q, SITE_PRIORITY, JOB);

		site_run_many(s, &ask, jobs, 0, longest);
	}
}

/* What waits in each queue asks for a little, in a mixed site for a job's worth, with
 * one of three priorities. The event asks for more than a queue has. */
static void flat_wait(struct site *s, size_t shapes, int64_t nominal)
{
	for (size_t q = 0; q < s->spec->nqueues; q++) {
		struct ask ask = job(q, SITE_PRIORITY - 1, 1);

		ask.age = LONGER;
		if (s->mixed) {
			ask.priority += 1 - (int64_t) q / 2 % 3;
			ask.first = ask.others = JOB;
		}
		site_wait_many(s, &ask, shapes, 1);
	}
	s->event = job(LENDER, SITE_PRIORITY + 4, 1);
	s->event.first = nominal + 100;
}

static void flat_open(struct site *s, size_t queues, struct tree_plan plan)
{
	plan.queues = queues;
	plan.nominal = NOMINAL;
	site_open(s, &plan);
}

static void flat_build(struct site *s, size_t n, struct tree_plan plan)
{
	flat_open(s, n, plan);
	flat_fill(s, JOBS, 2, RUN_UP_TO);
	flat_wait(s, SHAPES, NOMINAL);
}

/* Every queue uses twice what it has. */
static void over_build(struct site *s, size_t n, struct tree_plan plan)
{
	flat_open(s, n, plan);
	flat_fill(s, JOBS, 1, RUN_UP_TO);
	flat_wait(s, SHAPES, NOMINAL);
}

static void shapes_build(struct site *s, size_t n, struct tree_plan plan)
{
	const size_t jobs = 4000;

	plan.queues = 10;
	plan.nominal = (int64_t) jobs * JOB / 2;
	site_open(s, &plan);
	flat_fill(s, jobs, 2, HOUR - 100 * SPEC_SEC);
	flat_wait(s, n / 10, plan.nominal);
}

static void flavors_build(struct site *s, size_t n, struct tree_plan plan)
{
	plan.flavors = n;
	flat_open(s, 10, plan);
	for (size_t i = 0; i < 5 * n; i++) {
		struct ask ask = job(i % 5 * 2, SITE_PRIORITY, JOB);

		site_run_many(s, &ask, JOBS, (int) (i / 5), HOUR - 100 * SPEC_SEC);
	}
	for (size_t q = LENDER; q < 10; q += 2) {
		struct ask ask = job(q, SITE_PRIORITY, JOB);

		site_wait_many(s, &ask, SHAPES, 1);
	}
	s->event = job(LENDER, SITE_PRIORITY + 4, JOB + 1);
}

/* Beside the others an array waits in a queue that lends nothing. */
static void strict_build(struct site *s, size_t n, struct tree_plan plan)
{
	const int64_t tasks = 5000;
	struct ask array = job(n, SITE_PRIORITY, 1);

	plan.queues = n + 1;
	plan.nominal = tasks;
	site_open(s, &plan);
	for (size_t q = 0; q < n; q += 2) {
		struct ask ask = job(q, SITE_PRIORITY, tasks / 10);

		site_run_many(s, &ask, JOBS, 0, RUN_UP_TO);
	}
	flat_wait(s, SHAPES, tasks);
	array.tasks = tasks;
	site_wait(s, &array);
}

/* ---- jobs that wait in several queues ---- */

/* n jobs with `members` each, in queues that have lent all of their quota */
static void bonds_build(struct site *s, size_t n, struct tree_plan plan,
			enum bond_kind kind, size_t members)
{
	struct workload *first = NULL;

	flat_open(s, 20, plan);
	flat_fill(s, JOBS, 2, RUN_UP_TO);
	for (size_t i = 0; i < n * members; i++) {
		struct ask ask = job((6 * i + LENDER) % 20, SITE_PRIORITY,
				     JOB + (int64_t) (i / members % 5));
		struct workload *w;

		ask.age = LONGER - (int64_t) i;
		w = site_wait(s, &ask);
		if (i % members == 0)
			first = w;
		else if (!s->failed)
			s->failed = engine_bond(s->engine, w, first, kind) < 0;
	}
	s->event = job(LENDER, SITE_PRIORITY + 4, 1);
}

static void together_build(struct site *s, size_t n, struct tree_plan plan)
{
	bonds_build(s, n, plan, BOND_TOGETHER, 2);
}

static void either_build(struct site *s, size_t n, struct tree_plan plan)
{
	bonds_build(s, n, plan, BOND_EITHER, 5);
}

/* ---- the table ---- */

const struct world worlds[] = {
	{ "usual", "queues", "a usual site of n queues, 50 jobs wait for each",
	  usual_build, { USUAL }, sample_events, 20, { 2, 20, 200 } },
	{ "waiting", "jobs", "a usual site of 200 queues, n jobs wait",
	  waiting_build, { USUAL }, sample_events, 100, { 1000, 10000, 100000 } },

	{ "array", "tasks", "one array of n tasks, all of which may start",
	  array_build, { 0 }, sample_submit, 500, { 2500, 10000, 40000 } },
	{ "protected", "running", "two queues: n jobs run, protected by a min-runtime",
	  pair_build, { .min_runtime = LONGER }, sample_submit,
	  500, { 3125, 12500, 50000 } },
	{ "exempt", "running", "two queues: n jobs run, whose exemptions are over",
	  exempt_build, { 0 }, sample_submit, 500, { 3125, 12500, 50000 } },
	{ "elastic", "running", "two queues: n tasks of elastic arrays run, three more than needed",
	  elastic_build, { .min_runtime = LONGER }, sample_submit,
	  500, { 2500, 10000, 40000 } },
	{ "moves", "jobs", "n jobs evict one each, beside n that have quota of their own",
	  moves_build, { .reclaim = POLICY_ANY, .lends_nothing = true }, sample_submit,
	  50, { 500, 1000, 2000 } },

	{ "flat", "queues", "n queues in one cohort that is full; nobody may evict",
	  flat_build, { .reclaim = POLICY_LOWER_PRIORITY }, sample_submit,
	  32, { 125, 250, 500 } },
	{ "reclaim", "queues", "n queues in one cohort; every other one reclaims",
	  flat_build, { .reclaim = POLICY_ANY }, sample_submit, 32, { 125, 250, 500 } },
	{ "mixed", "queues", "reclaim from lower of three priorities; half of the jobs are exempt",
	  flat_build, { .reclaim = POLICY_LOWER_PRIORITY, .mixed = true }, sample_submit,
	  32, { 40, 80, 160 } },
	{ "borrow", "queues", "reclaim; who evicts lower priorities may borrow",
	  flat_build, { .reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY },
	  sample_submit, 32, { 40, 80, 160 } },
	{ "over", "queues", "borrow; each queue uses twice what it has, with three priorities",
	  over_build, { .reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY,
			.mixed = true },
	  sample_submit, 32, { 40, 80, 160 } },
	{ "units", "queues", "reclaim; all jobs that run are evicted two by two",
	  flat_build, { .reclaim = POLICY_ANY, .units = true }, sample_submit,
	  32, { 125, 250, 500 } },
	{ "fair", "queues", "reclaim with fair sharing",
	  flat_build, { .reclaim = POLICY_ANY, .fair = true }, sample_submit,
	  16, { 50, 100, 200 } },
	{ "fair-tree", "queues", "fair in cohorts of eight queues below a root",
	  flat_build, { .reclaim = POLICY_ANY, .fair = true, .cohort_queues = 8 },
	  sample_submit, 32, { 50, 100, 200 } },
	{ "fair-mixed", "queues", "mixed with fair sharing",
	  flat_build, { .reclaim = POLICY_ANY, .fair = true, .mixed = true },
	  sample_submit, 32, { 40, 80, 160 } },
	{ "deep", "queues", "reclaim in 32 cohorts below each other",
	  flat_build, { .reclaim = POLICY_ANY, .depth = 32 }, sample_submit,
	  64, { 125, 250, 500 } },
	{ "shapes", "shapes", "10 queues: 20,000 jobs run, protected; n shapes wait",
	  shapes_build, { .reclaim = POLICY_ANY, .min_runtime = HOUR }, sample_submit,
	  10, { 20, 50, 100 } },
	{ "flavors", "flavors", "10 queues with n flavors of 16 resources, full of protected jobs",
	  flavors_build, { .reclaim = POLICY_ANY, .resources = 16, .min_runtime = HOUR },
	  sample_submit, 2, { 4, 8, 16 } },
	{ "strict", "queues", "n strict queues whose first jobs wait, beside an array of 5,000",
	  strict_build,
	  { .reclaim = POLICY_LOWER_PRIORITY, .strict = true, .lends_nothing = true },
	  sample_submit, 2, { 10, 20, 40 } },
	{ "together", "jobs", "10 queues lend all they have; n jobs wait in two of them at a time",
	  together_build, { .reclaim = POLICY_ANY }, sample_submit,
	  32, { 100, 400, 1600 } },
	{ "either", "jobs", "10 queues lend all they have; n jobs wait in one of five of them",
	  either_build, { .reclaim = POLICY_ANY }, sample_submit, 32, { 250, 1000, 4000 } },

	{ "reclaimable", "queues", "deep: what each of n queues could have back",
	  flat_build, { .reclaim = POLICY_ANY, .depth = 32 }, sample_reclaimable,
	  64, { 125, 500, 2000 } },
};

const size_t nworlds = sizeof(worlds) / sizeof(worlds[0]);

const struct world *world_find(const char *name)
{
	for (size_t i = 0; i < nworlds; i++) {
		if (!strcmp(worlds[i].name, name))
			return &worlds[i];
	}
	return NULL;
}
