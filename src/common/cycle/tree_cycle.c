/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_cycle.c - one scheduling cycle of one tree
 *
 * All heads are nominated on the same books; then each has its turn, with the
 * usage of those before it added (doc/how-it-decides.md, section 8). A head
 * that waits for victims holds what it needs against those after it.
 */
#include "candidates/candidate.h"
#include "core/cap.h"
#include "core/tree_state.h"
#include "holding/holding.h"
#include "cycle/cycle.h"

/* The cycle that runs */
struct cycle {
	struct engine *e;
	struct tree *tree;
	int64_t now;
	struct holding **taken;		/* victims of the heads so far */
	size_t ntaken;
	size_t nominated;		/* how many heads were */
};

int entry_nominate(struct engine *e, struct entry *entry, int64_t now)
{
	struct ask ask = { .w = entry->w, .q = entry->q, .now = now };
	int rc;

	withheld_lift(e, entry->q);
	rc = nominate(e, &ask, &entry->nominated);
	withheld_book(e, entry->q);
	entry->final = entry->nominated;
	return rc;
}

/* False: the budget is used up, and the head is not nominated, unless it is the first one. */
static bool queue_nominate(struct cycle *c, struct entry *entries, size_t i)
{
	struct entry *entry = &entries[i];

	if (entry->q)
		return true;
	if (c->nominated && budget_is_spent(c->e, c->e->searches->looks, 0))
		return false;
	entry->q = c->tree->queues[i];
	entry->w = heads_get(entry->q);
	c->nominated += entry->w != NULL;
	if (entry->w && entry_nominate(c->e, entry, c->now) < 0)
		c->e->no_memory = true;
	return true;
}

/* Nominates the head of the queue with which this plan goes on, the heads of queues that do
 * not borrow, and then all others, until the budget of the plan is used up. */
static int heads_nominate(struct cycle *c, struct entry *entries)
{
	struct tree *tree = c->tree;
	size_t n = tree->nqueues;

	for (size_t i = 0; i < n; i++)
		tree->queues[i]->entry = NULL;
	for (size_t i = 0; n && i <= 2 * n && !c->e->no_memory; i++) {
		size_t at = i ? (tree->first + i - 1) % n : tree->first;
		const struct queue *q = tree->queues[at];

		if (i && i <= n && books_is_over_any(c->e->books, q->node))
			continue;
		if (queue_nominate(c, entries, at))
			continue;
		tree->cut = true;
		tree->first = at;
		break;
	}
	return c->e->no_memory ? -1 : 0;
}

static inline bool has_taken_victims(const struct nominee *n)
{
	for (size_t i = 0; i < n->ntargets; i++) {
		if (n->targets[i].h->taken)
			return true;
	}
	return false;
}

/* So many victims that leave take about as long as a look at a candidate. */
#define TAKEN_LOOK 2

/* In a trial, for searches and judgements: between turns victims are in the books,
 * as whose turn is next depends on them, too. */
static void taken_remove(struct cycle *c)
{
	c->e->searches->looks += c->ntaken / TAKEN_LOOK;
	for (size_t i = 0; i < c->ntaken; i++)
		target_remove(c->e, c->taken[i]);
}

/* It fits once its victims and those of the earlier heads are gone. */
static bool fits_after_victims_leave(struct cycle *c, const struct entry *entry)
{
	const struct nominee *n = &entry->final;
	size_t mark = trial_begin(c->e);
	bool fits;

	taken_remove(c);
	for (size_t i = 0; i < n->ntargets; i++) {
		if (!n->targets[i].h->taken)
			target_remove(c->e, n->targets[i].h);
	}
	fits = workload_fits(c->e, entry->w, n->draft.uses, n->draft.nusage);
	trial_end(c->e, mark);
	return fits;
}

/* Searches for other victims, in the flavors that the head has, as if the
 * victims of the earlier heads were gone already (section 8, "looks again") */
static int head_recompute(struct cycle *c, struct entry *entry)
{
	struct ask ask = { .w = entry->w, .q = entry->q, .now = c->now,
			   .like = &entry->nominated.draft };
	size_t mark = trial_begin(c->e);
	int rc;

	taken_remove(c);
	rc = nominate(c->e, &ask, &entry->final);
	trial_end(c->e, mark);
	entry->recomputed = true;
	entry->fits_later = entry->final.draft.mode == MODE_FIT;
	entry->final.passed.protected_in_other_queue |= entry->nominated.passed.protected_in_other_queue;
	return rc;
}

