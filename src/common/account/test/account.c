/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test account.c - integrals over time: cases counted by hand
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "query.h"
#include "account/test/kept.h"

/* Three that lend to each other */
#define LAB "cohort lab\nqueue a in lab cpu@f=10\nqueue b in lab cpu@f=10\n" \
	"queue c in lab cpu@f=0\n"
/* Two cohorts below one */
#define ORG "cohort org\ncohort left in org\ncohort right in org\n" \
	"queue a in left cpu@f=6\nqueue b in left cpu@f=0\n" \
	"queue c in right cpu@f=4\nqueue d in right cpu@f=0\n"

static struct account_sums sums_at(const struct world *world, const char *name,
				   int64_t second)
{
	int queue = spec_find_queue(world->spec, name);

	return sums_then(world, queue < 0, queue < 0
			 ? spec_find_cohort(world->spec, name) : queue, second);
}

static bool near(double x, double y)
{
	return fabs(x - y) <= 1e-9 * (1 + fabs(y));
}

static void sums_are(const struct world *world, const char *name,
		     int64_t second, const struct account_sums *want)
{
	struct account_sums s = sums_at(world, name, second);

	if (s.nominal == want->nominal && s.own == want->own
	    && s.borrowed == want->borrowed && near(s.lent, want->lent)
	    && near(s.shared, want->shared) && near(s.idle, want->idle))
		return;
	fail_msg("%s at %ld: nominal %ld own %ld borrowed %ld lent %g shared %g idle %g",
		 name, (long) second, (long) s.nominal, (long) s.own,
		 (long) s.borrowed, s.lent, s.shared, s.idle);
}

static void lent_is(struct world *world, const char *lender,
		    const char *borrower, int64_t second, double want)
{
	int queue = spec_find_queue(world->spec, lender);
	double sum = lent_then(world, queue < 0, queue < 0
			       ? spec_find_cohort(world->spec, lender) : queue,
			       spec_find_queue(world->spec, borrower), second);

	if (!near(sum, want))
		fail_msg("%s to %s: %g, not %g", lender, borrower, sum, want);
}

/* Two lend in equal parts as long as both could; then one alone. */
static void test_in_proportion(void **state)
{
	struct world *world = begin(LAB);

	(void) state;
	tell_at(world, 1000, "run x in c cpu@f=10");
	tell_at(world, 1100, "run y in a cpu@f=10");
	sums_are(world, "a", 1200, &(struct account_sums) {
			.nominal = 2000, .own = 1000, .lent = 500 });
	sums_are(world, "b", 1200, &(struct account_sums) {
			.nominal = 2000, .lent = 1500 });
	sums_are(world, "c", 1200, &(struct account_sums) { .borrowed = 2000 });
	sums_are(world, "lab", 1200, &(struct account_sums) {
			.nominal = 4000, .own = 3000 });
	lent_is(world, "a", "c", 1200, 500);
	lent_is(world, "b", "c", 1200, 1500);
	lent_is(world, "c", "c", 1200, 0);
	/* as of earlier: what was said then */
	sums_are(world, "c", 1100, &(struct account_sums) { .borrowed = 1000 });
	tell_at(world, 1200, "remove x");
	sums_are(world, "b", 5000, &(struct account_sums) {
			.nominal = 40000, .lent = 1500 });
	world_destroy(world);
}

/* The cohort's own quota lends as a queue does. */
static void test_own_quota_of_cohort(void **state)
{
	struct world *world = begin("cohort lab cpu@f=8\n"
				    "queue a in lab cpu@f=8\n"
				    "queue b in lab cpu@f=0\n");

	(void) state;
	tell_at(world, 1000, "run x in b cpu@f=4");
	sums_are(world, "a", 1010, &(struct account_sums) {
			.nominal = 80, .lent = 20 });
	sums_are(world, "lab", 1010, &(struct account_sums) {
			.nominal = 160, .own = 40, .shared = 20 });
	lent_is(world, "lab", "b", 1010, 20);
	lent_is(world, "a", "b", 1010, 20);
	world_destroy(world);
}

