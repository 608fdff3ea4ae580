/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test line.c - the order of a line in which usage counts
 */
#include "query.h"
#include "world.h"

static const struct world_case plans[] = {
	/* the one that has used less goes first, whatever priority and age */
	{ "site lhalf=3600\nqueue q usage cpu@f=4\nlocal q 1 cpu=2\n"
	  "wait a in q local=1 cpu=3 prio=9\nwait b in q local=2 cpu=3", 5, "a=order b=start#1" },
	{ "site\nqueue q usage cpu@f=4\nlocal q 1 cpu=2\n"
	  "wait a in q local=1 cpu=3 prio=9\nwait b in q local=2 cpu=3", 5, "a=order b=start#1" },
	{ "site lhalf=3600\nqueue q cpu@f=4\nlocal q 1 cpu=2\n"
	  "wait a in q local=1 cpu=3 prio=9\nwait b in q local=2 cpu=3", 5, "a=start#1 b=order" },
	/* equal ones: by priority, then by age */
	{ "site lhalf=3600\nqueue q usage cpu@f=4\n"
	  "wait a in q local=1 cpu=3\nwait b in q local=2 cpu=3 prio=1", 5, "a=order b=start#1" },
	/* weight 0 comes last, although it is idle */
	{ "site lhalf=3600\nqueue q usage cpu@f=4\nlocal q 1 weight=0\nlocal q 2 cpu=99\n"
	  "wait a in q local=1 cpu=3 prio=1\nwait b in q local=2 cpu=3", 5, "a=order b=start#1" },
	/* StrictFIFO: the first of the line by usage stops all behind it */
	{ "site lhalf=3600\nqueue q strict usage cpu@f=4\nlocal q 1 cpu=2\n"
	  "run r in q local=3 cpu@f=2\n"
	  "wait a in q local=1 cpu=2 prio=9\nwait b in q local=2 cpu=3", 5,
	  "a=order b=quota(cpu@f,need=3,free=2)" },
	/* an owner of freed quota is first, also in StrictFIFO */
	{ "site lhalf=3600\nqueue q strict usage cpu@f=4\nlocal q 1 cpu=2\n"
	  "wait a in q local=1 cpu=2\nwait b in q local=2 cpu=3\n"
	  "own a cpu@f=2", 5, "a=start#1 b=quota(cpu@f,need=3,free=2)" },
};

static void test_plans(void **state)
{
	world_cases(plans, COUNT(plans), world_plan);
}

/* Example 10: each start of the plan counts for those behind it. */
static void test_alternate(void **state)
{
	struct world *world = world_create(
		"site lhalf=3600 sampling=300\nqueue q usage cpu@f=1000\nnow 7\nlocal q 2 cpu=1\n"
		"wait x in q local=1 cpu=4 tasks=7\nwait y in q local=2 cpu=4 tasks=3\n");
	const struct verdict *x, *y;

	assert_string_equal(world_plan(world, 7), "x=start#1x7 y=start#2x3");
	world_destroy(world);
	/* with room for ten jobs of one each, started as the plan says, one plan after the other */
	world = world_create("site lhalf=3600 sampling=300\nqueue q usage cpu@f=1000\n"
		"now 7\nlocal q 2 cpu=1\nwait x in q local=1 cpu=4\nwait y in q local=2 cpu=4\n");
	for (int i = 0; i < 10; i++) {
		static const char order[] = "xxxxxyxyxy";
		char line[64];

		world_plan(world, 7);
		x = world_verdict(world, "x");
		y = world_verdict(world, "y");
		assert_int_equal(order[i], x->rank < y->rank ? 'x' : 'y');
		snprintf(line, sizeof(line), "run r%d in q local=%d cpu@f=4", i,
			 order[i] == 'x' ? 1 : 2);
		world_tell(world, line);
	}
	world_destroy(world);
}

static const char *line_of(struct world *world, char *text, size_t size)
{
	*text = '\0';
	for (size_t place = 1; place <= world->nworkloads; place++) {
		for (size_t i = 0; i < world->nworkloads; i++) {
			int64_t total;
			size_t n = strlen(text);

			if ((size_t) engine_place(world->engine, world->workloads[i],
						  &total) == place)
				snprintf(text + n, size - n, "%s", world->names[i]);
		}
	}
	return text;
}

