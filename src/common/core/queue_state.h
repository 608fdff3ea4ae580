/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_state.h - a queue: what waits in it, and what it holds
 */
#ifndef COHORT_QUEUE_STATE_H
#define COHORT_QUEUE_STATE_H

#include "engine.h"
#include "core/policy.h"
#include "lib/rankset.h"
#include "quota/books.h"

/* Quota kept from other queues during a plan */
struct withheld {
	int64_t wanted;
	__int128 booked;		/* of `wanted`, how much is in the books now */
};

struct queue {
	struct spec_queue spec;		/* groups are copies; no name, quotas */
	int index;			/* in the spec */
	int node;
	struct tree *tree;
	int *group_of;			/* by resource, or SPEC_NONE */
	struct rankset waiting;
	struct shape *shapes;		/* with waiting members */
	size_t nshapes;
	struct rankset order;		/* of what runs, see struct holding */
	size_t nspare;	/* elastic groups that have spare members; in a trial: still have */
	struct stream *stream;		/* of the search number `searched` */
	uint64_t searched;
	uint64_t borrowed;		/* the number of the search that a unit took something of
					 * it in, when it borrowed what was needed */
	size_t nblocked;
	int64_t *unsubmitted;		/* by pair: engine_withhold() */
	int64_t running;		/* tasks */
	struct workload *cursor;	/* plan: next head, or where usage counts */
	struct entry *entry;		/* ... of its head in the last cycle, or NULL */
	struct shape_head *heads;	/* ... active shapes, */
	void **heap;			/* and pointers to these */
	size_t nheap;
	bool heap_outdated;
	bool stopped;			/* plan: nobody else has a turn */
	struct withheld *withheld;	/* plan, by pair: kept from others */
	size_t nwithheld;		/* 0: nothing is */
	__int128 withheld_booked;	/* trial: 1 while that is booked */
	struct local *locals;		/* where usage counts: all of them, */
	double *worth;			/* score for a base unit, by resource */
};

/* The resource group of the queue that gives the resource its flavor; NULL: the
 * queue does not cover it */
static inline const struct spec_group *queue_group(const struct queue *q, int resource)
{
	int group = q->group_of[resource];

	return group == SPEC_NONE ? NULL : &q->spec.groups[group];
}

/* Is the queue stopped? Then nothing starts, and nothing is evicted from it. */
static inline bool queue_held(const struct queue *q)
{
	return q->spec.stop != STOP_NONE || q->spec.inactive;
}

/* May its workloads evict those of other queues at all? */
static inline bool queue_may_reclaim(const struct queue *q)
{
	return !queue_held(q) && policy_evicts(q->spec.reclaim);
}

/* May they evict those of other queues for what makes their queue borrow? borrowWithinCohort; with
 * fair sharing reclaimWithinCohort is enough. */
static inline bool queue_may_take_to_borrow(const struct queue *q, bool fair_sharing)
{
	return policy_borrows(&q->spec) || (fair_sharing && policy_is_set(q->spec.reclaim));
}

#endif /* COHORT_QUEUE_STATE_H */
