/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test stays.c - what the books would be if the victims of a cycle had stayed
 *
 * In random trees victims leave, while usage and what queues withhold change. The
 * nodes from any queue up must be what they are when the victims really are put back.
 */
#include "core/withheld.h"
#include "cycle/stays.h"
#include "holding/holding.h"
#include "holding/trial.h"
#include "random/tree_world.h"
#include "victims/target.h"
#include "world.h"

#define WORLDS 1500
#define STEPS 12

struct play {
	struct world *world;
	struct engine *e;
	struct stays stays;
	struct holding *taken[WORLD_WORKLOADS];
	size_t ntaken;
	size_t more;			/* cohorts that victims make a difference to */
};

static int root_of(const struct play *p, const struct queue *q)
{
	return p->e->books->nodes[q->node].root;
}

/* The usage of a node with the victims back, one by one */
static int64_t usage_back(struct play *p, int node, int pair)
{
	size_t mark = trial_begin(p->e);
	int64_t usage;

	for (size_t i = 0; i < p->ntaken; i++)
		target_restore(p->e, p->taken[i]);
	usage = books_cell(p->e->books, node, pair)->usage;
	trial_end(p->e, mark);
	return usage;
}

static void node_check(struct play *p, const struct queue *q, int node)
{
	const struct books *b = p->e->books;

	for (int pair = 0; pair < (int) b->npairs; pair++) {
		int64_t usage = books_cell(b, node, pair)->usage, restored;
		int64_t back = usage_back(p, node, pair);
		size_t mark = trial_begin(p->e);

		stays_restore(&p->stays, q, node);
		restored = books_cell(b, node, pair)->usage;
		trial_end(p->e, mark);
		assert_int_equal(restored, back);
		p->more += node != q->node && usage != restored;
	}
}

static void play_check(struct play *p)
{
	for (size_t i = 0; i < p->e->nqueues; i++) {
		const struct queue *q = &p->e->queues[i];

		for (int node = q->node; node != SPEC_NONE
		     && root_of(p, q) == p->stays.root;
		     node = p->e->books->nodes[node].parent)
			node_check(p, q, node);
	}
}

static void victim_leave(struct play *p, struct text *t)
{
	struct workload *w = p->world->workloads[pick(t, (int) p->world->nworkloads)];
	struct holding *h = holding_of(w);

	if (!h || h->taken || root_of(p, h->q) != p->stays.root || h->unit)
		return;
	h->taken = true;
	target_remove(p->e, h);
	stays_add(&p->stays, h);
	p->taken[p->ntaken++] = h;
}

/* A queue uses more, or withholds more */
static void queue_change(struct play *p, struct text *t)
{
	struct queue *q = &p->e->queues[pick(t, (int) p->e->nqueues)];
	struct use use = { pick(t, (int) p->e->books->npairs), pick(t, 9) };

	if (odds(t, 40))
		withheld_add(p->e, q, &use, 1);
	else
		books_add(p->e->books, q->node, use.pair, use.amount);
	withheld_renew(p->e, q);
	if (root_of(p, q) == p->stays.root)
		stays_renew(&p->stays, q, &use, 1);
}

static size_t world_play(struct text *t, uint64_t seed)
{
	struct play p = { 0 };
	size_t mark;

	fair_world_write(t, seed);
	p.world = world_create(t->bytes);
	p.e = world_engine(p.world);
	mark = trial_begin(p.e);
	stays_begin(&p.stays, p.e, root_of(&p, &p.e->queues[0]), true);
	for (int i = 0; i < STEPS; i++) {
		if (odds(t, 60))
			victim_leave(&p, t);
		else
			queue_change(&p, t);
		play_check(&p);
	}
	assert_false(p.stays.lost);
	for (size_t i = 0; i < p.ntaken; i++)
		p.taken[i]->taken = false;
	for (size_t i = 0; i < p.e->nqueues; i++)
		withheld_reset(&p.e->queues[i]);
	trial_end(p.e, mark);
	world_destroy(p.world);
	return p.more;
}

static void test_random(void **state)
{
	static struct text t;
	size_t more = 0;

	(void) state;
	for (uint64_t seed = 1; seed <= WORLDS; seed++)
		more += world_play(&t, seed);
	assert_true(more > 10 * WORLDS);
}

/* Amounts that cannot be told are not told wrong. */
static void test_lost(void **state)
{
	struct world *world = world_create("site fair\ncohort top\n"
		"queue a in top cpu@f=4\nqueue b in top cpu@f=4\n"
		"run x in a cpu@f=9223372036854775807\nrun y in b cpu@f=3\n");
	struct engine *e = world_engine(world);
	struct holding *y = world_workload(world, "y")->held;
	struct stays stays;
	size_t mark = trial_begin(e);

	(void) state;
	stays_begin(&stays, e, e->books->nodes[y->q->node].root, true);
	target_remove(e, y);
	stays_add(&stays, y);
	assert_true(stays.any && !stays.lost);
	assert_int_equal(stays_taken(&stays, y->q, y->uses[0].pair), 3);
	y = world_workload(world, "x")->held;
	target_remove(e, y);
	stays_add(&stays, y);
	assert_true(stays.lost);
	stays_end(&stays);
	assert_int_equal(stays_taken(&stays, y->q, y->uses[0].pair), 0);
	trial_end(e, mark);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_lost),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