/* Places follow the scores, and a line that stays the same is not renewed. */
static void test_places(void **state)
{
	struct world *world = world_create("site lhalf=3600 sampling=300\nqueue q strict usage cpu@f=1\n"
		"now 7\nlocal q 1 cpu=3\nlocal q 2 cpu=2\nlocal q 3 cpu=1\n"
		"wait a in q local=1 cpu=4\nwait b in q local=2 cpu=4\n"
		"wait c in q local=3 cpu=4\nwait d in q local=1 cpu=4\n"
		"wait e in q local=4 cpu=4\n");
	char text[64];

	world_plan(world, 7);
	assert_string_equal(line_of(world, text, sizeof(text)), "ecbad");
	assert_true(engine_next_expiry(world->engine) == 7 + 3600 / 64);
	world_plan(world, engine_next_expiry(world->engine));
	assert_string_equal(line_of(world, text, sizeof(text)), "ecbad");
	world_tell(world, "local q 3 cpu=9\nlocal q 4 cpu=5");
	world_plan(world, 70);
	assert_string_equal(line_of(world, text, sizeof(text)), "badec");
	/* nothing is left that time would change */
	world_tell(world, "now 99999999");
	world_plan(world, 99999999);
	assert_string_equal(line_of(world, text, sizeof(text)), "abcde");
	assert_true(engine_next_expiry(world->engine) == 0);
	/* who owns freed quota comes first, also in a strict queue */
	world_tell(world, "own d cpu@f=1");
	assert_string_equal(line_of(world, text, sizeof(text)), "dabce");
	world_destroy(world);
}

static const struct target_case victims[] = {
	/* of the own queue: a job of the local queue that has used more */
	{ "site lhalf=3600\nqueue a within=lower usage cpu@f=4\nlocal a 1 cpu=1\nlocal a 2 cpu=5\n"
	  "run r in a local=1 cpu@f=2 prio=1\nrun s in a local=2 cpu@f=2 prio=2\n"
	  "wait x in a local=3 cpu=1 prio=5", 5, "cpu@f=1", "s/InClusterQueue" },
	{ "site lhalf=3600\nqueue a within=lower cpu@f=4\n"
	  "run r in a local=1 cpu@f=2 prio=1\nrun s in a local=2 cpu@f=2 prio=2\n"
	  "wait x in a local=3 cpu=1 prio=5", 5, "cpu@f=1", "r/InClusterQueue" },
	/* which jobs may be evicted does not change */
	{ "site lhalf=3600\nqueue a within=lower usage cpu@f=4\nlocal a 1 cpu=1\nlocal a 2 cpu=5\n"
	  "run r in a local=1 cpu@f=2 prio=1\nrun s in a local=2 cpu@f=2 prio=5\n"
	  "wait x in a local=3 cpu=1 prio=5", 5, "cpu@f=1", "r/InClusterQueue" },
	/* a job that leaves anyway comes first */
	{ "site lhalf=3600\nqueue a within=lower usage cpu@f=4\nlocal a 1 cpu=1\nlocal a 2 cpu=5\n"
	  "run r in a local=1 cpu@f=2 evicting\nrun s in a local=2 cpu@f=2\n"
	  "wait x in a local=3 cpu=1 prio=5", 5, "cpu@f=1", "r/InClusterQueue" },
	/* with turns: before their order */
	{ "site lhalf=3600\nqueue a within=newer turn=10 usage cpu@f=4\n"
	  "local a 1 cpu=1\nlocal a 2 cpu=5\n"
	  "run r in a local=1 cpu@f=2 since=1\nrun s in a local=2 cpu@f=2 since=2\n"
	  "wait x in a local=3 cpu=1", 50, "cpu@f=1", "s/InClusterQueueTimeBased" },
	/* fair sharing: in each queue that gives */
	{ "site fair lhalf=3600\ncohort c\nqueue a in c reclaim=any cpu@f=4\n"
	  "queue b in c usage cpu@f=0\nlocal b 1 cpu=5\nlocal b 2 cpu=1\n"
	  "run r in b local=1 cpu@f=2 since=1\nrun s in b local=2 cpu@f=2 since=2\n"
	  "wait x in a cpu=1", 5, "cpu@f=1", "r/InCohortReclamation" },
	/* without it candidates of several queues are one list */
	{ "site lhalf=3600\ncohort c\nqueue a in c reclaim=any cpu@f=4\n"
	  "queue b in c usage cpu@f=0\nlocal b 1 cpu=5\nlocal b 2 cpu=1\n"
	  "run r in b local=1 cpu@f=2 since=1\nrun s in b local=2 cpu@f=2 since=2\n"
	  "wait x in a cpu=1", 5, "cpu@f=1", "s/InCohortReclamation" },
};

static void test_victims(void **state)
{
	target_cases(victims, COUNT(victims));
}

TESTS(cmocka_unit_test(test_plans), cmocka_unit_test(test_alternate), cmocka_unit_test(test_places),
      cmocka_unit_test(test_victims))
