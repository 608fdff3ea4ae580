/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * components.c - heads of a plan that all go, or none of them
 *
 * The components of a heterogeneous job (BOND_TOGETHER; doc/how-it-decides.md, section 9)
 * may be in several queues. Each keeps its place. The job has its turn when all of them are
 * at the head of their queues, so that it overtakes no other job. Then they are tried
 * together. Where jobs wait for each other to pass, some give up until another one has had
 * its turn.
 */
#include "core/cap.h"
#include "holding/holding.h"
#include "plan/plan.h"
#include "victims/target.h"

/* ---- components that are tried together ---- */

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
	const struct assignment *d = &entry->final.draft;
	bool fits;

	t->n++;
	if (entry_evicts_later(entry))
		return true;
	for (size_t i = 0; i < entry->final.ntargets; i++) {
		unit_set_gone(entry->final.targets[i].h, true);
		target_remove(e, entry->final.targets[i].h);
	}
	withheld_lift(e, entry->q);
	fits = workload_fits(e, entry->w, d->uses, d->nusage);
	(void) workload_charge(e, entry->w, d->uses, d->nusage);
	withheld_book(e, entry->q);
	return fits;
}

static int trial_nominate(struct trial *t, struct workload *w, struct entry *entry)
{
	int rc;

	*entry = (struct entry) { .w = w, .q = w->shape->q };
	rc = entry_nominate(t->p->e, entry, t->p->now);
	entry->outcome = nominee_outcome(&entry->final);
	plan_note_passed(t->p, w, &entry->final.passed);
	return rc;
}

/* Nominates and charges the others; stops at the first that fails. */
static int trial_others(struct trial *t, struct workload *first)
{
	for_each_member(m, first->bond) {
		struct entry *entry = &t->entries[t->n];

		if (m == first || member_is_settled(m))
			continue;
		if (trial_nominate(t, m, entry) < 0)
			return -1;
		if (!outcome_goes(entry->outcome) || !trial_charge(t, entry)) {
			t->failing = m;
			t->verdict = reason_to_wait(t->p, m, &entry->final.passed);
			return 0;
		}
	}
	return 0;
}

/* Puts all components on a trial of the books, one after the other; those before it are
 * charged and their victims gone. */
static int trial_run(struct trial *t, const struct entry *first)
{
	struct engine *e = t->p->e;
	size_t mark;
	int rc;

	t->entries = engine_alloc(t->p->e, &e->arena, first->w->bond->nmembers,
				sizeof(*t->entries));
	if (!t->entries)
		return -1;
	mark = trial_begin(e);
	t->entries[0] = *first;
	(void) trial_charge(t, first);
	rc = trial_others(t, first->w);
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->entries[i].final.ntargets; k++)
			unit_set_gone(t->entries[i].final.targets[k].h, false);
	}
	trial_end(e, mark);
	return rc;
}

static int trial_apply(struct trial *t)
{
	bool evicts = false;

	for (size_t i = 0; i < t->n; i++)
		evicts |= entry_evicts(&t->entries[i]);
	for (size_t i = 0; i < t->n; i++) {
		t->entries[i].others_evict = evicts;
		if (outcome_apply(t->p, &t->entries[i]) < 0)
			return -1;
	}
	return BOND_MOVED;
}

/* ---- heterogeneous jobs ---- */

/* The others wait because this member does. 1: that is new */
static int others_fail(struct plan *p, const struct workload *because)
{
	int news = 0;

	for_each_member(m, because->bond) {
		if (m == because || !workload_is_undecided(m))
			continue;
		(void) member_fail(p, m, because);
		news = 1;
	}
	return news;
}

/* No member has its turn, as this one will not have it. 1: that is new */
static int all_fail(struct plan *p, struct workload *w)
{
	const struct workload *because = bond_cause(w);
	int news = others_fail(p, because);

	if (!member_has_hope(because))
		return news;
	(void) member_fail(p, (struct workload *) because, because);
	verdict_wait(p, (struct workload *) because, WAIT_IS_ORDER, 0);
	return 1;
}

/* It, or another component of its bond, is at the head of its queue. */
static bool is_head(const struct workload *w)
{
	const struct workload *head = heads_get(w->shape->q);

	return head && head->bond == w->bond;
}

/* The first member that still needs a turn and is not so; NULL: none. member_has_hope(): it
 * will not have one; is_head(): it is not at the head of its queue yet. */
static struct workload *find_not(const struct bond *b, bool (*is)(const struct workload *w))
{
	for_each_member(m, b) {
		if (!member_is_settled(m) && !is(m))
			return m;
	}
	return NULL;
}

/* The job whose component stands before this one, which still needs a turn; NULL: none */
static struct bond *bond_before(const struct workload *m)
{
	const struct workload *head = member_is_settled(m) ? NULL : heads_get(m->shape->q);

	return head ? head->bond : NULL;
}

static int all_go(struct plan *p, struct entry *entry)
{
	struct trial t = { .p = p };

	if (trial_run(&t, entry) < 0)
		return -1;
	if (!t.failing)
		return trial_apply(&t);
	(void) others_fail(p, t.failing);
	if (member_fail(p, t.failing, t.failing))
		t.failing->decision->verdict = t.verdict;
	return 1;
}

/* All members go, if it is their turn. It is not if a member will have none: then all are
 * taken out; or if a member is not at the head of its queue yet. */
