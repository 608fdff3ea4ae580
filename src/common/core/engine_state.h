/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_state.h - what the parts of the engine share
 *
 * The forest is made of trees; every tree has its queues, every queue what it
 * holds (running workloads) and what waits in it. Waiting workloads of a
 * queue that ask for the same with the same priority form a shape: when one
 * of them cannot go, none of them can, so plans look at shapes.
 */
#ifndef COHORT_ENGINE_STATE_H
#define COHORT_ENGINE_STATE_H

#include "engine.h"
#include "lib/arena.h"
#include "lib/container.h"
#include "quota/books.h"
#include "lib/hash.h"
#include "lib/rankset.h"

/* Bounds of what searches ask of holdings, over all that are below a node of an
 * ordered set, the node itself among them: a search passes over those of whom
 * none can matter. Of those that no time protects or sets free, there are no
 * times; those that have left count in nothing. */
struct holding_bounds {
	uint64_t pairs;			/* of all their uses: bit pair % 64 */
	uint64_t kinds;			/* enum holding_kind */
	int64_t lowest_priority;
	int64_t first_queued, last_queued;
	int64_t first_from, last_from;	/* when they began */
	int64_t first_exempt, last_exempt;
};

enum holding_kind {
	HOLDING_IS_LEAVING = 1,		/* on the way out */
	HOLDING_IS_SPENT = 2,		/* evicted too often */
	HOLDING_IS_ELASTIC = 4,
	HOLDING_HAS_UNIT = 8,
	HOLDING_IS_RUNNING = 16,	/* not just tentative */
	HOLDING_IS_FIXED = 32,		/* non-preemptible */
};

/* A place in one of the orders of a queue */
struct holding_place {
	struct rank_node node;
	struct holding_bounds below;
};

/* Quota in use: by a running workload, or in a plan by one that would start.
 * The holdings of a queue stand in the order in which searches take them: those
 * on the way out first, then by priority, cost, later reservation, tiebreak. */
struct holding {
	struct holding *next, **link;	/* in the list of its queue */
	uint64_t pairs;			/* of its uses: bit pair % 64 */
	struct use *uses;
	size_t nuses;
	int64_t priority;
	int64_t reserved_at;		/* 0: now */
	uint64_t tiebreak;
	bool evicting;
	bool fixed;			/* non-preemptible: counts as fixed
					 * usage */
	bool gone;			/* trial: out of the books already */
	bool left;			/* plan: gone for the rest of it */
	bool picked;			/* trial: one of those that are asked
					 * about */
	bool taken;			/* cycle: victim of an earlier head */
	bool tentative;			/* only in the plan that runs */
	bool promised;			/* tentative: it counts as a start */
	struct elastic *elastic;	/* its group, or NULL */
	struct holding *unit;		/* ring of its unit: evicted together;
					 * NULL */
	struct queue *q;
	struct workload *w;
	int64_t queue_order_at;
	int64_t exempt_until;		/* the caller's: not evicted before that
					 * time */
	int64_t cost;			/* the caller's: of its eviction */
	int64_t preempted;		/* how often it was evicted so far */
	uint64_t attempt;		/* the attempt that took one of its
					 * unit */
	struct holding *next_start;	/* next tentative one of the plan */
	struct holding *later;		/* tentative: next one of the same
					 * workload */
	struct holding_place in_order;	/* of searches */
	struct holding_place by_start;	/* by reserved_at; see holding.c */
};

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

struct shape {
	struct hash_link link;
	struct shape *next, **prev;	/* in the list of its queue */
	struct queue *q;
	int64_t priority;
	bool nonpreemptible;
	struct fixed_group *group;	/* nonpreemptible: only some of it; NULL */
	uint64_t alone;		/* not 0: the shape of one workload only */
	int local;		/* where usage counts in the queue, whose; 0 */
	double key;		/* plan: score by which it stands in the heap */
	size_t users;			/* how many workloads, waiting or not */
	struct rankset waiting;
	struct podset_desc *podsets;	/* one block with all they point to */
	size_t npodsets;
	uint64_t plan;			/* the plan that found it
					 * inadmissible */
	uint64_t begun;			/* the last plan that it was part of */
	struct workload *cursor;	/* plan: its next candidate for head */
	struct use *kept;		/* inadmissible: withheld for it; */
	size_t nkept;			/* not 0: among its queue's keepers */
	uint64_t kept_rank;		/* of the last turn before that */
	struct shape *next_keeper, **keeper_link;
	struct passed_over passed;	/* plan: when it became inadmissible */
	struct verdict verdict;
};

