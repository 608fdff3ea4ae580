/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * components.h - heads of a plan that all go, or none of them
 *
 * The components of a heterogeneous job that wait in one tree
 * (doc/how-it-decides.md, section 9). trees/bond_together.c sees to those of
 * several trees.
 */
#ifndef COHORT_COMPONENTS_H
#define COHORT_COMPONENTS_H

#include "plan/plan.h"
#include "workload/bond.h"

/* The books are no longer those on which the other heads of the cycle were
 * decided about. */
#define COMPONENTS_MOVED 2

/* ---- components.c ---- */

/* Other components of its job wait in the same tree. */
bool has_components_in_tree(const struct workload *w);

/* As outcome_apply(), for a head and the others of its bond: COMPONENTS_MOVED
 * if they all go. Until all are at the head of their queues they wait. */
int components_apply(struct plan *p, struct entry *entry);

/* Nothing moves any more: the head of a StrictFIFO queue lets those behind it
 * pass if its job gives way (trees/crossed_lines.c). 1: it does */
int components_give_way(struct plan *p, struct entry *entry);

/* Nor then: one that waits for others to become heads (p->deferred) never will
 * have them. 1: it was taken out */
int components_give_up(struct plan *p);

/* ---- components_trial.c ---- */

/* Puts all components in the tree on a trial of the books, one after the other
 * with those before it charged and their victims gone. If all fit, they go:
 * COMPONENTS_MOVED. Else nothing is changed, *failing is the one that does not
 * fit and *verdict why: 0. -1 with e->no_memory set. */
int components_try(struct plan *p, const struct entry *first,
		   struct workload **failing, struct verdict *verdict);

/* ---- members of the bond in the tree of the plan ---- */

static inline struct workload *member_next(const struct plan *p,
					   struct workload *m)
{
	while (m && m->shape->q->tree != p->tree)
		m = m->bond_next;
	return m;
}

#define for_each_member(p, m, w) \
	for (struct workload *m = member_next(p, (w)->bond->members); m; \
	     m = member_next(p, m->bond_next))

/* It had its turn, with what it owns already */
static inline bool member_is_settled(const struct workload *w)
{
	return w->plan == w->shape->q->tree->plan && w->done && !w->failed;
}

#endif /* COHORT_COMPONENTS_H */