/* What is never lent does not count: 6 of a, 4 of b */
static void test_lending_limit(void **state)
{
	struct world *world = begin("cohort lab\nqueue a in lab cpu@f=10-6\n"
				    "queue b in lab cpu@f=4\n"
				    "queue c in lab cpu@f=0\n");

	(void) state;
	tell_at(world, 1000, "run x in c cpu@f=5");
	sums_are(world, "a", 1010, &(struct account_sums) {
			.nominal = 100, .lent = 30 });
	sums_are(world, "b", 1010, &(struct account_sums) {
			.nominal = 40, .lent = 20 });
	/* a uses 2 of the 4 that it keeps: nothing changes for the others */
	tell_at(world, 1010, "run y in a cpu@f=2");
	sums_are(world, "a", 1020, &(struct account_sums) {
			.nominal = 200, .own = 20, .lent = 60 });
	/* ... and all that it keeps, and 3 more: 3 of 7 */
	tell_at(world, 1020, "run z in a cpu@f=5");
	sums_are(world, "a", 1027, &(struct account_sums) {
			.nominal = 270, .own = 69, .lent = 75 });
	lent_is(world, "b", "c", 1027, 60);
	world_destroy(world);
}

/* b takes all of its cohort, and 2 of the other one. */
static void test_from_above(void **state)
{
	struct world *world = begin(ORG);

	(void) state;
	tell_at(world, 1000, "run x in b cpu@f=8");
	sums_are(world, "a", 1010, &(struct account_sums) {
			.nominal = 60, .lent = 60 });
	sums_are(world, "c", 1010, &(struct account_sums) {
			.nominal = 40, .lent = 20 });
	sums_are(world, "left", 1010, &(struct account_sums) {
			.nominal = 60, .own = 60, .borrowed = 20 });
	sums_are(world, "right", 1010, &(struct account_sums) {
			.nominal = 40, .lent = 20 });
	lent_is(world, "a", "b", 1010, 60);
	lent_is(world, "c", "b", 1010, 20);
	lent_is(world, "left", "b", 1010, 0);
	world_destroy(world);
}

/* One lender for its own cohort and for the other one */
static void test_both_ways(void **state)
{
	struct world *world = begin(ORG);

	(void) state;
	tell_at(world, 1000, "run x in b cpu@f=3");
	tell_at(world, 1000, "run y in d cpu@f=6");
	lent_is(world, "a", "b", 1010, 30);
	lent_is(world, "a", "d", 1010, 20);
	lent_is(world, "c", "d", 1010, 40);
	lent_is(world, "c", "b", 1010, 0);
	sums_are(world, "a", 1010, &(struct account_sums) {
			.nominal = 60, .lent = 50 });
	/* the other cohort changes: a is not told, and knows */
	tell_at(world, 1010, "remove y");
	sums_are(world, "a", 1020, &(struct account_sums) {
			.nominal = 120, .lent = 80 });
	world_destroy(world);
}

/* More is in use than there is: that has no lender. */
static void test_no_lender(void **state)
{
	struct world *world = begin(LAB);

	(void) state;
	tell_at(world, 1000, "run x in c cpu@f=50");
	sums_are(world, "c", 1010, &(struct account_sums) { .borrowed = 500 });
	sums_are(world, "a", 1010, &(struct account_sums) {
			.nominal = 100, .lent = 100 });
	sums_are(world, "lab", 1010, &(struct account_sums) {
			.nominal = 200, .own = 200, .borrowed = 300 });
	lent_is(world, "a", "c", 1010, 100);
	world_destroy(world);
}

/* Idle is what nobody uses while one waits. */
static void test_idle(void **state)
{
	struct world *world = begin(LAB);

	(void) state;
	tell_at(world, 1000, "run x in a cpu@f=2");
	tell_at(world, 1010, "wait w in a cpu=9");
	tell_at(world, 1020, "wait v in a cpu=9");
	tell_at(world, 1030, "remove w");
	tell_at(world, 1040, "remove v");
	sums_are(world, "a", 1100, &(struct account_sums) {
			.nominal = 1000, .own = 200, .idle = 240 });
	/* c has 9 of the 18 that are free: 4 of a */
	tell_at(world, 1100, "run y in c cpu@f=9");
	tell_at(world, 1100, "wait u in a cpu=9");
	sums_are(world, "a", 1110, &(struct account_sums) {
			.nominal = 1100, .own = 220, .lent = 40, .idle = 280 });
	/* it starts: nobody waits */
	tell_at(world, 1110, "start u cpu@f=1");
	sums_are(world, "a", 1120, &(struct account_sums) {
			.nominal = 1200, .own = 250, .idle = 280,
			.lent = 40 + 90 * 7.0 / 17 });
	world_destroy(world);
}

/* A plan and a clock that goes back change nothing; what began before the
 * account was kept counts from then on. */
