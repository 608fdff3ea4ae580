/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * components.c - heads of a plan that all go, or none of them
 *
 * The components of a heterogeneous job may be in several queues. Each keeps
 * its place: the job has its turn when all of them are at the head of their
 * queues, so that it overtakes nobody. Then it is tried on a trial of the
 * books, one component after the other with those before it charged and their
 * victims gone; if one of them can't go, all of it is undone.
 */
#include "core/trial.h"
#include "workload/bond.h"
#include "cycle/queue_heads.h"
#include "workload/holding.h"
#include "plan/components.h"
#include "workload/progress.h"
#include "workload/unit.h"

/* Members of the bond in the tree of the plan */
static struct workload *member_next(const struct plan *p, struct workload *m)
{
	while (m && m->shape->q->tree != p->tree)
		m = m->bond_next;
	return m;
}

#define for_each_member(p, m, w) \
	for (struct workload *m = member_next(p, (w)->bond->members); m; \
	     m = member_next(p, m->bond_next))

bool together_in_tree(const struct workload *w)
{
	if (!bond_is_together(w))
		return false;
	for (const struct workload *m = w->bond->members; m; m = m->bond_next) {
		if (m != w && m->shape->q->tree == w->shape->q->tree)
			return true;
	}
	return false;
}

/* It had its turn, with what it owns already */
static bool is_settled(const struct workload *w)
{
	return w->plan == w->shape->q->tree->plan && w->done && !w->failed;
}

/* It will not have its turn in this plan */
static bool is_hopeless(const struct workload *w)
{
	return !is_settled(w)
	       && (queue_held(w->shape->q) || shape_inadmissible(w->shape)
		   || w->barred || bond_blocks(w));
}

static bool is_head(const struct workload *w)
{
	const struct workload *head = heads_get(w->shape->q);

	return head && head->bond == w->bond;
}

/* Its turn is over. What some of its tasks have got they keep: false */
static bool member_fails(struct workload *m)
{
	workload_renew(m);
	m->done = true;
	m->failed = !m->starts;
	return m->failed;
}

/* The others wait because this one does. 1: that is news */
static int others_fail(struct plan *p, const struct workload *because)
{
	int news = 0;

	for_each_member(p, m, because) {
		if (m == because || !workload_undecided(m))
			continue;
		if (member_fails(m))
			m->because = because;
		news = 1;
	}
	return news;
}

/* Nobody has its turn, as this one can't or will not have it: nor has the one
 * because of which that is so, if it is in this tree */
static int all_fail(struct plan *p, const struct workload *w)
{
	const struct workload *because = bond_cause(w);
	int news = others_fail(p, because);

	for_each_member(p, m, w) {
		if (m != because || !workload_undecided(m))
			continue;
		if (member_fails(m) && !queue_held(m->shape->q)
		    && !shape_inadmissible(m->shape))
			verdict_wait(m, WAIT_IS_ORDER, 0);
		news = 1;
	}
	return news;
}

/* The trial of all */
struct trial {
	struct plan *p;
	struct entry *entries;		/* e->arena */
	size_t n;
	struct workload *failing;
	struct verdict verdict;		/* of that one */
};

/* False if it does not fit after all. Who evicts later, if at all, makes no
 * room for the others. */
static bool trial_charge(struct trial *t, const struct entry *entry)
{
	struct engine *e = t->p->e;
	const struct draft *d = &entry->final.draft;
	bool fits;

	if (entry_evicts_later(entry)) {
		t->n++;
		return true;
	}
	for (size_t i = 0; i < entry->final.ntargets; i++) {
		unit_set_gone(entry->final.targets[i].h, true);
		target_remove(e, entry->final.targets[i].h);
	}
	withheld_lift(e, entry->q);
	fits = books_fit(e->books, entry->q->node, d->uses, d->public.nusage);
	books_add_all(e->books, entry->q->node, d->uses, d->public.nusage);
	withheld_book(e, entry->q);
	t->n++;
	return fits;
}

static int trial_nominate(struct trial *t, struct workload *w,
			  struct entry *entry)
{
	struct engine *e = t->p->e;
	struct ask ask = { .w = w, .q = w->shape->q, .now = t->p->now };
	int rc;

	*entry = (struct entry) { .w = w, .q = ask.q };
	withheld_lift(e, ask.q);
	rc = nominate(e, &ask, &entry->final);
	withheld_book(e, ask.q);
	entry->nominated = entry->final;
	plan_note_expiry(t->p, &entry->final.passed);
	return rc;
}

static bool entry_goes(struct entry *entry)
{
	entry->outcome = entry->final.draft.public.mode == MODE_FIT
			 ? OUTCOME_ADMITTED : OUTCOME_PREEMPTING;
	return entry->final.draft.public.mode == MODE_FIT
	       || (entry->final.draft.public.mode == MODE_PREEMPT
		   && entry->final.ntargets);
}

