/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * borrow.c - worlds in which the engine has the most to do: who evicts may borrow, and
 * only from lower priorities; jobs that wait in several queues; queues lend half; some has to
 * go of the own queue, and some of others; more is in use than there is; fair sharing with
 * flavors, and with lower priorities; units, and lower priorities
 */
#include "worst/worlds.h"

void borrow_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY,
	});
}

void borrow_lend_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY,
		.lends_most = FLAT_NOMINAL / 2, .exempt_for = SPEC_SEC,
		.mixed = true,
	});
}

/* Each queue lends half of its quota. Those that lend run as much as they keep. */
static void lend_open(struct site *s, size_t n, struct tree_plan plan)
{
	plan.reclaim = POLICY_ANY;
	plan.lends_most = FLAT_NOMINAL / 2;
	flat_open(s, n, plan);
	for (size_t q = LENDER; q < n; q += 2) {
		struct ask ask = flat_job(q, SITE_PRIORITY, FLAT_JOB);

		site_run_many(s, &ask, FLAT_NOMINAL / 2 / FLAT_JOB, 0, RUN_UP_TO);
	}
}

void lend_build(struct site *s, size_t n)
{
	lend_open(s, n, (struct tree_plan) { 0 });
}

void fair_lend_build(struct site *s, size_t n)
{
	lend_open(s, n, (struct tree_plan) { .fair = true, .cohorts = n / 8 });
}

/* All quota is in use: by those that borrow a fifth more than they have, in three priorities.
 * What waits in the others asks for more than these have left. */
void reclaim_own_build(struct site *s, size_t n)
{
	const int64_t priorities = 3, jobs = FLAT_NOMINAL / FLAT_JOB;

	site_open(s, &(struct tree_plan) {
		.queues = n, .nominal = FLAT_NOMINAL,
		.within = POLICY_LOWER_PRIORITY, .reclaim = POLICY_ANY,
	});
	for (size_t q = 0; q < n; q++) {
		int64_t more = q % 2 == LENDER ? -2 : 2;

		for (int64_t i = 0; i < jobs + more; i++) {
			struct ask ask = flat_job(q, SITE_PRIORITY - i % priorities,
						  FLAT_JOB);

			site_run_many(s, &ask, 1, 0, RUN_UP_TO);
		}
	}
	for (size_t q = LENDER; q < n; q += 2) {
		struct ask ask = flat_job(q, SITE_PRIORITY, 3 * FLAT_JOB);

		ask.age = LONGER;
		site_wait_many(s, &ask, 3, 1);
	}
	s->event = flat_job(LENDER, SITE_PRIORITY + 4, 3 * FLAT_JOB);
}

/* Beside the others n / 2 jobs wait, each in five queues. */
void borrow_either_build(struct site *s, size_t n)
{
	const struct bonds bonds = { BOND_EITHER, 5, 7, SITE_PRIORITY - 1 };

	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY,
	});
	bonds_wait(s, n / 2, &bonds);
}

void fair_either_build(struct site *s, size_t n)
{
	const struct bonds bonds = { BOND_EITHER, 5, 7, SITE_PRIORITY - 1 };

	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true,
	});
	bonds_wait(s, n / 2, &bonds);
}

/* Each job asks for what one queue has, in a queue that all share or in one of its
 * own. The last queue is idle, so that there is room for the event. */
void either_own_build(struct site *s, size_t n)
{
	site_open(s, &(struct tree_plan) {
		.queues = n, .nominal = FLAT_NOMINAL,
	});
	for (size_t q = 1; q + 1 < n && !s->failed; q++) {
		struct ask ask = flat_job(0, SITE_PRIORITY, FLAT_NOMINAL);

		ask.age = LONGER - (int64_t) q;
		s->bonded = site_wait(s, &ask);
		ask.queue = (int) q;
		site_bond(s, site_wait(s, &ask), BOND_EITHER);
	}
	s->event = flat_job(LENDER, SITE_PRIORITY + 4, 1);
}

/* All queues use twice what they have: three priorities of some jobs each run, and wait.
 * Units are of one queue. */
static void over_open(struct site *s, size_t n, struct tree_plan plan)
{
	const size_t priorities = 3, jobs = plan.units ? 8 : 7, shapes = 3;

	plan.queues = n;
	plan.nominal = FLAT_NOMINAL;
	plan.reclaim = POLICY_ANY;
	plan.borrow = POLICY_LOWER_PRIORITY;
	site_open(s, &plan);
	for (size_t i = 0; i < n * priorities; i++) {
		struct ask ask = flat_job(i / priorities,
					  SITE_PRIORITY - (int64_t) (i % priorities),
					  FLAT_JOB);

		site_run_many(s, &ask, jobs, 0, RUN_UP_TO);
	}
	for (size_t q = 0; q < n; q++) {
		struct ask ask = flat_job(q, SITE_PRIORITY
					  - (int64_t) (q / 2 % priorities), 1);

		ask.age = LONGER;
		site_wait_many(s, &ask, shapes, 1);
	}
	s->event = flat_job(LENDER, SITE_PRIORITY + 4, 1);
	s->event.first = FLAT_NOMINAL + 100;
}

void over_build(struct site *s, size_t n)
{
	over_open(s, n, (struct tree_plan) { 0 });
}

void over_mixed_build(struct site *s, size_t n)
{
	over_open(s, n, (struct tree_plan) {
		.exempt_for = SPEC_SEC, .mixed = true,
	});
}

void over_units_build(struct site *s, size_t n)
{
	over_open(s, n, (struct tree_plan) { .units = true });
}

void fair_flavors_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .flavors = 3,
	});
}

/* In the second flavor those that borrow run as much as in the first one. */
void fair_full_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .flavors = 2,
	});
	for (size_t q = 0; q < n; q += 2) {
		struct ask ask = flat_job(q, SITE_PRIORITY, FLAT_JOB);

		site_run_many(s, &ask, 2 * FLAT_NOMINAL / FLAT_JOB, 1, RUN_UP_TO);
	}
}

/* Those that borrow use a fifth more than they and the lenders have. */
void over_reclaim_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .jobs_over = 4,
	});
}

/* The same with fair sharing, where each queue lends half of its quota */
void over_lend_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .fair = true, .jobs_over = 4,
		.lends_most = FLAT_NOMINAL / 2,
	});
}

/* Of each queue that borrows a job is on its way out. A job that waits in a lender owns
 * what it frees. */
void over_owners_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .jobs_over = -1,
	});
	for (size_t q = 0; q + 1 < n && !s->failed; q += 2) {
		struct ask ask = flat_job(q, SITE_PRIORITY, FLAT_JOB);
		struct workload *leaving = site_run(s, &ask, 0);

		ask.queue++;
		site_own(s, site_wait(s, &ask), leaving, FLAT_JOB);
	}
}

void fair_lower_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_LOWER_PRIORITY, .fair = true,
	});
}

void units_lower_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_LOWER_PRIORITY, .exempt_for = SPEC_SEC,
		.mixed = true, .units = true,
	});
}

void fair_units_lower_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_LOWER_PRIORITY, .fair = true,
		.exempt_for = SPEC_SEC, .mixed = true, .units = true,
	});
}

void fair_lower_mixed_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_LOWER_PRIORITY, .fair = true,
		.exempt_for = SPEC_SEC, .mixed = true,
	});
}
