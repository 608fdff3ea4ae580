/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_world.c - random trees of cohorts, with what runs and waits in them
 */
#include "random/tree_world.h"

static bool has_elastic;		/* in this world jobs are of elastic groups, */
static bool has_exempt;			/* or the caller exempts them; */
static bool has_lower;			/* most queues reclaim by priority */

static const char *one_of(struct text *t, const char *const *words, int n)
{
	return words[pick(t, n)];
}

static void queue_draw(struct text *t, int i, int cohorts)
{
	static const char *const within[] = {
		"never", "lower", "lower", "newer", "any"
	};
	static const char *const reclaim[] = {
		"never", "lower", "newer", "any", "any"
	};
	const char *policy = one_of(t, reclaim, 5);

	say(t, "queue %c", 'a' + i);
	if (odds(t, 95))
		say(t, " in c%d", pick(t, cohorts));
	say(t, " within=%s reclaim=%s weight=%d%s", one_of(t, within, 5),
	    policy, pick(t, 3), odds(t, 30) ? " strict" : "");
	if (strcmp(policy, "never") && odds(t, 35))
		say(t, " borrow=lower");
	if (strcmp(policy, "never") && odds(t, 10))
		say(t, " threshold=%d", pick(t, 3));
	if (odds(t, 5))
		say(t, " rmin=%d", 50 + pick(t, 60));
	if (odds(t, 5))
		say(t, " pmin=%d", 50 + pick(t, 60));
	if (odds(t, 5))
		say(t, " turn=%d", 50 + pick(t, 60));
	if (odds(t, has_exempt ? 20 : 4))
		say(t, " max=1");
	if (odds(t, 3))
		say(t, " hold");
	if (odds(t, 20))
		say(t, " canborrow=next");
	if (odds(t, 20))
		say(t, " canpreempt=stop");
	quota_say(t, "cpu@f");
	quota_say(t, "mem@f");
	if (!i || odds(t, 40)) {
		quota_say(t, "cpu@g");
		quota_say(t, "mem@g");
	}
	say(t, "\n");
}

/* A chain of cohorts, or a bush, some with quota of their own */
static int cohorts_draw(struct text *t)
{
	int n = 1 + pick(t, 5);
	bool chain = odds(t, 40);

	for (int i = 0; i < n; i++) {
		say(t, "cohort c%d", i);
		if (i && odds(t, 92))
			say(t, " in c%d", chain ? i - 1 : pick(t, i));
		if (odds(t, 25))
			quota_say(t, odds(t, 50) ? "cpu@f" : "mem@f");
		say(t, "\n");
	}
	return n;
}

static void terms_say(struct text *t)
{
	if (has_elastic && odds(t, 70))
		say(t, " elastic=%d needs=%d", 1 + pick(t, 2), pick(t, 4));
	if (odds(t, has_exempt ? 80 : 1))
		say(t, " exempt=%d", odds(t, 5) ? -1 : 80 + pick(t, 50));
	if (has_exempt && odds(t, 10))
		say(t, " times=1");
}

/* Only a min-runtime tells elastic jobs from others. */
static void terms_draw(struct text *t)
{
	has_exempt = odds(t, 15);
	has_elastic = odds(t, 20);
	if (has_elastic)
		say(t, "site reclaim=%d\nsite preempt=%d\n", 20 + pick(t, 90), 20 + pick(t, 90));
}

static void running_draw(struct text *t, int i, int queues)
{
	const char *flavor = odds(t, 85) ? "f" : "g";

	say(t, "run r%d in %c", i, 'a' + pick(t, queues));
	say(t, " cpu@%s=%d", flavor, pick(t, 14));
	if (odds(t, 60))
		say(t, " mem@%s=%d", flavor, pick(t, 14));
	say(t, " prio=%d since=%d", pick(t, 3), 1 + pick(t, 90));
	if (odds(t, 20))
		say(t, " cost=%d", pick(t, 2));
	if (odds(t, 8))
		say(t, " evicting");
	terms_say(t);
	say(t, "\n");
}

