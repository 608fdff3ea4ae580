/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * components_trial.c - do all components of a job fit together?
 *
 * They are put on a trial of the books, one after the other; those before it
 * are charged and their victims gone. If one of them can't go, all of it is
 * undone (doc/how-it-decides.md, section 9, heterogeneous jobs).
 */
#include "core/cap.h"
#include "holding/trial.h"
#include "plan/components.h"
#include "holding/unit.h"

struct trial {
	struct plan *p;
	struct entry *entries;		/* e->arena */
	size_t n;
	struct workload *failing;
	struct verdict verdict;		/* of `failing` */
};

/* Adds the entry to the trial. False if it does not fit after all. A component
 * that evicts later, if ever, makes no room for the others. */
static bool trial_charge(struct trial *t, const struct entry *entry)
{
	struct engine *e = t->p->e;
	const struct draft *d = &entry->final.draft;
	bool fits;

	t->n++;
	if (entry_evicts_later(entry))
		return true;
	for (size_t i = 0; i < entry->final.ntargets; i++) {
		unit_set_gone(entry->final.targets[i].h, true);
		target_remove(e, entry->final.targets[i].h);
	}
	withheld_lift(e, entry->q);
	fits = workload_fits(e, entry->w, d->uses, d->public.nusage);
	(void) workload_charge(e, entry->w, d->uses, d->public.nusage);
	withheld_book(e, entry->q);
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
	entry->outcome = nominee_outcome(&entry->final);
	plan_note_expiry(t->p, &entry->final.passed);
	return rc;
}

/* Nominates and charges the others; stops at the first that fails. */
static int trial_others(struct trial *t, struct workload *first)
{
	for_each_member(t->p, m, workload_bond(first)) {
		struct entry *entry = &t->entries[t->n];

		if (m == first || member_is_settled(m))
			continue;
		if (trial_nominate(t, m, entry) < 0)
			return -1;
		if (!entry_goes(entry) || !trial_charge(t, entry)) {
			t->failing = m;
			t->verdict = reason_to_wait(t->p, m,
						    &entry->final.passed);
			return 0;
		}
	}
	return 0;
}

static int trial_run(struct trial *t, const struct entry *first)
{
	struct engine *e = t->p->e;
	size_t mark;
	int rc;

	t->entries = arena_alloc(&e->arena, first->w->rare->bond->nmembers,
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
	rc = trial_others(t, first->w);
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->entries[i].final.ntargets; k++)
			unit_set_gone(t->entries[i].final.targets[k].h, false);
	}
	trial_end(e, mark);
	return rc;
}

/* The job evicts, for any of its components. */
static bool trial_evicts(const struct trial *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (entry_evicts(&t->entries[i]))
			return true;
	}
	return false;
}

static int trial_apply(struct trial *t)
{
	bool evicts = trial_evicts(t);

	for (size_t i = 0; i < t->n; i++) {
		t->entries[i].others_evict = evicts;
		if (outcome_apply(t->p, &t->entries[i]) < 0)
			return -1;
	}
	return COMPONENTS_MOVED;
}

int components_try(struct plan *p, const struct entry *first,
		   struct workload **failing, struct verdict *verdict)
{
	struct trial t = { .p = p };

	if (trial_run(&t, first) < 0)
		return -1;
	*failing = t.failing;
	*verdict = t.verdict;
	return t.failing ? 0 : trial_apply(&t);
}
