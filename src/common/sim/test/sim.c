/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test sim.c - a cluster played forward
 */
#include <errno.h>

#include "sim_world.h"

#define ONE "queue q cpu@f=8\n"
#define LIGHT "cohort o\nqueue a in o reclaim=any cpu@f=12\nqueue b in o cpu@f=0\n" \
	"run r in b cpu@f=6\nrun s in b cpu@f=2\n"
#define LAB "cohort lab\nqueue a in lab reclaim=any within=lower cpu@f=8\n" \
	"queue b in lab reclaim=any within=lower cpu@f=8\n"

static const struct {
	const char *told;
	const char *times;
	int64_t now;
	int steps;
	const char *log;
} cases[] = {
	/* nothing at all */
	{ ONE, "", 0, 9, "" },
	/* jobs that fit start now, the others when a job ends */
	{ ONE "run r in q cpu@f=6 cpu=6\nwait x in q cpu=4\nwait y in q cpu=2",
	  "r=10 x=5 y=20", 3, 9, "3 start y; 10 end r; 10 start x; 15 end x; 23 end y" },
	/* by priority */
	{ ONE "run r in q cpu@f=8 cpu=8\nwait x in q cpu=8\nwait y in q cpu=8 prio=1",
	  "r=10 x=5 y=5", 0, 9, "10 end r; 10 start y; 15 end y; 15 start x; 20 end x" },
	/* strict: no job passes */
	{ "queue q strict cpu@f=8\nrun r in q cpu@f=6 cpu=6\n"
	  "wait x in q cpu=4\nwait y in q cpu=2 at=1", "r=10 x=5 y=5", 0, 9,
	  "10 end r; 10 start x; 10 start y; 15 end x; 15 end y" },
	/* a borrower's end */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in b cpu=6", "r=10 x=5", 0, 9,
	  "10 end r; 10 start x; 15 end x" },
	/* a job that never can start does not hold up one that can */
	{ ONE "wait x in q cpu=9\nwait y in q cpu=8", "x=5 y=5", 0, 9, "0 start y; 5 end y" },
	{ "queue q hold cpu@f=8\nwait x in q cpu=1", "x=5", 0, 9, "" },
	/* a job that comes later */
	{ ONE "wait x in q cpu=6\nwait y in q cpu=6\n", "x=10 y=5,come=4", 0, 9,
	  "0 start x; 10 end x; 10 start y; 15 end y" },
	/* reclaim: the victim takes its time, comes back later, and begins again */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6",
	  "r=100,evict=2 x=5 requeue=10", 50, 9,
	  "50 evict r for x; 52 gone r; 52 start x; 57 end x; 62 start r; 162 end r" },
	/* components: when one of them evicts, the other one owns its quota, too, and
	 * no job that comes meanwhile gets it */
	{ "cohort lab\nqueue a in lab reclaim=any cpu@f=8\nqueue b in lab cpu@f=8\n"
	  "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6\nwait y in b cpu=8\n"
	  "wait z in b cpu=8 prio=1 at=51",
	  "r=100,evict=2 x=5 y=5,together=x z=5,come=51 requeue=100", 50, 12,
	  "50 evict r for x; 52 gone r; 52 start x; 52 start y; 57 end x; 57 end y; "
	  "57 start z; 62 end z; 152 start r; 252 end r" },
	/* the work until the last checkpoint is kept, here 40 of 52; but it
	 * costs time to begin there, which is no work */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6",
	  "r=100,evict=2,checkpoint=20 x=5 requeue=10", 50, 9,
	  "50 evict r for x; 52 gone r; 52 start x; 57 end x; 62 start r; 122 end r" },
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6",
	  "r=100,evict=2,checkpoint=20,restart=7 x=5 requeue=10", 50, 9,
	  "50 evict r for x; 52 gone r; 52 start x; 57 end x; 62 start r; 129 end r" },
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6\nwait y in a cpu=6",
	  "r=100,checkpoint=20,restart=7 x=5 y=5,come=90 requeue=10", 50, 12,
	  "50 evict r for x; 50 gone r; 50 start x; 55 end x; 60 start r; "
	  "90 evict r for y; 90 gone r; 90 start y; 95 end y; 100 start r; 147 end r" },
	/* one that is cancelled does not come back */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6", "r=100,evict=2,cancel=1 x=5", 50, 9,
	  "50 evict r for x; 52 gone r; 52 start x; 57 end x" },
	/* freed quota is not stolen meanwhile */
	{ "cohort lab\nqueue a in lab reclaim=any cpu@f=8\n"
	  "queue b in lab cpu@f=8\nrun r in b cpu@f=12 cpu=12\n"
	  "wait x in a cpu=8\nwait z in b cpu=8 prio=9", "r=100,evict=5,cancel=1 x=5 z=5", 0, 9,
	  "0 evict r for x; 5 gone r; 5 start x; 5 start z; 10 end x; 10 end z" },
	/* a job that leaves already is not evicted once more */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=8", "r=0,leaves=7,cancel=1 "
	  "x=5", 0, 9, "7 gone r; 7 start x; 12 end x" },
	/* protected for 60 */
	{ "site reclaim=60\n" LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=8",
	  "r=100,cancel=1 x=5", 0, 9, "61 evict r for x; 61 gone r; 61 start x; 66 end x" },
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=8", "r=100,cancel=1,exempt=70 x=5", 0, 9,
	  "71 evict r for x; 71 gone r; 71 start x; 76 end x" },
	/* the same for nodes where quota is there: by their total, */
	{ "site reclaim=60\n" LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=4",
	  "room=cpu@f=12 r=100,cancel=1,evict=2 x=5", 0, 9,
	  "61 evict r for x; 63 gone r; 63 start x; 68 end x" },
	/* or where no node has room for it */
	{ "site reclaim=60\n" LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=4",
	  "r=100,cancel=1 x=5,nonodes=1", 0, 9,
	  "61 evict r for x; 61 gone r; 61 start x; 66 end x" },
	/* a job that could go already was considered before, and does not help */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=4",
	  "r=100 x=5,nonodes=1", 0, 9, "100 end r; 100 start x; 105 end x" },
	/* the first one is not enough, the second one is */
	{ "cohort lab\nqueue a in lab reclaim=any cpu@f=8\n"
	  "queue b in lab cpu@f=0\nrun r in b cpu@f=2\nrun s in b cpu@f=2\nwait x in a cpu=4",
	  "room=cpu@f=4 r=100,cancel=1,exempt=20 s=100,cancel=1,exempt=40 x=5",
	  0, 9, "41 evict r for x; 41 evict s for x; 41 gone r; 41 gone s; 41 start x; 46 end x" },
	/* turns: x and r have ten each, until they are through with 15 */
	{ "queue q within=newer turn=10 cpu@f=8\nrun r in q cpu@f=8 cpu=8\n"
	  "wait x in q cpu=8 at=1", "r=0 x=0", 0, 5,
	  "12 evict r for x; 12 gone r; 12 start x; 23 evict x for r; 23 gone x; 23 start r" },
	/* arrays: task by task, and not more than their limit */
	{ ONE "wait x in q cpu=4 tasks=5", "x=10", 0, 9,
	  "0 start x; 0 start x; 10 end x; 10 end x; 10 start x; 10 start x; "
	  "20 end x; 20 end x; 20 start x; 30 end x" },
	{ ONE "run r in q cpu@f=1 cpu=1\nwait x in q cpu=1 tasks=3",
	  "r=4,array=7,limit=2 x=10,array=7,limit=2", 0, 9,
	  "0 start x; 4 end r; 4 start x; 10 end x; 10 start x; 14 end x; 20 end x" },
	/* the limit stays when the task that told it has ended */
	{ ONE "run r in q cpu@f=1 cpu=1\nwait x in q cpu=1 tasks=3",
	  "r=4,array=7,limit=2 x=10,array=7", 0, 9,
	  "0 start x; 4 end r; 4 start x; 10 end x; 10 start x; 14 end x; 20 end x" },
	/* quota for twelve, nodes for ten: the other job leaves, then it fits */
	{ "queue q cpu@f=12\nrun r in q cpu@f=6 cpu=6\nwait x in q cpu=6\n"
	  "wait y in q cpu=4 at=1", "room=cpu@f=10 r=10 x=5 y=20", 0, 9,
	  "0 start y; 10 end r; 10 start x; 15 end x; 20 end y" },
	{ "queue q strict cpu@f=12\nrun r in q cpu@f=6 cpu=6\nwait x in q cpu=6\n"
	  "wait y in q cpu=4 at=1", "room=cpu@f=10 r=10 x=5 y=20", 0, 9,
	  "10 end r; 10 start x; 10 start y; 15 end x; 30 end y" },
	/* no nodes in one flavor: the next */
	{ "queue q cpu@f=8 cpu@g=8\nwait x in q cpu=6", "room=cpu@f=4 x=5", 0,
	  9, "0 start x; 5 end x" },
	/* quota without nodes: it may evict for nodes */
	{ "queue q within=lower cpu@f=12\nrun r in q cpu@f=8 cpu=8\n"
	  "wait x in q cpu=4 prio=1", "room=cpu@f=8 r=100,cancel=1 x=5", 0, 9,
	  "0 evict r for x; 0 gone r; 0 start x; 5 end x" },
	/* in the order of the rules the large one goes; */
	{ LIGHT "wait x in a cpu=1", "room=cpu@f=8 r=100,cancel=1 s=100,cancel=1 x=5",
	  0, 9, "0 evict r for x; 0 gone r; 0 start x; 5 end x; 100 end s" },
	/* if what is lost counts, the one that loses least, */
	{ LIGHT "wait x in a cpu=1", "light=1 room=cpu@f=8 r=100,cancel=1 s=100,cancel=1 x=5",
	  0, 9, "0 evict s for x; 0 gone s; 0 start x; 5 end x; 100 end r" },
	/* of those that make room; */
	{ LIGHT "wait x in a cpu=4", "light=1 room=cpu@f=8 r=100,cancel=1 s=100,cancel=1 x=5",
	  0, 9, "0 evict r for x; 0 gone r; 0 start x; 5 end x; 100 end s" },
	/* what is saved is not lost: r would lose 6 CPUs since 40 s, s 2 since its start, */
	{ LIGHT "wait x in a cpu=1", "light=1 room=cpu@f=8 r=100000000000,cancel=1,"
	  "checkpoint=20000000000 s=100000000000,cancel=1 x=5", 51000000000, 9,
	  "51000000000 evict r for x; 51000000000 gone r; 51000000000 start x; 51000000005 end x; "
	  "100000000000 end s" },
	/* and just before its next checkpoint r would lose more than s */
	{ LIGHT "wait x in a cpu=1", "light=1 room=cpu@f=8 r=100000000000,cancel=1,"
	  "checkpoint=20000000000 s=100000000000,cancel=1 x=5", 60000000000, 9,
	  "60000000000 evict s for x; 60000000000 gone s; 60000000000 start x; 60000000005 end x; "
	  "100000000000 end r" },
	/* two where one is not enough, and no third one; */
	{ LIGHT "run t in b cpu@f=2\nwait x in a cpu=4",
	  "light=1 room=cpu@f=10 r=100,cancel=1 s=100,cancel=1 t=100,cancel=1 x=5",
	  0, 9, "0 evict s for x; 0 evict t for x; 0 gone s; 0 gone t; 0 start x; 5 end x; "
	  "100 end r" },
	{ LIGHT "run t in b cpu@f=2\nwait x in a cpu=10",
	  "light=1 room=cpu@f=10 r=100,cancel=1 s=100,cancel=1 t=100,cancel=1 x=5",
	  0, 9, "0 evict r for x; 0 evict s for x; 0 evict t for x; 0 gone r; 0 gone s; 0 gone t; "
	  "0 start x; 5 end x" },
	/* with fair sharing, of the queue that has to give; */
	{ "site fair\ncohort o\nqueue a in o reclaim=any cpu@f=12\n"
	  "queue b in o cpu@f=0\nqueue c in o cpu@f=0\nrun r in b cpu@f=6\n"
	  "run s in b cpu@f=2\nrun t in c cpu@f=1\nwait x in a cpu=1",
	  "light=1 room=cpu@f=9 r=100,cancel=1 s=100,cancel=1 t=100,cancel=1 x=5",
	  0, 9, "0 evict s for x; 0 gone s; 0 start x; 5 end x; 100 end r; 100 end t" },
	/* where usage decides who goes first, only others */
	{ "cohort o\nqueue a in o within=lower reclaim=any usage cpu@f=12\n"
	  "run r in a cpu@f=6\nrun s in a cpu@f=2\nwait x in a cpu=1 prio=1",
	  "light=1 room=cpu@f=8 r=100,cancel=1 s=100,cancel=1 x=5",
	  0, 9, "0 evict r for x; 0 gone r; 0 start x; 5 end x; 100 end s" },
	/* a lower priority goes first, whatever it loses */
	{ "cohort o\nqueue a in o reclaim=any cpu@f=12\nqueue b in o cpu@f=0\nrun r in b cpu@f=6\n"
	  "run s in b cpu@f=2 prio=1\nwait x in a cpu=1",
	  "light=1 room=cpu@f=8 r=100,cancel=1 s=100,cancel=1 x=5",
	  0, 9, "0 evict r for x; 0 gone r; 0 start x; 5 end x; 100 end s" },
	/* one job in two queues starts once, where it can first */
	{ "queue p cpu@f=4\nqueue q cpu@f=8\nrun r in p cpu@f=4\n"
	  "run s in q cpu@f=8\nwait x in p cpu=4\nwait y in q cpu=4\n"
	  "wait z in p cpu=4 at=1", "r=20 s=10 x=50 y=50,either=x z=5", 0, 9,
	  "10 end s; 10 start y; 20 end r; 20 start z; 25 end z; 60 end y" },
	/* and so an array's tasks, which it has only once */
	{ "queue p cpu@f=4\nqueue q cpu@f=4\nwait x in p cpu=4 tasks=3\n"
	  "wait y in q cpu=4 tasks=3", "x=10 y=10,either=x", 0, 9,
	  "0 start x; 0 start y; 10 end x; 10 end y; 10 start x; 20 end x" },
	/* no single node had room for it: not before something changes */
	{ ONE "run r in q cpu@f=2\nwait x in q cpu=4\nwait y in q cpu=2 at=1",
	  "room=cpu@f=8 r=10 x=5,nonodes=1 y=20", 0, 9,
	  "0 start y; 10 end r; 10 start x; 15 end x; 20 end y" },
	/* s was chosen as well, and is not needed beside r */
	{ "cohort o\nqueue a in o within=lower reclaim=any cpu@f=4\n"
	  "queue b in o cpu@f=4\nqueue c in o cpu@f=2\nrun r in c cpu@f=4\nrun s in a cpu@f=1\n"
	  "run t in a cpu@f=2 prio=1\nrun u in b cpu@f=3\nwait x in a cpu=2 prio=1",
	  "r=100,cancel=1 s=100,cancel=1 t=100 u=100 x=5", 0, 9,
	  "0 evict r for x; 0 gone r; 0 start x; 5 end x; 100 end s; 100 end t; 100 end u" },
	/* but nodes need both */
	{ "cohort lab\nqueue a in lab reclaim=any cpu@f=8\n"
	  "queue b in lab cpu@f=0\nrun r in b cpu@f=2\nrun s in b cpu@f=2\nwait x in a cpu=5",
	  "room=cpu@f=5 r=100,cancel=1 s=100,cancel=1 x=5", 0, 9,
	  "0 evict r for x; 0 evict s for x; 0 gone r; 0 gone s; 0 start x; 5 end x" },
	/* an owner whose nodes do not come gives its quota up */
	{ "cohort lab\nqueue a in lab reclaim=any cpu@f=8\n"
	  "queue b in lab cpu@f=8\nrun r in b cpu@f=16 cpu=16\nwait x in a cpu=8\n",
	  "r=100,evict=50,cancel=1 x=5 own=30", 0, 9,
	  "0 evict r for x; 50 gone r; 50 start x; 55 end x" },
	/* a job without nodes holds back those behind it, by the plan in which it was found out as
	 * well; and the other components of its job */
	{ "queue q strict cpu@f=99\nwait x in q cpu=50\nwait y in q cpu=4 at=1",
	  "room=cpu@f=10 x=5 y=5", 0, 9, "" },
	{ "queue q cpu@f=99\nwait x in q cpu=50\nwait y in q cpu=4 at=1",
	  "room=cpu@f=10 x=5 y=5,together=x", 0, 9, "" },
	/* the largest times: never, and nothing overflows */
	/* a limit that ends after the end of time */
	{ ONE "wait x in q cpu=8\nwait y in q cpu=8",
	  "x=9223372036854775806 y=5", 7, 9, "7 start x" },
	/* back in line after that */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6",
	  "r=100,evict=2 x=5 requeue=9223372036854775806", 7, 9,
	  "7 evict r for x; 9 gone r; 9 start x; 14 end x" },
	/* gone after that */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6",
	  "r=100,evict=9223372036854775806 x=5", 7, 9, "7 evict r for x" },
	/* exempt until then */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6",
	  "r=10,exempt=9223372036854775806 x=5", 7, 9, "10 end r; 10 start x; 15 end x" },
	/* the owner's time is over after that */
	{ LAB "run r in b cpu@f=12 cpu=12\nwait x in a cpu=6",
	  "r=100,evict=2,cancel=1 x=5 own=9223372036854775806", 7, 9,
	  "7 evict r for x; 9 gone r; 9 start x; 14 end x" },
};

