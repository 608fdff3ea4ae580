/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.c - victims by fair share
 *
 * Queues that borrow most give way first, as long as the shares after the
 * exchange are in the order that the configured strategies ask for. The
 * preemptor's own demand is in the books while shares are compared.
 */
#include "core/trial.h"
#include "workload/elastic.h"
#include "quota/share.h"
#include "victims/fair.h"
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
	uint64_t pass;			/* nodes with this number are pruned */
	bool second;			/* the pass over the retry list */
	struct retry *retry;
	size_t nretry;
};

/* ---- candidates by queue ---- */

/* NULL: the queue has no candidates left */
static struct stream *stream_of(const struct fair *f, int node)
{
	const struct engine *e = f->s->e;
	const struct queue *q = &e->queues[node - (int) e->books->ncohorts];

	if (q->searched != f->s->number || !q->stream->head.h)
		return NULL;
	return q->stream;
}

static struct candidate stream_pop(struct fair *f, struct stream *st)
{
	struct candidate c = st->head;

	if (!f->second) {
		stream_next(f->s, st);
		return c;
	}
	st->retry = f->retry[st->retry].next;
	if (st->retry >= 0)
		st->head = f->retry[st->retry].c;
	else
		st->head.h = NULL;
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

/* From now on the streams are those of the retry list */
static void retry_begin(struct fair *f)
{
	f->second = true;
	f->pass = ++f->s->e->passes;
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

/* ---- which queue gives next ---- */

static bool is_below(const struct books *b, int node, int ancestor)
{
	while (node != SPEC_NONE && node != ancestor)
		node = b->nodes[node].parent;
	return node == ancestor;
}

static bool is_pruned(const struct fair *f, int node)
{
	return f->s->e->pruned[node] == f->pass;
}

static void prune(struct fair *f, int node)
{
	f->s->e->pruned[node] = f->pass;
}

/* A child that can give nothing more */
static bool child_is_spent(const struct fair *f, int k,
			   const struct share *share)
{
	const struct books *b = f->s->e->books;

	if (b->nodes[k].is_queue)
		return !stream_of(f, k)
		       || (!share->borrowing && k != f->s->q->node);
	return !share->borrowing && !is_below(b, f->s->q->node, k);
}

/* Of two queues with equal shares: a has the better candidate */
static bool head_before(const struct fair *f, int a, int b)
{
	return candidate_before(&stream_of(f, a)->head, &stream_of(f, b)->head);
}

struct choice {
	int node;		/* or SPEC_NONE */
	const struct share *share;
};

static void queue_consider(const struct fair *f, struct choice *best, int k,
			   const struct share *share)
{
	int order = best->node == SPEC_NONE
		    ? 1 : share_compare(share, best->share);

	if (order > 0 || (!order && head_before(f, k, best->node)))
		*best = (struct choice) { k, share };
}

static void cohort_consider(struct choice *best, int k,
			    const struct share *share)
{
	if (best->node == SPEC_NONE || share_compare(share, best->share) >= 0)
		*best = (struct choice) { k, share };
}

/* The child of a cohort that has to give next, or SPEC_NONE */
static int child_choose(struct fair *f, int cohort)
{
	const struct books *b = f->s->e->books;
	struct choice queue = { .node = SPEC_NONE };
	struct choice below = { .node = SPEC_NONE };

	for (int k = b->nodes[cohort].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling) {
		const struct share *share;

		if (is_pruned(f, k))
			continue;
		share = share_of(b, k);
		if (child_is_spent(f, k, share))
			prune(f, k);
		else if (b->nodes[k].is_queue)
			queue_consider(f, &queue, k, share);
		else
			cohort_consider(&below, k, share);
	}
	if (below.node == SPEC_NONE)
		return queue.node;
	if (queue.node == SPEC_NONE
	    || share_compare(below.share, queue.share) >= 0)
		return below.node;
	return queue.node;
}

/* The queue that has to give next, or SPEC_NONE if none can */
static int giver_next(struct fair *f)
{
	const struct books *b = f->s->e->books;
	int root = f->s->q->tree->root;
	int node = root;

	while (!is_pruned(f, root)) {
		int child;

		if (b->nodes[node].is_queue) {
			if (stream_of(f, node))
				return node;
			prune(f, node);
			continue;
		}
		child = child_choose(f, node);
		if (child != SPEC_NONE) {
			node = child;
			continue;
		}
		prune(f, node);
		node = root;
	}
	return SPEC_NONE;
}

/* ---- the two passes ---- */

/* The children of the lowest common ancestor on the two paths */
static void branches(const struct books *b, int p, int t, int *of_p, int *of_t)
{
	int child = p;

	for (int n = b->nodes[p].parent; !is_below(b, t, n);
	     n = b->nodes[n].parent)
		child = n;
	*of_p = child;
	child = t;
	for (int n = b->nodes[t].parent; !is_below(b, p, n);
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

/* The share of a node if h, which is below the node or in it, was gone */
static struct share share_without(struct fair *f, int node,
				  const struct holding *h)
{
	const struct books *b = f->s->e->books;
	struct use *less = scratch_reserve(f->s->e, SCRATCH_USES, h->nuses,
					   sizeof(*less));
	size_t n = less ? uses_merge(h, less) : 0;

	for (size_t i = 0; i < n; i++)
		less[i].amount = books_removable(b, h->q->node, node,
						 less[i].pair, less[i].amount);
	return share_less(b, node, less, n);
}

/* Would the strategy let the preemptor have what h uses below `node`? */
static bool strategy_allows(struct fair *f, const struct share *preemptor,
			    const struct share *before, int node,
			    const struct holding *h)
{
	const enum fair_strategy *strategies = f->s->e->strategies;
	bool initial = strategies[0] == FAIR_LESS_INITIAL;
	bool second = strategies[1] == FAIR_LESS_INITIAL;
	struct share after;

	/* With `alone` there is no second pass: it is enough if either strategy
	 * allows it. */
	if ((initial || (second && f->s->alone))
	    && share_compare(preemptor, before) < 0)
		return true;
	if (initial)
		return false;
	after = share_without(f, node, h);
	return share_compare(preemptor, &after) <= 0;
}

/* The next candidate of a queue that may go */
static bool usable_pop(struct fair *f, int giver, struct candidate *c)
{
	int cohort = f->s->e->books->nodes[giver].parent;
	struct stream *st;

	while ((st = stream_of(f, giver))) {
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
	int of_p, of_t;

	branches(b, f->s->q->node, giver, &of_p, &of_t);
	preemptor = *share_of(b, of_p);
	before = *share_of(b, of_t);
	while (usable_pop(f, giver, &c)) {
		if (strategy_allows(f, &preemptor, &before, of_t, c.h))
			return take(f, &c, VICTIM_FAIR_SHARING);
		if (!retry_add(f, &c))
			return false;
	}
	return false;
}

static bool first_pass(struct fair *f)
{
	struct search *s = f->s;
	bool reclaims = search_is_within_nominal(s, s->q->node);
	struct candidate c;
	int giver;

	while ((giver = giver_next(f)) != SPEC_NONE) {
		bool done = false;

		if (giver != s->q->node && !reclaims)
			done = give_by_share(f, giver);
		else if (usable_pop(f, giver, &c))
			done = take(f, &c, giver == s->q->node
					   ? c.reason : VICTIM_RECLAMATION);
		if (done)
			return true;
	}
	return false;
}

static bool second_pass(struct fair *f)
{
	const struct books *b = f->s->e->books;
	struct candidate c;
	int giver;

	retry_begin(f);
	while ((giver = giver_next(f)) != SPEC_NONE) {
		int of_p, of_t;

		if (!usable_pop(f, giver, &c))
			continue;
		branches(b, f->s->q->node, giver, &of_p, &of_t);
		if (share_compare(share_of(b, of_p), share_of(b, of_t)) < 0
		    && take(f, &c, VICTIM_FAIR_SHARING))
			return true;
		prune(f, giver);
	}
	return false;
}

size_t targets_fair(struct search *s, struct target **targets)
{
	struct fair f = { .s = s, .pass = ++s->e->passes };
	bool found;

	if (!fair_collect(s))
		return 0;
	s->attempt = ++s->e->attempts;
	f.targets = targets_reserve(s);
	if (!f.targets)
		return 0;
	*targets = f.targets;
	books_add_all(s->e->books, s->q->node, s->demand, s->ndemand);
	found = first_pass(&f);
	if (!found && f.nretry && (!s->everybody || s->picked)
	    && s->e->strategies[1] != FAIR_NONE)
		found = second_pass(&f);
	books_remove_all(s->e->books, s->q->node, s->demand, s->ndemand);
	if (s->everybody)
		return f.ntargets;
	while (!found && f.ntargets)
		elastic_give(f.targets[--f.ntargets].h);
	if (!found)
		return 0;
	return targets_fill_back(s, f.targets, f.ntargets, true);
}
