/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  place.h - nodes and victims for a job
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_PLACE_H
#define COHORT_PLACEMENT_PLACE_H

#include "state/job.h"

/* ---- one try to place a job on nodes of its flavors: place.c ---- */

/* The outcome of a try */
enum found {
	FOUND_PLACE,		/* nodes are selected, victims are set */
	FOUND_NO_NODES,		/* quota, but no nodes */
	FOUND_NO_QUOTA,		/* no quota, or less than the nodes would cost */
	FOUND_NEXT_FLAVOR,	/* no nodes; quota in another flavor by eviction,
				 * if the next plan says so */
};

struct place {
	compat_job_test_f cons_tres;	/* its job_test */
	job_record_t *job_ptr;
	struct entry *entry;
	bitstr_t *node_bitmap;		/* in and out, as in job_test */
	bitstr_t *usable;		/* node_bitmap as it came in */
	uint32_t min_nodes, max_nodes, req_nodes;
	uint32_t most_nodes;		/* of them, in the present try */
	uint16_t mode;
	int64_t now;			/* when it would start, ns */
	compat_list_t *preemptee_job_list;
	struct compat_rest rest;
	bool may_evict;			/* Slurm would evict for it now */
	bool partial;			/* only some of its nodes are tried */
	bool limited;			/* slurmctld refuses it next, by a limit */
	bool borrows;			/* as nominated, if it evicts nobody */
	bool nodes_being_cleaned;	/* out: those it needs */
	bool on_cleared_nodes;		/* try only the nodes that the job holds */
	bool on_victims_nodes;		/* out: and nodes of its victims that others hold */
	int64_t protected_until;	/* out: when nodes may be free, ns; or 0 */
	struct {			/* as nominated, during the try of that */
		struct victim *victims;
		size_t nvictims;
		struct charge *charges;
		size_t ncharges;
	} quota;
	int64_t *amounts;		/* of the nodes that were selected last, by resource */
	struct victim *victims;		/* out: the jobs to evict, may be NULL */
	size_t nvictims;
	struct charge *charges;		/* out: what was selected */
	size_t ncharges;
	struct place *others;		/* het: the other components */
	size_t nothers;
	size_t nown;			/* so many victims are its own; the rest is theirs */
	compat_list_t preemptees;	/* of one of these */
	/* while all are tried, in the books: */
	bool *evicting;			/* by victim */
	bool owns;			/* freed quota */
};

/* Before a try: victims and charges as nominated */
extern void place_begin(struct place *p);
/* What is ours of it, and of other components */
extern void place_free(struct place *p);
/* Have cons_tres select up to p->most_nodes of the flavors in p->charges: with
 * the quota victims as candidates, then with all that the policies allow. */
extern int place_select(struct place *p);
/* The same with these victims as the only candidates: SLURM_SUCCESS with p->victims, those of
 * them that nodes or quota need; whether the rules allow them is for the caller to ask. On an
 * error p->victims is as given. */
extern int place_select_with(struct place *p, const struct victim *victims, size_t n);
/* Leave in p->node_bitmap the nodes that it may use now, of the flavors in p->charges.
 * completing: as if the nodes of jobs that have ended were clean. Are there enough? */
extern bool place_narrow(struct place *p, bool completing);

/* Is there quota for p->charges when these are gone? */
extern bool place_fits(const struct place *p, const struct victim *victims, size_t n);
/* n if the rules allow these together for p->charges; else the first one that stays */
extern size_t place_is_allowed(const struct place *p, const struct victim *victims, size_t n);
/* All that the policies allow to evict at p->now (gone: when p->victims have gone); the caller
 * frees the list. alone: each is judged as if it was the only one; else every subset may be
 * evicted. until: when more may be, or 0 */
extern size_t place_list_candidates(const struct place *p, bool gone, bool alone,
				    struct victim **list, int64_t *until);

/* The record that Slurm evicts: of a heterogeneous job, its leader's. NULL: it has
 * ended, and slurmctld has freed its record since the last walk */
extern job_record_t *place_victim_record(const struct workload *w);
/* Records of its victims, and of these, that still hold nodes: list_destroy() it */
extern compat_list_t place_candidates(const struct place *p, const struct victim *more, size_t n);
/* Copies, xcalloc'd; with room for the charges of all resources, as cons_tres
 * may select more than the job asks for */
