/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test victim_queue.c - which queue has to give next, by fair share
 */
#include "holding/trial.h"
#include "victims/victim_queue.h"
#include "victims/target.h"
#include "holding/unit.h"
#include "world.h"

/* A pass for x, which is in the first queue */
struct pass {
	struct world *world;
	struct search s;
	size_t mark;
	char gone[64];			/* which jobs have gone so far */
};

static void streams_open(struct search *s)
{
	const struct tree *tree = s->q->tree;

	s->number = ++s->e->searches->made;
	assert_true(streams_begin(s));
	stream_open_own(s);
	for (size_t i = 0; i < tree->nqueues; i++) {
		if (tree->queues[i] != s->q)
			stream_open_other(s, tree->queues[i], tree->root,
					  false);
	}
}

static void pass_begin(struct pass *p, const char *told)
{
	static const int need[] = { 0 };
	struct engine *e;

	memset(p, 0, sizeof(*p));
	p->world = world_create(told);
	e = p->world->engine;
	p->s = (struct search) {
		.e = e, .q = &e->queues[0], .now = 100,
		.w = world_workload(p->world, "x"), .need = need, .nneed = 1,
		.need_pairs = pair_bit(0), .attempt = ++e->searches->attempts,
	};
	e->searches->need[0] = true;
	p->mark = trial_begin(e);
	streams_open(&p->s);
	victim_queues_begin(&p->s);
}

static void pass_end(struct pass *p)
{
	p->s.e->searches->need[0] = false;
	trial_end(p->s.e, p->mark);
	world_destroy(p->world);
}

/* The queue gives its first candidate that has not gone yet. */
static void give(struct pass *p, int giver)
{
	struct engine *e = p->s.e;
	struct stream *st = e->queues[giver - (int) e->books->ncohorts].stream;
	struct holding *h;

	while (st->head.h && unit_is_taken(st->head.h, p->s.attempt))
		stream_next(&p->s, st);
	h = st->head.h;
	if (!h)
		return;
	stream_next(&p->s, st);
	unit_take(h, p->s.attempt);
	target_remove(e, h);
	strcat(strcat(p->gone, *p->gone ? " " : ""),
	       world_name(p->world, h->w));
}

/* The rest of the pass */
static void pass_run(struct pass *p)
{
	int giver;

	while ((giver = victim_queue_next(&p->s)) != SPEC_NONE)
		give(p, giver);
}

#define TOP "site fair\ncohort top cpu@f=90\ncohort left in top\n" \
	"cohort right in top\n"
#define X "wait x in a cpu=1 prio=5\n"
#define QUEUES TOP "queue a in top within=lower reclaim=any cpu@f=4\n" \
	"queue b in left cpu@f=0\nqueue c in left cpu@f=0\n" \
	"queue d in right cpu@f=0\nqueue e in top cpu@f=0\n" \
	"queue f in top cpu@f=2\n" X

