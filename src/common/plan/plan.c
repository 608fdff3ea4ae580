/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.c - verdicts for all workloads that wait
 *
 * doc/how-it-decides.md, section 9. A plan runs cycles on the books until
 * nothing moves, and undoes all of it from the log.
 *
 * Trees are independent of each other, except for the bonds between them. Only
 * trees that an event or the clock has made stale are planned anew, and those that bonds
 * tie to them.
 */
#include "holding/holding.h"
#include "holding/settled.h"
#include "plan/plan.h"
#include "quota/calendar.h"

/* ---- cycles ---- */

/* Since some shapes were dropped, victims have gone. These shapes may fit now,
 * or wait only for that. 1 if there are any. */
static int shapes_revive(struct tree *tree)
{
	int revived = 0;

	for_each_inadmissible(s, tree) {
		if (s->q->spec.strategy == STRATEGY_STRICT_FIFO)
			continue;
		heads_revive_shape(s->q, s);
		kept_give_up(s);
		revived = 1;
	}
	return revived;
}

/* Nothing but one task of an array has moved: starts more of them. */
static int tasks_repeat(struct plan *p, struct entry *entry)
{
	struct entry *const *turns = entry->q->tree->turns;
	const struct workload *w = entry->w;

	/* a pod set is judged beside those before it, which may use other flavors then */
	if (entry->outcome != OUTCOME_ADMITTED || w->bond || w->done
	    || w->shape->npodsets > 1
	    || !cycle_others_fail_again(p->e, turns, entry->q->tree->nturns, entry))
		return 1;
	while (!w->done && heads_get(entry->q) == w && cycle_fits_again(p->e, turns, entry)) {
		if (outcome_apply(p, entry) < 0)
			return -1;
	}
	return 1;
}

/* Applies the outcomes in the order of the turns. *mover: the last one that moved */
static int outcomes_apply(struct plan *p, const struct tree *tree, struct entry **mover,
			  size_t *nmovers)
{
	for (size_t i = 0; i < tree->nturns; i++) {
		struct entry *entry = tree->turns[i];
		int rc = entry->w->bond ? bond_apply(p, entry)
						 : outcome_apply(p, entry);

		if (rc > 0) {
			*mover = entry;
			++*nmovers;
		}
		if (rc < 0 || rc == BOND_MOVED)
			return rc;
	}
	return 0;
}

/* Also the expiries of heads that could go, and wait for other components of their job */
static int tree_cycle(struct plan *p, struct tree *tree)
{
	/* what is withheld depends on usage, which has changed */
	for (size_t i = 0; i < tree->nqueues; i++)
		withheld_book(p->e, tree->queues[i]);
	if (cycle_run(p->e, tree, p->now, &tree->turns, &tree->nturns) < 0)
		return -1;
	for (size_t i = 0; i < tree->nturns; i++) {
		plan_note_expiry(p, &tree->turns[i]->nominated.passed);
		plan_note_expiry(p, &tree->turns[i]->final.passed);
	}
	return 0;
}

static int cycle_apply(struct plan *p)
{
	struct entry *mover = NULL;
	size_t nmovers = 0;
	int rc = 0;

	arena_reset(&p->e->arena);
	p->victims_stay = false;
	for_each_tree(t, p) {
		if (tree_cycle(p, t) < 0)
			return -1;
	}
	for (struct tree *t = p->trees; t && !rc; t = t->next_in_group)
		rc = outcomes_apply(p, t, &mover, &nmovers);
	if (rc < 0)
		return rc;
	if (nmovers == 1)
		return tasks_repeat(p, mover);
	return nmovers ? 1 : bonds_move(p);
}

static bool is_cut(const struct plan *p)
{
	for_each_tree(t, p) {
		if (t->cut)
			return true;
	}
	return false;
}

/* Runs one cycle after the other until nothing moves, and once more for shapes
 * that were dropped before victims went. */
static int cycles_run(struct plan *p)
{
	bool revived = false;
	int moved;

	do {
		moved = cycle_apply(p);
		p->trees->cut |= moved > 0
				 && budget_is_spent(p->e, p->e->searches->looks, 0);
		if (!moved && p->ngone && !revived && !is_cut(p)) {
			revived = true;
			for_each_tree(t, p)
				moved |= shapes_revive(t);
		}
	} while (moved > 0 && !is_cut(p));
	if (is_cut(p)) {
		p->e->cut_plans++;
		for_each_tree(t, p)
			t->cut = true;
	}
	return moved < 0 ? moved : 0;
}

/* ---- the budget (section 9) ---- */

/* A plan that was cut off is gone on with so much later, ns. */
#define REST SPEC_SEC

/* Shapes that had their turn in a plan that was cut off have to wait for those that had none
 * (heads_begin()), but for those for which quota is kept: each plan has to know of these. */
static void round_end(struct plan *p, struct tree *tree)
{
	tree->partial = tree->cut || tree->goes_on;
	if (!tree->cut)
		tree->first = 0;
	if (!tree->partial)
		return;
	for (size_t i = 0; i < tree->nqueues; i++) {
		for (struct shape *s = tree->queues[i]->shapes; s; s = s->next)
			s->had_turn = tree->cut && shape_is_inadmissible(s)
				      && !s->keeper.n;
	}
	tree->goes_on = tree->cut;
	/* what came meanwhile has its turn in the round after this one */
	earliest_note(&p->trees->next_expiry, p->now + REST);
}

