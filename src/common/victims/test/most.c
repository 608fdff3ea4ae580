/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test most - a search that is not made would have failed
 *
 * Random worlds, most of them trees that use more than their quota, are played twice: as
 * they are, and with each search made (most_is_too_little() is replaced at link
 * time). All turns, verdicts and victims must be the same. Each cycle begins with many
 * looks in vain, so that sums are made in small worlds. COHORT_SEEDS=N tries N worlds of
 * each kind.
 */
#include "candidates/fronts.h"
#include "random/draw.h"
#include "random/over_world.h"
#include "random/twice.h"
#include "victims/most.h"

static bool plain;			/* each search is made */
static size_t told;			/* how many were not, */
static size_t attempts;			/* and how many might have been */

typeof(most_is_too_little) __real_most_is_too_little, __wrap_most_is_too_little;
typeof(fronts_begin) __real_fronts_begin, __wrap_fronts_begin;

bool __wrap_most_is_too_little(struct search *s, bool others)
{
	bool is = !plain && __real_most_is_too_little(s, others);

	attempts += !plain;
	told += is;
	return is;
}

void __wrap_fronts_begin(struct engine *e, const struct tree *tree, int64_t now)
{
	__real_fronts_begin(e, tree, now);
	e->searches->vain = UINT64_MAX / 2;
}

/* ---- trees that use more than their quota ---- */

static void queue_draw(struct text *t, int i, int cohorts)
{
	static const char *const policies[] = { "lower", "any", "newer" };

	say(t, "queue %c in c%d within=%s reclaim=%s", 'a' + i, pick(t, cohorts),
	    odds(t, 50) ? "never" : policies[pick(t, 3)],
	    policies[pick(t, odds(t, 40) ? 3 : 2)]);
	if (odds(t, 70))
		say(t, " borrow=lower");
	if (odds(t, 10))
		say(t, " threshold=%d", pick(t, 4));
	if (odds(t, 6))
		say(t, " turn=%d", 50 + pick(t, 60));
	if (odds(t, 5))
		say(t, " hold");
	for (int k = 0; k < 2; k++) {
		say(t, " %s=%d", k ? "mem@f" : "cpu@f", pick(t, 9));
		if (odds(t, 10))
			say(t, "+%d", pick(t, 9));
		if (odds(t, 20))
			say(t, "-%d", pick(t, 5));
	}
	say(t, "\n");
}

static void running_draw(struct text *t, int i, int queues)
{
	say(t, "run r%d in %c cpu@f=%d", i, 'a' + pick(t, queues),
	    1 + pick(t, 5));
	if (odds(t, 60))
		say(t, " mem@f=%d", pick(t, 5));
	say(t, " prio=%d since=%d", pick(t, 4), 1 + pick(t, 90));
	if (odds(t, 15))
		say(t, " exempt=%d", 80 + pick(t, 50));
	if (odds(t, 5))
		say(t, " evicting");
	say(t, "\n");
}

static void over_world_write(struct text *t, uint64_t seed)
{
	static const struct over_world kind = {
		.queue_draw = queue_draw, .running_draw = running_draw,
		.runtimes = 10, .units = 30, .most_cpus = 3,
	};

	over_world_draw(t, seed, &kind);
}

static void play(void (*write)(struct text *t, uint64_t seed), uint64_t part)
{
	told = attempts = 0;
	(void) twice_play_worlds(400, write, &plain);
	print_message("# %zu of %zu attempts were not made\n", told, attempts);
	assert_true(told > attempts / part);
}

static void test_same_over(void **state)
{
	(void) state;
	play(over_world_write, 5);
}

static void test_same_in_trees(void **state)
{
	(void) state;
	play(tree_world_write, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_over),
		cmocka_unit_test(test_same_in_trees),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