static void test_cases(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sim_world *sw = sim_world_create(cases[i].told, cases[i].times,
							cases[i].now);

		if (strcmp(sim_world_play(sw, cases[i].steps), cases[i].log))
			fail_msg("%s\n%s\n%s\nexpected\n%s", cases[i].told,
				 cases[i].times, sw->log, cases[i].log);
		sim_world_destroy(sw);
	}
}

static void test_invalid(void **state)
{
	struct sim_world *sw = sim_world_create(ONE, "", 0);
	struct sim_desc d = { .work.queue = 7, .work.tasks = 1 };

	errno = 0;
	assert_null(sim_submit(sw->sim, 0, &d));
	assert_int_equal(errno, EINVAL);
	sim_world_destroy(sw);
}

/* A job outside all queues uses nodes until 30; then x starts */
static void test_occupied(void **state)
{
	struct sim_world *sw = sim_world_create(ONE "wait x in q cpu=4", "room=cpu@f=8 x=5", 0);
	struct charge charge = { 0, 0, 6 };

	assert_int_equal(sim_occupy(sw->sim, &charge, 1, 30), 0);
	assert_string_equal(sim_world_play(sw, 9), "30 start x; 35 end x");
	sim_world_destroy(sw);
}

/* All ways to start tell by which one that was. */
static void test_started_in(void **state)
{
	struct sim_world *sw = sim_world_create(
		"queue p cpu@f=4\nqueue q cpu@f=8\nrun r in p cpu@f=4\n"
		"run s in q cpu@f=8\nwait x in p cpu=4\nwait y in q cpu=4\n"
		"wait z in p cpu=4 at=1", "r=20 s=10 x=50 y=50,either=x z=5", 0);
	const struct sim_job *x = sim_world_job(sw, "x");
	const struct sim_job *y = sim_world_job(sw, "y");
	const struct sim_job *z = sim_world_job(sw, "z");
	int p;

	assert_int_equal(sim_job_started_in(x), SPEC_NONE);
	sim_world_play(sw, 9);
	p = sim_job_started_in(z);
	assert_int_not_equal(p, SPEC_NONE);
	assert_int_equal(sim_job_started_in(x), sim_job_started_in(y));
	assert_int_not_equal(sim_job_started_in(x), p);
	sim_world_destroy(sw);
}

TESTS(cmocka_unit_test(test_cases), cmocka_unit_test(test_started_in),
      cmocka_unit_test(test_invalid), cmocka_unit_test(test_occupied))
