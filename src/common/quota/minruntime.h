/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * minruntime.h - how long a running workload may not be evicted
 *
 * Pure functions over a tree of queues that is given as an array of nodes. The
 * engine uses them for its own tree, the scenario runner for the trees in its
 * files. The rules are KAI-Scheduler's; doc/how-it-decides.md says how they
 * meet the cohorts. Times are nanoseconds; only differences matter.
 */
#ifndef COHORT_MINRUNTIME_H
#define COHORT_MINRUNTIME_H

#include "lib/sat.h"
#include "spec.h"

struct minruntime_node {
	int parent;		/* index, or SPEC_NONE: a root */
	int64_t preempt;	/* preemptMinRuntime, SPEC_NO_TIME: not set */
	int64_t reclaim;	/* reclaimMinRuntime, SPEC_NO_TIME: not set */
	int reclaimers;		/* how many queues that may reclaim there are, it
				 * and all below it; for minruntime_shortest() */
};

/* The min-runtime of a victim against preemptors of its own queue: the first
 * value that is set from `victim` upwards, else dflt (also if victim is
 * SPEC_NONE). A value of 0 or less that is set ends the walk. */
int64_t minruntime_preempt(const struct minruntime_node *nodes, int victim,
			   int64_t dflt);

/* The min-runtime of a victim against `preemptor`, another queue. If either is
 * SPEC_NONE: dflt. RESOLVE_QUEUE: as minruntime_preempt() with the reclaim
 * values. RESOLVE_LCA: starts at the highest ancestor of the victim that is
 * neither the preemptor nor an ancestor of it. */
int64_t minruntime_reclaim(const struct minruntime_node *nodes, int preemptor,
			   int victim, enum resolve_method method,
			   int64_t dflt);

/* Of workloads below `n` against preemptors whose branch is another one: the first
 * value that is set from `n` upwards, else dflt */
int64_t minruntime_branch(const struct minruntime_node *nodes, int n,
			  int64_t dflt);

/* The shortest of minruntime_reclaim() against all other queues of the victim's
 * tree that are counted as reclaimers; 0 if there are none. */
int64_t minruntime_shortest(const struct minruntime_node *nodes, int victim,
			    enum resolve_method method, int64_t dflt);

#endif /* COHORT_MINRUNTIME_H */
