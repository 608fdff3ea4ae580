/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.c - the generator of worlds
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "worlds/site.h"

#define DAY 86400			/* s */

/* ---- the declaration ---- */

static bool group_add(struct spec_queue *q, const struct spec *spec)
{
	struct spec_group *group = calloc(1, sizeof(*group));

	if (!group)
		return false;
	q->groups = group;
	q->ngroups = 1;
	group->resources = calloc(spec->nresources, sizeof(*group->resources));
	group->flavors = calloc(spec->nflavors, sizeof(*group->flavors));
	if (!group->resources || !group->flavors)
		return false;
	for (size_t r = 0; r < spec->nresources; r++)
		group->resources[group->nresources++] = (int) r;
	for (size_t f = 0; f < spec->nflavors; f++)
		group->flavors[group->nflavors++] = (int) f;
	return true;
}

static bool quotas_add(struct spec_queue *q, const struct spec *spec, int64_t nominal, bool lends)
{
	for (size_t f = 0; f < spec->nflavors; f++) {
		for (size_t r = 0; r < spec->nresources; r++) {
			struct spec_quota *quota = spec_add_quota(&q->quotas, &q->nquotas,
								  (int) f, (int) r, nominal);

			if (!quota)
				return false;
			if (!lends)
				quota->lending_limit = 0;
		}
	}
	return true;
}

static bool queue_add(struct spec *spec, const struct tree_plan *plan, size_t depth, size_t i)
{
	bool lends = !plan->lends_nothing || i + 1 < plan->queues;
	struct spec_queue *q;
	char name[32];

	snprintf(name, sizeof(name), "queue%zu", i);
	q = spec_add_queue(spec, name);
	if (!q)
		return false;
	q->cohort = (int) (plan->cohort_queues ? depth + i / plan->cohort_queues : i / 2 % depth);
	q->strategy = plan->strict ? STRATEGY_STRICT_FIFO : STRATEGY_BEST_EFFORT_FIFO;
	q->within = POLICY_LOWER_PRIORITY;
	q->reclaim = plan->reclaim;
	q->borrow_set = plan->borrow != POLICY_NEVER;
	q->borrow = plan->borrow;
	return group_add(q, spec) && quotas_add(q, spec, plan->nominal, lends);
}

static bool cohort_add(struct spec *spec, size_t i, int parent)
{
	struct spec_cohort *cohort;
	char name[32];

	snprintf(name, sizeof(name), "cohort%zu", i);
	cohort = spec_add_cohort(spec, name);
	if (cohort)
		cohort->parent = parent;
	return cohort != NULL;
}

static bool names_add(struct spec *spec, size_t n,
		      int (*add)(struct spec *spec, const char *name))
{
	char name[32];

	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "name%zu", i);
		if (add(spec, name) < 0)
			return false;
	}
	return true;
}

static size_t or_default(size_t n, size_t usual)
{
	return n ? n : usual;
}

static bool tree_declare(struct spec *spec, const struct tree_plan *plan)
{
	size_t depth = or_default(plan->depth, 1);
	size_t beside = plan->cohort_queues ? 1 + (plan->queues - 1) / plan->cohort_queues : 0;

	if (!names_add(spec, or_default(plan->flavors, 1), spec_flavor)
	    || !names_add(spec, or_default(plan->resources, 2), spec_resource))
		return false;
	spec->fair_sharing = plan->fair;
	spec->preempt_min_runtime = plan->min_runtime;
	spec->reclaim_min_runtime = plan->min_runtime;
	for (size_t i = 0; i < depth + beside; i++) {
		size_t above = i < depth ? i : depth;

		if (!cohort_add(spec, i, above ? (int) above - 1 : SPEC_NONE))
			return false;
	}
	for (size_t i = 0; i < plan->queues; i++) {
		if (!queue_add(spec, plan, depth, i))
			return false;
	}
	return true;
}

uint64_t site_budget;

