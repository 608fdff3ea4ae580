/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.c - verdicts for everything that waits
 *
 * Trees have nothing to do with each other: only those that an event or the
 * clock has made stale are planned anew. A plan runs rounds on the books
 * until nothing moves, and undoes all of it from the log.
 */
#include <errno.h>

#include "state/tree.h"
#include "state/trial.h"
#include "workload/bond.h"
#include "plan/heads.h"
#include "plan/plan.h"
#include "plan/components.h"
#include "workload/progress.h"

static const struct verdict verdict_none = {
	.kind = VERDICT_NONE,
	.flavor = SPEC_NONE,
	.resource = SPEC_NONE,
};
static const struct verdict verdict_held = {
	.kind = VERDICT_WAIT,
	.reason = WAIT_IS_HELD,
	.flavor = SPEC_NONE,
	.resource = SPEC_NONE,
};
static const struct verdict verdict_order = {
	.kind = VERDICT_WAIT,
	.reason = WAIT_IS_ORDER,
	.flavor = SPEC_NONE,
	.resource = SPEC_NONE,
};

/* What is kept depends on what is used */
static void holds_renew(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++)
		hold_put(p->e, p->tree->queues[i]);
}

/* Victims have gone since some shapes were dropped: these may fit now, or
 * wait for nothing but that. 1 if there are any. */
static int shapes_revive(struct plan *p)
{
	int revived = 0;

	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];

		for (struct shape *s = q->shapes; s; s = s->next) {
			if (!shape_inadmissible(s)
			    || q->spec.strategy == STRATEGY_STRICT_FIFO)
				continue;
			heads_revive_shape(q, s);
			hold_change(p->e, q, s->kept, s->nkept, false);
			s->nkept = 0;
			revived = 1;
		}
	}
	return revived;
}

static int round_settle(struct plan *p, struct entry ***entries, size_t *n)
{
	int moved = 0;

	arena_reset(&p->e->arena);
	holds_renew(p);
	p->deferred = NULL;
	p->victims_stay = false;
	if (round_run(p->e, p->tree, p->now, entries, n) < 0)
		return -1;
	for (size_t i = 0; i < *n; i++) {
		struct entry *entry = (*entries)[i];
		int rc = together_in_tree(entry->w) ? together_settle(p, entry)
						    : plan_settle(p, entry);

		if (rc < 0)
			return -1;
		moved |= rc > 0;
		if (rc == TOGETHER_MOVED)
			break;
	}
	for (size_t i = 0; i < *n && !moved; i++)
		moved = together_give_way(p, (*entries)[i]);
	if (!moved && p->deferred)
		moved = together_give_up(p);
	return moved;
}

/* One round after the other, until nothing moves; once more for shapes that
 * were dropped before victims went. The last round leaves its heads in
 * entries[]. */
static int rounds_run(struct plan *p, struct entry ***entries, size_t *n)
{
	bool revived = false;
	int moved;

	do {
		moved = round_settle(p, entries, n);
		if (!moved && p->ngone && !revived) {
			revived = true;
			moved = shapes_revive(p);
		}
	} while (moved > 0);
	return moved;
}

/* Heads that neither moved nor went: they block a StrictFIFO queue */
static void stuck_explain(struct plan *p, struct entry **entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct entry *entry = entries[i];

		if (entry->w->verdict.kind != VERDICT_NONE)
			continue;
		entry->w->verdict = entry->outcome == OUTCOME_SKIPPED
			? verdict_order
			: explain_wait(p, entry->w, &entry->final.passed);
	}
}

static void shapes_explain(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		for (struct shape *s = p->tree->queues[i]->shapes; s;
		     s = s->next) {
			if (shape_inadmissible(s))
				s->verdict = explain_wait(p, shape_any(s),
							  &s->passed);
		}
	}
}

static int tree_rounds(struct plan *p)
{
	struct entry **entries;
	size_t n;

	if (heads_begin(p->e, p->tree) < 0)
		return -1;
	plan_settle_owners(p);
	bonds_give_up(p->e, p->tree);
	if (plan_hold_blocked(p) < 0 || rounds_run(p, &entries, &n) < 0)
		return -1;
	stuck_explain(p, entries, n);
	shapes_explain(p);
	return 0;
}

