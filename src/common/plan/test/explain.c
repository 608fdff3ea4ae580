/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test explain.c - why shapes wait, and whether the reason is that of the plan before
 */
#include <stdio.h>

#include "query.h"
#include "world.h"

#define SHAPES 40

static struct world *full_queue(void)
{
	static char text[4096];
	size_t n = (size_t) sprintf(text, "queue a cpu@f=9 mem@f=999\nrun r0 in a cpu@f=8\nrun r1 in a cpu@f=1\n");

	for (int i = 0; i < SHAPES; i++)
		n += (size_t) sprintf(text + n, "wait w%d in a cpu=%d mem=%d at=%d\n",
				      i, 2 + i % 3, 1 + i, i);
	return world_create(text);
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

/* What callers see of that: the key of a reason, and whether any has changed */
static void test_key(void **state)
{
	struct world *w = full_queue();
	const struct engine *e = w->engine;
	const struct workload *w0 = world_workload(w, "w0");
	uint64_t key, reasons;

	(void) state;
	world_plan(w, 100);
	key = engine_reason_key(e, w0);
	assert_int_not_equal(key, 0);
	assert_int_not_equal(key, engine_reason_key(e, world_workload(w, "w3")));
	reasons = engine_reasons(e);
	/* as much is free as before, and one more waits; then more mem is in use */
	plan_after(w, "remove r1\nrun r2 in a cpu@f=1\nwait x in a cpu=9 at=0\n");
	plan_after(w, "remove r2\nrun r3 in a cpu@f=1 mem@f=9\n");
	assert_int_equal(engine_reason_key(e, w0), key);
	assert_int_equal(engine_reasons(e), reasons);
	/* one CPU is free, of which nobody has enough */
	plan_after(w, "remove r3\n");
	assert_int_not_equal(engine_reason_key(e, w0), key);
	assert_int_not_equal(engine_reasons(e), reasons);
	/* one that goes, and one that was never planned, wait for no reason */
	plan_after(w, "remove r0\nwait y in a cpu=1 at=99\n");
	assert_int_equal(engine_verdict_kind(e, w0), VERDICT_START);
	assert_int_equal(engine_reason_key(e, w0), 0);
	world_tell(w, "wait z in a cpu=2 at=99\n");
	assert_int_equal(engine_verdict_kind(e, world_workload(w, "z")), VERDICT_NONE);
	assert_int_equal(engine_reason_key(e, world_workload(w, "z")), 0);
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_reason),
		cmocka_unit_test(test_key),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
