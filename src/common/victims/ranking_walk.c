/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranking_walk.c - fair sharing: the children of a cohort that a search comes to
 */
#include "core/tree_state.h"
#include "holding/holding.h"
#include "quota/history.h"
#include "quota/share.h"
#include "victims/ranking_walk.h"
#include "victims/strategy.h"

/* ---- how far it came ---- */

bool ranking_is_refused(const struct search *s, int node)
{
	const struct node *nodes = s->e->books->nodes;

	if (!s->is_ranked)
		return false;
	for (; node != SPEC_NONE; node = nodes[node].parent) {
		const struct ranking *r;

		if (nodes[node].is_queue)
			continue;
		r = &s->ranks->rankings[node];
		if (r->search == s->number && r->whole)
			return true;
	}
	return false;
}

/* A cohort that only the second pass comes to is there as a whole: the first one has
 * passed over it, or it is part of the rest. */
static __attribute__((noinline)) void ranking_come(const struct search *s,
						   int cohort,
						   struct ranking *r)
{
	struct ranked *first = ranked_at(rankset_first(&r->set));
	bool rest;

	if (r->search != s->number) {
		r->search = s->number;
		r->refused = r->whole = false;
		r->next = first;
		r->last = NULL;
	} else {
		rest = s->rest || ranking_is_refused(s, cohort);
		r->last = rest ? NULL : r->next;
		r->next = rest || r->refused ? first : r->last;
	}
	r->again = s->again;
}

static inline struct ranking *ranking_of(const struct search *s, int cohort)
{
	struct ranking *r = &s->ranks->rankings[cohort];

	if (r->search != s->number || r->again != s->again)
		ranking_come(s, cohort, r);
	return r;
}

void ranking_enter(struct search *s)
{
	const struct node *nodes = s->e->books->nodes;

	for (int node = nodes[s->q->node].parent;
	     nodes[node].parent != SPEC_NONE; node = nodes[node].parent)
		(void) ranking_of(s, node);
}

void ranking_rewind(struct search *s, bool rest)
{
	s->judges = false;
	s->again = true;
	s->rest = rest;
}

/* ---- the preemptor, and those that it looks at ---- */

struct rival {
	const struct search *s;
	struct ranking *ranking;
	const struct leader *leader;
	int taker;			/* the preemptor's branch, seen from where
					 * it meets the cohort, */
	int giver;			/* and the branch of the cohort; SPEC_NONE:
					 * they meet in it */
	const struct share *of_taker;
	struct share least;		/* the least that may become of it until
					 * the next plan */
};

static int branch_below(const struct books *b, int node, int cohort)
{
	while (b->nodes[node].parent != cohort)
		node = b->nodes[node].parent;
	return node;
}

static struct rival rival_of(const struct search *s, int cohort,
			     struct ranking *ranking,
			     const struct leader *leader)
{
	const struct books *b = s->e->books;
	struct rival v = {
		.s = s, .ranking = ranking, .leader = leader,
		.giver = SPEC_NONE,
	};

	if (books_is_below(b, s->q->node, cohort))
		v.taker = branch_below(b, s->q->node, cohort);
	else
		books_branches(b, s->q->node, cohort, &v.taker, &v.giver);
	v.of_taker = share_of(b, v.taker);
	v.least = *v.of_taker;
	if (b->history)
		v.least.ratio -= b->history->loss[v.taker];
	if (v.least.ratio < 0)
		v.least.ratio = 0;
	return v;
}

/* The child's branch, as the strategies see it */
static int giver_of(const struct rival *v, const struct ranked *r)
{
	return v->giver == SPEC_NONE ? r->node : v->giver;
}

/* May the child give before the leader? If it may not, then nor may any behind
 * it. */
static bool precedes(const struct search *s, const struct leader *leader,
		     const struct ranked *r)
{
	struct candidate bound = { .list = LIST_PRIORITY };
	int order;

	if (!leader->share)
		return true;
	order = share_compare(&r->share, leader->share);
	if (order)
		return order > 0;
	if (!r->q || !leader->head)
		return !r->q && (leader->head || r->slot > leader->slot);
	candidate_fill(s, &bound, r->front);
	return !candidate_before(leader->head, &bound);
}

/* Do the strategies refuse all of a child of which so much is kept? With history:
 * at any time before the next plan. */
static bool refuses(const struct rival *v, const struct share *kept)
{
	const struct engine *e = v->s->e;
	int order = share_compare(&v->least, kept);

	return order > 0 || (order == 0 && !e->books->history
			     && e->strategies[0] == FAIR_LESS_INITIAL);
}

