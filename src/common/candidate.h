/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate.h - whom a preemptor might evict, in which order
 */
#ifndef COHORT_CANDIDATE_H
#define COHORT_CANDIDATE_H

#include "state.h"

/* The lists of candidates, in the order in which they are used up */
enum candidate_list { LIST_HIERARCHY, LIST_PRIORITY, LIST_OWN };

struct candidate {
	struct holding *h;
	int64_t priority;
	int64_t reserved_at;
	uint64_t tiebreak;
	int lca;		/* node where its branch meets the preemptor's */
	bool evicting;
	bool expired;		/* own queue, equal priority: had its turn */
	bool surplus;		/* protected: usable while its group has more
				 * members than it needs */
	bool keeps_nominal;	/* usable only while the preemptor does not
				 * borrow */
	unsigned char list;
	unsigned char reason;
	int next;		/* fair: next one of its queue, or -1 */
};

/* A search for victims of one preemptor. The pairs where it needs preemption
 * are marked in e->need and listed in need[]. */
struct search {
	struct engine *e;
	struct queue *q;
	const struct workload *w;
	uint64_t number;	/* of this search, in the life of the engine */
	int64_t now;
	const struct use *demand;
	size_t ndemand;
	const int *need;
	size_t nneed;
	bool everybody;		/* all that may go, not just enough */
	bool alone;		/* everybody: each as if it was the only one */
	bool picked;		/* only those that are marked so */
	struct candidate *cands;	/* a heap, its end already sorted */
	size_t ncands;
	size_t nsorted;
};

/* Within nominal quota in all pairs that need preemption */
bool search_within_nominal(const struct search *s, int node);

/* Candidates of the preemptor's own queue, and those of another one that its
 * policies allow; `lca` and `advantage` as the classical algorithm has them.
 * false: no memory. */
bool candidates_add_own(struct search *s);
bool candidates_add_other(struct search *s, struct queue *q, int lca,
			  bool advantage);

/* All have been added: the i-th in order, i < s->ncands, can be had with
 * candidate_at(). Only as much is sorted as is asked for. */
void candidates_order(struct search *s);
struct candidate *candidate_at(struct search *s, size_t i);

/* a is evicted rather than b */
bool candidate_before(const struct candidate *a, const struct candidate *b);

#endif /* COHORT_CANDIDATE_H */
