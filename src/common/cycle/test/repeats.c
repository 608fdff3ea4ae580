/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test repeats.c - how many more tasks of an array a cycle lets go at once
 *
 * What a plan makes of it: plan/test/plan.c, and test/arrays.c in random worlds.
 * Here: each thing that others could tell keeps the tasks apart.
 */
#include <stdio.h>

#include "cycle/queue_heads.h"
#include "cycle/tree_cycle.h"
#include "world.h"

#define ONE "queue a within=lower cpu@f=10\n"

/* y waits first in its queue for ever, and fails in each cycle. */
#define STAYS "queue b in org strict reclaim=any cpu@f=12\n" \
	"run r in b cpu@f=7\n" \
	"wait y in b cpu=10 at=9\n"

/* y may only evict what is of lower priority. */
#define STUCK "queue b in org strict reclaim=lower cpu@f=12\n" \
	"run r in b cpu@f=7\n" \
	"wait y in b cpu=10 at=9\n"

/* The same, but y reserves what it asks for. All else is in use. */
#define RESERVES "cohort org\nqueue a in org cpu@f=4-0\n" \
	"queue b in org strict reclaim=lower cpu@f=5\n" \
	"queue c in org cpu@f=0\nrun r in c cpu@f=5 prio=1\n" \
	"wait y in b cpu=3 at=9 prio=1\n"

