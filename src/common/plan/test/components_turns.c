/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test components.c - jobs with components that go one after the other, without a cycle each
 *
 * Random worlds with many such jobs are planned twice: as they are, and with a whole cycle for
 * each (components_go_on() is replaced at link time). All verdicts and victims must be the
 * same. COHORT_SEEDS=N tries N worlds.
 */
#include "plan/components.h"
#include "random/draw.h"
#include "random/twice.h"

static bool plain;			/* each has a whole cycle */
static bool goes_on;			/* there is none now */
static size_t went, failed;		/* without one: how many jobs did */

int __real_components_go_on(struct plan *p);
int __wrap_components_go_on(struct plan *p);
int __real_components_try(struct plan *p, const struct entry *first,
			  struct workload **failing, struct verdict *verdict);
int __wrap_components_try(struct plan *p, const struct entry *first,
			  struct workload **failing, struct verdict *verdict);

int __wrap_components_go_on(struct plan *p)
{
	int rc;

	if (plain)
		return 0;
	goes_on = true;
	rc = __real_components_go_on(p);
	goes_on = false;
	return rc;
}

int __wrap_components_try(struct plan *p, const struct entry *first,
			  struct workload **failing, struct verdict *verdict)
{
	int rc = __real_components_try(p, first, failing, verdict);

	went += goes_on && rc == COMPONENTS_MOVED;
	failed += goes_on && rc == 0;
	return rc;
}

/* Jobs of two or three components, of which some are in the same queue */
static void bonds_say(struct text *t, int first, int n)
{
	for (int i = first; i + 1 < first + n; i += 2) {
		say(t, "together w%d w%d\n", i, i + 1);
		if (odds(t, 20) && i + 2 < first + n) {
			say(t, "together w%d w%d\n", i, i + 2);
			i++;
		}
	}
}

static void queue_say(struct text *t, int i, int cohorts)
{
	static const char *const policies[] = { "never", "lower", "newer", "any", "any" };

	say(t, "queue %c in c%d within=%s reclaim=%s%s", 'a' + i,
	    pick(t, cohorts), odds(t, 70) ? "lower" : "never",
	    policies[pick(t, 5)], odds(t, 15) ? " strict" : "");
	if (odds(t, 3))
		say(t, " turn=%d", 50 + pick(t, 60));
	if (odds(t, 3))
		say(t, " usage");
	say(t, " cpu@f=%d", 4 + pick(t, 14));
	if (odds(t, 15))
		say(t, "-%d", pick(t, 6));
	if (odds(t, 15))
		say(t, " cpu@g=%d", pick(t, 9));
	say(t, "\n");
}

static void together_world_write(struct text *t, uint64_t seed)
{
	int cohorts, queues, running, waiting;
	bool units;

	text_begin(t, seed);
	if (odds(t, 10))
		say(t, "site reclaim=%d\n", 50 + pick(t, 60));
	cohorts = odds(t, 60) ? 1 : 2 + pick(t, 3);
	for (int i = 0; i < cohorts; i++)
		say(t, i ? "cohort c%d in c%d\n" : "cohort c%d\n", i, pick(t, i ? i : 1));
	queues = 2 + pick(t, 9);
	for (int i = 0; i < queues; i++)
		queue_say(t, i, cohorts);
	running = pick(t, 30);
	waiting = 6 + pick(t, 22);
	units = odds(t, 20);
	for (int i = 0; i < running; i++)
		say(t, "run r%d in %c cpu@f=%d prio=%d since=%d%s\n", i,
		    'a' + pick(t, queues), 1 + pick(t, 9), pick(t, 3),
		    1 + pick(t, 90), odds(t, 5) ? " evicting" : "");
	for (int i = 0; units && i + 1 < running; i += 2)
		say(t, "unit r%d r%d\n", i, i + 1);
	for (int i = 0; i < waiting; i++) {
		say(t, "wait w%d in %c cpu=%d prio=%d at=%d", i,
		    'a' + pick(t, queues), 1 + pick(t, odds(t, 10) ? 30 : 4),
		    pick(t, 3), pick(t, 9));
		say(t, odds(t, 8) ? " tasks=%d\n" : "\n", 2 + pick(t, 4));
	}
	bonds_say(t, 0, waiting - pick(t, 5));
	if (odds(t, 8))
		say(t, "blocked w%d\n", pick(t, waiting));
}

static void test_same(void **state)
{
	uint64_t worlds = twice_play_worlds(1000, together_world_write, &plain);

	(void) state;
	print_message("# %zu jobs went without a cycle, %zu did not, in %d worlds\n",
		      went, failed, (int) worlds);
	assert_true(went > worlds && failed > worlds / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
