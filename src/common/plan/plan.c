/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.c - verdicts for everything that waits in a tree
 *
 * A plan runs rounds on the books until nothing moves, and undoes all of it
 * from the log.
 */
#include "workload/bond.h"
#include "cycle/queue_heads.h"
#include "plan/plan.h"
#include "plan/components.h"
#include "core/trial.h"
#include "workload/progress.h"

/* What is kept depends on what is used */
static void holds_renew(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++)
		withheld_book(p->e, p->tree->queues[i]);
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
			withheld_drop(p->e, q, s->kept, s->nkept);
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
		if (entry->outcome == OUTCOME_SKIPPED)
			verdict_wait(entry->w, WAIT_IS_ORDER, 0);
		else
			entry->w->verdict = explain_wait(p, entry->w,
						&entry->final.passed);
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

int plan_make(struct engine *e, struct tree *tree, int64_t now)
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
