/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.c - victims by fair share
 *
 * Queues that borrow most give way first, as long as the shares after the
 * exchange are in the order that the configured strategies ask for. The
 * preemptor's own demand is in the books while shares are compared.
 */
#include "core/scratch.h"
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "holding/least.h"
#include "workload/elastic.h"
#include "quota/share.h"
#include "quota/crossing.h"
#include "victims/find.h"
#include "victims/givers.h"
#include "victims/ranking.h"
#include "workload/unit.h"

/* A candidate that the first pass has left out */
struct retry {
	struct candidate c;
	int next;			/* of its queue, or -1 */
};

struct fair {
	struct search *s;
	struct target *targets;
	size_t ntargets;
	struct givers givers;
	bool second;			/* the pass over the retry list */
	bool unit;			/* with a victim others went, in any
					 * place of the tree */
	bool closed;			/* a cohort was closed */
	bool late;			/* a job was taken after that */
	bool inner;			/* some of the retry list are in a
					 * cohort with the preemptor that is
					 * not the root */
	struct retry *retry;
	size_t nretry;
};

/* ---- candidates by queue ---- */

static struct stream *stream_of(const struct fair *f, int node)
{
	const struct engine *e = f->s->e;

	return e->queues[node - (int) e->books->ncohorts].stream;
}

static struct candidate stream_pop(struct fair *f, struct stream *st)
{
	struct candidate c = st->head;

	if (f->second && st->retry >= 0)
		st->retry = f->retry[st->retry].next;
	if (f->second && st->retry >= 0)
		st->head = f->retry[st->retry].c;
	else
		stream_next(f->s, st);
	return c;
}

static bool retry_add(struct fair *f, const struct candidate *c)
{
	f->retry = scratch_reserve(f->s->e, SCRATCH_RETRY, f->nretry + 1,
				   sizeof(*f->retry));
	if (!f->retry)
		return false;
	f->retry[f->nretry++] = (struct retry) { *c, -1 };
	return true;
}

/* Something has gone, or may go, that changes shares which were compared when a
 * cohort was closed */
static bool closed_may_give(const struct fair *f)
{
	return f->unit || (f->closed && (f->late || f->inner));
}

/* What is left of streams that the first pass has closed, or has refused as a
 * whole, comes behind their candidates in the retry list. */
static bool rest_add(struct fair *f)
{
	bool closed = closed_may_give(f);

	for (size_t i = 0; i < f->s->nstreams; i++) {
		struct stream *st = &f->s->streams[i];

		if (!closed && !st->refused)
			continue;
		if (st->head.h && st->by_usage)
			stream_sort(f->s, st);
		if (st->head.h && !retry_add(f, &st->head))
			return false;
	}
	return true;
}

/* From now on the streams are those of the retry list */
static bool retry_begin(struct fair *f)
{
	if (!rest_add(f))
		return false;
	f->second = true;
	/* what the first pass did not come to is behind what it closed */
	f->s->nranked = f->s->nth_ranked = 0;
	for (size_t i = 0; i < f->s->nstreams; i++) {
		f->s->streams[i].head.h = NULL;
		f->s->streams[i].retry = -1;
	}
	for (size_t i = 0; i < f->nretry; i++) {
		struct stream *st = f->retry[i].c.h->q->stream;

		if (st->retry < 0) {
			st->retry = i;
			st->head = f->retry[i].c;
		} else {
			f->retry[st->last_retry].next = i;
		}
		st->last_retry = i;
	}
	return givers_begin(&f->givers, f->s);
}

static bool fair_collect(struct search *s)
{
	const struct tree *tree = s->q->tree;

	if (!streams_begin(s))
		return false;
	stream_open_own(s);
	s->nranked = 0;
	if (s->q->spec.reclaim == POLICY_NEVER)
		return !s->e->no_memory;
	ranking_renew(s);
	for (size_t i = 0; !s->nranked && i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];

		if (q != s->q && !search_is_within_nominal(s, q->node))
			stream_open_other(s, q, tree->root, false);
	}
	return !s->e->no_memory;
}

/* ---- the two passes ---- */

/* The demand, which is in the books, fits beside all other usage. */
static bool fair_fits(struct search *s)
{
	bool fits;

	books_remove_all(s->e->books, s->q->node, s->demand, s->ndemand);
	fits = search_fits(s, true);
	books_add_all(s->e->books, s->q->node, s->demand, s->ndemand);
	return fits;
}

