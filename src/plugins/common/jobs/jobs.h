/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  jobs.h - our records of jobs
\*****************************************************************************/
#ifndef COHORT_JOBS_JOBS_H
#define COHORT_JOBS_JOBS_H

#include "state/job.h"

/* ---- by job id: jobs.c ---- */

extern struct job *jobs_find(uint32_t job_id);
extern struct job *jobs_get(job_record_t *job_ptr);	/* added if new */
/* Its record, if slurmctld still has it: job_ptr is as of the last walk. */
extern job_record_t *jobs_record(const struct job *job);
extern void jobs_drop(struct job *job);
/* Add another entry beside the first one, and remove such an entry */
extern struct entry *jobs_add_entry(struct job *job);
extern void jobs_drop_entry(struct entry *entry);

extern void jobs_clear(void);		/* forget all jobs, also what they store */
/* The job is no longer one that waits. */
extern void jobs_unmark(struct job *job);
/* The job runs, and does not share its nodes with others; or no longer */
extern void jobs_set_alone(struct job *job, bool alone);
/* Is the queue of the job, which runs, over its nominal quota of what the job uses? */
extern bool job_queue_borrows(const struct job *job);
extern void jobs_unbook(void);		/* the engine is gone: jobs have no workloads */
extern void jobs_each(void (*f)(struct job *job, void *arg), void *arg);

/* ---- what was freed by eviction for a job ---- */

/* The state file is to have what is new of the job. */
extern void jobs_save(struct job *job);
/* The entry owns freed quota until then; 0: no longer, and no nodes either */
extern void jobs_set_own(struct entry *entry, time_t until);
/* Does any job? */
extern bool hold_any(void);
/* Nodes were cleared for such an entry: they are kept from others as long as it owns quota. */
extern void hold_nodes(struct entry *entry, const bitstr_t *nodes);
/* The node table changes: no job holds any nodes. */
extern void hold_flush(void);
/* Once in a pass: which victims are still on their way out? */
extern void hold_look_at_victims(void);
/* Are its nodes being cleared, as of the last look? */
extern bool hold_awaits(const struct entry *entry);
/* Clear in `nodes` the nodes that others hold, except the nodes in `but` (or
 * NULL) */
extern void hold_keep_out(const struct entry *entry, bitstr_t *nodes, bitstr_t *but);
/* Leave only the nodes that the job itself holds */
extern void hold_stay_in(const struct entry *entry, bitstr_t *nodes);
/* To and from the owner's part of the state file. The text that is read need
 * not make sense: names that are no nodes are left out. */
extern void hold_dump(const struct entry *entry, struct json_object *o);
extern void hold_load(struct entry *entry, struct json_object *o);

/* ---- a job that may start by the plan, and has not: chance.c ---- */

/* ---- a job ---- */

/* The plan lets the job start: note it with the time, if it is news. slurmctld
 * refuses some jobs before it asks for nodes: a node of their list is down,
 * their partition has too few, another of its limits holds them back. True: slurmctld
 * has looked at this job since it may start, and it still waits. That is news, and others
 * may go instead. The components of a heterogeneous job wait for each other. */
extern bool chance_watch_job(struct job *job, time_t now);
/* The job was tried, and waits for nodes that are being cleared: count from now
 * the time since which it may start. */
extern void chance_renew_offer(struct job *job, time_t now);
/* The plan does not let it start any more. */
extern void chance_withdraw_offer(struct job *job);
/* The job has started by this entry; or, of an array, one of its tasks has (NULL: by none that
 * is known). */
extern void chance_end_wait(struct job *job, struct entry *entry);
/* There is a new engine, and the job is in no books. */
extern void chance_reset(struct job *job);

/* A job with several partitions was tried in this pass, and evicts no job
 * yet. */
extern void chance_note_try(struct job *job);
/* Has a whole pass found no room for it in any of them? */
extern bool chance_tried_all(const struct job *job);

/* Other jobs were told to go for it. After the first eviction that came to
 * nothing the next ones follow after longer and longer pauses; its start ends
 * that. */
extern void chance_count_eviction(struct job *preemptor);
/* slurmctld did not carry out the eviction. */
extern void chance_revoke_eviction(struct job *preemptor);
/* May other jobs be told to go for it again? */
extern bool chance_may_evict(const struct job *preemptor, time_t now);
/* Does it have to pause, as evictions for it came to nothing? */
extern bool chance_pauses_evictions(const struct job *preemptor, time_t now);

/* Backfill planned a start of the job that did not come true. It does not plan the
 * job again for longer and longer times, until the job has started. */
extern void chance_miss_plan(struct job *job, time_t now);
/* The first start that it planned counts, until the job has started or missed it. */
extern void chance_promise(struct job *job, time_t start);

/* ---- a job that slurmctld does not try ---- */

