/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test copy.c - what is stored of the account, and what is copied of it
 *
 * Seeds are fixed; COHORT_SEEDS=N in the environment tries N of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "account/keep.h"
#include "account/test/kept.h"
#include "random/draw.h"

#define STEPS 60
#define QUEUES 9
#define COHORTS 5

static unsigned int seed;

static int pick(int n)
{
	seed = seed * 1103515245 + 12345;
	return (int) ((seed >> 16) % (unsigned int) n);
}

static void say_quota(FILE *f)
{
	for (int r = 0; r < 2; r++) {
		if (!pick(3))
			continue;
		fprintf(f, " %s@f=%d", r ? "mem" : "cpu", pick(20));
		if (!pick(3))
			fprintf(f, "-%d", pick(10));
	}
	fprintf(f, "\n");
}

static struct world *world_of(unsigned int number)
{
	struct world *world;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	seed = number;
	fprintf(f, "cohort c0");
	say_quota(f);
	for (int i = 1; i < COHORTS; i++) {
		fprintf(f, "cohort c%d in c%d", i, pick(i));
		say_quota(f);
	}
	for (int i = 0; i < QUEUES; i++) {
		fprintf(f, "queue q%d in c%d", i, pick(COHORTS));
		say_quota(f);
	}
	fprintf(f, "period q1 cpu@f=50 from=1030000000000 until=1060000000000\n");
	fclose(f);
	world = begin(text);
	free(text);
	return world;
}

static void keep_all(struct world *world)
{
	struct account *a = world->engine->account;

	for (size_t i = 0; i < a->cells.frame->nnodes; i++) {
		for (size_t p = 0; p < a->cells.frame->npairs; p++)
			assert_non_null(account_keep_cell(a, (int) i, (int) p));
	}
}

/* Both worlds see the same. */
static void event(struct world *x, struct world *y)
{
	struct account *of[] = { x->engine->account, y->engine->account };
	const struct books *b = x->engine->books;
	int node = (int) b->ncohorts + pick(QUEUES);
	int pair = pick((int) b->npairs), what = pick(3);
	int64_t usage = books_cell(b, node, pair)->usage;
	int64_t amount = 1 + pick(12);
	bool waits = pick(2);

	for (int i = 0; i < 2; i++) {
		struct engine *e = i ? y->engine : x->engine;

		if (!what)
			account_set_waits(of[i], node, waits);
		else if (what == 1)
			books_add(e->books, node, pair, amount);
		else if (usage)
			books_remove(e->books, node, pair,
				     amount < usage ? amount : usage);
	}
}

static bool near(double x, double y)
{
	return fabs(x - y) <= 1e-9 * (1 + fabs(y));
}

static void sums_equal(const struct account_sums *x,
		       const struct account_sums *y)
{
	if (x->nominal != y->nominal || x->own != y->own
	    || x->borrowed != y->borrowed || !near(x->lent, y->lent)
	    || !near(x->shared, y->shared) || !near(x->idle, y->idle))
		fail_msg("nominal %ld %ld own %ld %ld borrowed %ld %ld lent %g %g shared %g %g idle %g %g",
			 (long) x->nominal, (long) y->nominal, (long) x->own,
			 (long) y->own, (long) x->borrowed, (long) y->borrowed,
			 x->lent, y->lent, x->shared, y->shared, x->idle,
			 y->idle);
}

/* A queue borrows so much from the lender. */
struct between_want {
	struct world *world;
	int queue;
	double total;
};

static void lender_is(void *arg, bool is_cohort, int lender, int flavor,
		      int resource, double sum)
{
	struct between_want *want = arg;

	assert_true(near(sum, engine_account_between(
				 want->world->engine, is_cohort, lender,
				 want->queue, flavor, resource)));
	want->total += sum;
}

static double all_lent(struct world *world, int queue)
{
	double total = 0;

	for (int r = 0; r < 2; r++) {
		for (int i = 0; i < COHORTS; i++)
			total += engine_account_between(world->engine, true, i,
							queue, 0, r);
		for (int i = 0; i < QUEUES; i++)
			total += engine_account_between(world->engine, false, i,
							queue, 0, r);
	}
	return total;
}

/* dense: all cells are stored; copy: of the sparse one */
static void compare(struct world *sparse, struct world *dense,
		    struct account_copy *copy, int64_t now, int64_t at)
{
	for (int i = 0; i < COHORTS + QUEUES; i++) {
		bool is_cohort = i < COHORTS;
		int node = is_cohort ? i : i - COHORTS;

		for (int r = 0; r < 2; r++) {
			struct account_sums x, y, z;

			if (!engine_account(sparse->engine, is_cohort, node, 0,
					    r, at, &x))
				continue;
			assert_true(engine_account(dense->engine, is_cohort,
						   node, 0, r, at, &y));
			assert_true(account_copy_sums(copy, is_cohort, node, 0,
						      r, at, &z));
			sums_equal(&x, &y);
			sums_equal(&x, &z);
		}
	}
	engine_account_date(dense->engine, now);
	for (int q = 0; q < QUEUES; q++) {
		struct between_want want = { dense, q, 0 };

		account_copy_lenders(copy, q, now, lender_is, &want);
		assert_true(near(want.total, all_lent(dense, q)));
	}
}