static bool take(struct fair *f, const struct candidate *c,
		 enum victim_reason reason)
{
	if (!f->s->alone) {
		target_remove(f->s->e, c->h);
		elastic_take(c->h);
	}
	unit_take(c->h, f->s->attempt);
	f->unit |= c->h->unit != NULL;
	f->late |= f->closed;
	f->targets[f->ntargets++] = (struct target) {
		c->h, reason, c->list
	};
	if (f->s->everybody)
		return f->ntargets == f->s->most;
	return fair_fits(f->s);
}

/* The share of a node if h, which is below the node or in it, was gone: if it
 * used less[0..n) less */
static struct share share_without(struct fair *f, int node,
				  const struct holding *h, struct use **uses,
				  size_t *n)
{
	const struct books *b = f->s->e->books;
	struct use *less = scratch_reserve(f->s->e, SCRATCH_USES, h->nuses,
					   sizeof(*less));

	*uses = less;
	*n = less ? uses_merge(h, less) : 0;
	for (size_t i = 0; i < *n; i++)
		less[i].amount = books_removable(b, h->q->node, node,
						 less[i].pair, less[i].amount);
	return share_less(b, node, less, *n);
}

/* With histories. Time alone may change a "no": then that counts as the end of a
 * turn. */
static __attribute__((noinline)) bool may_take_lately(const struct fair *f,
						      const struct taking *t,
						      const struct share *preemptor,
						      const struct share *giver)
{
	struct passed_over *passed = &f->s->e->searches->passed;
	int64_t at;

	if (share_may_take(t, preemptor, giver))
		return true;
	at = crossing_at(t, f->s->now);
	if (at && (!passed->turn || at < passed->turn))
		passed->turn = at;
	return false;
}

/* A preemptor's branch of the tree, and the one that it wants something of */
struct pair_of_branches {
	int taker, giver;
	const struct share *of_taker, *of_giver;
};

/* May the one have it? The giver would use less[0..n) less; see struct taking.
 * Without histories it is a comparison of two shares, and costs no more. */
static inline __attribute__((always_inline)) bool
may_take(const struct fair *f, struct pair_of_branches p,
	 const struct use *less, size_t n, bool or_equal)
{
	const struct books *b = f->s->e->books;

	if (b->history) {
		struct taking t = { b, p.taker, p.giver, less, n, or_equal };

		return !shares_are_far(b, p.taker, p.of_taker, p.giver,
				       p.of_giver)
		       && may_take_lately(f, &t, p.of_taker, p.of_giver);
	}
	return or_equal ? share_compare(p.of_taker, p.of_giver) <= 0
			: share_compare(p.of_taker, p.of_giver) < 0;
}

/* Would the strategy let the preemptor's branch have what h uses below `node`? */
static bool strategy_allows(struct fair *f, int branch,
			    const struct share *preemptor,
			    const struct share *before, int node,
			    const struct holding *h)
{
	const enum fair_strategy *strategies = f->s->e->strategies;
	bool initial = strategies[0] == FAIR_LESS_INITIAL;
	bool second = strategies[1] == FAIR_LESS_INITIAL;
	struct pair_of_branches p = { branch, node, preemptor, before };
	struct share after;
	struct use *less;
	size_t n;

	/* With `alone` there is no second pass: it is enough if either strategy
	 * allows it. */
	if ((initial || (second && f->s->alone))
	    && may_take(f, p, NULL, 0, false))
		return true;
	if (initial)
		return false;
	after = share_without(f, node, h, &less, &n);
	p.of_giver = &after;
	return may_take(f, p, less, n, true);
}

/* Does the strategy refuse all that `giver` has, since it does so without the least
 * that any of them uses? With histories no job may come close to it. */
static bool strategy_refuses_all(struct fair *f, struct pair_of_branches p,
				 int giver)
{
	const struct engine *e = f->s->e;
	struct queue *q = &e->queues[giver - (int) e->books->ncohorts];
	struct share after = *p.of_giver;
	const struct use *least = NULL;
	struct use *less;
	size_t n = 0;

	if (e->strategies[0] != FAIR_LESS_INITIAL) {
		least = queue_least(q, &n);
		less = scratch_reserve(f->s->e, SCRATCH_USES, n, sizeof(*less));
		if (!n || !less || f->s->alone)
			return false;
		for (size_t i = 0; i < n; i++)
			less[i] = (struct use) {
				least[i].pair,
				books_removable(e->books, giver, p.giver,
						least[i].pair, least[i].amount)
			};
		after = share_less(e->books, p.giver, less, n);
	}
	/* LessThanInitialShare does not even let equals take */
	return share_compare(p.of_taker, &after) >= (least ? 1 : 0)
	       && (!e->books->history
		   || shares_are_far(e->books, p.taker, p.of_taker, p.giver,
				     &after));
}

