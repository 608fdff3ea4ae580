/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * components.h - heads of a plan that all go, or none of them
 */
#ifndef COHORT_COMPONENTS_H
#define COHORT_COMPONENTS_H

#include "plan/plan.h"

/* The books are no longer those on which the other heads of the round were
 * decided about. */
#define TOGETHER_MOVED 2

/* Others of its bond wait in the same tree */
bool together_in_tree(const struct workload *w);

/* As plan_settle(), for a head and the others of its bond: TOGETHER_MOVED if
 * they all go. Until all are at the head of their queues they wait. */
int together_settle(struct plan *p, struct entry *entry);

/* Nothing moves any more: the head of a StrictFIFO queue lets those behind it
 * pass if its job gives way. 1: it does */
int together_give_way(struct plan *p, struct entry *entry);

/* Nor then: one that waits for others to become heads never
 * will have them. 1: it was taken out */
int together_give_up(struct plan *p);

#endif /* COHORT_COMPONENTS_H */
