/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reclaim.c - what could a queue have back of what it has lent?
 *
 * The rules are those of a search for victims (candidates/candidate.c), but asked for no
 * job in particular: for one that stays within nominal quota and has as high a
 * priority as it needs. A unit is evicted together, when all of it may go.
 */
#include "core/tree_state.h"
#include "query.h"
#include "quota/minruntime.h"
#include "candidates/candidate.h"
#include "victims/target.h"
#include "holding/holding.h"

struct survey {
	struct engine *e;
	struct queue *q;	/* whose quota it is */
	int pair;
	int64_t now;
	int64_t owed;		/* of its nominal quota, in use by others */
	int64_t before;		/* available to it before any eviction */
	int64_t gained;		/* so far */
	int64_t at;		/* when the first protected one is free, or 0 */
	uint64_t attempt;	/* marks what is gone, with all of its unit */
};

static bool uses_pair(const struct holding *h, int pair)
{
	if (!(h->pairs & pair_bit(pair)))
		return false;
	for (size_t i = 0; i < h->nuses; i++) {
		if (h->uses[i].pair == pair)
			return true;
	}
	return false;
}

/* When h may go, as far as h alone decides: INT64_MIN: now, INT64_MAX: never */
static int64_t free_at(const struct survey *s, const struct holding *h)
{
	if (queue_held(h->q) || (h->q == s->q && !policy_evicts(s->q->spec.within)))
		return INT64_MAX;
	if (h->evicting)
		return INT64_MIN;
	return holding_protected_until(h, runtime_against(s->e, s->q, h->q), s->now);
}

/* The same for all of its unit */
static int64_t unit_free_at(const struct survey *s, struct holding *h)
{
	int64_t until = INT64_MIN;

	if (progress_keeps(s->q, true, h))
		return INT64_MAX;
	for_each_in_unit(m, h)
		until = max64(until, free_at(s, m));
	return until;
}

static void evict(struct survey *s, struct holding *h)
{
	int64_t available;

	target_remove(s->e, h);
	unit_mark(h, attempt, s->attempt);
	available = books_available(s->e->books, s->q->node, s->pair);
	s->gained = min64(s->owed, max64(0, sat_sub(available, s->before)));
}

/* ---- one queue after the other ---- */

/* Which of a queue are gone through: those that are not protected, or only those that are */
struct part {
	const struct survey *s;
	int64_t runtime;
	bool protected;
};

/* One of those below may be of the part. A unit ends with the last of its members, wherever
 * they are. */
static bool may_give(const struct holding_bounds *below, const void *arg)
{
	const struct part *p = arg;

	if (!(below->pairs & pair_bit(p->s->pair)))
		return false;
	if (p->protected)
		return below->first_from != INT64_MAX || (below->kinds & HOLDING_HAS_UNIT);
	return (below->kinds & HOLDING_IS_LEAVING)
	       || holdings_may_be_free(below, p->runtime, p->s->now);
}

/* Enough is there, or the other queue is within its own quota, or within that of a cohort on the
 * way to the common one. */
static bool is_over(const struct survey *s, const struct queue *other)
{
	const struct books *b = s->e->books;
	int lca = b->nodes[books_branch(b, other->node, s->q->node)].parent;

	return s->gained == s->owed || !books_borrows(b, other->node, lca, s->pair);
}

/* Evicts h if it is not protected, or only if it is. */
static void holding_survey(struct survey *s, struct holding *h, bool protected)
{
	int64_t until;

	s->e->searches->looks++;
	if (!uses_pair(h, s->pair) || h->attempt == s->attempt)
		return;
	until = unit_free_at(s, h);
	if ((s->now < until) != protected || (protected && until == INT64_MAX))
		return;
	evict(s, h);
	if (protected)
		earliest_note(&s->at, until);
}

static void queue_survey(struct survey *s, struct queue *other, bool protected)
{
	const struct part part = { s, runtime_against(s->e, s->q, other), protected };
	struct holding *h = NULL;

	s->e->searches->looks++;
	if (other == s->q || !other->order.root || queue_held(other) || is_over(s, other))
		return;
	while (!is_over(s, other) && (h = holdings_next(other, h, false, may_give, &part)))
		holding_survey(s, h, protected);
}

static void queues_survey(struct survey *s, bool protected)
{
	const struct tree *tree = s->q->tree;

	for (size_t i = 0; i < tree->nqueues && s->gained < s->owed; i++)
		queue_survey(s, tree->queues[i], protected);
}

/* Finds how much others use of the queue's own quota */
static void owed_find(struct survey *s)
{
	const struct books *b = s->e->books;
	int64_t idle = max64(0, sat_sub(books_quota(b, s->q->node, s->pair)->nominal,
					books_usage(b, s->q->node, s->pair)));

	s->before = books_available(s->e->books, s->q->node, s->pair);
	s->owed = max64(0, sat_sub(idle, max64(0, s->before)));
	/* A queue that is above its quota gains nothing before it is within it. */
	s->before = max64(0, s->before);
}

int engine_reclaimable(struct engine *e, int64_t now, int queue, int flavor,
		       int resource, struct reclaim *r)
{
	struct survey s = {
		.e = e, .now = now, .attempt = ++e->searches->attempts,
	};
	int node = queue;
	size_t mark;

	*r = (struct reclaim) { 0 };
	if (!books_find(e->books, false, &node, flavor, resource, &s.pair))
		return failed(EINVAL);
	s.q = &e->queues[queue];
	owed_find(&s);
	if (!s.owed || !queue_may_reclaim(s.q))
		return 0;
	e->no_memory = false;
	mark = trial_begin(e);
	queues_survey(&s, false);
	r->now = s.gained;
	queues_survey(&s, true);
	r->later = s.gained - r->now;
	r->at = r->later ? s.at : 0;
	trial_end(e, mark);
	if (!e->no_memory)
		return 0;
	*r = (struct reclaim) { 0 };
	return failed(ENOMEM);
}

void engine_min_runtimes(const struct engine *e, int queue, int64_t *preempt, int64_t *reclaim)
{
	const struct queue *q = &e->queues[queue];

	*preempt = runtime_against(e, q, q);
	*reclaim = minruntime_shortest(e->runtimes, q->node, e->resolve);
}

int64_t engine_branch_runtime(const struct engine *e, bool is_cohort, int node)
{
	if (e->resolve == RESOLVE_QUEUE)
		return SPEC_NO_TIME;
	if (!is_cohort)
		node = e->queues[node].node;
	return e->runtimes[node].reclaim;
}
