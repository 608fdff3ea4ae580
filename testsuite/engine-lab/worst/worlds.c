/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worlds.c - worlds in which the engine has the most to do: many queues
 */
#include "worst/worlds.h"
#include "worst/worst.h"

/* ---- many queues in one cohort: every other one lends all that it has ---- */

#define FLAT_JOBS 20			/* in each that borrows */
#define FLAT_SHAPES 3

struct ask flat_job(size_t queue, int64_t priority, int64_t amount)
{
	return (struct ask) {
		.queue = (int) queue, .priority = priority,
		.first = amount, .others = amount,
	};
}

/* What waits in each queue asks for a little, in a mixed site for a job's worth, with one
 * of three priorities; the event, for more than a queue has of its own. */
static void flat_wait(struct site *s, size_t queues, size_t shapes,
		      int64_t priority, int64_t nominal)
{
	for (size_t q = 0; q < queues; q++) {
		struct ask ask = flat_job(q, priority, 1);

		ask.age = LONGER;
		if (s->mixed) {
			ask.priority += 1 - (int64_t) q / 2 % 3;
			ask.first = ask.others = FLAT_JOB;
		}
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

void flat_open(struct site *s, size_t queues, struct tree_plan plan)
{
	int64_t lent = plan.lends_most ? plan.lends_most : FLAT_NOMINAL;

	plan.queues = queues;
	plan.nominal = FLAT_NOMINAL;
	plan.within = POLICY_LOWER_PRIORITY;
	site_open(s, &plan);
	flat_fill(s, queues,
		  (size_t) ((FLAT_NOMINAL + lent) / FLAT_JOB + plan.jobs_over),
		  RUN_UP_TO);
	flat_wait(s, queues, FLAT_SHAPES, SITE_PRIORITY - 1, FLAT_NOMINAL);
}

void flat_full_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) { .reclaim = POLICY_LOWER_PRIORITY });
}

void flat_reclaim_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) { .reclaim = POLICY_ANY });
}

void flat_flavors_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .flavors = 3,
	});
}

void flat_exempt_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .exempt_for = SPEC_SEC,
	});
}

void fair_exempt_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .exempt_for = SPEC_SEC,
	});
}

void flat_mixed_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .exempt_for = SPEC_SEC, .mixed = true,
	});
}

void lower_mixed_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_LOWER_PRIORITY, .exempt_for = SPEC_SEC,
		.mixed = true,
	});
}

void units_mixed_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .exempt_for = SPEC_SEC, .mixed = true,
		.units = true,
	});
}

void fair_mixed_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .exempt_for = SPEC_SEC,
		.mixed = true,
	});
}

void flat_unit_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .has_unit = true,
	});
}

void flat_units_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .units = true,
	});
}

void units_protected_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .units = true,
		.preempt_min_runtime = HOUR, .reclaim_min_runtime = HOUR,
	});
}

void units_turns_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .units = true, .turn = HOUR,
	});
}

void fair_unit_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .has_unit = true,
	});
}

void flat_fair_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true,
	});
}

void fair_usage_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .by_usage = true,
	});
}

void fair_tree_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .cohorts = n / 8,
	});
}

void fair_deep_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .depth = 8,
	});
}

void reclaim_protected_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY,
		.preempt_min_runtime = HOUR, .reclaim_min_runtime = HOUR,
	});
}

void fair_protected_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true,
		.preempt_min_runtime = HOUR, .reclaim_min_runtime = HOUR,
	});
}

void fair_history_build(struct site *s, size_t n)
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

void deep_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .depth = 32,
	});
}

void depth_build(struct site *s, size_t n)
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

void flat_protected_build(struct site *s, size_t n)
{
	protected_open(s, 500, n / 250, FLAT_SHAPES);
}

void shapes_build(struct site *s, size_t n)
{
	protected_open(s, 10, 4000, n / 10);
}

/* Each queue runs what it has, and each of its shapes asks for more than is free. */
void refused_build(struct site *s, size_t n)
{
	const size_t queues = 10, jobs = 100;

	site_open(s, &(struct tree_plan) {
		.queues = queues, .nominal = (int64_t) jobs * FLAT_JOB,
		.reclaim = POLICY_ANY,
	});
	for (size_t q = 0; q < queues; q++) {
		struct ask ask = flat_job(q, SITE_PRIORITY, FLAT_JOB);

		site_run_many(s, &ask, jobs, 0, HOUR);
	}
	flat_wait(s, queues, n / queues, SITE_PRIORITY, 0);
}

