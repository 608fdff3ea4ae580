/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job.h - our record of a job, and its entries in cluster queues
\*****************************************************************************/
#ifndef COHORT_STATE_JOB_H
#define COHORT_STATE_JOB_H

#include <stddef.h>

#include "state/standing.h"
#include "state/state.h"

struct json_object;
struct entry;
struct job;

/* ---- a job that waits ---- */

/* One of several partitions by which a waiting job may start */
struct via {
	part_record_t *part_ptr;	/* as the last walk saw it */
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

/* What backfill tried when it found that a component could start now */
struct het_test {
	bitstr_t *usable;
	uint32_t min_nodes, max_nodes, req_nodes;
	char *partition;		/* by which it could start then */
	uint64_t pass;
};

/* What became of the offers of the plan to let the job start. Only jobs/chance.c changes it,
 * but for `seen` (placement/het_place.c) and what a limit refused (job_test/tries.c). Times are
 * of job_time(). */
struct offer {
	uint32_t since;			/* it may start since then; 0: it may not */
	uint32_t first_try;		/* pass, if by several partitions, or 0 */
	uint32_t evictions;		/* evictions for it, since it waits */
	uint32_t evicts_from;		/* no job is evicted for it before */
	uint32_t plans_missed;		/* starts that backfill planned in vain */
	uint32_t planned_from;		/* backfill plans it not before */
	uint32_t promised;		/* the first start that backfill planned, or 0 */
	uint32_t watched_since;		/* not tried since then; 0: not watched */
	uint32_t watched_from;		/* the pass of that time */
	uint32_t tried_at;		/* last_sched_eval then */
	uint32_t limited_since;		/* a limit refused what was selected, or 0: */
	uint64_t limited_at;		/* how much was released till then */
	struct het_test *seen;		/* het: where backfill would start it */
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

/* What selecting nodes for an entry has taught. What was not learned is NULL or 0.
 * Only request/learn.c changes it. */
struct lessons {
	uint8_t *fits;			/* by flavor: can it ever hold the job? */
	uint64_t fits_for;		/* for which request and nodes */
	time_t learned;			/* its demand has amounts that were learned: the
					 * oldest of them then, or 0; */
	uint64_t learned_at;		/* how much was released till then */
	struct taken *taken;
};

/* ---- a job that runs ---- */

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

/* What is kept of a job that runs or did so, was evicted ever, or may have something
 * in the state file. Made when there is something to put into it: most jobs only wait. */
struct run {
	uint64_t started_in;		/* the pass that started it, or 0 */
	time_t paused;			/* suspended so far in this run, seconds */
	time_t turn_over;		/* when its turn ended by eviction, or 0 */
	time_t evicted_in;		/* the start of the run whose eviction was counted last;
					 * slurmctld may know nothing of it after kill -9 */
	struct json_object *evicted;	/* record/eviction.c: the event of that */
	struct evictions evictions;	/* of the job */
	uint32_t noted_by;		/* the job that it was evicted for */
	enum victim_reason noted_for;	/* by which rule, if noted */
	enum run_kind kind;		/* of the present run */
	uint32_t nodes_left;		/* it ends, and is charged for so many; 0: for all */
	bool settled;			/* it was, when the books went (engine.h) */
	bool borrows;			/* its queue was over nominal quota when it
					 * was charged */
	bool noted;			/* in this run */
	bool noted_pure;		/* as a pure reclaim */
	bool told;			/* there is an event of `evicted_in` */
	bool observed;			/* observe: there is an event of it */
	bool keep;			/* the state file may have something of it */
};

/* ---- a job, and its entries ---- */

/* A waiting job in one of its cluster queues; the first entry of a job also
 * stands for the job when it runs */
struct entry {
	struct job *job;		/* the job that it belongs to */
	struct workload *work;		/* in the books, or NULL */
	struct entry *next;		/* next entry of the same job, or NULL */
	int *flavors;			/* it is charged on, by resource; or NULL */
	int queue;			/* its cluster queue, or SPEC_NONE */
	int local_queue;		/* number of its local queue, or 0 */
	enum standing standing : 8;	/* only jobs/chance.c changes it */
	/* observe: what its last line said; is there an event of its wait, and of the room that
	 * others would make for it? Only hooks/marks.c sets them */
	uint8_t observed;
	bool recorded, room;
	uint32_t behind;		/* place where it was held back, or 0 */
	uint32_t offered_in;		/* one of several: pass since which it may, or 0 */
	uint32_t started;		/* array: tasks started in this plan */
	uint32_t own_until;		/* what was freed by eviction is its till then, or 0; */
	uint64_t victims_leave;		/* ... the last look that saw its victims go; */
	bitstr_t *cleared;		/* ... and its nodes, or NULL (jobs/jobs.c) */
	struct lessons lessons;
};

/* Our record of one of Slurm's job records. What each pass reads of each job
 * comes first. */
struct job {
	uint32_t job_id;
	uint32_t walk;			/* the last one that saw it (books/books.c) */
	struct job *next;		/* chain of the hash */
	struct job *older, *newer;	/* list of all */
	job_record_t *job_ptr;		/* its record, as of the last walk */
	uint64_t fingerprint;		/* of what its demand was made from */
	uint32_t estimate;		/* it may start then; 0: not known */
	uint32_t shown;			/* what of that we put into start_time */
	uint32_t order_at;		/* place in the FIFO order */
	bool estimate_evicts : 1;	/* an eviction is needed for `estimate` */
	bool marked : 1;		/* preempt_in_progress by us */
	bool provisional : 1;		/* charged by what was selected for it */
	bool outside : 1;		/* one leads to no cluster queue */
	bool alone : 1;			/* counted in ctld.nalone */
	uint8_t reason_what;		/* what our text says, roughly */
	uint32_t slot;			/* its place in Slurm's order in a pass, or 0 */
	uint32_t reason_of;		/* of which plan our text was made, */
	uint32_t reason_at;		/* and when; 0: there is none */
	uint32_t in_turn_at;		/* when a plan first said that it only waits
					 * for its turn, if the text does not; 0 */
	uint32_t new_at;		/* ctld.turns when it was new */
	uint32_t planned;		/* backfill has nodes for it then, or 0 */
	int estimate_queue;		/* if it has several entries: in which of its
					 * cluster queues its estimate is */
	struct vias *vias;		/* several partitions, or NULL */
	struct run *run;		/* or NULL: read it by run_of() */
	struct offer offer;
	struct entry first;		/* always there, mostly the only one */
};

/* There may be hundreds of thousands of them */
_Static_assert(sizeof(struct job) <= 320, "the record of a job has grown");

/* A time as a record has it; one that is later than it can say is its last one. */
static inline uint32_t job_time(time_t t)
{
	return t <= 0 ? 0 : MIN(t, UINT32_MAX);
}

/* In the engine's words an entry is the owner of its workload. */
static inline struct entry *entry_of(const struct workload *w)
{
	return workload_owner(w);
}

static inline struct job *job_of(const struct workload *w)
{
	return entry_of(w)->job;
}

/* Is it in the books, as one that waits in line; or as one that has
 * resources? */
static inline bool job_waits(const struct job *job)
{
	return job->first.work && !workload_running(job->first.work);
}

static inline bool job_runs(const struct job *job)
{
	return job->first.work && workload_running(job->first.work);
}

/* By how many partitions may it start? 0 if it has one. */
static inline int job_nvias(const struct job *job)
{
	return job->vias ? job->vias->n : 0;
}

#define for_each_entry(e_, job_) \
	for (struct entry *e_ = (struct entry *) &(job_)->first; e_; e_ = e_->next)

/* Its entry that owns freed quota, or NULL */
static inline const struct entry *job_owner(const struct job *job)
{
	for_each_entry(e, job) {
		if (e->work && workload_owns(e->work))
			return e;
	}
	return NULL;
}

/* ---- its run ---- */

extern const struct run no_run;

static inline const struct run *run_of(const struct job *job)
{
	return job->run ? job->run : &no_run;
}

/* To change it: made if there is none */
extern struct run *job_get_run(struct job *job);
extern void job_forget_run(struct job *job);

/* Whatever may give a job something in the state file calls this. */
static inline void job_keep(struct job *job)
{
	job_get_run(job)->keep = true;
}

/* Is the place of the job in the order not that of its record? */
static inline bool job_has_moved(const struct job *job, const job_record_t *job_ptr)
{
	return job_ptr->details && (job->order_at != job_ptr->details->submit_time);
}

/* Does the eviction that is noted count for maxPreemptions? */
static inline bool run_counts_eviction(const struct run *run)
{
	return (run->noted_for != VICTIM_TIME_BASED) && !run->noted_pure;
}

/* The eviction of the run that began then is noted. Is it to be counted? Only once, also if
 * slurmctld was killed after the eviction, and the job runs for it as before. */
static inline bool run_is_news(struct run *run, time_t start)
{
	bool news = run->evicted_in != start;

	run->evicted_in = start;
	run->told &= !news;
	return news;
}

/* The job was evicted (1) as is noted, or was not after all (-1). What a state file of an
 * older version says was counted otherwise. */
static inline void run_count_eviction(struct run *run, int n)
{
	struct evictions *e = &run->evictions;
	uint32_t *count = run->noted_for == VICTIM_TIME_BASED ? &e->turns : &e->count;

	if ((n > 0) || *count)
		*count += n;
	if (run_counts_eviction(run) && ((n > 0) || e->lost))
		e->lost += n;
	e->lost = MIN(e->lost, e->count);
}

/* ---- one of its entries ---- */

/* Does it go on to flavors that are not taken? */
static inline bool entry_goes_on(const struct entry *entry)
{
	return entry->lessons.taken && entry->lessons.taken->goes_on;
}

extern void entry_forget_lessons(struct entry *entry);
/* Its flavors, to change; -1 for each resource if it had none */
extern int *entry_get_flavors(struct entry *entry);
/* It has those of these charges, and no others. */
extern void entry_take_flavors(struct entry *entry, const struct charge *charges, size_t n);

/* The entry by which it starts in a partition, or NULL */
extern struct entry *job_entry_by_partition(struct job *job,
					    const part_record_t *part_ptr);
/* The n-th partition by which an entry may start, from 0; or NULL */
extern part_record_t *job_partition(const struct entry *entry, int n);
/* What backfill saw of the job is out of date. */
extern void job_forget_het_test(struct job *job);

#endif /* COHORT_STATE_JOB_H */
