/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate.c - whom a preemptor might evict, in which order
 *
 * The policies of KEP-83 and KEP-1337 decide who is a candidate at all, min
 * runtimes and turns (KEP-8522) who is one at this time.
 */
#include "candidate.h"
#include "elastic.h"

bool search_within_nominal(const struct search *s, int node)
{
	for (size_t i = 0; i < s->nneed; i++) {
		const struct cell *c = books_cell(s->e->books, node,
						  s->need[i]);

		if (c->usage > c->subtree)
			return false;
	}
	return true;
}

static bool holding_uses_need(const struct search *s, const struct holding *h)
{
	for (size_t i = 0; i < h->nuses; i++) {
		if (s->e->need[h->uses[i].pair])
			return true;
	}
	return false;
}

/* Out of the question, whatever the policies say */
static bool is_left_out(const struct search *s, const struct holding *h)
{
	return h->gone || (s->picked && !h->picked)
	       || !holding_uses_need(s, h);
}

static bool policy_allows(const struct search *s, enum policy policy,
			  const struct holding *h)
{
	int64_t priority = s->w->shape->priority;

	switch (policy) {
	case POLICY_ANY:
		return true;
	case POLICY_LOWER_OR_NEWER_EQUAL:
		if (priority == h->priority)
			return s->w->queue_order_at < h->queue_order_at;
		return priority > h->priority;
	case POLICY_LOWER_PRIORITY:
		return priority > h->priority;
	default:
		return false;
	}
}

static int64_t reserved_at(const struct search *s, const struct holding *h)
{
	return h->reserved_at ? h->reserved_at : s->now;
}

/* A protected or unexpired one would have been a candidate; from `until` on
 * it may be one. What is only planned has no time to wait for. */
static void passed_note(struct search *s, const struct holding *h, bool other,
			int64_t until)
{
	struct passed_over *passed = &s->e->passed;

	passed->protected = true;
	passed->elsewhere |= other;
	if (!h->tentative && (!passed->until || until < passed->until))
		passed->until = until;
}

/* By its min-runtime, or by the caller's word. A start in the future, as
 * clocks have it, protects nobody by itself. */
static int64_t protected_until(const struct search *s, const struct holding *h,
			       int64_t runtime)
{
	int64_t until = h->exempt_until;

	if (runtime > 0)
		until = max64(until, sat_add(reserved_at(s, h), runtime));
	return until;
}

/* One that may never be evicted is not protected for a time: it is no
 * candidate, and nobody waits for it to become one. */
static bool is_protected(struct search *s, const struct holding *h,
			 int64_t runtime, bool other)
{
	int64_t until = protected_until(s, h, runtime);

	if (h->evicting || s->now >= until)
		return false;
	if (h->exempt_until != INT64_MAX)
		passed_note(s, h, other, until);
	return true;
}

/* The heap of candidates: parents come after their children in order, so that
 * the next one in order is at the top of what is not yet sorted */
static void heap_sift(struct candidate *cands, size_t n, size_t i)
{
	struct candidate moved = cands[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= n)
			break;
		if (child + 1 < n
		    && candidate_before(&cands[child + 1], &cands[child]))
			child++;
		if (!candidate_before(&cands[child], &moved))
			break;
		cands[i] = cands[child];
		i = child;
	}
	cands[i] = moved;
}

static struct candidate *candidate_add(struct search *s, struct holding *h)
{
	struct candidate *c;

	s->cands = scratch_reserve(s->e, SCRATCH_CANDIDATES, s->ncands + 1,
				   sizeof(*s->cands));
	if (!s->cands)
		return NULL;
	c = &s->cands[s->ncands++];
	*c = (struct candidate) {
		.h = h,
		.priority = h->priority,
		.reserved_at = reserved_at(s, h),
		.tiebreak = h->tiebreak,
		.evicting = h->evicting,
	};
	return c;
}

static bool own_expired(const struct search *s, const struct holding *h)
{
	return s->q->spec.min_admit != SPEC_NO_TIME
	       && h->priority == s->w->shape->priority
	       && s->now > sat_add(reserved_at(s, h), s->q->spec.min_admit);
}

/* Its turn is the only thing in the way */
static bool own_waits_for_turn(const struct search *s, const struct holding *h)
{
	return s->q->spec.min_admit != SPEC_NO_TIME
	       && h->priority == s->w->shape->priority;
}

