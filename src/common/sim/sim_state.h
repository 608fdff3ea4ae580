/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_state.h - what the parts of the simulation share
 *
 *   sim.c	setting up, how time moves, and results
 *   job.c	jobs: in line, running, gone; their room, arrays and bonds
 *   aside.c	jobs without nodes that are out of line for now
 *   plans.c	plans, carried out until no job moves
 *   offer.c	what a job gets, and which jobs are evicted for it
 *
 * Functions that return int return -1 with errno if there is no memory.
 */
#ifndef COHORT_SIM_STATE_H
#define COHORT_SIM_STATE_H

#include "lib/arena.h"
#include "lib/container.h"
#include "lib/hash.h"
#include "lib/rankset.h"
#include "lib/sat.h"
#include "quota/books.h"
#include "sim.h"

enum appointment_kind {
	APPOINTMENT_COME, APPOINTMENT_END, APPOINTMENT_GONE,
	APPOINTMENT_DISOWN,
	APPOINTMENT_RELEASE,		/* of an occupant */
};

/* What happens next to a job, or to an occupant */
struct appointment {
	struct rank_node place;		/* in the agenda: by time, then number */
	int64_t at;
	uint64_t number;		/* 0: there is none */
	enum appointment_kind kind;
};

/* The one with that place in the agenda; NULL: NULL */
static inline struct appointment *appointment_at(const struct rank_node *place)
{
	return place ? container_of(place, struct appointment, place) : NULL;
}

/* The tasks of one array */
struct sim_array {
	struct keyed keyed;
	int64_t limit;
	int64_t running;
	struct sim_job *waiting;	/* in line, or kept out of it by the limit */
};

struct sim_job {
	struct sim_desc desc;		/* as of now; pod sets: the engine's copy */
	struct workload *work;		/* in line or running */
	struct sim_job *next, **before;	/* in the list of all */
	struct sim_job *next_waiting, **link;	/* in line, or set aside */
	int64_t since;			/* running: start of this run, */
	int64_t evicted_at;		/* ... and when it was told to leave */
	struct sim_job *bonded;		/* a ring of waiting jobs, or NULL */
	struct sim_array *array;
	struct sim_job *next_in_array;	/* next waiting one of its array */
	int64_t first_start;
	int first_queue;		/* of first_start; SPEC_NONE */
	uint64_t denied;		/* the last plan in which it found no
					 * nodes since it is in line; 0: none */
	int64_t free_at;	/* no nodes: when one more may be evicted for it; 0: not known */
	struct appointment due;
	bool either;			/* its bond is BOND_EITHER */
	bool counted;			/* it has not started, and may start */
	bool blocked;			/* it had quota, but found no nodes */
	bool evicts;			/* others were told to leave for it */
	bool fresh;			/* in line since the last plan */
	bool turn;			/* evicted because its turn was over, */
	bool pure;			/* or as a pure reclaim, */
	bool no_loss;			/* or it is none, or counted already */
	bool restarts;			/* it was evicted: each run begins with the restart cost */
};

/* The use of nodes by jobs outside all queues */
struct sim_occupant {
	struct appointment due;
	size_t n;
	struct charge charges[];
};

struct sim_queue {
	bool strict;
	bool by_usage;
	size_t blocked;			/* jobs in line that found no nodes */
	struct sim_job *aside;		/* jobs out of line, in its order */
	struct pair *pairs;		/* of which it has quota */
	size_t npairs;
	uint64_t denied;		/* strict: the last plan in which a job found no nodes */
};

struct sim {
	struct engine *engine;
	struct arena arena;		/* lives as long as the simulation, */
	struct arena plan, turn;	/* ... or as one plan, or one turn */
	struct sim_queue *queues;
	size_t nqueues;
	bool fair_sharing;
	struct sim_options options;
	uint64_t plans;			/* how many were made, */
	uint64_t first_plan;		/* ... the first one since time moved */
	uint64_t tries;			/* how often jobs were tried on nodes */
	uint64_t work;			/* as forecast_bounds has it */
	struct forecast_bounds bounds;
	bool stopped;			/* they are met */
	size_t nflavors, nresources;
	int64_t *room;			/* by flavor and resource: free */
	int64_t *left;			/* a copy of it, while one is needed */
	struct rankset agenda;
	uint64_t appointments;		/* that were made so far */
	struct sim_job *jobs, **last_job;	/* all, in the order of creation */
	struct sim_job *waiting;
	size_t nwaiting, unstarted;
	size_t naside;
	struct hash arrays;
	struct sim_turn *turns;
	size_t nturns;
	bool *flavor_ok;
	int64_t now;
	int64_t free_at;		/* the earliest free_at of the jobs, or 0 */
	uint64_t tasks;			/* number of tiebreaks given to array tasks */
	uint64_t releases;		/* how often nodes became free so far, */
	uint64_t aside_seen;		/* ... and at the last look at jobs aside */
	bool settled;			/* nothing moves before the next event */
	size_t judged;			/* newcomers since all were judged */
};

/* A job that the plan starts, and its verdict */
struct sim_turn {
	struct sim_job *job;
	uint64_t rank;
	int64_t starts;
	bool may_evict;
	bool looks;			/* it only finds out when it may evict for nodes */
};

