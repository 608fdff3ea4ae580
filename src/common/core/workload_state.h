/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_state.h - a workload, and the shape that it has
 *
 * Workloads of a queue that ask for the same with the same priority form a
 * shape: when one of them cannot go, none of them can, so plans look at shapes.
 */
#ifndef COHORT_WORKLOAD_STATE_H
#define COHORT_WORKLOAD_STATE_H

#include "engine.h"
#include "lib/hash.h"
#include "lib/rankset.h"
#include "quota/books.h"

/* What a search remembers of candidates that it could not take */
struct passed_over {
	bool protected;			/* some, only by time or count */
	bool protected_in_other_queue;	/* ... in another queue */
	bool spent;			/* ... or evicted too often */
	bool fixed;			/* ... or non-preemptible, in a queue that
					 * has more of these than nominal quota */
	int64_t until;			/* earliest end of a protection; 0:
					 * unknown */
	int64_t turn;			/* earliest end of a turn that changes
					 * the order; 0: none */
};

/* What a plan looks at in each shape comes first, in two lines of the cache. */
struct shape {
	struct shape *next;		/* in the list of its queue */
	struct queue *q;
	uint64_t plan;			/* the plan that found it
					 * inadmissible */
	uint64_t number;		/* no other shape ever has it */
	uint64_t explained;		/* plan: on which books (p->standing) */
	uint64_t reason_key;		/* see plan/explain.c; 0: none */
	struct podset_desc *podsets;	/* one block with all they point to */
	struct workload *cursor;	/* plan: its next candidate for head */
	size_t npodsets;
	int64_t priority;
	struct passed_over passed;	/* plan: when it became inadmissible */
	struct rankset waiting;
	struct shape **prev;		/* what points to it in that list */
	struct shape *next_untold, **untold_link; /* see plan/explain.c; NULL:
					 * it is not in that list */
	bool simple;			/* see workload/asked.h */
	bool in_turn;			/* plan: it only waits for its turn */
	bool nonpreemptible;
	struct fixed_group *group;	/* nonpreemptible: only some of it; NULL */
	uint64_t asks;		/* the number of a shape, maybe gone, that asked for the
				 * same: those that have the same one do so */
	uint64_t alone;		/* not 0: the shape of one workload only */
	int local;		/* where usage counts in the queue, whose; 0 */
	size_t users;			/* how many workloads, waiting or not */
	struct hash_link link;
	struct use *kept;		/* inadmissible: withheld for it; */
	size_t nkept;			/* not 0: among its queue's keepers */
	uint64_t kept_rank;		/* of the last turn before that */
	struct shape *next_keeper, **keeper_link;
	struct verdict verdict;
};

/* What a plan has decided about a workload, in memory that lasts as long as the
 * plan. Only of those that it lets go or that it came to as heads. */
struct decision {
	struct verdict verdict;
	int64_t starts;			/* tasks that got quota so far */
	const struct use *promise;	/* what it may start with, or NULL */
	size_t npromise;
	struct holding *first_start;	/* of its starts the first one, */
	struct holding *last_start;	/* if they are tentative */
	struct workload *next_promised;	/* the next one that the plan lets go */
	struct workload *next_gave_up;	/* the one that gave up after it */
	bool promised;			/* it is in the list of these */
	bool failed;			/* not all of its bond can go */
	bool gave_up;			/* its bond gave up for others */
	bool next_evicts;		/* the next start evicts */
	bool claim_void;		/* it competes like any other */
};

/* Freed quota that the workload owns */
struct claim {
	struct use *uses;
	size_t nuses;
	bool fixed;			/* it is fixed usage */
	struct workload *next_owner;	/* next owner of its tree */
};

/* What is looked at to tell the verdict of one that waits comes first, in one line
 * of the cache; then what a plan looks at, in the next one. Of those that wait
 * there may be a hundred thousand: what few of them have is not in here. */
struct workload {
	struct shape *shape;
	struct holding *held;		/* running; else NULL */
	const struct workload *because;	/* member of its bond that can't go */
	uint64_t joined;		/* the last plan before it began to
					 * wait */
	uint64_t plan;			/* the last plan that came to it, */
	struct decision *decision;	/* and what that decided, or NULL */
	bool blocked;			/* it had quota, but found no nodes */
	bool follower;			/* adds nothing to places */
	bool barred;			/* its bond keeps it out of the plan */
	bool done;			/* plan: not looked at again */
	void *owner;
	struct bond *bond;		/* or NULL */
	struct local *local;
	int64_t queue_order_at;
	uint64_t tiebreak;
	bool *avoid;			/* by flavor, or NULL */
	struct claim *claim;		/* or NULL */
	int64_t tasks;
	int64_t max_starts;
	int64_t created_at;
	struct rank_node in_queue, in_local, in_shape;
	struct workload *next, **link;	/* in the list of all */
	struct workload *next_blocked;	/* next blocked one of its queue, */
	struct workload **blocked_link;	/* ... and what points to this one */
	struct workload *bond_next;	/* next member of its bond */
	uint64_t next_barred;		/* the last plan that was begun anew
					 * because of next_evicts (starts.c) */
};

static inline bool workload_is_waiting(const struct workload *w)
{
	return !w->held;
}

#endif /* COHORT_WORKLOAD_STATE_H */
