/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test elastic groups of which only as many as they need can't be preempted
 */
#include "world.h"

#define FOUR "run r1 in q gpu@f=1 members=2 since=1\nrun r2 in q gpu@f=1 members=2 since=2\n" \
	"run r3 in q gpu@f=1 members=2 since=3\nrun r4 in q gpu@f=1 members=2 since=4\n"
#define OWNERS "cohort o\nqueue q in o gpu@f=2\nqueue b in o reclaim=any gpu@f=6\n"

static const char *const stories[] = {
	/* q owns 2, a group of 4 needs 2: V 2, U 4. Two can go, a third can't. */
	OWNERS FOUR "run u in b gpu@f=4\nwait x in b gpu=2\nfixed r1 r2\nplan 9 x=preempt#1(2)\n"
	"update x in b gpu=3\nplan 9 x=quota(gpu@f,need=3,free=0)",
	/* the end of one makes room for the first of the others */
	OWNERS FOUR "wait x in q gpu=1\nremove r1\nplan 9 x=start#1+\nfixed r2 r3\n"
	"requeue r3 at=9\nplan 9 r3=start#2 x=start#1+\nfixed r2 r4\n"
	/* one that starts when there are enough is preemptible, and not capped */
	"start r3 gpu@f=1 since=9\nplan 9 x=start#1+\nfixed r2 r4\n"
	/* nobody fits under the cap: one less */
	"run s in q gpu@f=1 fixed\nremove r2\nplan 9 x=start#1+\nfixed r4 s\n"
	"remove s\nfix r3\nplan 9 x=start#1+\nfixed r3 r4\n"
	/* another number: the last to start is given up */
	"update x in q gpu=1 members=1\nfix r4\nplan 9 x=start#1+\nfixed r4",
	/* of an array as many start as non-preemptible as the group needs, the others beyond the
	 * cap */
	OWNERS "wait x in q gpu=1 tasks=9 members=2\nplan 9 x=start#1x8+\n"
	"run s in q gpu@f=1 fixed\nplan 9 x=start#1\nremove s\nown x gpu@f=1\nplan 9 x=start#1\n"
	"disown x\nupdate x in q gpu=1 tasks=9 members=1\nplan 9 x=start#1x8+",
	/* a number that comes with a task behind the head of a line counts at once, too */
	"cohort o\nqueue q in o strict gpu@f=2\nqueue b in o gpu@f=6\n"
	"run s in b gpu@f=6\nrun r1 in q gpu@f=2 members=1\n"
	"wait x in q gpu=1 members=1\nplan 9 x=quota(gpu@f,need=1,free=0)\n"
	"wait y in q gpu=1 members=2 at=1\nplan 9 x=capped(gpu@f,need=1,cap=2,used=2) y=order",
	/* the caller remembers which of them were */
	OWNERS FOUR "keep r1 no\nkeep r2\nkeep r3 no\nkeep r4\nfixed r2 r4\nremove r2\nfixed r1 r4",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories))
