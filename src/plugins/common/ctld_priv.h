/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ctld_priv.h - what the parts of libcohort_ctld share
 *
 *  setup.c    start, configuration, reconfigure
 *  layout.c   do our headers fit this slurmctld?
 *  known_names.c    names that only Slurm knows
 *  flavor_nodes.c   which nodes are a flavor's
 *  flavor_eligibility.c    which flavors can hold a job
 *  feature_constraint.c which nodes a --constraint leaves
 *  demand.c   the resources that quota is about
 *  advise.c   what does not do on this cluster
 *  floor.c    the least that a node has which a job may get
 *  request.c  what a waiting job asks for
 *  allocated.c what a job got
 *  podset.c   its request in the engine's words
 *  learn.c    what selecting nodes for a job has taught
 *  jobs.c     our record of each job
 *  queue_of_job.c      queue, priority, in line or not
 *  books.c    job records into events for the engine
 *  waiting.c  what waits, and in which cluster queues
 *  het.c      heterogeneous jobs: all components or none
 *  charge.c   what a job is charged, and on which flavors
 *  pass.c     a scheduling pass: plan, marks, order
 *  sentinel.c how the start of a pass is seen
 *  fresh.c    whom it has started
 *  hold.c     nodes that were cleared for a job
 *  gate.c     job_test
 *  place.c    one try to place a job on nodes of its flavors
 *  ask.c      sbatch --test-only
 *  asked.c    what such an answer has no words for
 *  fit.c      nodes for a job whose cost quota allows
 *  evict.c    victims: who may be one, and how they go
 *  provenance.c  what is said of it, in the log and in the victim's record
 *  observe.c  enforcement: observe
 *  unmanaged.c  jobs outside all queues: Slurm's own preemption
 *  reason.c   texts for squeue
 *  estimate.c when waiting jobs will start
 *  outlook.c  the cluster as it is, to be played forward
 *  control.c  is this slurmctld in control?
 *  worker.c   threads that work while it is
 *  waker.c    the one that wakes the scheduler and writes
 *  store.c    the state file
 *  file.c     files that are written again and again
 *  count.c    counters
 *  publish.c  the file that scohort reads
 *
 *  Everything is guarded by slurmctld's job write lock, but for what
 *  workers guard themselves.
\*****************************************************************************/
#ifndef COHORT_CTLD_PRIV_H
#define COHORT_CTLD_PRIV_H

#include "hooks/ctld.h"

#include "conf.h"
#include "engine.h"
#include "lib/sat.h"

#define REASON_SIZE 120		/* longest text in squeue's REASON, with NUL */
#define PREFIX "slurm-cohort: "

enum resource_kind {
	RESOURCE_CPU, RESOURCE_MEM, RESOURCE_NODE,
	RESOURCE_GRES, RESOURCE_LICENSE, RESOURCE_BILLING, RESOURCE_OTHER,
};

struct resource {
	enum resource_kind kind;
	char *name;		/* gres or license name */
	char *type;		/* gres type or NULL */
	int tres_pos;		/* RESOURCE_OTHER: index into TRES arrays, or -1 */
};

struct entry;
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
	struct entry *entry;		/* there, or NULL */
	int listed;			/* its place in the user's list */
	uint64_t slot;			/* as that of a job */
};

/* A waiting job in one of its cluster queues; or, as the first one of its job,
 * what runs */
struct entry {
	struct job *job;		/* that it is of */
	struct entry *next;		/* of the same job */
	struct workload *work;		/* in the books, or NULL */
	int queue;			/* of that, or SPEC_NONE */
	int local_queue;		/* its number, or 0 (queue_of_job.c) */
	uint64_t offered;		/* pass since which it may start */
	bool no_nodes;			/* had quota, found no nodes */
	int64_t behind;			/* place where the gate held it back */
	uint8_t *fits;			/* by flavor: what was learned of it */
	uint64_t fits_for;		/* for which request and nodes */
	int *flavors;			/* it is charged on, by resource */
	int64_t *learned;		/* learn.c: by flavor and resource */
	uint64_t learned_from;		/* demand_request() at that time */
	uint64_t learned_at;		/* and how much was released till then */
	int64_t started;		/* array: tasks started in this plan */
	time_t own_until;		/* freed quota waits for it until then */
	bitstr_t *cleared;		/* and so do these nodes (hold.c) */
	int observed;			/* observe: what its last line said */
};

/* Our record of one of Slurm's job records */
struct job {
	uint32_t job_id;
	job_record_t *job_ptr;		/* as the last scan saw it */
	struct entry first;		/* always there, mostly the only one */
	struct via *vias;		/* several partitions, in Slurm's order */
	int nvias;			/* else 0 */
	int nlisted;			/* of so many: some may take no jobs */
	bool outside;			/* one of them is of no cluster queue */
	uint64_t crowded;		/* pass that found room by none of them */
	struct het_test *seen;		/* het: where backfill would start it */
	uint64_t fingerprint;		/* of what its demand was made from */
	uint32_t scan;			/* the last scan that saw it */
	uint32_t new_at;		/* waker_turns() when it was new */
	uint64_t started_in;		/* the pass that started it, or 0 */
	time_t order_at;		/* place in the FIFO order */
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
	bool marked;			/* preempt_in_progress by us */
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

/* In the engine's words an entry is the owner of its workload. */
static inline struct entry *entry_of(const struct workload *w)
{
	return workload_owner(w);
}

static inline struct job *job_of(const struct workload *w)
{
	return entry_of(w)->job;
}

/* In the books, as one that waits in line; or that has its resources */
static inline bool job_waits(const struct job *job)
{
	return job->first.work && !workload_running(job->first.work);
}

static inline bool job_runs(const struct job *job)
{
	return job->first.work && workload_running(job->first.work);
}

#define for_each_entry(e_, job_) \
	for (struct entry *e_ = (struct entry *) &(job_)->first; e_; \
	     e_ = e_->next)

struct place;

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

/* Forget configuration, books and counters; under the job lock. */
extern void ctld_drop(void);

/* Limits of time may be as large as users like. */
static inline int64_t ns_of(time_t t)
{
	return sat_mul((int64_t) t, SPEC_SEC);
}

/* The first second that is not before it: a turn is over a nanosecond after
 * its time. Whoever tells of a time, or waits for it, means this one. */
static inline time_t time_of(int64_t ns)
{
	return (time_t) (ns / SPEC_SEC + (ns % SPEC_SEC > 0));
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

static inline bool ctld_observes(void)
{
	return ctld_works() && ctld.conf->observe;
}

#include "placement/nodes.h"
#include "request/need.h"
#include "books/records.h"
#include "hooks/decide.h"
#include "placement/victims.h"
#include "slurm/control.h"
#include "tell/tell.h"

#endif /* COHORT_CTLD_PRIV_H */
