/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test row - victims that are told as a part of a row are those of a list
 *
 * Random worlds, most of them trees that use more than their quota, are played twice: as
 * they are, and with a list for each head (row_suits() is replaced at link time). All
 * turns, nominated victims, verdicts and victims must be the same. Each cycle begins as if
 * lists had been long, so that there are rows in small worlds. COHORT_SEEDS=N tries N
 * worlds of each kind.
 */
#include "candidates/fronts.h"
#include "candidates/row.h"
#include "random/draw.h"
#include "random/over_world.h"
#include "random/twice.h"

static bool plain;			/* each has a list */
static size_t told, put_back;		/* how many were told by a row, and how many of
					 * these put some back; */
static size_t asked;			/* and how many might have been */

typeof(row_suits) __real_row_suits, __wrap_row_suits;
typeof(row_find) __real_row_find, __wrap_row_find;
typeof(fronts_begin) __real_fronts_begin, __wrap_fronts_begin;

bool __wrap_row_suits(const struct search *s)
{
	asked += !plain;
	return !plain && __real_row_suits(s);
}

bool __wrap_row_find(struct search *s, const struct row *row)
{
	bool found = __real_row_find(s, row);

	told += found;
	put_back += found && s->pick->nback;
	return found;
}

void __wrap_fronts_begin(struct engine *e, const struct tree *tree, int64_t now)
{
	__real_fronts_begin(e, tree, now);
	e->searches->listed = UINT64_MAX / 2;
}

/* ---- trees that use more than their quota ---- */

/* Every second queue hardly runs anything. */
static void queue_draw(struct text *t, int i, int cohorts)
{
	static const char *const policies[] = { "any", "lower", "newer" };

	say(t, "queue %c in c%d within=%s reclaim=%s", 'a' + i, pick(t, cohorts),
	    odds(t, 50) ? "never" : policies[pick(t, 3)],
	    policies[odds(t, 70) ? 0 : pick(t, 3)]);
	if (odds(t, 15))
		say(t, " borrow=lower");
	if (odds(t, 5))
		say(t, " turn=%d", 50 + pick(t, 60));
	if (odds(t, 3))
		say(t, " hold");
	for (int k = 0; k < 2; k++) {
		say(t, " %s=%d", k ? "mem@f" : "cpu@f",
		    i % 2 ? 4 + pick(t, 9) : pick(t, 7));
		if (odds(t, 10))
			say(t, "+%d", pick(t, 9));
		if (odds(t, 12))
			say(t, "-%d", pick(t, 5));
	}
	say(t, "\n");
}

static void any_running_draw(struct text *t, int i, int queues, int evicting)
{
	int queue = pick(t, queues);

	if (queue % 2 && odds(t, 85))
		queue--;
	say(t, "run r%d in %c cpu@f=%d", i, 'a' + queue, 1 + pick(t, 5));
	if (odds(t, 60))
		say(t, " mem@f=%d", pick(t, 5));
	say(t, " prio=%d since=%d", pick(t, 4), 1 + pick(t, 90));
	if (odds(t, 10))
		say(t, " exempt=%d", 80 + pick(t, 50));
	if (odds(t, 2))
		say(t, " elastic=1 needs=1");
	if (odds(t, evicting))
		say(t, " evicting");
	say(t, "\n");
}

static void running_draw(struct text *t, int i, int queues)
{
	any_running_draw(t, i, queues, 12);
}

/* With fair sharing there are no rows while any is on its way out. */
static void fair_running_draw(struct text *t, int i, int queues)
{
	any_running_draw(t, i, queues, 1);
}

static void over_world_write(struct text *t, uint64_t seed)
{
	static const struct over_world kind = {
		.queue_draw = queue_draw, .running_draw = running_draw,
		.runtimes = 5, .owners = 50, .units = 10, .most_cpus = 4,
	};

	over_world_draw(t, seed, &kind);
}

static void over_fair_world_write(struct text *t, uint64_t seed)
{
	static const struct over_world kind = {
		.queue_draw = queue_draw, .running_draw = fair_running_draw,
		.runtimes = 5, .owners = 10, .units = 10, .most_cpus = 4,
		.fair = true,
	};

	over_world_draw(t, seed, &kind);
}

static void play(void (*write)(struct text *t, uint64_t seed), uint64_t part)
{
	told = asked = put_back = 0;
	(void) twice_play_worlds(200, write, &plain);
	print_message("# %zu of %zu attempts were told by a row, %zu put some"
		      " back\n", told, asked, put_back);
	assert_true(told > asked / part);
}

static void test_same_over(void **state)
{
	(void) state;
	play(over_world_write, 20);
	assert_true(put_back > told / 20);
}

static void test_same_over_fair(void **state)
{
	(void) state;
	play(over_fair_world_write, 50);
	assert_true(put_back > told / 20);
}

static void test_same_in_trees(void **state)
{
	(void) state;
	play(tree_world_write, 200);
}

static void test_same_in_long_queues(void **state)
{
	(void) state;
	play(long_world_write, 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_over),
		cmocka_unit_test(test_same_over_fair),
		cmocka_unit_test(test_same_in_trees),
		cmocka_unit_test(test_same_in_long_queues),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
