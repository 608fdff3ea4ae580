/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranking.c - fair sharing: the children of each cohort by how much they borrow
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "lib/arena.h"
#include "holding/holding.h"
#include "holding/least.h"
#include "quota/history.h"
#include "quota/share.h"
#include "candidates/ends.h"
#include "candidates/fronts.h"
#include "victims/ranking.h"
#include "holding/unit.h"

/* Of equal shares: cohorts come first, the last one of them; then the queue with
 * the better front */
static int child_order(const struct ranked *a, const struct ranked *b)
{
	int order;

	if (!a->q != !b->q)
		return a->q ? 1 : -1;
	if (!a->q)
		return b->slot - a->slot;
	order = front_order(a->front, b->front);
	return order ? order : a->slot - b->slot;
}

bool ranked_is_before(const struct ranked *a, const struct ranked *b)
{
	int order = share_compare(&b->share, &a->share);

	return order ? order < 0 : child_order(a, b) < 0;
}

static bool ranked_before(const struct rank_node *x, const struct rank_node *y)
{
	return ranked_is_before(ranked_at(x), ranked_at(y));
}

static bool is_same(const struct share *a, const struct share *b)
{
	return a->ratio == b->ratio && a->weight == b->weight
	       && a->borrowing == b->borrowing;
}

static const struct share *larger(const struct share *share,
				  const struct rank_node *below)
{
	const struct share *most;

	if (!below)
		return share;
	most = &ranked_at(below)->most_kept;
	return share_compare(most, share) > 0 ? most : share;
}

static int64_t lowest_below(const struct rank_node *place)
{
	return place ? ranked_at(place)->lowest_below : INT64_MAX;
}

static bool most_renew(struct rank_node *place)
{
	struct ranked *r = ranked_at(place);
	struct share most = *larger(larger(&r->kept, place->left),
				    place->right);
	bool changed = !is_same(&most, &r->most_kept);

	r->most_kept = most;
	return changed;
}

static bool most_and_lowest_renew(struct rank_node *place)
{
	struct ranked *r = ranked_at(place);
	int64_t lowest = min64(r->lowest, min64(lowest_below(place->left),
						lowest_below(place->right)));
	bool changed = lowest != r->lowest_below;

	r->lowest_below = lowest;
	return most_renew(place) || changed;
}

static const struct rank_order by_share = { ranked_before, most_renew };
static const struct rank_order by_share_and_lowest = {
	ranked_before, most_and_lowest_renew
};

/* LessThanInitialShare does not ask what is left. */
static struct share share_without(const struct engine *e,
				  const struct ranks *o, const struct ranked *r)
{
	const struct use *least;
	size_t n;

	if (e->strategies[0] == FAIR_LESS_INITIAL)
		return r->share;
	if (!r->q)
		return leasts_share(e, o->rankings[r->node].leasts, r->node);
	least = queue_least(r->q, e->searches->safe_after, o->of.bits, &n);
	return n ? share_less(e->books, r->node, least, n) : r->share;
}

/* What the strategies leave it at the least */
static struct share share_kept(const struct engine *e, const struct ranks *o,
			       const struct ranked *r)
{
	const struct history *history = e->books->history;
	struct share kept = share_without(e, o, r);

	if (history)
		kept.ratio += history->gain[r->node];
	return kept;
}

static struct ranking *ranking_above(const struct engine *e,
				     const struct ranks *o, int node)
{
	return &o->rankings[e->books->nodes[node].parent];
}

/* Of a child that is in the ranking */
static int64_t lowest_of(const struct ranks *o, const struct ranked *r)
{
	if (!r->q)
		return lowest_below(o->rankings[r->node].set.root);
	return r->front->evicting ? INT64_MIN : r->front->priority;
}

/* The cohorts above may not have changed, and have a front of lower priority below them
 * now. */
static void lowest_tell(struct engine *e, const struct ranks *o,
			const struct ranked *r)
{
	const struct node *nodes = e->books->nodes;

	for (int cohort = nodes[r->node].parent;
	     nodes[cohort].parent != SPEC_NONE; cohort = nodes[cohort].parent) {
		struct ranked *above = &o->ranked[cohort];

		if (above->lowest <= r->lowest)
			return;
		above->lowest = r->lowest;
		if (above->is_in)
			rankset_renew(&ranking_above(e, o, cohort)->set,
				      &above->place);
	}
}

/* Puts the child in its place by the books as they are. Whoever has gone stays
 * gone in a cycle: of a queue, all before `from`. */
