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
		    odds(t, 25) ? " borrow=lower" : "", turns && odds(t, 50) ? " turn=60" : "",
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
		    'a' + (odds(t, 70) ? queues / 2 + pick(t, (queues + 1) / 2) : pick(t, queues)),
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

/* ---- more is in use than there is ---- */

static void over_cohorts_draw(struct text *t, int cohorts)
{
	for (int i = 0; i < cohorts; i++) {
		say(t, "cohort c%d", i);
		if (i)
			say(t, " in c%d", odds(t, 60) ? 0 : pick(t, i));
		say(t, "\n");
	}
}

static void over_queue_draw(struct text *t, int i, int cohorts)
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
static void over_running_draw(struct text *t, int running, int queues)
{
	int same = odds(t, 50) ? 90 : 10, queue = 0;

	for (int i = 0; i < running; i++) {
		queue = i % 2 && odds(t, same) ? queue : pick(t, queues);
		say(t, "run r%d in %c cpu@f=%d mem@f=%d prio=%d since=%d", i, 'a' + queue,
		    1 + pick(t, 4), pick(t, 4), pick(t, 4), 1 + pick(t, 90));
		say(t, odds(t, 5) ? " evicting\n" : "\n");
	}
}

static void over_world_draw(struct text *t, uint64_t seed, bool fair)
{
	int cohorts, queues, running;

	text_begin(t, seed);
	if (fair)
		say(t, "site fair\n");
	cohorts = odds(t, fair ? 20 : 60) ? 1 : 2 + pick(t, 3);
	queues = 3 + pick(t, 7);
	running = 20 + pick(t, 24);
	over_cohorts_draw(t, cohorts);
	for (int i = 0; i < queues; i++)
		over_queue_draw(t, i, cohorts);
	over_running_draw(t, running, queues);
	for (int i = 0; i < 2 * queues; i++)
		say(t, "wait w%d in %c cpu=%d mem=%d prio=%d at=%d\n", i, 'a' + i % queues,
		    1 + pick(t, 5), pick(t, 4), pick(t, 6), pick(t, 9));
	for (int i = 0; i + 1 < running; i += 2)
		say(t, "unit r%d r%d\n", i, i + 1);
}

void fair_over_unit_world_write(struct text *t, uint64_t seed)
{
	over_world_draw(t, seed, true);
}

void over_unit_world_write(struct text *t, uint64_t seed)
{
	over_world_draw(t, seed, false);
}

/* ---- min-runtimes, turns and exemptions ---- */

static void timed_queue_draw(struct text *t, int i)
{
	say(t, "queue %c in top within=lower reclaim=%s cpu@f=%d", 'a' + i,
	    odds(t, 60) ? "any" : "lower", pick(t, 3));
	if (odds(t, 30))
		say(t, " rmin=%d", pick(t, 120));
	if (odds(t, 30))
		say(t, " pmin=%d", pick(t, 120));
	if (odds(t, 30))
		say(t, " turn=%d", pick(t, 120));
	say(t, "\n");
}

/* Units of two or three jobs, in one queue or in several; min-runtimes, turns and exemptions */
void timed_unit_world_write(struct text *t, uint64_t seed)
{
	int queues, jobs;

	text_begin(t, seed);
	if (odds(t, 50))
		say(t, "site reclaim=%d\n", 1 + pick(t, 90));
	if (odds(t, 50))
		say(t, "site preempt=%d\n", 1 + pick(t, 90));
	say(t, "cohort top cpu@f=%d\n", pick(t, 20));
	queues = 2 + pick(t, 5);
	for (int i = 0; i < queues; i++)
		timed_queue_draw(t, i);
	jobs = 4 + pick(t, 16);
	for (int i = 0; i < jobs; i++) {
		say(t, "run r%d in %c cpu@f=%d prio=%d since=%d", i,
		    'a' + pick(t, queues), 1 + pick(t, 3), pick(t, 2), 1 + pick(t, 120));
		say(t, odds(t, 15) ? " exempt=%d\n" : "\n", 80 + pick(t, 150));
	}
	for (int i = 0; i + 2 < jobs; i += 2) {
		if (odds(t, 70))
			say(t, "unit r%d r%d\n", i, i + 1);
		if (odds(t, 10))
			say(t, "unit r%d r%d\n", i, i + 2);
	}
	for (int i = 0; i < queues; i++)
		say(t, "wait w%d in %c cpu=1 prio=%d\n", i, 'a' + i, pick(t, 3));
}
