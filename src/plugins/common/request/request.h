/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  request.h - what a job asks for, what it gets, and what it is charged
\*****************************************************************************/
#ifndef COHORT_REQUEST_REQUEST_H
#define COHORT_REQUEST_REQUEST_H

#include "state/job.h"

#include "clearing/clearing.h"

/* ---- what a waiting job asks for, also in the engine's words: request.c, podset.c ---- */

struct podset {
	struct podset_desc desc;
	struct request *requests;
	int64_t *by_flavor;	/* by request (before: resource) and flavor */
	bool *ineligible;
};

/* What the waiting job asks of the queue (podset.c). The caller frees it. */
extern void podset_of(struct podset *p, struct entry *entry, int queue);
extern void podset_free(struct podset *p);

/* How many nodes "[a*1&b*2]" adds up to, 0 if it has no counts */
extern uint32_t request_counted(compat_list_t features);
/* What a waiting job (one task of an array) asks for on nodes of a flavor, or
 * SPEC_NONE, in the partition of its record: fills amounts[nresources] with totals for
 * its smallest allocation. What Slurm allocates is never less. */
extern void request_of(job_record_t *job_ptr, int flavor, int64_t *amounts);

/* The job is to be tried in the partition of its record. What cons_tres and slurmctld have
 * left there of another of its partitions is made good. */
extern void request_renew(job_record_t *job_ptr);
/* The memory that a job gets with so many nodes and CPUs, by --mem, --mem-per-cpu or a default of
 * these. all: what its nodes have, which it gets if there is none of these. */
extern int64_t request_mem(const job_record_t *job_ptr, int64_t all, int64_t nodes, int64_t cpus);
/* Has the job nodes of its own, by --exclusive or by its partition? */
extern bool request_takes_whole_nodes(const job_record_t *job_ptr);
/* Does the job leave threads or cores alone that it is charged for? Memory by CPU may be
 * less then. */
extern bool request_leaves_cpus(const job_record_t *job_ptr);

/* ---- the resources that quota is about, as Slurm knows them: demand.c ---- */

extern void demand_init(void);
extern void demand_fini(void);
/* Licenses, and hierarchical resources, of a job on so many nodes */
extern int64_t demand_licenses(job_record_t *job_ptr, const struct resource *r, int64_t nodes);
/* Of one of Slurm's TRES arrays */
extern int64_t demand_tres(const uint64_t *counts, const struct resource *r);
/* What a job with so much is billed in its partition (TRESBillingWeights). gres_of(r, arg):
 * of GRES; NULL: as requested */
extern int64_t demand_billing(const job_record_t *job_ptr, int64_t cpus,
			      int64_t mem, int64_t nodes,
			      int64_t (*gres_of)(const struct resource *r, void *arg), void *arg);
/* --comment=cohort:min-available=N of an array, or -1 */
extern int64_t demand_min_available(const job_record_t *job_ptr);

/* ---- what a job got or is about to get, and what it is charged: charge.c ---- */

/* What a job got. nodes: before job_begin, those that cons_tres has selected; else NULL.
 * If cons_tres has only looked whether other jobs would leave enough, there is no
 * job_resrcs; then memory by CPU may be more than this for whole nodes of which the job
 * leaves cores or threads alone. */
extern void allocated_of(job_record_t *job_ptr, bitstr_t *nodes, int64_t *amounts);
/* How much of that is on one node of a job that has job_resrcs, by the number of the node
 * there; 0 for what is on no node. Billing is counted in CPUs. */
extern int64_t allocated_on(job_record_t *job_ptr, const struct resource *r, uint32_t host);

/* What a job that has job_resrcs got on the nodes of each flavor: added to used[], by flavor and
 * resource. What is on no node counts where all its nodes are. */
extern void allocated_by_flavor(job_record_t *job_ptr, int64_t *used);

/* Amounts by resource -> charges, with the flavor chosen for each resource.
 * Resources without one (not covered) are left out. Returns the number. */
extern size_t charge_list(const int *flavors, const int64_t *amounts, struct charge *charges);
/* The flavor of each resource (by index, -1: not covered) that a running job is taken to use,
 * judged by its nodes. Where flavors of some resources are known (not -1), other resources of the
 * same group get the same flavor. */