static void waiting_draw(struct text *t, int i, int queues)
{
	say(t, "wait w%d in %c cpu=%d", i, 'a' + pick(t, queues),
	    1 + pick(t, odds(t, 15) ? 30 : 9));
	if (odds(t, 60))
		say(t, " mem=%d", pick(t, 9));
	say(t, " prio=%d at=%d", pick(t, 4), pick(t, 9));
	if (odds(t, 10))
		say(t, " tasks=%d", 2 + pick(t, 6));
	say(t, "\n");
}

static void rare_draw(struct text *t, int running, int waiting)
{
	if (odds(t, 15))
		say(t, "unit r0 r%d\n", 1 + pick(t, running - 1));
	if (odds(t, 15))
		say(t, "blocked w%d\n", pick(t, waiting));
	if (odds(t, 25))
		say(t, "evicting r1\nown w0 cpu@f=%d\n", 1 + pick(t, 9));
}

void tree_world_write(struct text *t, uint64_t seed)
{
	int cohorts, queues, running, waiting;

	text_begin(t, seed);
	if (odds(t, 25))
		say(t, "site fair%s\n", odds(t, 30) ? " first=initial" : "");
	if (odds(t, 10))
		say(t, "site norecompute\n");
	if (odds(t, 10))
		say(t, "site reclaim=%d\n", 50 + pick(t, 60));
	terms_draw(t);
	cohorts = cohorts_draw(t);
	queues = 2 + pick(t, 9);
	for (int i = 0; i < queues; i++)
		queue_draw(t, i, cohorts);
	running = 2 + pick(t, 34);
	waiting = 2 + pick(t, 16);
	for (int i = 0; i < running; i++)
		running_draw(t, i, queues);
	for (int i = 0; i < waiting; i++)
		waiting_draw(t, i, queues);
	rare_draw(t, running, waiting);
}

/* ---- fair sharing ---- */

static void fair_queue_draw(struct text *t, int i, int cohorts)
{
	say(t, "queue %c in c%d within=%s reclaim=%s", 'a' + i,
	    pick(t, cohorts), odds(t, 50) ? "lower" : "never",
	    odds(t, has_lower ? 15 : 85) ? "any" : odds(t, 70) ? "lower" : "newer");
	if (odds(t, 40))
		say(t, " weight=%d", pick(t, 4));
	if (has_exempt && odds(t, 10))
		say(t, " max=1");
	if (odds(t, 5))
		say(t, " turn=%d", 50 + pick(t, 60));
	if (odds(t, 15))
		say(t, " usage");
	if (odds(t, 8))
		say(t, " rmin=%d", pick(t, 120));
	for (int k = 0; k < 2; k++) {
		say(t, " %s=%d", k ? "mem@f" : "cpu@f", 2 * pick(t, 6));
		if (odds(t, 10))
			say(t, "+%d", 4 + pick(t, 12));
		if (odds(t, 15))
			say(t, "-%d", pick(t, 6));
	}
	say(t, "\n");
}