/* The entries of an account (or user) in a queue */
struct local {
	struct hash_link link;
	struct queue *q;
	int number;
	size_t users;			/* how many workloads, waiting or not */
	struct rankset waiting;
	struct local_usage *usage;	/* by_usage.h; NULL: it does not count */
};

struct workload {
	struct workload *next, **link;	/* in the list of all */
	void *owner;
	struct shape *shape;
	struct local *local;
	struct rank_node in_queue, in_local, in_shape;
	int64_t created_at;
	int64_t queue_order_at;
	uint64_t tiebreak;
	int64_t tasks;
	int64_t max_starts;
	bool *avoid;			/* by flavor, or NULL */
	struct holding *held;		/* running; else NULL */
	struct charge *charges;		/* running: as the caller gave them */
	size_t ncharges;
	struct use *claim;		/* owned quota, or NULL */
	size_t nclaim;
	bool claim_fixed;		/* the claim is fixed usage */
	uint64_t claimed;		/* order in which they came to own
					 * quota */
	struct workload *next_owner;	/* next owner of its tree */
	bool blocked;
	struct workload *next_blocked;	/* next blocked one of its queue */
	bool follower;			/* adds nothing to places */
	struct bond *bond;		/* or NULL */
	struct workload *bond_next;	/* next member of its bond */
	bool barred;			/* its bond keeps it out of the plan */
	const struct workload *because;	/* member of its bond that can't go */
	bool failed;			/* plan: not all of its bond can go */
	uint64_t joined;		/* the last plan before it began to
					 * wait */
	uint64_t plan;			/* the plan that has decided about it */
	int64_t starts;			/* plan: tasks that got quota so far */
	bool done;			/* plan: not looked at again */
	uint64_t promised;		/* the last plan that let it go, and */
	struct workload *next_promised;	/* ... others of that plan */
	bool claim_void;		/* plan: competes like any other */
	const struct use *promise;	/* plan: what it may start with, */
	size_t npromise;
	struct holding *first_start;	/* ... of its starts the first one, */
	struct holding *last_start;	/* if they are tentative */
	struct verdict verdict;
};

/* Quota kept from other queues during a plan */
struct withheld {
	int64_t wanted;
	int64_t booked;			/* of `wanted`, how much is in the books
					 * now */
};

struct queue {
	struct spec_queue spec;		/* groups are copies; no name, quotas */
	int index;			/* in the spec */
	int node;
	struct tree *tree;
	int *group_of;			/* by resource, or SPEC_NONE */
	struct rankset waiting;
	uint64_t line_version;		/* changes whenever the line changes */
	struct shape *shapes;		/* with waiting members */
	size_t nshapes;
	struct holding *holdings;	/* in order, see struct holding */
	struct rankset order;		/* of the same */
	struct rankset starts;		/* of the same, the earliest first, */
	bool starts_known;		/* once a search has asked for it */
	size_t nunset;			/* in how many reserved_at is not
					 * set, */
	int64_t unset_at;		/* which counts as this time */
	size_t nexempt;			/* not just by min-runtimes: see
					 * holding_count() */
	struct stream *stream;		/* of the search number `searched` */
	uint64_t searched;
	struct holding *front;		/* cycle: see victims/fronts.h; NULL:
					 * none */
	struct workload *blocked;
	struct use *raw;		/* usage without workloads */
	size_t nraw;
	int64_t running;		/* tasks */
	size_t nholdings;
	struct workload *cursor;	/* plan, StrictFIFO: next head */
	struct shape **heap;		/* plan, BestEffortFIFO: active shapes */
	size_t nheap, heap_size;
	struct withheld *withheld;	/* plan, by pair: kept from others */
	size_t nwithheld;		/* 0: nothing is */
	struct shape *keepers;		/* for which it is, the last one of the
					 * plan first */
	int64_t withheld_booked;	/* trial: 1 while that is booked */
	struct local *locals;		/* where usage counts: all of them, */
	double *worth;			/* score for a base unit, by resource */
	struct freed *freed;		/* plan: what its victims use; NULL */
};

