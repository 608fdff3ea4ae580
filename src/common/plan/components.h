/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * components.h - heads of a plan that all go, or none of them
 *
 * The components of a heterogeneous job that wait in one tree
 * (doc/how-it-decides.md, section 9). For components in several trees see
 * trees/bond_together.c.
 */
#ifndef COHORT_COMPONENTS_H
#define COHORT_COMPONENTS_H

#include "core/tree_state.h"
#include "core/workload_state.h"
#include "plan/plan.h"
#include "workload/bond.h"

/* The books have changed since the other heads of the cycle were decided
 * about: the cycle is over. */
#define COMPONENTS_MOVED 2

/* ---- components.c ---- */

/* Other components of its job wait in the same tree. */
bool has_components_in_tree(const struct workload *w);

/* As outcome_apply(), for a head and the others of its bond: COMPONENTS_MOVED
 * if they all go. They wait until all are at the head of their queues. When it
 * is decided, the first of those that gave up for others waits again. */
int components_apply(struct plan *p, struct entry *entry);

/* When nothing moves any more: the head of a StrictFIFO queue lets workloads
 * behind it pass if its job gives way (trees/crossed_lines.c). 1: it does */
int components_give_way(struct plan *p, struct entry *entry);

/* When nothing moves even then: a workload that waits for others to become
 * heads (p->deferred) waits in vain. 1: it was taken out */
int components_give_up(struct plan *p);

/* ---- components_trial.c ---- */

/* Puts all components in the tree on a trial of the books, one after the other;
 * those before it are charged and their victims gone. If all fit, they go:
 * COMPONENTS_MOVED. Else 0, and nothing is changed: *failing is the component
 * that does not fit, *verdict says why. -1 with e->no_memory set. */
int components_try(struct plan *p, const struct entry *first,
		   struct workload **failing, struct verdict *verdict);

/* ---- members of the bond in the tree of the plan ---- */

static inline struct workload *member_next(const struct plan *p,
					   struct workload *m)
{
	while (m && m->shape->q->tree != p->tree)
		m = m->rare->bond_next;
	return m;
}

#define for_each_member(p, m, bond) \
	for (struct workload *m = member_next(p, (bond)->members); m; \
	     m = member_next(p, m->rare->bond_next))

/* It had its turn in this plan, perhaps as an owner, and did not fail. */
static inline bool member_is_settled(const struct workload *w)
{
	return w->plan == w->shape->q->tree->plan && w->done
	       && !(w->decision && w->decision->failed);
}

#endif /* COHORT_COMPONENTS_H */
