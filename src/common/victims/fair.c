/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.c - victims by fair share
 *
 * doc/how-it-decides.md, section 7. Queues that borrow most give way first, as long as the
 * shares after the exchange are in the order that the configured strategies ask for. The
 * preemptor's own demand is in the books while shares are compared.
 */
#include "core/tree_state.h"
#include "core/uses.h"
#include "holding/holding.h"
#include "quota/share.h"
#include "victims/target.h"

struct fair {
	struct search *s;
	struct target *targets;
	size_t ntargets;
};

/* ---- which queue has to give next ---- On the way down from the root it is the child with the
 * largest share, and of equal shares the one with the best candidate. */

/* Nothing below the node gives more in this pass. */
static void node_close(const struct search *s, int node)
{
	s->e->searches->closed[node] = s->e->searches->passes;
}

static bool is_closed(const struct search *s, int node)
{
	return s->e->searches->closed[node] == s->e->searches->passes;
}

/* The stream of a queue, if it has candidates */
static struct stream *stream_of(const struct search *s, int node)
{
	const struct queue *q = &s->e->queues[node - (int) s->e->books->ncohorts];

	return q->searched == s->number && q->stream->head.h ? q->stream : NULL;
}

/* It may give: it borrows, or the preemptor's queue is below it or in it. */
static bool may_give(const struct search *s, int node)
{
	const struct books *b = s->e->books;

	if (is_closed(s, node) || (b->nodes[node].is_queue && !stream_of(s, node)))
		return false;
	return share_of(b, node)->borrowing || books_is_below(b, s->q->node, node);
}

/* Of two children with equal shares: cohorts come first, the last one of them
 * in the order of names; then the queue with the better candidate. */
static bool precedes(const struct search *s, int a, int b)
{
	const struct node *nodes = s->e->books->nodes;
	const struct candidate *of_a, *of_b;

	if (nodes[a].is_queue != nodes[b].is_queue)
		return nodes[b].is_queue;
	if (!nodes[a].is_queue)
		return nodes[a].number > nodes[b].number;
	of_a = &stream_of(s, a)->head;
	of_b = &stream_of(s, b)->head;
	if (candidate_before(of_a, of_b))
		return true;
	return !candidate_before(of_b, of_a) && nodes[a].number < nodes[b].number;
}

static bool gives_before(const struct search *s, int a, int b)
{
	int order = share_compare(share_of(s->e->books, a), share_of(s->e->books, b));

	return order ? order > 0 : precedes(s, a, b);
}

/* So many children take about as long as a look at a candidate. */
#define CHILDREN_LOOK 8

static int first_child(const struct search *s, int cohort)
{
	const struct node *nodes = s->e->books->nodes;
	int first = SPEC_NONE;
	uint64_t n = 0;

	for (int k = nodes[cohort].first_child; k != SPEC_NONE; k = nodes[k].next_sibling) {
		n++;
		if (may_give(s, k) && (first == SPEC_NONE || gives_before(s, k, first)))
			first = k;
	}
	s->e->searches->looks += n / CHILDREN_LOOK;
	return first;
}

/* And no branch loses what it owns to others, whatever its share is by other pairs (ours, not
 * Kueue's). The cohort, or the queue, between `victim` and where it meets the preemptor that
 * is within its quota; SPEC_NONE: none. A queue of which a unit has left counts as it was
 * before (unit_leaves()). */
static int branch_within_quota(const struct search *s, int victim)
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

/* SPEC_NONE: none can */
static int queue_next(const struct search *s)
{
	const struct node *nodes = s->e->books->nodes;
	int root = s->q->tree->root, node = root;

	while (!is_closed(s, root)) {
		bool gives = nodes[node].is_queue && stream_of(s, node);
		int next = nodes[node].is_queue ? SPEC_NONE : first_child(s, node);
		int closed = next != SPEC_NONE ? SPEC_NONE
			     : gives ? branch_within_quota(s, node) : node;

		if (gives && closed == SPEC_NONE)
			return node;
		if (closed != SPEC_NONE)
			node_close(s, closed);
		node = next == SPEC_NONE ? root : next;
	}
	return SPEC_NONE;
}

/* ---- shares: may a preemptor have what another branch uses? ---- */

/* A preemptor's branch of the tree, and the one that it wants something of, below the place
 * where they meet */
struct pair_of_branches {
	int preemptor, victim;
	const struct share *of_preemptor, *of_victim;
};

static struct pair_of_branches branches_of(const struct search *s, int victim)
{
	const struct books *b = s->e->books;
	struct pair_of_branches p;

	p.preemptor = books_branch(b, s->q->node, victim);
	p.victim = books_branch(b, victim, s->q->node);
	p.of_preemptor = share_of(b, p.preemptor);
	p.of_victim = share_of(b, p.victim);
	return p;
}

