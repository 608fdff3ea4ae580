/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ctld_priv.h - what the parts of libcohort_ctld share
 *
 *  setup.c    start, configuration, reconfigure
 *  flavor.c   which nodes are a flavor's
 *  demand.c   what a waiting job asks for, what a running job has
 *  jobs.c     our record of each job
 *  who.c      queue, priority, in line or not
 *  books.c    job records into events for the engine
 *  pass.c     a scheduling pass: plan, marks, order
 *  gate.c     job_test
 *  place.c    one try to place a job on nodes of its flavors
 *  evict.c    victims: who, why, how
 *  reason.c   texts for squeue
 *  waker.c    the thread that wakes the scheduler and writes
 *  store.c    the state file
 *
 *  Everything is guarded by slurmctld's job write lock, but for what waker.c
 *  guards itself.
\*****************************************************************************/
#ifndef COHORT_CTLD_PRIV_H
#define COHORT_CTLD_PRIV_H

#include "ctld.h"

#include "conf.h"
#include "engine.h"

#define REASON_SIZE 120		/* longest text in squeue's REASON, with NUL */
#define PREFIX "slurm-cohort: "

enum resource_kind {
	RESOURCE_CPU, RESOURCE_MEM, RESOURCE_NODE,
	RESOURCE_GRES, RESOURCE_LICENSE, RESOURCE_OTHER,
};

struct resource {
	enum resource_kind kind;
	char *name;		/* gres or license name */
	char *type;		/* gres type or NULL */
	int tres_pos;		/* RESOURCE_OTHER: index into TRES arrays, or -1 */
};

/* Our record of one of Slurm's job records */
struct job {
	uint32_t job_id;
	job_record_t *job_ptr;		/* as the last scan saw it */
	struct workload *work;		/* in the books, or NULL */
	uint64_t fingerprint;		/* of what its demand was made from */
	uint32_t scan;			/* the last scan that saw it */
	time_t order_at;		/* place in the FIFO order */
	int *flavors;			/* by resource: flavor it is charged on */
	int64_t *learned;		/* by resource: more than it asked for */
	int64_t started;		/* array: tasks started in this plan */
	time_t own_until;		/* freed quota waits for it until then */
	uint32_t evictions;		/* how often it was a victim */
	time_t turn_over;		/* when it was evicted for that, or 0 */
	time_t paused;			/* suspended so far in this run, seconds */
	uint64_t slot;			/* its place in Slurm's order in a pass */
	int64_t behind;			/* place where the gate held it back */
	bool waits;			/* marked preempt_in_progress by us */
	bool no_nodes;			/* had quota, found no nodes */
	bool provisional;		/* charged by what was selected for it */
	char reason[REASON_SIZE];	/* what we put into state_desc */
	int reason_what;		/* what it says, roughly */
	time_t reason_at;
	struct job *next;		/* chain of the hash */
};

struct ctld {
	struct conf *conf;
	struct engine *engine;
	struct resource *resources;	/* by index of spec->resources */
	bitstr_t **flavor_nodes;	/* by flavor; NULL entry: every node */
	bool ready;			/* books are built */
	bool broken;			/* job records can't be read */
	bool select_loaded;
	uint32_t owners;		/* jobs that own freed quota */
};

extern struct ctld ctld;

static inline int64_t ns_of(time_t t)
{
	return (int64_t) t * SPEC_SEC;
}

/* Is anything decided by us at all, and may it change a job's fate? */
static inline bool ctld_works(void)
{
	return ctld.ready && !ctld.broken;
}

static inline bool ctld_enforces(void)
{
	return ctld_works() && !ctld.conf->observe;
}

/* ---- flavor.c ---- */

/* Bring the node bitmaps of all flavors up to date. True if any changed. */
extern bool flavor_refresh(void);
extern void flavor_free(void);
/* Nodes of the flavor, or NULL for all nodes */
extern bitstr_t *flavor_nodes(int flavor);
/* May some nodes of the flavor in the job's partition satisfy what the job
 * requires of single nodes (features, list, exclusions)? */
extern bool flavor_suits(int flavor, job_record_t *job_ptr);

/* ---- demand.c ---- */

extern void demand_init(void);
extern void demand_fini(void);
/* What a waiting job (one task of an array) asks for: fills
 * amounts[nresources] with totals for its smallest allocation. */
extern void demand_of(job_record_t *job_ptr, const struct job *job,
		      int64_t *amounts);
/* What a job got (job_resrcs and GRES, `selected`: before job_begin). */
extern void demand_allocated(job_record_t *job_ptr, bool selected,
			     int64_t *amounts);
/* --comment=cohort:min-available=N of an array, or -1 */
extern int64_t demand_min_available(const job_record_t *job_ptr);
/* A hash of everything that demand_of() and the queue depend on */
extern uint64_t demand_fingerprint(job_record_t *job_ptr);

/* ---- jobs.c ---- */

extern struct job *jobs_find(uint32_t job_id);
extern struct job *jobs_get(job_record_t *job_ptr);	/* added if new */
extern void jobs_drop(struct job *job);
extern void jobs_clear(void);		/* forget all, also what is stored */
extern uint32_t jobs_count(void);
extern void jobs_set_own(struct job *job, time_t until);	/* 0: no longer */
extern void jobs_unbook(void);		/* the engine is gone: no workloads */
extern void jobs_each(void (*f)(struct job *job, void *arg), void *arg);

/* ---- who.c ---- */

