/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allow.c - which workloads policies and time let a preemptor evict
 *
 * The policies of KEP-83 say which holdings can be candidates at all.
 * Min-runtimes, the caller's terms and turns (KEP-8522) say which are
 * candidates now. A member of a unit is a candidate when all members are, in
 * whatever trees they are. So the preemptor is told when the last of them may
 * go, and no time if one of them never may.
 */
#include "core/tree_state.h"
#include "quota/fixed.h"
#include "quota/minruntime.h"
#include "candidates/allow.h"
#include "holding/holding.h"
#include "holding/elastic.h"
#include "holding/unit.h"

/* Does the policy allow it to evict what has another priority? `newer`: and was submitted
 * later */
static bool policy_compare(const struct search *s, enum policy policy,
			   int64_t priority, bool newer)
{
	int64_t own = s->w->shape->priority;

	switch (policy) {
	case POLICY_ANY:
		return true;
	case POLICY_LOWER_OR_NEWER_EQUAL:
		return own > priority || (own == priority && newer);
	case POLICY_LOWER_PRIORITY:
		return own > priority;
	default:
		return false;
	}
}

bool policy_allows(const struct search *s, enum policy policy,
		   const struct holding *h)
{
	return policy_compare(s, policy, h->priority,
			      s->w->queue_order_at < h->queue_order_at);
}

bool policy_may_allow(const struct search *s, enum policy policy,
		      int64_t priority)
{
	return policy_compare(s, policy, priority, true);
}

bool is_elsewhere(const struct queue *q, struct holding *h)
{
	for_each_in_unit(m, h) {
		if (m->q == q)
			return false;
	}
	return true;
}

bool progress_keeps(const struct queue *q, bool pure, struct holding *h)
{
	bool loose = false, settled = false, spent = false;

	for_each_in_unit(m, h) {
		if (m->evicting)
			continue;
		settled |= m->settled;
		loose |= !m->settled;
		spent |= holding_spent(m);
	}
	if (!settled && !spent)
		return false;
	if (!is_elsewhere(q, h))
		return spent;
	return (settled && !loose) || (spent && !pure);
}

int64_t reserved_at(const struct search *s, const struct holding *h)
{
	return h->reserved_at ? h->reserved_at : s->now;
}

/* It is in the preemptor's own queue, and its equal. */
static bool has_turn(const struct search *s, const struct holding *h)
{
	return s->q->spec.min_admit != SPEC_NO_TIME
	       && h->priority == s->w->shape->priority;
}

/* The last moment of its turn */
static int64_t turn_end(const struct search *s, const struct holding *h)
{
	return sat_add(sat_add(reserved_at(s, h), h->turn_extra),
		       s->q->spec.min_admit);
}

bool turn_is_over(const struct search *s, const struct holding *h)
{
	return has_turn(s, h) && s->now > turn_end(s, h);
}

bool turn_goes_on(const struct search *s, const struct holding *h)
{
	return has_turn(s, h) && s->now <= turn_end(s, h);
}

int64_t runtime_against(const struct engine *e, const struct queue *preemptor,
			const struct queue *victim)
{
	if (victim == preemptor)
		return e->preempt_runtimes
		       ? minruntime_preempt(e->runtimes, victim->node,
					    e->preempt_min_runtime) : 0;
	return e->reclaim_runtimes
	       ? minruntime_reclaim(e->runtimes, preemptor->node, victim->node,
				    e->resolve, e->reclaim_min_runtime) : 0;
}

bool is_protected(const struct search *s, struct holding *h, int64_t runtime)
{
	return !h->evicting
	       && (s->now < holding_protected_until(h, runtime, s->now)
		   || progress_keeps(s->q, s->pure, h));
}

/* The caller's exemption holds for elastic groups, too. */
static bool is_exempt(const struct search *s, const struct holding *h)
{
	return !h->evicting && s->now < h->exempt_until;
}

bool stays_for_good(const struct search *s, struct holding *h)
{
	return !h->evicting
	       && (h->exempt_until == INT64_MAX || h->fixed
		   || progress_keeps(s->q, s->pure, h));
}

/* What lies above nominal quota is there because quota was cut, or a cohort
 * covered it: a preemptor waits for it as for any other that is protected. What
 * is within nominal quota is the queue's own: no job waits for it. Members
 * of a unit in other trees are not looked at: a plan knows its own tree. */
bool queue_is_overfixed(const struct search *s, const struct queue *q)
{
	if (q->tree != s->q->tree)
		return false;
	for (size_t i = 0; i < s->nneed; i++) {
		if (fixed_is_over_nominal(s->e->books, q->node, s->need[i]))
			return true;
	}
	return false;
}

