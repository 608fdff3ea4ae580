/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond.c - waiting workloads that are not decided about one by one
 *
 * A job with several partitions has an entry in each of its queues, and only
 * one of them may start; of a heterogeneous job all components start, or
 * none. Trees are planned without a look at each other. So a plan is made as
 * if there were no bonds between trees; then those who may not keep what they
 * got are barred, and their trees are planned once more without them.
 */
#include <errno.h>
#include <stdlib.h>

#include "bond.h"
#include "heads.h"
#include "never.h"

/* Bonds that reach into several trees, and fail, are barred one by one in so
 * many plans, as one may be the reason why the next one fails; then all. */
#define BARRED_ONE_BY_ONE 6

static struct bond *bond_create(struct engine *e, struct workload *w,
				enum bond_kind kind)
{
	struct bond *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->kind = kind;
	b->members = w;
	b->nmembers = 1;
	b->next = e->bonds;
	b->link = &e->bonds;
	if (b->next)
		b->next->link = &b->next;
	e->bonds = b;
	w->bond = b;
	return b;
}

static void bond_free(struct bond *b)
{
	*b->link = b->next;
	if (b->next)
		b->next->link = b->link;
	free(b);
}

static struct workload **bond_end(struct bond *b)
{
	struct workload **at = &b->members;

	while (*at)
		at = &(*at)->bond_next;
	return at;
}

int engine_bond(struct engine *e, struct workload *w, struct workload *with,
		enum bond_kind kind)
{
	if (w->held || with->held || w == with || w->bond
	    || (with->bond && with->bond->kind != kind)) {
		errno = EINVAL;
		return -1;
	}
	if (!with->bond && !bond_create(e, with, kind))
		return -1;
	w->bond = with->bond;
	*bond_end(w->bond) = w;
	w->bond->nmembers++;
	bond_change(w);
	tree_touch(e, w->shape->q->tree);
	tree_touch(e, with->shape->q->tree);
	return 0;
}

void bond_change(struct workload *w)
{
	if (w->bond)
		w->bond->judged = false;
}

/* Decided about without the others from now on */
static void member_free(struct engine *e, struct workload *w)
{
	w->barred = false;
	w->because = NULL;
	tree_touch(e, w->shape->q->tree);
}

void bond_leave(struct engine *e, struct workload *w)
{
	struct bond *b = w->bond;
	struct workload **at;

	if (!b)
		return;
	for (at = &b->members; *at != w; at = &(*at)->bond_next)
		;
	*at = w->bond_next;
	bond_change(w);
	w->bond = NULL;
	w->bond_next = NULL;
	member_free(e, w);
	for (struct workload *m = b->members; m; m = m->bond_next)
		member_free(e, m);
	if (--b->nmembers > 1)
		return;
	if (b->members)
		b->members->bond = NULL;
	bond_free(b);
}

void engine_unbond(struct engine *e, struct workload *w)
{
	bond_leave(e, w);
}

static bool bond_is_outdated(const struct bond *b)
{
	for (const struct workload *m = b->members; m; m = m->bond_next) {
		if (m->shape->q->tree->outdated)
			return true;
	}
	return false;
}

/* True if that outdates a tree which was not */
static bool bond_unbar(struct engine *e, struct bond *b)
{
	bool outdated = false;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (!m->barred && !m->because)
			continue;
		m->because = NULL;
		m->barred = false;
		outdated |= !m->shape->q->tree->outdated;
		tree_touch(e, m->shape->q->tree);
	}
	return outdated;
}

void bonds_begin(struct engine *e)
{
	bool again;

	never_judge_bonds(e);
	do {
		again = false;
		for (struct bond *b = e->bonds; b; b = b->next) {
			if (bond_is_outdated(b))
				again |= bond_unbar(e, b);
		}
	} while (again);
}

static void bond_give_up(struct bond *b, struct tree *tree)
{
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m->shape->q->tree != tree)
			continue;
		workload_renew(m);
		m->done = m->failed = true;
		m->because = m == b->never ? NULL : b->never;
		m->verdict = b->verdict;
	}
}

void bonds_give_up(struct engine *e, struct tree *tree)
{
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b->never)
			bond_give_up(b, tree);
	}
}

static bool is_kind(const struct engine *e, const struct workload *w,
		    enum verdict_kind kind)
{
	return engine_verdict(e, w)->kind == kind;
}

static bool goes(const struct engine *e, const struct workload *w)
{
	return is_kind(e, w, VERDICT_START) || is_kind(e, w, VERDICT_PREEMPT);
}

static void bar(struct engine *e, struct workload *w)
{
	w->barred = true;
	tree_touch(e, w->shape->q->tree);
}

/* ---- one of them ---- */

/* The first one that can start; else the one whose victims are on their way
 * out; else the first one that can evict. One that has found no nodes does
 * not stand in the way of the others. */
static struct workload *either_choose(const struct engine *e,
				      const struct bond *b)
{
	struct workload *owner = NULL, *preemptor = NULL;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (is_kind(e, m, VERDICT_START) && !m->blocked)
			return m;
		if (!owner && m->claim)
			owner = m;
		if (!preemptor && is_kind(e, m, VERDICT_PREEMPT))
			preemptor = m;
	}
	return owner ? owner : preemptor;
}

