/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.c - victims by fair share
 *
 * Queues that borrow most give way first, as long as the shares after the
 * exchange are in the order that the configured strategies ask for. The
 * preemptor's own demand is in the books while shares are compared.
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "workload/elastic.h"
#include "quota/share.h"
#include "quota/crossing.h"
#include "victims/fair.h"
#include "victims/givers.h"
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
	bool late;			/* somebody went after that */
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

/* What is left of streams that the first pass has closed comes behind their
 * candidates in the retry list. */
static bool rest_add(struct fair *f)
{
	for (size_t i = 0; closed_may_give(f) && i < f->s->nstreams; i++) {
		struct stream *st = &f->s->streams[i];

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
	for (size_t i = 0; s->q->spec.reclaim != POLICY_NEVER
			   && i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];

		if (q != s->q && !search_is_within_nominal(s, q->node))
			stream_open_other(s, q, tree->root, false);
	}
	return !s->e->no_memory;
}

/* ---- the two passes ---- */

/* The children of the lowest common ancestor on the two paths */
static void branches(const struct books *b, int p, int t, int *of_p, int *of_t)
{
	int child = p;

	for (int n = b->nodes[p].parent; !books_is_below(b, t, n);
	     n = b->nodes[n].parent)
		child = n;
	*of_p = child;
	child = t;
	for (int n = b->nodes[t].parent; !books_is_below(b, p, n);
	     n = b->nodes[n].parent)
		child = n;
	*of_t = child;
}

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
	f->targets[f->ntargets++] = (struct target) { c->h, reason };
	return !f->s->everybody && fair_fits(f->s);
}

/* Writes what h uses into less[], no pair twice. There is room for all of
 * it. */
static size_t uses_merge(const struct holding *h, struct use *less)
{
	size_t n = 0;

	for (size_t i = 0; i < h->nuses; i++) {
		size_t k = 0;

		while (k < n && less[k].pair != h->uses[i].pair)
			k++;
		if (k == n)
			less[n++] = h->uses[i];
		else
			less[k].amount = sat_add(less[k].amount,
						 h->uses[i].amount);
	}
	return n;
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
static bool may_take_lately(const struct fair *f, const struct taking *t,
			    const struct share *preemptor,
			    const struct share *giver)
{
	struct passed_over *passed = &f->s->e->searches->passed;
	int64_t at;

	if (share_may_take(t, preemptor, giver))
		return true;
	at = crossing_at(t, preemptor, giver, f->s->now);
	if (at && (!passed->turn || at < passed->turn))
		passed->turn = at;
	return false;
}

/* The preemptor's branch wants something of the branch `giver`, see struct
 * taking. */
static inline bool may_take(const struct fair *f, const struct taking *t,
			    const struct share *preemptor,
			    const struct share *giver)
{
	return t->books->history ? may_take_lately(f, t, preemptor, giver)
				 : taking_is_in_order(t, preemptor, giver);
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
	struct taking t = { f->s->e->books, branch, node, NULL, 0, false };
	struct share after;
	struct use *less;

	/* With `alone` there is no second pass: it is enough if either strategy
	 * allows it. */
	if ((initial || (second && f->s->alone))
	    && may_take(f, &t, preemptor, before))
		return true;
	if (initial)
		return false;
	after = share_without(f, node, h, &less, &t.n);
	t.less = less;
	t.or_equal = true;
	return may_take(f, &t, preemptor, &after);
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
	struct share preemptor, before;
	struct candidate c;
	struct taking t;
	int of_p, of_t;

	branches(b, f->s->q->node, giver, &of_p, &of_t);
	preemptor = *share_of(b, of_p);
	before = *share_of(b, of_t);
	/* No strategy allows it. The other branches have no larger shares, and
	 * the preemptor's own one has nothing left that could change that. */
	if (share_compare(&preemptor, &before) > 0) {
		if (b->history) {
			t = (struct taking) { b, of_p, of_t, NULL, 0, true };
			(void) may_take_lately(f, &t, &preemptor, &before);
		}
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
	struct taking t;
	int of_p, of_t;

	if (!usable_pop(f, giver, &c))
		return false;
	givers_close(&f->givers, giver);
	branches(b, f->s->q->node, giver, &of_p, &of_t);
	t = (struct taking) { b, of_p, of_t, NULL, 0, false };
	return may_take(f, &t, share_of(b, of_p), share_of(b, of_t))
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
