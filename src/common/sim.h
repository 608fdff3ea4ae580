/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim.h - a cluster played forward
 *
 * A simulation has an engine of its own. It does with the engine's plans what a
 * controller would do: jobs that may start are started, victims leave and wait
 * again, jobs end when they have run for their time. Time is a number that
 * moves from one event to the next. Protections, turns, fair sharing, freed
 * quota and its owners come along with the engine.
 *
 * Nodes are known as totals only: how much of a resource all nodes of a flavor
 * have together. So the simulation may start a job although no single node has
 * room for it; never the other way round.
 *
 * Used for estimates (forecast_play()) and to replay traces. Times in nanoseconds
 * as in engine.h.
 */
#ifndef COHORT_SIM_H
#define COHORT_SIM_H

#include "engine.h"

#define SIM_FOREVER INT64_MAX	/* it does not end by itself */
#define SIM_NOT_YET INT64_MIN	/* it has not started */

struct sim;
struct sim_job;

struct sim_desc {
	struct workload_desc work;	/* owner: handed on to the events */
	int64_t duration;		/* of one run of one task, from its start */
	int64_t checkpoint;		/* after each such time of work that is
					 * kept when it is evicted; 0: never */
	int64_t restart_cost;		/* so much longer is each run after an eviction */
	int64_t evict_time;		/* from the decision until it is gone */
	int64_t exempt_time;		/* a run is exempt (exempt_until) for
					 * that long; SIM_FOREVER: always */
	bool cancels;	/* once evicted it does not come back, which costs (eviction_terms) */
	int also;			/* it may start in this queue as well, also after an
					 * eviction, and rather than in that of `work`: index + 1;
					 * 0: no. Not for arrays. Its tiebreak is even, and the
					 * next one is taken, too. */
	bool no_nodes;			/* no nodes had room for it when it was tried: it is not
					 * tried again before a job ends */
	uint64_t array;			/* tasks of one array share it; 0: none */
	int64_t limit;			/* array: tasks at a time; 0: as given for another task of
					 * it, or no limit */
	int64_t min_available;		/* array: of its group; -1: it has none */
};

enum sim_event_kind {
	SIM_START,		/* a job, or a task of an array, starts */
	SIM_EVICT,		/* it is told to leave; `by` takes its place */
	SIM_GONE,		/* it has left */
	SIM_END,		/* it has run for its time */
};

/* Pointers are valid during the call only. */
struct sim_event {
	enum sim_event_kind kind;
	int64_t at;
	void *owner;			/* of the desc it was submitted with */
	int64_t since;			/* start of this run */
	const struct charge *charges;	/* that it holds */
	size_t ncharges;
	void *by;			/* SIM_EVICT: owner of the preemptor */
	enum victim_reason reason;
	bool pure;			/* SIM_EVICT: see struct victim */
	int64_t kept;			/* SIM_GONE: work of this run that need not be done again */
};

struct sim_options {
	int64_t requeue_time;	/* until an evicted job is in line again */
	int64_t own_time;	/* freed quota is kept for its owner for that long; 0: for ever */
	bool forget;		/* a job that has ended is freed: its struct
				 * sim_job must not be used any more */
	size_t depth;		/* so many jobs of a queue that find no nodes are tried; those
				 * that come after them are tried when there may be room. Each
				 * that is tried costs time with every event. 0: all */
	/* Where a job needs the nodes of its victims, those are evicted that lose least:
	 * run time times what a second of each resource is worth, by resource.
	 * loss_tie counts where that is equal; NULL: nothing. loss NULL: those that
	 * the rules take first. Both must last as long as the simulation. */
	const double *loss, *loss_tie;
	void (*event)(void *arg, const struct sim_event *event);
	void *arg;
};

/* A simulation in which nothing runs and nothing waits. It copies what it needs
 * of the spec. NULL with errno (ENOMEM, EINVAL). */
struct sim *sim_create(const struct spec *spec, int64_t now, const struct sim_options *options);
void sim_destroy(struct sim *sim);

/* ---- what there is; -1 or NULL with errno ---- */

/* All nodes of the flavor have that much of it together. Call it before
 * anything uses the resource. Without a call there is no bound. */
void sim_room(struct sim *sim, int flavor, int resource, int64_t amount);