/* Ours, not Kueue's: a branch may have back what it owns, whatever its share is by other
 * pairs. The preemptor's branch stays within its quota in all pairs that it needs, before
 * anybody has gone: branches_note() finds out for all above the preemptor. */
static void branches_note(struct search *s)
{
	const struct node *nodes = s->e->books->nodes;

	s->reclaiming = 0;
	for (int n = s->q->node; !s->e->kueue_rules && n != SPEC_NONE; n = nodes[n].parent) {
		if (nodes[n].depth < 64 && search_is_within_nominal(s, n))
			s->reclaiming |= UINT64_C(1) << nodes[n].depth;
	}
}

static bool branch_reclaims(const struct search *s, int preemptor)
{
	int depth = s->e->books->nodes[preemptor].depth;

	return depth < 64 && (s->reclaiming >> depth & 1);
}

/* The branch of the preemptor that `victim`, a queue, is not in owns what it uses with the
 * demand. */
static bool branch_owns_demand(const struct search *s, int victim)
{
	const struct books *b = s->e->books;

	return victim != s->q->node
	       && !books_is_over(b, books_branch(b, s->q->node, victim), s->demand, s->ndemand);
}

/* May the one have it? The victim would use less[0..n) less; see struct taking. With
 * histories time alone may change a "no": then that counts as the end of a turn. */
static bool may_take(const struct search *s, struct pair_of_branches p,
		     const struct use *less, size_t n, bool or_equal)
{
	struct passed_over *passed = &s->e->searches->passed;
	struct taking t = { s->e->books, p.preemptor, p.victim, less, n, or_equal };

	if (share_may_take(&t, p.of_preemptor, p.of_victim))
		return true;
	if (s->e->books->history)
		earliest_note(&passed->turn, crossing_at(&t, s->now));
	return false;
}

/* Does the first strategy, with s->alone any of them, let the preemptor's branch have
 * what h uses below the other one? p.of_victim is the share with it. */
static bool strategy_allows(struct search *s, struct pair_of_branches p, const struct holding *h)
{
	const struct books *b = s->e->books;
	bool initial = s->e->strategies[0] == FAIR_LESS_INITIAL;
	bool second = s->e->strategies[1] == FAIR_LESS_INITIAL;
	struct share after;
	struct use *less;
	size_t n;

	/* With `alone` there is no second pass: it is enough if either strategy allows it. */
	if ((initial || (second && s->alone)) && may_take(s, p, NULL, 0, false))
		return true;
	less = scratch_reserve(s->e, SCRATCH_USES, h->nuses, sizeof(*less));
	if (initial || !less)
		return false;
	n = uses_merge(h->uses, h->nuses, less);
	for (size_t i = 0; i < n; i++)
		less[i].amount = books_removable(b, h->q->node, p.victim,
						 less[i].pair, less[i].amount);
	after = share_less(b, p.victim, less, n, 1);
	p.of_victim = &after;
	return may_take(s, p, less, n, true);
}

/* ---- candidates by queue ---- */

/* All that may have candidates */
static bool fair_collect(struct search *s)
{
	const struct tree *tree = s->q->tree;

	if (!streams_begin(s))
		return false;
	stream_open(s, s->q, LIST_OWN, SPEC_NONE);
	for (size_t i = 0; i < tree->nqueues && policy_is_set(s->q->spec.reclaim); i++) {
		struct queue *q = tree->queues[i];

		if (q != s->q && !search_is_within_nominal(s, q->node))
			stream_open(s, q, LIST_PRIORITY, tree->root);
	}
	return !s->e->no_memory;
}

/* Passes those that have been taken, or may not be evicted now */
static void stream_pass_unusable(struct search *s, struct stream *st)
{
	int above = s->e->books->nodes[st->q->node].parent;

	while (st->head.h && ((st->head.surplus && !elastic_has_spare(st->head.h))
			      || st->head.h->attempt == s->attempt
			      || !candidate_borrows(s, st->head.h, above)))
		stream_next(s, st);
}

/* The next candidate of a queue that may be evicted */
static bool usable_pop(struct search *s, int victim, struct candidate *c)
{
	struct stream *st = stream_of(s, victim);

	if (st->by_usage)
		stream_sort(s, st);
	stream_pass_unusable(s, st);
	*c = st->head;
	if (!c->h)
		return false;
	stream_next(s, st);
	stream_pass_unusable(s, st);
	return true;
}

/* ---- victims ---- */

/* The queues of the members may not have given before. They count as they were then. */
static void unit_leaves(struct search *s, struct holding *h)
{
	for_each_in_unit(m, h) {
		if (h->unit && m->q->tree == s->q->tree
		    && !search_is_within_nominal(s, m->q->node))
			m->q->borrowed = s->number;
	}
}

