/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.c - victims by fair share
 *
 * Queues that borrow most give way first, as long as the shares after the
 * exchange are in the order that the configured strategies ask for. The
 * preemptor's own demand is in the books while shares are compared.
 */
#include "elastic.h"
#include "share.h"
#include "target.h"

struct fair {
	struct search *s;
	struct target *targets;
	size_t ntargets;
	int *head, *tail;	/* by node: candidates left, or -1 */
};

/* ---- candidates by queue ---- */

static void list_append(struct fair *f, int i)
{
	struct candidate *c = candidate_at(f->s, i);
	int node = c->h->q->node;

	c->next = -1;
	if (f->head[node] < 0)
		f->head[node] = i;
	else
		candidate_at(f->s, f->tail[node])->next = i;
	f->tail[node] = i;
}

static int list_pop(struct fair *f, int node)
{
	int i = f->head[node];

	f->head[node] = candidate_at(f->s, i)->next;
	return i;
}

static bool queue_borrows_need(const struct search *s, int node)
{
	for (size_t i = 0; i < s->nneed; i++) {
		const struct cell *c = books_cell(s->e->books, node,
						  s->need[i]);

		if (c->usage > c->nominal)
			return true;
	}
	return false;
}

static bool fair_collect(struct search *s)
{
	const struct tree *tree = s->q->tree;

	if (!candidates_add_own(s))
		return false;
	for (size_t i = 0; s->q->spec.reclaim != POLICY_NEVER
			   && i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];

		if (q != s->q && queue_borrows_need(s, q->node)
		    && !candidates_add_other(s, q, tree->root, false))
			return false;
	}
	candidates_order(s);
	return true;
}

/* ---- whose turn it is to give ---- */

static bool is_below(const struct books *b, int node, int ancestor)
{
	while (node != SPEC_NONE && node != ancestor)
		node = b->nodes[node].parent;
	return node == ancestor;
}

/* A child that cannot give anything any more */
static bool child_is_spent(const struct fair *f, int k, struct share share)
{
	const struct books *b = f->s->e->books;

	if (b->nodes[k].is_queue)
		return f->head[k] < 0
		       || (!share.borrowing && k != f->s->q->node);
	return !share.borrowing && !is_below(b, f->s->q->node, k);
}

/* Of two queues with equal shares the one with the better candidate */
static bool head_before(const struct fair *f, int a, int b)
{
	return candidate_before(candidate_at(f->s, f->head[a]),
				candidate_at(f->s, f->head[b]));
}

struct choice {
	int node;		/* or SPEC_NONE */
	struct share share;
};

static void queue_consider(const struct fair *f, struct choice *best, int k,
			   struct share share)
{
	int order = best->node == SPEC_NONE
		    ? 1 : share_compare(share, best->share);

	if (order > 0 || (!order && head_before(f, k, best->node)))
		*best = (struct choice) { k, share };
}

static void cohort_consider(struct choice *best, int k, struct share share)
{
	if (best->node == SPEC_NONE || share_compare(share, best->share) >= 0)
		*best = (struct choice) { k, share };
}

