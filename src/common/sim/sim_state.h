/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_state.h - what the parts of the simulation share
 *
 *   room.c	how much room nodes have
 *   array.c	arrays: how many of their tasks may run
 *   bond.c	jobs that have to do with each other
 *   job.c	jobs: in line, running, gone
 *   offer.c	what a job gets, and which jobs go for it
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

/* Tasks of one array: how many run, and which wait for one of them to end */
struct sim_array {
	struct hash_link link;
	uint64_t id;
	int64_t limit;
	int64_t running;
	struct sim_job *waiting;	/* in line, or for the limit */
};

/* What a job asks for, shared by the tasks of an array */
struct sim_ask {
	size_t users;
	struct podset_desc *podsets;	/* one block */
};

struct sim_job {
	struct sim_job *next;		/* of all */
	struct sim_job *next_waiting, **link;	/* of those in line */
	struct sim_job *copy;
	struct sim_desc desc;
	struct sim_ask *ask;
	struct sim_array *array;
	struct sim_job *next_in_array;	/* of those of it that wait */
	struct sim_job *bonded;		/* a ring of those that wait, or NULL */
	enum bond_kind bond;
	struct workload *work;		/* in line or running */
	uint32_t version;		/* of what was planned for it */
	bool counted;			/* has not started, and may */
	bool blocked;			/* had quota, found no nodes */
	bool evicts;			/* others were told to go for it */
	int64_t free_at;		/* no nodes: when one more may be
					 * evicted for it; 0: not known */
	bool coming;			/* not in line before `due` */
	bool turn;			/* evicted as its turn was over */
	int64_t first_start;
	int64_t since;			/* running: of this run */
	int64_t due;			/* when it comes, ends or is gone */
	int64_t own_until;
	int64_t evicted_at;
};

/* Of nodes that jobs outside all queues use */
struct sim_occupant {
	struct sim_occupant *next;
	int64_t until;
	size_t n;
	struct charge charges[];
};

struct sim {
	struct engine *engine;
	struct sim_options options;
	size_t nflavors, nresources;
	int64_t *room;			/* by flavor and resource: free */
	struct agenda agenda;
	struct sim_job *jobs, **last_job;	/* all, as they were told */
	struct sim_job *waiting;
	size_t nwaiting, unstarted;
	struct hash arrays;
	struct sim_occupant *occupants;
	struct sim_turn *turns;
	size_t nturns, turns_size;
	bool *flavor_ok;
	int64_t now;
	int64_t free_at;		/* the earliest of the jobs', or 0 */
	uint64_t tasks;			/* tiebreaks of tasks of arrays */
	bool released;			/* anything, since the beginning */
	bool settled;
	bool newcomers;			/* in line: can they start at all? */
};

/* Its start is not waited for (sim_unstarted()). */
static inline void sim_job_uncount(struct sim *sim, struct sim_job *job)
{
	if (job->counted)
		sim->unstarted--;
	job->counted = false;
}

/* ---- room.c ---- */

/* What is free of a resource of a flavor; SPEC_UNLIMITED: no bound */
int64_t *sim_room_of(struct sim *sim, const struct charge *c);

/* sign: 1 for what becomes free, -1 for what is taken */
void sim_room_change(struct sim *sim, const struct charge *charges, size_t n,
		     int sign);

/* Nodes have no room for it: in *short_of, the first flavor that has none */
bool sim_room_lacks(struct sim *sim, const struct charge *charges, size_t n,
		    int *short_of);

/* ---- array.c ---- */

/* The array of that id, created if it is new. limit: 0 if it is not known.
 * NULL: no memory */
struct sim_array *sim_array_get(struct sim *sim, uint64_t id, int64_t limit);
void sim_arrays_free(struct sim *sim);

/* How many more of the job's tasks its array lets run; 0: none */
int64_t sim_array_free(const struct sim_job *job);

/* Into and out of those of its array that wait, if it is of one */
void sim_array_join(struct sim_job *job);
void sim_array_leave(struct sim_job *job);

/* ---- bond.c ---- */

/* In line: the engine is told of its bond. */
int sim_job_bond(struct sim *sim, struct sim_job *job);

/* Out of the ring of those that it is bonded to */
void sim_job_unbind(struct sim_job *job);

/* ---- job.c ---- */

/* desc's pod sets are copied, or those of `like` shared. NULL: no memory */
struct sim_job *sim_job_create(struct sim *sim, const struct sim_desc *desc,
			       const struct sim_job *like);
void sim_job_free(struct sim_job *job);

/* It, or its first task, has started by then. */
void sim_job_note_start(struct sim *sim, struct sim_job *job, int64_t at);

/* Something happens to it at that time; it comes then */
int sim_job_plan(struct sim *sim, struct sim_job *job, int kind, int64_t at);
int sim_job_come(struct sim *sim, struct sim_job *job, int64_t at);

/* In line, if its array has not as many running as it may; or whatever */
int sim_job_enter(struct sim *sim, struct sim_job *job);
int sim_job_admit(struct sim *sim, struct sim_job *job);

/* As its array's limit has it now: in line, with that many tasks, or not */
int sim_job_line_up(struct sim *sim, struct sim_job *job);

/* It waits no more, and does not come. */
int sim_job_withdraw(struct sim *sim, struct sim_job *job);

/* A task of an array becomes a job of its own. NULL: no memory */
struct sim_job *sim_job_task(struct sim *sim, struct sim_job *array);

int sim_job_start(struct sim *sim, struct sim_job *job,
		  const struct charge *charges, size_t n, int64_t since,
		  int64_t until);
int sim_job_go(struct sim *sim, struct sim_job *job, int64_t gone_at,
	       bool turn);

/* What its appointment says */
int sim_job_happens(struct sim *sim, struct sim_job *job, int kind);

void sim_tell(struct sim *sim, enum sim_event_kind kind,
	      const struct sim_job *job, const struct sim_job *by,
	      enum victim_reason reason);

/* ---- plans.c ---- */

/* Plans, and starts whatever may; until nothing moves. -1: no memory */
int sim_carry_out_plans(struct sim *sim);

#endif /* COHORT_SIM_STATE_H */
