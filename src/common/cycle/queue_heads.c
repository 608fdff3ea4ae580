/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_heads.c - the workload at the head of each queue of a plan
 */
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "core/withheld.h"
#include "lib/heap.h"
#include "cycle/cycle.h"
#include "workload/workload.h"
#include "usage/local.h"

/* A shape in the heap, and the place of its cursor in the line, so that few
 * looks at workloads are needed */
struct shape_head {
	struct shape *shape;
	struct line_place place;
};

static struct shape_head shape_head(struct shape *s)
{
	double key = local_key_planned(s->local);

	return (struct shape_head) { s, line_place(s->cursor, key) };
}

static bool cursor_before(const void *x, const void *y)
{
	const struct shape_head *a = x, *b = y;

	return line_place_before(&a->place, &b->place);
}

/* All shapes, from their first workloads on */
static void heap_begin(struct queue *q)
{
	q->nheap = 0;
	for (struct shape *s = q->shapes; s; s = s->next) {
		s->cursor = shape_any(s);
		if (shape_is_inadmissible(s))
			continue;
		q->heads[q->nheap] = shape_head(s);
		q->heap[q->nheap] = &q->heads[q->nheap];
		q->nheap++;
	}
	heap_build(q->heap, q->nheap, cursor_before);
	q->heap_outdated = false;
	q->cursor = NULL;
}

static int queue_begin(struct engine *e, struct queue *q)
{
	q->nheap = 0;
	withheld_reset(q);
	q->cursor = NULL;
	q->stopped = q->heap_outdated = false;
	if (queue_held(q))
		return 0;
	if (!q->spec.by_usage) {
		q->cursor = queue_first(q);
		return 0;
	}
	q->heads = engine_alloc(e, &q->tree->arena, q->nshapes, sizeof(*q->heads));
	q->heap = engine_alloc(e, &q->tree->arena, q->nshapes, sizeof(*q->heap));
	if (!q->heads || !q->heap)
		return -1;
	heap_begin(q);
	return 0;
}

/* A plan that goes on behind one that was cut off passes over what had its turn. */
static void had_turn_pass(struct queue *q)
{
	for (struct shape *s = q->shapes; s; s = s->next) {
		if (s->had_turn)
			s->plan = q->tree->plan;
	}
}

int heads_begin(struct engine *e, struct tree *tree, uint64_t plan)
{
	arena_reset(&tree->arena);
	tree->plan = plan;
	tree->promised = NULL;
	tree->evicts = false;
	kept_reset(tree);
	for (size_t i = 0; i < tree->nqueues; i++) {
		if (tree->goes_on)
			had_turn_pass(tree->queues[i]);
		if (queue_begin(e, tree->queues[i]) < 0)
			return -1;
	}
	return 0;
}

/* Passes over those that have no turn. False: a bond blocks the queue. */
static bool line_pass(struct queue *q)
{
	bool strict = q->spec.strategy == STRATEGY_STRICT_FIFO;

	while (q->cursor) {
		if (!shape_is_inadmissible(q->cursor->shape) && workload_is_undecided(q->cursor))
			break;
		if (strict && bond_blocks(q->cursor))
			return false;
		q->cursor = queue_next(q->cursor);
	}
	return true;
}

/* The score of a shape grows with the starts of the plan: it moves down. */
static bool first_moves_down(struct queue *q)
{
	struct shape_head *top = q->heap[0];
	double key = local_key_planned(top->shape->local);

	if (top->place.key == key)
		return false;
	top->place.key = key;
	heap_sink(q->heap, q->nheap, 0, cursor_before);
	return true;
}

/* The next workload of the first shape, or the next shape, is first. */
static void first_pass(struct queue *q)
{
	struct shape_head *top = q->heap[0];
	struct shape *s = top->shape;

	s->cursor = shape_is_inadmissible(s) ? NULL
		    : workload_in_shape(rankset_next(&s->cursor->in_shape));
	if (s->cursor) {
		*top = shape_head(s);
		heap_sink(q->heap, q->nheap, 0, cursor_before);
	} else {
		heap_drop_first(q->heap, q->nheap--, cursor_before);
	}
}

/* Leaves the head in q->cursor, if there is one */
static void heap_pass(struct queue *q)
{
	bool strict = q->spec.strategy == STRATEGY_STRICT_FIFO;

	if (q->heap_outdated)
		heap_begin(q);
	q->cursor = NULL;
	while (q->nheap) {
		const struct shape *top = ((struct shape_head *) q->heap[0])->shape;

		if (!shape_is_inadmissible(top)) {
			if (first_moves_down(q))
				continue;
			q->cursor = top->cursor;
			if (workload_is_undecided(q->cursor)
			    || (strict && bond_blocks(q->cursor)))
				return;
			q->cursor = NULL;
		}
		first_pass(q);
	}
}

struct workload *heads_get(struct queue *q)
{
	if (!q->spec.by_usage)
		return line_pass(q) ? q->cursor : NULL;
	heap_pass(q);
	return q->cursor && workload_is_undecided(q->cursor) ? q->cursor : NULL;
}

void heads_drop_shape(struct queue *q, struct shape *shape)
{
	shape->plan = q->tree->plan;
}

void heads_revive_shape(struct queue *q, struct shape *shape)
{
	shape->plan = 0;
	q->heap_outdated = true;
	if (!q->spec.by_usage)
		q->cursor = queue_first(q);
}

void heads_return(struct workload *w)
{
	struct queue *q = w->shape->q;

	if (q->stopped || queue_held(q))
		return;
	q->heap_outdated = true;
	if (!q->spec.by_usage && (!q->cursor || workload_before(w, q->cursor)))
		q->cursor = w;
}

void heads_stop(struct queue *q)
{
	q->nheap = 0;
	q->heap_outdated = false;
	q->cursor = NULL;
	q->stopped = true;
}
