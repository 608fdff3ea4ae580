/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.c - victims by fair share
 *
 * Queues that borrow most give way first, as long as the shares after the
 * exchange are in the order that the configured strategies ask for. The
 * preemptor's own demand is in the books while shares are compared.
 */
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "holding/elastic.h"
#include "holding/trial.h"
#include "holding/unit.h"
#include "victims/find.h"
#include "victims/victim_queue.h"
#include "victims/strategy.h"

struct fair {
	struct search *s;
	struct target *targets;
	size_t ntargets;
	bool second;			/* the pass over what the first strategy has left */
};

/* ---- candidates by queue ---- */

static struct stream *stream_of(const struct fair *f, int node)
{
	const struct engine *e = f->s->e;

	return e->queues[node - (int) e->books->ncohorts].stream;
}

/* All that may have candidates */
static bool fair_collect(struct search *s)
{
	const struct tree *tree = s->q->tree;

	if (!streams_begin(s))
		return false;
	stream_open_own(s);
	for (size_t i = 0; i < tree->nqueues && s->q->spec.reclaim != POLICY_NEVER; i++) {
		struct queue *q = tree->queues[i];

		if (q != s->q && !search_is_within_nominal(s, q->node))
			stream_open_other(s, q, tree->root, false);
	}
	return !s->e->no_memory;
}

/* It has not gone yet, and may go now. */
static bool is_usable(const struct search *s, const struct stream *st,
		      const struct candidate *c)
{
	return (!c->surplus || elastic_has_spare(c->h))
	       && c->h->attempt != s->attempt
	       && candidate_borrows(s, c->h, s->e->books->nodes[st->q->node].parent);
}

static void stream_pass_unusable(struct search *s, struct stream *st)
{
	while (st->head.h && !is_usable(s, st, &st->head))
		stream_next(s, st);
}

/* The next candidate of a queue that may go */
static bool usable_pop(struct fair *f, int victim, struct candidate *c)
{
	struct stream *st = stream_of(f, victim);

	if (st->by_usage)
		stream_sort(f->s, st);
	stream_pass_unusable(f->s, st);
	if (!st->head.h)
		return false;
	*c = st->head;
	stream_next(f->s, st);
	if (f->second)
		stream_pass_unusable(f->s, st);
	return true;
}

/* ---- victims ---- */

/* The demand, which is in the books, fits beside all other usage. */
static bool fair_fits(struct search *s)
{
	bool fits;

	books_remove_all(s->e->books, s->q->node, s->demand, s->ndemand);
	fits = search_fits(s, !s->keeps_nominal);
	books_add_all(s->e->books, s->q->node, s->demand, s->ndemand);
	return fits;
}

/* The queues of the members may not have given before. They count as they were then. */
static void unit_leaves(struct fair *f, struct holding *h)
{
	const struct search *s = f->s;

	for_each_in_unit(m, h) {
		if (m->q->tree == s->q->tree
		    && !search_is_within_nominal(s, m->q->node))
			m->q->borrowed = s->number;
	}
}

static bool take(struct fair *f, const struct candidate *c,
		 enum victim_reason reason)
{
	if (c->h->unit)
		unit_leaves(f, c->h);
	if (!f->s->alone) {
		target_remove(f->s->e, c->h);
		elastic_take(c->h);
	}
	unit_take(c->h, f->s->attempt);
	f->targets[f->ntargets++] = (struct target) {
		c->h, reason, c->list
	};
	if (f->s->everybody)
		return f->ntargets == f->s->most;
	return fair_fits(f->s);
}

/* ---- the two passes ---- */

/* Takes the first candidate of a queue that the strategy allows, or of all if the
 * preemptor's branch has back what it owns. */
