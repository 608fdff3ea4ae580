/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - the jobs of a world made up for timing
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/jobs.h"
#include "measure/random.h"

#define ACCOUNTS 4			/* local queues of a queue */

int64_t kind_cpus(int queue, int kind)
{
	return (INT64_C(4) << kind) + queue % 5;
}

int64_t kind_gpus(int queue, int kind)
{
	return (queue + kind) % 2 ? 1 + kind : 0;
}

static int list_add(struct job_list *list, struct job *job)
{
	if (list->n == list->size) {
		size_t size = list->size ? 2 * list->size : 16;
		struct job **jobs = realloc(list->jobs, size * sizeof(*jobs));

		if (!jobs)
			return -1;
		list->jobs = jobs;
		list->size = size;
	}
	job->place = list->n;
	list->jobs[list->n++] = job;
	return 0;
}

static void list_drop(struct job_list *list, struct job *job)
{
	struct job *last = list->jobs[--list->n];

	last->place = job->place;
	list->jobs[last->place] = last;
}

/* Tells the engine of a job; `ps` and `requests` are buffers for it */
static struct workload_desc job_desc(struct job *job, struct podset_desc *ps,
				     struct request requests[JOB_RESOURCES])
{
	requests[JOB_CPU].resource = JOB_CPU;
	requests[JOB_CPU].amount = kind_cpus(job->queue, job->kind);
	requests[JOB_GPU].resource = JOB_GPU;
	requests[JOB_GPU].amount = kind_gpus(job->queue, job->kind);
	*ps = (struct podset_desc) {
		.name = "main",
		.count = 1,
		.group = -1,
		.requests = requests,
		.nrequests = requests[JOB_GPU].amount ? JOB_RESOURCES : 1,
	};
	return (struct workload_desc) {
		.queue = job->queue,
		.local_queue = job->queue * ACCOUNTS + job->number % ACCOUNTS,
		.priority = 100 * job->priority,
		.queue_order_at = job->submitted_at,
		.tiebreak = job->number,
		.tasks = job->tasks,
		.podsets = ps,
		.npodsets = 1,
		.owner = job,
	};
}

static int job_submit(struct world *w, struct job *job)
{
	struct request requests[JOB_RESOURCES];
	struct podset_desc ps;
	struct workload_desc d = job_desc(job, &ps, requests);

	job->workload = engine_submit(w->engine, &d);
	return job->workload ? 0 : -1;
}

int job_changed(struct world *w, struct job *job)
{
	struct request requests[JOB_RESOURCES];
	struct podset_desc ps;
	struct workload_desc d = job_desc(job, &ps, requests);

	return engine_update(w->engine, job->workload, &d);
}

struct job *job_create(struct world *w, int queue, bool running, bool array,
		       int64_t submitted_at)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->queue = queue;
	job->kind = random_below(&w->random, JOB_KINDS);
	/* the lower the more frequent; jobs that run already were urgent */
	job->priority = JOB_PRIORITIES - 1
			- (int) random_below(&w->random, JOB_PRIORITIES);
	if (random_below(&w->random, 2))
		job->priority = running ? JOB_PRIORITIES - 1 : 0;
	job->submitted_at = submitted_at;
	job->number = ++w->numbers;
	job->tasks = array ? 2 + random_below(&w->random, 99) : 1;
	if (list_add(&w->waiting[queue], job) < 0) {
		free(job);
		return NULL;
	}
	return job_submit(w, job) < 0 ? NULL : job;
}

int job_start(struct world *w, struct job *job,
		     const struct charge *charges, size_t n)
{
	list_drop(&w->waiting[job->queue], job);
	if (list_add(&w->running[job->queue], job) < 0)
		return -1;
	return engine_start(w->engine, job->workload, charges, n, w->now);
}

int job_evict(struct world *w, struct job *job)
{
	list_drop(&w->running[job->queue], job);
	if (list_add(&w->waiting[job->queue], job) < 0)
		return -1;
	return engine_requeue(w->engine, job->workload, job->submitted_at);
}

void job_end(struct world *w, struct job *job)
{
	list_drop(&w->running[job->queue], job);
	engine_remove(w->engine, job->workload);
	free(job);
}

/* An array's task is a job of its own from its start on */
int job_task(struct world *w, struct job *array, const struct charge *charges,
	     size_t n)
{
	struct job *task = calloc(1, sizeof(*task));

	if (!task)
		return -1;
	*task = *array;
	task->tasks = 1;
	task->number = ++w->numbers;
	array->tasks--;
	if (job_changed(w, array) < 0 || job_submit(w, task) < 0) {
		free(task);
		return -1;
	}
	if (list_add(&w->waiting[task->queue], task) < 0)
		return -1;
	return job_start(w, task, charges, n);
}
