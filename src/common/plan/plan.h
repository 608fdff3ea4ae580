/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - the plan of one tree, or of those that bonds tie together, while it is made
 *
 * doc/how-it-decides.md, section 9. A plan runs Kueue's cycles (section 8) on
 * the books until nothing moves. Unless a comment says otherwise, functions
 * that return int return 1 if they moved something, 0 if they did not, and -1
 * with e->no_memory set.
 */
#ifndef COHORT_PLAN_H
#define COHORT_PLAN_H

#include "cycle/cycle.h"
#include "workload/workload.h"

struct plan {
	struct engine *e;
	struct tree *trees;		/* the first one, next_in_group is the next */
	int64_t now;
	uint64_t decisions;		/* ranks given so far */
	struct holding **gone;		/* victims, also starts that were taken back */
	size_t ngone;
	size_t nvictims;		/* how many of `gone` are running, */
	int64_t *freed;			/* what they use, by queue and pair; NULL: none */
	struct holding *starts;		/* tentative ones */
	int64_t nstarts;
	bool victims_stay;		/* cycle: of a head that evicts later */
	struct bond *gave_up;		/* bonds.c: gave up for others: the last one */
};

#define for_each_tree(t, p) \
	for (struct tree *t = (p)->trees; t; t = t->next_in_group)

/* All shapes of which the plan has found that none can go */
#define for_each_inadmissible(s, tree) \
	for (size_t i_ = 0; i_ < (tree)->nqueues; i_++) \
		for (struct shape *s = (tree)->queues[i_]->shapes; s; s = s->next) \
			if (shape_is_inadmissible(s))

/* ---- before the first cycle (first.c) ---- */

/* Gives owners of freed quota the first turns, in the order in which they came
 * to own it (section 9, freed quota has an owner). */
void owners_go_first(struct plan *p, struct tree *tree);

/* Keeps the quota of workloads that found no nodes from other queues (section
 * 9, a job with quota but without nodes). 0, or -1 with e->no_memory set. */
int blocked_withhold(struct plan *p, struct tree *tree);

/* ---- bonds (bonds.c; section 9, several partitions and heterogeneous jobs) ---- */

/* After the owners, before the first cycle. 0, or -1 with e->no_memory set. */
int bonds_begin(struct plan *p);

/* As outcome_apply(), for the head of a queue that has a bond. BOND_MOVED: the books are
 * not those by which the other heads of the cycle were judged; it is over. */
int bond_apply(struct plan *p, struct entry *entry);
#define BOND_MOVED 2

/* When nothing moves any more: an entry that waits for a better one goes, or a job lets
 * others pass. */
int bonds_move(struct plan *p);

/* After the last cycle: a component that goes waits for one that does not. */
void bonds_end(struct plan *p);

/* ---- how far the plan has come with members of bonds (members.c) ---- */

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

/* ---- after a cycle (outcomes.c, starts.c) ---- */

/* Applies to the plan what the outcome of a head in a cycle means for it */
int outcome_apply(struct plan *p, struct entry *entry);

/* False if the cycle counted on the eviction of victims that stay for now: the
 * next cycle decides about the head again. */
bool entry_still_fits(const struct plan *p, const struct entry *entry);

/* entry_evicts(): a running workload has to go for the head. entry_evicts_later(): so it is, but
 * the head is blocked in a BestEffortFIFO queue. It evicts only if it finds nodes after all, and
 * no other workload waits for its victims, which will hardly go. */
bool entry_evicts(const struct entry *entry);
bool entry_evicts_later(const struct entry *entry);

/* What a head would get, in memory that lasts as long as the plan of its tree; NULL with
 * e->no_memory set */
struct use *uses_keep(struct plan *p, const struct entry *entry);

/* The head starts in this plan: one more of its tasks has quota. */
int start_head(struct plan *p, struct entry *entry);

/* A victim is out of the books for the rest of the plan. If it is a start of
 * this plan, the start is taken back. 0, or -1 with e->no_memory set. */
int victim_leave(struct plan *p, struct holding *h);

/* Takes all tentative holdings out of the lists again */
void starts_forget(struct plan *p);

/* ---- what the victims of the plan use (freed.c) ---- */

/* Adds what a running victim uses, with all of its unit. 0, or -1 with e->no_memory set */
int freed_add(struct plan *p, struct holding *h);

/* The uses of the workload, no pair twice, fit while all victims of the plan are still there and
 * their preemptors are charged already; under the cap of its queue, too. */
bool freed_fit_beside(struct plan *p, const struct workload *w, const struct use *uses, size_t n);

/* ---- verdicts (verdict.c) ---- */

/* A verdict that names no pair */
#define VERDICT_OF(...) \
	((struct verdict) { __VA_ARGS__, .flavor = SPEC_NONE, .resource = SPEC_NONE })

/* Rank of the last turn that was given */
uint64_t rank_last(const struct plan *p);

/* What the plan has decided about the workload so far, to be changed. Where there
 * is no memory e->no_memory is set, and it is none that lasts. */
struct decision *decide(struct plan *p, struct workload *w);

void verdict_set(struct plan *p, struct workload *w, enum verdict_kind kind, bool borrowing);
void verdict_wait(struct plan *p, struct workload *w, enum wait_reason reason, size_t nvictims);

/* One more task may start; the rank is that of the first task. */
void verdict_start(struct plan *p, struct workload *w, bool borrowing);

/* The plan has to be made again when a protection or a turn ends that a search has met. */
void plan_note_expiry(struct plan *p, const struct passed_over *passed);

/* So it has at the end of the delay of this workload, which counts from the first time on
 * (section 6). */
void plan_note_passed(struct plan *p, struct workload *w, const struct passed_over *passed);

/* Histories change with time (section 7): the plan has to be made again then
 * while any job waits */
void plan_note_history(struct plan *p, struct tree *tree);

/* ---- requests that are more than there could ever be (never.c) ---- */

/* The workload asks for more than its queue can ever have, in every flavor that
 * it may use (doc/how-it-decides.md, sections 2 and 11). If so, *v says in
 * which flavor it comes nearest; else *v is not changed. */
bool never_fits(const struct engine *e, const struct workload *w, struct verdict *v);

/* Before the first cycle of a plan: finds out whether the components of the bond can ever
 * start on empty books. Else notes which of them is too much, alone or with the others
 * (bond->never, bond->verdict). 0, or -1 with e->no_memory set. */
int never_find_bond(struct engine *e, struct bond *b);

/* ---- reasons (reasons.c; section 11) ---- */

/* Why the workload waits, as far as the books of the plan can say */
struct verdict reason_to_wait(struct plan *p, const struct workload *w,
			      const struct passed_over *passed);

/* Why all shapes of the tree wait that were dropped, after the last cycle */
void shapes_explain(struct plan *p, struct tree *tree);

/* When the books are as before the plan: finds the workloads that would fit if the order did not
 * matter. A component that fails beside the others of its job may fit alone. */
void order_explain(struct plan *p, struct tree *tree);

#endif /* COHORT_PLAN_H */
