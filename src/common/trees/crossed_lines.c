/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossed_lines.c - heterogeneous jobs that would wait for each other for ever
 *
 * Such a job has its turn when it is at the head of all its queues. So two of
 * them wait for each other if one is first in one StrictFIFO queue and the
 * other one in another; three may do so in a ring. Jobs are taken out of the
 * lines as long as one is first in all of them. When none is, the job of the
 * highest priority comes first: the jobs before it give way, in all their
 * queues (doc/how-it-decides.md, section 9, heterogeneous jobs).
 */
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/tree.h"
#include "core/tree_state.h"
#include "lib/arena.h"
#include "trees/crossed_lines.h"
#include "trees/tree_bundle.h"
#include "usage/line.h"
#include "workload/pending.h"

/* The first component of a job in one StrictFIFO queue */
struct place {
	struct workload *w;
	struct place *line;		/* the first place of the queue */
	struct place *also;		/* the next place of the same job */
	struct place *head;		/* of a line: the first place that is left */
};

struct lines {
	struct place *places;		/* one queue after the other */
	size_t n;
};

static bool is_strict(const struct workload *w)
{
	return w->shape->q->spec.strategy == STRATEGY_STRICT_FIFO;
}

/* It waits for a stopped queue: it does not hold up the queues of its other
 * components. */
static bool has_stopped(const struct bond *b)
{
	for (const struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (queue_held(m->shape->q))
			return true;
	}
	return false;
}

static bool is_in_line(const struct bond *b)
{
	return b->kind == BOND_TOGETHER && !b->never && !b->gives_way;
}

static int place_compare(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	const struct queue *p = a->w->shape->q, *q = b->w->shape->q;

	if (p != q)
		return p < q ? -1 : 1;
	return workload_before(a->w, b->w) ? -1 : workload_before(b->w, a->w);
}

/* Keeps one place for each job and queue */
static void places_link(struct lines *l)
{
	struct place *line = l->places;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		struct place *p = &l->places[n];
		struct bond *b = workload_bond(l->places[i].w);

		*p = l->places[i];
		if (n == 0 || p->w->shape->q != line->w->shape->q)
			line = p->head = p;
		if (b->places && b->places->line == line)
			continue;
		p->line = line;
		p->also = b->places;
		b->places = p;
		n++;
	}
	l->n = n;
}

static int lines_collect(struct engine *e, struct lines *l)
{
	size_t most = 0;

	for (struct bond *b = e->bonds; b; b = b->next)
		most += is_in_line(b) ? b->nmembers : 0;
	arena_reset(&e->arena);
	l->places = arena_alloc(&e->arena, most, sizeof(*l->places));
	if (!l->places)
		return -1;
	for (struct bond *b = e->bonds; b; b = b->next) {
		struct workload *m = is_in_line(b) ? b->members : NULL;

		for (; m; m = m->rare->bond_next) {
			if (is_strict(m))
				l->places[l->n++] = (struct place) { .w = m };
		}
	}
	if (l->n)
		qsort(l->places, l->n, sizeof(*l->places), place_compare);
	places_link(l);
	return 0;
}

/* No other job is before it in any line. */
static bool is_first(const struct bond *b)
{
	for (const struct place *p = b->places; p; p = p->also) {
		while (p->line->head != p && p->line->head->w->rare->bond->placed)
			p->line->head++;
		if (p->line->head != p)
			return false;
	}
	return true;
}

/* The jobs before it give way, so that none is before it any more. */
static void bond_pass(struct bond *b)
{
	for (struct place *place = b->places; place; place = place->also) {
		for (struct place *p = place->line; p < place; p++)
			p->w->rare->bond->gives_way |= !p->w->rare->bond->placed;
	}
	b->placed = true;
}

/* Takes out of the lines who is first in all of them, as long as there is one. Returns
 * the first of the bonds that are left, or NULL. */
static struct bond *ready_place(struct bond **bonds, size_t n)
{
	struct bond *left = NULL;
	bool again = true;

	while (again) {
		again = false;
		left = NULL;
		for (size_t i = 0; i < n; i++) {
			struct bond *b = bonds[i];

			if (!b->placed && is_first(b))
				b->placed = again = true;
			else if (!b->placed && !left)
				left = b;
		}
	}
	return left;
}

static int bond_compare(const void *x, const void *y)
{
	struct bond *const *a = x, *const *b = y;

	return bond_comes_first(*a, *b) ? -1 : bond_comes_first(*b, *a);
}

static int lines_dissolve(struct engine *e, struct lines *l)
{
	struct bond **bonds = arena_alloc(&e->arena, l->n, sizeof(*bonds)), *b;
	size_t n = 0;

	if (!bonds)
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		if (!l->places[i].also)		/* each bond once */
			bonds[n++] = workload_bond(l->places[i].w);
	}
	if (n)
		qsort(bonds, n, sizeof(*bonds), bond_compare);
	while ((b = ready_place(bonds, n)))
		bond_pass(b);
	return 0;
}

static void bonds_forget(struct engine *e)
{
	for (struct bond *b = e->bonds; b; b = b->next) {
		b->gave_way = b->gives_way;
		b->gives_way = b->kind == BOND_TOGETHER && has_stopped(b);
		b->placed = false;
		b->places = NULL;
	}
}

/* Where usage counts, the plan that is about to be made puts lines in another
 * order: that is the one which matters. True if there are such lines that were
 * not seen yet. */
static bool lines_see(struct engine *e, int64_t now)
{
	bool any = false;

	for (struct bond *b = e->bonds; b; b = b->next) {
		bool counts = b->kind == BOND_TOGETHER && !b->never;

		for (struct workload *m = b->members; counts && m;
		     m = m->rare->bond_next) {
			struct tree *tree = tree_of(m);

			if (!is_strict(m) || !m->shape->q->spec.by_usage
			    || !tree->needs_plan || tree->lines_seen)
				continue;
			usage_see(e, tree, now);
			tree->lines_seen = any = true;
		}
	}
	return any;
}

static void lines_find(struct engine *e)
{
	struct lines l = { 0 };

	bonds_forget(e);
	/* without memory they wait for each other until there is some */
	if (lines_collect(e, &l) == 0)
		(void) lines_dissolve(e, &l);
	for (struct bond *b = e->bonds; b; b = b->next) {
		struct workload *m = b->members;

		for (; m && b->gives_way != b->gave_way; m = m->rare->bond_next)
			tree_request_plan(e, tree_of(m));
	}
}

/* Trees that are to be planned as others give way in them now have lines to be
 * seen, too. */
void crossed_find_bonds(struct engine *e, int64_t now)
{
	for (size_t i = 0; i < e->ntrees; i++)
		e->trees[i].lines_seen = false;
	(void) lines_see(e, now);
	do {
		lines_find(e);
	} while (lines_see(e, now));
}
