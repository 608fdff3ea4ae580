/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test plans without memory - a plan that cannot remember what its victims use,
 * or what to undo, is not made, and made later
 */
#include "holding/holding.h"
#include "plan/plan.h"
#include "query.h"
#include "random/text.h"

#include "failing.h"

#define FREED "cohort org\nqueue a in org reclaim=any cpu@f=4 mem@f=4\n" \
	"queue b in org cpu@f=4 mem@f=4\nqueue c in org cpu@f=0 mem@f=0\n" \
	"run b1 in b cpu@f=4 mem@f=2\nrun c1 in c cpu@f=2 mem@f=2\n" \
	"run c2 in c cpu@f=2 mem@f=2\nwait x in a cpu=4 at=1\nwait y in a mem=3 at=2\n"

/* r is protected: quota is kept for x, and y and z get none of it. */
#define KEPT "site reclaim=50\ncohort org\nqueue a in org reclaim=any cpu@f=4\n" \
	"queue b in org cpu@f=4\nqueue c in org strict cpu@f=1\n" \
	"run r in b cpu@f=6 since=90\nwait x in a cpu=4\n" \
	"wait y in c cpu=2\nwait z in a cpu=1 at=9\n"

/* x, y and z are too much together. u, v and w are not: v has to go to the
 * flavor that is tried first for u. */
#define NEVER "cohort org\nqueue a in org cpu@f=4 cpu@g=6\nqueue b in org cpu@f=0\n" \
	"queue c cpu@f=4\nrun r in a cpu@f=4\nrun s in c cpu@f=4\n" \
	"wait x in a cpu=6 at=1\nwait y in b cpu=5 at=1\nwait z in c cpu=1 at=1\n" \
	"wait u in a cpu=3 at=2\nwait v in a cpu=4 at=2 not=g\nwait w in c cpu=2 at=2\n" \
	"together x y z\ntogether u v w\n"

/* Fair sharing: the first pass finds none but b1; the second one has a retry list. */
#define SHARED "site fair\ncohort org\ncohort left in org\n" \
	"queue a in org within=lower reclaim=any cpu@f=3\n" \
	"queue b in left within=lower reclaim=any cpu@f=3\n" \
	"queue c in org within=lower reclaim=any cpu@f=3\n" \
	"run b1 in b cpu@f=6\nrun a1 in a cpu@f=3\nwait x in a cpu=2\n"

/* Two heads of a cycle evict. */
#define TAKEN "cohort org\ncohort sub in org\n" \
	"queue a in sub within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n" \
	"queue c in org cpu@f=0\nqueue d in sub cpu@f=0\n" \
	"run c1 in c cpu@f=2\nrun c2 in c cpu@f=2\nrun d1 in d cpu@f=2\n" \
	"run d2 in d cpu@f=2\nwait x in a cpu=2 at=1\nwait y in b cpu=2 at=2\n"

/* Plans while the n-th allocation fails, and the log of the books has room for so
 * many entries: true. The next plan is right, also if the first job ends before. */
static bool plan_poor(const char *told, const char *answer, size_t room, size_t n)
{
	struct world *world = world_create(told);
	struct engine *e = world->engine;
	uint64_t digest = engine_digest(e);
	bool failed;
	int rc;

	failing_shorten_log(e->books, room);
	failing_begin(n);
	rc = engine_plan(e, 100);
	failed = failing_end();
	assert_int_equal(engine_stale(e, 100), rc < 0);
	assert_true(engine_digest(e) == digest);
	for (size_t i = 0; i < world->nworkloads; i++) {
		const struct holding *h = holding_of(world->workloads[i]);

		assert_false(h && (h->gone || h->taken));
	}
	if (n % 2)
		assert_string_equal(world_plan(world, 100), answer);
	world_tell(world, "remove x");
	assert_int_not_equal(world_plan(world, 100)[0], 'x');
	world_destroy(world);
	return failed;
}

static void worlds_plan_poor(const char *told, const char *has)
{
	struct world *sure = world_create(told);
	char answer[sizeof(sure->text)];

	strcpy(answer, world_plan(sure, 100));
	assert_non_null(strstr(answer, has));
	for (size_t room = 0; room < 80; room++) {
		failing_lasts = room % 2;
		for (size_t n = 1; plan_poor(told, answer, room / 2, n); n++)
			;
	}
	world_destroy(sure);
}

#define ALIKE 20

static void test_plan(void **state)
{
	static struct text t;

	worlds_plan_poor(FREED, "x=preempt#1(2) y=preempting(2)");
	worlds_plan_poor(KEPT, "x=protected");
	worlds_plan_poor(SHARED, "x=preempt#1(1)");
	worlds_plan_poor(TAKEN, "x=preempt#1(1) y=preempt#2(1)");
	worlds_plan_poor(NEVER, "never");
	/* what is decided about many takes memory, too */
	text_begin(&t, 1);
	say(&t, "cohort org\nqueue a in org cpu@f=99\nqueue b in org cpu@f=99\n"
	    "wait x in a cpu=1\n");
	for (int i = 0; i < ALIKE; i++)
		say(&t, "wait w%d in %c cpu=1 at=%d\nblocked w%d\n", i, 'a' + i % 2, i, i);
	worlds_plan_poor(t.bytes, "x=start");
}

TESTS(cmocka_unit_test(test_plan))
