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

#include "spec.h"

struct minruntime_node {
	int parent;		/* index, or SPEC_NONE: a root */
	/* preemptMinRuntime and reclaimMinRuntime; SPEC_NO_TIME: not set, before
	 * minruntime_inherit() */
	int64_t preempt, reclaim;
	int reclaimers;		/* how many queues that may reclaim there are, it
				 * and all below it; for minruntime_shortest() */
};

/* From now on each node has the first values that are set from it upwards, else those given.
 * `preempt` of a queue is then the min-runtime of its workloads against its own ones. A value
 * of 0 or less that is set counts. */
void minruntime_inherit(struct minruntime_node *nodes, size_t n, int64_t preempt, int64_t reclaim);

/* The min-runtime of a victim against `preemptor`, another queue. RESOLVE_QUEUE: that of the
 * victim. RESOLVE_LCA: of its highest ancestor that is neither the preemptor nor an ancestor
 * of it. */
int64_t minruntime_reclaim(const struct minruntime_node *nodes, int preemptor,
			   int victim, enum resolve_method method);

/* The shortest of minruntime_reclaim() against all other queues of the victim's
 * tree that are counted as reclaimers; 0 if there are none. */
int64_t minruntime_shortest(const struct minruntime_node *nodes, int victim,
			    enum resolve_method method);

#endif /* COHORT_MINRUNTIME_H */
