/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world.c - a large cluster made up for timing
 *
 * Cohorts of ten queues with two flavors and two resources. One queue in ten
 * hardly runs anything and lends its quota; the others use theirs and borrow.
 * Every queue has four requests of its own and three priorities, which makes
 * twelve shapes of waiting jobs; every tenth waiting job is an array.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/jobs.h"
#include "measure/random.h"

#define FLAVORS 2

static bool queue_idles(int queue)
{
	return queue % WORLD_COHORT == WORLD_COHORT - 1;
}

/* ---- the declaration ---- */

static int quotas_add(struct spec_queue *q, int queue, int64_t jobs)
{
	int64_t cpus = 0, gpus = 0;

	for (int k = 0; k < JOB_KINDS; k++) {
		cpus += kind_cpus(queue, k);
		gpus += kind_gpus(queue, k);
	}
	for (int f = 0; f < FLAVORS; f++) {
		int64_t cpu = cpus * jobs / JOB_KINDS / FLAVORS;
		int64_t gpu = gpus * jobs / JOB_KINDS / FLAVORS;

		if (!spec_add_quota(&q->quotas, &q->nquotas, f, JOB_CPU, cpu) ||
		    !spec_add_quota(&q->quotas, &q->nquotas, f, JOB_GPU, gpu))
			return -1;
	}
	return 0;
}

static int group_add(struct spec_queue *q)
{
	struct spec_group *group = calloc(1, sizeof(*group));

	if (!group)
		return -1;
	q->groups = group;
	q->ngroups = 1;
	group->resources = calloc(JOB_RESOURCES, sizeof(*group->resources));
	group->flavors = calloc(FLAVORS, sizeof(*group->flavors));
	if (!group->resources || !group->flavors)
		return -1;
	for (int r = 0; r < JOB_RESOURCES; r++)
		group->resources[group->nresources++] = r;
	for (int f = 0; f < FLAVORS; f++)
		group->flavors[group->nflavors++] = f;
	return 0;
}

static int queue_add(struct spec *spec, int queue, int64_t jobs)
{
	struct spec_queue *q;
	char name[32];

	snprintf(name, sizeof(name), "queue%d", queue);
	q = spec_add_queue(spec, name);
	if (!q)
		return -1;
	q->cohort = queue / WORLD_COHORT;
	q->strategy = queue % 5 == 4 ? STRATEGY_STRICT_FIFO
				     : STRATEGY_BEST_EFFORT_FIFO;
	q->within = queue % 3 ? POLICY_LOWER_PRIORITY : POLICY_NEVER;
	q->reclaim = queue % 2 ? POLICY_ANY : POLICY_LOWER_PRIORITY;
	return group_add(q) < 0 ? -1 : quotas_add(q, queue, jobs);
}

static struct spec *world_declare(const struct world_size *size)
{
	struct spec *spec = spec_create();
	size_t cohorts = (size->queues + WORLD_COHORT - 1)
			 / WORLD_COHORT;
	char name[32];

	if (!spec || spec_resource(spec, "cpu") < 0 ||
	    spec_resource(spec, "gres/gpu") < 0 ||
	    spec_flavor(spec, "old") < 0 || spec_flavor(spec, "new") < 0)
		goto failed;
	for (size_t i = 0; i < cohorts; i++) {
		snprintf(name, sizeof(name), "cohort%zu", i);
		if (!spec_add_cohort(spec, name))
			goto failed;
	}
	for (size_t i = 0; i < size->queues; i++) {
		if (queue_add(spec, i, size->running / size->queues) < 0)
			goto failed;
	}
	return spec;
failed:
	spec_destroy(spec);
	return NULL;
}

/* ---- its jobs at the beginning ---- */

/* A job that has run for a while, in a random flavor */
static int running_add(struct world *w, int queue)
{
	int flavor = random_below(&w->random, FLAVORS);
	int64_t started_at = random_below(&w->random, 100000) * SPEC_SEC;
	struct job *job = job_create(w, queue, true, false, started_at);
	int64_t now = w->now;
	struct charge charges[JOB_RESOURCES];
	size_t n = 0;
	int rc;

	if (!job)
		return -1;
	charges[n++] = (struct charge) { flavor, JOB_CPU,
					 kind_cpus(queue, job->kind) };
	if (kind_gpus(queue, job->kind))
		charges[n++] = (struct charge) { flavor, JOB_GPU,
						 kind_gpus(queue, job->kind) };
	w->now = started_at;
	rc = job_start(w, job, charges, n);
	w->now = now;
	return rc;
}

static int world_fill(struct world *w)
{
	size_t n = w->size.queues;

	for (size_t i = 0; i < w->size.running; i++) {
		int queue = random_below(&w->random, n);

		if (queue_idles(queue) && random_below(&w->random, 10))
			queue = queue - 1 - (int) random_below(&w->random, 9);
		if (running_add(w, queue) < 0)
			return -1;
	}
	for (size_t i = 0; i < w->size.waiting; i++) {
		int queue = random_below(&w->random, n);

		if (queue_idles(queue))
			queue = queue - 1 - (int) random_below(&w->random, 9);
		if (!job_create(w, queue, false, i % 10 == 9,
				(int64_t) random_below(&w->random, 100000)
				* SPEC_SEC))
			return -1;
	}
	return 0;
}

struct world *world_create(const struct world_size *size, uint64_t seed)
{
	struct world *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->size = *size;
	w->random = seed;
	w->now = 100000 * SPEC_SEC;
	w->waiting = calloc(size->queues, sizeof(*w->waiting));
	w->running = calloc(size->queues, sizeof(*w->running));
	w->stirred = calloc(size->queues, sizeof(*w->stirred));
	w->is_stirred = calloc(size->queues, sizeof(*w->is_stirred));
	w->spec = world_declare(size);
	w->engine = w->spec ? engine_create(w->spec) : NULL;
	if (!w->waiting || !w->running || !w->stirred || !w->is_stirred || !w->engine ||
	    world_fill(w) < 0) {
		world_destroy(w);
		return NULL;
	}
	return w;
}

static void lists_destroy(struct job_list *lists, size_t n)
{
	for (size_t q = 0; lists && q < n; q++) {
		for (size_t i = 0; i < lists[q].n; i++)
			free(lists[q].jobs[i]);
		free(lists[q].jobs);
	}
	free(lists);
}

void world_destroy(struct world *w)
{
	int saved_errno = errno;

	if (!w)
		return;
	engine_destroy(w->engine);
	spec_destroy(w->spec);
	lists_destroy(w->waiting, w->size.queues);
	lists_destroy(w->running, w->size.queues);
	free(w->stirred);
	free(w->is_stirred);
	free(w);
	errno = saved_errno;
}
