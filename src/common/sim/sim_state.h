/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_state.h - what the parts of the simulation share
 *
 *   room.c	how much room nodes have
 *   array.c	arrays: how many of their tasks may run
 *   bond.c	jobs that have to do with each other
 *   ask.c	what jobs ask for
 *   job.c	jobs: in line, running, gone
 *   offer.c	what a job gets, and which jobs go for it
 *   lighter.c	which victims lose least
 *   parked.c	jobs without nodes that are not in line for now
 *   turn.c	the turn of one that the plan lets go
 *   plans.c	plans, carried out until nothing moves
 *   clock.c	how time moves
 *   sim.c	what there is
 *   copy.c	the same once more
 *
 * Functions that return int return -1 with errno if there is no memory.
 */
#ifndef COHORT_SIM_STATE_H
#define COHORT_SIM_STATE_H

#include "lib/agenda.h"
#include "lib/hash.h"
#include "lib/sat.h"
#include "sim.h"

enum { APPOINTMENT_COME, APPOINTMENT_END, APPOINTMENT_GONE,
       APPOINTMENT_DISOWN };

/* The tasks of one array: how many run, and which wait for a running one to
 * end */
struct sim_array {
	struct hash_link link;
	uint64_t id;
	int64_t limit;
	int64_t running;
	struct sim_job *waiting;	/* in line, or kept out of it by the
					 * limit */
};

/* What a queue has quota of */
struct sim_pair {
	int flavor, resource;
};

/* What a job asks for, and on which terms: what is not here of its sim_desc is in
 * the sim_job. Jobs that are alike in all of it share it (ask.c). */
struct sim_ask {
	struct hash_link link;
	size_t users;
	/* those of its jobs that are not in line for now (parked.c): */
	struct sim_ask *next, **before;	/* in the list of asks that have any */
	struct sim_job **heap;		/* the first in order first */
	size_t n, size;
	size_t blocked;			/* of it, in line without nodes */
	struct charge *charges;		/* that one of it keeps from others;
					 * NULL: not known yet */
	size_t ncharges;
	uint64_t denied;		/* the last plan in which one of it
					 * found no nodes */
	const struct podset_desc *podsets;	/* one copy for all: core/podsets.h */
	size_t npodsets;
	int64_t priority;
	uint64_t group;
	int64_t fixed_members;
	int64_t checkpoint;
	int64_t restart_cost;
	int64_t evict_time;
	int64_t exempt_time;
	int64_t min_available;
	int queue;
	int also;
	bool follower;
	bool nonpreemptible;
	bool cancels;
};

/* There may be a hundred thousand: no gaps, and what is small comes last. */
struct sim_job {
	struct sim_ask *ask;
	void *owner;			/* of its desc */
	struct workload *work;		/* in line or running */
	struct sim_job *next, **before;	/* in the list of all */
	union {
		struct {		/* in line: */
			struct sim_job *next_waiting, **link;	/* list of
								 * those */
		};
		struct {		/* running: */
			int64_t since;	/* start of this run */
			int64_t evicted_at;
		};
	};
	struct sim_job *next_blocked, **blocked_link;	/* blocked ones of its
					 * queue, in line */
	struct sim_job *bonded;		/* a ring of waiting jobs, or NULL */
	struct sim_array *array;
	struct sim_job *next_in_array;	/* next waiting one of its array */
	struct sim_job *copy;
	int64_t queue_order_at;
	uint64_t tiebreak;
	int64_t tasks;
	int64_t duration;		/* of the next run, or this one */
	int64_t due;			/* when it comes, ends or has left, or
					 * owns its quota no more */
	int64_t first_start;
	uint64_t denied;		/* the last plan in which it found
					 * none */
	int64_t free_at;		/* no nodes: when one more may be
					 * evicted for it; 0: not known */
	uint32_t evictions : 20, lost : 12;	/* see struct workload_desc; no more
					 * than they hold, as turns */
	uint32_t version;		/* of its appointment */
	uint32_t appointments;		/* in the agenda, also those that do not
					 * hold any more */
	int first_queue;		/* of first_start; SPEC_NONE */
	int local_queue;
	unsigned turns : 6;
	bool either : 1;		/* its bond is BOND_EITHER */
	bool ended : 1;			/* it is freed with the last of its
					 * appointments */
	bool counted : 1;		/* it has not started, and may start */
	bool no_nodes : 1;		/* none when it was tried at first */
	bool blocked : 1;		/* it had quota, but found no nodes */
	bool denied_once : 1;		/* it was tried in vain, and may be parked */
	bool parked : 1;		/* it is not in line for now */
	bool evicts : 1;		/* others were told to leave for it */
	bool fresh : 1;			/* in line since the last plan */
	bool coming : 1;		/* it is not in line before `due` */
	bool turn : 1;			/* evicted because its turn was over, */
	bool pure : 1;			/* or as a pure reclaim, */
	bool no_loss : 1;		/* or it is none, or counted already */
	bool restarts : 1;		/* it was evicted: each run begins with
					 * the restart cost */
};

