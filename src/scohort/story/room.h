/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * room.h - what a job wants of nodes, what they have free, and what it is charged
 *
 * Plain counting, resource by resource, of what a user can see: slurmctld itself
 * also knows sockets, links and weights.
 */
#ifndef SCOHORT_ROOM_H
#define SCOHORT_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger/published.h"
#include "slurm/job_views.h"
#include "slurm/nodes.h"

struct tres;

#define ROOM_MAX 8		/* resources that are looked at */
#define ROOM_NAME 64

/* What a job asks for. Of what it asks for as a whole each node is to give its
 * part, rounded up. mem is in MB; gres/gpu and gres/gpu:TYPE are counts. */
struct room_want {
	int64_t nodes;		/* at least 1 */
	bool whole;		/* nodes with no other job on them */
	int64_t user;		/* uid, -1: not known */
	struct {
		char resource[ROOM_NAME];
		int64_t amount;	/* on each node */
	} list[ROOM_MAX];
	size_t n;
};

/* One that too few nodes have free */
struct room_lack {
	const char *resource;	/* of the want; "node" for whole nodes */
	int64_t need;		/* on each node */
	int64_t largest;	/* free on the node that has most of it */
	int64_t nodes;		/* that have enough of it */
};

/* The element of that resource in "cpu=8,mem=64000M,gres/gpu=4" (or NULL). False: there
 * is none */
bool tres_find(const char *tres, const char *resource, struct tres *item);

/* Fills `want`. tres: all that the job asks for ("cpu=4,mem=8G,node=2"); per_job and per_node:
 * GRES, where tres does not have them ("gres:gpu:a100:2"). Texts may be NULL. */
void room_want_make(struct room_want *want, int64_t nodes, bool whole, const char *tres,
		    const char *per_job, const char *per_node);

/* How many of the nodes that are up have room for one node of the job? *owned: so many
 * are for the jobs of another user only, and do not count. Where all are, nothing lacks.
 * `among`: a list like n[1-4], or NULL for all. Writes what lacks, the scarcest
 * first (fewer nodes have enough; a smaller part of what is needed is free; GRES
 * before memory before CPUs), at most ROOM_MAX, and how many that are. */
int64_t room_look(const struct room_want *want, const struct node_view_list *nodes,
		  const char *among, struct room_lack *lacks, size_t *nlacks, int64_t *owned);

/* What a running job is charged in its cluster queue: a list of the caller's, of objects
 * with resource, amount (a text as Slurm has it) and flavor: each resource that the
 * published queue covers and the job holds, once. */
struct json_object *job_charges(const struct published *p, struct json_object *queue,
				const struct view *v);

/* How much of the resource a running job holds */
int64_t job_holds(const struct view *v, const char *resource);

/* The amount of one of them, as the published books count it */
int64_t charge_amount(struct json_object *charge);

#endif /* SCOHORT_ROOM_H */