/* The one that was chosen has lost its turn since then */
static bool either_unbar(struct engine *e, struct bond *b)
{
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (goes(e, m))
			return false;
	}
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (!m->barred)
			continue;
		m->barred = false;
		tree_touch(e, m->shape->q->tree);
		return true;
	}
	return false;
}

static bool either_resolve(struct engine *e, struct bond *b)
{
	struct workload *chosen = either_choose(e, b);
	bool starts, barred = false;

	if (!chosen)
		return either_unbar(e, b);
	starts = is_kind(e, chosen, VERDICT_START) && !chosen->blocked;
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m == chosen || m->barred || !goes(e, m)
		    || (!starts && is_kind(e, m, VERDICT_START)))
			continue;
		bar(e, m);
		barred = true;
	}
	return barred;
}

/* ---- all of them ---- */

static struct workload *together_failing(const struct engine *e,
					 const struct bond *b)
{
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (!m->barred && bond_cause(m) == m && !goes(e, m))
			return m;
	}
	return NULL;
}

/* Quota is there, or will be when victims have gone: it is kept for them all */
static bool is_secure(const struct engine *e, const struct workload *w)
{
	const struct verdict *v = engine_verdict(e, w);

	return goes(e, w) || (v->kind == VERDICT_WAIT
			      && v->reason == WAIT_IS_PREEMPTING);
}

/* One of them can't go, and some of the others would */
static bool together_is_torn(const struct engine *e, const struct bond *b)
{
	const struct workload *failing = together_failing(e, b);
	bool torn = false;

	if (!failing || is_secure(e, failing))
		return false;
	for (const struct workload *m = b->members; m; m = m->bond_next)
		torn |= !m->barred && bond_cause(m) == m && goes(e, m);
	return torn;
}

static void together_bar(struct engine *e, struct bond *b)
{
	const struct workload *failing = together_failing(e, b);

	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m == failing || m->barred || bond_cause(m) != m
		    || !goes(e, m))
			continue;
		bar(e, m);
		m->because = failing;
	}
}

/* For some of them victims have to go first: the others wait for that. */
static void together_wait(struct engine *e, struct bond *b)
{
	const struct workload *failing = together_failing(e, b);

	if (!failing || !is_secure(e, failing))
		return;
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m != failing && is_kind(e, m, VERDICT_START))
			m->because = failing;
	}
}

/* What failed does so no longer: the barred ones have another chance. */
static bool together_unbar(struct engine *e, struct bond *b)
{
	bool again = false;

	if (together_failing(e, b))
		return false;
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (!m->barred)
			continue;
		m->barred = false;
		m->because = NULL;
		tree_touch(e, m->shape->q->tree);
		again = true;
	}
	return again;
}

static bool comes_first(const struct bond *a, const struct bond *b)
{
	const struct workload *x = a->members, *y = b->members;

	if (x->shape->priority != y->shape->priority)
		return x->shape->priority > y->shape->priority;
	if (x->queue_order_at != y->queue_order_at)
		return x->queue_order_at < y->queue_order_at;
	return x->tiebreak < y->tiebreak;
}

static bool all_torn_bar(struct engine *e, bool one)
{
	struct bond *first = NULL;
	bool any = false;

	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b->kind != BOND_TOGETHER || !together_is_torn(e, b))
			continue;
		any = true;
		if (!one)
			together_bar(e, b);
		else if (!first || comes_first(b, first))
			first = b;
	}
	if (first)
		together_bar(e, first);
	return any;
}
bool bonds_resolve(struct engine *e, int pass)
{
	bool again = all_torn_bar(e, pass < BARRED_ONE_BY_ONE);

	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b->kind == BOND_EITHER)
			again |= either_resolve(e, b);
		else if (!again)
			again |= together_unbar(e, b);
	}
	return again;
}

/* Nothing is planned for the sake of it any more: who may not go waits. */
static void either_end(const struct engine *e, struct bond *b)
{
	const struct workload *chosen = either_choose(e, b);
	bool starts = chosen && is_kind(e, chosen, VERDICT_START)
		      && !chosen->blocked;

	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (m != chosen && goes(e, m)
		    && (starts || is_kind(e, m, VERDICT_PREEMPT)))
			m->barred = true;
	}
}

static void together_end(struct engine *e, struct bond *b)
{
	struct workload *failing = NULL;

	together_wait(e, b);
	for (struct workload *m = b->members; m && !failing; m = m->bond_next) {
		if (m->barred || !is_secure(e, m))
			failing = m;
	}
	if (!failing)
		return;
	for (struct workload *m = b->members; m; m = m->bond_next) {
		if (!goes(e, m))
			continue;
		m->barred = true;
		m->because = NULL;
	}
}

void bonds_end(struct engine *e)
{
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b->kind == BOND_EITHER)
			either_end(e, b);
		else
			together_end(e, b);
	}
}

const struct workload *bond_cause(const struct workload *w)
{
	if (w->because && (w->barred || w->plan == w->shape->q->tree->plan))
		return w->because;
	return w;
}

bool bond_blocks(const struct workload *w)
{
	return bond_is_together(w) && !w->bond->never
	       && (w->barred
		   || (w->failed && w->plan == w->shape->q->tree->plan));
}

const struct workload *engine_waits_for(const struct engine *e,
					const struct workload *w)
{
	(void) e;
	return bond_cause(w);
}
