/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test account.c - integrals over time: cases counted by hand
 */
#include <errno.h>

#include "account/test/kept.h"

/* Three that lend to each other */
#define LAB "cohort lab\nqueue a in lab cpu@f=10\nqueue b in lab cpu@f=10\n" \
	"queue c in lab cpu@f=0\n"
/* Two cohorts below one */
#define ORG "cohort org\ncohort left in org\ncohort right in org\n" \
	"queue a in left cpu@f=6\nqueue b in left cpu@f=0\n" \
	"queue c in right cpu@f=4\nqueue d in right cpu@f=0\n"

static int cohort_or_queue(const struct world *world, const char *name, bool *is_cohort)
{
	int queue = spec_find_queue(world->spec, name);

	*is_cohort = queue < 0;
	return *is_cohort ? spec_find_cohort(world->spec, name) : queue;
}

/* The words of an answer are "a@1200=" with the sums: nominal,own,borrowed,lent,shared,
 * idle; and "a>c@1200=" with what a has lent to c. Writes the word as it is. */
static void answer_one(const struct world *world, const char *word, char *to, size_t size)
{
	char name[16], borrower[16];
	long second;
	bool is_cohort;

	if (sscanf(word, "%15[a-z0-9]>%15[a-z0-9]@%ld", name, borrower, &second) == 3) {
		int lender = cohort_or_queue(world, name, &is_cohort);

		snprintf(to, size, "%s>%s@%ld=%.6g", name, borrower, second,
			 lent_then(world, is_cohort, lender,
				   spec_find_queue(world->spec, borrower), second));
	} else {
		struct account_sums s;
		int node;

		assert_int_equal(sscanf(word, "%15[a-z0-9]@%ld", name, &second), 2);
		node = cohort_or_queue(world, name, &is_cohort);
		s = sums_then(world, is_cohort, node, second);
		snprintf(to, size, "%s@%ld=%ld,%ld,%ld,%.6g,%.6g,%.6g", name, second,
			 (long) s.nominal, (long) s.own, (long) s.borrowed, s.lent,
			 s.shared, s.idle);
	}
}

/* Checks the words one after the other. */
static void answers_are(const struct world *world, const char *words)
{
	char copy[512], word[128], *rest = copy;

	assert_true(strlen(words) < sizeof(copy));
	strcpy(copy, words);
	for (char *wanted; (wanted = strtok_r(rest, " ", &rest)); ) {
		answer_one(world, wanted, word, sizeof(word));
		assert_string_equal(word, wanted);
	}
}

