/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classical.c - victims by priority and by distance in the cohort tree
 *
 * KEP-83 and KEP-1337, with hierarchical cohorts: who is inside the smallest
 * subtree that can hold the preemptor by its own quota has to give way last.
 */
#include "elastic.h"
#include "target.h"

/* The subtree of a node could hold the rest of the demand by its own quota?
 * The rest is then what its own idle quota does not cover. */
static bool subtree_holds(const struct search *s, int node, struct use *rest)
{
	bool holds = true;

	for (size_t i = 0; i < s->ndemand; i++) {
		const struct cell *c = books_cell(s->e->books, node,
						  rest[i].pair);

		if (sat_add(c->usage, rest[i].amount) > c->subtree)
			holds = false;
		rest[i].amount = max64(0, sat_sub(rest[i].amount,
					max64(0, sat_sub(c->local,
							 c->usage))));
	}
	return holds;
}

/* Everybody below `node` but not below `done`, where no quota is borrowed
 * nobody is asked */
static bool subtree_collect(struct search *s, int node, int done, int lca,
			    bool advantage)
{
	const struct node *nodes = s->e->books->nodes;

	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling) {
		if (k == done || k == s->q->node || search_within_nominal(s, k))
			continue;
		if (!nodes[k].is_queue) {
			if (!subtree_collect(s, k, done, lca, advantage))
				return false;
			continue;
		}
		if (!candidates_add_other(s, &s->e->queues[k - (int)
						s->e->books->ncohorts],
					  lca, advantage))
			return false;
	}
	return true;
}

static struct use *rest_create(struct search *s)
{
	struct use *rest = scratch_reserve(s->e, SCRATCH_USES, s->ndemand,
					   sizeof(*rest));

	for (size_t i = 0; rest && i < s->ndemand; i++)
		rest[i] = s->demand[i];
	return rest;
}

/* Everybody that a search may use, in order; true if any is of another queue,
 * *hierarchy if any of these comes first for its place in the tree */
static bool classical_collect(struct search *s, bool *hierarchy)
{
	const struct node *nodes = s->e->books->nodes;
	int done = SPEC_NONE;
	struct use *rest = rest_create(s);
	bool advantage, others = false;

	*hierarchy = false;
	if (!rest)
		return false;
	if (nodes[s->q->node].parent != SPEC_NONE
	    && s->q->spec.reclaim != POLICY_NEVER) {
		advantage = subtree_holds(s, s->q->node, rest);
		for (int c = nodes[s->q->node].parent; c != SPEC_NONE;
		     c = nodes[c].parent) {
			size_t before = s->ncands;

			if (!subtree_collect(s, c, done, c, advantage))
				return false;
			others |= s->ncands > before;
			*hierarchy |= advantage && s->ncands > before;
			advantage |= subtree_holds(s, c, rest);
			done = c;
		}
	}
	candidates_add_own(s);
	candidates_order(s);
	return others;
}

/* May it be evicted now: its queue and the cohorts below the lca use more
 * than they own, and it is allowed for a preemptor that borrows */
static bool classical_usable(const struct search *s, const struct candidate *c,
			     bool borrow)
{
	const struct node *nodes = s->e->books->nodes;

	if (c->surplus && !elastic_has_spare(c->h))
		return false;
	if (c->list == LIST_OWN)
		return true;
	if (borrow && c->keeps_nominal)
		return false;
	for (int n = c->h->q->node; n != c->lca; n = nodes[n].parent) {
		if (search_within_nominal(s, n))
			return false;
	}
	return true;
}

static size_t attempt(struct search *s, struct target *targets, bool borrow)
{
	size_t mark = trial_begin(s->e);
	size_t n = 0;

	for (size_t i = 0; i < s->ncands; i++) {
		const struct candidate *c = candidate_at(s, i);

		if (!classical_usable(s, c, borrow))
			continue;
		if (!s->alone) {
			target_remove(s->e, c->h);
			elastic_take(c->h);
		}
		targets[n++] = (struct target) { c->h, c->reason };
		if (!s->everybody && search_fits(s, borrow)) {
			n = targets_fill_back(s, targets, n, borrow);
			trial_end(s->e, mark);
			return n;
		}
	}
	trial_end(s->e, mark);
	if (s->everybody)
		return n;
	while (n)
		elastic_give(targets[--n].h);
	return 0;
}

/* The preemptor's queue has quota left in every pair it needs */
static bool queue_is_under(const struct search *s)
{
	for (size_t i = 0; i < s->nneed; i++) {
		const struct cell *c = books_cell(s->e->books, s->q->node,
						  s->need[i]);

		if (c->usage >= c->nominal)
			return false;
	}
	return true;
}

/* With the demand the preemptor's queue would be above its nominal quota */
static bool queue_would_borrow(const struct search *s)
{
	for (size_t i = 0; i < s->ndemand; i++) {
		const struct cell *c = books_cell(s->e->books, s->q->node,
						  s->demand[i].pair);

		if (sat_add(c->usage, s->demand[i].amount) > c->nominal)
			return true;
	}
	return false;
}

size_t targets_classical(struct search *s, struct target **targets)
{
	bool forbidden = !s->q->spec.borrow_set
			 || s->q->spec.borrow == POLICY_NEVER;
	bool hierarchy;
	bool others = classical_collect(s, &hierarchy);
	bool borrow_first = true, twice = true;
	size_t n;

	*targets = scratch_reserve(s->e, SCRATCH_TARGETS, s->ncands,
				   sizeof(**targets));
	if (s->e->no_memory)
		return 0;
	if (s->everybody)
		return attempt(s, *targets, queue_would_borrow(s));
	if (!others || (forbidden && !queue_is_under(s)))
		twice = false;
	else if (forbidden && !hierarchy)
		borrow_first = false;
	n = attempt(s, *targets, borrow_first);
	if (!n && twice)
		n = attempt(s, *targets, !borrow_first);
	return n;
}
