/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test freed.c - what the victims of a plan use, summed by queue
 */
#include <stdio.h>

#include "holding/trial.h"
#include "core/withheld.h"
#include "plan/plan.h"
#include "victims/target.h"
#include "random/draw.h"
#include "world.h"

#define FOREST "cohort org\nqueue a in org cpu@f=4 mem@f=4\n" \
	"queue b in org cpu@f=4 mem@f=4\nqueue z cpu@f=4 mem@f=4\n"
#define WORLD FOREST "run b1 in b cpu@f=3 mem@f=1\nrun b2 in b cpu@f=2\n" \
	"run a1 in a mem@f=5\nrun a2 in a cpu@f=1\n" \
	"run z1 in z cpu@f=3 mem@f=2\nrun b3 in b mem@f=1\nunit a1 z1 b3\n"

static struct plan plan_of(struct world *world)
{
	struct engine *e = world->engine;

	return (struct plan) { .e = e, .trees = e->queues[0].tree };
}

static void leave(struct plan *p, struct world *world, const char *name)
{
	struct holding *h = world_workload(world, name)->held;

	target_remove(p->e, h);
	assert_int_equal(freed_add(p, h), 0);
}

/* Puts all jobs back that have left, one by one */
static bool fit_beside_plain(const struct plan *p, struct world *world,
			     const char *gone, const struct queue *q,
			     const struct use *use)
{
	size_t mark = trial_begin(p->e);
	char names[128], *rest = names;
	const char *name;
	bool fit;

	snprintf(names, sizeof(names), "%s", gone);
	while ((name = strtok_r(rest, " ", &rest)))
		target_restore(p->e, world_workload(world, name)->held);
	fit = books_fit(p->e->books, q->node, use, 1);
	trial_end(p->e, mark);
	return fit;
}

/* The same for each amount of each pair in each queue of the tree */
static void same_check(struct plan *p, struct world *world,
		       const char *gone)
{
	for (size_t i = 0; i < p->trees->nqueues; i++) {
		for (int k = 0; k < 2 * 40; k++) {
			const struct queue *q = p->trees->queues[i];
			struct use use = { k % 2, k / 2 };

			assert_int_equal(freed_fit_beside(p, q, &use, 1),
					 fit_beside_plain(p, world, gone, q,
							  &use));
		}
	}
}

/* How much of cpu and mem fits in a queue: "cpu mem" */
static const char *room(struct plan *p, size_t queue)
{
	static char text[32];
	int room[2];

	for (int pair = 0; pair < 2; pair++) {
		struct use use = { pair, 1 };

		while (freed_fit_beside(p, &p->e->queues[queue], &use, 1))
			use.amount++;
		room[pair] = (int) use.amount - 1;
	}
	snprintf(text, sizeof(text), "%d %d", room[0], room[1]);
	return text;
}

static void test_sums(void **state)
{
	struct world *world = world_create(WORLD);
	struct plan p = plan_of(world);
	struct use both[] = { { 0, 2 }, { 1, 0 } };
	size_t all = trial_begin(p.e);

	(void) state;
	/* 8 of each in org, of which 6 and 6 are in use: nobody has left */
	assert_string_equal(room(&p, 0), "2 1");
	leave(&p, world, "b1");
	assert_string_equal(room(&p, 0), "2 1");
	leave(&p, world, "b2");
	leave(&p, world, "a1");		/* and b3, and z1 in its own tree */
	assert_string_equal(room(&p, 0), "2 1");
	assert_string_equal(room(&p, 1), "2 1");
	same_check(&p, world, "b1 b2 a1");
	assert_true(freed_fit_beside(&p, &p.e->queues[0], both, 2));
	both[1].amount = 2;
	assert_false(freed_fit_beside(&p, &p.e->queues[0], both, 2));
	/* the books are as before */
	assert_int_equal(books_usage(p.e->books, p.trees->root, 0), 1);
	/* somebody takes what was freed; another one leaves */
	books_add(p.e->books, p.e->queues[0].node, 0, 2);
	leave(&p, world, "a2");
	assert_string_equal(room(&p, 1), "0 1");
	same_check(&p, world, "b1 b2 a1 a2");
	trial_end(p.e, all);
	world_destroy(world);
}

/* ---- quota that is not lent, limits, quota that is withheld ---- */

#define KEPT "cohort c0 mem@f=9\ncohort c1 in c0 cpu@f=6-3\n" \
	"cohort c2 in c1 cpu@f=1\ncohort c3 in c0 mem@f=2+1-1\n" \
	"queue q0 in c2 cpu@f=9-4 mem@f=5\nqueue q1 in c2 cpu@f=5+3 mem@f=3\n" \
	"queue q2 in c1 cpu@f=4 mem@f=6-2\nqueue q3 in c3 cpu@f=3 mem@f=4\n" \
	"queue q4 in c0 cpu@f=5 mem@f=1+2\n"

