/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * members.h - how far the plan has come with the members of bonds
 */
#ifndef COHORT_MEMBERS_H
#define COHORT_MEMBERS_H

#include "plan/plan.h"
#include "workload/bond.h"

/* What the plan has decided so far of the workload, or of the one that it waits for; NULL:
 * nothing */
const struct verdict *member_verdict(const struct workload *w);

/* It starts or preempts. */
bool member_goes(const struct workload *w);

bool member_waits_for_victims(const struct workload *w);

/* An owner of freed quota, whose victims have not left yet */
bool member_owns_and_waits(const struct workload *w);

/* It had its turn in this plan, perhaps as an owner, and did not fail. */
bool member_is_settled(const struct workload *w);

/* It may still have a turn in this plan. */
bool member_has_hope(const struct workload *w);

/* Its turn is over, because of another member or (because == m) of something else. False
 * if some of its tasks have got quota: they keep it. */
bool member_fail(struct plan *p, struct workload *m, const struct workload *because);

/* Members that failed may have a turn after all. */
void bond_return(struct bond *b);

/* ---- heterogeneous jobs (components.c) ---- */

/* Before the first cycle. Jobs that can never start hold up no other. 0, or -1 with
 * e->no_memory set. */
int components_begin(struct plan *p, struct bond *b);

/* As bond_apply() and bonds_move() */
int components_apply(struct plan *p, struct entry *entry);
int components_move(struct plan *p);

/* After the last cycle: members that start wait for one whose victims have to leave. If one
 * can't go, none does. */
void components_end(struct bond *b);

#endif /* COHORT_MEMBERS_H */
