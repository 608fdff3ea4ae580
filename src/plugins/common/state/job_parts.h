/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job_parts.h - parts of our record of a job that few waiting jobs have
 *
 *  They are made when there is something to put into them (state/job.h). A job that
 *  only waits has none, so that its record is small.
\*****************************************************************************/
#ifndef COHORT_STATE_JOB_PARTS_H
#define COHORT_STATE_JOB_PARTS_H

#include "state/state.h"

struct json_object;
struct entry;
struct ending;
struct job;

/* How often a job was a victim, in all its runs */
struct evictions {
	uint32_t count;			/* but for the ends of turns; */
	uint32_t lost;			/* of these: no pure reclaims (engine.h) */
	uint32_t turns;			/* because its turn was over */
};

/* Can the present run be preempted? One that nothing is known of can, until the
 * cap allows its rule. */
enum run_kind { RUN_IS_PREEMPTIBLE, RUN_IS_NONPREEMPTIBLE,
		RUN_IS_NEW };	/* it begins: as its rule says */

/* What backfill tried when it found that a component could start now */
struct het_test {
	bitstr_t *usable;
	uint32_t min_nodes, max_nodes, req_nodes;
	char *partition;		/* by which it could start then */
	uint64_t pass;
};

/* One of several partitions by which a waiting job may start */
struct via {
	part_record_t *part_ptr;	/* as the last scan saw it */
	int queue;			/* that the partition leads to, or SPEC_NONE */
	struct entry *entry;		/* its entry there, or NULL */
	int listed;			/* its place in the user's list */
	uint32_t slot;			/* place in Slurm's order, as in struct job */
};

/* All of them, in Slurm's order */
struct vias {
	int n;				/* 0: none takes jobs now */
	int nlisted;			/* all that the job names */
	struct via all[];
};

/* The job may start by the plan, and has not; only jobs/chance.c changes
 * this. */
struct chance {
	time_t since;			/* it may since then; 0: it may not */
	uint64_t first_try;		/* pass, if by several partitions, or 0 */
	uint32_t evictions;		/* evictions for it, since it waits */
	uint32_t plans_missed;		/* starts that backfill planned in vain */
	time_t evicts_from;		/* no job is evicted for it before */
	time_t planned_from;		/* it plans it not before */
	time_t promised;		/* the first start that it planned, or 0 */
	bool passed_over;		/* and slurmctld did not even ask us */
};

/* The job may start by the plan: does slurmctld try it? Only jobs/untried.c changes
 * this. */
struct tries {
	time_t watched_since;		/* not tried since then; 0: not watched */
	uint64_t watched_from;		/* the pass of that time */
	time_t tried_at;		/* last_sched_eval then */
	bool missing;			/* that is too long: it is out of line */
};

/* What is kept of a job that may start by the plan, or was tried in vain */
struct offer {
	struct chance chance;
	struct tries tries;
	struct het_test *seen;		/* het: where backfill would start it */
	uint64_t limited_at;		/* a limit refused what was selected: how much was
					 * released till then, or 0, */
	time_t limited_since;		/* ... and when that was (job_test/gate.c) */
};

/* The flavors whose nodes are taken, as of the last try, and what follows from that:
 * all of it is forgotten together. */
struct taken {
	time_t since;
	uint64_t at;			/* how much was released till then */
	bool goes_on;			/* the job does, to flavors that are not taken */
	bool in_vain;			/* the plan has nothing for it there */
	bool flavors[];			/* is it taken? */
};

/* What selecting nodes for an entry has taught. What was not learned is NULL.
 * request/learn.c has the amounts and the flavors that are taken,
 * match/flavor_eligibility.c the flavors that fit. */
struct lessons {
	uint8_t *fits;			/* by flavor: can it ever hold the job? */
	uint64_t fits_for;		/* for which request and nodes */
	time_t learned;			/* its demand has amounts that were learned: the
					 * oldest of them then, or 0; */
	uint64_t learned_at;		/* how much was released till then */
	struct taken *taken;
};

/* What was freed for an entry by eviction, and waits for it */
struct owned {
	time_t until;			/* quota waits for it until then */
	bitstr_t *cleared;		/* and so do these nodes, or NULL (hold.c) */
	uint64_t victims_leave;		/* the last look that saw victims go */
};

/* What is kept of a job that runs or did so, was evicted ever, or may have something
 * in the state file */
struct run {
	uint64_t started_in;		/* the pass that started it, or 0 */
	time_t paused;			/* suspended so far in this run, seconds */
	time_t turn_over;		/* when its turn ended by eviction, or 0 */
	struct json_object *evicted;	/* record/event.c: the event of that */
	struct ending *ending;		/* books/ending.c: it ends on several nodes */
	struct job *keep_next, **keep_at;	/* state/keep.h */
	uint32_t noted_by;		/* the job that it was evicted for */
	enum victim_reason noted_for;	/* by which rule, if noted */
	enum run_kind kind;		/* of the present run */
	bool settled;			/* it was, when the books went (engine.h) */
	uint32_t lent;			/* its place in the counts, or 0
					 * (lent_nodes.c) */
	struct evictions evictions;	/* of the job */
	bool borrows;			/* its queue was over nominal quota when it
					 * was charged */
	bool noted;			/* in this run */
	bool told;			/* there is an event of: */
	time_t evicted_in;		/* the start of the run whose eviction was counted last;
					 * slurmctld may know nothing of it after kill -9 */
	bool noted_pure;		/* as a pure reclaim */
};

/* What most entries that wait do without. What is of the job is in the first entry, which
 * stands for it. */
struct parts {
	struct vias *vias;		/* the job: several partitions, or NULL; */
	struct offer *offer;		/* or NULL: read it by offer_of(); */
	struct run *run;		/* or NULL: read it by run_of() */
	struct lessons *lessons;	/* or NULL */
	struct owned *owned;		/* or NULL */
	int *flavors;			/* it is charged on, by resource; or NULL */
	uint32_t started;		/* array: tasks started in this plan */
	uint32_t planned;		/* the job: backfill has nodes for it then, or 0 */
	int estimate_queue;		/* the job, if it has several entries: in which
					 * of its cluster queues its estimate is */
	struct entry *next;		/* next entry of the same job, or NULL */
};

#endif /* COHORT_STATE_JOB_PARTS_H */
