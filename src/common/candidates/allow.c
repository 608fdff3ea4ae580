/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allow.c - which workloads policies and time let a preemptor evict
 *
 * The policies of KEP-83 say which holdings can be candidates at all.
 * Min-runtimes, the caller's terms and turns (KEP-8522) say which are
 * candidates now. A member of a unit is a candidate when all members are, in
 * whatever trees they are. So a preemptor waits until the last of them is free, and has no time
 * to wait for if one of them never is.
 */
#include "core/tree_state.h"
#include "quota/fixed.h"
#include "quota/minruntime.h"
#include "candidates/candidate.h"
#include "holding/holding.h"

/* ---- policies ---- */

static bool policy_allows(const struct search *s, enum policy policy, const struct holding *h)
{
	return policy_compare(policy, s->w->shape->priority, h->priority,
			      s->w->queue_order_at < h->w->queue_order_at);
}

bool policy_may_allow(const struct search *s, enum policy policy, int64_t priority)
{
	return policy_compare(policy, s->w->shape->priority, priority, true);
}

bool holding_uses_need(const struct search *s, const struct holding *h)
{
	if (!(h->pairs & s->need_pairs) || s->e->books->npairs <= 64)
		return h->pairs & s->need_pairs;
	for (size_t i = 0; i < h->nuses; i++) {
		if (search_needs(s, h->uses[i].pair))
			return true;
	}
	return false;
}

/* ---- progress ---- */

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

/* ---- time ---- */

/* It is in the preemptor's own queue, and its equal. */
static bool has_turn(const struct search *s, const struct holding *h)
{
	return s->q->spec.min_admit != SPEC_NO_TIME
	       && h->priority == s->w->shape->priority;
}

/* The first moment after its turn */
static int64_t turn_end(const struct search *s, const struct holding *h)
{
	int64_t from = h->reserved_at ? h->reserved_at : s->now;

	return sat_add(sat_add(sat_add(from, h->turn_extra), s->q->spec.min_admit), 1);
}

bool turn_is_over(const struct search *s, const struct holding *h)
{
	return has_turn(s, h) && s->now >= turn_end(s, h);
}

static bool turn_goes_on(const struct search *s, const struct holding *h)
{
	return has_turn(s, h) && s->now < turn_end(s, h);
}

int64_t runtime_against(const struct engine *e, const struct queue *preemptor,
			const struct queue *victim)
{
	return victim == preemptor ? e->runtimes[victim->node].preempt
	       : minruntime_reclaim(e->runtimes, preemptor->node, victim->node, e->resolve);
}

/* ---- what keeps a holding, or a unit, from being a candidate ---- */

struct obstacle {
	bool for_good;		/* a policy, or the caller's terms */
	bool spent;		/* evicted too often */
	bool fixed;		/* non-preemptible beyond nominal quota */
	int64_t until;		/* INT64_MIN: no time keeps it */
};

static void policy_add(struct obstacle *o, const struct search *s, const struct holding *h)
{
	bool own = h->q == s->q;
	enum policy policy = own ? s->q->spec.within : s->q->spec.reclaim;

	if (queue_held(h->q))
		o->for_good = true;
	else if (policy_allows(s, policy, h))
		return;
	else if (own && policy_is_set(policy) && has_turn(s, h))
		o->until = max64(o->until, turn_end(s, h));
	else
		o->for_good = true;
}

/* Non-preemptible workloads of the queue use more than nominal quota of what is needed. What lies
 * above nominal quota is there because quota was cut, or a cohort covered it: a preemptor waits for
 * it as for any other that is protected. What is within nominal quota is the queue's own: no job
 * waits for it. Members of a unit in other trees are not looked at: a plan knows its own tree. */
static bool queue_is_overfixed(const struct search *s, const struct queue *q)
{
	for (size_t i = 0; q->tree == s->q->tree && i < s->nneed; i++) {
		if (fixed_is_over_nominal(s->e->books, q->node, s->need[i].pair))
			return true;
	}
	return false;
}

static void obstacle_add(struct obstacle *o, const struct search *s,
			 const struct holding *h, int64_t runtime)
{
	policy_add(o, s, h);
	if (h->evicting)
		return;
	/* the caller exempts it for good: it is not waited for */
	if (h->exempt_until == INT64_MAX || (h->fixed && !queue_is_overfixed(s, h->q)))
		o->for_good = true;
	else if (h->fixed)
		o->fixed = true;
	else
		o->until = max64(o->until, holding_protected_until(h, runtime, s->now));
}

/* For h and all of its unit; `runtime` is that of h. What is settled within the quota of its
 * queue is not waited for. */
static struct obstacle obstacle_find(const struct search *s, struct holding *h, int64_t runtime)
{
	struct obstacle o = { .until = INT64_MIN };

