/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  room.h - what a job wants of nodes, and what running jobs have there
\*****************************************************************************/
#ifndef COHORT_REQUEST_ROOM_H
#define COHORT_REQUEST_ROOM_H

#include "state/job.h"

#include "clearing/clearing.h"

/* A question for clearing_find(): CPUs, memory, and GRES that quota knows. The answer is
 * close to what cons_tres will say, and no more. */
struct room {
	struct clearing c;
	/* all of this is in c */
	int64_t *idle, *need, *total, *unit;
	struct clearing_item *items;
	const struct resource **resources;
	int *place;			/* by index of a node record: its number in c, or -1 */
	bitstr_t *nodes;		/* the caller's */
};

/* The job wants so many of these nodes: what is idle there, and what it needs.
 * False: that can't be said in counts (whole sockets). The caller frees the room, and keeps
 * `nodes` as they are until then. */
extern bool room_open(struct room *room, const struct entry *entry, bitstr_t *nodes,
		      uint32_t min_nodes, uint32_t max_nodes, size_t most_items);
/* A running job may be evicted: an item more, of that level and loss, with what it has on
 * these nodes; at most most_items */
extern void room_add(struct room *room, job_record_t *job_ptr, const struct clearing_item *item);
extern void room_free(struct room *room);

#endif /* COHORT_REQUEST_ROOM_H */
