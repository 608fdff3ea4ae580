/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test freed.c - what the victims of a plan use, summed by queue
 */
#include <stdio.h>

#include "core/trial.h"
#include "plan/freed.h"
#include "victims/target.h"
#include "world.h"

#define FOREST "cohort org\nqueue a in org cpu@f=4 mem@f=4\n" \
	"queue b in org cpu@f=4 mem@f=4\nqueue z cpu@f=4 mem@f=4\n"
#define WORLD FOREST "run b1 in b cpu@f=3 mem@f=1\nrun b2 in b cpu@f=2\n" \
	"run a1 in a mem@f=5\nrun a2 in a cpu@f=1\n" \
	"run z1 in z cpu@f=3 mem@f=2\nrun b3 in b mem@f=1\nunit a1 z1 b3\n"

/* The usage of a queue: "cpu mem" */
static const char *usage(struct world *world, size_t queue)
{
	static char text[2][32];
	static int turn;
	const struct books *b = world->engine->books;
	int node = world->engine->queues[queue].node;

	turn = !turn;
	snprintf(text[turn], sizeof(text[turn]), "%d %d",
		 (int) books_cell(b, node, books_pair(b, 0, 0))->usage,
		 (int) books_cell(b, node, books_pair(b, 0, 1))->usage);
	return text[turn];
}

static struct plan plan_of(struct world *world)
{
	struct engine *e = world->engine;

	return (struct plan) { .e = e, .tree = e->queues[0].tree };
}

static void leave(struct plan *p, struct world *world, const char *name)
{
	struct holding *h = world_workload(world, name)->held;

	target_remove(p->e, h);
	assert_int_equal(freed_add(p, h), 0);
}

static void test_sums(void **state)
{
	struct world *world = world_create(WORLD);
	struct plan p = plan_of(world);
	size_t mark, all = trial_begin(p.e);

	(void) state;
	freed_restore(&p);		/* nobody has left */
	assert_string_equal(usage(world, 1), "5 2");
	leave(&p, world, "b1");
	assert_string_equal(usage(world, 1), "2 1");
	leave(&p, world, "b2");
	leave(&p, world, "a1");
	assert_string_equal(usage(world, 0), "1 0");
	assert_string_equal(usage(world, 1), "0 0");
	mark = trial_begin(p.e);
	freed_restore(&p);
	assert_string_equal(usage(world, 0), "1 5");
	assert_string_equal(usage(world, 1), "5 2");
	/* z1 went with a1 as b3 did, but is for the plan of its own tree */
	assert_string_equal(usage(world, 2), "0 0");
	trial_end(p.e, mark);
	assert_string_equal(usage(world, 0), "1 0");
	assert_string_equal(usage(world, 1), "0 0");
	/* once more, with another one */
	leave(&p, world, "a2");
	freed_restore(&p);
	assert_string_equal(usage(world, 0), "1 5");
	assert_string_equal(usage(world, 1), "5 2");
	trial_end(p.e, all);
	assert_string_equal(usage(world, 2), "3 2");
	world_destroy(world);
}

/* How many entries the log has for it, after so many victims */
static size_t work_of_restore(int victims)
{
	struct world *world = world_create(FOREST);
	struct plan p = plan_of(world);
	size_t mark, before, work;
	char text[64];

	for (int i = 0; i < victims; i++) {
		snprintf(text, sizeof(text), "run r%d in b cpu@f=9", i);
		world_tell(world, text);
	}
	mark = trial_begin(p.e);
	for (int i = 0; i < victims; i++) {
		snprintf(text, sizeof(text), "r%d", i);
		leave(&p, world, text);
	}
	before = p.e->books->nlog;
	freed_restore(&p);
	work = p.e->books->nlog - before;
	trial_end(p.e, mark);
	world_destroy(world);
	return work;
}

static void test_work(void **state)
{
	(void) state;
	assert_true(work_of_restore(1) > 0);
	assert_int_equal(work_of_restore(40), work_of_restore(1));
}

#define LENT "cohort org\nqueue a in org reclaim=any cpu@f=4 mem@f=4\n" \
	"queue b in org cpu@f=4 mem@f=4\nqueue c in org cpu@f=0 mem@f=0\n" \
	"queue d in org cpu@f=0 mem@f=0\nqueue z cpu@f=4 mem@f=4\n" \
	"run b1 in b cpu@f=4 mem@f=2\nrun c1 in c cpu@f=2 mem@f=2\n" \
	"run d1 in d cpu@f=2 mem@f=2\nwait x in a cpu=4 at=1\n"

/* x evicts c1 and d1. What starts fits beside both, */
static const struct world_case plans[] = {
	{ LENT "wait y in a mem=2 at=2", 0, "x=preempt#1(2) y=start#2" },
	{ LENT "wait y in a mem=3 at=2", 0, "x=preempt#1(2) y=preempting(2)" },
	/* and beside those that wait for them */
	{ LENT "wait v in a mem=3 at=2\nwait y in a mem=1 at=3", 0,
	  "x=preempt#1(2) v=preempting(2) y=preempting(2)" },
	{ LENT "wait v in a mem=1 at=2\nwait y in a mem=1 at=3", 0,
	  "x=preempt#1(2) v=start#2 y=start#3" },
	/* in other trees nobody waits for them */
	{ LENT "wait y in z cpu=4 mem=4", 0, "x=preempt#1(2) y=start#2" },
};

static void test_plans(void **state)
{
	(void) state;
	world_cases(plans, COUNT(plans), world_plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_plans),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