void strict_build(struct site *s, size_t n)
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

/* The first jobs of `n` strict queues, which use all that they have, ask for more than is
 * free. Beside them an array takes what is free, half of it from a queue that lends. */
void strict_borrow_build(struct site *s, size_t n)
{
	int64_t tasks = 5000, most = tasks + 100;

	site_open(s, &(struct tree_plan) {
		.queues = n + 2, .nominal = tasks / 2, .strict = true,
		.within = POLICY_LOWER_PRIORITY,
		.reclaim = POLICY_LOWER_PRIORITY,
	});
	for (size_t q = 0; q < n; q++) {
		struct ask ask = flat_job(q, SITE_PRIORITY, tasks / 2);

		site_run_many(s, &ask, 1, 0, RUN_UP_TO);
		ask = flat_job(q, SITE_PRIORITY - 1, most);
		ask.age = LONGER;
		site_wait_many(s, &ask, FLAT_SHAPES, 1);
	}
	s->event = flat_job(LENDER, SITE_PRIORITY + 4, most);
	site_wait(s, &(struct ask) {
		.queue = (int) n, .priority = SITE_PRIORITY,
		.first = 1, .others = 1, .tasks = tasks,
	});
}

/* Jobs of each queue have quota and find no nodes. */
void blocked_build(struct site *s, size_t n)
{
	site_open(s, &(struct tree_plan) {
		.queues = n, .nominal = FLAT_NOMINAL,
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
	flat_fill(s, n, FLAT_JOBS / 2, RUN_UP_TO);
	for (size_t i = 0; i < n * FLAT_SHAPES; i++) {
		struct ask ask = flat_job(i % n, SITE_PRIORITY,
					  FLAT_JOB + (int64_t) (i / n));
		struct workload *w = site_wait(s, &ask);

		if (w)
			engine_blocked(s->engine, w, true);
	}
	s->event = flat_job(LENDER, SITE_PRIORITY + 4, 1);
}

/* ---- jobs that wait in several queues ---- */

void bonds_wait(struct site *s, size_t n, const struct bonds *bonds)
{
	for (size_t i = 0; i < n * bonds->members && !s->failed; i++) {
		size_t queue = (bonds->step * i + LENDER) % s->spec->nqueues;
		struct ask ask = flat_job(queue, bonds->priority,
					  FLAT_JOB + (int64_t) (i / bonds->members % 5));
		struct workload *w;

		ask.age = LONGER - (int64_t) i;
		w = site_wait(s, &ask);
		if (i % bonds->members)
			site_bond(s, w, bonds->kind);
		s->bonded = w;
	}
	s->event = flat_job(LENDER, SITE_PRIORITY + 4, 1);
}

/* n jobs, each with `members` in queues that have lent all of their quota */
static void bonds_open(struct site *s, size_t n, enum bond_kind kind,
		       size_t members)
{
	const struct bonds bonds = { kind, members, 6, SITE_PRIORITY };
	const size_t queues = 20;

	site_open(s, &(struct tree_plan) {
		.queues = queues, .nominal = FLAT_NOMINAL,
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
	flat_fill(s, queues, FLAT_JOBS, RUN_UP_TO);
	bonds_wait(s, n, &bonds);
}

void together_build(struct site *s, size_t n)
{
	bonds_open(s, n, BOND_TOGETHER, 2);
}

/* One for each queue that lends: it waits there, and in the next one that lends. */
void together_each_build(struct site *s, size_t n)
{
	const struct bonds bonds = { BOND_TOGETHER, 2, 2, SITE_PRIORITY };

	flat_open(s, n, (struct tree_plan) { .reclaim = POLICY_ANY });
	bonds_wait(s, n / 2, &bonds);
}

void either_build(struct site *s, size_t n)
{
	bonds_open(s, n, BOND_EITHER, 5);
}

/* ---- many pairs of flavor and resource ---- */

#define FLAVORS_RESOURCES 16

void flavors_build(struct site *s, size_t n)
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

void memory_build(struct site *s, size_t n)
{
	site_open(s, &(struct tree_plan) {
		.queues = n, .flavors = 64, .resources = FLAVORS_RESOURCES,
		.nominal = FLAT_NOMINAL,
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
}
