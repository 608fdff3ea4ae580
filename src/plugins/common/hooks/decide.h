/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  decide.h - passes, the gate, places
 *
 *  Part of ctld_priv.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_DECIDE_H
#define COHORT_DECIDE_H

/* ---- pass.c ---- */

/* Start a pass if slurmctld has started one: scan, plan, mark. */
extern void pass_begin_if_due(void);
/* The plan is out of date in any case (configuration changed). */
extern void pass_reset(void);
/* Have the scheduler make another pass, and take it for one: without a sentinel
 * what comes soon after a pass counts as a part of it, and so would ask for yet
 * another one, and so on. */
extern void pass_request_another(void);
/* How many passes the scheduler has made that sorted a queue */
extern uint64_t pass_number(void);
/* Which pass this is: another number once another one has begun */
extern uint64_t pass_begun(void);
/* Bring plan, marks and texts up to date between passes; has the scheduler run
 * if somebody may start now who could not before. */
extern void pass_refresh(void);

/* ---- sentinel.c ---- */

/* After all marks are set: by whose flag the next pass is seen */
extern void sentinel_choose(void);
/* A job that starts will do where there was none. */
extern void sentinel_offer(job_record_t *job_ptr);
/* Has slurmctld cleared it? */
extern bool sentinel_is_cleared(void);
/* What comes next is another pass, if there is no sentinel. */
extern void sentinel_expire(void);
/* Of a clock that is never set back, for lengths of time */
extern uint64_t sentinel_usec(void);

/* ---- fresh.c ---- */

/* It has started in the present pass, which may not evict it. */
extern void fresh_add(struct job *job);
/* Exempt until then for that reason, in ns; 0: it is not */
extern int64_t fresh_until(const struct job *job);
/* A job is tried: the pass goes on. */
extern void fresh_renew(void);
/* The pass is over. Has it started any? */
extern bool fresh_forget(void);

/* ---- hold.c ---- */

/* Nodes were cleared for it: they are kept from others until hold_release(),
 * which jobs_set_own() calls when its time is over. */
extern void hold_nodes(struct entry *entry, const bitstr_t *nodes);
extern void hold_release(struct entry *entry);
/* The node table changes: nobody holds any. */
extern void hold_flush(void);
extern bool hold_any(void);
/* Whose victims are still on their way out? */
extern void hold_look(void);
/* Its nodes are being cleared, or were when that was looked at last. */
extern bool hold_awaits(const struct entry *entry);
/* Takes those that others hold out of `nodes`, but for some (or NULL) */
extern void hold_keep_out(const struct entry *entry, bitstr_t *nodes,
			  bitstr_t *but);
/* Leaves only those that it holds itself */
extern void hold_stay_in(const struct entry *entry, bitstr_t *nodes);
/* To and from the owner's part of the state file. What is read there need not
 * make sense: whatever names no node is left out. */
struct json_object;
extern void hold_dump(const struct entry *entry, struct json_object *o);
extern void hold_load(struct entry *entry, struct json_object *o);

/* ---- place.c ---- */

struct place {
	compat_job_test_f real;
	job_record_t *job_ptr;
	struct entry *entry;
	bitstr_t *node_bitmap;		/* in and out, as in job_test */
	bitstr_t *usable;		/* node_bitmap as it came in */
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t mode;
	compat_list_t *preemptee_job_list;
	struct compat_rest rest;
	bool may_evict;			/* Slurm would evict for it now */
	bool part;			/* only some of its nodes are tried */
	bool soon;			/* out: its nodes are being cleaned up */
	bool at_home;			/* on nodes that were cleared for it */
	bool shares;			/* also on those its victims share with others
					 * who have cleared them */
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
	struct place *others;		/* het: the other components */
	size_t nothers;
	compat_list_t list;		/* of one of these: its preemptees */
	bool *marked;			/* while all are tried: by victim, */
	bool claimed;			/* what is in the books for it */
};

/* Before a try: victims and charges as nominated */
extern void place_begin(struct place *p);
/* Have cons_tres select up to so many nodes of the flavors in p->charges: with
 * the quota victims as candidates, then with all the policies allow. */
extern int place_select(struct place *p, uint32_t max_nodes, int64_t now);
extern void place_free(struct place *p);
/* Copies, xcalloc'd; with room for the charges of all resources, as what is
 * selected may be more than is asked for */
extern struct victim *place_victims(const struct victim *list, size_t n);
extern struct charge *place_charges(const struct charge *list, size_t n);
extern struct workload **place_workloads(const struct victim *victims,
					 size_t n);

/* ---- fit.c ---- */

/* Try the nodes of the nominated flavors. 0: selected, node_bitmap and
 * victims are set; -1: no nodes; -2: nodes, but more than quota allows (what
 * it takes is learned). */
extern int place_try(struct place *p, const struct nomination *nom,
		     int64_t now);

/* ---- gate.c ---- */

/* job_test of a job that slurmctld knows, with its own list of partitions */
extern int gate_job_test(compat_job_test_f real, COMPAT_JOB_TEST_PARAMS);

/* Nominates the job and places it as nominated, flavor by flavor. 0 and p
 * filled in; -1: no nodes in any flavor with quota; -2: no quota */
extern int gate_find_place(struct place *p, int64_t now);

/* In a StrictFIFO queue nobody passes another, not even one that has quota but
 * no nodes, or that Slurm did not try in this pass. The entry notes it. */
extern bool gate_is_behind(struct entry *entry);

/* ---- ask.c ---- */

/* The queue was sorted in this thread. */
extern void ask_sorted(void);
/* Is it a user who wants to know, not a scheduler? */
extern bool ask_is(uint16_t mode);
/* Before a question, under the job lock: may it be answered now? If so, it has to
 * be told when it is. */
extern bool ask_begin(void);
extern void ask_end(void);
/* Answers; `passing`: the job exists for the question only. */
extern int ask_when(struct place *p, bool passing);

/* ---- het.c ---- */

/* The record that Slurm preempts and requeues: of a heterogeneous job the
 * first component's, else the job's own */
extern job_record_t *het_leader(job_record_t *job_ptr);
/* Is that so of one of its components? False for other jobs. */
extern bool het_any(const job_record_t *job_ptr,
		    bool (*f)(job_record_t *job_ptr, time_t now), time_t now);
/* Does an earlier component wait in this queue? It has the place of both. */
extern bool het_is_follower(const struct job *job, int queue);
/* It waits, with the other components */
extern void het_bind(struct job *job);
/* May all components start, or evict? Must any evict? */
extern bool het_goes(const struct job *job);
extern bool het_evicts(const struct job *job);
/* It runs, and is evicted with the other components only */
extern void het_unite(struct job *job);
/* Some components are of no cluster queue */
extern bool het_is_mixed(const struct job *job);
extern void het_each_running(struct job *job,
			     void (*f)(struct job *c, void *arg), void *arg);
/* A component has ended. */
extern void het_ended(const job_record_t *job_ptr);
/* Backfill would start the component, now or later */
extern void het_note_test(const struct place *p);
extern void het_test_free(struct job *job);
/* As gate_find_place(), for all components if the first one is to start */
extern int het_find_place(struct place *p, int64_t now);
extern void het_place_free(struct place *p);

#endif /* COHORT_DECIDE_H */