/* At an equal share the preemptor's own queue may give before this one, and borrows
 * less then: its jobs that are evicting go before those of others that are not, and
 * which one is the first of those is not known. Of cohorts it is known: precedes()
 * says it. */
static bool own_may_precede(const struct rival *v)
{
	const struct stream *own = stream_own(v->s);

	return v->taker == v->s->q->node && own && own->head.h
	       && own->head.evicting;
}

/* Here the walk over those that are refused ends: at children that borrow less than
 * the preemptor a cohort is closed. */
static bool ends(const struct rival *v, const struct ranked *r)
{
	int order = share_compare(v->of_taker, &r->share);

	return order > 0 || (order == 0 && own_may_precede(v))
	       || !precedes(v->s, v->leader, r);
}

/* ---- passing over ---- */

/* The first of those at or below a place that is not refused */
static struct ranked *granted_below(const struct rival *v, const struct rank_node *place)
{
	while (place && !refuses(v, &ranked_at(place)->most_kept)) {
		if (place->left
		    && !refuses(v, &ranked_at(place->left)->most_kept))
			place = place->left;
		else if (!refuses(v, &ranked_at(place)->kept))
			return ranked_at(place);
		else
			place = place->right;
	}
	return NULL;
}

/* The first one behind r that is not refused */
static struct ranked *granted_after(const struct rival *v, const struct ranked *r)
{
	const struct rank_node *place = &r->place;
	struct ranked *found = granted_below(v, place->right);

	for (; !found && place->parent; place = place->parent) {
		if (place != place->parent->left)
			continue;
		found = ranked_at(place->parent);
		if (refuses(v, &found->kept))
			found = granted_below(v, found->place.right);
	}
	return found;
}

/* The first one of all with `is_end`, which is so for all behind it */
static struct ranked *end_of(const struct rival *v,
			     bool (*is_end)(const struct rival *v,
					    const struct ranked *r))
{
	const struct rank_node *place = v->ranking->set.root;
	struct ranked *end = NULL;

	while (place) {
		if (is_end(v, ranked_at(place))) {
			end = ranked_at(place);
			place = place->left;
		} else {
			place = place->right;
		}
	}
	return end;
}

/* The second pass has to come to this cohort again. */
static void refused_note(struct search *s, int cohort)
{
	const struct node *nodes = s->e->books->nodes;

	s->refused = true;
	s->refused_inner |= nodes[cohort].parent != SPEC_NONE;
	for (; cohort != SPEC_NONE; cohort = nodes[cohort].parent)
		ranking_of(s, cohort)->refused = true;
}

/* Passes over all that are refused, if the next one is. Their first candidates
 * would be, too: in the second pass they have the same. It is about shares of
 * children, so it has to be the cohort where they meet the preemptor. */
static bool pass_over(struct search *s, const struct rival *v)
{
	struct ranked *next = v->ranking->next;
	int cohort = s->e->books->nodes[next->node].parent;

	if (v->giver != SPEC_NONE || !refuses(v, &next->kept) || ends(v, next))
		return false;
	next = granted_after(v, next);
	if (!next || ends(v, next))
		next = end_of(v, ends);
	v->ranking->next = next;
	refused_note(s, cohort);
	return true;
}

void ranking_refuse(struct search *s, int cohort)
{
	refused_note(s, s->e->books->nodes[cohort].parent);
	ranking_of(s, cohort)->whole = true;
}

static bool falls_behind(const struct rival *v, const struct ranked *r)
{
	return !precedes(v->s, v->leader, r);
}

/* Where the second pass has to look again: it passes over children up to there. */
static struct ranked *end_again(const struct rival *v)
{
	struct ranked *end = v->leader->share ? end_of(v, falls_behind) : NULL;
	struct ranked *last = v->ranking->last;

	if (!end || (last && ranked_is_before(last, end)))
		end = last;
	return end;
}

/* In the second pass a queue gives to one whose share is smaller. No share behind
 * that of the next child is larger. With history a search also has to know where
 * time alone may make a difference: passes over those where it does not. */
static bool pass_over_again(const struct search *s, const struct rival *v)
{
	const struct books *b = s->e->books;
	struct ranked *next = v->ranking->next, *end;
	const struct share *latest, *giver = v->giver == SPEC_NONE
		? &next->share : share_of(b, v->giver);

	if (share_compare(v->of_taker, giver) < 0)
		return false;
	end = end_again(v);
	if (b->history) {
		history_look(b, s->now);
		latest = share_latest(b, v->taker);
		while (next != end
		       && share_compare(latest,
					share_latest(b, giver_of(v, next))) >= 0)
			next = v->giver == SPEC_NONE
			       ? ranked_at(rankset_next(&next->place)) : end;
		end = next;
	}
	if (end == v->ranking->next)
		return false;
	v->ranking->next = end;
	return true;
}

