/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.c - verdicts for all workloads that wait in a tree
 *
 * doc/how-it-decides.md, section 9. A plan runs cycles on the books until
 * nothing moves, and undoes all of it from the log.
 */
#include "holding/trial.h"
#include "cycle/queue_heads.h"
#include "plan/components.h"
#include "plan/plan.h"
#include "usage/line.h"
#include "workload/progress.h"
#include "workload/shape.h"

/* What is withheld depends on usage, which has changed. */
static void withheld_renew_all(struct plan *p)
{
	const struct tree *tree = p->tree;

	for (size_t i = 0; tree->nwithholding && i < tree->nqueues; i++)
		withheld_book(p->e, tree->queues[i]);
}

/* ---- cycles ---- */

/* Since some shapes were dropped, victims have gone. These shapes may fit now,
 * or wait only for that. 1 if there are any. */
static int shapes_revive(struct plan *p)
{
	int revived = 0;

	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];

		for (struct shape *s = q->shapes; s; s = s->next) {
			if (!shape_is_inadmissible(s)
			    || q->spec.strategy == STRATEGY_STRICT_FIFO)
				continue;
			heads_revive_shape(q, s);
			kept_give_up(s);
			revived = 1;
		}
	}
	return revived;
}

/* Starts more tasks of an array. If a shape was dropped in this cycle, others
 * have their turn first. */
static int tasks_repeat(struct plan *p, struct entry *entry)
{
	for (int64_t i = 0; i < entry->repeats && !entry->w->done; i++) {
		/* where usage counts, another local queue may be next */
		if (entry->q->spec.by_usage
		    && heads_get(entry->q) != entry->w)
			break;
		if (start_head(p, entry) < 0)
			return -1;
	}
	return 1;
}

/* Also of heads that could go, and wait for other components of their job */
static void expiries_note(struct plan *p, struct entry **entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		plan_note_expiry(p, &entries[i]->nominated.passed);
		plan_note_expiry(p, &entries[i]->final.passed);
	}
}

/* Applies the outcomes in the order of the turns */
static int outcomes_apply(struct plan *p, struct entry **entries, size_t n)
{
	struct entry *mover = NULL;
	int moved = 0;

	for (size_t i = 0; i < n; i++) {
		struct entry *entry = entries[i];
		int rc = has_components_in_tree(entry->w)
			 ? components_apply(p, entry) : outcome_apply(p, entry);

		if (rc < 0)
			return -1;
		if (rc > 0) {
			mover = moved ? NULL : entry;
			moved = 1;
		}
		if (rc == COMPONENTS_MOVED)
			break;
	}
	return mover && mover->repeats ? tasks_repeat(p, mover) : moved;
}

/* When no head can go: bonds may let others pass. */
static int components_move(struct plan *p, struct entry **entries, size_t n)
{
	int moved = 0;

	for (size_t i = 0; i < n && !moved; i++)
		moved = components_give_way(p, entries[i]);
	if (!moved && p->deferred)
		moved = components_give_up(p);
	return moved;
}

static int cycle_apply(struct plan *p, struct entry ***entries, size_t *n)
{
	int moved;

	arena_reset(&p->e->arena);
	withheld_renew_all(p);
	p->deferred = NULL;
	p->victims_stay = false;
	if (cycle_run(p->e, p->tree, p->now, entries, n) < 0)
		return -1;
	expiries_note(p, *entries, *n);
	moved = outcomes_apply(p, *entries, *n);
	return moved ? moved : components_move(p, *entries, *n);
}

/* Runs one cycle after the other until nothing moves, and once more for shapes
 * that were dropped before victims went. The last cycle leaves its heads in
 * entries[]. */
static int cycles_run(struct plan *p, struct entry ***entries, size_t *n)
{
	struct tree *tree = p->tree;
	bool revived = false;
	int moved;

	do {
		moved = cycle_apply(p, entries, n);
		tree->cut |= moved > 0
			     && budget_is_spent(p->e, p->e->searches->looks, 0);
		if (!moved && p->ngone && !revived && !tree->cut) {
			revived = true;
			moved = shapes_revive(p);
		}
	} while (moved > 0 && !tree->cut);
	return moved < 0 ? moved : 0;
}

