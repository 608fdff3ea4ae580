/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test plain - what is done to be fast changes no answer
 *
 * The engine lets the victims of a cycle leave once, and sums what the victims of a plan
 * use. Here each of these is replaced by what it stands for, at link time:
 *
 *   cycle_run         the cycle below: for each head that has to know, all
 *                     victims so far are taken out of the books and put back.
 *   cycle_fits_again  no: tasks of an array start one by one.
 *   freed_fit_beside  all victims of the plan are put back, one by one.
 *
 * Random worlds, and what happens in them, are played with both; the turns, the
 * verdicts and the victims must be the same.
 */
#include "core/cap.h"
#include "core/withheld.h"
#include "cycle/cycle.h"
#include "plan/plan.h"
#include "candidates/candidate.h"
#include "victims/target.h"
#include "holding/holding.h"
#include "random/over_world.h"
#include "random/tree_world.h"
#include "random/twice.h"
#include "random/unit_world.h"

#define WORLDS 400

static bool plain;			/* what is played now */

/* What the worlds had in them: a test of nothing would be a good one, too */
static struct {
	size_t victims, recomputed, negative, freed;
} met;

/* Each of these has a plain way here. */
typeof(cycle_run) __real_cycle_run, __wrap_cycle_run;
typeof(cycle_fits_again) __real_cycle_fits_again, __wrap_cycle_fits_again;
typeof(freed_fit_beside) __real_freed_fit_beside, __wrap_freed_fit_beside;

/* ---- the plain ways ---- */

static bool freed_fit(struct plan *p, const struct workload *w, const struct use *uses, size_t n)
{
	size_t mark = trial_begin(p->e);
	const struct queue *q = w->shape->q;
	bool fit;

	for (size_t i = 0; i < p->ngone; i++) {
		if (!p->gone[i]->tentative)
			target_restore(p->e, p->gone[i]);
	}
	fit = books_fit(p->e->books, q->node, uses, n)
	      && (!workload_is_capped(w) || cap_admits(p->e, q, uses, n));
	trial_end(p->e, mark);
	return fit;
}

/* Not only what is asked is the same, but how much would fit. */
bool __wrap_freed_fit_beside(struct plan *p, const struct workload *w,
			     const struct use *uses, size_t n)
{
	met.freed += plain;
	for (struct use use = { uses[0].pair, 0 }; use.amount < 16 && !plain; use.amount++)
		assert_int_equal(__real_freed_fit_beside(p, w, &use, 1), freed_fit(p, w, &use, 1));
	return plain ? freed_fit(p, w, uses, n) : __real_freed_fit_beside(p, w, uses, n);
}

struct plain_cycle {
	struct engine *e;
	int64_t now;
	struct holding *taken[WORLD_WORKLOADS * WORLD_WORKLOADS];
	size_t ntaken;
};

static void taken_leave(struct plain_cycle *c, bool gone)
{
	for (size_t i = 0; i < c->ntaken; i++) {
		if (gone)
			target_remove(c->e, c->taken[i]);
		unit_set_gone(c->taken[i], gone);
	}
}

static bool any_taken(const struct nominee *n)
{
	for (size_t i = 0; i < n->ntargets; i++) {
		if (n->targets[i].h->taken)
			return true;
	}
	return false;
}

static void look(struct plain_cycle *c, struct entry *entry,
		 const struct assignment *like, struct nominee *out)
{
	struct ask ask = {
		.w = entry->w, .q = entry->q, .now = c->now, .like = like,
	};

	assert_int_equal(nominate(c->e, &ask, out), 0);
}

/* With the victims so far gone */
static void look_again(struct plain_cycle *c, struct entry *entry)
{
	size_t mark = trial_begin(c->e);

	taken_leave(c, true);
	look(c, entry, &entry->nominated.draft, &entry->final);
	taken_leave(c, false);
	trial_end(c->e, mark);
	entry->recomputed = true;
	entry->fits_later = entry->final.draft.mode == MODE_FIT;
	entry->final.passed.protected_in_other_queue
		|= entry->nominated.passed.protected_in_other_queue;
	met.recomputed++;
}

static bool fits_then(struct plain_cycle *c, const struct entry *entry)
{
	const struct nominee *n = &entry->final;
	size_t mark = trial_begin(c->e);
	bool fits;

	for (size_t i = 0; i < c->ntaken; i++)
		target_remove(c->e, c->taken[i]);
	for (size_t i = 0; i < n->ntargets; i++)
		target_remove(c->e, n->targets[i].h);
	fits = kept_fit(c->e, entry->q, n->draft.uses, n->draft.nusage);
	trial_end(c->e, mark);
	return fits;
}

static enum outcome judge(struct plain_cycle *c, const struct entry *entry)
{
	enum outcome outcome = nominee_outcome(&entry->final);

	if (outcome == OUTCOME_NOFIT || outcome == OUTCOME_NO_CANDIDATES)
		return outcome;
	if (entry->fits_later)
		return OUTCOME_DEFERRED_FIT;
	return any_taken(&entry->final) || !fits_then(c, entry) ? OUTCOME_SKIPPED : outcome;
}