/* How much of a pair a head without candidates may hold */
static int64_t reservable(const struct quota *q, int64_t usage, int64_t amount, bool borrows)
{
	if (!borrows)
		return max64(0, min64(amount, sat_sub(q->nominal, usage)));
	if (q->borrowing_limit == SPEC_NO_LIMIT)
		return amount;
	return min64(amount, sat_sub(sat_add(q->nominal, q->borrowing_limit), usage));
}

/* Has the head no candidates now, but perhaps later? Then the quota must not be
 * lent out meanwhile (section 8, last point). A queue that may reclaim from Any
 * does not need that, unless it has a candidate that is only protected. */
static void usage_reserve(struct engine *e, const struct entry *entry)
{
	const struct assignment *d = &entry->final.draft;

	if (policy_is_any(entry->q->spec.reclaim)
	    && !entry->final.passed.protected_in_other_queue)
		return;
	for (size_t i = 0; i < d->nusage; i++) {
		const struct use *u = &d->uses[i];
		const struct quota *quota = books_quota(e->books, entry->q->node, u->pair);
		int64_t usage = books_usage(e->books, entry->q->node, u->pair);
		int64_t amount = reservable(quota, usage, u->amount, d->borrow > 0);

		books_add(e->books, entry->q->node, u->pair, amount);
	}
}

static int victims_take(struct cycle *c, const struct nominee *n)
{
	struct holding **taken = scratch_reserve(c->e, SCRATCH_TAKEN, c->ntaken + n->ntargets,
						 sizeof(*taken));

	if (!taken)
		return -1;
	c->taken = taken;
	for (size_t i = 0; i < n->ntargets; i++) {
		struct holding *h = n->targets[i].h;

		if (h->taken)
			continue;
		unit_mark(h, taken, true);
		unit_set_gone(h, true);
		c->taken[c->ntaken++] = h;
	}
	return 0;
}

/* The outcome of a head in its turn, with the usage of those before it */
static enum outcome head_judge(struct cycle *c, const struct entry *entry)
{
	enum outcome outcome = nominee_outcome(&entry->final);

	if (outcome_fails(outcome))
		return outcome;
	if (entry->fits_later)
		return OUTCOME_DEFERRED_FIT;
	if (has_taken_victims(&entry->final) || !fits_after_victims_leave(c, entry))
		return OUTCOME_SKIPPED;
	return outcome;
}

/* Holds what the outcome gives this head against the heads after it */
static int outcome_charge(struct cycle *c, struct entry *entry)
{
	const struct assignment *d = &entry->final.draft;

	if (entry->outcome == OUTCOME_NO_CANDIDATES)
		usage_reserve(c->e, entry);
	if (entry->outcome == OUTCOME_DEFERRED_FIT || outcome_goes(entry->outcome))
		(void) workload_charge(c->e, entry->w, d->uses, d->nusage);
	return outcome_goes(entry->outcome) ? victims_take(c, &entry->final) : 0;
}

static int head_turn(struct cycle *c, struct entry *entry)
{
	int rc = 0;

	withheld_lift(c->e, entry->q);
	if (!c->e->no_recompute && has_taken_victims(&entry->nominated))
		rc = head_recompute(c, entry);
	if (rc == 0) {
		entry->outcome = head_judge(c, entry);
		rc = outcome_charge(c, entry);
	}
	withheld_book(c->e, entry->q);
	return rc;
}

/* Turns may search again, and have a part of the budget of their own. */
static uint64_t turns_end(const struct engine *e)
{
	return e->looks_end ? e->searches->looks + e->plan_budget / 4 + 1 : UINT64_MAX;
}

/* Gives heads their turn, all if the budget suffices; turns[] becomes the entries in that
 * order, and *heads how many these are. */
static int heads_turn(struct cycle *c, struct entry *entries, size_t *heads, struct entry **turns)
{
	struct entry **sorted = arena_alloc(&c->e->arena, c->nominated, sizeof(*sorted));
	uint64_t end = turns_end(c->e);
	size_t order = 0, n = 0;
	struct entry *entry;

	if (!sorted)
		return -1;
	for (size_t i = 0; i < c->tree->nqueues; i++) {
		if (entries[i].w)
			sorted[n++] = &entries[i];
	}
	order_begin(c->e, c->tree, sorted, n);
	while (c->e->searches->looks < end && (entry = order_next(c->e, c->tree, sorted, &n))) {
		entry->order = order;
		entry->q->entry = entry;
		turns[order++] = entry;
		if (head_turn(c, entry) < 0)
			return -1;
	}
	c->tree->cut |= order < c->nominated;
	*heads = order;
	return c->e->no_memory ? -1 : 0;
}

