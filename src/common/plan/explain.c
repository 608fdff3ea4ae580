/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - why the shapes wait that a plan has dropped
 *
 * A plan drops nearly all shapes of a long queue, and mostly for the reason of the
 * plan before: one job has ended, another one has its quota, and as much is free as
 * before. So a shape keeps its reason as long as all that the reason was made of is the
 * same. That is one number for all simple shapes of a queue (queue->room). Shapes whose
 * reason is not of that number are in a list, and a plan looks at no others.
 */
#include "core/cap.h"
#include "core/tree_state.h"
#include "core/withheld.h"
#include "cycle/queue_heads.h"
#include "plan/plan.h"
#include "quota/calendar.h"
#include "workload/asked.h"
#include "workload/progress.h"
#include "workload/shape.h"

/* ---- what the reasons of a queue are made of ---- */

static size_t queue_npairs(const struct queue *q)
{
	size_t n = 0;

	for (size_t g = 0; g < q->spec.ngroups; g++)
		n += q->spec.groups[g].nresources * q->spec.groups[g].nflavors;
	return n;
}

/* No resource of it has a choice of flavors. */
static bool has_no_choice(const struct queue *q)
{
	for (size_t g = 0; g < q->spec.ngroups; g++) {
		if (q->spec.groups[g].nflavors != 1)
			return false;
	}
	return true;
}

static int64_t free_of(const struct plan *p, const struct queue *q, int pair)
{
	return max64(0, kept_available(p->e, q, pair));
}

/* What is free of a resource in the only flavor of its group */
static int64_t free_in(const struct plan *p, const struct queue *q, size_t g,
		       size_t r)
{
	const struct spec_group *group = &q->spec.groups[g];

	return free_of(p, q, books_pair(p->e->books, group->flavors[0],
					group->resources[r]));
}

/* What all simple shapes of a queue lack */
enum shortage {
	SHORT_OF_NOTHING,	/* or of this by one, of that by another */
	SHORT_OF_SOME,		/* each asks for more of a pair than is free, */
	SHORT_OF_ALL		/* ... and nothing of that is free */
};

static enum shortage queue_shortage(const struct plan *p, struct queue *q)
{
	enum shortage worst = SHORT_OF_NOTHING;

	if (!has_no_choice(q))
		return SHORT_OF_NOTHING;
	for (size_t g = 0; g < q->spec.ngroups; g++) {
		for (size_t r = 0; r < q->spec.groups[g].nresources; r++) {
			int64_t free = free_in(p, q, g, r);

			if (!asked_all_above(q, q->spec.groups[g].resources[r], free))
				continue;
			if (!free)
				return SHORT_OF_ALL;
			worst = SHORT_OF_SOME;
		}
	}
	return worst;
}

/* The reason names what a shape lacks most. It is none of which enough is free for all,
 * where each lacks something; and none of which anything is free, where each lacks all
 * of something. */
static bool is_never_named(const struct queue *q, int resource, int64_t free,
			   enum shortage shortage)
{
	return (shortage == SHORT_OF_ALL && free > 0)
	       || (shortage != SHORT_OF_NOTHING
		   && asked_none_above(q, resource, free));
}

static uint64_t pair_digest(const struct plan *p, const struct queue *q,
			    uint64_t digest, int pair, enum shortage shortage)
{
	const struct books *b = p->e->books;
	int64_t free = free_of(p, q, pair);

	if (is_never_named(q, b->pairs[pair].resource, free, shortage))
		free = -1;
	digest = hash_u64(digest, (uint64_t) free);
	digest = hash_u64(digest, (uint64_t) books_quota(b, q->node, pair)->potential);
	return hash_u64(digest, (uint64_t) calendar_most(b, q->node, pair));
}

/* All that a reason says of the books, as one number. 0: it would cost more than the
 * reasons of all shapes */
static uint64_t room_digest(const struct plan *p, struct queue *q)
{
	enum shortage shortage;
	uint64_t digest = 0;

	if (queue_npairs(q) > q->nshapes || p->e->unexplained)
		return 0;
	shortage = queue_shortage(p, q);
	for (size_t g = 0; g < q->spec.ngroups; g++) {
		const struct spec_group *group = &q->spec.groups[g];

		for (size_t r = 0; r < group->nresources; r++) {
			for (size_t f = 0; f < group->nflavors; f++)
				digest = pair_digest(p, q, digest,
						     books_pair(p->e->books, group->flavors[f],
								group->resources[r]),
						     shortage);
		}
	}
	return digest | 1;
}

