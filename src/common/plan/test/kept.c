/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test kept: free quota of a waiting owner is not lent away
 *
 * In random worlds: the first job of a queue that may not evict waits for quota, within its
 * nominal quota, and nobody is evicted. Then no other queue borrows any more of
 * what it lacks. In a flat cohort that is all there is to say.
 */
#include "core/cap.h"
#include "core/tree_state.h"
#include "random/text.h"
#include "workload/workload.h"
#include "world.h"

#define WORLDS 6000

static struct text told;
static size_t met, free_then;

/* By the order of the queue */
static struct workload *first_in(const struct world *world, const struct queue *q)
{
	struct workload *first = NULL;

	for (size_t i = 0; i < world->nworkloads; i++) {
		struct workload *w = world->workloads[i];

		if (w && !w->runs && w->shape->q == q && (!first || workload_before(w, first)))
			first = w;
	}
	return first;
}

static bool is_plain(const struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		if (tree->queues[i]->nblocked)
			return false;
	}
	return !tree->owners && !tree->evicts;
}

static int64_t nominal_left(const struct books *b, const struct queue *q, int pair)
{
	return max64(0, -books_over_nominal(b, q->node, pair, 0));
}

/* What all starts that the plan promises in the queue use */
static int64_t promised(const struct world *world, const struct queue *q, int pair)
{
	int64_t sum = 0;

	for (size_t i = 0; i < world->nworkloads; i++) {
		const struct workload *w = world->workloads[i];
		const struct decision *d;

		if (!w || w->runs || w->shape->q != q)
			continue;
		d = workload_decision(w);
		for (size_t k = 0; d && d->verdict.kind == VERDICT_START && k < d->npromise; k++)
			sum += d->promise[k].pair == pair ? d->starts * d->promise[k].amount : 0;
	}
	return sum;
}

/* The pair of request i, if it has no choice; SPEC_NONE: it has */
static int pair_of(const struct books *b, const struct workload *w, size_t i)
{
	const struct podset_desc *ps = w->shape->podsets;
	const struct spec_group *group = queue_group(w->shape->q, ps->requests[i].resource);

	if (!group || group->nflavors != 1 || ps->ineligible[group->flavors[0]])
		return SPEC_NONE;
	return books_pair(b, group->flavors[0], ps->requests[i].resource);
}

static bool is_owner(const struct books *b, const struct workload *w)
{
	const struct podset_desc *ps = w->shape->podsets;

	if (w->shape->npodsets != 1 || ps->by_flavor || ps->min_count > 0 || workload_is_capped(w))
		return false;
	for (size_t i = 0; i < ps->nrequests; i++) {
		int pair = pair_of(b, w, i);

		if (pair == SPEC_NONE
		    || ps->requests[i].amount > nominal_left(b, w->shape->q, pair))
			return false;
	}
	return true;
}

static void nothing_is_lent(const struct world *world, const struct tree *tree,
			    const struct workload *w, int pair)
{
	const struct books *b = world->engine->books;

	met++;
	free_then += books_available(b, w->shape->q->node, pair) > 0;
	for (size_t i = 0; i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];

		if (q != w->shape->q && promised(world, q, pair) > nominal_left(b, q, pair))
			fail_msg("%s waits, and its quota is lent to queue %d:\n%s\n%s",
				 world_name(world, w), q->index,
				 world_plan((struct world *) world, 100), told.bytes);
	}
}

static void queue_check(const struct world *world, const struct tree *tree, const struct queue *q)
{
	struct workload *w = first_in(world, q);
	const struct books *b = world->engine->books;
	const struct verdict *v = w ? engine_verdict(world->engine, w) : NULL;

	if (!w || q->spec.strategy != STRATEGY_BEST_EFFORT_FIFO || q->spec.by_usage
	    || q->spec.reclaim != POLICY_NEVER || q->spec.within != POLICY_NEVER
	    || v->kind != VERDICT_WAIT || v->reason != WAIT_IS_QUOTA || !is_owner(b, w))
		return;
	for (size_t i = 0; i < w->shape->podsets->nrequests; i++) {
		int pair = pair_of(b, w, i);

		if (w->shape->podsets->requests[i].amount
		    > max64(0, books_available(b, q->node, pair)))
			nothing_is_lent(world, tree, w, pair);
	}
}

/* One cohort, in which some queues own and others borrow */
static void world_write(struct text *t, uint64_t seed)
{
	static const char *const policies[] = { "never", "never", "lower", "newer", "any" };
	int queues, jobs;

	text_begin(t, seed);
	queues = 2 + pick(t, 4);
	jobs = 2 + pick(t, 6);
	if (odds(t, 30))
		say(t, "site fair\n");
	if (odds(t, 20))
		say(t, "site reclaim=%d\n", pick(t, 90));
	say(t, "cohort c cpu@f=%d mem@f=%d\n", pick(t, 4), pick(t, 4));
	for (int i = 0; i < queues; i++) {
		say(t, "queue %c in c within=%s reclaim=%s cpu@f=%d%s mem@f=%d\n", 'a' + i,
		    odds(t, 80) ? "never" : "lower", policies[pick(t, 5)],
		    i % 2 ? pick(t, 2) : 4 + pick(t, 6), odds(t, 10) ? "-3" : "", pick(t, 9));
	}
	for (int i = 0; i < jobs; i++)
		say(t, "run r%d in %c cpu@f=%d mem@f=%d prio=%d since=%d\n", i,
		    'a' + (odds(t, 80) ? 1 : pick(t, queues)), 1 + pick(t, 4), pick(t, 2),
		    pick(t, 3), 1 + pick(t, 90));
	for (int i = 0; i < 8; i++)
		say(t, "wait w%d in %c cpu=%d mem=%d prio=%d at=%d tasks=%d\n", i,
		    'a' + pick(t, queues),
		    1 + pick(t, 7), pick(t, 3), pick(t, 3), pick(t, 90), odds(t, 20) ? 3 : 1);
}

/* All children of the root are queues, and the root is none. */
static bool tree_is_flat(const struct engine *e, const struct tree *tree)
{
	const struct node *nodes = e->books->nodes;
	int k = nodes[tree->root].first_child;

	for (; k != SPEC_NONE; k = nodes[k].next_sibling) {
		if (!nodes[k].is_queue)
			return false;
	}
	return !nodes[tree->root].is_queue;
}

static void play(void)
{
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		struct world *world;
		struct engine *e;

		world_write(&told, seed);
		world = world_create(told.bytes);
		e = world_engine(world);
		engine_plan(e, 100);
		for (size_t i = 0; i < e->ntrees; i++) {
			const struct tree *tree = &e->trees[i];

			if (!is_plain(tree) || !tree_is_flat(e, tree))
				continue;
			for (size_t k = 0; k < tree->nqueues; k++)
				queue_check(world, tree, tree->queues[k]);
		}
		world_destroy(world);
	}
}

static void test_kept(void **state)
{
	play();
	print_message("# %zu owners wait, %zu with something free\n", met, free_then);
	assert_true(met > WORLDS / 100);
	assert_true(free_then > WORLDS / 400);
}

TESTS(cmocka_unit_test(test_kept))