static bool own_add(struct search *s, struct holding *h, int64_t runtime)
{
	bool expired = own_expired(s, h), surplus;
	struct candidate *c;

	elastic_count(s, h);
	if (is_left_out(s, h))
		return true;
	if (!expired && !policy_allows(s, s->q->spec.within, h)) {
		if (own_waits_for_turn(s, h))
			passed_note(s, h, false,
				    max64(sat_add(sat_add(reserved_at(s, h),
						s->q->spec.min_admit), 1),
					  protected_until(s, h, runtime)));
		return true;
	}
	surplus = is_protected(s, h, runtime, false);
	if (surplus && !h->elastic)
		return true;
	c = candidate_add(s, h);
	if (!c)
		return false;
	c->surplus = surplus;
	c->list = LIST_OWN;
	c->expired = expired;
	c->reason = expired ? VICTIM_TIME_BASED : VICTIM_IN_CLUSTER_QUEUE;
	return true;
}

bool candidates_add_own(struct search *s)
{
	int64_t runtime;

	if (s->q->spec.within == POLICY_NEVER || queue_held(s->q))
		return true;
	runtime = minruntime_preempt(s->e->runtimes, s->q->node,
				     s->e->preempt_min_runtime);
	for (struct holding *h = s->q->holdings; h; h = h->next) {
		if (!own_add(s, h, runtime))
			return false;
	}
	return true;
}

/* Usable only if the preemptor ends up within its nominal quota: without
 * borrowWithinCohort, and for candidates that are too important for it. */
static bool must_keep_nominal(const struct search *s, const struct holding *h)
{
	const struct spec_queue *spec = &s->q->spec;

	if (!spec->borrow_set || spec->borrow == POLICY_NEVER)
		return true;
	return h->priority >= s->w->shape->priority
	       || (spec->threshold_set && h->priority > spec->threshold);
}

static bool other_add(struct search *s, struct holding *h, int64_t runtime,
		      int lca, bool advantage)
{
	struct candidate *c;
	bool surplus;

	elastic_count(s, h);
	if (is_left_out(s, h) || !policy_allows(s, s->q->spec.reclaim, h))
		return true;
	surplus = is_protected(s, h, runtime, true);
	if (surplus && !h->elastic)
		return true;
	c = candidate_add(s, h);
	if (!c)
		return false;
	c->surplus = surplus;
	c->list = advantage ? LIST_HIERARCHY : LIST_PRIORITY;
	c->keeps_nominal = !advantage && must_keep_nominal(s, h);
	c->reason = advantage || c->keeps_nominal
		    ? VICTIM_RECLAMATION : VICTIM_RECLAIM_WHILE_BORROWING;
	c->lca = lca;
	return true;
}

bool candidates_add_other(struct search *s, struct queue *q, int lca,
			  bool advantage)
{
	int64_t runtime;

	if (queue_held(q))
		return true;
	runtime = minruntime_reclaim(s->e->runtimes, s->q->node, q->node,
				     s->e->resolve,
				     s->e->reclaim_min_runtime);
	for (struct holding *h = q->holdings; h; h = h->next) {
		if (!other_add(s, h, runtime, lca, advantage))
			return false;
	}
	return true;
}

bool candidate_before(const struct candidate *a, const struct candidate *b)
{
	if (a->evicting != b->evicting)
		return a->evicting;
	if (a->list != b->list)
		return a->list < b->list;
	if (a->priority != b->priority)
		return a->priority < b->priority;
	if (a->expired != b->expired)
		return a->expired;
	if (a->reserved_at != b->reserved_at)
		return (a->reserved_at < b->reserved_at) == a->expired;
	return a->tiebreak < b->tiebreak;
}

void candidates_order(struct search *s)
{
	for (size_t i = s->ncands / 2; i-- > 0; )
		heap_sift(s->cands, s->ncands, i);
	s->nsorted = 0;
}

struct candidate *candidate_at(struct search *s, size_t i)
{
	while (s->nsorted <= i) {
		size_t last = s->ncands - 1 - s->nsorted;
		struct candidate first = s->cands[0];

		s->cands[0] = s->cands[last];
		s->cands[last] = first;
		heap_sift(s->cands, last, 0);
		s->nsorted++;
	}
	return &s->cands[s->ncands - 1 - i];
}
