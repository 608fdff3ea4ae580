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

static bool is_ancestor_or_self(const struct minruntime_node *nodes,
				int ancestor, int node)
{
	while (node != SPEC_NONE && node != ancestor)
		node = nodes[node].parent;
	return node == ancestor;
}

/* The highest node above the victim that the preemptor is not under; the
 * victim itself if there is none. */
static int branch_of(const struct minruntime_node *nodes, int preemptor,
		     int victim)
{
	int top = victim;

	for (int n = victim; n != SPEC_NONE; n = nodes[n].parent) {
		if (!is_ancestor_or_self(nodes, n, preemptor))
			top = n;
	}
	return top;
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
	for (; n != SPEC_NONE; n = nodes[n].parent) {
		if (nodes[n].reclaim != SPEC_NO_TIME)
			return nodes[n].reclaim;
	}
	return dflt;
}
