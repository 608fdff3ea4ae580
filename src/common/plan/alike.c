/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alike.c - cycles in which nobody can tell what the others do
 *
 * doc/how-it-decides.md, section 9, a job with quota but without nodes. Where nodes are
 * the limit thousands of such jobs wait, and all of them may start. In a BestEffortFIFO
 * queue none of them takes anything from those after it. So after a cycle in which nobody
 * else was a head the next heads are nominated on the same books: who asks for the same as
 * one before, in the same queue, gets the same.
 *
 * In its turn a head also meets what those before it in the cycle use. Where no queue of
 * the tree uses or withholds more than its nominal quota, all can have theirs at once: who
 * fits without borrowing fits whatever the others do, as long as these borrow nothing,
 * either.
 *
 * So these cycles come to nothing but the order of the turns. With fair sharing that is
 * not so simple.
 */
#include "core/cap.h"
#include "core/tree_state.h"
#include "cycle/queue_heads.h"
#include "lib/arena.h"
#include "plan/plan.h"
#include "workload/progress.h"

struct alike {
	uint64_t books;			/* p->books when they fit */
	struct fits fits;
	const struct fit *next;		/* what the next head gets */
};

/* It has found no nodes, and may start: all others go on as if it was not there. */
static bool starts_apart(const struct entry *entry)
{
	const struct decision *d = workload_decision(entry->w);

	return entry->w->blocked && entry->outcome == OUTCOME_ADMITTED
	       && entry->q->spec.strategy == STRATEGY_BEST_EFFORT_FIFO
	       && d && d->verdict.kind == VERDICT_START && d->promise;
}

static bool workload_is_plain(const struct workload *w)
{
	return w->blocked && !w->shape->yields && !workload_bond(w) && !workload_claim(w) && !workload_is_capped(w);
}

static bool all_start_apart(struct entry *const *entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!starts_apart(entries[i]))
			return false;
	}
	return n > 0;
}

/* ---- what is known of these books ---- */

static bool nobody_borrows(struct plan *p)
{
	const struct node *nodes = p->e->books->nodes;

	if (p->borrows_known == p->books)
		return !p->borrows;
	p->borrows_known = p->books;
	p->borrows = false;
	for (size_t i = 0; i < p->tree->nqueues && !p->borrows; i++)
		p->borrows = nodes[p->tree->queues[i]->node].borrowed;
	return !p->borrows;
}

/* False: its next cycles are not of this kind. */
static bool entry_remember(struct plan *p, const struct entry *entry)
{
	const struct passed_over *passed = &entry->nominated.passed;
	struct queue *q = entry->q;
	struct fit *fit;

	if (!workload_is_plain(entry->w) || entry->recomputed || passed->until
	    || passed->turn)
		return false;
	if (!q->alike)
		q->alike = arena_alloc(&p->tree->arena, 1, sizeof(*q->alike));
	if (!q->alike)
		return false;
	if (q->alike->books != p->books)
		*q->alike = (struct alike) { .books = p->books };
	fit = fit_note(&q->alike->fits, entry->w, &entry->nominated.draft);
	if (!fit)
		return false;
	fit->uses = entry->w->decision->promise;
	return true;
}

static bool all_remember(struct plan *p, struct entry *const *entries, size_t n)
{
	bool all = true;

	for (size_t i = 0; i < n; i++)
		all &= entry_remember(p, entries[i]);
	return all;
}

/* Is it known what the head of the queue gets? */
static bool head_is_known(const struct plan *p, struct queue *q,
			  const struct workload *w)
{
	if (!q->alike || q->alike->books != p->books || !workload_is_plain(w))
		return false;
	q->alike->next = fit_find(p->e, &q->alike->fits, w);
	return q->alike->next;
}

/* ---- these cycles ---- */

/* The heads of the queues that had one in the cycle before; those that have none left
 * leave the list. False: of some head it is not known that it fits. */
static bool heads_follow(const struct plan *p, struct entry **entries, size_t *n)
{
	size_t left = 0;

	for (size_t i = 0; i < *n; i++) {
		struct workload *w = heads_get(entries[i]->q);

		if (!w)
			continue;
		if (!head_is_known(p, entries[i]->q, w))
			return false;
		entries[left] = entries[i];
		entries[left++]->w = w;
	}
	*n = left;
	return true;
}

static void head_start(struct plan *p, struct workload *w)
{
	const struct fit *fit = w->shape->q->alike->next;

	verdict_start(p, w, false);
	w->decision->promise = fit->uses;
	w->decision->npromise = fit->nuses;
	w->done = true;
}

static int cycles_follow(struct plan *p, struct entry **entries, size_t n)
{
	const struct stays none = { .e = p->e };
	struct entry *entry;

	while (heads_follow(p, entries, &n) && n) {
		size_t left = n;

		order_begin(p->e, p->tree, entries, n);
		while ((entry = order_next(&none, p->tree, entries, &left)))
			head_start(p, entry->w);
		if (p->e->no_memory)
			return -1;
	}
	return 0;
}

int alike_go(struct plan *p, struct entry **entries, size_t n)
{
	if (!all_start_apart(entries, n)) {
		p->books++;
		return 0;
	}
	/* where heads are refused, some queues have none in this cycle */
	if (p->e->fair_sharing || p->ngone || p->refuses
	    || !all_remember(p, entries, n) || !nobody_borrows(p))
		return 0;
	return cycles_follow(p, entries, n);
}
