/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test stall: a plan never stalls
 *
 * If no job of a tree goes and no victim is on its way out, no job that would
 * fit may wait for "order": it would be its own turn. Nor may any job wait for
 * victims where none leaves or is to leave. Random worlds with bonds of both
 * kinds and units; COHORT_SEEDS=N tries N of them, from COHORT_SEED on, instead
 * of the usual few.
 */
#include "holding/holding.h"
#include "workload/workload.h"
#include "play.h"
#include "random/draw.h"

struct tree;

#define EVENTS 60

static const struct bond_odds odds = {
	.undone = 6,
	.rare = 3, .rare_kind = BOND_EITHER, .usual_kind = BOND_TOGETHER,
};

static bool waits_for(const struct engine *e, const struct workload *w, enum wait_reason reason)
{
	const struct verdict *v = engine_verdict(e, w);

	return v->kind == VERDICT_WAIT && v->reason == reason;
}

/* It goes, or has a reason for which quota is kept from others. */
static bool is_busy(const struct engine *e, const struct workload *w)
{
	const struct queue *q = w->shape->q;

	if (w->claim || w->blocked || engine_verdict(e, w)->kind != VERDICT_WAIT
	    || waits_for(e, w, WAIT_IS_PREEMPTING) || waits_for(e, w, WAIT_IS_PROTECTED))
		return true;
	return q->spec.strategy == STRATEGY_STRICT_FIFO && waits_for(e, w, WAIT_IS_QUOTA);
}

static bool any_leaves(const struct queue *q)
{
	const struct rank_node *first = rankset_first(&q->order);

	return first && holding_at(first)->evicting;
}

/* Does `is` say yes of one that waits, or is one that runs on its way out? */
static bool any_in_tree(const struct engine *e, const struct tree *tree,
			bool (*is)(const struct engine *e, const struct workload *w))
{
	for (size_t i = 0; i < e->nqueues; i++) {
		const struct queue *q = &e->queues[i];

		if (q->tree != tree)
			continue;
		if (any_leaves(q))
			return true;
		for_each_waiting(w, q) {
			if (is(e, w))
				return true;
		}
	}
	return false;
}

static bool is_quiet(const struct engine *e, const struct tree *tree)
{
	return !any_in_tree(e, tree, is_busy);
}

/* It goes, or waits for victims of another member of its bond. */
static bool is_to_go(const struct engine *e, const struct workload *w)
{
	return engine_verdict(e, w)->kind != VERDICT_WAIT
	       || (engine_waits_for(e, w) != w && waits_for(e, w, WAIT_IS_PREEMPTING));
}

/* Some job of the tree goes, or is on its way out. An array may evict for its later tasks. */
static bool moves(const struct engine *e, const struct tree *tree)
{
	return any_in_tree(e, tree, is_to_go);
}

static bool is_deceived(const struct engine *e, const struct workload *w)
{
	return engine_waits_for(e, w) == w && waits_for(e, w, WAIT_IS_PREEMPTING)
	       && !moves(e, w->shape->q->tree);
}

/* Its verdict is that others come first, and there are no others. */
static bool is_stuck(const struct engine *e, const struct workload *w)
{
	return !w->runs && engine_waits_for(e, w) == w
	       && waits_for(e, w, WAIT_IS_ORDER) && !engine_is_behind(e, w)
	       && is_quiet(e, w->shape->q->tree);
}

static bool fits(struct play *play, struct workload *w, struct nomination *nom)
{
	assert_int_equal(engine_nominate(play->engine, w, play->now, NULL, nom), 0);
	return nom->mode == MODE_FIT;
}

/* All waiting members of a job could go, one after the other. */
static bool all_fit(struct play *play, const struct bond *b)
{
	struct workload *owners[JOBS];
	struct nomination nom;
	size_t n = 0;
	bool fit = true;

	for (struct workload *m = b->members; m && fit; m = m->bond_next) {
		fit = fits(play, m, &nom);
		if (!fit)
			break;
		owners[n++] = m;
		assert_int_equal(engine_own(play->engine, m, nom.charges, nom.ncharges), 0);
	}
	for (size_t i = 0; i < n; i++)
		engine_disown(play->engine, owners[i]);
	engine_plan(play->engine, play->now);
	return fit;
}

static bool bond_is_stuck(const struct engine *e, const struct bond *b)
{
	bool stuck = false;

	for (const struct workload *m = b->members; m; m = m->bond_next) {
		stuck |= is_stuck(e, m);
		if (m->claim || m->blocked || engine_is_behind(e, m)
		    || !is_quiet(e, m->shape->q->tree))
			return false;
	}
	return stuck;
}

/* Another member of its bond goes, or has evicted. */
static bool other_goes(const struct engine *e, const struct workload *w)
{
	for (const struct workload *m = w->bond ? w->bond->members : NULL; m;
	     m = m->bond_next) {
		if (m != w && is_busy(e, m))
			return true;
	}
	return false;
}

static void plan_check(struct play *play, uint64_t seed, int event)
{
	struct engine *e = play->engine;
	struct nomination nom;
	bool stalls = false;

	engine_plan(e, play->now);
	for (size_t i = 0; i < JOBS && !stalls; i++) {
		struct workload *w = play->jobs[i].there ? play->jobs[i].w : NULL;

		if (!w || w->runs)
			continue;
		if (!is_stuck(e, w))
			stalls = is_deceived(e, w);
		else if (bond_is_together(w))
			stalls = bond_is_stuck(e, w->bond)
				 && all_fit(play, w->bond);
		else
			stalls = !other_goes(e, w) && fits(play, w, &nom);
		if (stalls)
			print_error("seed %llu, event %d: job %zu\n",
				    (unsigned long long) seed, event, i);
	}
	assert_false(stalls);
}

static void test_stall(void **state)
{
	const char *first = getenv("COHORT_SEED");
	uint64_t n = seeds_wanted(50);
	uint64_t seed = first ? strtoull(first, NULL, 10) : 1;

	for (n += seed - 1; seed <= n; seed++) {
		uint64_t random = seed;
		struct play play;

		play_begin(&play, seed);
		for (int i = 0; i < EVENTS; i++) {
			play_event(&play);
			play_bond_event(&play, &random, &odds);
			play_bond_event(&play, &random, &odds);
			plan_check(&play, seed, i);
		}
		play_end(&play);
	}
}

TESTS(cmocka_unit_test(test_stall))