struct tree {
	int root;			/* node */
	struct queue **queues;
	size_t nqueues;
	size_t nexempt;			/* of all its queues */
	size_t nevicting;		/* holdings on the way out */
	size_t nholdings;
	size_t nwithholding;		/* plan: queues with nwithheld */
	bool needs_renewal;		/* in the list of trees to renew, */
	bool needs_plan;		/* a plan, not only a renewal */
	struct tree *next_to_renew;
	struct workload *owners;	/* in the order in which they came to
					 * own */
	struct workload *promised;	/* plan: those that could start or
					 * preempt */
	int64_t next_expiry;		/* 0: none */
	uint64_t plan;			/* number of the last plan */
	uint64_t covered;		/* workloads that joined before have a
					 * verdict */
	bool lines_seen;		/* crossed_lines.c: they are in the order
					 * of the plan to come */
	bool moves;			/* histories change with time */
	bool resolved;			/* the last plan was not the first one
					 * since the tree needed a plan */
	struct tree *bundle;		/* tree_bundle.c: one bonds tie it to; */
	bool bundle_outdated;		/* what holds for all of these is with */
	bool bundle_marked;		/* the one that points to itself */
	bool bundle_again;
	struct bond *bundle_first;
	struct bond *bundle_trial;
	struct arena arena;		/* lives until the next plan */
};

/* Growing arrays that are kept, */
enum scratch_use {
	SCRATCH_CANDIDATES, SCRATCH_TARGETS, SCRATCH_VICTIMS, SCRATCH_HEADS,
	SCRATCH_RETRY, SCRATCH_TAKEN, SCRATCH_BLOCKED, SCRATCH_STREAMS,
	SCRATCH_MERGE, SCRATCH_USES, SCRATCH_GIVERS, SCRATCH_LOCALS,
	SCRATCH_FRONTS, SCRATCH_FRONT_COUNTS, SCRATCH_WALKS,
};

/* their memory and how many bytes it has */
struct scratch {
	void *memory;
	size_t size;
};

/* Fair sharing: what a search knows of a node, see victims/givers.h */
struct giver_heap {
	uint64_t heap;			/* valid if it has this number */
	uint64_t closed;		/* gives no more in this pass */
	size_t n;			/* children in its heap */
};

struct minruntime_node;

struct engine {
	struct books *books;
	struct queue *queues;
	size_t nqueues;
	struct tree *trees;
	size_t ntrees;
	struct minruntime_node *runtimes;	/* by node */
	int64_t preempt_min_runtime, reclaim_min_runtime;
	enum resolve_method resolve;
	enum fair_strategy strategies[2];
	bool fair_sharing, no_recompute, no_partial;
	bool preempt_runtimes, reclaim_runtimes;	/* any is set */
	int64_t now;			/* of events, see engine_advance() */
	int64_t local_half_life, sampling;
	struct hash shapes, locals, elastics, fixed_groups;
	struct bond *bonds;
	uint64_t searches;		/* how many searches were made */
	uint64_t attempts;		/* how many attempts they made */
	uint64_t looks;			/* at how many holdings they looked */
	struct workload *workloads;
	struct tree *to_renew;		/* trees that need renewal */
	uint64_t claims;		/* how often quota came to be owned */
	uint64_t plans;			/* how many plans were made */
	int64_t next_expiry;
	size_t nholdings;

	/* the trial that runs */
	struct arena arena;		/* lives as long as a cycle */
	struct scratch scratch[SCRATCH_WALKS + 1];
	bool *need;			/* by pair: it needs preemption */
	struct giver_heap *givers;	/* fair sharing: by node */
	uint64_t passes;		/* numbers given to passes and heaps
					 * of givers */
	struct front *fronts;		/* of the cycle that runs, by slot: see
					 * victims/fronts.h; NULL: none */
	size_t *nfronts;		/* by cohort */
	struct passed_over passed;
	bool no_memory;
};

/* Is the queue stopped? Then nothing starts, and nothing is evicted from it. */
static inline bool queue_held(const struct queue *q)
{
	return q->spec.stop != STOP_NONE || q->spec.inactive;
}

/* Evicted as often as its queue allows (maxPreemptions) */
static inline bool holding_spent(const struct holding *h)
{
	return h->q->spec.max_preemptions > 0
	       && h->preempted >= h->q->spec.max_preemptions;
}

/* The plan has found that none of the shape can go */
static inline bool shape_is_inadmissible(const struct shape *shape)
{
	return shape->plan == shape->q->tree->plan;
}

static inline bool workload_is_waiting(const struct workload *w)
{
	return !w->held;
}

#endif /* COHORT_ENGINE_STATE_H */
