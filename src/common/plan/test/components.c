/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test components.c - jobs with components in several queues of a tree
 */
#include "world.h"

#define QUEUES(a, b) "cohort org\nqueue a " a "in org cpu@f=4+0\nqueue b " b "in org cpu@f=4+0\n"
#define TWO QUEUES("", "")

/* In a x1 comes first, in b y2 does: y gives up for x, whose first component came first. */
#define CROSSED "wait x1 in a cpu=1 at=1\nwait x2 in b cpu=1 at=4\ntogether x1 x2\n" \
	"wait y1 in a cpu=3 at=3\nwait y2 in b cpu=1 at=2\ntogether y1 y2"

static const struct world_case cases[] = {
	/* x goes, and so does y, or y waits */
	{ TWO CROSSED, 0, "x1=start#1 x2=start#2 y1=start#4 y2=start#3" },
	{ TWO "run r in a cpu@f=1\n" CROSSED, 0,
	  "x1=start#1 x2=start#2 y1=quota(cpu@f,need=3,free=2) y2=quota(cpu@f,need=3,free=2)" },
	{ QUEUES("usage ", "usage ") "run r in a cpu@f=2\n" CROSSED, 0,
	  "x1=start#1 x2=start#2 y1=quota(cpu@f,need=3,free=1) y2=quota(cpu@f,need=3,free=1)" },
	/* v stands behind x1, and is of the same shape */
	{ TWO "run r in a cpu@f=2\nwait u in a cpu=1 at=0\nwait v in a cpu=1 at=9\n" CROSSED, 0,
	  "u=start#1 v=order x1=start#2 x2=start#3 "
	  "y1=quota(cpu@f,need=3,free=0) y2=quota(cpu@f,need=3,free=0)" },
	{ TWO "run r in a cpu@f=3\nwait v in a cpu=1 at=9\n" CROSSED, 0,
	  "v=order x1=start#1 x2=start#2 "
	  "y1=quota(cpu@f,need=3,free=0) y2=quota(cpu@f,need=3,free=0)" },
	/* four of them: each has its turn */
	{ TWO "queue c in org cpu@f=4+0\nrun r in a cpu@f=2\n" CROSSED
	  "\nwait z1 in b cpu=1 at=3\nwait z2 in c cpu=1 at=1\ntogether z1 z2"
	  "\nwait u1 in c cpu=1 at=2\nwait u2 in a cpu=3 at=0\ntogether u1 u2", 0,
	  "x1=start#3 x2=start#4 y1=quota(cpu@f,need=3,free=1) "
	  "y2=quota(cpu@f,need=3,free=1) z1=start#2 z2=start#1 "
	  "u1=quota(cpu@f,need=3,free=1) u2=quota(cpu@f,need=3,free=1)" },
	/* a StrictFIFO queue waits behind y2, but not behind y1 */
	{ QUEUES("strict ", "") "run r in a cpu@f=2\n" CROSSED, 0,
	  "x1=start#1 x2=start#2 y1=quota(cpu@f,need=3,free=1) y2=quota(cpu@f,need=3,free=1)" },
	{ QUEUES("", "strict ") "run r in a cpu@f=2\n" CROSSED, 0,
	  "x1=order x2=order y1=quota(cpu@f,need=3,free=2) y2=quota(cpu@f,need=3,free=2)" },
};

static void test_crossed(void **state)
{
	world_cases(cases, COUNT(cases), world_plan);
}

/* x gives up for y, so v has its turn before x1, which stands before it in the same
 * shape, and does not fit after it. */
#define X TWO "queue c cpu@f=1\n" \
	"wait x1 in a cpu=1 at=1\nwait x2 in b cpu=4 at=4\ntogether x1 x2\n"
#define V "wait v in a cpu=1 at=2\n"
#define Y "wait y1 in a cpu=3 at=3\nwait y2 in b cpu=1 prio=1\ntogether y2 y1\n"

static void promise_count(void *arg, const struct workload *w, const struct verdict *v)
{
	int *n = arg;

	(*n)++;
}

/* After a plan and the change it is as in a new world, and so many have their turn. */
static void is_as_if_new(const char *change, const char *as_new, int promised)
{
	struct world *world = world_create(X V Y);
	char new[256];
	int n = 0;

	assert_string_equal(world_plan(world, 0), "x1=order x2=order v=start#1 y1=start#3 "
			    "y2=start#2");
	world_tell(world, change);
	strcpy(new, world_plan(world, 0));
	engine_promises(world->engine, promise_count, &n);
	world_destroy(world);
	world = world_create(as_new);
	assert_string_equal(world_plan(world, 0), new);
	world_destroy(world);
	assert_int_equal(n, promised);
}

/* A plan came to v, which stands behind one that has not had its turn: it is made
 * again when v goes, and when another one comes to stand there. */
static void test_overtaken(void **state)
{
	is_as_if_new("remove v\n", X Y, 2);
	is_as_if_new("update v in c cpu=9 at=2\n", X "wait v in c cpu=9 at=2\n" Y, 2);
	is_as_if_new("wait n in a cpu=1 at=1\n", X V Y "wait n in a cpu=1 at=1\n", 4);
}

static const char *const stories[] = {
	/* x2 stands behind z, so x1 has no turn, although it could evict s. When r is no longer
	 * protected it would evict that one. */
	"cohort org\nqueue a in org within=lower cpu@f=8 pmin=50\nqueue b in org strict cpu@f=4\n"
	"run r in a cpu@f=4 since=90\nrun s in a cpu@f=4 prio=1 since=1\nrun t in b cpu@f=4\n"
	"wait x1 in a cpu=4 prio=2\nwait z in b cpu=4 at=1\nwait x2 in b cpu=1 at=2\n"
	"together x1 x2\nplan 100 x1=order z=quota(cpu@f,need=4,free=0) x2=order\nexpiry 140",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_crossed),
      cmocka_unit_test(test_overtaken))
