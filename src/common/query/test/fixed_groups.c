/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test elastic groups of which only as many as they need can't be preempted
 */
#include <stdio.h>

#include "query.h"
#include "world.h"

static void told(struct world *world, const char *text, const char *plan)
{
	if (text)
		world_tell(world, text);
	assert_string_equal(world_plan(world, 9), plan);
}

/* Which of r1, r2.. are non-preemptible: "12" */
static void fixed_are(const struct world *world, const char *are)
{
	char text[16] = "", name[16];
	size_t n = 0;

	for (int i = 1; i <= 6; i++) {
		snprintf(name, sizeof(name), "r%d", i);
		for (size_t k = 0; k < world->nworkloads; k++) {
			const struct workload *w = world->workloads[k];

			if (w && !strcmp(world->names[k], name) && holding_of(w)
			    && workload_is_nonpreemptible(w))
				text[n++] = (char) ('0' + i);
		}
	}
	assert_string_equal(text, are);
}

#define FOUR "run r1 in q gpu@f=1 members=2 since=1\n" \
	"run r2 in q gpu@f=1 members=2 since=2\n" \
	"run r3 in q gpu@f=1 members=2 since=3\n" \
	"run r4 in q gpu@f=1 members=2 since=4\n"
#define OWNERS "cohort o\nqueue q in o gpu@f=2\n" \
	"queue b in o reclaim=any gpu@f=6\n"

/* q owns 2, a group of 4 needs 2: V 2, U 4. Two can go, a third can't. */
static void test_group(void **state)
{
	struct world *world = world_create(OWNERS FOUR
					   "run u in b gpu@f=4\nwait x in b gpu=2");

	(void) state;
	fixed_are(world, "12");
	told(world, NULL, "x=preempt#1(2)");
	world_tell(world, "update x in b gpu=3");
	told(world, NULL, "x=quota(gpu@f,need=3,free=0)");
	world_destroy(world);
}

/* The end of one makes room for the first of the others. */
static void test_group_changes(void **state)
{
	struct world *world = world_create(OWNERS FOUR "wait x in q gpu=1");

	(void) state;
	told(world, "remove r1", "x=start#1+");
	fixed_are(world, "23");
	told(world, "requeue r3 at=9", "r3=start#2 x=start#1+");
	fixed_are(world, "24");
	/* one that starts when there are enough is preemptible, and not capped */
	told(world, "start r3 gpu@f=1 since=9", "x=start#1+");
	fixed_are(world, "24");
	/* nobody fits under the cap: one less */
	told(world, "run s in q gpu@f=1 fixed\nremove r2", "x=start#1+");
	fixed_are(world, "4");
	told(world, "remove s\nfix r3", "x=start#1+");
	fixed_are(world, "34");
	/* another number: the last to start is given up */
	told(world, "update x in q gpu=1 members=1\nfix r4", "x=start#1+");
	fixed_are(world, "4");
	world_destroy(world);
}

/* Of an array as many start as non-preemptible as the group needs, the others
 * beyond the cap. */
static void test_group_plan(void **state)
{
	struct world *world = world_create(OWNERS
		"wait x in q gpu=1 tasks=9 members=2");

	(void) state;
	told(world, NULL, "x=start#1x8+");
	told(world, "run s in q gpu@f=1 fixed", "x=start#1");
	told(world, "remove s\nown x gpu@f=1", "x=start#1");
	told(world, "disown x\nupdate x in q gpu=1 tasks=9 members=1",
	     "x=start#1x8+");
	world_destroy(world);
}

/* A number that comes with a task behind the head of a line counts at once, too. */
static void test_group_told(void **state)
{
	struct world *world = world_create("cohort o\n"
		"queue q in o strict gpu@f=2\nqueue b in o gpu@f=6\n"
		"run s in b gpu@f=6\nrun r1 in q gpu@f=2 members=1");

	(void) state;
	told(world, "wait x in q gpu=1 members=1", "x=quota(gpu@f,need=1,free=0)");
	told(world, "wait y in q gpu=1 members=2 at=1",
	     "x=capped(gpu@f,need=1,cap=2,used=2) y=order");
	world_destroy(world);
}

/* The caller remembers which of them were. */
static void test_group_kept(void **state)
{
	struct world *world = world_create(OWNERS FOUR);
	struct engine *e = world->engine;

	(void) state;
	for (int i = 1; i <= 4; i++) {
		char name[16];

		snprintf(name, sizeof(name), "r%d", i);
		engine_keep_nonpreemptible(e, world_workload(world, name),
					   i == 2 || i == 4);
	}
	fixed_are(world, "24");
	world_tell(world, "remove r2");
	fixed_are(world, "14");
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_group_changes),
		cmocka_unit_test(test_group_plan),
		cmocka_unit_test(test_group_told),
		cmocka_unit_test(test_group_kept),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
