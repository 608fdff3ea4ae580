/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - why the shapes wait that a plan has dropped
 *
 * A plan drops nearly all shapes of a long queue, and mostly for the reason of the
 * plan before: one job has ended, another one has its quota, and as much is free as
 * before. So a shape keeps its reason as long as all that the reason was made of is the
 * same.
 */
#include "core/cap.h"
#include "core/tree_state.h"
#include "cycle/queue_heads.h"
#include "plan/plan.h"
#include "quota/calendar.h"
#include "workload/shape.h"

static size_t queue_npairs(const struct queue *q)
{
	size_t n = 0;

	for (size_t g = 0; g < q->spec.ngroups; g++)
		n += q->spec.groups[g].nresources * q->spec.groups[g].nflavors;
	return n;
}

static uint64_t pair_digest(const struct plan *p, const struct queue *q,
			    uint64_t digest, int pair)
{
	const struct books *b = p->e->books;

	digest = hash_u64(digest, (uint64_t) books_available(b, q->node, pair));
	digest = hash_u64(digest, (uint64_t) books_quota(b, q->node, pair)->potential);
	return hash_u64(digest, (uint64_t) calendar_most(b, q->node, pair));
}

/* All that a reason says of the books, as one number. 0: it would cost more than the
 * reasons of all shapes */
static uint64_t room_digest(const struct plan *p, const struct queue *q)
{
	uint64_t digest = 0;

	if (queue_npairs(q) > q->nshapes)
		return 0;
	for (size_t g = 0; g < q->spec.ngroups; g++) {
		const struct spec_group *group = &q->spec.groups[g];

		for (size_t r = 0; r < group->nresources; r++) {
			for (size_t f = 0; f < group->nflavors; f++)
				digest = pair_digest(p, q, digest,
						     books_pair(p->e->books, group->flavors[f],
								group->resources[r]));
		}
	}
	return digest | 1;
}

/* The same as long as the reason of the shape is; 0: nothing is known of that */
static uint64_t reason_key(const struct plan *p, const struct shape *s,
			   const struct workload *w)
{
	struct queue *q = s->q;

	if (s->passed.protected || w->avoid || workload_is_capped(w)
	    || p->e->unexplained)
		return 0;
	if (q->room_standing != p->standing) {
		q->room_standing = p->standing;
		q->room = room_digest(p, q);
	}
	return q->room;
}

void shape_explain(struct plan *p, struct shape *s)
{
	const struct workload *w = shape_any(s);
	uint64_t key = reason_key(p, s, w);

	s->explained = p->standing;
	if (key && s->reason_key == key)
		return;
	s->verdict = reason_to_wait(p, w, &s->passed);
	s->reason_key = key;
}

void shapes_explain(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		for (struct shape *s = p->tree->queues[i]->shapes; s;
		     s = s->next) {
			if (shape_is_inadmissible(s)
			    && s->explained != p->standing)
				shape_explain(p, s);
		}
	}
}

/* It may wait for its turn only. Then the reason is not that of the next plan. */
static void shape_renew_order(struct plan *p, struct shape *s)
{
	if (reason_is_quota(p, s->q, &s->verdict))
		return;
	reason_renew_order(p, shape_any(s), &s->verdict);
	if (s->verdict.reason == WAIT_IS_ORDER)
		s->reason_key = 0;
}

void order_explain(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];

		if (q->cursor && q->cursor->plan == p->tree->plan
		    && !q->cursor->failed
		    && q->cursor->verdict.kind == VERDICT_WAIT)
			reason_renew_order(p, q->cursor, &q->cursor->verdict);
		for (struct shape *s = q->shapes; s; s = s->next) {
			if (shape_is_inadmissible(s))
				shape_renew_order(p, s);
		}
	}
}