static bool queue_take_by_share(struct fair *f, int victim)
{
	const struct books *b = f->s->e->books;
	struct pair_of_branches p = branches_of(f->s, victim);
	bool asked = false;
	struct candidate c;

	if (branch_reclaims(f->s, p.preemptor))
		return usable_pop(f, victim, &c) && take(f, &c, VICTIM_RECLAMATION);
	/* No strategy allows it. The other branches have no larger shares, and
	 * the preemptor's own one has nothing left that could change that. */
	if (share_compare(p.of_preemptor, p.of_victim) > 0) {
		if (b->history)
			(void) may_take(f->s, p, NULL, 0, true);
		victim_queue_close(f->s, b->nodes[p.victim].parent);
		return false;
	}
	while (usable_pop(f, victim, &c)) {
		if (strategy_allows(f->s, p, c.h))
			return take(f, &c, VICTIM_FAIR_SHARING);
		if (!asked && strategy_refuses_queue(f->s, p, c.h->q)) {
			victim_queue_close(f->s, victim);
			break;
		}
		asked = true;
	}
	return false;
}

/* The next victim queue that may give at all */
static int queue_next(struct fair *f)
{
	int victim, within;

	while ((victim = victim_queue_next(f->s)) != SPEC_NONE) {
		within = branch_within_quota(f->s, victim);
		if (within == SPEC_NONE)
			break;
		victim_queue_close(f->s, within);
	}
	return victim;
}

static bool first_pass(struct fair *f)
{
	struct search *s = f->s;
	bool reclaims = search_is_within_nominal(s, s->q->node);
	struct candidate c;
	int victim;

	victim_queues_begin(s);
	while ((victim = queue_next(f)) != SPEC_NONE) {
		bool done = false;

		if (s->outside_only && !branch_owns_demand(s, victim))
			victim_queue_close(f->s, victim);
		else if (victim != s->q->node && !reclaims)
			done = queue_take_by_share(f, victim);
		else if (usable_pop(f, victim, &c))
			done = take(f, &c, victim == s->q->node
					   ? c.reason : VICTIM_RECLAMATION);
		if (done)
			return true;
	}
	return false;
}

/* A queue gives its first candidate, if the preemptor's share stays below its own one, or
 * its branch has back what it owns. */
static bool queue_take_again(struct fair *f, int victim)
{
	struct candidate c;
	struct pair_of_branches p;

	if (!usable_pop(f, victim, &c))
		return false;
	p = branches_of(f->s, victim);
	if (branch_reclaims(f->s, p.preemptor))
		return take(f, &c, VICTIM_RECLAMATION);
	victim_queue_close(f->s, victim);
	return may_take(f->s, p, NULL, 0, false)
	       && take(f, &c, VICTIM_FAIR_SHARING);
}

/* The second strategy, for all that the first one has not taken */
static bool second_pass(struct fair *f)
{
	struct search *s = f->s;
	int victim;

	f->second = true;
	for (size_t i = 0; i < s->nstreams; i++) {
		stream_rewind(s, &s->streams[i]);
		stream_pass_unusable(s, &s->streams[i]);
	}
	victim_queues_begin(s);
	while ((victim = queue_next(f)) != SPEC_NONE) {
		if (queue_take_again(f, victim))
			return true;
	}
	return false;
}

size_t targets_fair(struct search *s, struct target **targets)
{
	struct fair f = { .s = s };
	bool found;

	if (!fair_collect(s))
		return 0;
	s->attempt = ++s->e->searches->attempts;
	f.targets = targets_reserve(s);
	if (!f.targets)
		return 0;
	*targets = f.targets;
	books_add_all(s->e->books, s->q->node, s->demand, s->ndemand);
	branches_note(s);
	found = first_pass(&f)
		|| (!s->outside_only && (!s->everybody || s->picked)
		    && s->e->strategies[1] != FAIR_NONE && second_pass(&f));
	books_remove_all(s->e->books, s->q->node, s->demand, s->ndemand);
	if (s->everybody)
		return f.ntargets;
	while (!found && f.ntargets)
		elastic_give(f.targets[--f.ntargets].h);
	if (!found)
		return 0;
	s->borrowed = !s->keeps_nominal;
	return targets_fill_back(s, f.targets, f.ntargets, s->borrowed);
}
