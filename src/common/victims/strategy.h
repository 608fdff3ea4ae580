/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strategy.h - fair sharing: may a preemptor have what another branch uses?
 *
 * doc/how-it-decides.md, section 7. The preemptor's demand is in the books.
 */
#ifndef COHORT_STRATEGY_H
#define COHORT_STRATEGY_H

#include "core/scratch.h"
#include "core/uses.h"
#include "holding/holding.h"
#include "quota/crossing.h"
#include "quota/share.h"
#include "candidates/candidate.h"
#include "victims/target.h"

/* A preemptor's branch of the tree, and the one that it wants something of */
struct pair_of_branches {
	int preemptor, victim;
	const struct share *of_preemptor, *of_victim;
};

/* The branches of the preemptor and of a victim queue, below the place where they meet */
struct pair_of_branches branches_of(const struct search *s, int victim);

/* Ours, not Kueue's: a branch may have back what it owns, whatever its share is by other
 * pairs. The preemptor's branch stays within its quota in all pairs that it needs, before
 * anybody has gone: branches_note() finds out for all above the preemptor. */
void branches_note(struct search *s);
bool branch_reclaims(const struct search *s, int preemptor);

/* And so no branch loses that to others, either. The cohort, or the queue, between `victim`
 * and where it meets the preemptor that is within its quota; SPEC_NONE: none */
int branch_within_quota(const struct search *s, int victim);

/* The branch of the preemptor that `victim`, a queue, is not in owns what it uses with the
 * demand. */
bool branch_owns_demand(const struct search *s, int victim);

/* With histories. Time alone may change a "no": then that counts as the end of a
 * turn. */
bool may_take_lately(const struct search *s, const struct taking *t,
		     const struct share *preemptor, const struct share *victim);

/* May the one have it? The victim would use less[0..n) less; see struct taking.
 * Without histories it is a comparison of two shares, and costs no more. */
static inline __attribute__((always_inline)) bool
may_take(const struct search *s, struct pair_of_branches p,
	 const struct use *less, size_t n, bool or_equal)
{
	const struct books *b = s->e->books;

	if (b->history) {
		struct taking t = { b, p.preemptor, p.victim, less, n, or_equal };

		return may_take_lately(s, &t, p.of_preemptor, p.of_victim);
	}
	return or_equal ? share_compare(p.of_preemptor, p.of_victim) <= 0
			: share_compare(p.of_preemptor, p.of_victim) < 0;
}

/* The share of a node if h, which is below the node or in it, was gone: if it
 * used less[0..n) less */
static inline struct share share_without(struct search *s, int node,
					 const struct holding *h,
					 struct use **uses, size_t *n)
{
	const struct books *b = s->e->books;
	struct use *less = scratch_reserve(s->e, SCRATCH_USES, h->nuses,
					   sizeof(*less));

	*uses = less;
	*n = less ? uses_merge(h->uses, h->nuses, less) : 0;
	for (size_t i = 0; i < *n; i++)
		less[i].amount = books_removable(b, h->q->node, node,
						 less[i].pair, less[i].amount);
	return share_less(b, node, less, *n);
}

/* Does the first strategy, with s->alone any of them, let the preemptor's branch have
 * what h uses below the other one? p.of_victim is the share with it. */
static inline bool strategy_allows(struct search *s, struct pair_of_branches p,
				   const struct holding *h)
{
	const enum fair_strategy *strategies = s->e->strategies;
	bool initial = strategies[0] == FAIR_LESS_INITIAL;
	bool second = strategies[1] == FAIR_LESS_INITIAL;
	struct share after;
	struct use *less;
	size_t n;

	/* With `alone` there is no second pass: it is enough if either strategy
	 * allows it. */
	if ((initial || (second && s->alone))
	    && may_take(s, p, NULL, 0, false))
		return true;
	if (initial)
		return false;
	after = share_without(s, p.victim, h, &less, &n);
	p.of_victim = &after;
	return may_take(s, p, less, n, true);
}

/* The first strategy has refused one candidate of a queue below p.victim. Does it refuse all
 * others, as it does so without the least that any of them uses? False: that is not known. */
bool strategy_refuses_queue(struct search *s, struct pair_of_branches p,
			    struct queue *q);

/* Ours, not Kueue's. The targets, which are in the books, were found for a preemptor that
 * borrows. Those of other queues are judged once more by the shares, after all victims of
 * its own queue have left. Bars the targets that the shares refuse. False: none is refused. */
bool set_bars_any(struct search *s, const struct target *targets, size_t n);

#endif /* COHORT_STRATEGY_H */
