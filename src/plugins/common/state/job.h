/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job.h - our record of a job, and its entries in cluster queues
\*****************************************************************************/
#ifndef COHORT_STATE_JOB_H
#define COHORT_STATE_JOB_H

#include "state/state.h"

#define REASON_SIZE 120		/* longest text in squeue's REASON, with NUL */

struct job;

/* What backfill tried a component with that could start now */
struct het_test {
	bitstr_t *usable;
	uint32_t min_nodes, max_nodes, req_nodes;
	char *partition;		/* by which it could start then */
	uint64_t pass;
};

/* One of several partitions by which a waiting job may start */
struct via {
	part_record_t *part_ptr;	/* as the last scan saw it */
	int queue;			/* that it leads to, or SPEC_NONE */
	struct job *entry;		/* there, or NULL */
	int listed;			/* its place in the user's list */
	uint64_t slot;			/* as that of a job */
};

/* Our record of one of Slurm's job records; or of its entry in another of its
 * cluster queues (`first` is set: of the rest only what is marked with *) */
struct job {
	uint32_t job_id;		/* * */
	job_record_t *job_ptr;		/* * as the last scan saw it */
	struct workload *work;		/* * in the books, or NULL */
	int queue;			/* * of that, or SPEC_NONE */
	int local_queue;		/* * its number, or 0 (queue_of_job.c) */
	struct job *first;		/* * NULL: this is it */
	struct job *other;		/* * the next entry */
	struct via *vias;		/* several partitions, in Slurm's order */
	int nvias;			/* else 0 */
	int nlisted;			/* of so many: some may take no jobs */
	bool outside;			/* one of them is of no cluster queue */
	uint64_t crowded;		/* pass that found room by none of them */
	uint64_t offered;		/* * pass since which it may start */
	uint8_t *fits;			/* * by flavor: what flavor_eligibility.c has learned */
	uint64_t fits_for;		/* * for which request and nodes */
	struct het_test *seen;		/* het: where backfill would start it */
	uint64_t fingerprint;		/* of what its demand was made from */
	uint32_t scan;			/* the last scan that saw it */
	uint32_t new_at;		/* waker_turns() when it was new */
	uint64_t started_in;		/* the pass that started it, or 0 */
	time_t order_at;		/* place in the FIFO order */
	int *flavors;			/* * by resource: flavor it is charged on */
	int64_t *learned;		/* * learn.c: by flavor and resource */
	uint64_t learned_from;		/* * demand_request() at that time */
	uint64_t learned_at;		/* * and how much was released till then */
	int64_t started;		/* * array: tasks started in this plan */
	time_t own_until;		/* * freed quota waits for it until then */
	bitstr_t *cleared;		/* * and so do these nodes (hold.c) */
	uint64_t victims_leave;		/* the last look (hold.c) that saw them go */
	uint32_t evictions;		/* how often it was a victim */
	uint32_t noted_by;		/* ... for this job */
	time_t evict_again;		/* nobody is evicted for it before */
	uint32_t evicted_for;		/* how often somebody was, since it waits */
	bool noted;			/* in this run: counted already */
	enum victim_reason noted_for;	/* if so */
	time_t turn_over;		/* when it was evicted for that, or 0 */
	time_t paused;			/* suspended so far in this run, seconds */
	uint64_t slot;			/* its place in Slurm's order in a pass */
	int64_t behind;			/* * place where the gate held it back */
	bool waits;			/* marked preempt_in_progress by us */
	int observed;			/* observe: what its last line said */
	bool no_nodes;			/* * had quota, found no nodes */
	time_t may_since;		/* the plan lets it start since then */
	bool passed_over;		/* and slurmctld did not even ask us */
	bool provisional;		/* charged by what was selected for it */
	char reason[REASON_SIZE];	/* what we put into state_desc */
	int reason_what;		/* what it says, roughly */
	time_t reason_at;
	time_t estimate;		/* it may start then; 0: not known */
	bool estimate_evicts;		/* and somebody goes for it */
	time_t shown;			/* what of that we put into start_time */
	struct job *next;		/* chain of the hash */
};

/* The record of the job, given one of its entries */
static inline struct job *job_first(const struct job *entry)
{
	return entry->first ? entry->first : (struct job *) entry;
}

#endif /* COHORT_STATE_JOB_H */