/* True if that is enough: the demand, which is in the books, fits beside all other usage. */
static bool take(struct fair *f, const struct candidate *c, enum victim_reason reason)
{
	struct search *s = f->s;
	bool fits;

	unit_leaves(s, c->h);
	f->targets[f->ntargets++] = target_take(s, c, reason);
	if (s->everybody)
		return f->ntargets == s->most;
	books_change(s->e->books, s->q->node, s->demand, s->ndemand, -1);
	fits = search_fits(s, !s->keeps_nominal);
	books_change(s->e->books, s->q->node, s->demand, s->ndemand, 1);
	return fits;
}

/* Takes the first candidate of a queue that the strategy allows, or of all if the
 * preemptor's branch has back what it owns. */
static bool queue_take_by_share(struct fair *f, int victim)
{
	struct search *s = f->s;
	struct pair_of_branches p = branches_of(s, victim);
	struct candidate c;

	if (branch_reclaims(s, p.preemptor))
		return usable_pop(s, victim, &c) && take(f, &c, VICTIM_RECLAMATION);
	/* No strategy allows it. The other branches have no larger shares, and
	 * the preemptor's own one has nothing left that could change that. */
	if (share_compare(p.of_preemptor, p.of_victim) > 0) {
		(void) may_take(s, p, NULL, 0, true);
		node_close(s, s->e->books->nodes[p.victim].parent);
		return false;
	}
	while (stream_of(s, victim) && usable_pop(s, victim, &c)) {
		if (strategy_allows(s, p, c.h))
			return take(f, &c, VICTIM_FAIR_SHARING);
	}
	return false;
}

static bool first_pass(struct fair *f)
{
	struct search *s = f->s;
	bool reclaims = search_is_within_nominal(s, s->q->node);
	struct candidate c;
	int victim;

	s->e->searches->passes++;
	while ((victim = queue_next(s)) != SPEC_NONE) {
		bool own = victim == s->q->node, done = false;

		if (s->outside_only && !branch_owns_demand(s, victim))
			node_close(s, victim);
		else if (!own && !reclaims)
			done = queue_take_by_share(f, victim);
		else if (usable_pop(s, victim, &c))
			done = take(f, &c, own ? c.reason : VICTIM_RECLAMATION);
		if (done)
			return true;
	}
	return false;
}

/* The second strategy, for all that the first one has not taken: a queue gives its first candidate,
 * if the preemptor's share stays below its own one, or its branch has back what it owns. */
static bool second_pass(struct fair *f)
{
	struct search *s = f->s;
	int victim;

	for (size_t i = 0; i < s->nstreams; i++) {
		stream_rewind(s, &s->streams[i]);
		stream_pass_unusable(s, &s->streams[i]);
	}
	s->e->searches->passes++;
	while ((victim = queue_next(s)) != SPEC_NONE) {
		struct pair_of_branches p = branches_of(s, victim);
		struct candidate c;
		bool reclaims = branch_reclaims(s, p.preemptor);

		if (!usable_pop(s, victim, &c))
			continue;
		if (!reclaims)
			node_close(s, victim);
		if ((reclaims || may_take(s, p, NULL, 0, false))
		    && take(f, &c, reclaims ? VICTIM_RECLAMATION : VICTIM_FAIR_SHARING))
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
	books_change(s->e->books, s->q->node, s->demand, s->ndemand, 1);
	branches_note(s);
	found = first_pass(&f)
		|| (!s->outside_only && (!s->everybody || s->picked)
		    && s->e->strategies[1] != FAIR_NONE && second_pass(&f));
	books_change(s->e->books, s->q->node, s->demand, s->ndemand, -1);
	if (s->everybody)
		return f.ntargets;
	if (!found) {
		targets_give(f.targets, f.ntargets);
		return 0;
	}
	s->borrowed = !s->keeps_nominal;
	return targets_fill_back(s, f.targets, f.ntargets, s->borrowed);
}

/* ---- all victims, judged once more ---- */

static bool is_allowed(struct search *s, const struct holding *h)
{
	struct pair_of_branches p;

	if (h->evicting)
		return true;
	p = branches_of(s, h->q->node);
	return branch_reclaims(s, p.preemptor) || strategy_allows(s, p, h);
}

bool set_bars_any(struct search *s, const struct target *targets, size_t n)
{
	struct engine *e = s->e;
	bool any = false;
	size_t mark;

	if (!e->fair_sharing || e->kueue_rules || s->everybody || branch_reclaims(s, s->q->node))
		return false;
	mark = trial_begin(e);
	books_change(e->books, s->q->node, s->demand, s->ndemand, 1);
	for (size_t i = 0; i < n; i++) {
		if (targets[i].h->q == s->q)
			target_remove(e, targets[i].h);
	}
	s->alone = true;	/* with either strategy */
	for (size_t i = 0; i < n; i++) {
		if (targets[i].h->q == s->q)
			continue;
		if (is_allowed(s, targets[i].h)) {
			target_remove(e, targets[i].h);
			continue;
		}
		for_each_in_unit(m, targets[i].h)
			m->barred = s->first;
		any = true;
	}
	s->alone = false;
	trial_end(e, mark);
	return any;
}