/* ---- the budget (section 9) ---- */

/* A plan that was cut off is gone on with so much later, ns. */
#define REST SPEC_SEC

static void budget_begin(struct plan *p)
{
	p->tree->cut = false;
	p->e->looks_end = p->e->plan_budget
			  ? p->e->searches->looks + p->e->plan_budget : 0;
}

/* Shapes that had their turn in a plan that was cut off have to wait for those that had
 * none (heads_begin()), but for those for which quota is kept: each plan has to know of
 * these. */
static void round_end(struct plan *p)
{
	struct tree *tree = p->tree;

	p->e->looks_end = 0;
	if (!tree->cut)
		tree->first = 0;
	if (!tree->cut && !tree->goes_on)
		return;
	for (size_t i = 0; i < tree->nqueues; i++) {
		for (struct shape *s = tree->queues[i]->shapes; s; s = s->next)
			s->had_turn = tree->cut && shape_is_inadmissible(s)
				      && !shape_keeps(s);
	}
	p->e->cut_plans += tree->cut;
	tree->goes_on = tree->cut;
	/* what came meanwhile has its turn in the round after this one */
	plan_note_expiry(p, &(struct passed_over) { .until = p->now + REST });
}

/* Explains heads that did not go in the last cycle: they block a StrictFIFO
 * queue. */
static void heads_explain(struct plan *p, struct entry **entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct entry *entry = entries[i];
		struct workload *w = entry->w;

		if (w->plan != p->tree->plan
		    || decide(p, w)->verdict.kind != VERDICT_NONE)
			continue;
		if (entry->outcome == OUTCOME_SKIPPED)
			verdict_wait(p, w, WAIT_IS_ORDER, 0);
		else
			w->decision->verdict =
				reason_to_wait(p, w, &entry->final.passed);
	}
}

/* ---- the plan ---- */

static int tree_decide(struct plan *p)
{
	struct entry **entries;
	size_t n;

	if (heads_begin(p->e, p->tree) < 0)
		return -1;
	budget_begin(p);
	owners_go_first(p);
	bonds_give_up(p);
	if (blocked_withhold(p) < 0 || cycles_run(p, &entries, &n) < 0)
		return -1;
	heads_explain(p, entries, n);
	shapes_explain(p);
	return 0;
}

/* What was decided without memory is no decision. */
static int plan_failed(struct engine *e)
{
	e->undecided = (struct decision) { 0 };
	return -1;
}

static int plan_try(struct plan *p)
{
	size_t mark = trial_begin(p->e);
	int rc;

	arena_reset(&p->tree->arena);
	usage_see(p->e, p->tree, p->now);
	/* what bars a workload, or its next task, may depend on what an earlier
	 * plan has met */
	if (!p->tree->resolved)
		p->tree->next_expiry = 0;
	rc = tree_decide(p);
	round_end(p);
	plan_note_history(p);
	starts_forget(p);
	trial_end(p->e, mark);
	return rc < 0 || p->e->no_memory ? plan_failed(p->e) : 0;
}

/* A plan is begun anew this often because of single arrays (starts.c), then once
 * more for all */
#define MOST_ANEW 4

int plan_make(struct engine *e, struct tree *tree, int64_t now)
{
	uint64_t before = e->plans;
	struct plan p;
	int tries = 0;

	e->no_memory = false;
	do {
		p = (struct plan) {
			.e = e, .tree = tree, .now = now, .before = before,
			.next_stay = tries > MOST_ANEW,
		};
		if (plan_try(&p) < 0)
			return -1;
		tree->resolved |= p.again;
		tries++;
	} while (p.again);
	tree->kept_before = 0;		/* nothing is kept on the books of before */
	order_explain(&p);
	tree->kept_before = UINT64_MAX;
	return e->no_memory ? plan_failed(e) : 0;
}