static void ranked_renew(struct engine *e, const struct ranks *o,
			 struct ranked *r, struct holding *from)
{
	const struct share *share = share_watch(e->books, r->node);
	struct rankset *set = &ranking_above(e, o, r->node)->set;
	struct holding *front = r->q ? front_first(e, r->q, from, &o->of) : NULL;
	bool is_in = r->q ? front != NULL : share->borrowing;

	if (is_in && r->is_in && front == r->front
	    && is_same(share, &r->share)) {
		r->kept = share_kept(e, o, r);
		/* a queue's is that of its front */
		if (!r->q && e->searches->ranks_lowest)
			r->lowest = lowest_of(o, r);
		rankset_renew(set, &r->place);
		return;
	}
	if (r->is_in)
		rankset_remove(set, &r->place);
	r->is_in = is_in;
	r->front = front;
	if (!is_in)
		return;
	if (e->searches->ranks_lowest)
		r->lowest = lowest_of(o, r);
	r->share = *share;
	r->kept = r->most_kept = share_kept(e, o, r);
	r->lowest_below = r->lowest;
	rankset_insert(set, &r->place, 1);
}

/* What leaves the cohort of a node if less[0..n) leaves the node, and how many pairs these
 * are. A queue keeps a part of its quota to itself: as far as it uses more than that now, its
 * cohort uses less. What a cohort keeps may be all that a job there uses. */
static size_t less_above(const struct books *b, int node, struct use *less,
			 size_t n)
{
	const struct node *of = &b->nodes[node];
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct use u = less[i];

		if (of->is_queue)
			u.amount = books_removable(b, node, of->parent, u.pair,
						   u.amount);
		else if (books_quota(b, node, u.pair)->local)
			u.amount = 0;
		if (u.amount > 0)
			less[kept++] = u;
	}
	return kept;
}

static bool keeps_any(const struct books *b, const struct queue *q,
		      const struct use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (books_quota(b, q->node, uses[i].pair)->local)
			return true;
	}
	return false;
}

/* The queue is in the ranking: what it has may be taken from the cohorts above. Of the
 * root nobody asks. Returns whether that is news to them. */
static bool queue_count(struct engine *e, const struct ranks *o,
			struct ranked *r)
{
	const struct node *nodes = e->books->nodes;
	const struct use *uses;
	struct use *less;
	bool news = false;
	size_t n;

	r->counted = nodes[nodes[r->node].parent].parent == SPEC_NONE;
	if (r->counted)
		return false;
	uses = queue_least(r->q, e->searches->safe_after, o->of.bits, &n);
	less = scratch_reserve(e, SCRATCH_USES, n, sizeof(*less));
	if (!less)
		return false;
	for (size_t i = 0; i < n; i++)
		less[i] = uses[i];
	r->counted = !keeps_any(e->books, r->q, less, n);
	e->searches->ranks_keep |= !r->counted;
	for (int node = r->node, cohort = nodes[node].parent;
	     nodes[cohort].parent != SPEC_NONE;
	     node = cohort, cohort = nodes[node].parent) {
		n = less_above(e->books, node, less, n);
		if (!leasts_add(e, o->rankings[cohort].leasts, less, n))
			break;
		news = true;
	}
	return news;
}

static void queue_begin(struct engine *e, const struct ranks *o,
			struct ranked *r, int64_t now)
{
	struct queue *q = &e->queues[r->node - (int) e->books->ncohorts];

	holdings_date(q, now);
	r->q = q;
	ranked_renew(e, o, r, q->holdings);
	if (r->is_in)
		(void) queue_count(e, o, r);
}

static void children_begin(struct engine *e, const struct ranks *o, int cohort,
			   int64_t now)
{
	const struct node *nodes = e->books->nodes;
	struct ranking *ranking = &o->rankings[cohort];

	*ranking = (struct ranking) { .leasts = leasts_create(e) };
	rankset_init(&ranking->set, e->searches->ranks_lowest ? &by_share_and_lowest : &by_share);
	rankset_know(&ranking->set);
	for (int k = nodes[cohort].first_child; k != SPEC_NONE && !e->no_memory;
	     k = nodes[k].next_sibling) {
		struct ranked *r = &o->ranked[k];

		*r = (struct ranked) { .node = k, .slot = nodes[k].slot };
		if (nodes[k].is_queue) {
			queue_begin(e, o, r, now);
			continue;
		}
		children_begin(e, o, k, now);
		if (!e->no_memory)
			ranked_renew(e, o, r, NULL);
	}
}

