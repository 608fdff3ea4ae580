/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test bonds.c - jobs in several queues and heterogeneous jobs, in several trees
 */
#include "random/text.h"
#include "world.h"

#define APART "queue a within=lower cpu@f=4\nqueue b within=lower cpu@f=4\n"

#define CHAIN 40

/* Each job names a queue that all share, and then one of its own. The quota that a job
 * leaves in its own queue would be enough for the next one to borrow it. No job waits. */
static void test_chain(void **state)
{
	static struct text t;
	struct world *w;
	char name[16];
	bool goes;

	text_begin(&t, 1);
	say(&t, "cohort c\nqueue s in c cpu@f=1\n");
	for (int i = 0; i < CHAIN; i++)
		say(&t, "queue q%d in c cpu@f=1\n", i);
	for (int i = 0; i < CHAIN; i++)
		say(&t, "wait s%d in s cpu=1 at=%d\n"
		    "wait o%d in q%d cpu=1 at=%d\neither s%d o%d\n", i, i, i, i, i, i, i);
	w = world_create(t.bytes);
	engine_plan(w->engine, 0);
	for (int i = 0; i < CHAIN; i++) {
		snprintf(name, sizeof(name), "s%d", i);
		goes = world_verdict(w, name)->kind == VERDICT_START;
		name[0] = 'o';
		assert_true(goes != (world_verdict(w, name)->kind == VERDICT_START));
	}
	world_destroy(w);
}

/* 20 jobs fail one after the other; the last one does not, if `last` fits. The jobs of which
 * the verdicts are these have theirs whatever fails before them. */
static void many_fail(int last, const char *more, const char *starts[2], const char *waits)
{
	struct world *w = world_create(APART "run r in b cpu@f=2");
	char text[128];

	for (int i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "wait a%d in a cpu=4 at=%d\n"
			 "wait b%d in b cpu=%d at=%d\ntogether a%d b%d",
			 i, i, i, i == 19 ? last : 3, i, i, i);
		world_tell(w, text);
	}
	world_tell(w, more);
	engine_plan(w->engine, 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(world_verdict(w, starts[i])->kind, VERDICT_START);
	assert_int_equal(world_verdict(w, waits)->kind, VERDICT_WAIT);
	world_destroy(w);
}

static void test_many_fail(void **state)
{
	static const char *others[] = { "y", "z" }, *job[] = { "a19", "b19" };
	const char *more = "wait y in a cpu=4 at=99\nwait z in b cpu=2 at=99";

	many_fail(3, more, others, "a19");
	many_fail(3, more, others, "b19");
	many_fail(2, "wait y in a cpu=4 at=99", job, "y");
}

static const char *const stories[] = {
	/* entries of one job that are decided while others wait: each job goes once */
	"queue a within=lower cpu@f=4\nqueue b cpu@f=4\nqueue c cpu@f=4\n"
	"wait x1 in a cpu=2\nwait x2 in a cpu=2 prio=2\nwait x3 in b cpu=2\neither x1 x2 x3\n"
	"wait y1 in a cpu=3 prio=1\nwait y2 in c cpu=2\neither y1 y2\n"
	"plan 0 x1=order x2=start#1 x3=order y1=order y2=start#2",
	/* j2 evicts u, which leaves so much that j1 can go by evicting r: and only then */
	"cohort c\nqueue a in c reclaim=any cpu@f=4\n"
	"queue d in c within=any cpu@f=4\nqueue x in c cpu@f=4\n"
	"run r in d cpu@f=2\nrun s in x cpu@f=4 since=1\n"
	"run t in x cpu@f=2 since=2\nrun u in x cpu@f=4 since=3\n"
	"wait j1 in d cpu=3 prio=1\nwait j2 in a cpu=3 prio=1\neither j1 j2\n"
	"plan 100 j1=order j2=preempt#1(1)",
	/* x2 is the first in line, and y2 alone in its queue */
	"queue a cpu@f=6\nqueue b cpu@f=4\n"
	"wait x1 in a cpu=2 at=4\nwait x2 in a cpu=3 at=1\neither x1 x2\n"
	"wait t1 in a cpu=3 at=2\nwait t2 in a cpu=3 at=3\ntogether t1 t2\n"
	"wait y1 in a cpu=1 at=5\nwait y2 in b cpu=1\neither y1 y2\n"
	"plan 0 x1=order x2=start#1 t1=quota(cpu@f,need=3,free=0) "
	"t2=quota(cpu@f,need=3,free=0) y1=order y2=start#2",
	/* what happens in a third tree decides about a job, too */
	APART "queue c cpu@f=4\nrun r in c cpu@f=2\n"
	"wait x1 in a cpu=4\nwait x2 in b cpu=4\ntogether x1 x2\n"
	"wait y1 in b cpu=3 prio=1\nwait y2 in c cpu=3 prio=1\ntogether y1 y2\n"
	"plan 0 x1=start#1 x2=start#2 "
	"y1=quota(cpu@f,need=3,free=2) y2=quota(cpu@f,need=3,free=2)\n"
	"remove r\nplan 0 x1=quota(cpu@f,need=4,free=1) x2=quota(cpu@f,need=4,free=1) "
	"y1=start#1 y2=start#2\n"
	"run r in c cpu@f=2\nplan 0 x1=start#1 x2=start#2 "
	"y1=quota(cpu@f,need=3,free=2) y2=quota(cpu@f,need=3,free=2)",
	/* x1 has quota, and waits for x2, which stands behind y. y can evict r from 101 on. */
	"queue q strict within=lower pmin=100 cpu@f=4\nrun r in q cpu@f=2 since=1\n"
	"wait x1 in q cpu=1 prio=5\nwait y in q cpu=2 prio=4\nwait x2 in q cpu=1 prio=3\n"
	"together x1 x2\nown x1 cpu@f=1\nplan 10 x1=order y=protected(101) x2=order\nexpiry 101\n"
	"plan 101 x1=preempting(1) y=preempt#1(1) x2=preempting(1)",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_chain),
      cmocka_unit_test(test_many_fail))
