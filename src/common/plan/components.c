/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * components.c - heads of a plan that all go, or none of them
 *
 * The components of a heterogeneous job may be in several queues. Each keeps
 * its place. The job has its turn when all components are at the head of their
 * queues, so that it overtakes no other job (doc/how-it-decides.md, section 9).
 * Then they are tried together (components_trial.c). Where jobs wait for each other
 * to pass, one gives up until another one has had its turn.
 */
#include "cycle/first_turns.h"
#include "cycle/queue_heads.h"
#include "plan/components.h"
#include "plan/refused.h"
#include "workload/progress.h"
#include "workload/shape.h"

/* ---- the state of a member ---- */

bool has_components_in_tree(const struct workload *w)
{
	if (!bond_is_together(w))
		return false;
	for (const struct workload *m = w->rare->bond->members; m; m = m->rare->bond_next) {
		if (m != w && m->shape->q->tree == w->shape->q->tree)
			return true;
	}
	return false;
}

/* It will not have a turn in this plan. */
static bool is_hopeless(const struct workload *w)
{
	return !member_is_settled(w)
	       && (queue_held(w->shape->q) || shape_is_inadmissible(w->shape)
		   || w->barred || bond_blocks(w));
}

/* It, or another component of its bond, is at the head of its queue. */
static bool is_head(const struct workload *w)
{
	const struct workload *head = heads_get(w->shape->q);

	return head && workload_bond(head) == workload_bond(w);
}

/* A member of its bond stands behind others in a StrictFIFO queue. */
static bool is_behind(const struct plan *p, const struct workload *w)
{
	for_each_member(p, m, workload_bond(w)) {
		if (m->shape->q->spec.strategy == STRATEGY_STRICT_FIFO
		    && !member_is_settled(m) && !is_head(m))
			return true;
	}
	return false;
}

/* The first member of its bond that will not have a turn, or NULL */
static struct workload *find_hopeless(const struct plan *p,
				      const struct workload *w)
{
	for_each_member(p, m, workload_bond(w)) {
		if (m != w && is_hopeless(m))
			return m;
	}
	return NULL;
}

/* The first member of its bond that is not at the head of its queue yet, or
 * NULL */
static struct workload *find_not_head(const struct plan *p,
				      const struct workload *w)
{
	for_each_member(p, m, workload_bond(w)) {
		if (!member_is_settled(m) && !is_head(m))
			return m;
	}
	return NULL;
}

/* ---- members that fail ---- */

/* Its turn is over. False if some of its tasks have got quota: they keep it. */
static bool member_fail(struct plan *p, struct workload *m)
{
	struct decision *d = decide(p, m);

	m->done = true;
	d->failed = !d->starts;
	return d->failed;
}

/* The others wait because this member does. 1: that is new */
static int others_fail(struct plan *p, const struct workload *because)
{
	int news = 0;

	for_each_member(p, m, workload_bond(because)) {
		if (m == because || !workload_is_undecided(m))
			continue;
		if (member_fail(p, m))
			m->rare->because = because;
		news = 1;
	}
	return news;
}

/* No member has its turn, as this one can't or will not have it. The member
 * that causes that has none either, if it is in this tree. 1: that is new */
static int all_fail(struct plan *p, const struct workload *w)
{
	const struct workload *because = bond_cause(w);
	int news = others_fail(p, because);

	for_each_member(p, m, workload_bond(w)) {
		if (m != because || !workload_is_undecided(m))
			continue;
		if (member_fail(p, m) && !queue_held(m->shape->q)
		    && !shape_is_inadmissible(m->shape))
			verdict_wait(p, m, WAIT_IS_ORDER, 0);
		news = 1;
	}
	return news;
}

/* ---- components that can never go together ---- */

static void bond_give_up(struct plan *p, struct bond *b)
{
	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (m->shape->q->tree != p->tree)
			continue;
		decide(p, m)->failed = true;
		m->done = true;
		m->rare->because = m == b->never ? NULL : b->never;
		m->decision->verdict = b->verdict;
	}
}

void bonds_give_up(struct plan *p)
{
	for (struct bond *b = p->e->bonds; b; b = b->next) {
		if (b->never)
			bond_give_up(p, b);
	}
}

/* ---- a turn ---- */

/* Notes the job that has to give up if nothing moves. Where two wait for each
 * other, it is the one that may not pass the other. */
static void plan_defer(struct plan *p, struct workload *w)
{
	if (!p->deferred || (is_behind(p, w) && !is_behind(p, p->deferred)))
		p->deferred = w;
}

static int all_go(struct plan *p, struct entry *entry)
{
	struct workload *failing;
	struct verdict verdict;
	int rc = components_try(p, entry, &failing, &verdict);

	if (rc)
		return rc;
	(void) others_fail(p, failing);
	if (member_fail(p, failing))
		failing->decision->verdict = verdict;
	return 1;
}