static uint64_t queue_room(const struct plan *p, struct queue *q)
{
	if (q->room_standing != p->standing) {
		q->room_standing = p->standing;
		q->room = room_digest(p, q);
	}
	return q->room;
}

/* ---- the reason of a shape ---- */

/* The same as long as the reason of the shape is; 0: nothing is known of that */
static uint64_t reason_key(const struct plan *p, const struct shape *s)
{
	if (s->passed.protected || !s->simple || s->yields)
		return 0;
	return queue_room(p, s->q);
}

static bool is_same_reason(const struct verdict *a, const struct verdict *b)
{
	return a->reason == b->reason && a->flavor == b->flavor
	       && a->resource == b->resource && a->need == b->need
	       && a->free == b->free && a->max == b->max && a->used == b->used
	       && a->until == b->until && a->spent == b->spent
	       && a->fixed == b->fixed;
}

static void reason_set(struct plan *p, struct shape *s)
{
	struct verdict v = reason_to_wait(p, shape_any(s), &s->passed);

	if (s->verdict.kind != VERDICT_NONE && !is_same_reason(&v, &s->verdict))
		p->e->reasons++;
	s->verdict = v;
}

void shape_explain(struct plan *p, struct shape *s)
{
	uint64_t key = reason_key(p, s);

	s->explained = p->standing;
	if (key && s->reason_key == key)
		return;
	reason_set(p, s);
	s->in_turn = false;
	s->reason_key = key;
	if (key != s->q->told)
		shape_untell(s);
}

static bool is_told(const struct shape *s)
{
	return s->reason_key && s->reason_key == s->q->told;
}

static void shape_tell(struct plan *p, struct shape *s)
{
	if (shape_is_inadmissible(s)) {
		/* dropped with the rest of its queue? */
		if (s->plan != p->tree->plan)
			s->passed = (struct passed_over) { 0 };
		if (s->explained != p->standing)
			shape_explain(p, s);
	}
	if (is_told(s))
		shape_set_told(s);
	else
		shape_untell(s);
}

void shapes_explain(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];
		uint64_t room = q->nshapes ? queue_room(p, q) : 0;
		bool all = !room || room != q->told;
		struct shape *next;

		q->told = room;
		for (struct shape *s = all ? q->shapes : q->untold; s; s = next) {
			next = all ? s->next : s->next_untold;
			shape_tell(p, s);
		}
	}
}

/* ---- who only waits for its turn ---- */

static void shape_renew_order(struct plan *p, struct shape *s)
{
	struct verdict v = s->verdict;

	s->in_turn = false;
	if (!shape_is_inadmissible(s) || reason_is_quota(p, s->q, &v))
		return;
	reason_renew_order(p, shape_any(s), &v);
	s->in_turn = v.reason == WAIT_IS_ORDER;
}

/* What is free for simple shapes: verdict.c compares it with what they ask for when
 * somebody wants to know. False: that does not tell */
static bool queue_note_room(struct plan *p, struct queue *q)
{
	if (p->tree->owners || !has_no_choice(q))
		return false;
	for (size_t g = 0; g < q->spec.ngroups; g++) {
		const struct spec_group *group = &q->spec.groups[g];

		for (size_t r = 0; r < group->nresources; r++)
			q->order_room[group->resources[r]] = free_in(p, q, g, r);
	}
	q->order_plan = p->tree->plan;
	return true;
}

static void queue_renew_order(struct plan *p, struct queue *q)
{
	bool noted = queue_note_room(p, q);

	if (noted && !q->nmixed)
		return;
	for (struct shape *s = noted ? q->untold : q->shapes; s;
	     s = noted ? s->next_untold : s->next) {
		if (!noted || !s->simple)
			shape_renew_order(p, s);
	}
}

void order_explain(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];
		struct decision *d = q->cursor ? workload_decision(q->cursor)
					       : NULL;

		if (q->spec.strategy == STRATEGY_STRICT_FIFO && d && !d->failed
		    && d->verdict.kind == VERDICT_WAIT)
			reason_renew_order(p, q->cursor, &d->verdict);
		if (q->nshapes)
			queue_renew_order(p, q);
	}
}
