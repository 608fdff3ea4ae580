/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns.c - turns (minAdmitDuration) that never end, or end too soon
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/turns.h"
#include "value/times.h"

#define JOBS_ENOUGH 10		/* as many jobs as it takes to tell what is usual */

static void __attribute__((format(printf, 3, 4)))
turn_warn(const struct check *c, size_t index, const char *fmt, ...)
{
	const struct place list = { .key = "clusterQueues" };
	const struct place queue = { .up = &list, .index = index };
	const struct place preemption = { .up = &queue, .key = "preemption" };
	const struct place config = { .up = &preemption,
				      .key = "withinClusterQueueConfig" };
	const struct place at = { .up = &config, .key = "minAdmitDuration" };
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	report_warning(c->report, &at, c->conf->queues[index].line, "%s",
		       text);
}

/* ---- turns that never end ---- */

/* A job that would borrow evicts nobody, but for borrowWithinCohort, and with
 * fair sharing reclaimWithinCohort (doc/how-it-decides.md, section 4). What a
 * cohort below the top owns counts as its members' own. */
static bool borrowers_evict(const struct spec *spec,
			    const struct spec_queue *q)
{
	return (q->borrow_set && q->borrow != POLICY_NEVER)
	       || (spec->fair_sharing && q->reclaim != POLICY_NEVER)
	       || spec->cohorts[q->cohort].parent != SPEC_NONE;
}

static bool owns_nothing(const struct spec_queue *q)
{
	for (size_t i = 0; i < q->nquotas; i++)
		if (q->quotas[i].nominal)
			return false;
	return true;
}

static bool turns_never_end(const struct spec *spec, const struct spec_queue *q)
{
	return q->cohort != SPEC_NONE && owns_nothing(q)
	       && !borrowers_evict(spec, q);
}

/* ---- turns that are shorter than jobs ---- */

static int limit_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return x < y ? -1 : x > y;
}

/* The time limits of the queue's jobs, sorted; the caller frees them. */
static int64_t *limits_of(const struct check *c, size_t queue, size_t *n)
{
	int64_t *limits = calloc(c->cluster->njobs + 1, sizeof(*limits));

	*n = 0;
	for (size_t i = 0; limits && i < c->cluster->njobs; i++) {
		const struct cluster_job *job = &c->cluster->jobs[i];

		if (job->limit && conf_match_queue(c->conf, job->partition,
						   job->qos, job->account,
						   job->user) == (int) queue)
			limits[(*n)++] = job->limit;
	}
	if (*n > 1)
		qsort(limits, *n, sizeof(*limits), limit_compare);
	return limits;
}

static void lengths_check(const struct check *c, size_t index)
{
	const struct spec_queue *q = &c->conf->spec->queues[index];
	size_t n;
	int64_t *limits = limits_of(c, index, &n);
	int64_t usual = n >= JOBS_ENOUGH ? limits[n / 2] : 0;
	char turn[32], limit[32];

	duration_format(q->min_admit, turn, sizeof(turn));
	duration_format(usual, limit, sizeof(limit));
	if (usual > q->min_admit)
		turn_warn(c, index, "a turn of %s is shorter than most jobs of "
			  "\"%s\": half of its jobs request %s or more",
			  turn, q->name, limit);
	free(limits);
}

void turns_advise(const struct check *c, size_t queue)
{
	const struct spec_queue *q = &c->conf->spec->queues[queue];

	if (q->min_admit == SPEC_NO_TIME)
		return;
	if (turns_never_end(c->conf->spec, q))
		turn_warn(c, queue, "no turn of \"%s\" ever ends: it owns no "
			  "quota, and its borrowing jobs can't evict others. "
			  "Set borrowWithinCohort.policy: LowerPriority (and "
			  "reclaimWithinCohort: LowerPriority)", q->name);
	else
		lengths_check(c, queue);
}
