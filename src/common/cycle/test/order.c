/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test order.c - in which order the heads of a tree get their turn
 */
#include "world.h"

#define FOUR "cohort org\ncohort left in org\nqueue a in left cpu@f=4\nqueue b in left cpu@f=4\n" \
	"queue c in org cpu@f=4\nqueue d in org cpu@f=4\n"

#define LAB "cohort lab cpu@f=16\nqueue a in lab cpu@f=0\nqueue b in lab cpu@f=0\n"

static const struct world_case cases[] = {
	/* nearer quota first: own, the cohort's, the tree's */
	{ FOUR "wait x in a cpu=9 prio=9\nwait y in b cpu=5 prio=8\n"
	  "wait z in c cpu=2 prio=7", 0, "z:admitted y:admitted x:admitted" },
	{ FOUR "wait x in a cpu=1 at=2\nwait y in b cpu=1 at=1\n"
	  "wait z in c cpu=1 at=9 prio=1\nwait v in d cpu=1 at=1", 0,
	  "z:admitted y:admitted v:admitted x:admitted" },
	/* also when they would have to preempt; a head without a flavor has no level */
	{ FOUR "run r in d cpu@f=16\nwait x in a cpu=17\n"
	  "wait y in b cpu=5 prio=8\nwait z in c cpu=4", 0,
	  "x:nofit z:noCandidates y:noCandidates" },
	/* trees do not depend on each other */
	{ "queue a cpu@f=4\nqueue b cpu@f=4\nwait x in a cpu=1\n"
	  "wait y in b cpu=1 prio=9", 0, "x:admitted y:admitted" },
	/* history: the queue that has borrowed less lately goes first */
	{ "site fair\n" LAB "run r in b cpu@f=3\npast a cpu=6\n"
	  "wait x in a cpu=4\nwait y in b cpu=3", 0, "x:admitted y:admitted" },
	{ "site fair half=3600\n" LAB "run r in b cpu@f=3\npast a cpu=6\n"
	  "wait x in a cpu=4\nwait y in b cpu=3", 0, "y:admitted x:admitted" },
	/* but history does not come before a queue's own quota */
	{ "site fair half=3600\ncohort lab cpu@f=16\n"
	  "queue a in lab cpu@f=4\nqueue b in lab cpu@f=0\n"
	  "past a cpu=16\nwait x in a cpu=4\nwait y in b cpu=3 prio=9", 0,
	  "x:admitted y:admitted" },
	/* those that do not borrow in what they ask for first, then the smaller share */
	{ "site fair\n" FOUR "run r in c cpu@f=3\nrun s in d cpu@f=6\n"
	  "wait x in a cpu=2\nwait y in c cpu=2 prio=8\n"
	  "wait z in d cpu=1 prio=9", 0, "x:admitted y:admitted z:admitted" },
	/* shares are those with the head in them: the smaller one first */
	{ "site fair\n" FOUR "run r in c cpu@f=4\nrun s in d cpu@f=4\n"
	  "wait y in c cpu=3\nwait z in d cpu=2", 0, "z:admitted y:admitted" },
	/* then priority, then time */
	{ "site fair\n" FOUR "wait y in c cpu=1\nwait z in d cpu=1 prio=1", 0,
	  "z:admitted y:admitted" },
	{ "site fair\n" FOUR "wait y in c cpu=1 at=2\nwait z in d cpu=1 at=1",
	  0, "z:admitted y:admitted" },
	/* a cohort stands for those below it: left borrows with x */
	{ "site fair\n" FOUR "run r in a cpu@f=8\nrun s in d cpu@f=4\n"
	  "wait x in b cpu=1 prio=9\nwait y in d cpu=1", 0, "x:admitted y:admitted" },
	{ "site fair\n" FOUR "run r in a cpu@f=10\nrun s in d cpu@f=4\n"
	  "wait x in b cpu=1 prio=9\nwait y in d cpu=1", 0, "y:admitted x:admitted" },
	/* weights halve shares */
	{ "site fair\ncohort org cpu@f=9\nqueue a in org weight=2 cpu@f=0\n"
	  "queue b in org cpu@f=0\nwait x in a cpu=3\nwait y in b cpu=2", 0,
	  "x:admitted y:admitted" },
	/* shares are weighed again after each turn: a's second head would
	 * not be better than b's, and the tree is as the first left it */
	{ "site fair\ncohort org cpu@f=4\nqueue a in org cpu@f=0\n"
	  "queue b in org cpu@f=0\nqueue c in org cpu@f=0\n"
	  "wait x in a cpu=2\nwait y in b cpu=1\nwait z in c cpu=3", 0,
	  "y:admitted x:admitted z:skipped" },
};

static void test_cases(void **state)
{
	world_cases(cases, COUNT(cases), world_cycle);
}

TESTS(cmocka_unit_test(test_cases))
