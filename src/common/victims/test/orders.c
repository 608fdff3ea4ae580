/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test orders - with fair sharing, searches that follow the order of their pairs find the
 * same
 *
 * Random worlds are played twice: each search has the queues in an order of its own, and
 * none has (ranking_renew() is replaced at link time). All turns, verdicts and victims
 * must be the same. COHORT_SEEDS=N tries N worlds.
 */
#include "random/draw.h"
#include "random/twice.h"
#include "random/unit_world.h"
#include "victims/ranking.h"

static bool plain;			/* all follow the order of all pairs */
static size_t followed;			/* searches that follow another one */

typeof(ranking_renew) __real_ranking_renew, __wrap_ranking_renew;

void __wrap_ranking_renew(struct search *s)
{
	struct searches *all = s->e->searches;

	all->astray = plain ? 0 : UINT64_MAX / 2;
	__real_ranking_renew(s);
	if (!s->is_ranked || s->ranks == all->ranks)
		return;
	assert_false(plain);
	followed++;
}

static void play(void (*write)(struct text *t, uint64_t seed))
{
	uint64_t worlds;

	followed = 0;
	worlds = twice_play_worlds(200, write, &plain);
	print_message("# %zu searches followed an order of their own\n", followed);
	assert_true(followed > worlds);
}

static void test_same(void **state)
{
	(void) state;
	play(fair_world_write);
}

static void test_same_in_trees(void **state)
{
	(void) state;
	play(tree_world_write);
}

static void test_same_with_units(void **state)
{
	(void) state;
	play(fair_unit_world_write);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_same_in_trees),
		cmocka_unit_test(test_same_with_units),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
