/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test alike - heads that go without a cycle would have gone in one
 *
 * Random worlds in which many jobs have found no nodes, and ask for the same, are planned
 * twice: as they are, and with each head in a cycle (alike_go() is replaced at link time).
 * All verdicts, ranks and victims must be the same. Cycles are counted. COHORT_SEEDS=N
 * tries N worlds.
 */
#include <stdio.h>

#include "cycle/tree_cycle.h"
#include "plan/plan.h"
#include "random/draw.h"
#include "random/twice.h"

static bool plain;			/* each head is in a cycle */
static size_t cycles, plain_cycles;

int __real_alike_go(struct plan *p, struct entry **entries, size_t n);
int __wrap_alike_go(struct plan *p, struct entry **entries, size_t n);
int __real_cycle_run(struct engine *e, struct tree *tree, int64_t now,
		     struct entry ***entries, size_t *n);
int __wrap_cycle_run(struct engine *e, struct tree *tree, int64_t now,
		     struct entry ***entries, size_t *n);

int __wrap_alike_go(struct plan *p, struct entry **entries, size_t n)
{
	return plain ? 0 : __real_alike_go(p, entries, n);
}

int __wrap_cycle_run(struct engine *e, struct tree *tree, int64_t now,
		     struct entry ***entries, size_t *n)
{
	plain_cycles += plain;
	cycles += !plain;
	return __real_cycle_run(e, tree, now, entries, n);
}

/* ---- random worlds ---- */

/* In ample worlds most fit without borrowing. */
static void nominal_draw(struct text *t, const char *pair, bool ample)
{
	if (ample && odds(t, 85))
		say(t, " %s=%d", pair, 5 + pick(t, 40));
	else
		quota_say(t, pair);
}

static void queue_draw(struct text *t, int i, bool ample)
{
	static const char *const policies[] = {
		"", "", "", " reclaim=any", " within=lower reclaim=lower",
		" within=lower reclaim=any borrow=lower", " canborrow=next",
		" prefer=preempt reclaim=any", " canpreempt=stop reclaim=any",
		" usage", " cap=cohort", " strict",
	};

	say(t, "queue %c", 'a' + i);
	if (odds(t, 95))
		say(t, " in %s", odds(t, 30) ? "sub" : "top");
	say(t, "%s", policies[pick(t, odds(t, 60) ? 3 : COUNT(policies))]);
	nominal_draw(t, "cpu@f", ample);
	if (odds(t, 25))
		quota_say(t, "cpu@g");
	if (odds(t, 25))
		say(t, " |");
	nominal_draw(t, "mem@f", ample);
	say(t, "\n");
}

static void waiting_draw(struct text *t, int i, int amounts, int priorities)
{
	say(t, "wait w%d in %c cpu=%d mem=%d prio=%d at=%d", i,
	    'a' + pick(t, 4), 1 + pick(t, amounts), pick(t, amounts),
	    pick(t, priorities), pick(t, 20));
	if (odds(t, 5))
		say(t, " tasks=%d", 2 + pick(t, 3));
	if (odds(t, 2))
		say(t, " fixed");
	if (odds(t, 2))
		say(t, " count=3 min=1");
	if (odds(t, 2))
		say(t, " not=g");
	say(t, "\n");
}

static void rest_draw(struct text *t, int n, int blocked)
{
	for (int i = 0; i < n; i++) {
		if (odds(t, blocked))
			say(t, "blocked w%d\n", i);
		if (odds(t, 1))
			say(t, "avoid w%d f\n", i);
	}
	if (odds(t, 10))
		say(t, "own w1 cpu@f=1\n");
	if (odds(t, 10))
		say(t, "together w2 w3\n");
	if (odds(t, 10))
		say(t, "either w4 w5\n");
}

