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
#include "holding/elastic.h"
#include "holding/trial.h"
#include "candidates/ends.h"
#include "victims/find.h"
#include "victims/givers.h"
#include "victims/ranking_walk.h"
#include "victims/strategy.h"
#include "holding/unit.h"

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
					 * place of the tree; */
	bool apart;			/* with the last one, from other queues: places
					 * of givers are to be found anew */
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
	return f->unit || (f->closed && (f->late || f->inner
					 || f->s->refused_inner));
}

/* What is left of streams that the first pass has closed, or has refused as a
 * whole, comes behind their candidates in the retry list. */
static bool rest_add(struct fair *f)
{
	bool closed = closed_may_give(f);

	for (size_t i = 0; i < f->s->nstreams; i++) {
		struct stream *st = &f->s->streams[i];

		if (!closed && !st->refused
		    && !ranking_is_refused(f->s, st->q->node))
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
	ranking_rewind(f->s, closed_may_give(f));
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

/* All that may have candidates */
static void others_open(struct search *s)
{
	const struct tree *tree = s->q->tree;

	for (size_t i = 0; i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];

		if (q != s->q && !search_is_within_nominal(s, q->node))
			stream_open_other(s, q, tree->root, false);
	}
}

static bool fair_collect(struct search *s)
{
	if (!streams_begin(s))
		return false;
	stream_open_own(s);
	if (s->q->spec.reclaim == POLICY_NEVER)
		return !s->e->no_memory;
	ranking_renew(s);
	if (s->is_ranked)
		ends_survey(s);
	else
		others_open(s);
	return !s->e->no_memory;
}

/* ---- the two passes ---- */

/* The demand, which is in the books, fits beside all other usage. */
static bool fair_fits(struct search *s)
{
	bool fits;

	books_remove_all(s->e->books, s->q->node, s->demand, s->ndemand);
	fits = search_fits(s, !s->keeps_nominal);
	books_add_all(s->e->books, s->q->node, s->demand, s->ndemand);
	return fits;
}

/* The queues of the members may not be open yet. They count as they were before. */
static void unit_leaves(struct fair *f, struct holding *h)
{
	const struct search *s = f->s;

	for_each_in_unit(m, h) {
		f->apart |= m->q != h->q;
		if (m->q->tree == s->q->tree
		    && !search_is_within_nominal(s, m->q->node))
			m->q->borrowed = s->number;
	}
}

static bool take(struct fair *f, const struct candidate *c,
		 enum victim_reason reason)
{
	if (c->h->unit) {
		unit_leaves(f, c->h);
		f->s->moved = true;
	}
	if (!f->s->alone) {
		target_remove(f->s->e, c->h);
		ranking_take(f->s, c->h);
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

/* The next candidate of a queue that may go */
static bool usable_pop(struct fair *f, int giver, struct candidate *c)
{
	int cohort = f->s->e->books->nodes[giver].parent;
	struct stream *st = stream_of(f, giver);

	if (st->by_usage)
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

/* Takes the first candidate of a queue that the strategy allows, or of all if the
 * preemptor's branch has back what it owns; the others before it go to the retry list. */
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
	if (branch_reclaims(f->s, of_p))
		return usable_pop(f, giver, &c) && take(f, &c, VICTIM_RECLAMATION);
	preemptor = *share_of(b, of_p);
	before = *share_of(b, of_t);
	p = (struct pair_of_branches) { of_p, of_t, &preemptor, &before };
	/* No strategy allows it. The other branches have no larger shares, and
	 * the preemptor's own one has nothing left that could change that. */
	if (share_compare(&preemptor, &before) > 0) {
		if (b->history)
			(void) may_take(f->s, p, NULL, 0, true);
		givers_close(&f->givers, b->nodes[of_t].parent);
		f->closed = true;
		return false;
	}
	while (usable_pop(f, giver, &c)) {
		if (strategy_allows(f->s, p, c.h))
			return take(f, &c, VICTIM_FAIR_SHARING);
		if (!retry_add(f, &c))
			return false;
		f->inner |= b->nodes[of_t].parent != f->s->q->tree->root;
		if (asked)
			continue;
		asked = true;
		if (strategy_refuses_cohort(f->s, p)) {
			ranking_refuse(f->s, of_t);
			givers_close(&f->givers, of_t);
			break;
		}
		if (!st->head.h)
			continue;
		st->refused = strategy_refuses_queue(f->s, p, st->q);
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
	if (f->apart)
		givers_renew(&f->givers);
	else
		givers_settle(&f->givers, giver);
	f->apart = false;
	return false;
}

/* The next one that may give at all */
static int giver_next(struct fair *f)
{
	int giver, within;

	while ((giver = givers_next(&f->givers)) != SPEC_NONE) {
		within = branch_within_quota(f->s, giver);
		if (within == SPEC_NONE)
			break;
		givers_close(&f->givers, within);
		givers_settle(&f->givers, giver);
	}
	return giver;
}

static bool first_pass(struct fair *f)
{
	struct search *s = f->s;
	bool reclaims = search_is_within_nominal(s, s->q->node);
	struct candidate c;
	int giver;

	s->judges = !reclaims;
	while ((giver = giver_next(f)) != SPEC_NONE) {
		bool done = false;

		if (s->outside_only && !branch_owns_demand(s, giver))
			givers_close(&f->givers, giver);
		else if (giver != s->q->node && !reclaims)
			done = give_by_share(f, giver);
		else if (usable_pop(f, giver, &c))
			done = take(f, &c, giver == s->q->node
					   ? c.reason : VICTIM_RECLAMATION);
		if (giver_settle(f, giver, done))
			return true;
	}
	return false;
}

/* A queue gives its first candidate, if the preemptor's share stays below its own one, or
 * its branch has back what it owns. */
static bool give_again(struct fair *f, int giver)
{
	const struct books *b = f->s->e->books;
	struct candidate c;
	int of_p, of_t;

	if (!usable_pop(f, giver, &c))
		return false;
	books_branches(b, f->s->q->node, giver, &of_p, &of_t);
	if (branch_reclaims(f->s, of_p))
		return take(f, &c, VICTIM_RECLAMATION);
	givers_close(&f->givers, giver);
	return may_take(f->s, (struct pair_of_branches) {
			of_p, of_t, share_of(b, of_p), share_of(b, of_t)
		}, NULL, 0, false)
	       && take(f, &c, VICTIM_FAIR_SHARING);
}

static bool second_pass(struct fair *f)
{
	int giver;

	if (!retry_begin(f))
		return false;
	while ((giver = giver_next(f)) != SPEC_NONE) {
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
	branches_note(s);
	found = givers_begin(&f.givers, s) && first_pass(&f);
	if (!found && !s->outside_only
	    && (f.nretry || s->refused || closed_may_give(&f))
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
	s->borrowed = !s->keeps_nominal;
	return targets_fill_back(s, f.targets, f.ntargets, s->borrowed);
}