	for_each_in_unit(m, h)
		obstacle_add(&o, s, m, m == h ? runtime : runtime_against(s->e, s->q, m->q));
	if (!progress_keeps(s->q, s->pure, h))
		return o;
	if (is_elsewhere(s->q, h) && progress_keeps(s->q, true, h))
		o.for_good = true;
	else
		o.spent = true;
	return o;
}

static bool obstacle_holds(const struct obstacle *o, int64_t now)
{
	return o->for_good || o->fixed || o->spent || now < o->until;
}

bool may_be_evicted(const struct search *s, struct holding *h, int64_t runtime, bool *surplus)
{
	struct obstacle o = obstacle_find(s, h, runtime);

	for_each_in_unit(m, h) {
		if (m->gone)
			return false;
	}
	*surplus = obstacle_holds(&o, s->now);
	if (!*surplus)
		return true;
	if (!elastic_has_spare(h))
		return false;
	o = obstacle_find(s, h, 0);
	return !obstacle_holds(&o, s->now);
}

/* ---- what a search has to know of holdings that are protected ---- */

/* Takes note of h if only time keeps it, with all of its unit, from being a candidate. A holding
 * that is only planned, or was evicted too often, has no time that could be waited for. An elastic
 * member is free when its exemption ends, although its min-runtime goes on. */
static void wait_note(struct search *s, struct holding *h, int64_t runtime)
{
	struct passed_over *passed = &s->e->searches->passed;
	bool exempt = !h->evicting && s->now < h->exempt_until;
	struct obstacle o = obstacle_find(s, h, h->elastic && exempt ? 0 : runtime);

	if (o.for_good || !obstacle_holds(&o, s->now))
		return;
	passed->protected = true;
	passed->protected_in_other_queue |= h->q != s->q;
	if (o.fixed)
		passed->fixed = true;
	else if (o.spent)
		passed->spent = true;
	else if (!h->tentative)
		earliest_note(&passed->until, o.until);
}

/* h may be a candidate: takes note of the end of its turn, which gives it
 * another place in the order */
static void turn_note(struct search *s, struct holding *h, int64_t runtime)
{
	struct passed_over *passed = &s->e->searches->passed;
	int64_t end = turn_end(s, h);

	if (h->tentative || (!h->evicting && progress_keeps(s->q, s->pure, h)))
		return;
	/* It is protected for longer than its turn: it is no candidate before
	 * the end or after it. But a member of an elastic group with spare members
	 * may be a candidate while its min-runtime protects it. */
	if (elastic_has_spare(h))
		runtime = 0;
	if (!h->evicting && end < holding_protected_until(h, runtime, s->now))
		return;
	earliest_note(&passed->turn, end);
}

/* It changes what is known that one of those below is protected, and by time until then. */
static bool is_news(const struct stream *st, bool known)
{
	const struct search *s = st->s;
	const struct passed_over *passed = &s->e->searches->passed;

	return !known || !passed->protected
	       || (st->q != s->q && !passed->protected_in_other_queue);
}

/* Bounds of when those below are free */
static bool times_matter(const struct stream *st, const struct holding_bounds *below)
{
	const struct search *s = st->s;
	int64_t until = s->e->searches->passed.until;
	int64_t first = below->first_exempt, last = below->last_exempt;

	if (below->first_from == INT64_MAX)
		return false;
	if (st->runtime > 0) {
		last = max64(last, sat_add(below->last_from, st->runtime));
		if (!(below->kinds & HOLDING_IS_ELASTIC) || below->last_exempt <= s->now)
			first = max64(first, sat_add(below->first_from, st->runtime));
	}
	return s->now < last && is_news(st, until && first >= until);
}

/* One of those below may change what is known, see wait_note(). Of a unit others may be
 * protected. */
static bool survey_matters(const struct holding_bounds *below, const void *arg)
{
	const struct stream *st = arg;
	const struct search *s = st->s;
	const struct passed_over *passed = &s->e->searches->passed;

	if (!(below->pairs & s->need_pairs)
	    || !policy_may_allow(s, st->policy, below->lowest_priority))
		return false;
	return (below->kinds & HOLDING_HAS_UNIT)
	       || ((below->kinds & HOLDING_IS_FIXED) && is_news(st, passed->fixed)
		   && queue_is_overfixed(s, st->q))
	       || ((below->kinds & HOLDING_IS_SPENT) && is_news(st, passed->spent))
	       || times_matter(st, below);
}

/* Backwards, the first to start come first: of equals, the first whose min-runtime ends. */
void protected_survey(struct search *s, const struct stream *st)
{
	struct holding *h = NULL;

	if (!st->turns) {
		while ((h = holdings_next(st->q, h, true, survey_matters, st))) {
			s->e->searches->looks++;
			if (!is_left_out(s, h))
				wait_note(s, h, st->runtime);
		}
		return;
	}
	for_each_holding(m, st->q) {
		s->e->searches->looks++;
		if (is_left_out(s, m))
			continue;
		wait_note(s, m, st->runtime);
		if (turn_goes_on(s, m))
			turn_note(s, m, st->runtime);
	}
}