/* A job outside all queues uses that much of the nodes until then. */
int sim_occupy(struct sim *sim, const struct charge *charges, size_t n, int64_t until);

/* The job comes at `at`, or waits already. Its tiebreak is below 2^63. */
struct sim_job *sim_submit(struct sim *sim, int64_t at, const struct sim_desc *desc);

/* The job has run since then and ends at `until`. */
struct sim_job *sim_run(struct sim *sim, const struct sim_desc *desc,
			const struct charge *charges, size_t n, int64_t since, int64_t until);

/* A running job has been told to leave and will be gone then. Of the victim only the
 * reason and `pure` count. NULL: it is not evicted, or that is counted already. */
void sim_leaves(struct sim *sim, struct sim_job *job, int64_t gone_at, const struct victim *victim);

/* The job remembers what its workload in another engine of the same spec does
 * (workload_recall()). owns_until: when it gives up what it owns. */
int sim_remind(struct sim *sim, struct sim_job *job,
	       const struct workload_memory *m, int64_t owns_until);

/* Usage histories are those of another engine of the same spec, with the same
 * numbers of local queues; after all that runs. */
int sim_remember(struct sim *sim, const struct engine *from);

/* The weight of a local queue (engine_weigh_local()) */
int sim_weigh_local(struct sim *sim, int queue, int local_queue, double weight);

/* job, which waits, joins the bond of `with` (engine_bond()). BOND_EITHER: when
 * one member has started, the others are gone and count as started. */
int sim_bind(struct sim *sim, struct sim_job *job, struct sim_job *with, enum bond_kind kind);

/* ---- time ---- */

/* Moves to the next event, and plays all events within `grain` of it; then
 * starts what may start. 1: something happened, 0: nothing will happen any
 * more, or the bounds of a forecast were met before, -1: no memory. */
int sim_step(struct sim *sim, int64_t grain);

/* The time of the next event; SIM_FOREVER: there is none */
int64_t sim_next(const struct sim *sim);
int64_t sim_now(const struct sim *sim);

/* No job runs, leaves or comes, and nothing can start: only a change of quotas
 * could still make a difference to those that wait. */
bool sim_idle(const struct sim *sim);

/* ---- results ---- */

/* First start of the job, or of the first task of an array; SIM_NOT_YET */
int64_t sim_job_started(const struct sim_job *job);

/* The cluster queue in which that was, of several ways to start; SPEC_NONE */
int sim_job_started_in(const struct sim_job *job);

/* Another job was evicted for this one, or for others of its bond. */
bool sim_job_evicts(const struct sim_job *job);

/* A plan has used up its budget. */
bool sim_is_cut(const struct sim *sim);

/* How many submitted jobs have not started so far. Once a first step was made, jobs that can never
 * start (they ask for more than their queue can have, or the queue is stopped) are not counted. */
size_t sim_unstarted(const struct sim *sim);

/* Does a job wait, or a task of an array that has begun? Jobs that can never start do, too. */
bool sim_waits(const struct sim *sim);

/* ---- when will the waiting jobs start (doc/how-it-decides.md, section 12) ---- */

struct forecast_bounds {
	size_t steps;		/* at most this many */
	size_t exact;		/* this many first steps are played event by event; after them all
				 * that happens within 1/64 of the time from now counts as one
				 * event */
	int64_t horizon;	/* from now; no start is looked for later */
	/* Each plan counts as many as wait, each try of a job on the nodes as one
	 * and as many as it might evict. 0: no bound. When it is met, the simulation
	 * stops where it is, even in the middle of a step. */
	uint64_t work;
	/* engine_set_plan_budget(). A plan that uses it up ends the forecast, as what follows
	 * from the plan may be wrong: sim_is_cut(). 0: no bound */
	uint64_t plan_budget;
	/* Asked before each step and each further plan, and now and then
	 * between: has the forecast cost enough? NULL: it has not. */
	bool (*enough)(void *arg);
	void *arg;
};

/* Plays a simulation without new jobs until `watched` has started; NULL: until all jobs
 * have that can start. 1: it has started, or all have; 0: it never will, or a bound was
 * met, and then there is still a sim_next(); -1: no memory. sim_job_started() tells when. */
int forecast_play(struct sim *sim, const struct sim_job *watched,
		  const struct forecast_bounds *bounds);

#endif /* COHORT_SIM_H */