/* What keeps a holding, or a unit, from being a candidate */
struct obstacle {
	bool for_good;		/* a policy, or the caller's terms */
	bool spent;		/* evicted too often */
	bool fixed;		/* non-preemptible beyond nominal quota */
	int64_t until;		/* INT64_MIN: no time keeps it */
};

static void policy_add(struct obstacle *o, const struct search *s,
		       const struct holding *h)
{
	bool own = h->q == s->q;
	enum policy policy = own ? s->q->spec.within : s->q->spec.reclaim;

	if (queue_held(h->q))
		o->for_good = true;
	else if (policy_allows(s, policy, h))
		return;
	else if (own && policy != POLICY_NEVER && has_turn(s, h))
		o->until = max64(o->until, sat_add(turn_end(s, h), 1));
	else
		o->for_good = true;
}

static void obstacle_add(struct obstacle *o, const struct search *s,
			 const struct holding *h, int64_t runtime)
{
	policy_add(o, s, h);
	if (h->evicting)
		return;
	/* the caller exempts it for good: it is not waited for */
	if (h->exempt_until == INT64_MAX
	    || (h->fixed && !queue_is_overfixed(s, h->q)))
		o->for_good = true;
	else if (h->fixed)
		o->fixed = true;
	else
		o->until = max64(o->until,
				 holding_protected_until(h, runtime, s->now));
}

/* What is settled within the quota of its queue is not waited for. */
static void progress_add(struct obstacle *o, const struct search *s,
			 struct holding *h)
{
	if (!progress_keeps(s->q, s->pure, h))
		return;
	if (is_elsewhere(s->q, h) && progress_keeps(s->q, true, h))
		o->for_good = true;
	else
		o->spent = true;
}

static bool obstacle_holds(const struct obstacle *o, int64_t now)
{
	return o->for_good || o->fixed || o->spent || now < o->until;
}

bool unit_stays(const struct search *s, struct holding *h)
{
	struct obstacle o = { .until = INT64_MIN };

	for_each_in_unit(m, h) {
		if (m == h)
			continue;
		if (m->gone)
			return true;
		obstacle_add(&o, s, m, runtime_against(s->e, s->q, m->q));
	}
	if (h->unit)
		progress_add(&o, s, h);
	return obstacle_holds(&o, s->now);
}

/* It may go although a min-runtime protects it. */
static bool may_shrink(const struct search *s, struct holding *h)
{
	return elastic_has_spare(h) && !stays_for_good(s, h) && !is_exempt(s, h);
}

bool time_lets_go(const struct search *s, const struct stream *st,
		  struct holding *h, bool *surplus)
{
	*surplus = st->protects && is_protected(s, h, st->runtime);
	if (*surplus && !may_shrink(s, h))
		return false;
	return !unit_stays(s, h);
}

/* A holding that is only planned, or was evicted too often, has no time that
 * could be waited for. An elastic member may go when its exemption ends, although
 * its min-runtime goes on. */
void wait_note(struct search *s, struct holding *h, int64_t runtime)
{
	struct passed_over *passed = &s->e->searches->passed;
	struct obstacle o = { .until = INT64_MIN };

	if (h->elastic && is_exempt(s, h))
		runtime = 0;
	for_each_in_unit(m, h)
		obstacle_add(&o, s, m, m == h ? runtime : runtime_against(s->e, s->q, m->q));
	progress_add(&o, s, h);
	if (o.for_good || !obstacle_holds(&o, s->now))
		return;
	passed->protected = true;
	passed->protected_in_other_queue |= h->q != s->q;
	if (o.fixed)
		passed->fixed = true;
	else if (o.spent)
		passed->spent = true;
	else if (!h->tentative && (!passed->until || o.until < passed->until))
		passed->until = o.until;
}

void turn_note(struct search *s, struct holding *h, int64_t runtime)
{
	struct passed_over *passed = &s->e->searches->passed;
	int64_t end = sat_add(turn_end(s, h), 1);

	if (h->tentative || stays_for_good(s, h))
		return;
	/* It is protected for longer than its turn: it is no candidate before
	 * the end or after it. But a member of an elastic group with spare members
	 * may be a candidate while its min-runtime protects it. */
	if (elastic_has_spare(h))
		runtime = 0;
	if (!h->evicting && end < holding_protected_until(h, runtime, s->now))
		return;
	if (!passed->turn || end < passed->turn)
		passed->turn = end;
}