int cycle_run(struct engine *e, struct tree *tree, int64_t now,
	      struct entry ***entries, size_t *n)
{
	struct cycle c = { .e = e, .tree = tree, .now = now };
	struct entry *heads = engine_alloc(e, &e->arena, tree->nqueues, sizeof(*heads));
	size_t mark;
	int rc;

	*entries = engine_alloc(e, &e->arena, tree->nqueues, sizeof(**entries));
	if (!*entries || !heads)
		return -1;
	mark = trial_begin(e);
	rc = heads_nominate(&c, heads);
	if (rc == 0)
		rc = heads_turn(&c, heads, n, *entries);
	for (size_t i = 0; i < c.ntaken; i++) {
		unit_mark(c.taken[i], taken, false);
		unit_set_gone(c.taken[i], false);
	}
	trial_end(e, mark);
	if (e->arena.failed)
		e->no_memory = true;
	return e->no_memory ? -1 : rc;
}

/* ---- more tasks of an array ---- */

/* It was tried with fewer pods, too: with them it may have searched. */
static bool has_fewer(const struct workload *w)
{
	for (size_t i = 0; i < w->shape->npodsets; i++) {
		if (w->shape->podsets[i].min_count > 0)
			return true;
	}
	return false;
}

/* With less free in one flavor, what it holds meanwhile may be of another one. */
static bool has_choice(const struct queue *q)
{
	for (size_t i = 0; i < q->spec.ngroups; i++) {
		if (q->spec.groups[i].nflavors > 1)
			return true;
	}
	return false;
}

/* May the head take back what starts for the other one? */
static bool may_take_back(const struct entry *entry, const struct entry *other)
{
	const struct workload *own = entry->w, *w = other->w;

	return policy_compare(entry->q->spec.reclaim, own->shape->priority, w->shape->priority,
			      own->queue_order_at < w->queue_order_at);
}

bool cycle_others_fail_again(const struct engine *e, struct entry *const *turns,
			     size_t n, const struct entry *entry)
{
	bool borrows = books_is_over_any(e->books, entry->q->node);

	for (size_t i = 0; i < n; i++) {
		const struct entry *other = turns[i];

		if (other == entry || (other->outcome == OUTCOME_NOFIT && !has_fewer(other->w)))
			continue;
		if (other->outcome != OUTCOME_NO_CANDIDATES
		    || (borrows && may_take_back(other, entry))
		    || has_choice(other->q))
			return false;
	}
	return true;
}

/* A cohort above, but for the root, begins to borrow by the last task: then jobs below it
 * may be taken. With fair sharing the order changes while it borrows. */
static bool is_noticed_above(const struct engine *e, const struct entry *entry)
{
	const struct assignment *d = &entry->final.draft;
	const struct node *nodes = e->books->nodes;

	for (int node = nodes[entry->q->node].parent;
	     node != SPEC_NONE && nodes[node].parent != SPEC_NONE; node = nodes[node].parent) {
		for (size_t i = 0; i < d->nusage; i++) {
			const struct use *u = &d->uses[i];
			int64_t over = books_over_nominal(e->books, node, u->pair, 0);

			if (over > 0 && u->amount > 0 && (e->fair_sharing || over <= u->amount))
				return true;
		}
	}
	return false;
}

int uses_borrow_level(const struct engine *e, const struct queue *q,
		      const struct use *uses, size_t n)
{
	int most = 0;
	bool ignored;

	for (size_t i = 0; i < n; i++) {
		int level = books_borrow_level(e->books, q->node, uses[i].pair,
					       uses[i].amount, &ignored);

		most = level > most ? level : most;
	}
	return most;
}

bool cycle_fits_again(struct engine *e, struct entry *const *turns, const struct entry *entry)
{
	const struct assignment *d = &entry->final.draft;
	bool fits;
	size_t mark;

	if (is_noticed_above(e, entry) || (e->fair_sharing && d->borrow))
		return false;
	mark = trial_begin(e);
	for (size_t i = 0; turns[i] != entry; i++) {
		if (turns[i]->outcome == OUTCOME_NO_CANDIDATES)
			usage_reserve(e, turns[i]);
	}
	withheld_lift(e, entry->q);
	fits = uses_borrow_level(e, entry->q, d->uses, d->nusage) == d->borrow
	       && workload_fits(e, entry->w, d->uses, d->nusage);
	trial_end(e, mark);
	return fits;
}
