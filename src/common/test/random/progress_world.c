/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress_world.c - random clusters and jobs that are played to their end
 */
#include <stdio.h>
#include <stdlib.h>

#include "random/progress_world.h"
#include "random/draw.h"

#define MINUTE (60 * SPEC_SEC)

static int64_t draw(struct progress_world *pw, int64_t n)
{
	return (int64_t) random_below(&pw->random, (uint64_t) n);
}

static bool chance(struct progress_world *pw, int percent)
{
	return draw(pw, 100) < percent;
}

/* ---- the cluster ---- */

static int *indexes(size_t n)
{
	int *list = calloc(n, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = (int) i;
	return list;
}

static void cohorts_draw(struct progress_world *pw)
{
	int n = 1 + (chance(pw, 40) ? (int) draw(pw, 3) : 0);

	for (int i = 0; i < n; i++) {
		char name[] = { 'c', (char) ('0' + i), '\0' };
		struct spec_cohort *c = spec_add_cohort(pw->spec, name);

		c->parent = i ? (int) draw(pw, i) : SPEC_NONE;
		c->weight = chance(pw, 80) ? 1 : (double) draw(pw, 4);
		if (chance(pw, 30))
			spec_add_quota(&c->quotas, &c->nquotas, 0, 0, draw(pw, 9));
		if (chance(pw, 8))
			c->reclaim_min_runtime = (1 + draw(pw, 30)) * MINUTE;
	}
}

static void quotas_draw(struct progress_world *pw, struct spec_queue *q)
{
	q->groups = calloc(1, sizeof(*q->groups));
	q->ngroups = 1;
	q->groups[0] = (struct spec_group) {
		.resources = indexes(pw->spec->nresources),
		.nresources = pw->spec->nresources,
		.flavors = indexes(pw->nflavors), .nflavors = pw->nflavors,
	};
	for (size_t f = 0; f < pw->nflavors; f++) {
		for (size_t r = 0; r < pw->spec->nresources; r++) {
			struct spec_quota *quota = spec_add_quota(
				&q->quotas, &q->nquotas, (int) f, (int) r,
				chance(pw, 25) ? 0 : draw(pw, 9));

			if (chance(pw, 12))
				quota->borrowing_limit = draw(pw, 6);
			if (chance(pw, 12))
				quota->lending_limit = draw(pw, 6);
		}
	}
}

static void times_draw(struct progress_world *pw, struct spec_queue *q)
{
	if (q->within == POLICY_LOWER_OR_NEWER_EQUAL && chance(pw, 30))
		q->min_admit = (1 + draw(pw, 60)) * MINUTE;
	if (chance(pw, 8))
		q->preempt_min_runtime = (1 + draw(pw, 30)) * MINUTE;
	if (chance(pw, 8))
		q->reclaim_min_runtime = (1 + draw(pw, 30)) * MINUTE;
	if (chance(pw, 15))
		q->reclaim_delay = (1 + draw(pw, 30)) * MINUTE;
}

static void policies_draw(struct progress_world *pw, struct spec_queue *q)
{
	static const enum policy within[] = {
		POLICY_NEVER, POLICY_LOWER_PRIORITY, POLICY_LOWER_PRIORITY,
		POLICY_LOWER_OR_NEWER_EQUAL,
	};
	static const enum policy reclaim[] = {
		POLICY_NEVER, POLICY_LOWER_PRIORITY, POLICY_LOWER_OR_NEWER_EQUAL,
		POLICY_ANY, POLICY_ANY, POLICY_ANY,
	};

	q->within = within[draw(pw, COUNT(within))];
	q->reclaim = reclaim[draw(pw, COUNT(reclaim))];
	q->borrow_set = q->reclaim != POLICY_NEVER && chance(pw, 60);
	q->borrow = POLICY_LOWER_PRIORITY;
	q->threshold_set = chance(pw, 20);
	q->threshold = draw(pw, 3);
	q->strategy = chance(pw, 20) ? STRATEGY_STRICT_FIFO : STRATEGY_BEST_EFFORT_FIFO;
	q->when_can_borrow = (enum fungibility) draw(pw, 2);
	q->when_can_preempt = (enum fungibility) draw(pw, 2);
	q->weight = chance(pw, 70) ? 1 : (double) draw(pw, 4);
	q->max_preemptions = chance(pw, 80) ? 3 : 1 + (int) draw(pw, 4);
	q->yield_after = chance(pw, 80) ? 1 : 1 + (int) draw(pw, 4);
	q->cap_scope = chance(pw, 40) ? CAP_COHORT : CAP_QUEUE;
	q->by_usage = pw->spec->history.local_half_life && chance(pw, 40);
	times_draw(pw, q);
}

static void periods_draw(struct progress_world *pw)
{
	struct spec_period period = {
		.node = (int) draw(pw, (int64_t) pw->spec->nqueues),
		.nominal = draw(pw, 9), .from = (1 + draw(pw, 90)) * MINUTE,
	};

	period.until = chance(pw, 50) ? INT64_MAX : period.from + (1 + draw(pw, 90)) * MINUTE;
	spec_add_period(pw->spec, &period);
}

static void site_draw(struct progress_world *pw)
{
	struct spec *s = pw->spec;

	spec_resource(s, "cpu");
	if (chance(pw, 20))
		spec_resource(s, "mem");
	pw->nflavors = s->nresources > 1 || chance(pw, 75) ? 1 : 2;
	spec_flavor(s, "f");
	if (pw->nflavors > 1)
		spec_flavor(s, "g");
	s->fair_sharing = chance(pw, 55);
	s->strategies[0] = FAIR_LESS_OR_EQUAL_FINAL;
	s->strategies[1] = chance(pw, 75) ? FAIR_LESS_INITIAL : FAIR_NONE;
	if (chance(pw, 10))
		s->reclaim_min_runtime = (1 + draw(pw, 20)) * MINUTE;
	if (s->fair_sharing && chance(pw, 15)) {
		s->history.half_life = (1 + draw(pw, 200)) * MINUTE;
		s->history.k = 1;
		s->history.margin = 0.1;
	}
	if (chance(pw, 15))
		s->history.local_half_life = (1 + draw(pw, 200)) * MINUTE;
}

static void cluster_draw(struct progress_world *pw)
{
	int n = 2 + (int) draw(pw, 3);

	site_draw(pw);
	cohorts_draw(pw);
	for (int i = 0; i < n; i++) {
		char name[] = { 'q', (char) ('0' + i), '\0' };
		struct spec_queue *q = spec_add_queue(pw->spec, name);

		q->cohort = (int) draw(pw, (int64_t) pw->spec->ncohorts);
		policies_draw(pw, q);
		quotas_draw(pw, q);
	}
	if (chance(pw, 15))
		periods_draw(pw);
}

/* ---- jobs ---- */

static struct progress_job *job_add(struct progress_world *pw, int queue, int64_t cpus)
{
	size_t i = pw->njobs++;
	struct progress_job *job = &pw->jobs[i];

	job->requests[0] = (struct request) { 0, cpus };
	job->podset = (struct podset_desc) {
		.name = "job", .count = 1, .group = -1,
		.requests = job->requests, .nrequests = 1,
	};
	job->desc = (struct sim_desc) {
		.work = {
			.queue = queue, .local_queue = 1 + (int) (i % 3) + 3 * queue,
			.tiebreak = 2 * i + 2, .tasks = 1,
			.podsets = &job->podset, .npodsets = 1,
			.owner = (void *) (uintptr_t) (i + 1),
		},
		.min_available = -1,
	};
	return job;
}

/* An array, a component of the job before it, or one that is not preempted */
static void kind_draw(struct progress_world *pw, struct progress_job *job)
{
	size_t i = (size_t) (job - pw->jobs);
	int64_t kind = draw(pw, 100);

	if (kind < 8) {
		job->desc.work.tasks = 2 + draw(pw, 2);
		job->desc.array = i + 1;
		if (chance(pw, 50))
			job->desc.min_available = 1;
	} else if (kind < 14 && i && !pw->jobs[i - 1].desc.array && !pw->jobs[i - 1].with) {
		job->with = i;
		job->come = pw->jobs[i - 1].come;
		job->desc.work.queue_order_at = job->come;
		job->desc.duration = pw->jobs[i - 1].desc.duration;
	} else if (kind < 18) {
		job->desc.work.nonpreemptible = true;
	} else if (kind < 22) {
		job->desc.exempt_time = (1 + draw(pw, 20)) * MINUTE;
	}
}

static void jobs_draw(struct progress_world *pw)
{
	bool wild = chance(pw, 50);	/* jobs of any kind in quick succession, in a small
					 * cluster */
	size_t n = 3 + (size_t) draw(pw, wild ? 14 : 7);
	int64_t at = 0;

	for (size_t i = 0; i < n; i++) {
		struct progress_job *job = job_add(pw, (int) draw(pw, (int64_t) pw->spec->nqueues),
						   1 + draw(pw, wild ? 6 : 8));

		at += draw(pw, 4) * (wild ? 200 : 10) * SPEC_SEC;
		job->come = job->desc.work.queue_order_at = at;
		job->desc.work.priority = draw(pw, 4);
		job->desc.duration = (1 + draw(pw, 120)) * MINUTE;
		job->desc.evict_time = chance(pw, 40) ? 30 * SPEC_SEC : 0;
		if (pw->spec->nresources > 1 && chance(pw, 60)) {
			job->requests[1] = (struct request) { 1, 1 + draw(pw, 6) };
			job->podset.nrequests = 2;
		}
		kind_draw(pw, job);
	}
}

static struct progress_world *world_new(uint64_t seed)
{
	struct progress_world *pw = calloc(1, sizeof(*pw));

	assert_non_null(pw);
	pw->random = seed * 7919;
	pw->spec = spec_create();
	assert_non_null(pw->spec);
	for (int i = 0; i < 4; i++)
		(void) random_next(&pw->random);
	return pw;
}

struct progress_world *progress_world_draw(uint64_t seed)
{
	struct progress_world *pw = world_new(seed);

	cluster_draw(pw);
	if (chance(pw, 15))
		pw->room = 8 + draw(pw, 16);
	jobs_draw(pw);
	pw->requeue_time = chance(pw, 50) ? SPEC_SEC : 121 * SPEC_SEC;
	return pw;
}

/* ---- ordinary loads ---- */

struct progress_world *progress_world_load(uint64_t seed, int row)
{
	static const int64_t sizes[] = { 1, 2, 4, 6, 8 };
	static const int64_t minutes[] = { 30, 60, 120, 240 };
	static const int64_t gaps[] = { 0, 1, 5, 15 };
	struct progress_world *pw = world_new(seed);
	int64_t at = 0;

	spec_resource(pw->spec, "cpu");
	spec_flavor(pw->spec, "f");
	pw->nflavors = 1;
	pw->spec->fair_sharing = row == 1 || row == 2;
	pw->spec->strategies[0] = FAIR_LESS_OR_EQUAL_FINAL;
	pw->spec->strategies[1] = row == 1 ? FAIR_LESS_INITIAL : FAIR_NONE;
	spec_add_cohort(pw->spec, "lab");
	for (int i = 0; i < 3; i++) {
		char name[] = { 'q', (char) ('0' + i), '\0' };
		struct spec_queue *q = spec_add_queue(pw->spec, name);

		q->cohort = 0;
		q->within = POLICY_LOWER_PRIORITY;
		q->reclaim = POLICY_ANY;
		q->borrow_set = row == 3;
		q->borrow = POLICY_LOWER_PRIORITY;
		q->max_preemptions = 3;
		q->yield_after = 1;
		q->groups = calloc(1, sizeof(*q->groups));
		q->ngroups = 1;
		q->groups[0] = (struct spec_group) { indexes(1), 1, indexes(1), 1 };
		spec_add_quota(&q->quotas, &q->nquotas, 0, 0, 8);
	}
	for (size_t i = 0; i < PROGRESS_JOBS; i++) {
		struct progress_job *job = job_add(pw, (int) draw(pw, 3),
						   sizes[draw(pw, COUNT(sizes))]);

		at += gaps[draw(pw, COUNT(gaps))] * MINUTE;
		job->come = job->desc.work.queue_order_at = at;
		job->desc.work.priority = draw(pw, 3);
		job->desc.duration = minutes[draw(pw, COUNT(minutes))] * MINUTE;
	}
	pw->requeue_time = SPEC_SEC;
	return pw;
}

void progress_world_free(struct progress_world *pw)
{
	spec_destroy(pw->spec);
	free(pw);
}

void progress_world_tell(const struct progress_world *pw)
{
	for (size_t i = 0; i < pw->spec->nqueues; i++) {
		const struct spec_queue *q = &pw->spec->queues[i];

		printf("# queue %zu in %d: within %d reclaim %d borrow %d owns %lld max %d"
		       " yield %d delay %lld\n", i, q->cohort, q->within, q->reclaim, q->borrow_set,
		       (long long) q->quotas[0].nominal, q->max_preemptions, q->yield_after,
		       (long long) (q->reclaim_delay / MINUTE));
	}
	printf("# %s, room %lld, %zu periods\n", pw->spec->fair_sharing ? "fair" : "classical",
	       (long long) pw->room, pw->spec->nperiods);
	for (size_t i = 0; i < pw->njobs; i++) {
		const struct progress_job *job = &pw->jobs[i];

		printf("# job %zu in %d: at %lld, %lld cpus, priority %lld, %lld min, %lld tasks,"
		       " with %zu%s\n", i, job->desc.work.queue,
		       (long long) (job->come / SPEC_SEC), (long long) job->requests[0].amount,
		       (long long) job->desc.work.priority,
		       (long long) (job->desc.duration / MINUTE),
		       (long long) job->desc.work.tasks, job->with,
		       job->desc.work.nonpreemptible ? ", stays" : "");
	}
}
