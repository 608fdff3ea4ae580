/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job.h - our record of a job, and its entries in cluster queues
\*****************************************************************************/
#ifndef COHORT_STATE_JOB_H
#define COHORT_STATE_JOB_H

#include <stddef.h>

#include "state/job_parts.h"
#include "state/state.h"

/* An entry may start by the plan, and has not; only jobs/chance.c changes this. */
struct entry_chance {
	uint32_t behind : 29;		/* place where it was held back, or 0 */
	uint32_t observed : 3;		/* observe: what its last line said; only
					 * tell/observe.c changes it */
	uint32_t offered_in : 31;	/* pass since which it may, or 0 */
	bool no_nodes : 1;		/* it was tried, and found no nodes */
};

#define MOST_BEHIND ((1 << 29) - 1)

/* A waiting job in one of its cluster queues; the first entry of a job also
 * stands for the job when it runs */
struct entry {
	struct job *job;		/* the job that it belongs to */
	struct workload *work;		/* in the books, or NULL */
	int queue;			/* its cluster queue, or SPEC_NONE */
	int local_queue;		/* number of its local queue, or 0 */
	struct entry_chance chance;
	struct parts *parts;		/* read them by parts_of() */
};

/* Our record of one of Slurm's job records. What each pass reads of each job
 * comes first. */
struct job {
	uint32_t job_id;
	uint32_t walk;			/* the last one that saw it (books/books.c) */
	struct job *next;		/* chain of the hash */
	job_record_t *job_ptr;		/* its record, as of the last scan */
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
	uint32_t reason_put;		/* where our text was put (record/shown.h), or 0 */
	uint32_t reason_of;		/* of which plan our text was made, */
	uint32_t reason_at;		/* and when; 0: there is none */
	uint32_t in_turn_at;		/* when a plan first said that it only waits
					 * for its turn, if the text does not; 0 */
	uint32_t new_at;		/* waker_turns() when it was new */
	struct entry first;		/* always there, mostly the only one */
};

/* There may be hundreds of thousands of them, and nearly all only wait. What few of
 * them have belongs in a part that the others do without. */
_Static_assert(sizeof(struct job) <= 136, "the record of a job has grown");

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

/* The parts of an entry, and of a job, to read: all is 0 in a part that there is not. */
extern const struct parts no_parts;
extern const struct offer no_offer;
extern const struct run no_run;

static inline const struct parts *parts_of(const struct entry *entry)
{
	return entry->parts ? entry->parts : &no_parts;
}

static inline struct vias *job_vias(const struct job *job)
{
	return parts_of(&job->first)->vias;
}

static inline struct offer *job_offer(const struct job *job)
{
	return parts_of(&job->first)->offer;
}

static inline struct run *job_run(const struct job *job)
{
	return parts_of(&job->first)->run;
}

static inline const struct offer *offer_of(const struct job *job)
{
	return job_offer(job) ? job_offer(job) : &no_offer;
}

static inline const struct run *run_of(const struct job *job)
{
	return job_run(job) ? job_run(job) : &no_run;
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

/* By how many partitions may it start? 0 if it has one. */
static inline int job_nvias(const struct job *job)
{
	return job_vias(job) ? job_vias(job)->n : 0;
}

/* When backfill has nodes for it, or 0 */
static inline uint32_t job_planned(const struct job *job)
{
	return parts_of(&job->first)->planned;
}

static inline struct entry *entry_next(const struct entry *entry)
{
	return parts_of(entry)->next;
}

#define for_each_entry(e_, job_) \
	for (struct entry *e_ = (struct entry *) &(job_)->first; e_; \
	     e_ = entry_next(e_))

/* No task of it was started in this plan. */
static inline void entry_forget_started(struct entry *entry)
{
	if (entry->parts)
		entry->parts->started = 0;
}

/* Until when freed quota waits for it, or 0; and the nodes that do, or NULL */
static inline time_t entry_own_until(const struct entry *entry)
{
	return parts_of(entry)->owned ? entry->parts->owned->until : 0;
}

static inline bitstr_t *entry_cleared(const struct entry *entry)
{
	return parts_of(entry)->owned ? entry->parts->owned->cleared : NULL;
}

/* Does its demand have amounts that were learned; are nodes of any flavor known to be taken? */
static inline bool entry_has_amounts(const struct entry *entry)
{
	return parts_of(entry)->lessons && entry->parts->lessons->learned;
}

static inline bool entry_has_taken(const struct entry *entry)
{
	return parts_of(entry)->lessons && entry->parts->lessons->taken;
}

/* Does it go on to flavors that are not taken? */
static inline bool entry_goes_on(const struct entry *entry)
{
	return entry_has_taken(entry) && entry->parts->lessons->taken->goes_on;
}

/* A part, to change: made if there is none */
extern struct parts *entry_get_parts(struct entry *entry);
extern struct offer *job_get_offer(struct job *job);
extern struct run *job_get_run(struct job *job);
extern struct lessons *entry_get_lessons(struct entry *entry);
extern struct owned *entry_get_owned(struct entry *entry);
/* Free it if nothing is in it. */
extern void job_drop_empty_offer(struct job *job);
extern void entry_drop_empty_lessons(struct entry *entry);
/* Free it with all that is in it. A job whose run is forgotten is not on the list of
 * state/keep.h any more. */
extern void job_forget_offer(struct job *job);
extern void job_forget_run(struct job *job);
extern void entry_forget_lessons(struct entry *entry);
extern void entry_forget_owned(struct entry *entry);
/* All that is left */
extern void entry_forget_parts(struct entry *entry);
/* It has these from now on, or NULL: they are the entry's, and those before are freed. */
extern void entry_set_flavors(struct entry *entry, int *flavors);
/* Those that it has, to change; -1 for each resource if it had none */
extern int *entry_get_flavors(struct entry *entry);
/* It has those of these charges, and no others. */
extern void entry_take_flavors(struct entry *entry, const struct charge *charges, size_t n);
extern void job_set_vias(struct job *job, struct vias *vias);

/* The entry by which it starts in a partition, or NULL */
extern struct entry *job_entry_by_partition(struct job *job,
					    const part_record_t *part_ptr);
/* The n-th partition by which an entry may start, from 0; or NULL */
extern part_record_t *job_partition(const struct entry *entry, int n);
/* What backfill saw of the job is out of date. */
extern void job_forget_het_test(struct job *job);

#endif /* COHORT_STATE_JOB_H */