/* The next candidate of a queue that may go */
static bool usable_pop(struct fair *f, int giver, struct candidate *c)
{
	int cohort = f->s->e->books->nodes[giver].parent;
	struct stream *st = stream_of(f, giver);

	if (st->by_usage && !f->second)
		stream_sort(f->s, st);
	while (st->head.h) {
		*c = stream_pop(f, st);
		if ((!c->surplus || elastic_has_spare(c->h))
		    && !unit_is_taken(c->h, f->s->attempt)
		    && candidate_borrows(f->s, c->h, cohort))
			return true;
	}
	return false;
}

/* Takes the first candidate of a queue that the strategy allows; the others
 * before it go to the retry list. */
static bool give_by_share(struct fair *f, int giver)
{
	const struct books *b = f->s->e->books;
	struct pair_of_branches p;
	struct share preemptor, before;
	struct stream *st = stream_of(f, giver);
	struct candidate c;
	bool asked = false;
	int of_p, of_t;

	books_branches(b, f->s->q->node, giver, &of_p, &of_t);
	preemptor = *share_of(b, of_p);
	before = *share_of(b, of_t);
	p = (struct pair_of_branches) { of_p, of_t, &preemptor, &before };
	/* No strategy allows it. The other branches have no larger shares, and
	 * the preemptor's own one has nothing left that could change that. */
	if (share_compare(&preemptor, &before) > 0) {
		if (b->history)
			(void) may_take(f, p, NULL, 0, true);
		givers_close(&f->givers, b->nodes[of_t].parent);
		f->closed = true;
		return false;
	}
	while (usable_pop(f, giver, &c)) {
		if (strategy_allows(f, of_p, &preemptor, &before, of_t, c.h))
			return take(f, &c, VICTIM_FAIR_SHARING);
		if (!retry_add(f, &c))
			return false;
		f->inner |= b->nodes[of_t].parent != f->s->q->tree->root;
		if (asked || !st->head.h)
			continue;
		asked = true;
		st->refused = strategy_refuses_all(f, p, giver);
		if (!st->refused)
			continue;
		givers_close(&f->givers, giver);
		break;
	}
	return false;
}

/* The giver has given, or has nothing to give. True: it is enough. */
static bool giver_settle(struct fair *f, int giver, bool done)
{
	if (done)
		return true;
	if (f->unit)
		givers_renew(&f->givers);
	else
		givers_settle(&f->givers, giver);
	return false;
}

static bool first_pass(struct fair *f)
{
	struct search *s = f->s;
	bool reclaims = search_is_within_nominal(s, s->q->node);
	struct candidate c;
	int giver;

	while ((giver = givers_next(&f->givers)) != SPEC_NONE) {
		bool done = false;

		if (giver != s->q->node && !reclaims)
			done = give_by_share(f, giver);
		else if (usable_pop(f, giver, &c))
			done = take(f, &c, giver == s->q->node
					   ? c.reason : VICTIM_RECLAMATION);
		if (giver_settle(f, giver, done))
			return true;
	}
	return false;
}

/* A queue gives its first candidate, if the preemptor's share stays below its
 * own one. */
static bool give_again(struct fair *f, int giver)
{
	const struct books *b = f->s->e->books;
	struct candidate c;
	int of_p, of_t;

	if (!usable_pop(f, giver, &c))
		return false;
	givers_close(&f->givers, giver);
	books_branches(b, f->s->q->node, giver, &of_p, &of_t);
	return may_take(f, (struct pair_of_branches) {
			of_p, of_t, share_of(b, of_p), share_of(b, of_t)
		}, NULL, 0, false)
	       && take(f, &c, VICTIM_FAIR_SHARING);
}

static bool second_pass(struct fair *f)
{
	int giver;

	if (!retry_begin(f))
		return false;
	while ((giver = givers_next(&f->givers)) != SPEC_NONE) {
		if (giver_settle(f, giver, give_again(f, giver)))
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
	found = givers_begin(&f.givers, s) && first_pass(&f);
	if (!found && (f.nretry || closed_may_give(&f))
	    && (!s->everybody || s->picked)
	    && s->e->strategies[1] != FAIR_NONE)
		found = second_pass(&f);
	books_remove_all(s->e->books, s->q->node, s->demand, s->ndemand);
	if (s->everybody)
		return f.ntargets;
	while (!found && f.ntargets)
		elastic_give(f.targets[--f.ntargets].h);
	if (!found)
		return 0;
	s->borrowed = true;
	return targets_fill_back(s, f.targets, f.ntargets, true);
}