/* ---- those that no policy lets give ---- */

/* It may evict nothing of that priority, or of a higher one. */
static bool is_barred(const struct search *s, int64_t lowest)
{
	enum policy policy = s->q->spec.reclaim;
	int64_t priority = s->w->shape->priority;

	if (policy == POLICY_ANY)
		return false;
	return lowest > priority
	       || (lowest == priority && policy == POLICY_LOWER_PRIORITY);
}

/* The first of those at or below a place that is not barred */
static struct ranked *allowed_below(const struct search *s,
				    const struct rank_node *place)
{
	while (place && !is_barred(s, ranked_at(place)->lowest_below)) {
		if (place->left
		    && !is_barred(s, ranked_at(place->left)->lowest_below))
			place = place->left;
		else if (!is_barred(s, ranked_at(place)->lowest))
			return ranked_at(place);
		else
			place = place->right;
	}
	return NULL;
}

/* The first one behind r that is not barred */
static struct ranked *allowed_after(const struct search *s,
				    const struct ranked *r)
{
	const struct rank_node *place = &r->place;
	struct ranked *found = allowed_below(s, place->right);

	for (; !found && place->parent; place = place->parent) {
		if (place != place->parent->left)
			continue;
		found = ranked_at(place->parent);
		if (is_barred(s, found->lowest))
			found = allowed_below(s, found->place.right);
	}
	return found;
}

/* From the next one on, passes over all that have no candidates by their priorities */
static __attribute__((noinline)) void pass_over_barred(const struct search *s,
						       struct ranking *ranking)
{
	struct ranked *next = ranking->next;

	if (next == ranking->last || !is_barred(s, next->lowest))
		return;
	next = allowed_after(s, ranking->next);
	if (!next || (ranking->last && !ranked_is_before(next, ranking->last)))
		next = ranking->last;
	ranking->next = next;
}

/* ---- the next one ---- */

/* Opens the queue, if it has candidates. The search came too early, or in vain, if what is first
 * there uses none of its pairs, or none of them is borrowed, or no unit there may go. */
static bool queue_open(struct search *s, const struct ranked *r)
{
	size_t before = s->nstreams;
	struct queue *q = r->q;
	bool within;

	if (q->searched == s->number)
		return false;
	within = search_is_within_nominal(s, q->node);
	s->e->searches->astray += within || !(r->front->pairs & s->need_pairs);
	if (within && q->borrowed != s->number)
		return false;
	stream_open_other(s, q, q->tree->root, false);
	s->e->searches->astray += s->limit.is_set && s->nstreams == before;
	if (s->nstreams == before)
		return false;
	q->stream->retry = -1;
	/* in the first pass that comes when the queue gives */
	if (s->again && q->stream->by_usage)
		stream_sort(s, q->stream);
	return true;
}

/* The queue of the preemptor, or a cohort above it: what is there gives as the search
 * comes to it, and nothing of it is refused to the preemptor. */
static bool is_own_branch(const struct search *s, const struct ranked *r)
{
	return r->q ? r->q == s->q
		    : books_is_below(s->e->books, s->q->node, r->node);
}

/* Has the search anything to look for there? A cohort is entered. */
static bool child_open(struct search *s, const struct ranked *r)
{
	if (r->q)
		return queue_open(s, r);
	if (is_barred(s, r->lowest))
		return false;
	(void) ranking_of(s, r->node);
	return true;
}

static bool pass_over_any(struct search *s, int cohort, struct ranking *ranking,
			  const struct leader *leader)
{
	struct rival v = rival_of(s, cohort, ranking, leader);

	return !branch_reclaims(s, v.taker)
	       && (s->again ? pass_over_again(s, &v) : pass_over(s, &v));
}

/* Once a unit has left, the shares of children that the search has not come to may be
 * others than those that they are ranked by: it comes to all that are left. */
int ranking_next(struct search *s, int cohort, const struct leader *leader)
{
	struct ranking *ranking = ranking_of(s, cohort);

	while (ranking->next != ranking->last
	       && (s->moved || precedes(s, leader, ranking->next))) {
		struct ranked *r = ranking->next;
		bool own = is_own_branch(s, r);

		if ((s->again || s->judges) && !s->moved && !own
		    && pass_over_any(s, cohort, ranking, leader))
			continue;
		ranking->next = ranked_at(rankset_next(&r->place));
		if (!own && child_open(s, r))
			return r->node;
		pass_over_barred(s, ranking);
	}
	return SPEC_NONE;
}
