/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test bounds.c - how much is kept, without memory, and what a clock that was set
 * back, held queues and restored sums do
 */
#include <errno.h>

#include "account/test/kept.h"

#define LAB "cohort lab\nqueue a in lab cpu@f=10\nqueue c in lab cpu@f=0\n"

static int fail_at;		/* the number of the call that fails; 0: none */

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static bool is_to_fail(void)
{
	static int calls, at;

	if (at != fail_at)
		calls = 0;
	at = fail_at;
	return at && ++calls == at;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return is_to_fail() ? NULL : __real_calloc(n, size);
}

void *__wrap_malloc(size_t size)
{
	return is_to_fail() ? NULL : __real_malloc(size);
}

/* How many have lent to the queue */
static int lenders(const struct world *world, int queue, int64_t second)
{
	struct account_table *table = engine_account(world->engine, second * SEC);
	int n = 0;

	assert_non_null(table);
	for (size_t i = 0; i < table->n; i++)
		n += table->rows[i].borrower == queue;
	free(table);
	return n;
}

/* Trees of `queues` queues; in the last four, the first one borrows. */
static struct world *trees(int ntrees, int queues)
{
	struct world *world;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (int i = 0; i < ntrees; i++) {
		fprintf(f, "cohort lab%d\n", i);
		for (int k = 0; k < queues; k++)
			fprintf(f, "queue q%d-%d in lab%d cpu@f=1\n", i, k, i);
	}
	for (int i = ntrees > 4 ? ntrees - 4 : 0; i < ntrees; i++)
		fprintf(f, "run x%d in q%d-0 cpu@f=2\n", i, i);
	fclose(f);
	world = begin(text);
	free(text);
	return world;
}

/* The number of sums of all trees together is limited. */
static void test_all_trees(void **state)
{
	const int queues = ACCOUNT_NODES_MAX - 1;
	const int full = (int) (ACCOUNT_SUMS_MAX / ACCOUNT_NODES_MAX / ACCOUNT_NODES_MAX);
	struct world *world = trees(full + 2, queues);

	for (int i = full - 2; i < full + 2; i++)
		assert_int_equal(lent_then(world, false, i * queues + 1, i * queues, 1030) > 0,
				 i < full);
	assert_true(sums_then(world, false, full * queues + 1, 1030).lent > 0);
	assert_int_equal(lenders(world, (full - 1) * queues, 1030), queues - 1);
	assert_int_equal(lenders(world, full * queues, 1030), 0);
	world_destroy(world);
}

/* Whatever is missing: nothing is kept, and all else goes on. */
static void test_no_memory(void **state)
{
	struct world *world = world_create(LAB "cohort lone\nqueue d in lone cpu@f=1\n"
					   "run x in c cpu@f=5\n");

	engine_advance(world_engine(world), 1000 * SEC);
	for (fail_at = 1; engine_keep_account(world->engine) < 0; fail_at++) {
		assert_int_equal(errno, ENOMEM);
		assert_false(engine_account_moves(world->engine));
		assert_null(engine_account(world->engine, 1020 * SEC));
	}
	assert_int_equal(fail_at, 3);
	fail_at = 0;
	tell_at(world, 1010, "run y in c cpu@f=1");
	world_destroy(world);
}

static int set_backs(const struct world *world, int64_t second)
{
	struct account_table *table = engine_account(world->engine, second * SEC);
	int n = (int) table->set_backs;

	free(table);
	return n;
}

static void test_set_back(void **state)
{
	struct world *world = begin(LAB "run x in c cpu@f=5\n");

	engine_advance(world->engine, 1020 * SEC);
	engine_advance(world->engine, 970 * SEC);	/* a minute is no set-back */
	assert_int_equal(set_backs(world, 970), 0);
	engine_advance(world->engine, 500 * SEC);
	assert_int_equal(set_backs(world, 500), 1);
	assert_int_equal(time_of_sums(world), 500 * SEC);
	world_destroy(world);
}

/* A queue that waits, while nothing is in use, moves the account. */
static void test_waiting_moves(void **state)
{
	struct world *world = begin(LAB);

	assert_false(engine_account_moves(world->engine));
	tell_at(world, 1000, "wait w in a cpu=9");
	tell_at(world, 1000, "wait v in a cpu=9");
	assert_true(engine_account_moves(world->engine));
	tell_at(world, 1010, "remove w");
	assert_true(engine_account_moves(world->engine));
	tell_at(world, 1020, "remove v");
	assert_false(engine_account_moves(world->engine));
	world_destroy(world);
	/* not one that is held, */
	world = begin("queue a cpu@f=9 hold\nwait w in a cpu=9\n");
	tell_at(world, 1010, "wait v in a cpu=9");
	assert_false(engine_account_moves(world->engine));
	world_destroy(world);
	/* and those that waited before as well */
	world = begin(LAB "wait w in a cpu=9\n");
	assert_true(engine_account_moves(world->engine));
	tell_at(world, 1020, "remove w");
	assert_false(engine_account_moves(world->engine));
	assert_true(fabs(sums_then(world, false, 0, 1100).idle - 200) < 1e-6);
	world_destroy(world);
}

/* Who lent has rows only where something was borrowed. */
static void test_lenders(void **state)
{
	struct world *world = begin(LAB);

	assert_int_equal(lenders(world, 1, 1010), 0);
	tell_at(world, 1010, "run x in c cpu@f=5");
	assert_int_equal(lenders(world, 1, 1020), 1);
	tell_at(world, 1020, "remove x");
	tell_at(world, 1030, "run y in a cpu@f=5");
	assert_int_equal(lenders(world, 1, 1040), 1);
	assert_int_equal(lenders(world, 0, 1040), 0);
	world_destroy(world);
}

/* What two restored sums make can be restored, too. */
static void test_large_sums(void **state)
{
	struct world *world = begin(LAB);
	struct account_row row = { .borrower = SPEC_NONE, .sums.lent = 1e308 };

	assert_int_equal(engine_restore_account(world->engine, &row), -1);
	row.borrower = 1;
	assert_int_equal(engine_restore_account(world->engine, &row), -1);
	row.sums.lent = 1e20;
	assert_int_equal(engine_restore_account(world->engine, &row), 0);
	world_destroy(world);
	world = begin("queue a cpu@f=9223372036854775807\n");
	assert_true(sums_then(world, false, 0, 1100).nominal == INT64_MAX);
	world_destroy(world);
}

/* A table outlives its engine. Each pair of each node has a row: lab, a, and c. */
static void test_table(void **state)
{
	struct world *world = begin(LAB);
	struct account_table *table;

	tell_at(world, 1010, "run x in a cpu@f=5");
	table = engine_account(world->engine, 1020 * SEC);
	world_destroy(world);
	assert_int_equal(table->n, 3);
	assert_true(table->rows[0].is_cohort);
	assert_int_equal(table->rows[1].sums.own, 50);
	free(table);
}

TESTS(cmocka_unit_test(test_all_trees), cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_set_back), cmocka_unit_test(test_waiting_moves),
      cmocka_unit_test(test_lenders), cmocka_unit_test(test_large_sums),
      cmocka_unit_test(test_table))
