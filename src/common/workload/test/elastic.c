/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test elastic.c - groups that may shrink while they are protected
 */
#include <errno.h>
#include <stdio.h>

#include "holding/holding.h"
#include "test/terms.h"
#include "world.h"

/* a has nothing of its own and runs four that are protected until 1050 */
#define LENT "cohort org\n" \
	"queue a in org rmin=100 within=lower pmin=100 cpu@f=0\n" \
	"queue b in org reclaim=any within=lower pmin=100 cpu@f=4\n"
#define FOUR "run m1 in a cpu@f=1 since=950\nrun m2 in a cpu@f=1 since=951\n" \
	"run m3 in a cpu@f=1 since=952\nrun m4 in a cpu@f=1 since=953\n"

static const char *const members[] = { "m1", "m2", "m3", "m4" };

static const struct {
	const char *text;
	int64_t min_available;
	const char *evicting;		/* a member on its way out */
	int64_t now;
	const char *want;
} cases[] = {
	{ "wait x in b cpu=1", -1, NULL, 1000, "preempt cpu@f=1" },
	{ "wait x in b cpu=1", 4, NULL, 1000, "preempt cpu@f=1" },
	{ "wait x in b cpu=1", 3, NULL, 1000,
	  "preempt cpu@f=1 for m4/InCohortReclamation" },
	{ "wait x in b cpu=2", 3, NULL, 1000, "preempt cpu@f=2" },
	{ "wait x in b cpu=2", 2, NULL, 1000,
	  "preempt cpu@f=2 for m4/InCohortReclamation m3/InCohortReclamation" },
	/* one that leaves is no active member, and is taken at no cost */
	{ "wait x in b cpu=2", 3, "m1", 1000, "preempt cpu@f=2" },
	{ "wait x in b cpu=2", 2, "m1", 1000,
	  "preempt cpu@f=2 for m1/InCohortReclamation m4/InCohortReclamation" },
	/* unprotected ones may all go: m1 is so from 1050 on */
	{ "wait x in b cpu=1", 4, NULL, 1050,
	  "preempt cpu@f=1 for m1/InCohortReclamation" },
	{ "wait x in b cpu=4", 4, NULL, 1060,
	  "preempt cpu@f=4 for m4/InCohortReclamation m3/InCohortReclamation "
	  "m2/InCohortReclamation m1/InCohortReclamation" },
};

static void elastic_set(struct world *world, int64_t min_available)
{
	for (size_t i = 0; i < COUNT(members) && min_available >= 0; i++)
		assert_int_equal(terms_set_elastic(world_engine(world),
				world_workload(world, members[i]), 7,
				min_available), 0);
}

static void elastic_cases(const char *site)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[1024];
		struct world *world;

		snprintf(text, sizeof(text), "%s%s%s%s", site, LENT, FOUR,
			 cases[i].text);
		world = world_create(text);
		(void) world_engine(world);
		elastic_set(world, cases[i].min_available);
		if (cases[i].evicting)
			engine_evicting(world_engine(world),
					world_workload(world,
						       cases[i].evicting),
					true);
		assert_string_equal(world_nominate(world, "x", cases[i].now),
				    cases[i].want);
		/* twice: a search leaves nothing behind */
		assert_string_equal(world_nominate(world, "x", cases[i].now),
				    cases[i].want);
		world_destroy(world);
	}
}

static void test_classical(void **state)
{
	(void) state;
	elastic_cases("");
}

static void test_fair(void **state)
{
	(void) state;
	elastic_cases("site fair\n");
}

static void test_errors(void **state)
{
	struct world *world = world_create(LENT FOUR "wait x in b cpu=1");

	(void) state;
	errno = 0;
	assert_int_equal(terms_set_elastic(world_engine(world),
					world_workload(world, "x"), 7, 1), -1);
	assert_int_equal(errno, EINVAL);
	/* no group at all */
	assert_int_equal(terms_set_elastic(world_engine(world),
					world_workload(world, "m1"), 7, -1),
			 0);
	assert_null(world_workload(world, "m1")->held->elastic);
	world_destroy(world);
}

/* A group ends with its last member; another one may use its key */
static void test_members(void **state)
{
	struct world *world = world_create(LENT FOUR "wait x in b cpu=1");

	(void) state;
	(void) world_engine(world);
	elastic_set(world, 3);
	world_tell(world, "requeue m4\nstart m4 cpu@f=1 since=953");
	assert_string_equal(world_nominate(world, "x", 1000),
			    "preempt cpu@f=1");
	elastic_set(world, 3);
	assert_string_equal(world_nominate(world, "x", 1000),
			    "preempt cpu@f=1 for m4/InCohortReclamation");
	world_tell(world, "remove m3");
	assert_string_equal(world_nominate(world, "x", 1000),
			    "fit cpu@f=1");
	world_destroy(world);
}

/* Protection for good holds for the spare members, too */
static void test_for_good(void **state)
{
	static const char *const words[] = { "exempt=-1", "times=2" };

	(void) state;
	for (size_t i = 0; i < COUNT(words); i++) {
		char text[256];
		struct world *world;

		snprintf(text, sizeof(text), "cohort org\n"
			 "queue a in org max=2 cpu@f=0\n"
			 "queue b in org reclaim=any cpu@f=4\n"
			 "run m1 in a cpu@f=2 %s\nrun m2 in a cpu@f=2 %s\n"
			 "wait x in b cpu=1", words[i], words[i]);
		world = world_create(text);
		for (size_t k = 0; k < 2; k++)
			assert_int_equal(terms_set_elastic(world_engine(world),
					world_workload(world, members[k]), 7,
					0), 0);
		assert_string_equal(world_nominate(world, "x", 1000),
				    "preempt cpu@f=1");
		world_destroy(world);
	}
}

/* A min-runtime may be passed over, the caller's exemption not. Its end is an event. */
static void test_exempt(void **state)
{
	struct world *world = world_create(LENT FOUR "wait x in b cpu=1");

	(void) state;
	(void) world_engine(world);
	elastic_set(world, 0);
	for (size_t i = 0; i < COUNT(members); i++)
		assert_int_equal(terms_set_exempt(world_engine(world),
				world_workload(world, members[i]),
				1020 + (int64_t) i), 0);
	assert_string_equal(world_plan(world, 1000), "x=protected(1020)");
	assert_int_equal(engine_next_expiry(world->engine), 1020);
	assert_string_equal(world_plan(world, 1019), "x=protected(1020)");
	assert_string_equal(world_nominate(world, "x", 1020),
			    "preempt cpu@f=1 for m1/InCohortReclamation");
	assert_string_equal(world_nominate(world, "x", 1030),
			    "preempt cpu@f=1 for m4/InCohortReclamation");
	/* one on its way out is exempt no more */
	engine_evicting(world->engine, world_workload(world, "m2"), true);
	assert_string_equal(world_nominate(world, "x", 1000),
			    "preempt cpu@f=1 for m2/InCohortReclamation");
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_classical),
		cmocka_unit_test(test_fair),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_for_good),
		cmocka_unit_test(test_exempt),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
