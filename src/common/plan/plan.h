/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - the plan of one tree while it is made
 *
 * doc/how-it-decides.md, section 9. A plan runs Kueue's cycles (section 8) on
 * the books until nothing moves. Unless a comment says otherwise, functions
 * that return int return 1 if they moved something, 0 if they did not, and -1
 * with e->no_memory set.
 */
#ifndef COHORT_PLAN_H
#define COHORT_PLAN_H

#include "cycle/tree_cycle.h"

struct plan {
	struct engine *e;
	struct tree *tree;
	int64_t now;
	uint64_t decisions;		/* ranks given so far */
	struct holding **gone;		/* victims, also starts that were taken
					 * back */
	size_t ngone;
	size_t nvictims;		/* how many of `gone` are running, */
	struct freed *freed;		/* what they use, by queue (freed.c) */
	bool fixed_gone;		/* one of them is non-preemptible */
	struct holding *starts;		/* tentative ones */
	int64_t nstarts;
	uint64_t before;		/* e->plans when it was begun first */
	bool again;			/* it has to be begun anew (starts.c) */
	bool next_stay;			/* no task evicts after others that
					 * start */
	bool victims_stay;		/* cycle: of a head that evicts later */
	const struct queue *free_of;	/* explain.c: whose free quota is known, */
	int64_t *free;			/* by pair; INT64_MIN: not yet */
	struct workload *deferred;	/* cycle: waits for others of its bond
					 * to become heads */
	struct workload *gave_up;	/* whose bonds gave up: the first one, */
	struct workload *last_gave_up;	/* and the last one */
};

/* Makes the plan of the tree: a verdict for every workload that waits in it.
 * The books are as before. 0, or -1 with e->no_memory set. */
int plan_make(struct engine *e, struct tree *tree, int64_t now);

/* ---- before the first cycle (owners_first.c, blocked.c) ---- */

/* Gives owners of freed quota the first turns, in the order in which they came
 * to own it (section 9, freed quota has an owner). */
void owners_go_first(struct plan *p);

/* Keeps the quota of workloads that found no nodes from other queues (section
 * 9, a job with quota but without nodes). 0, or -1 with e->no_memory set. */
int blocked_withhold(struct plan *p);

/* Workloads for which there can never be room beside the others of their bond
 * count as having had their turn, and hold up no others (section 9,
 * heterogeneous jobs). */
void bonds_give_up(struct plan *p);

/* ---- after a cycle (outcomes.c, starts.c) ---- */

/* Applies to the plan what the outcome of a head in a cycle means for it */
int outcome_apply(struct plan *p, struct entry *entry);

/* False if the cycle counted on the eviction of victims that stay for now: the
 * next cycle decides about the head again. */
bool entry_still_fits(const struct plan *p, const struct entry *entry);

/* entry_evicts(): a running workload has to go for the head.
 * entry_evicts_later(): so it is, but the head is blocked in a BestEffortFIFO
 * queue. It evicts only if it finds nodes after all, and no other workload
 * waits for its victims, which will hardly go. */
bool entry_evicts(const struct entry *entry);
bool entry_evicts_later(const struct entry *entry);

/* What a head would get, in memory that lasts as long as the plan; NULL with
 * e->no_memory set */
struct use *uses_keep(struct plan *p, const struct draft *d);

/* The head starts in this plan: one more of its tasks has quota. */
int start_head(struct plan *p, struct entry *entry);

/* A victim is out of the books for the rest of the plan. If it is a start of
 * this plan, the start is taken back. 0, or -1 with e->no_memory set. */
int victim_leave(struct plan *p, struct holding *h);

/* Takes all tentative holdings out of the lists again */
void starts_forget(struct plan *p);

/* ---- what the victims of the plan use (freed.c) ---- */

/* Adds what a running victim uses, with all of its unit; 0, or -1 with
 * e->no_memory set. */
int freed_add(struct plan *p, struct holding *h);

/* Would uses[], no pair twice, fit in the queue if all victims were back in the
 * books? */
bool freed_fit_beside(struct plan *p, const struct queue *q,
		      const struct use *uses, size_t n);

/* The same question about the cap of non-preemptible workloads */
bool freed_cap_admits_beside(const struct plan *p, const struct workload *w,
			     const struct use *uses, size_t n);

/* ---- verdicts (verdict.c) ---- */

/* Rank of the last turn that was given */
uint64_t rank_last(const struct plan *p);

/* What the plan has decided about the workload so far, to be changed. Where there
 * is no memory e->no_memory is set, and it is none that lasts. */
struct decision *decide(struct plan *p, struct workload *w);

void verdict_set(struct plan *p, struct workload *w, enum verdict_kind kind,
		 bool borrowing);
void verdict_wait(struct plan *p, struct workload *w, enum wait_reason reason,
		  size_t nvictims);

/* One more task may start; the rank is that of the first task. */
void verdict_start(struct plan *p, struct workload *w, bool borrowing);

/* The plan has to be made again when a protection or a turn ends that the
 * search has met (section 6). */
void plan_note_expiry(struct plan *p, const struct passed_over *passed);

/* Histories change with time (section 7): the plan has to be made again then
 * while any job waits */
void plan_note_history(struct plan *p);

/* ---- reasons (reasons.c; section 11) ---- */

/* While the books stay as they are, what is free for the queue is worked out once for all
 * of its shapes. NULL: no longer. Without memory it is worked out each time. */
void free_know(struct plan *p, const struct queue *q);


/* Why the workload waits, as far as the books of the plan can say */
struct verdict reason_to_wait(struct plan *p, const struct workload *w,
			      const struct passed_over *passed);

/* When the books are as before the plan: the pair that the reason names is still
 * missing, and there is no other flavor. So the order does not matter. False:
 * perhaps */
bool reason_is_quota(const struct plan *p, const struct queue *q,
		     const struct verdict *v);

/* The rest of the reason, when the books are as before the plan: does the
 * workload only wait for its turn? Then *v becomes WAIT_IS_ORDER. */
void reason_renew_order(struct plan *p, const struct workload *w,
			struct verdict *v);

/* ---- the reasons of shapes (explain.c) ---- */

/* Why all shapes of the tree wait that were dropped, after the last cycle */
void shapes_explain(struct plan *p);

/* When the books are as before the plan: finds the workloads that would fit if the
 * order did not matter. A component that fails beside the others of its job may fit
 * alone. */
void order_explain(struct plan *p);

#endif /* COHORT_PLAN_H */
