/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strategy.c - fair sharing: may a preemptor have what another branch uses?
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "holding/least.h"
#include "holding/trial.h"
#include "victims/strategy.h"
#include "holding/unit.h"

struct pair_of_branches branches_of(const struct search *s, int victim)
{
	const struct books *b = s->e->books;
	struct pair_of_branches p;

	p.preemptor = books_branch(b, s->q->node, victim);
	p.victim = books_branch(b, victim, s->q->node);
	p.of_preemptor = share_of(b, p.preemptor);
	p.of_victim = share_of(b, p.victim);
	return p;
}

void branches_note(struct search *s)
{
	const struct node *nodes = s->e->books->nodes;

	s->reclaiming = 0;
	for (int n = s->q->node; !s->e->kueue_rules && n != SPEC_NONE; n = nodes[n].parent) {
		if (nodes[n].depth < 64 && search_is_within_nominal(s, n))
			s->reclaiming |= UINT64_C(1) << nodes[n].depth;
	}
}

bool branch_reclaims(const struct search *s, int preemptor)
{
	int depth = s->e->books->nodes[preemptor].depth;

	return depth < 64 && (s->reclaiming >> depth & 1);
}

bool branch_owns_demand(const struct search *s, int victim)
{
	const struct books *b = s->e->books;
	int of_p;

	if (victim == s->q->node)
		return false;
	of_p = books_branch(b, s->q->node, victim);
	for (size_t i = 0; i < s->ndemand; i++) {
		if (books_is_over_nominal(b, of_p, s->demand[i].pair, 0))
			return false;
	}
	return true;
}

/* A queue of which a unit has left counts as it was before (fair.c). */
int branch_within_quota(const struct search *s, int victim)
{
	const struct engine *e = s->e;
	const struct queue *q = &e->queues[victim - (int) e->books->ncohorts];
	int node = q->borrowed == s->number ? e->books->nodes[victim].parent : victim;

	if (e->kueue_rules || victim == s->q->node)
		return SPEC_NONE;
	for (; !books_is_below(e->books, s->q->node, node); node = e->books->nodes[node].parent) {
		if (search_is_within_nominal(s, node))
			return node;
	}
	return SPEC_NONE;
}

bool may_take_lately(const struct search *s, const struct taking *t,
		     const struct share *preemptor, const struct share *victim)
{
	struct passed_over *passed = &s->e->searches->passed;
	int64_t at;

	if (share_may_take(t, preemptor, victim))
		return true;
	at = crossing_at(t, s->now);
	if (at && (!passed->turn || at < passed->turn))
		passed->turn = at;
	return false;
}

bool strategy_refuses_queue(struct search *s, struct pair_of_branches p,
			    struct queue *q)
{
	const struct engine *e = s->e;
	struct taking t = { e->books, p.preemptor, p.victim, NULL, 0, true };
	const struct use *least;
	struct share after;
	struct use *less;
	size_t n;

	/* LessThanInitialShare does not even let equals take */
	if (e->strategies[0] == FAIR_LESS_INITIAL)
		return true;
	least = queue_least(q, s->need_pairs, &n);
	less = scratch_reserve(s->e, SCRATCH_USES, n, sizeof(*less));
	if (!n || !less || s->alone)
		return false;
	for (size_t i = 0; i < n; i++)
		less[i] = (struct use) {
			least[i].pair,
			books_removable(e->books, q->node, p.victim,
					least[i].pair, least[i].amount)
		};
	after = share_less(e->books, p.victim, less, n);
	t.less = less;
	t.n = n;
	return share_compare(p.of_preemptor, &after) > 0
	       && (!e->books->history || !crossing_at(&t, s->now));
}

/* ---- all that go ---- */

static bool may_go(struct search *s, const struct holding *h)
{
	struct pair_of_branches p;

	if (h->evicting)
		return true;
	p = branches_of(s, h->q->node);
	return branch_reclaims(s, p.preemptor) || strategy_allows(s, p, h);
}

static bool holding_bar(struct search *s, struct holding *h)
{
	s->barred = scratch_reserve(s->e, SCRATCH_BARRED, s->q->tree->nholdings,
				    sizeof(struct holding *));
	if (s->barred) {
		unit_set_barred(h, true);
		s->barred[s->nbarred++] = h;
	}
	return true;
}

/* With either strategy */
static bool others_bar(struct search *s, const struct target *targets, size_t n)
{
	bool any = false;

	s->alone = true;
	for (size_t i = 0; i < n; i++) {
		struct holding *h = targets[i].h;

		if (h->q == s->q)
			continue;
		if (may_go(s, h))
			target_remove(s->e, h);
		else
			any = holding_bar(s, h);
	}
	s->alone = false;
	return any;
}

bool set_bars_any(struct search *s, const struct target *targets, size_t n)
{
	struct engine *e = s->e;
	size_t mark;
	bool any;

	if (!e->fair_sharing || e->kueue_rules || s->everybody
	    || branch_reclaims(s, s->q->node))
		return false;
	mark = trial_begin(e);
	books_add_all(e->books, s->q->node, s->demand, s->ndemand);
	for (size_t i = 0; i < n; i++) {
		if (targets[i].h->q == s->q)
			target_remove(e, targets[i].h);
	}
	any = others_bar(s, targets, n);
	trial_end(e, mark);
	return any;
}
