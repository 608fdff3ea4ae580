/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit_world.c - random trees in which most jobs are evicted with another one
 */
#include "random/unit_world.h"

static const char *policy_draw(struct text *t, bool lower)
{
	static const char *const policies[] = { "lower", "newer", "never", "any" };

	return policies[lower ? 0 : pick(t, 4)];
}

static int tree_draw(struct text *t)
{
	int cohorts = 1 + pick(t, 3), queues = 4 + pick(t, 8);
	bool lower = odds(t, 60), turns = odds(t, 15), runtimes = odds(t, 20);

	for (int i = 0; i < cohorts; i++) {
		say(t, "cohort c%d", i);
		if (i)
			say(t, " in c%d", pick(t, i));
		say(t, "\n");
	}
	for (int i = 0; i < queues; i++) {
		say(t, "queue %c in c%d", 'a' + i, pick(t, cohorts));
		say(t, " within=%s", policy_draw(t, lower));
		say(t, " reclaim=%s%s%s%s", policy_draw(t, lower),
		    odds(t, 25) ? " borrow=lower" : "",
		    turns && odds(t, 50) ? " turn=60" : "",
		    runtimes && odds(t, 50) ? " rmin=60" : "");
		say(t, " cpu@f=%d mem@f=%d\n", 4 + pick(t, 7), 6 + pick(t, 6));
	}
	return queues;
}

/* The first half of the queues borrow from the others. */
static void running_draw(struct text *t, int queues, int n)
{
	for (int i = 0; i < n; i++) {
		int borrows = odds(t, 60);

		say(t, "run r%d in %c cpu@f=%d mem@f=%d prio=%d since=%d", i,
		    'a' + pick(t, borrows ? (queues + 1) / 2 : queues),
		    1 + pick(t, 4), 1 + pick(t, 3), pick(t, 3), 1 + pick(t, 90));
		if (odds(t, 45))
			say(t, " exempt=%d", odds(t, 5) ? -1 : 60 + pick(t, 60));
		say(t, "%s\n", odds(t, 6) ? " evicting" : "");
	}
	for (int i = 0; i + 1 < n; i += 2) {
		if (odds(t, 85))
			say(t, "unit r%d r%d\n", i, i + 1);
	}
}

static void world_draw(struct text *t)
{
	int queues = tree_draw(t);

	running_draw(t, queues, 12 + pick(t, 30));
	for (int i = 10 + pick(t, 20); i > 0; i--)
		say(t, "wait w%d in %c cpu=%d mem=%d prio=%d at=%d\n", i,
		    'a' + (odds(t, 70) ? queues / 2 + pick(t, (queues + 1) / 2)
				       : pick(t, queues)),
		    1 + pick(t, 6), pick(t, 4), pick(t, 5), pick(t, 40));
}

void unit_world_write(struct text *t, uint64_t seed)
{
	text_begin(t, seed);
	world_draw(t);
}

void fair_unit_world_write(struct text *t, uint64_t seed)
{
	text_begin(t, seed);
	say(t, "site fair\n");
	world_draw(t);
}
