/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test units - jobs that are evicted two by two, where more is in use than there is
 *
 * Random worlds are played twice: as they are; and with fair sharing each search opens all
 * queues (ranking_renew() is replaced at link time). All turns, verdicts and victims must be the same. COHORT_SEEDS=N
 * tries N worlds of each kind.
 */
#include "random/draw.h"
#include "random/twice.h"
#include "victims/ranking.h"

static bool plain;
static size_t ranked;			/* searches that had a ranking */

typeof(ranking_renew) __real_ranking_renew, __wrap_ranking_renew;

void __wrap_ranking_renew(struct search *s)
{
	if (plain)
		return;
	__real_ranking_renew(s);
	ranked += s->is_ranked;
}

static void cohorts_draw(struct text *t, int cohorts)
{
	for (int i = 0; i < cohorts; i++) {
		say(t, "cohort c%d", i);
		if (i)
			say(t, " in c%d", odds(t, 60) ? 0 : pick(t, i));
		say(t, "\n");
	}
}

static void queue_draw(struct text *t, int i, int cohorts)
{
	say(t, "queue %c in c%d within=%s reclaim=%s%s", 'a' + i, pick(t, cohorts),
	    odds(t, 60) ? "never" : "lower", odds(t, 80) ? "any" : "lower",
	    odds(t, 85) ? " borrow=lower" : "");
	for (int k = 0; k < 2; k++) {
		say(t, " %s=%d", k ? "mem@f" : "cpu@f", pick(t, 9));
		if (odds(t, 15))
			say(t, "-%d", pick(t, 5));
	}
	say(t, "\n");
}

/* Pairs of jobs, most of them of one queue, or of any */
static void running_draw(struct text *t, int running, int queues)
{
	int same = odds(t, 50) ? 90 : 10, queue = 0;

	for (int i = 0; i < running; i++) {
		queue = i % 2 && odds(t, same) ? queue : pick(t, queues);
		say(t, "run r%d in %c cpu@f=%d mem@f=%d prio=%d since=%d", i, 'a' + queue,
		    1 + pick(t, 4), pick(t, 4), pick(t, 4), 1 + pick(t, 90));
		say(t, odds(t, 5) ? " evicting\n" : "\n");
	}
}

static void units_world_draw(struct text *t, uint64_t seed, bool fair)
{
	int cohorts, queues, running;

	text_begin(t, seed);
	if (fair)
		say(t, "site fair\n");
	cohorts = odds(t, fair ? 20 : 60) ? 1 : 2 + pick(t, 3);
	queues = 3 + pick(t, 7);
	running = 20 + pick(t, 24);
	cohorts_draw(t, cohorts);
	for (int i = 0; i < queues; i++)
		queue_draw(t, i, cohorts);
	running_draw(t, running, queues);
	for (int i = 0; i < 2 * queues; i++)
		say(t, "wait w%d in %c cpu=%d mem=%d prio=%d at=%d\n", i, 'a' + i % queues,
		    1 + pick(t, 5), pick(t, 4), pick(t, 6), pick(t, 9));
	for (int i = 0; i + 1 < running; i += 2)
		say(t, "unit r%d r%d\n", i, i + 1);
}

static void fair_units_write(struct text *t, uint64_t seed)
{
	units_world_draw(t, seed, true);
}

static void units_write(struct text *t, uint64_t seed)
{
	units_world_draw(t, seed, false);
}

/* Once a unit has left, a cohort is not refused as a whole. */
static void test_same_fair(void **state)
{
	uint64_t worlds = twice_play_worlds(400, fair_units_write, &plain);

	(void) state;
	assert_true(ranked > worlds);
}

static void test_same(void **state)
{
	(void) state;
	(void) twice_play_worlds(200, units_write, &plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_fair),
		cmocka_unit_test(test_same),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