/* On the books as they really are: who would fit but for the order. One that
 * fails beside the others of its job may fit alone. */
static void tree_explain_order(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];

		if (q->cursor && q->cursor->plan == p->tree->plan
		    && !q->cursor->failed
		    && q->cursor->verdict.kind == VERDICT_WAIT)
			explain_order(p, q->cursor, &q->cursor->verdict);
		for (struct shape *s = q->shapes; s; s = s->next) {
			if (shape_inadmissible(s))
				explain_order(p, shape_any(s), &s->verdict);
		}
	}
}

static int tree_plan(struct engine *e, struct tree *tree, int64_t now)
{
	struct plan p = { .e = e, .tree = tree, .now = now };
	size_t mark = trial_begin(e);
	int rc;

	arena_reset(&tree->arena);
	e->no_memory = false;
	/* what bars somebody may end with what an earlier plan came upon */
	if (!tree->resolved)
		tree->next_expiry = 0;
	rc = tree_rounds(&p);
	plan_forget(&p);
	trial_end(e, mark);
	if (rc == 0)
		tree_explain_order(&p);
	return rc;
}

/* Anew, or as it was where nothing that it looked at has changed */
static int tree_renew(struct engine *e, struct tree *tree, int64_t now)
{
	if (tree->outdated && tree_plan(e, tree, now) < 0)
		return -1;
	tree->outdated = false;
	tree->covered = ++e->plans;
	return 0;
}

static void expired_touch(struct engine *e, int64_t now)
{
	if (!e->next_expiry || now < e->next_expiry)
		return;
	for (size_t i = 0; i < e->ntrees; i++) {
		if (e->trees[i].next_expiry && now >= e->trees[i].next_expiry)
			tree_touch(e, &e->trees[i]);
	}
}

static void next_expiry_set(struct engine *e)
{
	e->next_expiry = 0;
	for (size_t i = 0; i < e->ntrees; i++) {
		int64_t next = e->trees[i].next_expiry;

		if (next && (!e->next_expiry || next < e->next_expiry))
			e->next_expiry = next;
	}
}

/* -1: no memory for some of the trees, which stay stale */
static int trees_plan(struct engine *e, int64_t now)
{
	struct tree *failed = NULL;

	while (e->stale) {
		struct tree *tree = e->stale;

		e->stale = tree->next_stale;
		tree->stale = false;
		if (tree_renew(e, tree, now) < 0) {
			tree->stale = true;
			tree->next_stale = failed;
			failed = tree;
		}
	}
	e->stale = failed;
	return failed ? -1 : 0;
}

bool engine_plan(struct engine *e, int64_t now)
{
	int pass = 0, rc;

	expired_touch(e, now);
	if (!e->stale)
		return false;
	bonds_begin(e);
	rc = trees_plan(e, now);
	while (rc == 0 && bonds_resolve(e, pass++))
		rc = trees_plan(e, now);
	bonds_end(e);
	next_expiry_set(e);
	return true;
}

bool engine_stale(const struct engine *e, int64_t now)
{
	return e->stale || (e->next_expiry && now >= e->next_expiry);
}

int64_t engine_next_expiry(const struct engine *e)
{
	return e->next_expiry;
}

const struct verdict *engine_verdict(const struct engine *e,
				     const struct workload *w)
{
	const struct tree *tree;

	(void) e;
	w = bond_cause(w);
	tree = w->shape->q->tree;
	if (w->held || tree->covered <= w->joined)
		return &verdict_none;
	if (queue_held(w->shape->q))
		return &verdict_held;
	if (w->barred)
		return &verdict_order;
	if (w->plan == tree->plan && w->verdict.kind != VERDICT_NONE)
		return &w->verdict;
	if (shape_inadmissible(w->shape))
		return &w->shape->verdict;
	return &verdict_order;
}

void engine_promises(const struct engine *e,
		     void (*f)(void *arg, const struct workload *w,
			       const struct verdict *v), void *arg)
{
	for (size_t i = 0; i < e->ntrees; i++) {
		const struct workload *w = e->trees[i].promised;

		for (; w && !e->trees[i].outdated; w = w->next_promised) {
			const struct verdict *v = engine_verdict(e, w);

			if (v->kind == VERDICT_START
			    || v->kind == VERDICT_PREEMPT)
				f(arg, w, v);
		}
	}
}