static int trial_members(struct trial *t, struct workload *first)
{
	for_each_member(t->p, m, first) {
		struct entry *entry = &t->entries[t->n];

		if (m == first || is_settled(m))
			continue;
		if (trial_nominate(t, m, entry) < 0)
			return -1;
		if (!entry_goes(entry) || !trial_charge(t, entry)) {
			t->failing = m;
			t->verdict = explain_wait(t->p, m,
						  &entry->final.passed);
			return 0;
		}
	}
	return 0;
}

static int trial_run(struct trial *t, struct entry *first)
{
	struct engine *e = t->p->e;
	size_t mark;
	int rc;

	t->entries = arena_alloc(&e->arena, first->w->bond->nmembers,
				 sizeof(*t->entries));
	if (!t->entries) {
		e->no_memory = true;
		return -1;
	}
	mark = trial_begin(e);
	t->entries[0] = *first;
	plan_note_expiry(t->p, &first->nominated.passed);
	plan_note_expiry(t->p, &first->final.passed);
	(void) trial_charge(t, first);
	rc = trial_members(t, first->w);
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->entries[i].final.ntargets; k++)
			unit_set_gone(t->entries[i].final.targets[k].h, false);
	}
	trial_end(e, mark);
	return rc;
}

/* The job evicts somebody, for whichever of its components */
static bool trial_evicts(const struct trial *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (entry_evicts(&t->entries[i]))
			return true;
	}
	return false;
}

static int trial_settle(struct trial *t)
{
	bool evicts = trial_evicts(t);

	for (size_t i = 0; i < t->n; i++) {
		t->entries[i].others_evict = evicts;
		if (plan_settle(t->p, &t->entries[i]) < 0)
			return -1;
	}
	return TOGETHER_MOVED;
}

static int all_go(struct plan *p, struct entry *entry)
{
	struct trial t = { .p = p };
	struct workload *failing;

	if (trial_run(&t, entry) < 0)
		return -1;
	failing = t.failing;
	if (!failing)
		return trial_settle(&t);
	(void) others_fail(p, failing);
	if (member_fails(failing))
		failing->verdict = t.verdict;
	return 1;
}

/* One of it stands behind others in a StrictFIFO queue */
static bool is_behind(const struct plan *p, const struct workload *w)
{
	for_each_member(p, m, w) {
		if (m->shape->q->spec.strategy == STRATEGY_STRICT_FIFO
		    && !is_settled(m) && !is_head(m))
			return true;
	}
	return false;
}

/* Who will have to give up if nothing moves: where two jobs wait for each
 * other, the one that may not pass the other */
static void together_defer(struct plan *p, struct workload *w)
{
	if (!p->deferred || (is_behind(p, w) && !is_behind(p, p->deferred)))
		p->deferred = w;
}

/* It is not its turn: others of it will have none, *moved says if it was taken
 * out for that, or are not at the head of their queues yet. */
static bool together_waits(struct plan *p, struct workload *w, int *moved)
{
	for_each_member(p, m, w) {
		if (m == w || !is_hopeless(m))
			continue;
		*moved = all_fail(p, m);
		return true;
	}
	for_each_member(p, m, w) {
		if (is_settled(m) || is_head(m))
			continue;
		together_defer(p, w);
		return true;
	}
	return false;
}

int together_settle(struct plan *p, struct entry *entry)
{
	struct workload *w = entry->w;
	bool goes = entry->outcome == OUTCOME_ADMITTED
		    || entry->outcome == OUTCOME_PREEMPTING;
	bool fails = entry->outcome == OUTCOME_NOFIT
		     || entry->outcome == OUTCOME_NO_CANDIDATES;
	int rc = 0;

	if (!workload_undecided(w))	/* another one of the round took it out */
		return 1;
	if (!goes)
		rc = plan_settle(p, entry);
	if (fails && rc >= 0)
		rc |= others_fail(p, w);
	if (fails || rc || together_waits(p, w, &rc))
		return rc;
	return goes && plan_still_fits(p, entry) ? all_go(p, entry) : 0;
}

int together_give_way(struct plan *p, struct entry *entry)
{
	struct workload *w = entry->w;

	if (!bond_is_together(w) || !w->bond->gives_way
	    || !workload_undecided(w))
		return 0;
	(void) others_fail(p, w);
	if (!member_fails(w))
		return 1;
	if (entry->outcome == OUTCOME_NOFIT
	    || entry->outcome == OUTCOME_NO_CANDIDATES)
		w->verdict = explain_wait(p, w, &entry->final.passed);
	else
		verdict_wait(w, WAIT_IS_ORDER, 0);
	return 1;
}

int together_give_up(struct plan *p)
{
	struct workload *w = p->deferred;

	for_each_member(p, m, w) {
		if (!is_settled(m) && !is_head(m))
			return all_fail(p, m);
	}
	return 0;
}