/* The child of a cohort that has to give next, or SPEC_NONE */
static int child_choose(struct fair *f, int cohort)
{
	const struct books *b = f->s->e->books;
	bool *pruned = f->s->e->pruned;
	struct choice queue = { .node = SPEC_NONE };
	struct choice below = { .node = SPEC_NONE };

	for (int k = b->nodes[cohort].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling) {
		struct share share;

		if (pruned[k])
			continue;
		share = share_of(b, k);
		if (child_is_spent(f, k, share))
			pruned[k] = true;
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

/* The queue that has to give next, or SPEC_NONE if nobody can */
static int giver_next(struct fair *f)
{
	const struct books *b = f->s->e->books;
	int root = f->s->q->tree->root;
	int node = root;

	while (!f->s->e->pruned[root]) {
		int child;

		if (b->nodes[node].is_queue) {
			if (f->head[node] >= 0)
				return node;
			f->s->e->pruned[node] = true;
			continue;
		}
		child = child_choose(f, node);
		if (child != SPEC_NONE) {
			node = child;
			continue;
		}
		f->s->e->pruned[node] = true;
		node = root;
	}
	return SPEC_NONE;
}

static void givers_reset(struct fair *f)
{
	const struct tree *tree = f->s->q->tree;
	const struct books *b = f->s->e->books;

	for (size_t n = 0; n < b->nnodes; n++) {
		if (b->nodes[n].root == tree->root) {
			f->s->e->pruned[n] = false;
			f->head[n] = -1;
		}
	}
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

/* The demand, which is in the books, fits beside all the rest */
static bool fair_fits(struct search *s)
{
	bool fits;

	books_remove_all(s->e->books, s->q->node, s->demand, s->ndemand);
	fits = search_fits(s, true);
	books_add_all(s->e->books, s->q->node, s->demand, s->ndemand);
	return fits;
}

static bool take(struct fair *f, int i, enum victim_reason reason)
{
	struct holding *h = candidate_at(f->s, i)->h;

	target_remove(f->s->e, h);
	elastic_take(h);
	f->targets[f->ntargets++] = (struct target) { h, reason };
	return !f->s->everybody && fair_fits(f->s);
}

static struct share share_without(struct fair *f, int node, int i)
{
	struct holding *h = candidate_at(f->s, i)->h;
	struct share share;

	target_remove(f->s->e, h);
	share = share_of(f->s->e->books, node);
	target_restore(f->s->e, h);
	return share;
}

static bool strategy_allows(enum fair_strategy strategy, struct share preemptor,
			    struct share before, struct share after)
{
	if (strategy == FAIR_LESS_INITIAL)
		return share_compare(preemptor, before) < 0;
	return share_compare(preemptor, after) <= 0;
}

static bool queue_within_nominal(const struct search *s)
{
	for (size_t i = 0; i < s->nneed; i++) {
		const struct cell *c = books_cell(s->e->books, s->q->node,
						  s->need[i]);

		if (c->usage > c->nominal)
			return false;
	}
	return true;
}

/* The next candidate of a queue that may go, or -1 */
static int usable_pop(struct fair *f, int giver)
{
	while (f->head[giver] >= 0) {
		int i = list_pop(f, giver);
		const struct candidate *c = candidate_at(f->s, i);

		if (!c->surplus || elastic_has_spare(c->h))
			return i;
	}
	return -1;
}

/* Takes the first candidate of a queue that the strategy allows; the others
 * before it go to the retry list. */
static bool give_by_share(struct fair *f, int giver, int *retry, size_t *nretry)
{
	const struct books *b = f->s->e->books;
	struct share preemptor, before;
	int of_p, of_t;

	branches(b, f->s->q->node, giver, &of_p, &of_t);
	preemptor = share_of(b, of_p);
	before = share_of(b, of_t);
	for (int i; (i = usable_pop(f, giver)) >= 0; ) {
		if (strategy_allows(f->s->e->strategies[0], preemptor, before,
				    share_without(f, of_t, i)))
			return take(f, i, VICTIM_FAIR_SHARING);
		retry[(*nretry)++] = i;
	}
	return false;
}

static bool first_pass(struct fair *f, int *retry, size_t *nretry)
{
	struct search *s = f->s;
	bool reclaims = queue_within_nominal(s);
	int giver;

	for (size_t i = 0; i < s->ncands; i++)
		list_append(f, i);
	while ((giver = giver_next(f)) != SPEC_NONE) {
		bool done = false;
		int i;

		if (giver == s->q->node) {
			i = usable_pop(f, giver);
			if (i >= 0)
				done = take(f, i, candidate_at(s, i)->reason);
		} else if (reclaims) {
			i = usable_pop(f, giver);
			if (i >= 0)
				done = take(f, i, VICTIM_RECLAMATION);
		} else {
			done = give_by_share(f, giver, retry, nretry);
		}
		if (done)
			return true;
	}
	return false;
}

static bool second_pass(struct fair *f, const int *retry, size_t nretry)
{
	const struct books *b = f->s->e->books;
	int giver;

	givers_reset(f);
	for (size_t i = 0; i < nretry; i++)
		list_append(f, retry[i]);
	while ((giver = giver_next(f)) != SPEC_NONE) {
		int i = usable_pop(f, giver);
		int of_p, of_t;

		if (i < 0)
			continue;
		branches(b, f->s->q->node, giver, &of_p, &of_t);
		if (share_compare(share_of(b, of_p), share_of(b, of_t)) < 0
		    && take(f, i, VICTIM_FAIR_SHARING))
			return true;
		f->s->e->pruned[giver] = true;
	}
	return false;
}

static int fair_prepare(struct fair *f)
{
	struct search *s = f->s;
	size_t nnodes = s->e->books->nnodes;

	if (!fair_collect(s))
		return -1;
	f->targets = scratch_reserve(s->e, SCRATCH_TARGETS, s->ncands,
				     sizeof(*f->targets));
	f->head = scratch_reserve(s->e, SCRATCH_RETRY, 2 * nnodes + s->ncands,
				  sizeof(*f->head));
	if (!f->targets || !f->head)
		return -1;
	f->tail = f->head + nnodes;
	givers_reset(f);
	return 0;
}

size_t targets_fair(struct search *s, struct target **targets)
{
	struct fair f = { .s = s };
	size_t nretry = 0;
	int *retry;
	bool found;

	if (fair_prepare(&f) < 0)
		return 0;
	*targets = f.targets;
	retry = f.tail + s->e->books->nnodes;
	books_add_all(s->e->books, s->q->node, s->demand, s->ndemand);
	found = first_pass(&f, retry, &nretry);
	if (!found && !s->everybody && s->e->strategies[1] != FAIR_NONE)
		found = second_pass(&f, retry, nretry);
	books_remove_all(s->e->books, s->q->node, s->demand, s->ndemand);
	if (s->everybody)
		return f.ntargets;
	if (!found)
		return 0;
	return targets_fill_back(s, f.targets, f.ntargets, true);
}