static void play(unsigned int number)
{
	struct world *sparse = world_of(number), *dense = world_of(number);
	struct account_copy *copy = NULL;
	int64_t now = 1000;

	keep_all(dense);
	for (int i = 0; i < STEPS; i++) {
		now += pick(4);
		if (!pick(20))		/* the clock is set back */
			now -= 100;
		engine_advance(sparse->engine, now * SEC);
		engine_advance(dense->engine, now * SEC);
		now = sparse->engine->account->now
		      - sparse->engine->account->cells.skew;
		now /= SEC;
		event(sparse, dense);
		if (pick(4))
			continue;
		assert_int_equal(engine_account_copy(sparse->engine, &copy), 0);
		compare(sparse, dense, copy, now * SEC,
			(now + pick(3)) * SEC);
	}
	assert_true(sparse->engine->account->cells.ncells
		    <= dense->engine->account->cells.ncells);
	world_destroy(sparse);
	world_destroy(dense);
	account_copy_destroy(copy);	/* later than its engine */
}

static void test_random(void **state)
{
	unsigned int n = (unsigned int) seeds_wanted(300);

	(void) state;
	for (unsigned int i = 1; i <= n; i++)
		play(i);
}

/* ---- how much ---- */

#define MANY 2000

static struct world *many(void)
{
	struct world *world;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "cohort lab\n");
	for (int i = 0; i < MANY; i++)
		fprintf(f, "queue q%d in lab cpu@f=10 mem@f=10 cpu@g=10 mem@g=10\n",
			i);
	fclose(f);
	world = begin(text);
	free(text);
	return world;
}

/* What was never in use is not stored, also when it was restored. */
static void test_few_stored(void **state)
{
	struct world *world = many();
	const struct account_cells *t = &world->engine->account->cells;
	const struct account_sums past = { .nominal = 1000 };
	struct account_sums s;

	(void) state;
	assert_int_equal(t->ncells, 0);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(engine_restore_account(
			world->engine, false, i, 1, 1, &past), 0);
	assert_int_equal(t->ncells, 0);
	tell_at(world, 1010, "run x in q7 cpu@f=20");
	assert_int_equal(t->ncells, 2);
	assert_true(engine_account(world->engine, false, 7, 1, 1, 1010 * SEC,
				   &s));
	assert_int_equal(s.nominal, 1100);
	world_destroy(world);
}

/* Idle quota of those that wait follows from how long they wait, as long as nothing
 * is lent. */
static void test_waits_are_not_stored(void **state)
{
	struct world *world = many();
	const struct account_cells *t = &world->engine->account->cells;
	struct account_sums s;

	(void) state;
	for (int i = 0; i < MANY; i++)
		account_set_waits(world->engine->account, 1 + i, true);
	engine_advance(world->engine, 1010 * SEC);
	for (int i = 0; i < MANY; i++)
		account_set_waits(world->engine->account, 1 + i, i % 2);
	assert_int_equal(t->ncells, 0);
	assert_true(engine_account(world->engine, false, 6, 1, 1, 1030 * SEC,
				   &s));
	assert_true(near(s.idle, 100));
	assert_true(engine_account(world->engine, false, 7, 1, 1, 1030 * SEC,
				   &s));
	assert_true(near(s.idle, 300));
	world_destroy(world);
}

/* What a copy may be reading is not written. */
static void test_restored_late(void **state)
{
	struct world *world = many();
	const struct account_sums past = { .nominal = 1000 };
	struct account_copy *copy = NULL;
	struct account_sums s;

	(void) state;
	assert_int_equal(engine_account_copy(world->engine, &copy), 0);
	assert_int_equal(engine_restore_account(world->engine, false, 7, 1, 1,
						&past), 0);
	assert_true(account_copy_sums(copy, false, 7, 1, 1, 1000 * SEC, &s));
	assert_int_equal(s.nominal, 0);
	assert_int_equal(engine_account_copy(world->engine, &copy), 0);
	assert_true(account_copy_sums(copy, false, 7, 1, 1, 1000 * SEC, &s));
	assert_int_equal(s.nominal, 1000);
	account_copy_destroy(copy);
	world_destroy(world);
}

/* More than 64 bits hold: both lend in equal parts all the same. */
static void test_without_bound(void **state)
{
	struct world *world = begin("cohort lab\n"
		"queue a in lab cpu@f=9223372036854775807\n"
		"queue b in lab cpu@f=9223372036854775807\n"
		"queue c in lab cpu@f=0\n");
	struct account_sums s;

	(void) state;
	tell_at(world, 1000, "run x in c cpu@f=10");
	for (int i = 0; i < 2; i++) {
		assert_true(engine_account(world->engine, false, i, 0, 0,
					   1010 * SEC, &s));
		assert_true(near(s.lent, 50));
		assert_true(s.nominal == INT64_MAX);
	}
	world_destroy(world);
}

/* The copy of an engine that is gone becomes that of a new one. */
static void test_new_engine(void **state)
{
	struct world *world = many(), *other = many();
	struct account_copy *copy = NULL;
	struct account_sums s;

	(void) state;
	tell_at(world, 1010, "run x in q7 cpu@f=20");
	assert_int_equal(engine_account_copy(world->engine, &copy), 0);
	world_destroy(world);
	assert_int_equal(engine_account_copy(other->engine, &copy), 0);
	assert_true(account_copy_sums(copy, false, 7, 0, 0, 1020 * SEC, &s));
	assert_int_equal(s.own, 0);
	account_copy_destroy(copy);
	world_destroy(other);
}

static void test_none(void **state)
{
	struct world *world = world_create("queue a cpu@f=1\n");
	struct account_copy *copy = NULL;

	(void) state;
	assert_int_equal(engine_account_copy(world_engine(world), &copy), -1);
	assert_null(copy);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_few_stored),
		cmocka_unit_test(test_waits_are_not_stored),
		cmocka_unit_test(test_restored_late),
		cmocka_unit_test(test_without_bound),
		cmocka_unit_test(test_new_engine),
		cmocka_unit_test(test_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