/* Lines of `told` begin with their second; those with '?' are checked then. */
static const struct {
	const char *world, *told;
} cases[] = {
	/* two lend in equal parts as long as both could; then one alone */
	{ LAB, "1000 run x in c cpu@f=10\n1100 run y in a cpu@f=10\n"
	  "1200 ?c@1100=0,0,1000,0,0,0\n"	/* as of the last change */
	  "1200 ?a@1200=2000,1000,0,500,0,0 b@1200=2000,0,0,1500,0,0 "
	  "c@1200=0,0,2000,0,0,0 lab@1200=4000,3000,0,0,0,0 a>c@1200=500 "
	  "b>c@1200=1500 c>c@1200=0\n"
	  "1200 remove x\n1200 ?b@5000=40000,0,0,1500,0,0" },
	/* the cohort's own quota lends as a queue does */
	{ "cohort lab cpu@f=8\nqueue a in lab cpu@f=8\nqueue b in lab cpu@f=0\n",
	  "1000 run x in b cpu@f=4\n1000 ?a@1010=80,0,0,20,0,0 "
	  "lab@1010=160,40,0,0,20,0 lab>b@1010=20 a>b@1010=20" },
	/* what is never lent does not count: 6 of a, 4 of b. Then a uses 2 of the 4 that it
	 * keeps: nothing changes for the others; and all that it keeps, and 3 more: 3 of 7 */
	{ "cohort lab\nqueue a in lab cpu@f=10-6\nqueue b in lab cpu@f=4\nqueue c in lab cpu@f=0\n",
	  "1000 run x in c cpu@f=5\n1000 ?a@1010=100,0,0,30,0,0 b@1010=40,0,0,20,0,0\n"
	  "1010 run y in a cpu@f=2\n1010 ?a@1020=200,20,0,60,0,0\n"
	  "1020 run z in a cpu@f=5\n1020 ?a@1027=270,69,0,75,0,0 b>c@1027=60" },
	/* b takes all of its cohort, and 2 of the other one */
	{ ORG, "1000 run x in b cpu@f=8\n1000 ?a@1010=60,0,0,60,0,0 "
	  "c@1010=40,0,0,20,0,0 left@1010=60,60,20,0,0,0 right@1010=40,0,0,20,0,0 "
	  "a>b@1010=60 c>b@1010=20 left>b@1010=0" },
	/* one lender for its own cohort and for the other one; a change in the other one is
	 * not told to a, and known */
	{ ORG, "1000 run x in b cpu@f=3\n1000 run y in d cpu@f=6\n1000 ?a>b@1010=30 "
	  "a>d@1010=20 c>d@1010=40 c>b@1010=0 a@1010=60,0,0,50,0,0\n"
	  "1010 remove y\n1010 ?a@1020=120,0,0,80,0,0" },
	/* more is in use than there is: that has no lender */
	{ LAB, "1000 run x in c cpu@f=50\n1000 ?c@1010=0,0,500,0,0,0 "
	  "a@1010=100,0,0,100,0,0 lab@1010=200,200,300,0,0,0 a>c@1010=100" },
	/* idle is what nobody uses while one waits; c has 9 of the 18 that are free, 4 of a;
	 * then u starts, and nobody waits */
	{ LAB, "1000 run x in a cpu@f=2\n1010 wait w in a cpu=9\n1020 wait v in a cpu=9\n"
	  "1030 remove w\n1040 remove v\n1040 ?a@1100=1000,200,0,0,0,240\n"
	  "1100 run y in c cpu@f=9\n1100 wait u in a cpu=9\n1100 ?a@1110=1100,220,0,40,0,280\n"
	  "1110 start u cpu@f=1\n1110 ?a@1120=1200,250,0,77.0588,0,280" },
	/* a quota for a time, that nobody has looked at meanwhile */
	{ LAB "period b cpu@f=0 from=1010000000000 until=1020000000000\n",
	  "1000 run x in c cpu@f=5\n1040 ?b@1040=300,0,0,75,0,0 "
	  "a@1040=400,0,0,125,0,0 a>c@1040=125" },
	/* the clock is set back: what was summed up stays, and nothing is frozen until the
	 * time is there again */
	{ "cohort lab\nqueue a in lab cpu@f=10\nqueue c in lab cpu@f=0\nrun x in c cpu@f=5\n",
	  "1010 run y in a cpu@f=1\n1020 ?\n500 ?c@500=0,0,100,0,0,0 "
	  "a@510=300,20,0,150,0,0 c@510=0,0,150,0,0,0 a>c@510=150\n"
	  "520 remove x\n520 ?c@600=0,0,200,0,0,0 a>c@600=200" },
	/* nothing is idle in vain where no job may start */
	{ "cohort lab\nqueue a in lab cpu@f=10 hold\nwait w in a cpu=9\n",
	  "1010 wait v in a cpu=9\n1020 remove w\n1020 remove v\n1030 wait u in a cpu=9\n"
	  "1030 ?a@1100=1000,0,0,0,0,0" },
	/* more than 64 bits hold: both lend in equal parts all the same */
	{ "cohort lab\nqueue a in lab cpu@f=9223372036854775807\n"
	  "queue b in lab cpu@f=9223372036854775807\nqueue c in lab cpu@f=0\n",
	  "1000 run x in c cpu@f=10\n1000 ?a@1010=9223372036854775807,0,0,50,0,0 "
	  "b@1010=9223372036854775807,0,0,50,0,0" },
};