/* For how many seconds a job that slurmctld tries may be without a try. startable:
 * about how many of ours may start; waiting: how many have to wait, which slurmctld
 * walks past. What others have in its queue counts, too. */
extern time_t untried_patience(size_t startable, size_t waiting);
/* Call it in each pass as long as the job may start. True, once, if so many passes
 * and so much time went by without a try that nobody should wait for the job. */
extern bool untried_watch(struct job *job, time_t patience, time_t now);
/* The job would be in line: is it still one that slurmctld does not try? Its text is
 * brought up to date. */
extern void untried_look(struct job *job, job_record_t *job_ptr, bool in_line);
/* Is the job still out of line because slurmctld does not try it? */
extern bool untried_is(const struct job *job, const job_record_t *job_ptr);

/* ---- an entry ---- */

/* An event of state/standing.h has happened to the entry. */
extern void chance_event(struct entry *entry, enum standing_event event);
/* A try found no nodes for it, or is of no use. False if that was known. */
extern bool chance_note_no_nodes(struct entry *entry);
/* Call it in each pass, if the job has several entries. An entry that could
 * start in the last pass and did not has found no nodes, or was not even tried:
 * the others are to have a chance. sorting: the pass that looks at the entry
 * has just begun. */
extern void chance_note_offer(struct entry *entry, bool sorting);
/* In a StrictFIFO queue no job passes another, not even one that has quota but
 * no nodes, or that Slurm did not try in this pass: the entry is held back as
 * long as it is behind such a job. True if it is. */
extern bool chance_hold_if_behind(struct entry *entry);
/* Hold the entry back no more if the jobs before it have left. */
extern void chance_release_if_in_turn(struct entry *entry);
/* The entry goes on as another entry of the same job. */
extern void chance_move(struct entry *to, const struct entry *from);

/* ---- waiting jobs that backfill plans although they have no quota yet: planned.c ---- */

/* What backfill has planned for one of them. Times are of the clock, seconds. */
struct planned {
	uint32_t job_id;
	uint32_t unit;			/* id of its heterogeneous job, or its own */
	int root;			/* of its cohort tree */
	bool offered;			/* to the present cycle of backfill, */
	bool reached;			/* ... which has come to it */
	uint64_t turn;			/* it was offered in that cycle, or 0 */
	int missed;			/* how often backfill has not come to it */
	int asked;			/* how often cons_tres was, */
	uint64_t asked_in;		/* ... in this pass, */
	const part_record_t *asked_by;	/* ... for this partition */
	bool alone;			/* the last question was as if the job shared no
					 * node: Slurm asks once more */
	bitstr_t *nodes;		/* or NULL */
	const part_record_t *part_ptr;	/* by which it is to start; only compared */
	uint16_t tier;			/* its PriorityTier */
	time_t nodes_at;		/* when they are free */
	time_t start;			/* when it has quota, too, and so have the
					 * other components */
};

/* Which jobs: under the job lock, after each estimate */
extern void planned_choose(time_t now);
/* The node table or the configuration changes: none is planned. */
extern void planned_flush(void);

/* ---- a cycle of backfill ---- */

/* It sorts its queue: take the mark off the job whose turn it is, and the time that
 * it shows. For the others it is as planned before. */
extern void planned_offer(time_t now);
/* It asks for nodes for this job, or another pass begins (0). Marks that another pass has
 * set again meanwhile are taken off. A plan is dropped if it has not taken the nodes. */
extern void planned_follow(uint32_t job_id);
/* Backfill plans no start that is further away: seconds. */
extern time_t planned_window(void);
/* NULL: backfill does not plan this job without quota, or not by this entry. */
extern struct planned *planned_find(const struct entry *entry);
/* The job, which is ours, is to get these nodes, by its partition, when they are free
 * (start_time) and it has quota. */
extern void planned_note(struct planned *planned, const job_record_t *job_ptr,
			 const bitstr_t *nodes, time_t quota_at);
/* A task has left the array: the nodes were kept for that one. */
extern void planned_end_wait_of_task(const struct job *array);
/* No nodes can be planned for it now; or it, which is ours still, is not to be planned for a
 * while: `planned` is gone. */
extern void planned_clear(struct planned *planned);
extern void planned_give_up(struct planned *planned, time_t now);

/* ---- the other jobs ---- */

extern bool planned_any(void);
/* Clear in `nodes` those that are planned for jobs that go before this one by
 * priority, if it would start at `from` and not be done in time. from: 0: backfill looks when
 * this job could start, and only nodes of components that have quota and are to start now are
 * cleared. Only backfill starts these, one after the other, and jobs that it looks at between
 * them would take their nodes. */
extern void planned_keep_out(const struct entry *entry, bitstr_t *nodes,
			     time_t from);

#endif /* COHORT_JOBS_JOBS_H */