/* The head would go: then all members go, if it is their turn. It is not their
 * turn if a member will have none (then all are taken out), or is not at the
 * head of its queue yet (then the head is tried again). */
static int turn_take(struct plan *p, struct entry *entry)
{
	struct workload *w = entry->w;
	struct workload *hopeless = find_hopeless(p, w);

	if (hopeless)
		return all_fail(p, hopeless);
	if (find_not_head(p, w)) {
		plan_defer(p, w);
		return 0;
	}
	return entry_goes(entry) && entry_still_fits(p, entry)
	       ? all_go(p, entry) : 0;
}

/* ---- bonds that gave up ---- */

static void gave_up_add(struct plan *p, struct workload *w)
{
	struct decision *d = decide(p, w);

	if (d->gave_up)
		return;
	d->gave_up = true;
	d->next_gave_up = NULL;
	*(p->gave_up ? &p->last_gave_up->decision->next_gave_up
		     : &p->gave_up) = w;
	p->last_gave_up = w;
}

/* Takes out the one that gave up first; NULL: there is none */
static struct workload *gave_up_take(struct plan *p)
{
	struct workload *w = p->gave_up;

	if (w) {
		p->gave_up = w->decision->next_gave_up;
		w->decision->gave_up = false;
	}
	return w;
}

/* One for which others gave up is decided: they may have their turn after all,
 * one after the other. */
static void one_return(struct plan *p)
{
	struct workload *w = gave_up_take(p);

	if (!w)
		return;
	for_each_member(p, m, workload_bond(w)) {
		struct decision *d = workload_decision(m);

		if (!d || !d->failed)
			continue;
		m->done = d->failed = false;
		m->rare->because = NULL;
		d->verdict = (struct verdict) { .kind = VERDICT_NONE };
		heads_return(m);
	}
}

static int turn_apply(struct plan *p, struct entry *entry)
{
	int rc = 0;

	if (!entry_goes(entry))
		rc = outcome_apply(p, entry);
	if (entry_fails(entry)) {
		if (rc >= 0)
			rc |= others_fail(p, entry->w);
		return rc;
	}
	return rc ? rc : turn_take(p, entry);
}

int components_apply(struct plan *p, struct entry *entry)
{
	int rc;

	/* another head of the cycle took it out */
	if (!workload_is_undecided(entry->w))
		return 1;
	rc = turn_apply(p, entry);
	if (rc > 0)
		one_return(p);
	return rc;
}

/* ---- jobs that go one after the other ---- */

/* Nothing is known of its components that a cycle would do better. */
static bool may_go_first(const struct plan *p, const struct entry *entry)
{
	struct workload *w = entry->w;

	if (!has_components_in_tree(w) || !entry_goes(entry)
	    || find_hopeless(p, w) || find_not_head(p, w))
		return false;
	for_each_member(p, m, workload_bond(w)) {
		if (m->blocked)
			return false;
	}
	return true;
}

/* A cycle in which the job of the entry has the first turn, and goes: nothing else would
 * come of that cycle. */
static int first_go(struct plan *p, const struct entry *entry)
{
	struct workload *failing;
	struct verdict verdict;
	int rc = may_go_first(p, entry)
		 ? components_try(p, entry, &failing, &verdict) : 0;

	if (rc != COMPONENTS_MOVED)
		return rc;
	p->books++;
	refused_forget(p);
	return rc;
}

int components_go_on(struct plan *p)
{
	size_t left = p->tree->nqueues;
	struct first_turns turns;
	struct entry *entry;
	int rc = COMPONENTS_MOVED;

	if (p->gave_up || !first_turns_begin(&turns, p->e, p->tree, p->now))
		return p->e->no_memory ? -1 : 0;
	p->deferred = NULL;
	p->victims_stay = false;
	while (left-- && rc == COMPONENTS_MOVED) {
		entry = first_turns_next(&turns);
		rc = entry ? first_go(p, entry) : 0;
	}
	return p->e->no_memory ? -1 : 0;
}

int components_give_way(struct plan *p, struct entry *entry)
{
	struct workload *w = entry->w;

	if (!bond_is_together(w) || !w->rare->bond->gives_way
	    || !workload_is_undecided(w))
		return 0;
	(void) others_fail(p, w);
	if (!member_fail(p, w))
		return 1;
	if (entry_fails(entry))
		w->decision->verdict = reason_to_wait(p, w,
						      &entry->final.passed);
	else
		verdict_wait(p, w, WAIT_IS_ORDER, 0);
	return 1;
}

int components_give_up(struct plan *p)
{
	const struct workload *last = find_not_head(p, p->deferred);
	int moved = last ? all_fail(p, last) : 0;

	if (moved)
		gave_up_add(p, p->deferred);
	return moved;
}
