/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostlist.c - sets of nodes, as Slurm writes them
 */
#include <stdio.h>
#include <stdlib.h>

#include "slurm/api.h"
#include "slurm/hostlist.h"

bool nodes_all_among(const char *nodes, const char *among, char *bad,
		     size_t size)
{
	api_hostlist_t all = slurm_hostlist_create(among);
	api_hostlist_t some = slurm_hostlist_create(nodes);
	bool in = some != NULL;
	char *node;

	snprintf(bad, size, "%s", "");
	while (in && (node = slurm_hostlist_shift(some))) {
		in = slurm_hostlist_find(all, node) >= 0;
		if (!in)
			snprintf(bad, size, "%s", node);
		free(node);
	}
	if (some)
		slurm_hostlist_destroy(some);
	slurm_hostlist_destroy(all);
	return in;
}

bool nodes_are_among(const char *nodes, const char *among)
{
	char bad[256];

	return !among || nodes_all_among(nodes, among, bad, sizeof(bad));
}

/* ---- read once ---- */

struct node_set {
	api_hostlist_t list;
};

struct node_set *node_set_make(const char *nodes)
{
	struct node_set *set = nodes ? calloc(1, sizeof(*set)) : NULL;

	if (set)
		set->list = slurm_hostlist_create(nodes);
	return set;
}

bool node_set_has(struct node_set *set, const char *node)
{
	return !set || (set->list && slurm_hostlist_find(set->list, node) >= 0);
}

void node_set_free(struct node_set *set)
{
	if (set && set->list)
		slurm_hostlist_destroy(set->list);
	free(set);
}
