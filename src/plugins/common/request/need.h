/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  need.h - what a job asks for, what it needs and what it got
 *
 *  Part of ctld_priv.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_NEED_H
#define COHORT_NEED_H

/* ---- demand.c ---- */

extern void demand_init(void);
extern void demand_fini(void);
extern int64_t demand_licenses(job_record_t *job_ptr, const struct resource *r);
/* Of one of Slurm's TRES arrays */
extern int64_t demand_tres(const uint64_t *counts, const struct resource *r);
/* What a job with so much is billed in its partition (TRESBillingWeights) */
extern int64_t demand_billing(const job_record_t *job_ptr, int64_t cpus,
			      int64_t mem, int64_t nodes);
extern uint64_t demand_mix(uint64_t hash, uint64_t value);
/* --comment=cohort:min-available=N of an array, or -1 */
extern int64_t demand_min_available(const job_record_t *job_ptr);
/* A hash of what the user asks for; the records of an array's tasks agree */
extern uint64_t demand_request(job_record_t *job_ptr);
/* A hash of everything that request_of() and the queue depend on */
extern uint64_t demand_fingerprint(job_record_t *job_ptr);

/* ---- advise.c ---- */

extern void advise_resources(void);

/* ---- floor.c ---- */

struct floor {
	int64_t cpus, mem;	/* of a node */
	int64_t core, socket;	/* CPUs of a core, of a socket */
	struct {
		int64_t whole;		/* what comes with a whole node */
		bool typed, other;	/* some are of this type, of another */
		bool free;		/* not consumed: no quota either */
	} *gres;		/* by resource */
	bool uneven;		/* not all nodes are alike */
};

/* Of the nodes of the job's partition with the features that it asks for, in a
 * flavor or (SPEC_NONE) in all of them. Valid until the next call. */
extern const struct floor *floor_of(const job_record_t *job_ptr, int flavor);
extern int64_t floor_node_cpus(const node_record_t *node_ptr);
extern int64_t floor_node_mem(const node_record_t *node_ptr);	/* MB for jobs */
/* True if nodes or partitions have changed */
extern bool floor_refresh(void);
extern void floor_flush(void);
/* A node's GRES of that name, or NULL */
extern gres_state_t *floor_node_gres(const node_record_t *node_ptr,
				     const struct resource *r);
/* What of it comes with the whole node */
extern int64_t floor_whole_gres(const node_record_t *node_ptr,
				const struct resource *r);

/* ---- request.c ---- */

/* How many nodes "[a*1&b*2]" adds up to, 0 if it has no counts */
extern uint32_t request_counted(compat_list_t features);
/* What a waiting job (one task of an array) asks for on nodes of a flavor, or
 * SPEC_NONE: fills amounts[nresources] with totals for its smallest
 * allocation. entry may be NULL. */
extern void request_of(job_record_t *job_ptr, const struct entry *entry,
		       int flavor, int64_t *amounts);

/* ---- allocated.c ---- */

/* What a job got (`selected`: before job_begin) */
extern void allocated_of(job_record_t *job_ptr, bool selected,
			 int64_t *amounts);

/* ---- learn.c ---- */

/* It was offered so much, with these flavors, and that was more than quota
 * allows. True if that is news. */
extern bool learn_amounts(struct entry *entry, const int *flavors,
			  const int64_t *amounts);
/* Raise amounts to what is known of the job in this flavor */
extern void learn_apply(const struct entry *entry, int flavor,
			int64_t *amounts);
/* Nodes were released: others may be cheaper */
extern void learn_released(void);
/* Are there fewer nodes now from which a job is on its way out? */
extern void learn_completed(void);
/* Forget what is out of date */
extern void learn_check(struct entry *entry);
extern void learn_forget(struct entry *entry);

/* ---- podset.c ---- */

struct podset {
	struct podset_desc desc;
	struct request *requests;
	int64_t *amounts;	/* by flavor and resource */
	int64_t *by_flavor;	/* by request and flavor */
	bool *ineligible;
};

/* What the waiting job asks of the queue. To be freed. */
extern void podset_of(struct podset *p, const struct entry *entry,
		      int queue);
extern void podset_free(struct podset *p);

#endif /* COHORT_NEED_H */
