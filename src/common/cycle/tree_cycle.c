/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_cycle.c - one scheduling cycle of one tree
 *
 * All heads are nominated on the same books; then each has its turn, with the
 * usage of those before it added. Who waits for victims holds what it needs
 * against those after it.
 */
#include "cycle/queue_heads.h"
#include "cycle/tree_cycle.h"
#include "core/trial.h"
#include "workload/unit.h"

/* The round that runs */
struct round {
	struct engine *e;
	struct tree *tree;
	int64_t now;
	struct holding **taken;		/* victims of the heads so far */
	size_t ntaken;
};

static int head_nominate(struct round *r, struct entry *entry,
			 const struct draft *like, struct nominee *out)
{
	struct ask ask = {
		.w = entry->w,
		.q = entry->q,
		.now = r->now,
		.like = like,
	};

	return nominate(r->e, &ask, out);
}

static int heads_collect(struct round *r, struct entry *entries, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < r->tree->nqueues; i++) {
		struct queue *q = r->tree->queues[i];
		struct workload *w = heads_get(q);
		struct entry *entry = &entries[*n];
		int rc;

		if (!w)
			continue;
		entry->w = w;
		entry->q = q;
		withheld_lift(r->e, q);
		rc = head_nominate(r, entry, NULL, &entry->nominated);
		withheld_book(r->e, q);
		if (rc < 0)
			return -1;
		entry->final = entry->nominated;
		(*n)++;
	}
	return 0;
}

static bool overlaps(const struct nominee *n)
{
	for (size_t i = 0; i < n->ntargets; i++) {
		if (n->targets[i].h->taken)
			return true;
	}
	return false;
}

static void taken_remove(struct round *r)
{
	for (size_t i = 0; i < r->ntaken; i++)
		target_remove(r->e, r->taken[i]);
}

/* Fits once the victims of this and the earlier heads are gone */
static bool head_fits(struct round *r, const struct entry *entry)
{
	const struct nominee *n = &entry->final;
	size_t mark = trial_begin(r->e);
	bool fits;

	taken_remove(r);
	for (size_t i = 0; i < n->ntargets; i++) {
		if (!n->targets[i].h->taken)
			target_remove(r->e, n->targets[i].h);
	}
	fits = books_fit(r->e->books, entry->q->node, n->draft.uses,
			 n->draft.public.nusage);
	trial_end(r->e, mark);
	return fits;
}

/* Looks for other victims, in the flavors it has, as if those of the earlier
 * heads were gone already */
static int head_recompute(struct round *r, struct entry *entry)
{
	size_t mark = trial_begin(r->e);
	int rc;

	taken_remove(r);
	for (size_t i = 0; i < r->ntaken; i++)
		unit_set_gone(r->taken[i], true);
	rc = head_nominate(r, entry, &entry->nominated.draft, &entry->final);
	for (size_t i = 0; i < r->ntaken; i++)
		unit_set_gone(r->taken[i], false);
	trial_end(r->e, mark);
	entry->recomputed = true;
	entry->fits_later = entry->final.draft.public.mode == MODE_FIT;
	entry->final.passed.elsewhere |= entry->nominated.passed.elsewhere;
	return rc;
}

static void usage_add(struct round *r, const struct entry *entry)
{
	const struct draft *d = &entry->final.draft;

	books_add_all(r->e->books, entry->q->node, d->uses, d->public.nusage);
}

/* What a head that cannot evict anybody now may hold of a pair */
static int64_t reservable(const struct cell *c, int64_t amount, bool borrows)
{
	if (!borrows)
		return max64(0, min64(amount, sat_sub(c->nominal, c->usage)));
	if (c->borrowing_limit == SPEC_NO_LIMIT)
		return amount;
	return min64(amount, sat_sub(sat_add(c->nominal, c->borrowing_limit),
				     c->usage));
}

/* Without candidates, but not for ever: the quota must not be lent out again
 * meanwhile. Who may reclaim from anybody needs no such thing, unless there
 * is somebody who is only protected. */
static void usage_reserve(struct round *r, const struct entry *entry)
{
	const struct draft *d = &entry->final.draft;

	if (entry->q->spec.reclaim == POLICY_ANY
	    && !entry->final.passed.elsewhere)
		return;
	for (size_t i = 0; i < d->public.nusage; i++) {
		const struct use *u = &d->uses[i];
		const struct cell *c = books_cell(r->e->books, entry->q->node,
						  u->pair);

		books_add(r->e->books, entry->q->node, u->pair,
			  reservable(c, u->amount, d->public.borrow > 0));
	}
}

