/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suit.c - how well a flavor suits a request
 *
 * doc/how-it-decides.md, section 4; Kueue's flavor assignment (KEP-83 and, for
 * preemption while borrowing, KEP-1337).
 */
#include "core/cap.h"
#include "core/withheld.h"
#include "holding/holding.h"
#include "holding/trial.h"
#include "nomination/suit.h"
#include "victims/target.h"

static int64_t amount_assigned(const struct draft *d, int pair)
{
	for (size_t i = 0; i < d->public.nusage; i++) {
		if (d->uses[i].pair == pair)
			return d->uses[i].amount;
	}
	return 0;
}

/* borrowWithinCohort; with fair sharing reclaimWithinCohort is enough. */
static bool may_preempt_while_borrowing(const struct scan *s)
{
	const struct spec_queue *spec = &s->ask->q->spec;

	return (spec->borrow_set && spec->borrow != POLICY_NEVER)
	       || (s->e->fair_sharing && spec->reclaim != POLICY_NEVER);
}

/* Ours, not Kueue's: whatever its queue owns, a workload may evict others of that queue. */
static bool may_preempt_own(const struct scan *s)
{
	enum policy within = s->ask->q->spec.within;

	return !s->e->kueue_rules && within != POLICY_NEVER && within != POLICY_EMPTY;
}

/* What evicting others for this resource alone leads to. If one victim is of
 * the preemptor's own queue it is a preemption, else it is a reclaim. */
static struct judgement victims_judge(struct scan *s, const struct use *use)
{
	const struct ask *ask = s->ask;
	struct books *b = s->e->books;
	struct judgement v = { .suit = SUIT_RECLAIM };
	struct search search = {
		.e = s->e, .q = ask->q, .w = ask->w, .now = ask->now,
		.demand = use, .ndemand = 1, .need = &use->pair, .nneed = 1,
	};
	const struct target *targets;
	size_t n, mark;
	bool ignored;

	n = targets_find(&search, &targets);
	if (!n)
		v.suit = SUIT_NO_CANDIDATES;
	mark = trial_begin(s->e);
	for (size_t i = 0; i < n; i++) {
		target_remove(s->e, targets[i].h);
		if (targets[i].h->q == ask->q)
			v.suit = SUIT_PREEMPT;
	}
	v.borrow = books_borrow_level(b, ask->q->node, use->pair, use->amount,
				      &ignored);
	trial_end(s->e, mark);
	return v;
}

static struct judgement oracle_judge(const struct scan *s,
				     const struct use *use)
{
	const struct oracle *oracle = s->ask->oracle;
	const struct pair *pair = &s->e->books->pairs[use->pair];
	struct judgement v = { .suit = SUIT_RECLAIM };

	oracle->ask(oracle->arg, pair->flavor, pair->resource, use->amount,
		    &v.suit, &v.borrow);
	return v;
}

struct judgement suit_judge(struct scan *s, int flavor, const struct want *want)
{
	struct books *b = s->e->books;
	int node = s->ask->q->node;
	struct use use = { .pair = books_pair(b, flavor, want->resource) };
	struct judgement v = { .suit = SUIT_NOFIT };
	const struct quota *quota = books_quota(b, node, use.pair);
	enum yielding yields = s->ask->w->shape->yields;
	bool may_reclaim;

	use.amount = sat_add(want_amount(s, want, flavor),
			     amount_assigned(s->d, use.pair));
	if (use.amount > quota->potential
	    || (workload_is_capped(s->ask->w)
		&& !cap_admits(s->e, s->ask->q, &use, 1)))
		return v;
	v.borrow = books_borrow_level(b, node, use.pair, use.amount,
				      &may_reclaim);
	if (kept_fit(s->e, s->ask->q, &use, 1))
		v.suit = SUIT_FIT;
	else if (quota->nominal >= use.amount
		 || (may_reclaim && yields < YIELDS_BEYOND_QUEUE)
		 || (!yields && may_preempt_while_borrowing(s)))
		v = s->ask->oracle ? oracle_judge(s, &use)
				   : victims_judge(s, &use);
	else if (may_preempt_own(s) && !s->ask->oracle) {
		v = victims_judge(s, &use);
		if (v.suit == SUIT_NO_CANDIDATES)	/* it reserves nothing */
			v.suit = SUIT_NOFIT;
	}
	return v;
}
