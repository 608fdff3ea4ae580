/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  state.h - data that all parts of libcohort_ctld share
 *
 *  Guarded by slurmctld's job write lock, as all data of this library is, but
 *  for the data that workers guard themselves.
\*****************************************************************************/
#ifndef COHORT_STATE_STATE_H
#define COHORT_STATE_STATE_H

#include "compat/slurm_compat.h"

#include "conf.h"
#include "engine.h"
#include "lib/sat.h"

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

/* Work that passes and users have caused, since slurmctld was started; record/count.c has
 * the names */
enum work {
	WORK_LOOK,		/* of a walk, at a record */
	WORK_MATCH,		/* the rules of all queues were gone through */
	WORK_BOOKED,		/* an entry was booked, or what is new of it */
	WORK_CANDIDATE,		/* a record that Slurm asked about: may it be preempted? */
	WORK_TEXT,		/* a text for squeue that is another one */
	WORK_UNTRIED,		/* a job that nobody waits for, as slurmctld does not try it */
	WORK_SAVE,		/* a job that may be in the state file: is it? */
	WORK_NODE_SETS,		/* sets of nodes were combined or compared, for a request */
	WORK_HOST_LIST,		/* a host list was read */
	WORK_ANSWERED,		/* questions of users: answered, */
	WORK_POSTPONED,		/* ... and refused for now, */
	WORK_QUESTION_NS,	/* ... and their CPU time */
	WORK_PLAY,		/* the cluster was played forward, */
	WORK_PLAY_NS,		/* ... for so much CPU time, */
	WORK_PLAY_CUT,		/* ... not to the end, because of that */
	WORK_TOO_FAR,		/* jobs whose start the last one has not come to: no sum */
	WORKS
};

struct ctld {
	struct conf *conf;
	struct engine *engine;
	struct resource *resources;	/* by index of spec->resources */
	bool ready;			/* books are built */
	bool broken;			/* job records can't be read */
	bool select_loaded;
	bool topology_file;		/* with slurm.conf Slurm has read a topology that it does
					 * not name */
	bool others_wait;		/* jobs of no queue do, as of the last walk */
	/* Counters by which data are seen to be out of date. In brackets: who counts */
	uint64_t changes;		/* a record of ours came, went or was booked anew, or a job
					 * that waits by the plan was tried all the same */
	uint32_t plans;			/* plans: else no verdict and no position has changed
					 * (books/books.c) */
	uint64_t passes;		/* passes of the scheduler, whether they sort a queue or
					 * not; never 0 (hooks/pass.c) */
	uint64_t sorted;		/* those that have sorted a queue (the same) */
	uint64_t releases;		/* nodes were released: others may be cheaper; never 0 */
	uint64_t node_sets;		/* nodes of flavors have changed, or others are up
					 * (match/flavor_nodes.c) */
	uint32_t turns;			/* the waker had the job lock: who had it before has
					 * released it (slurm/waker.c) */
	uint32_t local_holds;		/* a local queue came that was not held before
					 * (match/queue_of_job.c) */
	/* Read at each comparison of a sort, before any record is: */
	uint32_t njobs;			/* jobs of ours (jobs/jobs.c), */
	uint32_t nalone;		/* and how many of them run on nodes that they
					 * do not share: these Slurm has to be told of
					 * (hooks/ctld.c) */
	bool ordered;			/* the queue has our order (hooks/queue_order.c) */
	bool asks_slurms;		/* Slurm's preempt plugin (placement/unmanaged.c) */
	int64_t work[WORKS];
};

extern struct ctld ctld;

static inline void count_work(enum work what)
{
	ctld.work[what]++;
}

/* Room for one more in an xmalloc'd list */
#define grow_list(list_, n_, size_) do {				\
	if ((n_) == (size_)) {						\
		(size_) = MAX(2 * (size_), 64);				\
		xrecalloc((list_), (size_), sizeof(*(list_)));		\
	}								\
} while (0)

/* Users may ask for time limits as large as they like. */
static inline int64_t ns_of(time_t t)
{
	return sat_mul((int64_t) t, SPEC_SEC);
}

/* The first second that is not before it: a turn is over a nanosecond after its
 * time. All code that shows a time, or waits for it, means this second. */
static inline time_t time_of(int64_t ns)
{
	return (time_t) (ns / SPEC_SEC + (ns % SPEC_SEC > 0));
}

/* Do we decide anything at all, and may that change the state of a job? */
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

#endif /* COHORT_STATE_STATE_H */
