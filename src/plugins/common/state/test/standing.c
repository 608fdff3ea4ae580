/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test standing.h - the states of a job that waits: each state, each event
 */
#include "state/standing.h"
#include "test/tests.h"

/* What happens to a job, one event after the other, and what it is then */
static const struct story {
	const char *what;
	enum standing_event events[6];
	int n;
	enum standing end;
	bool blocked;
} stories[] = {
	{ "new", { 0 }, 0, STANDS_WAITING, false },
	{ "the plan lets it go, and slurmctld starts it",
	  { PLAN_OFFERS, WAIT_ENDS }, 2, STANDS_WAITING, false },
	{ "the plan lets it go, and then others",
	  { PLAN_OFFERS, PLAN_KEEPS }, 2, STANDS_WAITING, false },
	{ "it is tried, and nodes are taken",
	  { PLAN_OFFERS, TRY_FINDS_NOTHING }, 2, STANDS_NO_NODES, true },
	{ "... whatever the plans say then",
	  { PLAN_OFFERS, TRY_FINDS_NOTHING, PLAN_KEEPS, PLAN_OFFERS, SLURM_REFUSES }, 5,
	  STANDS_NO_NODES, true },
	{ "... until victims leave for it",
	  { PLAN_OFFERS, TRY_FINDS_NOTHING, TRY_FINDS_NODES }, 3, STANDS_OFFERED, false },
	{ "... or it starts", { PLAN_OFFERS, TRY_FINDS_NOTHING, WAIT_ENDS }, 3,
	  STANDS_WAITING, false },
	{ "tried by an update while it waits", { TRY_FINDS_NOTHING }, 1, STANDS_NO_NODES, true },
	{ "its nodes are down, slurmctld does not ask",
	  { PLAN_OFFERS, SLURM_REFUSES, PLAN_OFFERS }, 3, STANDS_PASSED_OVER, true },
	{ "... that ends with the offer",
	  { PLAN_OFFERS, SLURM_REFUSES, PLAN_KEEPS, PLAN_OFFERS }, 4, STANDS_OFFERED, false },
	{ "who waits by the plan is not refused", { SLURM_REFUSES }, 1, STANDS_WAITING, false },
	{ "slurmctld does not try it",
	  { PLAN_OFFERS, SLURM_FORGETS, PLAN_OFFERS }, 3, STANDS_UNTRIED, false },
	{ "... also where it found no nodes before",
	  { PLAN_OFFERS, TRY_FINDS_NOTHING, SLURM_FORGETS }, 3, STANDS_UNTRIED, false },
	{ "... until it does", { PLAN_OFFERS, SLURM_FORGETS, SLURM_TRIES, PLAN_OFFERS }, 4,
	  STANDS_OFFERED, false },
	{ "that it is tried is no news of others",
	  { PLAN_OFFERS, SLURM_TRIES }, 2, STANDS_OFFERED, false },
};

static void test_stories(void **state)
{
	for (size_t i = 0; i < COUNT(stories); i++) {
		const struct story *s = &stories[i];
		enum standing standing = STANDS_WAITING;

		print_message("%s\n", s->what);
		for (int k = 0; k < s->n; k++)
			standing = standing_after(standing, s->events[k]);
		assert_int_equal(standing, s->end);
		assert_int_equal(standing_is_blocked(standing), s->blocked);
	}
}

/* What holds in each state */
static void test_each_state(void **state)
{
	for (enum standing s = 0; s < STANDINGS; s++) {
		assert_int_equal(standing_after(s, WAIT_ENDS), STANDS_WAITING);
		assert_int_equal(standing_after(s, TRY_FINDS_NOTHING), STANDS_NO_NODES);
		assert_int_equal(standing_after(s, SLURM_FORGETS), STANDS_UNTRIED);
		assert_false(standing_is_blocked(standing_after(s, TRY_FINDS_NODES)));
		assert_int_not_equal(standing_after(s, SLURM_TRIES), STANDS_UNTRIED);
		for (enum standing_event e = 0; e < STANDING_EVENTS; e++) {
			enum standing next = standing_after(s, e);

			assert_true(next < STANDINGS);
			/* what is said twice is said once */
			assert_int_equal(standing_after(next, e), next);
		}
	}
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_each_state))
