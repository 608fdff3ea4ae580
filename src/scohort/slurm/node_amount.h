/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_amount.h - how much of a resource a node has
 */
#ifndef SCOHORT_NODE_AMOUNT_H
#define SCOHORT_NODE_AMOUNT_H

#include <stdint.h>

/* Of a node with so many CPUs, MB of memory and GRES ("gpu:a100:4(S:0-1),shard:8", or
 * NULL); -1: nodes have none of this resource ("license/a") */
int64_t node_amount(const char *resource, int64_t cpus, int64_t memory,
		    const char *gres);

/* How many of a resource of GRES ("gpu", and its type or NULL) such a list has */
int64_t gres_count(const char *list, const char *name, const char *type);

#endif /* SCOHORT_NODE_AMOUNT_H */