/* Told, and which jobs go if all go that may */
static const struct {
	const char *told, *gone;
} orders[] = {
	{ QUEUES, "" },
	/* the largest share, after each that has gone */
	{ QUEUES "run e1 in e cpu@f=3\nrun e2 in e cpu@f=3\n"
	  "run f1 in f cpu@f=7", "e1 f1 e2" },
	{ QUEUES "run b1 in b cpu@f=3\nrun b2 in b cpu@f=1\n"
	  "run c1 in c cpu@f=2\nrun e1 in e cpu@f=4\nrun d1 in d cpu@f=5",
	  "b1 d1 e1 c1 b2" },
	/* equal shares: cohorts first, the last one of them; then the better
	 * candidate, then the first queue */
	{ QUEUES "run b1 in b cpu@f=3\nrun d1 in d cpu@f=3\n"
	  "run e1 in e cpu@f=3 prio=1\nrun f1 in f cpu@f=5", "d1 b1 f1 e1" },
	{ QUEUES "run b1 in b cpu@f=3 prio=1\nrun c1 in c cpu@f=3",
	  "c1 b1" },
	{ QUEUES "run f1 in f cpu@f=5\nrun e1 in e cpu@f=3", "f1 e1" },
	{ QUEUES "run e1 in e cpu@f=3\nrun f1 in f cpu@f=5", "e1 f1" },
	/* a queue that does not borrow (any more) gives nothing */
	{ QUEUES "run f1 in f cpu@f=2\nrun e1 in e cpu@f=1", "e1" },
	{ QUEUES "run f1 in f cpu@f=1\nrun f2 in f cpu@f=2", "f1" },
	/* nor do queues that borrow, from a cohort that does not */
	{ TOP "queue a in top within=lower reclaim=any cpu@f=4\n"
	  "queue b in left cpu@f=9\nqueue c in left cpu@f=0\n" X
	  "run c1 in c cpu@f=3\nrun b1 in b cpu@f=1", "" },
	{ TOP "queue a in top within=lower reclaim=any cpu@f=4\n"
	  "queue b in left cpu@f=4\nqueue c in left cpu@f=0\n" X
	  "run c1 in c cpu@f=3\nrun c2 in c cpu@f=3\nrun b1 in b cpu@f=1",
	  "c1" },
	/* but the cohort of x need not borrow, and x's queue neither */
	{ TOP "queue a in left within=lower reclaim=any cpu@f=9\n"
	  "queue c in left cpu@f=0\n" X
	  "run c1 in c cpu@f=3\nrun a1 in a cpu@f=1", "c1 a1" },
	/* a queue without a cohort has only itself */
	{ "site fair\nqueue a within=lower cpu@f=4\n" X "run a1 in a cpu@f=1\n"
	  "run a2 in a cpu@f=1 prio=-1", "a2 a1" },
	{ "site fair\nqueue a within=never cpu@f=4\n" X "run a1 in a cpu@f=1",
	  "" },
};

static void test_order(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(orders); i++) {
		struct pass p;

		pass_begin(&p, orders[i].told);
		pass_run(&p);
		if (strcmp(p.gone, orders[i].gone))
			fail_msg("case %zu: %s go, not %s", i, p.gone, orders[i].gone);
		assert_int_equal(victim_queue_next(&p.s), SPEC_NONE);
		pass_end(&p);
	}
}

/* b1 goes, and the node which is `up` levels above its queue is closed. The
 * rest, and what a new pass finds */
static void close_check(int up, const char *gone, const char *again)
{
	struct pass p;
	int giver, node;

	pass_begin(&p, QUEUES "run b1 in b cpu@f=5\nrun b2 in b cpu@f=2\n"
		   "run c1 in c cpu@f=4\nrun d1 in d cpu@f=3\n"
		   "run e1 in e cpu@f=1");
	giver = node = victim_queue_next(&p.s);
	give(&p, giver);
	while (up--)
		node = p.s.e->books->nodes[node].parent;
	victim_queue_close(&p.s, node);
	pass_run(&p);
	assert_string_equal(p.gone, gone);
	victim_queues_begin(&p.s);
	pass_run(&p);
	assert_string_equal(p.gone, again);
	pass_end(&p);
}

static void test_closed(void **state)
{
	(void) state;
	close_check(0, "b1 c1 d1 e1", "b1 c1 d1 e1 b2");
	close_check(1, "b1 d1 e1", "b1 d1 e1 c1 b2");
	close_check(2, "b1", "b1 c1 d1 b2 e1");
}

/* With b1 goes most of what d and f use: their shares are in places that are
 * not on the way to b. */
static void test_unit(void **state)
{
	struct pass p;

	(void) state;
	pass_begin(&p, QUEUES "run b1 in b cpu@f=9\nrun d1 in d cpu@f=6\n"
		   "run d2 in d cpu@f=1 since=1\nrun e1 in e cpu@f=3\n"
		   "run f1 in f cpu@f=7\nrun f2 in f cpu@f=1 since=1\n"
		   "unit b1 d1 f1");
	assert_int_equal(victim_queue_next(&p.s),
			 world_workload(p.world, "b1")->held->q->node);
	pass_run(&p);
	/* f does not borrow any more */
	assert_string_equal(p.gone, "b1 e1 d2");
	pass_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_unit),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
