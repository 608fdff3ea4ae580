/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test settled.c - runs within nominal quota that other queues leave alone
 */
#include "world.h"

#define LAB "cohort lab\nqueue a in lab within=lower reclaim=any yield=1 cpu@f=4\n" \
	"queue b in lab yield=2 cpu@f=4\n"

/* Which jobs are settled, after a plan at that time; 0: none is made */
static const struct world_case cases[] = {
	/* it was never evicted, or not often enough */
	{ LAB "run r in a cpu@f=4\nrun s in b cpu@f=2 times=1\n", 0, "" },
	/* within nominal quota, by anybody evicted */
	{ LAB "run r in a cpu@f=4 times=1\nrun s in b cpu@f=2 reclaimed=2\n", 0, "r s" },
	/* it borrows, or another one of its queue does */
	{ LAB "run r in a cpu@f=5 times=1\n", 0, "" },
	{ LAB "run r in a cpu@f=3\nrun s in a cpu@f=2 times=1\n", 0, "" },
	/* others that start later do not matter */
	{ LAB "run r in a cpu@f=3 times=1\nrun s in a cpu@f=3\n", 0, "r" },
	/* what it owns it got within nominal quota, whoever starts until then */
	{ LAB "wait r in a cpu=4 times=1\nrun v in b cpu@f=8 evicting\n"
	  "own r cpu@f=4\nrun s in a cpu@f=2\nstart r cpu@f=4 since=5\n", 0, "r" },
	{ LAB "run s in a cpu@f=3\nwait r in a cpu=4 times=1\nown r cpu@f=4\n"
	  "start r cpu@f=4 since=5\n", 0, "" },
	/* nor what is more than another queue owns */
	{ LAB "wait r in b cpu=4 times=2\nown r cpu@f=4\nrun s in b cpu@f=2\n"
	  "run t in a cpu@f=3 times=1\nstart t cpu@f=5\nstart r cpu@f=4 since=5\n", 0, "r" },
	/* a victim of its own queue does not count */
	{ LAB "run s in a cpu@f=3\nwait r in a cpu=4 times=1\nevicting s\n"
	  "own r cpu@f=4\nstart r cpu@f=4 since=5\n", 0, "r" },
	/* it starts with more than it owned */
	{ LAB "wait r in a cpu=4 times=1\nown r cpu@f=4\nrun s in a cpu@f=2\n"
	  "start r cpu@f=5 since=5\n", 0, "" },
	/* it goes, and comes again without room */
	{ LAB "run r in a cpu@f=4 times=1 cpu=4\nrequeue r\nrun s in a cpu@f=2\n"
	  "start r cpu@f=4\n", 0, "" },
	/* it grows, or one comes that can't be preempted */
	{ LAB "run r in a cpu@f=3 times=1\nstart r cpu@f=5\n", 0, "" },
	{ LAB "run r in a cpu@f=3 times=1\nrun s in a cpu@f=1 fixed\n", 0, "r" },
	{ LAB "run r in a cpu@f=3 times=1\nrun s in a cpu@f=2 fixed\n", 0, "" },
	/* its quota is cut, below what is settled */
	{ LAB "period a cpu@f=3 from=50 until=90\nrun r in a cpu@f=3 times=1\n", 60, "r" },
	{ LAB "period a cpu@f=2 from=50 until=90\nrun r in a cpu@f=3 times=1\n", 60, "" },
	/* as the caller remembers it, if the queue owns that */
	{ LAB "run r in a cpu@f=3 settled\n", 0, "r" },
	{ LAB "run r in a cpu@f=3 settled\nrun s in a cpu@f=2 settled\n", 0, "r" },
};

static const char *settled_after(struct world *world, int64_t now)
{
	if (now)
		world_plan(world, now);
	return world_names(world, workload_settled);
}

static void test_cases(void **state)
{
	world_cases(cases, COUNT(cases), settled_after);
}

TESTS(cmocka_unit_test(test_cases))