/* Some queue may evict from lower priorities only. */
static bool asks_for_lowest(const struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		enum policy policy = tree->queues[i]->spec.reclaim;

		if (policy != POLICY_ANY && policy != POLICY_NEVER)
			return true;
	}
	return false;
}

void ranking_begin(struct engine *e, const struct tree *tree, int64_t now)
{
	struct searches *all = e->searches;
	struct ranks *o = &all->ranks[0];

	if (!e->fair_sharing || e->books->nodes[tree->root].is_queue)
		return;
	o->of = (struct needed_pairs) { .bits = UINT64_MAX };
	o->rankings = scratch_reserve(e, SCRATCH_RANKINGS, e->books->ncohorts,
				      sizeof(*o->rankings));
	if (!o->rankings)
		return;
	o->ranked = scratch_reserve(e, SCRATCH_RANKED, e->books->nnodes,
				    sizeof(*o->ranked));
	e->books->nchanged = 0;
	all->ranks_lowest = asks_for_lowest(tree);
	all->ranks_keep = false;
	ends_begin(e, tree, now);
	if (o->ranked)
		children_begin(e, o, tree->root, now);
	all->nranks = !e->no_memory;
}

void ranking_end(struct engine *e)
{
	e->searches->nranks = 0;
	ends_end(e);
}

void ranking_recount(struct search *s, const struct holding *h)
{
	if (!s->is_ranked)
		return;
	for_each_in_unit(m, (struct holding *) h) {
		struct ranked *r = &s->ranks->ranked[m->q->node];

		if (m->q->tree == s->q->tree && r->is_in && !r->counted
		    && s->e->books->nodes[m->q->node].borrowed)
			(void) queue_count(s->e, s->ranks, r);
	}
}

void ranking_leave(struct engine *e, const struct holding *h)
{
	for_each_in_unit(m, (struct holding *) h) {
		if (e->searches->nranks)
			books_forget_share(e->books, m->q->node);
	}
}

/* The cohorts above may keep less then, even if they borrow as much. */
static void queue_enters(struct engine *e, const struct ranks *o,
			 struct ranked *r)
{
	const struct node *nodes = e->books->nodes;

	if (!queue_count(e, o, r))
		return;
	for (int cohort = nodes[r->node].parent;
	     nodes[cohort].parent != SPEC_NONE; cohort = nodes[cohort].parent)
		ranked_renew(e, o, &o->ranked[cohort], NULL);
}

static void node_renew(struct engine *e, const struct ranks *o, int node)
{
	struct ranked *r = &o->ranked[node];

	ranked_renew(e, o, r, r->front ? r->front : r->q ? r->q->holdings : NULL);
	if (!r->is_in)
		return;
	if (e->searches->ranks_lowest)
		lowest_tell(e, o, r);
	if (r->q && !r->counted)
		queue_enters(e, o, r);
}

/* ---- of some pairs ---- */

static bool ranks_make(struct search *s, struct ranks *o)
{
	struct engine *e = s->e;

	o->ranked = arena_alloc(&e->arena, e->books->nnodes, sizeof(*o->ranked));
	o->rankings = arena_alloc(&e->arena, e->books->ncohorts, sizeof(*o->rankings));
	if (!needed_pairs_keep(s, &o->of) || !o->ranked || !o->rankings)
		return false;
	children_begin(e, o, s->q->tree->root, s->now);
	return !e->no_memory;
}

/* That of the pairs that the search needs, if there is one. If searches have gone astray
 * as often as there are queues, it is made. */
static const struct ranks *ranks_choose(struct search *s)
{
	struct searches *all = s->e->searches;
	struct ranks *o = all->ranks + 1;

	while (o < all->ranks + all->nranks && !search_follows(s, &o->of))
		o++;
	if (o < all->ranks + all->nranks)
		return o;
	if (all->astray < s->q->tree->nqueues || all->nranks == 1 + FRONT_ORDERS)
		return all->ranks;
	all->astray = 0;
	if (!ranks_make(s, o))
		return all->ranks;
	all->nranks++;
	return o;
}

/* Nodes of other trees may have changed since they were ranked. */
void ranking_renew(struct search *s)
{
	struct books *b = s->e->books;
	struct searches *all = s->e->searches;
	int root = s->q->tree->root;

	if (!all->nranks || s->everybody)
		return;
	for (size_t i = 0; i < b->nchanged; i++) {
		if (b->nodes[b->changed[i]].root != root)
			continue;
		for (size_t k = 0; k < all->nranks; k++)
			node_renew(s->e, &all->ranks[k], b->changed[i]);
	}
	b->nchanged = 0;
	s->ranks = ranks_choose(s);
	s->is_ranked = true;
}