void site_open(struct site *s, const struct tree_plan *plan)
{
	*s = (struct site) {
		.random = UINT64_C(88172645463325252),
		.mixed = plan->mixed,
		.units = plan->units,
	};
	s->spec = spec_create();
	if (s->spec && tree_declare(s->spec, plan))
		s->engine = engine_create(s->spec);
	s->failed = s->engine == NULL;
	if (s->engine)
		engine_set_plan_budget(s->engine, site_budget);
}

void site_close(struct site *s)
{
	int saved_errno = errno;

	engine_destroy(s->engine);
	spec_destroy(s->spec);
	*s = (struct site) { 0 };
	errno = saved_errno;
}

/* ---- jobs ---- */

/* xorshift64* */
uint64_t site_random(struct site *s, uint64_t below)
{
	s->random ^= s->random >> 12;
	s->random ^= s->random << 25;
	s->random ^= s->random >> 27;
	return (s->random * UINT64_C(0x2545f4914f6cdd1d) >> 32) % below;
}

struct workload *site_wait(struct site *s, const struct ask *ask)
{
	struct request requests[SITE_MAX_RESOURCES];
	struct podset_desc podset = {
		.count = 1, .group = -1, .requests = requests,
	};
	struct workload_desc d = {
		.queue = ask->queue,
		.priority = ask->priority,
		.queue_order_at = SITE_NOW - ask->age,
		.tiebreak = ++s->jobs,
		.tasks = ask->tasks ? ask->tasks : 1,
		.podsets = &podset,
		.npodsets = 1,
		.owner = ask->tasks ? NULL : s,
	};
	struct workload *w;

	if (s->failed)
		return NULL;
	for (size_t r = 0; r < s->spec->nresources; r++)
		requests[podset.nrequests++] = (struct request) {
			(int) r, r ? ask->others : ask->first
		};
	w = engine_submit(s->engine, &d);
	s->failed = w == NULL;
	return w;
}

void site_wait_many(struct site *s, const struct ask *ask, size_t n, int64_t step)
{
	struct ask one = *ask;

	for (size_t i = 0; i < n; i++) {
		site_wait(s, &one);
		one.first += step;
		one.age--;
	}
}

void site_terms(struct site *s, struct workload *w, const struct eviction_terms *terms)
{
	if (!s->failed)
		s->failed = engine_set_terms(s->engine, w, terms) < 0;
}

/* As the plan of the tree has it for each job that runs */
static void usual_terms(struct site *s, struct workload *w, int64_t start)
{
	struct eviction_terms terms = {
		.joined_to = s->first_run, .min_available = -1,
	};

	if (s->mixed)
		terms.exempt_until = site_random(s, 2) ? start + SPEC_SEC
			: SITE_NOW + SPEC_SEC * (1 + (int64_t) site_random(s, DAY));
	if (s->mixed || s->units)
		site_terms(s, w, &terms);
	s->first_run = s->units && !s->first_run ? w : NULL;
}

struct workload *site_run(struct site *s, const struct ask *ask, int flavor)
{
	struct workload *w = site_wait(s, ask);
	struct charge charges[SITE_MAX_RESOURCES];
	size_t n = 0;

	if (!w)
		return NULL;
	while (n < s->spec->nresources) {
		charges[n] = (struct charge) { flavor, (int) n, n ? ask->others : ask->first };
		n++;
	}
	s->failed = engine_start(s->engine, w, charges, n, SITE_NOW - ask->age) < 0;
	usual_terms(s, w, SITE_NOW - ask->age);
	s->latest = w;
	return s->failed ? NULL : w;
}

void site_run_many(struct site *s, const struct ask *ask, size_t n, int flavor, int64_t longest)
{
	struct ask one = *ask;

	for (size_t i = 0; i < n; i++) {
		if (s->mixed)
			one.priority = ask->priority - (int64_t) site_random(s, 3);
		one.age = SPEC_SEC
			  * (1 + (int64_t) site_random(s, (uint64_t) (longest / SPEC_SEC)));
		site_run(s, &one, flavor);
	}
}