/* Explains heads that did not go in the last cycle: they block a StrictFIFO queue. */
static void heads_explain(struct plan *p, const struct tree *tree)
{
	for (size_t i = 0; i < tree->nturns; i++) {
		const struct entry *entry = tree->turns[i];
		struct workload *w = entry->w;

		if (w->plan != tree->plan || decide(p, w)->verdict.kind != VERDICT_NONE)
			continue;
		if (entry->outcome == OUTCOME_SKIPPED)
			verdict_wait(p, w, WAIT_IS_ORDER, 0);
		else
			w->decision->verdict =
				reason_to_wait(p, w, &entry->final.passed);
	}
}

/* ---- the plan ---- */

static int trees_begin(struct plan *p)
{
	uint64_t plan = ++p->e->plans;

	for_each_tree(t, p) {
		usage_see(p->e, t, p->now);
		t->next_expiry = 0;
		t->cut = false;
		t->nturns = 0;
		if (heads_begin(p->e, t, plan) < 0)
			return -1;
	}
	return 0;
}

static int trees_decide(struct plan *p)
{
	if (trees_begin(p) < 0)
		return -1;
	for_each_tree(t, p)
		owners_go_first(p, t);
	if (bonds_begin(p) < 0)
		return -1;
	for_each_tree(t, p) {
		if (blocked_withhold(p, t) < 0)
			return -1;
	}
	if (cycles_run(p) < 0)
		return -1;
	for_each_tree(t, p) {
		heads_explain(p, t);
		shapes_explain(p, t);
	}
	bonds_end(p);
	return 0;
}

/* Makes the plan of the trees, from their leader on: a verdict for every workload that
 * waits in them. The books are as before. 0, or -1 with e->no_memory set. */
static int plan_make(struct engine *e, struct tree *trees, int64_t now)
{
	struct plan p = { .e = e, .trees = trees, .now = now };
	size_t mark = trial_begin(e);
	int rc;

	e->no_memory = false;
	e->looks_end = e->plan_budget ? e->searches->looks + e->plan_budget : 0;
	rc = trees_decide(&p);
	e->looks_end = 0;
	for_each_tree(t, &p) {
		round_end(&p, t);
		plan_note_history(&p, t);
	}
	starts_forget(&p);
	trial_end(e, mark);
	for (struct tree *t = trees; t && !rc && !e->no_memory; t = t->next_in_group) {
		t->kept_before = 0;	/* nothing is kept on the books of before */
		order_explain(&p, t);
		t->kept_before = UINT64_MAX;
	}
	if (rc == 0 && !e->no_memory)
		return 0;
	e->undecided = (struct decision) { 0 };	/* what was decided without memory is none */
	return -1;
}

/* ---- all trees ---- */

static struct tree *leader_of(struct tree *tree)
{
	while (tree->leader != tree) {
		tree->leader = tree->leader->leader;
		tree = tree->leader;
	}
	return tree;
}

/* The first one of the spec leads. */
static void trees_tie(struct tree *a, struct tree *b)
{
	a = leader_of(a);
	b = leader_of(b);
	if (a < b)
		b->leader = a;
	else
		a->leader = b;
}

/* Trees that bonds tie together, directly or through others, are planned in one. */
static void groups_find(struct engine *e)
{
	for (size_t i = 0; i < e->ntrees; i++) {
		e->trees[i].leader = &e->trees[i];
		e->trees[i].next_in_group = NULL;
	}
	for (const struct bond *b = e->bonds; b; b = b->next) {
		for_each_member(m, b)
			trees_tie(b->members->shape->q->tree, m->shape->q->tree);
	}
	for (size_t i = e->ntrees; i-- > 0; ) {
		struct tree *tree = &e->trees[i], *leader = leader_of(tree);

		if (tree == leader)
			continue;
		tree->next_in_group = leader->next_in_group;
		leader->next_in_group = tree;
	}
}

/* Plans the trees of the group anew if one of them needs that. -1: no memory; they stay stale. */
static int group_renew(struct engine *e, struct tree *leader, int64_t now)
{
	bool plan = false;
	int rc;

	for (struct tree *t = leader; t; t = t->next_in_group)
		plan |= t->needs_plan;
	if (!plan)
		return 0;
	rc = plan_make(e, leader, now);
	for (struct tree *t = leader; t; t = t->next_in_group) {
		if (rc < 0) {
			tree_request_plan(e, t);
			continue;
		}
		t->needs_plan = false;
		t->covered = ++e->plans;
	}
	return rc;
}

static void expired_touch(struct engine *e, int64_t now)
{
	for (size_t i = 0; i < e->ntrees; i++) {
		if (e->trees[i].next_expiry && now >= e->trees[i].next_expiry)
			tree_request_plan(e, &e->trees[i]);
	}
}

int engine_plan(struct engine *e, int64_t now)
{
	int rc = 0;

	trees_date(e, now);
	settled_follow(e);
	expired_touch(e, now);
	if (!e->stale)
		return 0;
	e->stale = false;
	groups_find(e);
	for (size_t i = 0; i < e->ntrees; i++) {
		if (e->trees[i].leader == &e->trees[i] && group_renew(e, &e->trees[i], now) < 0)
			rc = -1;
	}
	if (rc < 0)
		return failed(ENOMEM);
	return 1;
}

void engine_set_plan_budget(struct engine *e, uint64_t looks)
{
	e->plan_budget = looks;
}

uint64_t engine_cut_plans(const struct engine *e)
{
	return e->cut_plans;
}

int64_t engine_next_expiry(const struct engine *e)
{
	int64_t first = calendar_next(e->books);

	for (size_t i = 0; i < e->ntrees; i++)
		earliest_note(&first, e->trees[i].next_expiry);
	return first;
}
