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
	int64_t until;			/* earliest end of a protection; 0: unknown */
	int64_t turn;			/* earliest end of a turn that changes the order; 0: none */
};

/* What a plan withholds for a shape that is inadmissible */
struct keeper {
	struct use *uses;
	size_t n;			/* not 0: among its queue's keepers */
	uint64_t rank;			/* of the last turn before that */
	struct shape *next, **link;
};

/* What a plan looks at in each shape comes first, in two lines of the cache. Where
 * priorities differ, each job that waits has a shape for itself. */
struct shape {
	struct shape *next;		/* in the list of its queue */
	struct queue *q;
	uint64_t plan;			/* the plan that found it inadmissible */
	const struct podset_desc *podsets;	/* core/podsets.h */
	struct workload *cursor;	/* plan: its next candidate for head */
	uint32_t npodsets : 27;
	uint32_t yields : 2;		/* enum yielding */
	bool nonpreemptible : 1;
	bool had_turn : 1;		/* a plan that was cut off has found it inadmissible */
	uint32_t users;			/* how many workloads, waiting or not */
	int64_t priority;
	struct passed_over passed;	/* plan: when it became inadmissible */
	struct rankset waiting;
	struct shape **link_in_queue;	/* what points to it in that list */
	struct local *local;	/* where usage counts in the queue, whose; NULL */
	struct fixed_group *group;	/* nonpreemptible: only some of it; NULL */
	struct hash_link link;
	struct keeper keeper;
	struct verdict verdict;
};

/* What a plan has decided about a workload, in memory that lasts as long as the
 * plan. Only of those that it lets go or that it came to as heads. */
struct decision {
	struct verdict verdict;
	int64_t starts;			/* tasks that got quota so far */
	const struct use *promise;	/* what it may start with, or NULL */
	size_t npromise;
	const struct victim *next_victims;	/* of the task after these; NULL: it does
					 * not evict */
	size_t n_next_victims;
	struct workload *next_promised;	/* the next one that the plan lets go */
	bool promised;			/* it is in the list of these */
	bool failed;			/* it is out of the plan because of its bond */
	bool claim_void;		/* it competes like any other */
};

/* Freed quota that the workload owns */
struct claim {
	struct use *uses;
	size_t nuses;
	struct charge *charges;		/* the same, as the caller gave it */
	size_t ncharges;
	uint64_t number;		/* owners in the order in which they came to be */
	bool fixed;			/* it is fixed usage */
	bool settles;			/* the run that it is for is settled */
	struct workload *next_owner;	/* next owner of its tree */
};

/* How far a workload that was evicted leaves others alone */
enum yielding {
	YIELDS_NOT,
	YIELDS_BEYOND_COHORT,		/* it evicts for what a cohort above it owns, too */
	YIELDS_BEYOND_QUEUE,
};

/* What is looked at to tell the verdict of one that waits comes first, in one line
 * of the cache; then what a plan looks at, in the next one. */
struct workload {
	struct shape *shape;
	union {
		struct holding *held;	/* running: read it by holding_of(); */
		uint64_t joined;	/* waiting: the last plan before it began to wait */
	};
	struct decision *decision;	/* what the last plan that came to it decided, or NULL */
	uint64_t plan : 59;		/* that plan */
	bool runs : 1;
	bool blocked : 1;		/* it had quota, but found no nodes */
	bool follower : 1;		/* adds nothing to places */
	bool done : 1;			/* plan: not looked at again */
	const struct workload *because;	/* member of its bond that can't go, or NULL */
	struct bond *bond;		/* or NULL */
	struct claim *claim;		/* or NULL */
	void *owner;
	int64_t queue_order_at;
	uint64_t tiebreak;
	uint32_t tasks;
	uint32_t max_starts;		/* of its tasks, that may start now; 0: all */
	struct rank_node in_queue, in_shape;
	struct workload *bond_next;	/* next member of its bond */
	int64_t evictions, lost, turns;	/* see struct workload_desc */
	int local;			/* number of its local queue */
};

/* NULL if it waits */
static inline struct holding *holding_of(const struct workload *w)
{
	return w->runs ? w->held : NULL;
}

#endif /* COHORT_WORKLOAD_STATE_H */