extern void charge_fill_flavors(int queue, bitstr_t *nodes, int *flavors);
/* Charge a job that has an allocation. selected: called from job_begin, where GRES and whole
 * nodes are chosen, but not yet entered in the record. The next walk charges what was entered. */
extern void charge_job(struct job *job, bool selected);
/* Charge it these n instead; they stay the caller's. */
extern void charge_set(struct job *job, const struct charge *charges, size_t n);

/* ---- what a node has, and the least that a node has which a job may get: floor.c ---- */

struct floor {
	int64_t cpus, mem;	/* of a node; memory for jobs, MB */
	int64_t core, socket;	/* CPUs of a core, of a socket */
	int64_t uneven;		/* not all nodes are alike */
	struct floor_gres {
		int64_t whole;		/* what comes with a whole node */
		bool typed, other;	/* some are of this type, of another */
		bool free;		/* not consumed: no quota either */
	} gres[];		/* by resource */
};

/* The least of the nodes of the job's partition with the features that the job asks for, in a
 * flavor or (SPEC_NONE) in all of them; of the nodes that the job names, if these are
 * enough. Valid until the next call. */
extern const struct floor *floor_of(const job_record_t *job_ptr, int flavor);
/* Bring all that is kept of nodes up to date: which are alike, of a flavor, up, and what was
 * learned of them. True if nodes or partitions have changed. */
extern bool floor_refresh(void);
/* Forget all that. */
extern void floor_flush(void);
/* CPUs of one core of a node: its threads, or 1 where CPUs= counts cores */
static inline int64_t floor_core(const node_record_t *node_ptr)
{
	return MAX(node_ptr->tpc, 1);
}

/* A node's GRES of that name, or NULL */
extern gres_node_state_t *floor_node_gres(const node_record_t *node_ptr, const struct resource *r);
/* What jobs may use of a node: CPUs, memory (MB), 1 node, GRES that come with the whole node;
 * 0 for what no node has */
extern int64_t floor_node_has(const node_record_t *node_ptr, const struct resource *r);

/* ---- what selecting nodes for a job has taught: learn.c ---- */

/* The job was offered so much in the partition in which it is tried, with these flavors,
 * and that was more than quota allows. All jobs know it that ask for the same. True if
 * that is news for this one. */
extern bool learn_amounts(struct entry *entry, const int *flavors, const int64_t *amounts);
/* Raise the amounts of its demand to what is known of jobs that ask for the same in the
 * partition of the job's record (part_ptr), in this flavor. True: more is known than that. The
 * entry may remember it. */
extern bool learn_raise(struct entry *entry, int flavor, int64_t *amounts, bool remember);
/* That is more than quota allows, and so its demand is made anew. True if that is news. */
extern bool learn_anew(struct entry *entry);
/* A try found no nodes in the flavors that are not ok: their nodes are taken, until nodes are
 * released (but for two seconds at least), or for a minute. goes_on: the job goes on to flavors
 * that are not taken; else it waits for any of them, as if none was known to be taken. If that is
 * news, its demand is made anew. */
extern void learn_taken(struct entry *entry, const bool *flavor_ok, bool goes_on);
/* All of them may be tried again. */
extern void learn_forget_taken(struct entry *entry);
/* Ask, once for this request and the nodes that there are, whether nodes of the flavor that are
 * up, in the partition that is tried, could ever hold the job: those it could use if no other
 * job was on them. True: it is news that they can't, and the job's demand is made anew. */
extern bool learn_fit(struct entry *entry, int flavor,
		      bool (*could_ever)(bitstr_t *nodes, void *arg), void *arg);
/* Was that the answer? */
extern bool learn_never_fits(const struct entry *entry, int flavor);
/* Count a release if the end of a job is over: fewer nodes are completing */
extern void learn_completed(void);
/* Forget what is out of date */
extern void learn_check(struct entry *entry);
extern void learn_forget(struct entry *entry);
/* All that is known of amounts: nodes or partitions have changed */
extern void learn_flush(void);
/* The entry goes on as another entry of the same job, which is booked anew: what was
 * known of that one is forgotten. */
extern void learn_move(struct entry *to, struct entry *from);

/* ---- what a job wants of nodes, and what running jobs have there: room.c ---- */

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

#endif /* COHORT_REQUEST_REQUEST_H */