/* Most queues borrow something, and in most of them somebody waits. */
void fair_world_write(struct text *t, uint64_t seed)
{
	int cohorts, queues, running, waiting;

	text_begin(t, seed);
	say(t, "site fair%s%s\n", odds(t, 20) ? " first=initial" : "",
	    odds(t, 15) ? " half=640 k=1 margin=0.01" : "");
	if (odds(t, 20))
		say(t, "site reclaim=%d\n", 20 + pick(t, 90));
	terms_draw(t);
	cohorts = cohorts_draw(t);
	queues = 3 + pick(t, 9);
	has_lower = odds(t, 25);
	for (int i = 0; i < queues; i++)
		fair_queue_draw(t, i, cohorts);
	running = 8 + pick(t, 28);
	waiting = 6 + pick(t, 12);
	for (int i = 0; i < running; i++) {
		say(t, "run r%d in %c cpu@f=%d mem@f=%d", i,
		    'a' + pick(t, queues), 1 + pick(t, 4), pick(t, 4));
		say(t, " prio=%d since=%d local=%d", pick(t, 3), 1 + pick(t, 90), 1 + pick(t, 3));
		terms_say(t);
		say(t, "\n");
	}
	if (odds(t, 20))
		say(t, "past %c cpu=%d\n", 'a' + pick(t, queues), pick(t, 20));
	for (int k = odds(t, 30) ? 6 : 0; k > 0; k--)
		say(t, "local %c %d cpu=%d\n", 'a' + pick(t, queues), 1 + pick(t, 3), pick(t, 20));
	for (int i = 0; i < waiting; i++) {
		say(t, "wait w%d in %c cpu=%d mem=%d", i,
		    'a' + pick(t, queues), 1 + pick(t, 5), pick(t, 4));
		say(t, " prio=%d at=%d\n", pick(t, 4), pick(t, 9));
	}
	if (odds(t, 30))
		say(t, "blocked w%d\n", pick(t, waiting));
	if (odds(t, 25))
		say(t, "unit r0 r%d\n", 1 + pick(t, running - 1));
	if (odds(t, 15))
		rare_draw(t, running, waiting);
}

/* ---- many that wait ---- */

static void long_queue_draw(struct text *t, int i, int cohorts)
{
	say(t, "queue %c", 'a' + i);
	if (odds(t, 90))
		say(t, " in c%d", pick(t, cohorts));
	say(t, " within=%s reclaim=%s", odds(t, 40) ? "lower" : "never",
	    odds(t, 80) ? "any" : "lower");
	if (odds(t, 5))
		say(t, " within=newer");
	if (odds(t, 6))
		say(t, " strict");
	if (odds(t, 6))
		say(t, " borrow=lower");
	if (odds(t, 5))
		say(t, " turn=%d", 50 + pick(t, 60));
	if (odds(t, 8))
		say(t, " rmin=%d", pick(t, 120));
	if (odds(t, 8))
		say(t, " usage");
	if (odds(t, 10))
		say(t, " hold");
	for (int k = 0; k < 2; k++) {
		say(t, " %s=%d", k ? "mem@f" : "cpu@f", pick(t, 14));
		if (odds(t, 15))
			say(t, "+%d", 2 + pick(t, 12));
		if (odds(t, 20))
			say(t, "-%d", pick(t, 6));
	}
	if (odds(t, 10))
		quota_say(t, "cpu@g");
	say(t, "\n");
}

/* Few queues, and in each of them more shapes than can go */
void long_world_write(struct text *t, uint64_t seed)
{
	int cohorts, queues, running, waiting;

	text_begin(t, seed);
	if (odds(t, 8))
		say(t, "site fair\n");
	if (odds(t, 10))
		say(t, "site reclaim=%d\n", 20 + pick(t, 90));
	cohorts = cohorts_draw(t);
	queues = 1 + pick(t, 5);
	for (int i = 0; i < queues; i++)
		long_queue_draw(t, i, cohorts);
	running = 2 + pick(t, 20);
	waiting = 10 + pick(t, 30);
	for (int i = 0; i < running; i++) {
		say(t, "run r%d in %c cpu@f=%d mem@f=%d", i,
		    'a' + pick(t, queues), 1 + pick(t, 5), pick(t, 5));
		say(t, " prio=%d since=%d\n", pick(t, 3), 1 + pick(t, 90));
	}
	for (int i = 0; i < waiting; i++) {
		say(t, "wait w%d in %c cpu=%d mem=%d", i,
		    'a' + pick(t, queues), 1 + pick(t, 7), pick(t, 7));
		say(t, " prio=%d at=%d", pick(t, 3), pick(t, 40));
		if (odds(t, 8))
			say(t, " tasks=%d", 2 + pick(t, 4));
		say(t, "\n");
	}
	if (odds(t, 15))
		say(t, "together w%d w%d\n", pick(t, 3), 3 + pick(t, 6));
	else if (odds(t, 15))
		say(t, "either w%d w%d\n", pick(t, 3), 3 + pick(t, 6));
	if (odds(t, 20))
		rare_draw(t, running, waiting);
}