static void test_kept(void **state)
{
	uint32_t random = 5;

	(void) state;
	for (int round = 0; round < 120; round++) {
		char told[2048], gone[128] = "", name[16];
		int n = sprintf(told, KEPT);
		struct world *world;
		struct use wanted;
		struct plan p;
		size_t mark;

		for (int i = 0; i < 12; i++) {
			random = random * 1664525 + 1013904223;
			n += sprintf(told + n, "run r%d in q%d cpu@f=%d "
				     "mem@f=%d\n", i, (int) (random >> 16) % 5,
				     (int) (random >> 20) % 6,
				     (int) (random >> 24) % 4);
		}
		world = world_create(told);
		p = plan_of(world);
		mark = trial_begin(p.e);
		for (int i = 0; i < 12; i++) {
			struct queue *q = &p.e->queues[i % 5];

			random = random * 1664525 + 1013904223;
			snprintf(name, sizeof(name), "r%d", i);
			if ((random >> 16) % 2) {
				leave(&p, world, name);
				strcat(strcat(gone, name), " ");
			} else {
				books_add(p.e->books, q->node,
					  (int) (random >> 20) % 2, 3);
			}
		}
		same_check(&p, world, gone);
		/* in every other round queues withhold something then */
		wanted = (struct use) { round / 2 % 2, 1 + round % 7 };
		if (round % 2)
			withheld_add(p.e, &p.e->queues[round % 5], &wanted, 1);
		same_check(&p, world, gone);
		for (size_t i = 0; i < p.e->nqueues; i++)
			withheld_reset(&p.e->queues[i]);
		assert_int_equal(p.trees->nwithholding, 0);
		trial_end(p.e, mark);
		world_destroy(world);
	}
}

/* What is withheld changes, and so does what queues use, one after the other. */
static void withheld_step(struct plan *p, struct queue *q, uint32_t random)
{
	struct use wanted = { (int) (random >> 8) % 2, 1 + random % 5 };

	switch ((random >> 16) % 4) {
	case 0:
		withheld_add(p->e, q, &wanted, 1);
		break;
	case 1:
		if (q->nwithheld && q->withheld[wanted.pair].wanted > 4)
			withheld_drop(p->e, q, &wanted, 1);
		break;
	case 2:
		withheld_lift(p->e, q);
		books_add(p->e->books, q->node, wanted.pair, wanted.amount);
		if ((random >> 20) % 2)
			withheld_book(p->e, q);
		break;
	default:
		withheld_book(p->e, q);
	}
}

/* yields: how often freed queues withheld something */
static void withheld_play(const char *forest, uint32_t random, size_t *yields)
{
	char told[2048], gone[256] = "", name[16];
	int n = sprintf(told, "%s", forest);
	struct world *world;
	struct plan p;
	size_t mark;

	for (int i = 0; i < 12; i++)
		n += sprintf(told + n, "run r%d in q%d cpu@f=%d mem@f=%d\n", i,
			     i % 5, 1 + i % 4, 1 + i % 3);
	world = world_create(told);
	p = plan_of(world);
	mark = trial_begin(p.e);
	for (int i = 0; i < 60; i++) {
		struct queue *q;

		random = random * 1664525 + 1013904223;
		q = &p.e->queues[(random >> 24) % 5];
		withheld_step(&p, q, random >> 4);
		if (i % 5 == 0) {
			snprintf(name, sizeof(name), "r%d", i / 5);
			leave(&p, world, name);
			strcat(strcat(gone, name), " ");
		}
		*yields += q->nwithheld && q->withheld_booked && *gone;
		/* several changes may come before the next question */
		if (random % 3)
			same_check(&p, world, gone);
	}
	same_check(&p, world, gone);
	trial_end(p.e, mark);
	world_destroy(world);
}

#define FLAT "cohort org\nqueue q0 in org cpu@f=9 mem@f=7\n" \
	"queue q1 in org cpu@f=9 mem@f=9\nqueue q2 in org cpu@f=8 mem@f=9\n" \
	"queue q3 in org cpu@f=5 mem@f=9\nqueue q4 in org cpu@f=9 mem@f=6\n"
#define DEEP "cohort org\ncohort sub in org cpu@f=3\ncohort low in sub\n" \
	"queue q0 in org cpu@f=9 mem@f=7\nqueue q1 in sub cpu@f=9 mem@f=9\n" \
	"queue q2 in low cpu@f=8 mem@f=9\nqueue q3 in low cpu@f=5 mem@f=9\n" \
	"queue q4 in low cpu@f=9 mem@f=6\n"
#define LIMITS "cohort org\ncohort sub in org cpu@f=3\n" \
	"queue q0 in org cpu@f=9-4 mem@f=7-2\nqueue q1 in sub cpu@f=9-5 mem@f=9\n" \
	"queue q2 in sub cpu@f=8-0 mem@f=9-9\nqueue q3 in sub cpu@f=5-1 mem@f=9-1\n" \
	"queue q4 in org cpu@f=9 mem@f=6-3\n"

static void test_withheld(void **state)
{
	static const char *const forests[] = { FLAT, DEEP, KEPT, LIMITS };
	size_t yields = 0;
	uint32_t n = (uint32_t) seeds_wanted(40);

	(void) state;
	for (uint32_t seed = 1; seed <= n; seed++)
		withheld_play(forests[seed % 4], seed * 2654435761u, &yields);
	assert_true(yields > 3 * n);
}

/* Sums that are too large */
static void test_huge(void **state)
{
	static const char *const names[] = { "r0", "r1", "r2", "r3" };
	struct world *world = world_create(LIMITS
		"run r0 in q0 cpu@f=9000000000000000000\n"
		"run r1 in q1 cpu@f=9000000000000000000\n"
		"run r2 in q0 cpu@f=9000000000000000000 mem@f=3\n"
		"run r3 in q3 cpu@f=6 mem@f=8\n");
	struct plan p = plan_of(world);
	size_t mark = trial_begin(p.e);
	char gone[64] = "";

	(void) state;
	for (size_t i = 0; i < COUNT(names); i++) {
		leave(&p, world, names[i]);
		strcat(strcat(gone, names[i]), " ");
		same_check(&p, world, gone);
	}
	trial_end(p.e, mark);
	world_destroy(world);
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
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_withheld),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_plans),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