static int turn_take(struct plan *p, struct entry *entry)
{
	struct bond *b = entry->w->bond;
	struct workload *hopeless = NULL;
	int rc = 0;

	if (!outcome_goes(entry->outcome))
		rc = outcome_apply(p, entry);
	if (rc < 0)
		return rc;
	if (outcome_fails(entry->outcome))
		return rc | others_fail(p, entry->w);
	if (rc)
		return rc;
	hopeless = find_not(b, member_has_hope);
	if (hopeless)
		return all_fail(p, hopeless);
	if (find_not(b, is_head) || !outcome_goes(entry->outcome) || !entry_still_fits(p, entry))
		return 0;
	return all_go(p, entry);
}

/* A job was decided: those that gave up may have their turn after all. */
static void gave_up_return(struct plan *p)
{
	while (p->gave_up) {
		struct bond *b = p->gave_up;

		p->gave_up = b->next_gave_up;
		b->gave_up = b->gives_way = false;
		bond_return(b);
	}
}

int components_apply(struct plan *p, struct entry *entry)
{
	int rc = turn_take(p, entry);

	if (rc > 0)
		gave_up_return(p);
	return rc;
}

/* ---- jobs that wait for each other to pass ---- */

/* A member waits for a job to pass that is none of those that wait so. */
static bool waits_in_vain(const struct bond *b)
{
	for_each_member(m, b) {
		const struct bond *other = bond_before(m);

		if (!member_is_settled(m) && other != b && (!other || !other->waits))
			return true;
	}
	return false;
}

/* A member stands behind others in a StrictFIFO queue. */
static bool is_behind(const struct bond *b)
{
	for_each_member(m, b) {
		if (m->shape->q->spec.strategy == STRATEGY_STRICT_FIFO
		    && !member_is_settled(m) && !is_head(m))
			return true;
	}
	return false;
}

/* The jobs with a head that wait for other components to become heads, too */
static struct bond *waiting_find(struct plan *p)
{
	struct bond *first = NULL, **end = &first;

	for (struct bond *b = p->e->bonds; b; b = b->next)
		b->waits = false;
	for_each_tree(t, p) {
		for (size_t i = 0; i < t->nturns; i++) {
			const struct workload *w = t->turns[i]->w;
			struct bond *b = w->bond;

			if (!b || b->kind != BOND_TOGETHER || b->waits
			    || find_not(b, member_has_hope) || !find_not(b, is_head))
				continue;
			b->waits = true;
			b->next_waiting = NULL;
			*end = b;
			end = &b->next_waiting;
		}
	}
	return first;
}

/* The one that comes first, by its first component: if there is one, one that no StrictFIFO
 * queue holds up */
static struct bond *waiting_first(struct bond *waiting)
{
	struct bond *first = waiting;

	for (struct bond *b = waiting; b; b = b->next_waiting) {
		if (is_behind(b) < is_behind(first)
		    || (is_behind(b) == is_behind(first) && is_more_urgent(b->members, first->members)))
			first = b;
	}
	return first;
}

/* The job is out of the plan until another one has had its turn. */
static void bond_give_up(struct plan *p, struct bond *b)
{
	for_each_member(m, b) {
		if (workload_is_undecided(m) && member_fail(p, m, m))
			verdict_wait(p, m, WAIT_IS_ORDER, 0);
	}
	if (b->gave_up)
		return;
	b->gave_up = true;
	b->next_gave_up = p->gave_up;
	p->gave_up = b;
}

/* Those that wait in vain let others pass, where StrictFIFO allows that. 1: there are any */
static int vain_give_up(struct plan *p, struct bond *waiting)
{
	int any = 0;

	for (struct bond *b = waiting; b; b = b->next_waiting)
		b->in_vain = waits_in_vain(b);
	for (struct bond *b = waiting; b; b = b->next_waiting) {
		if (!b->in_vain)
			continue;
		bond_give_up(p, b);
		any = 1;
	}
	return any;
}

/* All wait for each other: those before the first one let it pass. If all stand behind
 * others in StrictFIFO queues, these queues do not wait for them either. */
static void others_give_up(struct plan *p, struct bond *first)
{
	bool strict = is_behind(first);

	for_each_member(m, first) {
		struct bond *before = bond_before(m);

		/* one that has just given up may have left another job there */
		if (!before || before == first || !before->waits)
			continue;
		before->gives_way |= strict;
		bond_give_up(p, before);
	}
}

int components_move(struct plan *p)
{
	struct bond *waiting = waiting_find(p);

	if (!waiting)
		return 0;
	if (!vain_give_up(p, waiting))
		others_give_up(p, waiting_first(waiting));
	return 1;
}

/* ---- before the first cycle, and after the last one ---- */

/* It can never start, or waits for a stopped queue. */
static const struct workload *find_idle(const struct bond *b)
{
	for_each_member(m, b) {
		if (!b->never && queue_held(m->shape->q))
			return m;
	}
	return b->never;
}

int components_begin(struct plan *p, struct bond *b)
{
	const struct workload *idle;

	if (!b->judged && never_find_bond(p->e, b) < 0)
		return -1;
	idle = find_idle(b);
	b->gave_up = false;
	b->gives_way = idle;
	for_each_member(m, b) {
		if (!idle)
			break;
		decide(p, m)->failed = true;
		m->done = true;
		m->because = m == idle ? NULL : idle;
		m->decision->verdict = b->never ? b->verdict
						: (struct verdict) { .kind = VERDICT_NONE };
	}
	return 0;
}

void components_end(struct bond *b)
{
	const struct workload *waits = NULL, *fails = NULL;

	for_each_member(m, b) {
		if (member_waits_for_victims(m))
			waits = bond_cause(m);
		else if (!member_goes(m))
			fails = bond_cause(m);
	}
	for_each_member(m, b) {
		if (fails && member_goes(m))
			m->because = fails;
		else if (waits && member_goes(m) && member_verdict(m)->kind == VERDICT_START)
			m->because = waits;
	}
}
