/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - the plan of one tree while it is made
 */
#ifndef COHORT_PLAN_H
#define COHORT_PLAN_H

#include "cycle/tree_cycle.h"

struct plan {
	struct engine *e;
	struct tree *tree;
	int64_t now;
	uint64_t decisions;		/* ranks given so far */
	struct holding **gone;		/* victims, tentative starts too */
	size_t ngone;
	size_t nreal;			/* of these, how many are running */
	struct holding *starts;		/* tentative ones */
	int64_t nstarts;
	bool victims_stay;		/* round: of one that evicts later */
	struct workload *deferred;	/* round: waits for others of its bond
					 * to become heads */
};

/* Makes the plan of the tree: a verdict for every workload that waits in it.
 * The books are as before. -1 with e->no_memory set. */
int plan_make(struct engine *e, struct tree *tree, int64_t now);

/* Owners of freed quota: first of all, in the order they came to own it */
void plan_settle_owners(struct plan *p);

/* Quota that workloads without nodes keep from other queues */
int plan_hold_blocked(struct plan *p);

/* What became of a head in a round. 1: somebody moved, 0: nothing did, -1
 * with e->no_memory set. */
int plan_settle(struct plan *p, struct entry *entry);

/* False if the round counted on victims that stay for now: the head is asked
 * anew in the next round. */
bool plan_still_fits(struct plan *p, const struct entry *entry);

/* Somebody who runs has to go for the head; but what is blocked in a
 * BestEffortFIFO queue may only do so if it finds nodes after all, and nobody
 * waits for victims that hardly go. */
bool entry_evicts(const struct entry *entry);
bool entry_evicts_later(const struct entry *entry);

/* Takes everything tentative out of the lists again */
void plan_forget(struct plan *p);

/* Of the last turn that was given */
uint64_t rank_last(const struct plan *p);

void verdict_set(struct plan *p, struct workload *w, enum verdict_kind kind,
		 bool borrowing);
void verdict_wait(struct workload *w, enum wait_reason reason,
		  size_t nvictims);

/* One more task may start; the first one has the rank. */
void verdict_start(struct plan *p, struct workload *w, bool borrowing);

/* The plan has to be made again when somebody's protection or turn ends */
void plan_note_expiry(struct plan *p, const struct passed_over *passed);

/* Why it waits, as far as the books of the plan can say; the rest when they
 * are as before. */
struct verdict explain_wait(struct plan *p, const struct workload *w,
			    const struct passed_over *passed);
void explain_order(struct plan *p, const struct workload *w,
		   struct verdict *v);

#endif /* COHORT_PLAN_H */
