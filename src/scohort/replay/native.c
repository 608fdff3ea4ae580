/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * native.c - what Slurm alone would do with the same quotas
 *
 * caps: the nominal quota of a queue is a hard limit (GrpTRES of an account or
 * QOS). scavenger: a job runs in its queue's partition within that limit, or in
 * one for scavengers, which any owner preempts (preempt/partition_prio), whoever
 * it is and whatever his share. There are no cohorts, shares or protections.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "replay/native.h"

bool native_find(const char *name, enum native *native)
{
	*native = !strcmp(name, "caps") ? NATIVE_CAPS
		: !strcmp(name, "scavenger") ? NATIVE_SCAVENGER : NATIVE_NONE;
	return *native != NATIVE_NONE;
}

const char *native_name(enum native native)
{
	return native == NATIVE_CAPS ? "native caps" : "native scavenger";
}

/* ---- queues ---- */

static void rules_drop(struct spec_queue *q)
{
	q->strategy = STRATEGY_BEST_EFFORT_FIFO;
	q->within = q->reclaim = q->borrow = POLICY_NEVER;
	q->borrow_set = q->threshold_set = q->by_usage = false;
	q->min_admit = q->preempt_min_runtime = q->reclaim_min_runtime =
		SPEC_NO_TIME;
	q->max_preemptions = q->yield_after = 0;
	q->cohort = SPEC_NONE;
}

/* Its quotas, with a factor of 0 or 1, and limits that do not depend on cohorts */
static int quotas_copy(struct spec_queue *q, bool owner, int64_t limit)
{
	const struct spec_quota *from = q->quotas;

	q->quotas = calloc(q->nquotas + 1, sizeof(*q->quotas));
	if (!q->quotas)
		return -1;
	for (size_t i = 0; i < q->nquotas; i++) {
		q->quotas[i] = from[i];
		q->quotas[i].lending_limit = SPEC_NO_LIMIT;
		q->quotas[i].borrowing_limit = limit;
		if (!owner)
			q->quotas[i].nominal = 0;
	}
	return 0;
}

static int queue_caps(struct spec_queue *to, const struct spec_queue *from)
{
	*to = *from;
	rules_drop(to);
	return quotas_copy(to, true, SPEC_NO_LIMIT);
}

/* The owner's partition: it lends all, borrows nothing and preempts */
static int queue_owner(struct spec_queue *to, const struct spec_queue *from)
{
	*to = *from;
	rules_drop(to);
	to->cohort = 0;
	to->reclaim = POLICY_ANY;
	return quotas_copy(to, true, 0);
}

static int queue_scavenger(struct spec_queue *to, const struct spec_queue *from)
{
	*to = *from;
	rules_drop(to);
	to->cohort = 0;
	return quotas_copy(to, false, SPEC_NO_LIMIT);
}

/* ---- the pool ---- */

/* What no queue but a cohort owns: any scavenger may use it */
static int pool_make(struct spec *native, const struct spec *spec)
{
	struct spec_cohort *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return -1;
	native->cohorts = pool;
	native->ncohorts = 1;
	*pool = (struct spec_cohort) {
		.name = "pool", .parent = SPEC_NONE, .weight = 1,
		.preempt_min_runtime = SPEC_NO_TIME,
		.reclaim_min_runtime = SPEC_NO_TIME,
	};
	for (size_t i = 0; i < spec->ncohorts; i++)
		pool->nquotas += spec->cohorts[i].nquotas;
	pool->quotas = calloc(pool->nquotas + 1, sizeof(*pool->quotas));
	pool->nquotas = 0;
	for (size_t i = 0; pool->quotas && i < spec->ncohorts; i++) {
		for (size_t k = 0; k < spec->cohorts[i].nquotas; k++) {
			const struct spec_quota *from =
				&spec->cohorts[i].quotas[k];
			size_t at = 0;

			while (at < pool->nquotas &&
			       (pool->quotas[at].flavor != from->flavor ||
				pool->quotas[at].resource != from->resource))
				at++;
			if (at == pool->nquotas)
				pool->quotas[pool->nquotas++] =
					(struct spec_quota) {
					.flavor = from->flavor,
					.resource = from->resource,
					.borrowing_limit = SPEC_NO_LIMIT,
					.lending_limit = SPEC_NO_LIMIT,
				};
			pool->quotas[at].nominal = sat_add(
				pool->quotas[at].nominal, from->nominal);
		}
	}
	return pool->quotas ? 0 : -1;
}

/* Those of queues stay. */
static int periods_copy(struct spec *native, const struct spec *spec)
{
	native->periods = calloc(spec->nperiods + 1, sizeof(*native->periods));
	native->nperiods = 0;
	for (size_t i = 0; native->periods && i < spec->nperiods; i++)
		if (!spec->periods[i].is_cohort)
			native->periods[native->nperiods++] = spec->periods[i];
	return native->periods ? 0 : -1;
}

static int queues_make(struct spec *native, const struct spec *spec,
		       enum native kind)
{
	size_t n = spec->nqueues;

	native->queues = calloc(2 * n + 1, sizeof(*native->queues));
	if (!native->queues)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct spec_queue *to = &native->queues[native->nqueues++];

		if ((kind == NATIVE_CAPS ? queue_caps : queue_owner)
		    (to, &spec->queues[i]) < 0)
			return -1;
	}
	for (size_t i = 0; kind == NATIVE_SCAVENGER && i < n; i++) {
		struct spec_queue *to = &native->queues[native->nqueues++];

		if (queue_scavenger(to, &spec->queues[i]) < 0)
			return -1;
	}
	return 0;
}

struct spec *native_make(const struct spec *spec, enum native kind)
{
	struct spec *native = calloc(1, sizeof(*native));

	if (!native)
		return NULL;
	native->flavors = spec->flavors;
	native->nflavors = spec->nflavors;
	native->resources = spec->resources;
	native->nresources = spec->nresources;
	native->resolve = spec->resolve;
	if (queues_make(native, spec, kind) < 0 ||
	    periods_copy(native, spec) < 0 ||
	    (kind == NATIVE_SCAVENGER && pool_make(native, spec) < 0)) {
		native_free(native);
		return NULL;
	}
	return native;
}

void native_free(struct spec *native)
{
	if (!native)
		return;
	for (size_t i = 0; native->queues && i < native->nqueues; i++)
		free(native->queues[i].quotas);
	if (native->cohorts)
		free(native->cohorts->quotas);
	free(native->cohorts);
	free(native->queues);
	free(native->periods);
	free(native);
}