/* The use of nodes by jobs outside all queues */
struct sim_occupant {
	struct sim_occupant *next;
	int64_t until;
	size_t n;
	struct charge charges[];
};

struct sim_queue {
	bool strict;
	bool by_usage;
	bool parks;			/* its jobs may be parked */
	size_t blocked;			/* jobs in line that found no nodes, */
	struct sim_job *blocked_jobs;	/* ... a list of them */
	size_t parked;
	struct sim_pair *pairs;		/* of which it has quota */
	size_t npairs;
	uint64_t denied;		/* strict: the last plan in which a job
					 * found no nodes */
};

struct sim {
	struct engine *engine;
	struct sim_queue *queues;
	size_t nqueues;
	bool fair_sharing;
	struct hash asks;
	struct sim_ask *parked;	/* those that have parked jobs */
	struct sim_options options;
	uint64_t plans;			/* how many were made, */
	uint64_t first_plan;		/* ... the first one since time moved */
	uint64_t tries;			/* how often jobs were tried on nodes */
	uint64_t work;			/* sim_work() */
	struct sim_limit limit;
	bool stopped;			/* the limit is reached */
	size_t nflavors, nresources;
	int64_t *room;			/* by flavor and resource: free */
	struct agenda agenda;
	struct sim_job *jobs, **last_job;	/* all, in the order of
						 * creation */
	struct sim_job *waiting;
	size_t nwaiting, unstarted;
	struct hash arrays;
	struct sim_occupant *occupants;
	struct sim_turn *turns;
	size_t nturns, turns_size;
	bool *flavor_ok;
	struct charge *offer_charges;	/* memory of an offer (offer.c) */
	int64_t *offer_hidden;
	size_t offer_size;
	int64_t now;
	int64_t free_at;		/* the earliest free_at of the jobs, or
					 * 0 */
	uint64_t tasks;			/* number of tiebreaks given to array
					 * tasks */
	bool released;			/* some job has released quota so far */
	bool settled;
	bool newcomers;			/* in line, and not yet judged
					 * (job_judge) */
	size_t judged;			/* newcomers since all were judged */
};

/* Its start is not waited for (sim_unstarted()). */
static inline void sim_job_uncount(struct sim *sim, struct sim_job *job)
{
	if (job->counted)
		sim->unstarted--;
	job->counted = false;
}

/* ---- room.c ---- */

/* What is free of a resource in a flavor; SPEC_UNLIMITED: no bound */
int64_t *sim_room_of(struct sim *sim, const struct charge *c);

/* sign: 1 for what becomes free, -1 for what is taken */
void sim_room_change(struct sim *sim, const struct charge *charges, size_t n,
		     int sign);

/* Nodes have no room for it. *short_of is the first flavor without room. */
bool sim_room_lacks(struct sim *sim, const struct charge *charges, size_t n,
		    int *short_of);

/* ---- array.c ---- */

/* The array of that id, created if it is new. limit: 0 if it is not known.
 * NULL: no memory */
struct sim_array *sim_array_get(struct sim *sim, uint64_t id, int64_t limit);
void sim_arrays_free(struct sim *sim);

/* How many more of the job's tasks its array lets run; 0: none */
int64_t sim_array_free(const struct sim_job *job);

/* Puts it among the waiting jobs of its array, or takes it out, if it has
 * one */
void sim_array_join(struct sim_job *job);
void sim_array_leave(struct sim_job *job);