/* Its start is not waited for (sim_unstarted()). */
static inline void sim_job_uncount(struct sim *sim, struct sim_job *job)
{
	if (job->counted)
		sim->unstarted--;
	job->counted = false;
}

/* In line: it waits, and the engine knows it. */
static inline bool sim_job_in_line(const struct sim_job *job)
{
	return job->work && !workload_running(job->work);
}

static inline struct sim_queue *sim_queue_of(struct sim *sim, const struct sim_job *job)
{
	return &sim->queues[job->desc.work.queue];
}

/* It was tried in vain since time moved: nothing has become free since. */
static inline bool job_is_denied(const struct sim *sim, const struct sim_job *job)
{
	return job->denied && job->denied >= sim->first_plan;
}

/* ---- job.c ---- */

void sim_agenda_init(struct sim *sim);

/* It happens at that time, SIM_FOREVER: never, and nothing that was to happen before. */
void sim_appoint(struct sim *sim, struct appointment *a, enum appointment_kind kind, int64_t at);

/* What is free of a resource in a flavor; SPEC_UNLIMITED: no bound */
static inline int64_t *sim_room_of(struct sim *sim, int flavor, int resource)
{
	return &sim->room[(size_t) flavor * sim->nresources
			  + (size_t) resource];
}

/* sign: 1 for what becomes free, -1 for what is taken */
void sim_room_change(struct sim *sim, const struct charge *charges, size_t n, int sign);

/* The first flavor whose nodes have no room for it; SPEC_NONE: they have room. */
int sim_room_lacks(struct sim *sim, const struct charge *charges, size_t n);

/* NULL: no memory */
struct sim_job *sim_job_create(struct sim *sim, const struct sim_desc *desc);
void sim_job_free(struct sim *sim, struct sim_job *job);
void sim_arrays_free(struct sim *sim);

/* sim_job_enter() puts it in line, now or when it comes, if fewer tasks of its
 * array run than may. sim_job_admit() puts it in line in any case. */
int sim_job_enter(struct sim *sim, struct sim_job *job, int64_t at);
int sim_job_admit(struct sim *sim, struct sim_job *job);

/* Puts it in line with as many tasks as its array's limit has room for, or takes it out of line */
int sim_job_line_up(struct sim *sim, struct sim_job *job);

/* It leaves the line, but is not gone. */
void sim_job_step_aside(struct sim *sim, struct sim_job *job);

/* It waits no more, and does not come. */
void sim_job_withdraw(struct sim *sim, struct sim_job *job);

/* Before the job itself comes at `at`: it comes in its other queue as well. */
int sim_job_come_also(struct sim *sim, struct sim_job *job, int64_t at);

/* Takes it out of the ring of its bond */
void sim_job_unbind(struct sim_job *job);

/* A task of an array becomes a job of its own. NULL: no memory */
struct sim_job *sim_job_task(struct sim *sim, struct sim_job *array);

/* It, or a task of it, starts, perhaps not for the first time. */
void sim_job_began(struct sim *sim, struct sim_job *job, int64_t at);

int sim_job_start(struct sim *sim, struct sim_job *job,
		  const struct charge *charges, size_t n, int64_t since, int64_t until);
void sim_job_go(struct sim *sim, struct sim_job *job, int64_t gone_at, const struct victim *victim);

/* The work of this run that an eviction now would not lose */
int64_t sim_job_kept(const struct sim *sim, const struct sim_job *job);

/* Carries out its appointment, which is due. The job may be freed. */
int sim_job_happens(struct sim *sim, struct sim_job *job);

/* Tells the event, completed by what is known of the job, which holds its charges */
void sim_tell(struct sim *sim, const struct sim_job *job, struct sim_event event);

/* It waits in line without nodes, or does not do so any more. */
void sim_job_set_blocked(struct sim *sim, struct sim_job *job, bool blocked);

/* ---- aside.c ---- */

/* It found no nodes: if too many of its queue have found none
 * (sim_options.depth), the last of them in order is set aside. */
int sim_aside_denied(struct sim *sim, struct sim_job *job);

/* Those that may find nodes, or have a place in line, return to it. */
int sim_aside_return(struct sim *sim);

/* ---- plans.c ---- */

/* Are the bounds met? */
bool sim_costs_enough(struct sim *sim);

/* Plans, and starts all that may start, until nothing moves */
int sim_carry_out_plans(struct sim *sim);

/* ---- offer.c ---- */

/* What a job gets, copied from the engine's arrays into sim->turn */
struct offer {
	struct charge *charges;
	size_t ncharges;
	struct victim *victims;
	size_t nvictims;
};

/* Tries flavor by flavor, as a controller does (doc/how-it-decides.md, section 10): 1 and *offer,
 * 0: nothing, -1: no memory. Notes in job->free_at when one more job may be evicted for it. */
int offer_find(struct sim *sim, const struct sim_turn *turn, struct offer *offer);

/* It was tried on the nodes as they are now: what is free is of no use to it. */
bool job_is_tried(const struct sim *sim, const struct sim_job *job);

#endif /* COHORT_SIM_STATE_H */
