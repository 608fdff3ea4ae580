/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test explain.c - reasons of the plan before
 *
 * The model check compares each reason with that of an engine built anew. Here it
 * is counted how many are made (reason_to_wait() is counted at link time), and two plans
 * with other reasons are tried.
 */
#include <stdio.h>

#include "plan/plan.h"
#include "world.h"

#define SHAPES 40

static size_t made;

struct verdict __real_reason_to_wait(struct plan *p, const struct workload *w,
				     const struct passed_over *passed);
struct verdict __wrap_reason_to_wait(struct plan *p, const struct workload *w,
				     const struct passed_over *passed);

struct verdict __wrap_reason_to_wait(struct plan *p, const struct workload *w,
				     const struct passed_over *passed)
{
	made++;
	return __real_reason_to_wait(p, w, passed);
}

/* How many reasons the next plan makes */
static size_t made_by_plan(struct world *w)
{
	made = 0;
	world_plan(w, 100);
	return made;
}

static struct world *full_queue(void)
{
	static char text[4096];
	size_t n = (size_t) sprintf(text, "queue a cpu@f=9 mem@f=999\nrun r0 in a cpu@f=8\nrun r1 in a cpu@f=1\n");

	for (int i = 0; i < SHAPES; i++)
		n += (size_t) sprintf(text + n, "wait w%d in a cpu=%d mem=%d at=%d\n",
				      i, 2 + i % 3, 1 + i, i);
	return world_create(text);
}

static void test_same_room(void **state)
{
	struct world *w = full_queue();

	(void) state;
	assert_int_equal(made_by_plan(w), SHAPES);
	world_tell(w, "remove r1\nrun r2 in a cpu@f=1\n");
	assert_int_equal(made_by_plan(w), 0);
	/* one CPU is free, which is too little for all of them */
	world_tell(w, "remove r2\n");
	assert_int_equal(made_by_plan(w), SHAPES);
	world_destroy(w);
}

/* One shape costs no more than what is free of all that the queue could use */
static void test_more_pairs_than_shapes(void **state)
{
	struct world *w = world_create("queue a cpu@f=4 mem@f=4\nrun r in a cpu@f=4\n"
				       "wait x in a cpu=1\n");

	(void) state;
	assert_int_equal(made_by_plan(w), 1);
	world_tell(w, "remove r\nrun s in a cpu@f=4\n");
	assert_int_equal(made_by_plan(w), 1);
	world_destroy(w);
}

static const char *plan_after(struct world *w, const char *told)
{
	world_tell(w, told);
	return world_plan(w, 100);
}

static void test_other_reason(void **state)
{
	struct world *w = world_create("cohort c cpu@f=2\nqueue a in c cpu@f=0\nqueue b in c cpu@f=2\n"
				       "run r in a cpu@f=2\nrun s in b cpu@f=2\n"
				       "wait x in a cpu=2 at=1\nwait y in a cpu=1 at=2\n");

	(void) state;
	assert_string_equal(world_plan(w, 100), "x=quota(cpu@f,need=2,free=0) y=quota(cpu@f,need=1,free=0)");
	/* x goes first, so y only waits for its turn; and not in the next plan */
	assert_string_equal(plan_after(w, "remove r\n"), "x=start#1+ y=order");
	assert_string_equal(plan_after(w, "start x cpu@f=2\n"), "y=quota(cpu@f,need=1,free=0)");
	assert_string_equal(plan_after(w, "remove x\nrun t in a cpu@f=1\nwait z in a cpu=2 at=0\n"),
			    "y=start#1+ z=quota(cpu@f,need=2,free=0)");
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_room),
		cmocka_unit_test(test_more_pairs_than_shapes),
		cmocka_unit_test(test_other_reason),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
