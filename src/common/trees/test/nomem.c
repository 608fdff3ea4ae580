/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test bonds without memory - whether components can ever go together is judged
 * when there is memory for it
 */
#include "query.h"
#include "world.h"

#include "failing.h"

/* x, y and z are too much together. u, v and w are not: v has to go to the
 * flavor that is tried first for u. */
static const char told[] =
	"cohort org\nqueue a in org cpu@f=4 cpu@g=6\nqueue b in org cpu@f=0\n"
	"queue c cpu@f=4\nrun r in a cpu@f=4\nrun s in c cpu@f=4\n"
	"wait x in a cpu=6 at=1\nwait y in b cpu=5 at=1\nwait z in c cpu=1 at=1\n"
	"wait u in a cpu=3 at=2\nwait v in a cpu=4 at=2 not=g\nwait w in c cpu=2 at=2\n"
	"together x y z\ntogether u v w\n";

/* Plans while the n-th allocation fails, and the log of the books has room for so
 * many entries: true. The next plan is right. */
static bool plan_poor(const char *answer, size_t room, size_t n)
{
	struct world *world = world_create(told);
	struct engine *e = world->engine;
	uint64_t digest = engine_digest(e);
	bool failed;
	int rc;

	failing_shorten_log(e->books, room);
	failing_begin(n);
	rc = engine_plan(e, 0);
	failed = failing_end();
	assert_int_equal(engine_stale(e, 0), rc < 0);
	assert_true(engine_digest(e) == digest);
	assert_string_equal(world_plan(world, 0), answer);
	world_destroy(world);
	return failed;
}

static void test_never(void **state)
{
	struct world *sure = world_create(told);
	char answer[sizeof(sure->text)];

	(void) state;
	strcpy(answer, world_plan(sure, 0));
	assert_non_null(strstr(answer, "never"));
	for (size_t room = 0; room < 80; room++) {
		failing_lasts = room % 2;
		for (size_t n = 1; plan_poor(answer, room / 2, n); n++)
			;
	}
	world_destroy(sure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_never),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
