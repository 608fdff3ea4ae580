/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test explain.c - why shapes wait, and whether the reason is that of the plan before
 */
#include "query.h"
#include "world.h"

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
		cmocka_unit_test(test_other_reason),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
