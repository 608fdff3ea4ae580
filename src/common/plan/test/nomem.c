/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test plans without memory - a plan that cannot remember what its victims use,
 * or what to undo, is not made, and made later
 */
#include "plan/plan.h"
#include "query.h"
#include "random/text.h"

#include "failing.h"

static const char told[] =
	"cohort org\nqueue a in org reclaim=any cpu@f=4 mem@f=4\n"
	"queue b in org cpu@f=4 mem@f=4\nqueue c in org cpu@f=0 mem@f=0\n"
	"run b1 in b cpu@f=4 mem@f=2\nrun c1 in c cpu@f=2 mem@f=2\n"
	"run c2 in c cpu@f=2 mem@f=2\nwait x in a cpu=4 at=1\n"
	"wait y in a mem=3 at=2\n";

/* r is protected: quota is kept for x, and y and z get none of it. */
static const char kept[] =
	"site reclaim=50\ncohort org\nqueue a in org reclaim=any cpu@f=4\n"
	"queue b in org cpu@f=4\nqueue c in org strict cpu@f=1\n"
	"run r in b cpu@f=6 since=90\nwait x in a cpu=4\n"
	"wait y in c cpu=2\nwait z in a cpu=1 at=9\n";

static void test_freed(void **state)
{
	struct world *world = world_create(told);
	struct engine *e = world->engine;
	struct plan p = { .e = e, .tree = e->queues[0].tree };
	struct holding *h = world_workload(world, "b1")->held;

	(void) state;
	failing_begin(1);
	assert_int_equal(freed_add(&p, h), -1);
	assert_true(failing_end());
	assert_true(e->no_memory);
	assert_null(p.freed);
	assert_int_equal(freed_add(&p, h), 0);
	assert_non_null(p.freed);
	/* a queue that is known needs no memory */
	failing_begin(1);
	assert_int_equal(freed_add(&p, h), 0);
	assert_false(failing_end());
	world_destroy(world);
}

/* Above all if the log of the books is lost: what was tried stays in them for
 * the rest of the plan. */
static void test_plan(void **state)
{
	bool failed = true;

	(void) state;
	for (size_t n = 1; failed; n++) {
		struct world *world = world_create(told);
		uint64_t digest = engine_digest(world->engine);

		failing_begin(n);
		engine_plan(world->engine, 0);
		failed = failing_end();
		assert_true(engine_digest(world->engine) == digest);
		assert_string_equal(world_plan(world, 0),
				    "x=preempt#1(2) y=preempting(2)");
		world_destroy(world);
	}
}

/* What is kept for a shape for the first time takes memory. Its job may end before
 * the plan is made again. */
static void test_kept(void **state)
{
	struct world *sure = world_create(kept);
	char answer[sizeof(sure->text)];
	bool failed = true;

	(void) state;
	strcpy(answer, world_plan(sure, 100));
	assert_non_null(sure->engine->queues[0].tree->keepers);
	for (size_t n = 1; failed; n++) {
		struct world *world = world_create(kept);
		struct world *other = world_create(kept);

		failing_begin(n);
		(void) engine_plan(world->engine, 100);
		failed = failing_end();
		assert_string_equal(world_plan(world, 100), answer);
		failing_begin(n);
		(void) engine_plan(other->engine, 100);
		(void) failing_end();
		world_tell(other, "remove x");
		assert_null(strstr(world_plan(other, 100), "x="));
		world_destroy(world);
		world_destroy(other);
	}
	world_destroy(sure);
}

#define ALIKE 40

/* Many go without a cycle: what is decided about each of them takes memory, too. */
static void alike_say(struct text *t)
{
	text_begin(t, 1);
	say(t, "cohort org\nqueue a in org cpu@f=99\nqueue b in org cpu@f=99\n");
	for (int i = 0; i < ALIKE; i++)
		say(t, "wait w%d in %c cpu=1 at=%d\nblocked w%d\n", i,
		    'a' + i % 2, i, i);
}

static void test_alike(void **state)
{
	static struct text t;
	struct world *sure;
	char answer[sizeof(sure->text)];
	bool failed = true;

	(void) state;
	alike_say(&t);
	sure = world_create(t.bytes);
	strcpy(answer, world_plan(sure, 100));
	for (size_t n = 1; failed; n++) {
		struct world *world = world_create(t.bytes);

		failing_begin(n);
		(void) engine_plan(world->engine, 100);
		failed = failing_end();
		assert_string_equal(world_plan(world, 100), answer);
		world_destroy(world);
	}
	world_destroy(sure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_freed),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_alike),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