static void world_write(struct text *t, uint64_t seed)
{
	int n, amounts, priorities, running;
	bool ample;

	text_begin(t, seed);
	ample = odds(t, 70);
	if (odds(t, 15))
		say(t, "site fair\n");
	say(t, "cohort top cpu@g=0");	/* there is a g that a job may avoid */
	if (odds(t, 50))
		quota_say(t, "cpu@f");
	say(t, "\ncohort sub in top\n");
	for (int i = 0; i < 4; i++)
		queue_draw(t, i, ample);
	running = odds(t, 50) ? pick(t, 6) : 0;
	for (int i = 0; i < running; i++)
		say(t, "run r%d in %c cpu@f=%d prio=%d at=%d%s\n", i,
		    'a' + pick(t, 4), 1 + pick(t, 6), pick(t, 3), i,
		    odds(t, 10) ? " exempt=150" : "");
	n = 6 + pick(t, 50);
	amounts = odds(t, 60) ? 1 : 1 + pick(t, 3);
	priorities = 1 + pick(t, 3);
	for (int i = 0; i < n; i++)
		waiting_draw(t, i, amounts, priorities);
	rest_draw(t, n, odds(t, 50) ? 100 : 80);
}

static void test_same(void **state)
{
	uint64_t worlds;

	(void) state;
	cycles = plain_cycles = 0;
	worlds = twice_play_worlds(1000, world_write, &plain);
	assert_true(plain_cycles - cycles > 3 * worlds);
}

/* Each of them fits, and so did those that ask for the same. But who borrows has left too
 * little room for the last one of b in the cycle of the third one of a: it has its turn
 * in the next one, after the fourth one of a. */
static void crowded_write(struct text *t, uint64_t seed)
{
	static const int a[] = { 1, 2, 2, 1 }, b[] = { 2, 1, 2 };

	text_begin(t, seed);
	say(t, "cohort c\nqueue a in c cpu@f=8\nqueue b in c cpu@f=8\n"
	    "queue e in c cpu@f=0\nrun r in e cpu@f=7\n");
	for (int i = 0; i < (int) COUNT(a); i++)
		say(t, "wait a%d in a cpu=%d at=%d\nblocked a%d\n", i, a[i],
		    i, i);
	for (int i = 0; i < (int) COUNT(b); i++)
		say(t, "wait b%d in b cpu=%d at=%d\nblocked b%d\n", i, b[i],
		    i * i * 2, i);
}

static void test_crowded(void **state)
{
	static struct text t;

	(void) state;
	for (uint64_t seed = 1; seed <= 20; seed++)
		twice_play(&t, seed, crowded_write, &plain);
}

/* ---- how many cycles there are ---- */

#define JOBS 20				/* of each queue */

static size_t cycles_of(const char *site, const char *running, int kinds)
{
	struct text t = { 0 };
	struct world *w;

	text_begin(&t, 1);
	say(&t, "%scohort c\nqueue a in c cpu@f=99\nqueue b in c cpu@f=99\n"
	    "queue d in c cpu@f=99\nqueue e in c cpu@f=9\n%s", site, running);
	for (int i = 0; i < 3 * JOBS; i++)
		say(&t, "wait w%d in %c cpu=%d prio=%d at=%d\nblocked w%d\n", i,
		    "abd"[i % 3], 1 + i / 3 % kinds, i * 7 % 4, i, i);
	w = world_create(t.bytes);
	cycles = 0;
	world_plan(w, 100);
	world_destroy(w);
	return cycles;
}

static void test_few_cycles(void **state)
{
	(void) state;
	/* the first one of each kind, and the end */
	assert_int_equal(cycles_of("", "", 1), 2);
	assert_in_range(cycles_of("", "", 3), 2, 6);
	assert_int_equal(cycles_of("", "run r in e cpu@f=9\n", 1), 2);
	/* a queue that borrows may be in the way of others */
	assert_int_equal(cycles_of("", "run r in e cpu@f=10\n", 1), JOBS + 1);
	assert_int_equal(cycles_of("", "run r in a cpu@f=99\n", 1), JOBS + 1);
	assert_int_equal(cycles_of("site fair\n", "", 1), JOBS + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few_cycles),
		cmocka_unit_test(test_crowded),
		cmocka_unit_test(test_same),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
