/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * minruntime.c - how long a running workload may not be evicted
 */
#include "quota/minruntime.h"

int64_t minruntime_preempt(const struct minruntime_node *nodes, int victim,
			   int64_t dflt)
{
	for (int n = victim; n != SPEC_NONE; n = nodes[n].parent) {
		if (nodes[n].preempt != SPEC_NO_TIME)
			return nodes[n].preempt;
	}
	return dflt;
}

static bool is_below(const struct minruntime_node *nodes, int n, int ancestor)
{
	while (n != SPEC_NONE && n != ancestor)
		n = nodes[n].parent;
	return n == ancestor;
}

/* The highest node above the victim that the preemptor is not under; the
 * victim itself if there is none. */
static int branch_of(const struct minruntime_node *nodes, int preemptor,
		     int victim)
{
	while (!is_below(nodes, preemptor, nodes[victim].parent))
		victim = nodes[victim].parent;
	return victim;
}

int64_t minruntime_branch(const struct minruntime_node *nodes, int n,
			  int64_t dflt)
{
	for (; n != SPEC_NONE; n = nodes[n].parent) {
		if (nodes[n].reclaim != SPEC_NO_TIME)
			return nodes[n].reclaim;
	}
	return dflt;
}

int64_t minruntime_reclaim(const struct minruntime_node *nodes, int preemptor,
			   int victim, enum resolve_method method,
			   int64_t dflt)
{
	int n = victim;

	if (preemptor == SPEC_NONE || victim == SPEC_NONE)
		return dflt;
	if (method == RESOLVE_LCA)
		n = branch_of(nodes, preemptor, victim);
	return minruntime_branch(nodes, n, dflt);
}

int64_t minruntime_shortest(const struct minruntime_node *nodes, int victim,
			    enum resolve_method method, int64_t dflt)
{
	int64_t shortest = 0;
	bool any = false;

	for (int n = victim, up; (up = nodes[n].parent) != SPEC_NONE; n = up) {
		int64_t runtime;

		/* all that are below `up` are below n */
		if (nodes[up].reclaimers == nodes[n].reclaimers)
			continue;
		runtime = minruntime_branch(nodes, method == RESOLVE_LCA ? n :
					victim, dflt);
		shortest = any ? min64(shortest, runtime) : runtime;
		any = true;
	}
	return shortest;
}
