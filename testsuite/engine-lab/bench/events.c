/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - what happens in a world made up for timing
 *
 * Starts follow the plan as a controller would: the first promise of a cohort
 * is kept first, after its victims have left.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/jobs.h"
#include "measure/random.h"

#define MAX_CHARGES 8

const char *const event_names[NEVENTS] = {
	[EVENT_SUBMIT] = "submit",
	[EVENT_START] = "start",
	[EVENT_END] = "end",
	[EVENT_PRIORITY] = "priority",
};

static void cohort_stir(struct world *w, int queue)
{
	int cohort = queue / WORLD_COHORT;

	if (w->is_stirred[cohort])
		return;
	w->is_stirred[cohort] = true;
	w->stirred[w->nstirred++] = cohort;
}

/* The first promise to a job of the queue, if it comes before *first */
static void promise_find(struct world *w, int queue, struct job **first,
			 uint64_t *rank)
{
	const struct job_list *list = &w->waiting[queue];

	for (size_t i = 0; i < list->n; i++) {
		const struct verdict *v
			= engine_verdict(w->engine, list->jobs[i]->workload);

		if ((v->kind != VERDICT_START && v->kind != VERDICT_PREEMPT)
		    || (*first && v->rank >= *rank))
			continue;
		*first = list->jobs[i];
		*rank = v->rank;
	}
}

static struct job *cohort_promise(struct world *w, int cohort)
{
	struct job *first = NULL;
	uint64_t rank = 0;

	for (int q = 0; q < WORLD_COHORT; q++)
		promise_find(w, cohort * WORLD_COHORT + q, &first, &rank);
	return first;
}

/* The victims' jobs: the engine's list does not outlive the first requeue */
static struct job **victims_copy(const struct nomination *nom)
{
	struct job **jobs = calloc(nom->nvictims + 1, sizeof(*jobs));

	for (size_t i = 0; jobs && i < nom->nvictims; i++)
		jobs[i] = workload_owner(nom->victims[i].workload);
	return jobs;
}

static int victims_requeue(struct world *w, struct job **victims, size_t n)
{
	int rc = victims ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = job_evict(w, victims[i]);
	free(victims);
	return rc;
}

/* 1: it started, 0: there is no room for it after all, -1 with errno */
static int promise_keep(struct world *w, struct job *job)
{
	struct charge charges[MAX_CHARGES];
	struct nomination nom;
	int rc;

	if (engine_nominate(w->engine, job->workload, w->now, NULL, &nom) < 0)
		return -1;
	if (nom.ncharges > MAX_CHARGES || nom.mode == MODE_NOFIT ||
	    (nom.mode == MODE_PREEMPT && !nom.nvictims))
		return 0;
	memcpy(charges, nom.charges, nom.ncharges * sizeof(*charges));
	if (victims_requeue(w, victims_copy(&nom), nom.nvictims) < 0)
		return -1;
	rc = job->tasks > 1 ? job_task(w, job, charges, nom.ncharges)
			    : job_start(w, job, charges, nom.ncharges);
	return rc < 0 ? -1 : 1;
}

static int event_start(struct world *w)
{
	while (w->nstirred) {
		int cohort = w->stirred[w->nstirred - 1];
		struct job *job = cohort_promise(w, cohort);
		int rc = job ? promise_keep(w, job) : 0;

		if (rc)
			return rc;
		w->nstirred--;
		w->is_stirred[cohort] = false;
	}
	return 0;
}

/* Of a random queue where the list has any */
static struct job *job_pick(struct world *w, const struct job_list *lists)
{
	for (int tries = 0; tries < 100000; tries++) {
		const struct job_list *list
			= &lists[random_below(&w->random, w->size.queues)];

		if (list->n)
			return list->jobs[random_below(&w->random, list->n)];
	}
	return NULL;
}

struct job *world_waiting(struct world *w)
{
	return job_pick(w, w->waiting);
}

static int event_submit(struct world *w)
{
	int queue = random_below(&w->random, w->size.queues);

	if (!job_create(w, queue, false, random_below(&w->random, 10) == 0,
			w->now))
		return -1;
	cohort_stir(w, queue);
	return 0;
}

static int event_priority(struct world *w)
{
	struct job *job = job_pick(w, w->waiting);

	if (!job)
		return 0;
	cohort_stir(w, job->queue);
	job->priority = (job->priority + 1 + (int) random_below(&w->random,
			 JOB_PRIORITIES - 1)) % JOB_PRIORITIES;
	return job_changed(w, job);
}

static void event_end(struct world *w)
{
	struct job *job = job_pick(w, w->running);

	if (!job)
		return;
	cohort_stir(w, job->queue);
	job_end(w, job);
}

int world_event(struct world *w)
{
	int kind = random_below(&w->random, NEVENTS);
	int rc = 0;

	w->now += SPEC_SEC;
	if (kind == EVENT_SUBMIT)
		rc = event_submit(w);
	else if (kind == EVENT_PRIORITY)
		rc = event_priority(w);
	else if (kind == EVENT_START)
		rc = event_start(w);
	if (rc < 0)
		return -1;
	if (kind == EVENT_END || (kind == EVENT_START && !rc)) {
		event_end(w);
		return EVENT_END;
	}
	return kind;
}

/* Keeps all promises of the last plan that still hold; returns how many, or
 * -1 */
static int promises_keep(struct world *w, int cohort)
{
	int kept = 0;

	for (int q = 0; q < WORLD_COHORT; q++) {
		struct job_list *list = &w->waiting[cohort * WORLD_COHORT + q];

		for (size_t i = list->n; i-- > 0; ) {
			struct job *job = i < list->n ? list->jobs[i] : NULL;
			const struct verdict *v;
			int rc;

			if (!job)
				continue;
			v = engine_verdict(w->engine, job->workload);
			if (v->kind != VERDICT_START
			    && v->kind != VERDICT_PREEMPT)
				continue;
			rc = promise_keep(w, job);
			if (rc < 0)
				return -1;
			kept += rc;
		}
	}
	return kept;
}

int world_settle(struct world *w, int rounds)
{
	int kept = 1;

	while (kept > 0 && rounds-- > 0) {
		engine_plan(w->engine, w->now);
		kept = 0;
		for (size_t c = 0; c < w->size.queues / WORLD_COHORT; c++) {
			int rc = promises_keep(w, c);

			if (rc < 0)
				return -1;
			kept += rc;
		}
	}
	engine_plan(w->engine, w->now);
	return 0;
}