static void test_cases(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = begin(cases[i].world);
		char *told = strdup(cases[i].told), *rest = told;

		for (char *line; (line = strtok_r(rest, "\n", &rest)); ) {
			char *what;
			int64_t second = strtol(line, &what, 10);

			engine_advance(world->engine, second * SEC);
			if (what[1] == '?')
				answers_are(world, what + 2);
			else
				world_tell(world, what + 1);
		}
		free(told);
		world_destroy(world);
	}
}

/* A plan and a clock that goes back change nothing; what began before the
 * account was kept counts from then on. */
static void test_time(void **state)
{
	struct world *world = world_create(LAB "run x in c cpu@f=2\nwait w in a cpu=11\n");

	engine_advance(world_engine(world), 1000 * SEC);
	assert_int_equal(engine_keep_account(world->engine), 0);
	assert_int_equal(engine_keep_account(world->engine), 0);
	assert_true(engine_account_moves(world->engine));
	assert_int_equal(engine_plan(world->engine, 1005 * SEC), 1);
	assert_int_equal(time_of_sums(world), 1000 * SEC);
	tell_at(world, 950, "run y in c cpu@f=2");
	answers_are(world, "c@1010=0,0,30,0,0,0");
	answers_are(world, "a@1010=100,0,0,15,0,85");
	tell_at(world, 1010, "remove x");
	tell_at(world, 1010, "remove y");
	assert_true(engine_account_moves(world->engine));	/* w waits */
	tell_at(world, 1010, "remove w");
	assert_false(engine_account_moves(world->engine));
	world_destroy(world);
}

static void test_restored(void **state)
{
	struct account_row row = { .node = 2, .borrower = SPEC_NONE,
				   .sums = { 1, 2, 3, 4, 5, 6 } };
	struct account_row lent = { .borrower = 2, .sums.lent = 7 };
	struct account_row wrong[] = {
		{ .node = 3, .borrower = SPEC_NONE }, { .flavor = 1, .borrower = SPEC_NONE },
		{ .is_cohort = true, .node = 1, .borrower = SPEC_NONE },
		{ .borrower = SPEC_NONE, .sums.own = -1 },
		{ .borrower = SPEC_NONE, .sums.lent = NAN },
		{ .borrower = 9, .sums.lent = 7 }, { .borrower = -2, .sums.lent = 7 },
		{ .borrower = 2, .sums.lent = -1 },
	};
	struct world *world = begin(LAB);

	tell_at(world, 1000, "run x in c cpu@f=10");
	assert_int_equal(engine_restore_account(world->engine, &row), 0);
	assert_int_equal(engine_restore_account(world->engine, &lent), 0);
	answers_are(world, "c@1010=1,2,103,4,5,6");
	answers_are(world, "a>c@1010=57");
	for (size_t i = 0; i < COUNT(wrong); i++) {
		errno = 0;
		assert_int_equal(engine_restore_account(world->engine, &wrong[i]), -1);
		assert_int_equal(errno, EINVAL);
	}
	world_destroy(world);
}

/* Nothing is kept: nothing is told. */
static void test_not_kept(void **state)
{
	struct world *world = world_create(LAB "run x in c cpu@f=10");
	struct account_row row = { .borrower = SPEC_NONE };

	assert_null(engine_account(world_engine(world), 5));
	assert_int_equal(engine_restore_account(world->engine, &row), -1);
	world_destroy(world);
}

/* A tree of more nodes than that is not gone through. */
static void test_large(void **state)
{
	struct world *world;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "cohort lab\n");
	for (int i = 0; i < ACCOUNT_NODES_MAX; i++)
		fprintf(f, "queue q%d in lab cpu@f=1\n", i);
	fclose(f);
	world = begin(text);
	free(text);
	tell_at(world, 1000, "run x in q0 cpu@f=2");
	answers_are(world, "q1>q0@1031=0");
	answers_are(world, "q1@1031=31,0,0,1,0,0");
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_cases), cmocka_unit_test(test_time), cmocka_unit_test(test_restored),
      cmocka_unit_test(test_not_kept), cmocka_unit_test(test_large))