/* Index of its cluster queue, or SPEC_NONE */
extern int who_queue(job_record_t *job_ptr);
/* Number of its local queue: its account (or user) in that queue */
extern int who_local_queue(int queue, job_record_t *job_ptr);
/* Of its class: QOS, partition or its own, as configured */
extern int64_t who_priority(job_record_t *job_ptr);
/* Waiting tasks it stands for */
extern int64_t who_tasks(job_record_t *job_ptr);
/* Tasks of an array that its own limit (%N) lets start; 0: no limit, -1: none
 * now */
extern int64_t who_max_starts(job_record_t *job_ptr);
/* Is it in line? One that is held, depends on others or is not yet due has no
 * place and blocks nobody. */
extern bool who_in_line(job_record_t *job_ptr, time_t now);
extern bool who_holds_nodes(job_record_t *job_ptr);

/* ---- books.c ---- */

/* Look at every job record once and report to the engine what changed. False
 * if there was no need to, as nothing has. */
extern bool books_scan(void);
/* The next scan is to look in any case. */
extern void books_stale(void);
/* The same for one job. */
extern struct job *books_sync(job_record_t *job_ptr);
/* A job holds resources from now on, or no longer. */
extern void books_started(job_record_t *job_ptr);
extern void books_ended(job_record_t *job_ptr);
extern void books_resized(job_record_t *job_ptr);
/* Amounts by resource -> charges, with the flavor chosen for each resource.
 * Resources without one (not covered) are left out. Returns the number. */
extern size_t books_charges(const int *flavors, const int64_t *amounts,
			    struct charge *charges);
/* The managed record of a waiting job, or NULL */
extern struct job *books_waiting(job_record_t *job_ptr);

/* The flavor of each resource (by index, -1: not covered) that a running job
 * is taken to use, judged by its nodes. */
extern void books_flavors_by_nodes(int queue, bitstr_t *nodes, int *flavors);

/* ---- pass.c ---- */

/* Start a pass if slurmctld has started one: scan, plan, mark. */
extern void pass_touch(void);
/* The plan is out of date in any case (configuration changed). */
extern void pass_reset(void);
/* Bring plan, marks and texts up to date between passes; has the scheduler run
 * if somebody may start now who could not before. */
extern void pass_refresh(void);

/* ---- place.c ---- */

struct place {
	compat_job_test_f real;
	job_record_t *job_ptr;
	struct job *job;
	bitstr_t *node_bitmap;		/* in and out, as in job_test */
	bitstr_t *usable;		/* node_bitmap as it came in */
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t mode;
	compat_list_t *preemptee_job_list;
	compat_exc_cores_t exc_cores;
	bool may_evict;			/* Slurm would evict for it now */
	bool soon;			/* out: its nodes are being cleaned up */
	int64_t protected_until;	/* out: nodes may be had then, ns; or 0 */
	struct {			/* as nominated, while that is tried */
		struct victim *victims;
		size_t nvictims;
		struct charge *charges;
		size_t ncharges;
	} quota;
	struct victim *victims;		/* out: whom to evict, may be NULL */
	size_t nvictims;
	struct charge *charges;		/* out: what was selected */
	size_t ncharges;
};

/* Try the nodes of the nominated flavors. 0: selected, node_bitmap and
 * victims are set; -1: no nodes; -2: nodes, but more than quota allows (what
 * it takes is learned). */
extern int place_try(struct place *p, const struct nomination *nom,
		     int64_t now);
extern void place_free(struct place *p);

/* ---- evict.c ---- */

/* Put the victims on Slurm's list, log, note for the victims' owners. Those
 * already on their way out are not listed again. Returns how many were. */
extern int evict_list(struct place *p);
/* Evict what runs in queues with stopPolicy HoldAndDrain. */
extern void evict_drained(void);
/* Evict victims whose grace time is over: Slurm itself looks for them every
 * 30 seconds only. */
extern void evict_graced(void);
/* When may this running job be evicted at the earliest, in ns? 0: now;
 * INT64_MAX: never. */
extern int64_t evict_exempt_until(job_record_t *job_ptr);

/* ---- reason.c ---- */

/* The text for a job that waits by the plan */
extern void reason_text(const struct job *job, char *text, size_t size);
/* Put it where squeue finds it, not more often than configured */
extern void reason_set(struct job *job, time_t now);
extern void reason_clear(struct job *job);
/* Does a job that has quota wait for nodes only? */
extern bool reason_is_nodes(const struct job *job);
/* Put back texts that the scheduler has overwritten */
extern void reason_restore(void);

/* ---- waker.c ---- */

extern void waker_start(void);
/* After this pass, put texts back. */
extern void waker_texts(void);
/* Have the scheduler run soon, or at a certain time at the latest. */
extern void waker_schedule(void);
extern void waker_at(time_t when);
extern void waker_at_ns(int64_t when);	/* 0: never mind */
/* The state file is to be written. */
extern void waker_save(void);

/* ---- store.c ---- */

extern char *store_dump(void);		/* JSON text, xmalloc'd */
extern int store_write(const char *name, const char *text);
/* Read the state file (once, at start). */
extern void store_load(void);
/* Path of a file in StateSaveLocation, xmalloc'd */
extern char *store_path(const char *name);

/* ---- setup.c ---- */

/* Judge by the first job record whether our headers fit this slurmctld. */
extern void setup_check_layout(job_record_t *job_ptr);

#endif /* COHORT_CTLD_PRIV_H */
