/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostlist.c - sets of nodes, as Slurm writes them
 */
#include <stdlib.h>

#include "slurm/api.h"
#include "slurm/hostlist.h"

bool nodes_are_among(const char *nodes, const char *among)
{
	api_hostlist_t all, some;
	bool in = true;
	char *node;

	if (!among)
		return true;
	all = slurm_hostlist_create(among);
	some = slurm_hostlist_create(nodes);
	while (in && (node = slurm_hostlist_shift(some))) {
		in = slurm_hostlist_find(all, node) >= 0;
		free(node);
	}
	slurm_hostlist_destroy(all);
	slurm_hostlist_destroy(some);
	return in;
}