static int victims_take(struct round *r, const struct nominee *n)
{
	for (size_t i = 0; i < n->ntargets; i++) {
		struct holding *h = n->targets[i].h;

		if (h->taken)
			continue;
		r->taken = scratch_reserve(r->e, SCRATCH_TAKEN, r->ntaken + 1,
					   sizeof(*r->taken));
		if (!r->taken)
			return -1;
		unit_set_taken(h, true);
		r->taken[r->ntaken++] = h;
	}
	return 0;
}

static int head_decide(struct round *r, struct entry *entry)
{
	enum mode mode = entry->final.draft.public.mode;

	if (mode == MODE_NOFIT) {
		entry->outcome = OUTCOME_NOFIT;
	} else if (mode == MODE_PREEMPT && !entry->final.ntargets) {
		entry->outcome = OUTCOME_NO_CANDIDATES;
		usage_reserve(r, entry);
	} else if (entry->fits_later) {
		entry->outcome = OUTCOME_DEFERRED_FIT;
		usage_add(r, entry);
	} else if (overlaps(&entry->final) || !head_fits(r, entry)) {
		entry->outcome = OUTCOME_SKIPPED;
	} else {
		entry->outcome = mode == MODE_FIT ? OUTCOME_ADMITTED
						  : OUTCOME_PREEMPTING;
		usage_add(r, entry);
		return victims_take(r, &entry->final);
	}
	return 0;
}

static int head_turn(struct round *r, struct entry *entry)
{
	int rc = 0;

	withheld_lift(r->e, entry->q);
	if (!r->e->no_recompute && overlaps(&entry->nominated))
		rc = head_recompute(r, entry);
	if (rc == 0)
		rc = head_decide(r, entry);
	withheld_book(r->e, entry->q);
	return rc;
}

/* turns[] becomes the entries in the order of their turns */
static int heads_turn(struct round *r, struct entry *entries, size_t n,
		      struct entry **turns)
{
	struct entry **sorted = arena_alloc(&r->e->arena, n, sizeof(*sorted));
	struct entry *entry;
	size_t order = 0;

	if (!sorted)
		return -1;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &entries[i];
	order_begin(r->e, r->tree, sorted, n);
	while ((entry = order_next(r->e, r->tree, sorted, &n))) {
		entry->order = order;
		turns[order++] = entry;
		if (head_turn(r, entry) < 0)
			return -1;
	}
	return r->e->no_memory ? -1 : 0;
}

int round_run(struct engine *e, struct tree *tree, int64_t now,
	      struct entry ***entries, size_t *n)
{
	struct round r = { .e = e, .tree = tree, .now = now };
	struct entry *heads = arena_alloc(&e->arena, tree->nqueues,
					  sizeof(*heads));
	size_t mark;
	int rc;

	*entries = arena_alloc(&e->arena, tree->nqueues, sizeof(**entries));
	if (!*entries || !heads) {
		e->no_memory = true;
		return -1;
	}
	mark = trial_begin(e);
	rc = heads_collect(&r, heads, n);
	if (rc == 0)
		rc = heads_turn(&r, heads, *n, *entries);
	for (size_t i = 0; i < r.ntaken; i++)
		unit_set_taken(r.taken[i], false);
	trial_end(e, mark);
	if (e->arena.failed)
		e->no_memory = true;
	return e->no_memory ? -1 : rc;
}

static bool flavors_untried(const struct assignment *a)
{
	for (size_t i = 0; i < a->npodsets; i++) {
		for (size_t k = 0; k < a->podsets[i].nresources; k++) {
			if (a->podsets[i].resources[k].tried != -1)
				return true;
		}
	}
	return false;
}

bool round_requeue(struct entry *entry, bool resume)
{
	if (entry->q->spec.strategy != STRATEGY_BEST_EFFORT_FIFO
	    || (entry->outcome != OUTCOME_NOFIT
		&& entry->outcome != OUTCOME_NO_CANDIDATES))
		return false;
	if (resume && flavors_untried(&entry->final.draft.public))
		return false;
	heads_drop_shape(entry->q, entry->w->shape);
	return true;
}
