/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world.h - a large cluster made up for timing
 *
 * The same seed makes the same world, and the same story of events.
 */
#ifndef SCOHORT_WORLD_H
#define SCOHORT_WORLD_H

#include "engine.h"

struct world_size {
	size_t queues;		/* in cohorts of ten */
	size_t running;
	size_t waiting;
};

/* A job that the world knows */
struct job {
	struct workload *workload;
	int queue;
	int kind;
	int priority;
	int64_t submitted_at;
	uint64_t number;
	int64_t tasks;
	size_t place;		/* in the list of its queue */
};

/* The jobs of a queue that run, or that wait */
struct job_list {
	struct job **jobs;
	size_t n, size;
};

struct world {
	struct world_size size;
	struct spec *spec;
	struct engine *engine;
	struct job_list *waiting, *running;	/* by queue */
	int64_t now;
	uint64_t random;
	uint64_t numbers;
	int *stirred;		/* cohorts where something may start: a stack */
	size_t nstirred;
	bool *is_stirred;
};

enum event { EVENT_SUBMIT, EVENT_START, EVENT_END, EVENT_PRIORITY };
#define NEVENTS 4

extern const char *const event_names[NEVENTS];

/* Queue i is in cohort i / WORLD_COHORT */
#define WORLD_COHORT 10

/* Everything is built and charged, nothing is planned. NULL with errno. */
struct world *world_create(const struct world_size *size, uint64_t seed);
void world_destroy(struct world *w);

/* One event, each kind as often as the others. A start keeps a promise of the
 * last plan, with the flavors that the gate gives; its victims wait again. Some
 * job ends if there is no promise left. Returns the kind of event, -1 with
 * errno. */
int world_event(struct world *w);

/* Starts all jobs that may start, plan after plan, as often as `rounds` at
 * most. */
int world_settle(struct world *w, int rounds);

/* Some job that waits; NULL if none does */
struct job *world_waiting(struct world *w);

#endif /* SCOHORT_WORLD_H */
