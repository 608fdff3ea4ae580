/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairs.c - worlds in which the engine has the most to do: two queues, many jobs
 */
#include "worst/worlds.h"

/* ---- two queues: all that runs is in one, and half of it on lent quota ---- */

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

void array_build(struct site *s, size_t n)
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

void protected_build(struct site *s, size_t n)
{
	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
		.preempt_min_runtime = LONGER, .reclaim_min_runtime = LONGER,
	});
	pair_run(s, n);
	pair_wait(s, LENDER, 12);
}

void protected_units_build(struct site *s, size_t n)
{
	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
		.preempt_min_runtime = LONGER, .reclaim_min_runtime = LONGER,
		.units = true,
	});
	pair_run(s, n);
	pair_wait(s, LENDER, 12);
}

void exempt_build(struct site *s, size_t n)
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

#define ELASTIC_TASKS 100		/* in a group */

/* Elastic groups beside each other, each with as many tasks as it needs; the first
 * one has `spare` more. */
static void elastic_open(struct site *s, size_t n, size_t spare)
{
	struct ask ask = {
		.queue = BORROWER, .priority = SITE_PRIORITY,
		.first = 1, .others = 1,
	};

	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
		.preempt_min_runtime = LONGER, .reclaim_min_runtime = LONGER,
	});
	for (size_t i = 0; i < n; i++) {
		size_t group = i % (n / ELASTIC_TASKS);
		size_t min = ELASTIC_TASKS - (group ? 0 : spare);
		struct eviction_terms terms = {
			.group = group, .min_available = (int64_t) min,
		};
		struct workload *w;

		ask.age = (int64_t) (i + 1000) * SPEC_SEC;
		w = site_run(s, &ask, 0);
		if (w && engine_set_terms(s->engine, w, &terms) < 0)
			s->failed = true;
	}
	pair_wait(s, LENDER, 12);
}

void elastic_build(struct site *s, size_t n)
{
	elastic_open(s, n, 0);
}

void elastic_spare_build(struct site *s, size_t n)
{
	elastic_open(s, n, 3);
}

void turns_build(struct site *s, size_t n)
{
	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_OR_NEWER_EQUAL, .turn = HOUR,
	});
	pair_run(s, n);
	pair_wait(s, BORROWER, 12);
}

void owners_build(struct site *s, size_t n)
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

/* Beside n jobs a large one runs, the last to have begun: the first one that searches take,
 * after which the queue borrows half of the others only. */
void allowed_build(struct site *s, size_t n)
{
	pair_open(s, n, (struct tree_plan) {
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
	pair_run(s, n);
	site_run(s, &(struct ask) {
		.queue = BORROWER, .priority = SITE_PRIORITY,
		.first = (int64_t) n, .others = (int64_t) n,
	}, 0);
	pair_wait(s, LENDER, 0);
	s->event.first = (int64_t) n / 2;
}

/* ---- n of the same, that all move in one plan ---- */

void moves_build(struct site *s, size_t n)
{
	struct ask ask = {
		.queue = LENDER, .priority = SITE_PRIORITY,
		.first = 1, .others = 1,
	};

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
