/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test blocked.c, at random - who asks for the same has the same withheld
 *
 * Jobs wait in three queues of a cohort, and many of them have found no nodes. In a second
 * world each of these bars other flavors, which its queue does not have: no two of them ask
 * for the same there. The plans are the same.
 */
#include <stdio.h>

#include "test/random/draw.h"
#include "world.h"

#define JOBS 12
#define BARRED 4
#define LINE 128

struct story {
	uint64_t random;
	char begin[768];		/* queues, and what runs there */
	char jobs[JOBS][LINE];
	bool blocked[JOBS], avoids[JOBS];
	int njobs;
};

static void queues_draw(struct story *s)
{
	static const char *const kinds[] = {
		"", "", "strict ", "reclaim=any ", "within=lower reclaim=any ",
		"canborrow=next ", "canpreempt=stop within=lower reclaim=lower ",
		"borrow=lower threshold=1 reclaim=any ", "prefer=preempt reclaim=any ",
	};

	strcpy(s->begin, random_below(&s->random, 4) ? "" : "site fair\n");
	strcat(s->begin, "cohort org\nqueue x cpu@z0=0 cpu@z1=0 cpu@z2=0 cpu@z3=0\n");
	for (int q = 0; q < 3; q++) {
		char line[LINE];

		snprintf(line, LINE, "queue %c in org %scpu@f=%d%s",
			 (char) ('a' + q),
			 kinds[random_below(&s->random, 9)],
			 (int) random_below(&s->random, 7),
			 random_below(&s->random, 3) ? "" : "+2");
		strcat(s->begin, line);
		snprintf(line, LINE, " cpu@g=%d\n",
			 (int) random_below(&s->random, 4));
		strcat(s->begin, random_below(&s->random, 2) ? line : "\n");
	}
	for (uint64_t r = random_below(&s->random, 5); r; r--) {
		char line[LINE];

		snprintf(line, LINE, "run r%d in %c cpu@f=%d prio=%d at=%d\n",
			 (int) r, (char) ('a' + random_below(&s->random, 3)),
			 (int) (1 + random_below(&s->random, 3)),
			 (int) random_below(&s->random, 3), (int) r);
		strcat(s->begin, line);
	}
}

static void story_draw(struct story *s, uint64_t seed)
{
	*s = (struct story) { .random = seed };
	queues_draw(s);
	s->njobs = (int) (3 + random_below(&s->random, JOBS - 3));
	for (int i = 0; i < s->njobs; i++) {
		snprintf(s->jobs[i], LINE,
			 "wait j%d in %c cpu=%d prio=%d at=%d%s", i,
			 (char) ('a' + random_below(&s->random, 3)),
			 (int) (1 + random_below(&s->random, 3)),
			 (int) random_below(&s->random, 3),
			 (int) random_below(&s->random, 6),
			 random_below(&s->random, 6) ? "" : " tasks=2");
		s->blocked[i] = random_below(&s->random, 3);
		s->avoids[i] = !random_below(&s->random, 8);
	}
}

static const char *story_plan(const struct story *s, bool apart, char *text,
			      size_t size)
{
	struct world *world = world_create(s->begin);
	char line[LINE];

	for (int i = 0; i < s->njobs; i++) {
		strcpy(line, s->jobs[i]);
		for (int f = 0; apart && s->blocked[i] && f < BARRED; f++) {
			if ((i + 1) >> f & 1)
				sprintf(line + strlen(line), " not=z%d", f);
		}
		world_tell(world, line);
		snprintf(line, LINE, "blocked j%d\n", i);
		if (s->blocked[i])
			world_tell(world, line);
		snprintf(line, LINE, "avoid j%d f\n", i);
		if (s->avoids[i])
			world_tell(world, line);
	}
	snprintf(text, size, "%s", world_plan(world, 0));
	world_destroy(world);
	return text;
}

static void test_random(void **state)
{
	uint64_t n = seeds_wanted(2000);
	char plan[1024], apart[1024];
	struct story s;

	(void) state;
	for (uint64_t seed = 1; seed <= n; seed++) {
		story_draw(&s, seed);
		if (!strcmp(story_plan(&s, false, plan, sizeof(plan)),
			    story_plan(&s, true, apart, sizeof(apart))))
			continue;
		print_message("seed %d\n%s", (int) seed, s.begin);
		for (int i = 0; i < s.njobs; i++)
			print_message("%s%s%s\n", s.jobs[i],
				      s.blocked[i] ? ", blocked" : "",
				      s.avoids[i] ? ", avoids f" : "");
		assert_string_equal(plan, apart);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