static void test_time(void **state)
{
	struct world *world = world_create(LAB "run x in c cpu@f=2\n"
					   "wait w in a cpu=11\n");

	(void) state;
	assert_int_equal(engine_account_changed(world_engine(world)), 0);
	engine_advance(world->engine, 1000 * SEC);
	assert_int_equal(engine_keep_account(world->engine), 0);
	assert_int_equal(engine_keep_account(world->engine), 0);
	assert_true(engine_account_moves(world->engine));
	assert_int_equal(engine_plan(world->engine, 1005 * SEC), 1);
	assert_int_equal(engine_account_changed(world->engine), 1000 * SEC);
	tell_at(world, 950, "run y in c cpu@f=2");
	sums_are(world, "c", 1010, &(struct account_sums) {
			.borrowed = 5 * 2 + 5 * 4 });
	sums_are(world, "a", 1010, &(struct account_sums) {
			.nominal = 100, .lent = 15, .idle = 85 });
	tell_at(world, 1010, "remove x");
	tell_at(world, 1010, "remove y");
	assert_true(engine_account_moves(world->engine));	/* w waits */
	tell_at(world, 1010, "remove w");
	assert_false(engine_account_moves(world->engine));
	world_destroy(world);
}

/* A quota for a time, that nobody has looked at meanwhile */
static void test_periods(void **state)
{
	struct world *world = begin(
		LAB "period b cpu@f=0 from=1010000000000 until=1020000000000\n");

	(void) state;
	tell_at(world, 1000, "run x in c cpu@f=5");
	engine_advance(world->engine, 1040 * SEC);
	sums_are(world, "b", 1040, &(struct account_sums) {
			.nominal = 300, .lent = 75 });
	sums_are(world, "a", 1040, &(struct account_sums) {
			.nominal = 400, .lent = 125 });
	lent_is(world, "a", "c", 1040, 125);
	world_destroy(world);
}

static void test_restored(void **state)
{
	const struct account_sums s = { 1, 2, 3, 4, 5, 6 };
	struct world *world = begin(LAB);
	struct engine *e = world->engine;
	struct account_sums wrong = s;

	(void) state;
	tell_at(world, 1000, "run x in c cpu@f=10");
	assert_int_equal(engine_restore_account(e, false, 2, 0, 0, &s), 0);
	assert_int_equal(engine_restore_between(e, false, 0, 2, 0, 0, 7), 0);
	sums_are(world, "c", 1010, &(struct account_sums) {
			1, 2, 103, 4, 5, 6 });
	lent_is(world, "a", "c", 1010, 57);
	assert_int_equal(engine_restore_account(e, false, 3, 0, 0, &s), -1);
	assert_int_equal(engine_restore_account(e, false, 0, 1, 0, &s), -1);
	assert_int_equal(engine_restore_account(e, true, 1, 0, 0, &s), -1);
	wrong.own = -1;
	assert_int_equal(engine_restore_account(e, false, 0, 0, 0, &wrong), -1);
	wrong.own = 0;
	wrong.lent = NAN;
	errno = 0;
	assert_int_equal(engine_restore_account(e, false, 0, 0, 0, &wrong), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(engine_restore_between(e, false, 0, 9, 0, 0, 7), -1);
	assert_int_equal(engine_restore_between(e, false, 0, 2, 0, 0, -1), -1);
	world_destroy(world);
}

/* Nothing is kept: nothing is told. */
static void test_not_kept(void **state)
{
	struct world *world = world_create(LAB "run x in c cpu@f=10");
	struct account_copy *copy = NULL;
	struct account_sums s = { 0 };

	(void) state;
	assert_int_equal(engine_account_copy(world_engine(world), 5, &copy), -1);
	assert_null(copy);
	assert_int_equal(engine_restore_account(world->engine, false, 0, 0, 0,
						&s), -1);
	assert_int_equal(engine_restore_between(world->engine, false, 0, 2, 0, 0,
						1), -1);
	world_destroy(world);
}

/* A tree of more nodes than that is not gone through. */
static void test_large(void **state)
{
	struct world *world;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void) state;
	fprintf(f, "cohort lab\n");
	for (int i = 0; i < ACCOUNT_NODES_MAX; i++)
		fprintf(f, "queue q%d in lab cpu@f=1\n", i);
	fclose(f);
	world = begin(text);
	free(text);
	tell_at(world, 1000, "run x in q0 cpu@f=2");
	lent_is(world, "q1", "q0", 1031, 0);
	sums_are(world, "q1", 1031, &(struct account_sums) {
			.nominal = 31, .lent = 1 });
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_proportion),
		cmocka_unit_test(test_own_quota_of_cohort),
		cmocka_unit_test(test_lending_limit),
		cmocka_unit_test(test_from_above),
		cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_no_lender),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_periods),
		cmocka_unit_test(test_restored),
		cmocka_unit_test(test_not_kept),
		cmocka_unit_test(test_large),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
