/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test explain.c - reasons of the plan before
 *
 * Random worlds are played twice: as they are, and with each reason made again in each
 * plan (shapes_explain() and order_explain() are replaced at link time). It is
 * counted how many are made (reason_to_wait(), too), and two plans with other reasons
 * are tried. COHORT_SEEDS=N tries N worlds of each kind.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/tree_state.h"
#include "cycle/queue_heads.h"
#include "plan/plan.h"
#include "query.h"
#include "random/twice.h"
#include "workload/shape.h"
#include "random/draw.h"

#define SHAPES 40

static bool plain;			/* nothing is kept */
static size_t made;

void __real_shapes_explain(struct plan *p);
void __wrap_shapes_explain(struct plan *p);
void __real_order_explain(struct plan *p);
void __wrap_order_explain(struct plan *p);

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

void __wrap_shapes_explain(struct plan *p)
{
	for (size_t i = 0; plain && i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];

		q->told = 0;
		for (struct shape *s = q->shapes; s; s = s->next)
			s->reason_key = s->explained = 0;
	}
	__real_shapes_explain(p);
}

static void order_make(struct plan *p, struct shape *s)
{
	struct verdict v = s->verdict;

	if (!shape_is_inadmissible(s))
		return;
	reason_renew_order(p, shape_any(s), &v);
	s->in_turn = v.reason == WAIT_IS_ORDER;
}

void __wrap_order_explain(struct plan *p)
{
	__real_order_explain(p);
	for (size_t i = 0; plain && i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];

		q->order_plan = 0;
		for (struct shape *s = q->shapes; s; s = s->next)
			order_make(p, s);
	}
}

static void test_same(void **state)
{
	(void) state;
	(void) twice_play_worlds(400, long_world_write, &plain);
	(void) twice_play_worlds(400, tree_world_write, &plain);
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
	/* the same room, and one more that waits; then mem, of which there is enough */
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
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_same_room),
		cmocka_unit_test(test_more_pairs_than_shapes),
		cmocka_unit_test(test_other_reason),
		cmocka_unit_test(test_key),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
