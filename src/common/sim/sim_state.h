/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_state.h - what the parts of the simulation share
 *
 *   sim.c		what there is, and how time moves
 *   job.c		jobs: in line, running, gone
 *   offer.c		who starts, and who goes for it
 *   bond.c		jobs that have to do with each other
 *   copy.c		the same once more
 */
#ifndef COHORT_SIM_STATE_H
#define COHORT_SIM_STATE_H

#include "lib/agenda.h"
#include "lib/hash.h"
#include "lib/sat.h"
#include "sim.h"

enum { APPOINTMENT_COME, APPOINTMENT_END, APPOINTMENT_GONE, APPOINTMENT_DISOWN };

/* Tasks of one array: how many run, and who waits for one of them to end */
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
	bool evicts;			/* somebody was told to go for it */
	int64_t free_at;		/* no nodes: when somebody more may be
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

/* One that the plan lets go, and how it said so */
struct sim_turn {
	struct sim_job *job;
	uint64_t rank;
	int64_t starts;
	bool may_evict;
	bool looks;			/* only at when it may evict for nodes */
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

/* ---- job.c	; -1 with errno ---- */

/* desc's pod sets are copied, or those of `like` shared. */
struct sim_job *sim_job_create(struct sim *sim, const struct sim_desc *desc,
			   const struct sim_job *like);
void sim_job_free(struct sim_job *job);
void sim_arrays_free(struct sim *sim);

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
int sim_job_go(struct sim *sim, struct sim_job *job, int64_t gone_at, bool turn);

/* What its appointment says */
int sim_job_happens(struct sim *sim, struct sim_job *job, int kind);

void sim_tell(struct sim *sim, enum sim_event_kind kind,
	      const struct sim_job *job, const struct sim_job *by,
	      enum victim_reason reason);

/* ---- bond.c	; -1 with errno ---- */

/* In line: the engine is told of its bond. */
int sim_job_bond(struct sim *sim, struct sim_job *job);

/* It has started, so many tasks of it are left. */
int sim_bond_started(struct sim *sim, struct sim_job *job, int64_t tasks);

/* ---- offer.c	 ---- */

/* sign: 1 for what becomes free, -1 for what is taken */
void sim_room_change(struct sim *sim, const struct charge *charges, size_t n,
		 int sign);

/* Plans, and starts whoever may; until nobody does. -1: no memory */
int sim_settle(struct sim *sim);

#endif /* COHORT_SIM_STATE_H */
