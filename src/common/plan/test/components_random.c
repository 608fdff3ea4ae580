/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test components.c, at random - a plan is made again wherever it could be another one
 *
 * Jobs of one to three CPUs, jobs with two components and jobs with two queues wait
 * beside a few that run. After a plan and one change, the next plan is that of a new
 * world.
 */
#include <stdio.h>

#include "query.h"
#include "test/random/draw.h"
#include "world.h"

#define JOBS 9
#define LINE 80

struct job {
	char line[LINE];	/* "wait NAME in .." */
	bool gone;
	int with;		/* bonded with that one; -1 */
	const char *bond;	/* and how */
};

struct story {
	uint64_t random;
	char begin[512];	/* queues, and what runs there */
	struct job jobs[JOBS + 1];
	int njobs;
};

static void job_draw(struct story *s, int i)
{
	static const int cpus[] = { 1, 1, 1, 3, 3, 2 };

	snprintf(s->jobs[i].line, LINE, "wait j%d in %c cpu=%d at=%d prio=%d\n", i,
		 "aaabbc"[random_below(&s->random, 6)],
		 cpus[random_below(&s->random, 6)],
		 (int) random_below(&s->random, 5),
		 (int) (random_below(&s->random, 9) == 0));
	s->jobs[i].with = -1;
	s->jobs[i].bond = random_below(&s->random, 3) ? "together" : "either";
}

static void story_draw(struct story *s, uint64_t seed)
{
	static const char *const kinds[] = { "", "", "", "strict ", "usage ",
					     "within=lower ", "within=lower reclaim=any " };

	*s = (struct story) { .random = seed };
	strcpy(s->begin, "cohort org\n");
	for (int q = 0; q < 3; q++) {
		char line[LINE];

		snprintf(line, LINE, "queue %c %s%scpu@f=%d\n", (char) ('a' + q),
			 random_below(&s->random, 4) ? "in org " : "",
			 kinds[random_below(&s->random, 7)],
			 (int) (2 + random_below(&s->random, 3)));
		strcat(s->begin, line);
	}
	for (uint64_t r = random_below(&s->random, 4); r; r--) {
		char line[LINE];

		snprintf(line, LINE, "run r%d in %c cpu@f=%d%s\n", (int) r,
			 (char) ('a' + random_below(&s->random, 3)),
			 (int) (1 + random_below(&s->random, 2)),
			 random_below(&s->random, 4) ? "" : " evicting");
		strcat(s->begin, line);
	}
	s->njobs = (int) (3 + random_below(&s->random, JOBS - 3));
	for (int i = 0; i < s->njobs; i++) {
		job_draw(s, i);
		if (i && s->jobs[i - 1].with < 0 && random_below(&s->random, 2))
			s->jobs[i].with = i - 1;
	}
}

static void job_tell(const struct story *s, struct world *world, int i)
{
	char line[LINE];

	world_tell(world, s->jobs[i].line);
	if (s->jobs[i].with < 0 || s->jobs[s->jobs[i].with].gone)
		return;
	snprintf(line, LINE, "%s j%d j%d\n", s->jobs[i].bond, s->jobs[i].with,
		 i);
	world_tell(world, line);
}

static struct world *story_tell(const struct story *s)
{
	struct world *world = world_create(s->begin);

	for (int i = 0; i < s->njobs; i++) {
		if (!s->jobs[i].gone)
			job_tell(s, world, i);
	}
	return world;
}

/* Something happens in the world and in the story. */
static void change(struct story *s, struct world *world)
{
	int i = (int) random_below(&s->random, (uint64_t) s->njobs);
	char line[LINE];

	if (random_below(&s->random, 3) == 0) {
		job_draw(s, s->njobs);
		job_tell(s, world, s->njobs++);
		return;
	}
	if (random_below(&s->random, 2)) {
		snprintf(line, LINE, "remove j%d\n", i);
		s->jobs[i].gone = true;
	} else {
		struct job before = s->jobs[i];

		job_draw(s, i);
		s->jobs[i].with = before.with;
		s->jobs[i].bond = before.bond;
		snprintf(line, LINE, "update%s", s->jobs[i].line + strlen("wait"));
	}
	world_tell(world, line);
}

#define PREEMPTS (UINT64_C(1) << 40)	/* more than all ranks */

static void promise_note(void *arg, const struct workload *w,
			 const struct verdict *v)
{
	uint64_t *sum = arg;

	(void) w;
	*sum += 1000 + v->rank;
	if (v->kind == VERDICT_PREEMPT)
		*sum += PREEMPTS;
}

/* What the plan says of all jobs, and the sum of the ranks of those that go */
static uint64_t plan_note(struct world *world, char *plan, size_t size)
{
	uint64_t sum = 0;

	snprintf(plan, size, "%s", world_plan(world, 0));
	engine_promises(world->engine, promise_note, &sum);
	assert_true(sum < PREEMPTS || engine_evicts(world->engine));
	world_destroy(world);
	return sum;
}

static void one_story(uint64_t seed)
{
	struct story s;
	struct world *world;
	char plan[1024], as_new[1024];
	uint64_t sum;

	story_draw(&s, seed);
	world = story_tell(&s);
	(void) world_plan(world, 0);
	change(&s, world);
	sum = plan_note(world, plan, sizeof(plan));
	if (plan_note(story_tell(&s), as_new, sizeof(as_new)) == sum
	    && !strcmp(plan, as_new))
		return;
	print_message("seed %d\n%s", (int) seed, s.begin);
	for (int i = 0; i < s.njobs; i++) {
		const struct job *job = &s.jobs[i];

		print_message("%s%s", job->gone ? "gone: " : "", job->line);
		if (job->with >= 0)
			print_message("%s j%d j%d\n", job->bond, job->with, i);
	}
	assert_string_equal(plan, as_new);
	fail();
}

static void test_random(void **state)
{
	uint64_t n = seeds_wanted(2000);

	(void) state;
	for (uint64_t seed = 1; seed <= n; seed++)
		one_story(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