extern struct victim *place_victims(const struct victim *list, size_t n);
extern struct charge *place_charges(const struct charge *list, size_t n);

/* ---- flavor by flavor: find.c ---- */

/* Nominate the job and place it as nominated, flavor by flavor: it finds no
 * nodes if there are none in any flavor with quota. */
extern enum found place_find(struct place *p);
/* Could any of these nodes hold the job of the place, with no other job on them? Changes
 * `nodes` */
extern bool place_could_ever(bitstr_t *nodes, void *place);

/* ---- all components of a heterogeneous job: het_place.c ---- */

/* As place_find(); of a heterogeneous job for all components, if the first one
 * is to start. What backfill sees of a component is noted in its record. */
extern enum found het_place_find(struct place *p);
/* Of which component `victim` is a victim, once places were found for all. If of several,
 * of the one that is to start now (p). */
extern const struct place *het_place_asking(const struct place *p, const struct workload *victim);

/* ---- no victim that is not needed: lighten.c ---- */

/* place_select() has found nodes, with p->victims: the jobs among them that the job could do
 * without stay, the one that would lose most first. p->victims and p->node_bitmap are then those
 * of the best answer. cons_tres is asked a bounded number of times. Source:
 * doc/how-it-decides.md, section 10. */
extern void lighten_victims(struct place *p);

/* ---- jobs that borrow share nodes with jobs that borrow: packing.c ---- */

/* How often cons_tres is asked for other nodes at most, and once more for the first
 * nodes if no others will do */
#define PACKING_TRIES 2

/* Has cons_tres selected several nodes, p->node_bitmap, by their places in a network? */
extern bool packing_network_chooses(const struct place *p);
/* May the nodes that cons_tres has selected, p->node_bitmap, be changed for others?
 * Not where the site or the job says how nodes are to be chosen. */
extern bool packing_may_change(const struct place *p);
/* Leave in `nodes` (all those that p may use) those of a try, 0 the best. False: `selected`,
 * what cons_tres chose unasked, is as good as those would be, or there are too few. */
extern bool packing_narrow(const struct place *p, bitstr_t *selected, int try, bitstr_t *nodes);
/* Are these as good as what cons_tres chose unasked, but for borrowers? */
extern bool packing_costs_nothing(bitstr_t *nodes, bitstr_t *selected);
/* The job is to start on p->node_bitmap: jobs after it in this pass know that. */
extern void packing_note_start(const struct place *p);

/* How many times counts what it loses when that job is evicted for p (lentNodeWeight):
 * 1 on nodes that another job, within its quota, keeps from being whole anyway */
extern int64_t packing_loss_weight(const struct place *p, const job_record_t *victim);

/* ---- how victims go, and which job gave way to which: evict.c ---- */

/* Put the victims on Slurm's list, log them, leave a note for their owners. Victims that are
 * already on their way out are not listed again. Returns how many were. */
extern int evict_list(struct place *p);
/* Log the line of an eviction that is only observed. Its event: if it is news, or the first one
 * of this run */
extern void evict_observe(const struct place *p, const struct victim *v, bool news);
/* Evict the jobs that run in queues with stopPolicy HoldAndDrain, and victims whose grace time is
 * over: Slurm itself looks for the latter every 30 seconds only. */
extern void evict_due(void);
/* Seconds between the order to end and the end, as QOS and partition have it */
extern uint32_t evict_grace_time(job_record_t *job_ptr);

/* ---- jobs outside all cluster queues preempt each other as before: unmanaged.c ---- */

/* Follow unmanaged.preemption from now on. If the plugin can't be opened, that
 * is logged, and no unmanaged job is preempted. */
extern void unmanaged_init(enum conf_unmanaged which);
/* Is there a plugin to ask? */
static inline bool unmanaged_asks(void)
{
	return ctld.asks_slurms && ctld_works();
}

/* Are both jobs outside, and does Slurm's plugin let the one go for the other? Only while it
 * is asked at all: slurmctld wants to know this of each record, so the caller has looked. */
extern bool unmanaged_preemptable(job_record_t *preemptee, job_record_t *preemptor);
/* Are both jobs outside, and does Slurm's plugin put the first one first? */
extern bool unmanaged_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2);
/* Has Slurm's plugin to be asked about the job? Then *value is what it says. */
extern bool unmanaged_get(job_record_t *job_ptr, slurm_preempt_data_type_t type, void *value);

#endif /* COHORT_PLACEMENT_PLACE_H */