/* May be less than nothing, of a queue that is over its borrowing limit */
static void reserve(struct plain_cycle *c, const struct entry *entry)
{
	const struct assignment *d = &entry->final.draft;
	const struct books *b = c->e->books;

	if (entry->q->spec.reclaim == POLICY_ANY && !entry->final.passed.protected_in_other_queue)
		return;
	for (size_t i = 0; i < d->nusage; i++) {
		const struct use *u = &d->uses[i];
		const struct quota *quota = books_quota(b, entry->q->node, u->pair);
		int64_t free = quota->nominal - books_usage(b, entry->q->node, u->pair);
		int64_t amount = u->amount;

		if (!d->borrow)
			amount = max64(0, min64(amount, free));
		else if (quota->borrowing_limit != SPEC_NO_LIMIT)
			amount = min64(amount, free + quota->borrowing_limit);
		met.negative += amount < 0;
		books_add(c->e->books, entry->q->node, u->pair, amount);
	}
}

static void charge(struct plain_cycle *c, const struct entry *entry)
{
	const struct nominee *n = &entry->final;

	if (entry->outcome == OUTCOME_NO_CANDIDATES)
		reserve(c, entry);
	else if (outcome_goes(entry->outcome) || entry->outcome == OUTCOME_DEFERRED_FIT)
		books_change(c->e->books, entry->q->node, n->draft.uses, n->draft.nusage, 1);
	for (size_t i = 0; outcome_goes(entry->outcome) && i < n->ntargets; i++) {
		unit_mark(n->targets[i].h, taken, true);
		assert_in_range(c->ntaken, 0, sizeof(c->taken) / sizeof(c->taken[0]) - 1);
		c->taken[c->ntaken++] = n->targets[i].h;
		met.victims++;
	}
}

static void turn(struct plain_cycle *c, struct entry *entry)
{
	withheld_lift(c->e, entry->q);
	if (!c->e->no_recompute && any_taken(&entry->nominated))
		look_again(c, entry);
	entry->outcome = judge(c, entry);
	charge(c, entry);
	withheld_book(c->e, entry->q);
}

static size_t heads_look(struct plain_cycle *c, struct tree *tree, struct entry *entries)
{
	size_t n = 0;

	for (size_t i = 0; i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];
		struct entry *entry = &entries[n];

		q->entry = NULL;
		entry->w = heads_get(q);
		if (!entry->w)
			continue;
		entry->q = q;
		withheld_lift(c->e, q);
		look(c, entry, NULL, &entry->nominated);
		withheld_book(c->e, q);
		entry->final = entry->nominated;
		n++;
	}
	return n;
}

bool __wrap_cycle_fits_again(struct engine *e, struct entry *const *turns,
			     const struct entry *entry)
{
	return !plain && __real_cycle_fits_again(e, turns, entry);
}

int __wrap_cycle_run(struct engine *e, struct tree *tree, int64_t now,
		     struct entry ***entries, size_t *n)
{
	static struct plain_cycle c;
	struct entry *heads, *entry, **sorted;
	size_t mark, left, order = 0;

	if (!plain)
		return __real_cycle_run(e, tree, now, entries, n);
	c = (struct plain_cycle) { .e = e, .now = now };
	heads = arena_alloc(&e->arena, tree->nqueues, sizeof(*heads));
	sorted = arena_alloc(&e->arena, tree->nqueues, sizeof(*sorted));
	*entries = arena_alloc(&e->arena, tree->nqueues, sizeof(**entries));
	assert_true(heads && sorted && *entries);
	mark = trial_begin(e);
	*n = left = heads_look(&c, tree, heads);
	for (size_t i = 0; i < left; i++)
		sorted[i] = &heads[i];
	order_begin(e, tree, sorted, left);
	while ((entry = order_next(e, tree, sorted, &left))) {
		entry->order = order;
		entry->q->entry = entry;
		(*entries)[order++] = entry;
		turn(&c, entry);
	}
	for (size_t i = 0; i < c.ntaken; i++)
		unit_mark(c.taken[i], taken, false);
	trial_end(e, mark);
	return 0;
}

/* ---- */

static void test_same(void **state)
{
	uint64_t worlds;

	worlds = twice_play_worlds(WORLDS, tree_world_write, &plain);
	assert_true(met.victims > worlds);
	assert_true(met.recomputed > worlds / 4);
	assert_true(met.negative > worlds / 40);
	assert_true(met.freed > worlds / 4);
}

static void test_same_fair(void **state)
{
	uint64_t worlds;

	met.victims = met.recomputed = 0;
	worlds = twice_play_worlds(WORLDS, fair_world_write, &plain);
	assert_true(met.victims > worlds);
	assert_true(met.recomputed > worlds / 4);
}

static void test_same_others(void **state)
{
	static void (*const writers[])(struct text *t, uint64_t seed) = {
		long_world_write, over_world_write, over_fair_world_write,
		over_borrow_world_write, unit_world_write, fair_unit_world_write,
		over_unit_world_write, fair_over_unit_world_write,
		timed_unit_world_write,
	};

	for (size_t i = 0; i < COUNT(writers); i++)
		(void) twice_play_worlds(WORLDS / 4, writers[i], &plain);
}

TESTS(cmocka_unit_test(test_same), cmocka_unit_test(test_same_fair),
      cmocka_unit_test(test_same_others))
