/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test refused - heads that are not nominated would have failed
 *
 * Random worlds with many shapes are planned twice: as they are, and with each
 * head nominated (refused_drop() is replaced at link time). All verdicts and
 * victims must be the same. nominate() is counted. COHORT_SEEDS=N tries N worlds of
 * each kind.
 */
#include <stdio.h>
#include <stdlib.h>

#include "nomination/nomination.h"
#include "plan/refused.h"
#include "random/twice.h"
#include "random/draw.h"

static bool plain;			/* each head is nominated */
static size_t dropped;			/* cycles in which heads were not */

static size_t nominations;

int __real_refused_drop(struct plan *p);
int __wrap_refused_drop(struct plan *p);
int __real_nominate(struct engine *e, const struct ask *ask,
		    struct nominee *out);
int __wrap_nominate(struct engine *e, const struct ask *ask,
		    struct nominee *out);

int __wrap_nominate(struct engine *e, const struct ask *ask,
		    struct nominee *out)
{
	nominations++;
	return __real_nominate(e, ask, out);
}

int __wrap_refused_drop(struct plan *p)
{
	int rc = plain ? 0 : __real_refused_drop(p);

	dropped += (size_t) rc;
	return rc;
}

#define WORLDS 500

static void test_same(void **state)
{
	uint64_t worlds = twice_play_worlds(WORLDS, long_world_write, &plain);

	(void) state;
	assert_true(dropped > worlds);
}

/* Four worlds with other answers that a reader found, and no random world before:
 * heads that components look at, or that have their turns after components have
 * moved; a unit that the first head may evict and the second one may not, or comes
 * to later. */
static const char *const found[] = {
	"cohort c\nqueue a in c cpu@f=2\nqueue q1 in c\nqueue z in c\n"
	"wait A in a cpu=5\nwait B in a cpu=6\nwait m2 in a\n"
	"wait m1 in q1 prio=5\nwait X in z cpu=5\nwait Z in z\n"
	"together m1 m2\n",

	"cohort c\nqueue a in c within=never reclaim=any cpu@f=2\n"
	"queue q1 in c within=lower reclaim=any cpu@f=10\n"
	"queue q2 in c within=never reclaim=any cpu@f=1\n"
	"run r in q1 cpu@f=10 prio=0\nwait A in a cpu=4 prio=4 at=1\n"
	"wait B in a cpu=5 prio=3 at=2\nwait C in a cpu=7 prio=2 at=3\n"
	"wait m1 in q1 cpu=4 prio=5 at=1\nwait X in q2 cpu=13 prio=2 at=1\n"
	"wait m2 in q2 cpu=1 prio=1 at=2\ntogether m1 m2\n",

	"cohort c\nqueue a in c within=lower reclaim=any cpu@f=10\n"
	"queue x in c cpu@f=10\nqueue y in c hold\nrun r0 in a\n"
	"run r1 in x cpu@f=4\nrun r2 in x cpu@f=10\nrun r3 in y cpu@f=6\n"
	"unit r0 r1\nwait A in a cpu=8 prio=3\nwait B in a cpu=8\n",

	"cohort R\ncohort c1 in R cpu@f=2\nqueue a in c1 reclaim=any cpu@f=10\n"
	"queue x in c1 cpu@f=2\nqueue y in R cpu@f=10\nqueue z in R hold\n"
	"run u1 in x cpu@f=3\nrun y1 in y cpu@f=10\nrun u2 in y cpu@f=4\n"
	"run h in z cpu@f=5\nunit u1 u2\nwait A in a cpu=10\n"
	"wait B in a cpu=11\n",
};

static const char *const *listed;	/* worlds in words, by seed */

static void listed_write(struct text *t, uint64_t seed)
{
	text_begin(t, seed);
	say(t, "%s", listed[seed]);
}

static void listed_play(const char *const *told, size_t n)
{
	static struct text t;

	listed = told;
	for (uint64_t seed = 0; seed < n; seed++)
		twice_play(&t, seed, listed_write, &plain);
}

static void test_same_found(void **state)
{
	(void) state;
	listed_play(found, COUNT(found));
}

static void test_same_in_trees(void **state)
{
	uint64_t worlds;

	(void) state;
	dropped = 0;
	worlds = twice_play_worlds(WORLDS, tree_world_write, &plain);
	assert_true(dropped > worlds / 40);
}

/* Worlds in which all that is left is dropped together, but for one thing: a component
 * at the end of the line, an owner of quota that is on its way, a job that is
 * not as simple. */
static const char *const rests[] = {
	"cohort c\nqueue a in c cpu@f=4\nqueue b in c cpu@f=4\n"
	"run r in a cpu@f=4\nrun s in b cpu@f=2\n"
	"wait A in a cpu=2 at=1\nwait B in a cpu=3 at=2\nwait C in a cpu=4 at=3\n"
	"wait D in b cpu=3 at=1\nwait E in b cpu=3 at=2 prio=-1\n"
	"wait m1 in a cpu=5 at=9\nwait m2 in b cpu=4 at=9\ntogether m1 m2\n",

	"cohort c\nqueue a in c cpu@f=4 mem@f=9\nrun r in a cpu@f=4 evicting\n"
	"wait A in a cpu=2 at=1\nwait B in a cpu=3 at=2\nwait C in a cpu=4 at=3\n"
	"wait D in a cpu=4 mem=2 at=4\nown C cpu@f=4\n",

	"cohort c\nqueue a in c within=never cpu@f=4\nqueue b in c cpu@f=4\n"
	"run r in a cpu@f=4\nrun s in b cpu@f=4\n"
	"wait A in a cpu=2 at=1\nwait B in a cpu=3 at=2\nwait C in a cpu=4 at=3\n"
	"wait D in b cpu=3 at=1\nwait E in b cpu=3 at=2 prio=-1\n"
	"wait F in a cpu=2 at=5 fixed\n",
};

static void test_same_rests(void **state)
{
	(void) state;
	listed_play(rests, COUNT(rests));
}

#define SHAPES 60

/* A full queue in which each asks for more than the one before, or for less */
static size_t nominations_of(int least, int step)
{
	struct text t = { 0 };
	struct world *w;

	text_begin(&t, 1);
	say(&t, "cohort c\nqueue a in c within=never reclaim=any cpu@f=9 mem@f=999\n"
	    "run r0 in a cpu@f=9\n");
	for (int i = 0; i < SHAPES; i++)
		say(&t, "wait w%d in a cpu=%d mem=%d at=%d\n", i,
		    least + i * step, 1 + (i * 7) % 11, i);
	w = world_create(t.bytes);
	nominations = 0;
	world_plan(w, 100);
	world_destroy(w);
	return nominations;
}

static void test_few_nominated(void **state)
{
	(void) state;
	assert_int_equal(nominations_of(1, 0), 1);
	assert_int_equal(nominations_of(1, 1), 1);
	assert_int_equal(nominations_of(SHAPES, -1), SHAPES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few_nominated),
		cmocka_unit_test(test_same_found),
		cmocka_unit_test(test_same_rests),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_same_in_trees),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
