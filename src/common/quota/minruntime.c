/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * minruntime.c - how long a running workload may not be evicted
 */
#include "lib/sat.h"
#include "quota/minruntime.h"

void minruntime_inherit(struct minruntime_node *nodes, size_t n, int64_t preempt, int64_t reclaim)
{
	for (size_t i = 0; i < n; i++) {
		int p = (int) i, r = (int) i;

		while (p != SPEC_NONE && nodes[p].preempt == SPEC_NO_TIME)
			p = nodes[p].parent;
		while (r != SPEC_NONE && nodes[r].reclaim == SPEC_NO_TIME)
			r = nodes[r].parent;
		nodes[i].preempt = p == SPEC_NONE ? preempt : nodes[p].preempt;
		nodes[i].reclaim = r == SPEC_NONE ? reclaim : nodes[r].reclaim;
	}
}

static bool is_below(const struct minruntime_node *nodes, int n, int ancestor)
{
	while (n != SPEC_NONE && n != ancestor)
		n = nodes[n].parent;
	return n == ancestor;
}

int64_t minruntime_reclaim(const struct minruntime_node *nodes, int preemptor,
			   int victim, enum resolve_method method)
{
	while (method == RESOLVE_LCA && !is_below(nodes, preemptor, nodes[victim].parent))
		victim = nodes[victim].parent;
	return nodes[victim].reclaim;
}

int64_t minruntime_shortest(const struct minruntime_node *nodes, int victim,
			    enum resolve_method method)
{
	int64_t shortest = 0;
	bool any = false;

	for (int n = victim, up; (up = nodes[n].parent) != SPEC_NONE; n = up) {
		int64_t runtime = nodes[method == RESOLVE_LCA ? n : victim].reclaim;

		/* all that are below `up` are below n */
		if (nodes[up].reclaimers == nodes[n].reclaimers)
			continue;
		shortest = any ? min64(shortest, runtime) : runtime;
		any = true;
	}
	return shortest;
}
