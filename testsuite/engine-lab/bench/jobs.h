/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.h - the jobs of a world made up for timing
 */
#ifndef SCOHORT_JOBS_H
#define SCOHORT_JOBS_H

#include "bench/world.h"

#define JOB_KINDS 4		/* requests that the jobs of a queue have */
#define JOB_PRIORITIES 3

enum { JOB_CPU, JOB_GPU, JOB_RESOURCES };

/* What the jobs of a kind ask for in a queue */
int64_t kind_cpus(int queue, int kind);
int64_t kind_gpus(int queue, int kind);

/* A job of random kind and urgency begins to wait; `running`: it waits for a
 * moment only. NULL: no memory. */
struct job *job_create(struct world *w, int queue, bool running, bool array,
		       int64_t submitted_at);

/* Tells the engine what is new about a waiting job. */
int job_changed(struct world *w, struct job *job);

/* The job, or one task of an array, runs from now on. */
int job_start(struct world *w, struct job *job, const struct charge *charges,
	      size_t n);
int job_task(struct world *w, struct job *array, const struct charge *charges,
	     size_t n);

/* The job is evicted, and waits again in its place. */
int job_evict(struct world *w, struct job *job);

/* The job ends, and is freed. */
void job_end(struct world *w, struct job *job);

#endif /* SCOHORT_JOBS_H */
