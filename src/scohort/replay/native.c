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
#include "must.h"
#include "replay/replay.h"

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
	q->within = q->borrow = POLICY_NEVER;
	q->borrow_set = q->threshold_set = q->by_usage = false;
	q->min_admit = q->preempt_min_runtime = q->reclaim_min_runtime = SPEC_NO_TIME;
	q->max_preemptions = q->yield_after = 0;
	q->reclaim_delay = 0;
}

/* The queue as Slurm alone has it: without rules; with no quota of its own, but for an
 * owner; and limits that do not depend on cohorts */
static struct spec_queue queue_make(const struct spec_queue *from, bool in_pool, bool owner,
				    int64_t limit)
{
	struct spec_queue q = *from;

	rules_drop(&q);
	q.cohort = in_pool ? 0 : SPEC_NONE;
	q.reclaim = in_pool && owner ? POLICY_ANY : POLICY_NEVER;
	q.quotas = must(calloc(q.nquotas + 1, sizeof(*q.quotas)));
	for (size_t i = 0; i < q.nquotas; i++) {
		q.quotas[i] = from->quotas[i];
		q.quotas[i].lending_limit = SPEC_NO_LIMIT;
		q.quotas[i].borrowing_limit = limit;
		if (!owner)
			q.quotas[i].nominal = 0;
	}
	return q;
}

/* With scavengers the owner's partition lends all, borrows nothing and preempts. */
static void queues_make(struct spec *native, const struct spec *spec, bool scavengers)
{
	size_t n = spec->nqueues;

	native->nqueues = scavengers ? 2 * n : n;
	native->queues = must(calloc(2 * n + 1, sizeof(*native->queues)));
	for (size_t i = 0; i < n; i++)
		native->queues[i] = queue_make(&spec->queues[i], scavengers, true,
					       scavengers ? 0 : SPEC_NO_LIMIT);
	for (size_t i = 0; scavengers && i < n; i++)
		native->queues[n + i] = queue_make(&spec->queues[i], true, false, SPEC_NO_LIMIT);
}

/* ---- the pool ---- */

static struct spec_quota *quota_of(struct spec_cohort *pool, const struct spec_quota *like)
{
	for (size_t i = 0; i < pool->nquotas; i++)
		if (pool->quotas[i].flavor == like->flavor
		    && pool->quotas[i].resource == like->resource)
			return &pool->quotas[i];
	pool->quotas = must_grow(pool->quotas, pool->nquotas, sizeof(*pool->quotas));
	pool->quotas[pool->nquotas] = (struct spec_quota) {
		.flavor = like->flavor, .resource = like->resource,
		.borrowing_limit = SPEC_NO_LIMIT, .lending_limit = SPEC_NO_LIMIT,
	};
	return &pool->quotas[pool->nquotas++];
}

/* What no queue but a cohort owns: any scavenger may use it */
static void pool_make(struct spec *native, const struct spec *spec)
{
	struct spec_cohort *pool = must(calloc(1, sizeof(*pool)));

	native->cohorts = pool;
	native->ncohorts = 1;
	*pool = (struct spec_cohort) {
		.name = "pool", .parent = SPEC_NONE, .weight = 1,
		.preempt_min_runtime = SPEC_NO_TIME,
		.reclaim_min_runtime = SPEC_NO_TIME,
	};
	for (size_t i = 0; i < spec->ncohorts; i++) {
		for (size_t k = 0; k < spec->cohorts[i].nquotas; k++) {
			const struct spec_quota *from = &spec->cohorts[i].quotas[k];
			struct spec_quota *to = quota_of(pool, from);

			to->nominal = sat_add(to->nominal, from->nominal);
		}
	}
}

/* Those of queues stay. */
static void periods_copy(struct spec *native, const struct spec *spec)
{
	native->periods = must(calloc(spec->nperiods + 1, sizeof(*native->periods)));
	for (size_t i = 0; i < spec->nperiods; i++)
		if (!spec->periods[i].is_cohort)
			native->periods[native->nperiods++] = spec->periods[i];
}

struct spec *native_make(const struct spec *spec, enum native kind)
{
	struct spec *native = must(calloc(1, sizeof(*native)));

	native->flavors = spec->flavors;
	native->nflavors = spec->nflavors;
	native->resources = spec->resources;
	native->nresources = spec->nresources;
	native->resolve = spec->resolve;
	queues_make(native, spec, kind == NATIVE_SCAVENGER);
	periods_copy(native, spec);
	if (kind == NATIVE_SCAVENGER)
		pool_make(native, spec);
	return native;
}

void native_free(struct spec *native)
{
	if (!native)
		return;
	for (size_t i = 0; i < native->nqueues; i++)
		free(native->queues[i].quotas);
	if (native->cohorts)
		free(native->cohorts->quotas);
	free(native->cohorts);
	free(native->queues);
	free(native->periods);
	free(native);
}
