/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeats.c - how many tasks of an array can go at once
 */
#include "core/queue_state.h"
#include "core/workload_state.h"
#include "core/withheld.h"
#include "cycle/repeats.h"
#include "cycle/tree_cycle.h"
#include "candidates/allow.h"
#include "holding/trial.h"
#include "quota/fixed.h"

/* How many more tasks could start like this one, with all that was held before its
 * turn, before others could tell? The queue must not borrow anything, so that
 * nobody takes from it. With fair sharing, what is used may change the order of
 * the turns: it must not show in any cohort. */
static int64_t tasks_quiet(const struct engine *e, const struct entry *entry)
{
	const struct draft *d = &entry->final.draft;
	int64_t n = entry->w->tasks;

	for (size_t i = 0; i < d->public.nusage; i++) {
		const struct use *u = &d->uses[i];

		if (u->amount <= 0)
			continue;
		n = min64(n, books_quiet_room(e->books, entry->q->node,
					      u->pair, e->fair_sharing)
			     / u->amount);
	}
	return n;
}

/* There is no other head that could tell. So how many more tasks get the same
 * flavors, from as far away? What they use matters to no other flavor. */
static int64_t tasks_alike(struct engine *e, const struct entry *entry)
{
	const struct draft *d = &entry->final.draft;
	int node = entry->q->node;
	size_t mark = trial_begin(e);
	int64_t n;

	books_remove_all(e->books, node, d->uses, d->public.nusage);
	if (d->public.borrow)
		kept_book(e, entry->q);
	n = books_repeats(e->books, node, d->uses, d->public.nusage,
			  entry->w->tasks);
	trial_end(e, mark);
	return n - 1;
}

/* How many more tasks could use quota before a cohort above, but for the root, borrows
 * what it did not borrow before? Then jobs below it may be taken. */
static int64_t tasks_below(const struct engine *e, const struct entry *entry)
{
	const struct draft *d = &entry->final.draft;
	const struct node *nodes = e->books->nodes;
	int64_t n = entry->w->tasks;

	for (int node = nodes[entry->q->node].parent;
	     node != SPEC_NONE && nodes[node].parent != SPEC_NONE;
	     node = nodes[node].parent) {
		for (size_t i = 0; i < d->public.nusage; i++) {
			const struct use *u = &d->uses[i];
			int64_t over = books_over_nominal(e->books, node,
							  u->pair, 0);

			if (u->amount <= 0 || over > u->amount)
				continue;
			if (over > 0)	/* by the first task */
				return 0;
			n = min64(n, sat_sub(0, over) / u->amount);
		}
	}
	return n;
}

/* May the head take back what starts for the other one? */
static bool may_take_back(const struct entry *entry, const struct entry *other)
{
	const struct holding start = {
		.priority = other->w->shape->priority,
		.queue_order_at = other->w->queue_order_at,
	};
	const struct search s = { .w = entry->w };

	return policy_allows(&s, entry->q->spec.reclaim, &start);
}

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

/* Do all other heads fail again, whatever more the entry uses? One that may not search
 * for victims may not then, either. One that has found no candidates finds the same ones,
 * and less is free. *searches: there is such a head */
static bool others_fail_again(const struct entry *entry,
			      const struct entry *entries, size_t n,
			      bool *searches)
{
	*searches = false;
	for (size_t i = 0; i < n; i++) {
		const struct entry *other = &entries[i];
		enum outcome outcome = nominee_outcome(&other->nominated);

		if (other == entry)
			continue;
		if (outcome == OUTCOME_NOFIT && !has_fewer(other->w))
			continue;
		if ((outcome != OUTCOME_NOFIT && outcome != OUTCOME_NO_CANDIDATES)
		    || may_take_back(other, entry) || has_choice(other->q))
			return false;
		*searches = true;
	}
	return true;
}

/* Non-preemptible ones go as far as the cap has room. Of an elastic group the
 * next task may be of the other kind: one by one. */
static int64_t tasks_capped(const struct engine *e, const struct entry *entry,
			    int64_t n)
{
	const struct draft *d = &entry->final.draft;
	const struct queue *q = entry->q;

	if (!entry->fixed)
		return n;
	if (entry->w->shape->group)
		return 0;
	for (size_t i = 0; i < d->public.nusage; i++) {
		const struct use *u = &d->uses[i];

		if (u->amount > 0)
			n = min64(n, fixed_room(e->books, q->node, u->pair,
						q->spec.cap_scope) / u->amount);
	}
	return n;
}

void repeats_count(struct engine *e, struct entry *entry,
		   const struct entry *entries, size_t n)
{
	const struct workload *w = entry->w;
	bool searches;

	if (entry->outcome != OUTCOME_ADMITTED || w->tasks == 1 || workload_bond(w)
	    || entry->q->nwithheld)
		return;
	if (!e->fair_sharing && w->shape->npodsets == 1
	    && others_fail_again(entry, entries, n, &searches)) {
		entry->repeats = tasks_alike(e, entry);
		if (searches)
			entry->repeats = min64(entry->repeats,
					       tasks_below(e, entry));
	} else if (!e->books->nodes[entry->q->node].borrowed) {
		entry->repeats = tasks_quiet(e, entry);
	}
	entry->repeats = tasks_capped(e, entry, entry->repeats);
}

/* The only entry that starts, while all others fail; NULL: there is none */
static struct entry *only_start(struct entry *const *entries, size_t n)
{
	struct entry *only = NULL;

	for (size_t i = 0; i < n; i++) {
		if (entry_fails(entries[i]))
			continue;
		if (only || entries[i]->outcome != OUTCOME_ADMITTED)
			return NULL;
		only = entries[i];
	}
	return only;
}

void repeats_settle(struct entry *const *entries, size_t n)
{
	const struct entry *only = only_start(entries, n);

	for (size_t i = 0; i < n; i++) {
		if (entries[i] != only)
			entries[i]->repeats = 0;
	}
}