/* ---- bond.c ---- */

static inline enum bond_kind sim_bond_kind(const struct sim_job *job)
{
	return job->either ? BOND_EITHER : BOND_TOGETHER;
}

/* It is in line: tells the engine its bond. */
int sim_job_bond(struct sim *sim, struct sim_job *job);

/* Takes it out of the ring of its bond */
void sim_job_unbind(struct sim_job *job);

/* ---- ask.c ---- */

/* What the desc asks for, created if no job asks for the same, with one more
 * user. NULL: no memory */
struct sim_ask *sim_ask_get(struct sim *sim, const struct sim_desc *desc);

/* Takes one user off; the last one frees it. NULL is allowed. */
void sim_ask_put(struct sim *sim, struct sim_ask *ask);

/* How the job would be submitted now, with owner and pod sets of its own and no
 * max_starts */
struct workload_desc sim_job_work_desc(const struct sim_job *job);
struct sim_desc sim_job_desc(const struct sim_job *job);

/* ---- job.c ---- */

/* NULL: no memory */
struct sim_job *sim_job_create(struct sim *sim, const struct sim_desc *desc);
void sim_job_free(struct sim *sim, struct sim_job *job);

/* One of its appointments is not in the agenda any more. */
void sim_job_met(struct sim *sim, struct sim_job *job);

/* It, or its first task, has started by then. */
void sim_job_note_start(struct sim *sim, struct sim_job *job, int64_t at);

/* Makes an appointment for it: something happens to it at that time, which is
 * job->due */
int sim_job_plan(struct sim *sim, struct sim_job *job, int kind, int64_t at);
int sim_job_come(struct sim *sim, struct sim_job *job, int64_t at);

/* sim_job_enter() puts it in line if fewer tasks of its array run than may.
 * sim_job_admit() puts it in line in any case. */
int sim_job_enter(struct sim *sim, struct sim_job *job);
int sim_job_admit(struct sim *sim, struct sim_job *job);

/* Puts it in line with as many tasks as its array's limit has room for, or
 * takes it out of line */
int sim_job_line_up(struct sim *sim, struct sim_job *job);

/* It waits no more, and does not come. */
int sim_job_withdraw(struct sim *sim, struct sim_job *job);

/* Before the job itself comes at `at`: it comes in its other queue as well. */
int sim_job_come_also(struct sim *sim, struct sim_job *job, int64_t at);

/* A task of an array becomes a job of its own. NULL: no memory */
struct sim_job *sim_job_task(struct sim *sim, struct sim_job *array);

int sim_job_start(struct sim *sim, struct sim_job *job,
		  const struct charge *charges, size_t n, int64_t since,
		  int64_t until);
int sim_job_go(struct sim *sim, struct sim_job *job, int64_t gone_at,
	       const struct victim *victim);

/* Its appointment is due: carries it out */
int sim_job_happens(struct sim *sim, struct sim_job *job, int kind);

/* Tells the event, completed by what is known of the job, which holds its
 * charges */
void sim_tell(struct sim *sim, const struct sim_job *job,
	      struct sim_event event);

/* It leaves the line for now, but is not gone. */
void sim_job_step_aside(struct sim *sim, struct sim_job *job);

/* It waits in line without nodes, or does not do so any more. */
void sim_job_set_blocked(struct sim *sim, struct sim_job *job, bool blocked);

/* ---- parked.c ---- */

/* It comes, and others with its ask are parked: so is it, if no nodes have room
 * for it. 1: it is parked, 0: it is not, -1: no memory */
int sim_park_newcomer(struct sim *sim, struct sim_job *job);

/* It found no nodes: it, or one in line behind it, is parked if so many of its
 * queue have found none.
 * Returns the same. */
int sim_park_denied(struct sim *sim, struct sim_job *job);

/* Those that may find nodes, or have a place in line, return to it. 1: some do,
 * 0: none, -1: no memory */
int sim_parked_return(struct sim *sim);

/* ---- plans.c ---- */

/* Is the limit reached? */
bool sim_costs_enough(struct sim *sim);

/* Plans, and starts all that may start, until nothing moves. -1: no memory */
int sim_carry_out_plans(struct sim *sim);

#endif /* COHORT_SIM_STATE_H */