static const struct world_case cases[] = {
	/* nobody else: as many as fit, from as far away */
	{ ONE "wait x in a cpu=2 tasks=9", 0, "x:4" },
	{ ONE "wait x in a cpu=2 tasks=3", 0, "x:2" },
	{ "cohort org cpu@f=20\nqueue a in org cpu@f=4\n"
	  "wait x in a cpu=2 tasks=99", 0, "x:1" },
	{ "cohort org cpu@f=20\nqueue a in org cpu@f=0\n"
	  "wait x in a cpu=2 tasks=99", 0, "x:9" },
	/* no array */
	{ ONE "wait x in a cpu=2", 0, "x:0" },
	{ "site fair\ncohort org\nqueue a in org cpu@f=4-0\n"
	  "wait x in a cpu=1", 0, "x:0" },
	/* it does not start, but waits for the end of others */
	{ ONE "run r in a cpu@f=10\nwait x in a cpu=2 prio=1 tasks=9", 0,
	  "x:0" },
	/* another one starts, too */
	{ "cohort org\nqueue a in org cpu@f=4\nqueue b in org cpu@f=4\n"
	  "wait x in a cpu=1 tasks=9\nwait y in b cpu=1 tasks=9", 0,
	  "x:0 y:0" },
	/* another one fails: as long as the queue borrows nothing, */
	{ "cohort org\nqueue a in org cpu@f=4\n" STAYS
	  "wait x in a cpu=1 tasks=9", 0, "y:0 x:3" },
	/* of what it asks for, */
	{ "cohort org\nqueue a in org cpu@f=0\n" STAYS
	  "wait x in a cpu=1 tasks=9", 0, "y:0 x:0" },
	/* but all that fit if what fails may not take them, */
	{ "cohort org\nqueue a in org cpu@f=0\n" STUCK
	  "wait x in a cpu=1 tasks=9", 0, "y:0 x:4" },
	{ "cohort org\nqueue a in org cpu@f=0\n" STUCK
	  "wait x in a cpu=1 tasks=9 prio=-1", 0, "y:0 x:0" },
	/* and holds nothing in another flavor then, */
	{ "cohort org\nqueue a in org cpu@f=0\n"
	  "queue b in org strict reclaim=lower cpu@f=12 cpu@g=12\n"
	  "run r in b cpu@f=7 cpu@g=8\nwait y in b cpu=10 at=9\n"
	  "wait x in a cpu=1 tasks=9", 0, "y:0 x:0" },
	/* may not evict anybody, */
	{ "cohort org\nqueue a in org cpu@f=0\n"
	  "queue b in org strict cpu@f=12\nrun r in b cpu@f=7\n"
	  "wait y in b cpu=10 at=9\nwait x in a cpu=1 tasks=9", 0, "y:0 x:4" },
	/* or as far as no cohort begins to borrow, whose jobs could be taken */
	{ "cohort org\ncohort sub in org\nqueue a in sub cpu@f=0\n"
	  "queue s in sub cpu@f=2\n" STUCK
	  "wait x in a cpu=1 tasks=9", 0, "y:0 x:1" },
	{ "cohort org\ncohort sub in org\nqueue a in sub cpu@f=4\n"
	  "queue s in sub cpu@f=2\n" STUCK "run t in s cpu@f=4 prio=-1\n"
	  "wait x in a cpu=1 tasks=9", 0, "y:0 x:1" },
	{ "cohort org\ncohort sub in org\nqueue a in sub cpu@f=1\n"
	  "queue s in sub cpu@f=1\n" STUCK "run t in s cpu@f=2 prio=-1\n"
	  "wait x in a cpu=1 tasks=9", 0, "y:0 x:0" },
	/* it may search with fewer pods, if not with all */
	{ "cohort org\nqueue a in org cpu@f=0\n"
	  "queue b in org strict reclaim=any cpu@f=9\nrun r in b cpu@f=4\n"
	  "wait y in b count=3 min=2 cpu=12 at=9\nwait x in a cpu=1 tasks=9", 0,
	  "y:0 x:0" },
	/* or of anything */
	{ "cohort org\nqueue a in org cpu@f=4 mem@f=0\n"
	  "queue c in org mem@f=4\n" STAYS "run s in a mem@f=1\n"
	  "wait x in a cpu=1 tasks=9", 0, "y:0 x:0" },
	/* as much as a head reserves that has its turn before it, and not after it, is not
	 * there */
	{ RESERVES "wait x in a cpu=1 tasks=9", 0, "y:0 x:0" },
	{ RESERVES "wait x in a cpu=1 tasks=9 prio=2", 0, "y:0 x:3" },
	/* with fair sharing, only what no share tells */
	{ "site fair\ncohort org cpu@f=20\nqueue a in org cpu@f=0\n"
	  "wait x in a cpu=2 tasks=99", 0, "x:0" },
	{ "site fair\ncohort org cpu@f=20\nqueue a in org cpu@f=4\n"
	  "wait x in a cpu=1 tasks=99", 0, "x:0" },
	{ "site fair\ncohort org cpu@f=20\nqueue a in org cpu@f=4-0\n"
	  "wait x in a cpu=1 tasks=99", 0, "x:3" },
	/* non-preemptible: up to the cap, of the cohort or of the queue */
	{ "queue a cap=cohort cpu@f=10\n"
	  "wait x in a cpu=2 tasks=9 fixed", 0, "x:4" },
	{ "cohort org cpu@f=20\nqueue a in org cpu@f=4\n"
	  "wait x in a cpu=1 tasks=99 fixed", 0, "x:3" },
	/* of an elastic group: the next one may be preemptible */
	{ "queue a cap=cohort cpu@f=10\n"
	  "wait x in a cpu=2 tasks=9 fixed members=2", 0, "x:0" },
};

/* "x:4 y:0" for the heads, by name */
static const char *repeats(struct world *world, int64_t now)
{
	struct engine *e = world_engine(world);
	struct entry **entries;
	size_t n, at = 0;

	arena_reset(&e->arena);
	assert_int_equal(heads_begin(e, &e->trees[0], ++e->plans), 0);
	assert_int_equal(cycle_run(e, &e->trees[0], now, &entries, &n), 0);
	for (size_t i = 0; i < world->nworkloads; i++) {
		for (size_t k = 0; k < n; k++) {
			if (entries[k]->w == world->workloads[i])
				at += (size_t) sprintf(world->text + at,
						       "%s%s:%lld",
						       at ? " " : "",
						       world->names[i],
						       (long long) entries[k]->repeats);
		}
	}
	return world->text;
}

static void test_repeats(void **state)
{
	(void) state;
	world_cases(cases, COUNT(cases), repeats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_repeats),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
