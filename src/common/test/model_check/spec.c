/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec.c - random forests of cohorts and queues
 */
#include <stdio.h>
#include <stdlib.h>

#include "model_check/model.h"

static int64_t time_draw(struct model *m)
{
	return chance(m, 40) ? (int64_t) draw(m, 40) : SPEC_NO_TIME;
}

static void limits_draw(struct model *m, struct spec_quota *quota)
{
	if (chance(m, 25))
		quota->borrowing_limit = draw(m, 6);
	if (chance(m, 25))
		quota->lending_limit = draw(m, 6);
}

static void cohort_draw(struct model *m, struct spec *spec, int i)
{
	char name[] = { 'c', '0' + i, '\0' };
	struct spec_cohort *c = spec_add_cohort(spec, name);

	c->parent = i && chance(m, 80) ? (int) draw(m, i) : SPEC_NONE;
	c->weight = draw(m, 3);
	c->preempt_min_runtime = time_draw(m);
	c->reclaim_min_runtime = time_draw(m);
	if (chance(m, 40))
		limits_draw(m, spec_add_quota(&c->quotas, &c->nquotas, draw(m, 2), draw(m, 2),
					      draw(m, 6)));
}

static enum policy policy_draw(struct model *m)
{
	return (enum policy[]) {
		POLICY_NEVER, POLICY_LOWER_PRIORITY,
		POLICY_LOWER_OR_NEWER_EQUAL, POLICY_ANY,
	}[draw(m, 4)];
}

/* Any is only for other queues: src/config/section/queues.c */
static enum policy within_draw(struct model *m)
{
	enum policy policy = policy_draw(m);

	return policy == POLICY_ANY ? POLICY_LOWER_PRIORITY : policy;
}

static void policies_draw(struct model *m, struct spec_queue *q)
{
	q->strategy = chance(m, 35) ? STRATEGY_STRICT_FIFO : STRATEGY_BEST_EFFORT_FIFO;
	q->inactive = chance(m, 4);
	if (chance(m, 6))
		q->stop = chance(m, 50) ? STOP_HOLD : STOP_HOLD_AND_DRAIN;
	q->weight = draw(m, 3);
	q->within = within_draw(m);
	q->reclaim = policy_draw(m);
	q->borrow_set = q->reclaim != POLICY_NEVER && chance(m, 50);
	q->borrow = POLICY_LOWER_PRIORITY;
	q->threshold_set = chance(m, 50);
	q->threshold = draw(m, 3);
	q->when_can_borrow = draw(m, 2);
	q->when_can_preempt = draw(m, 2);
	q->preference = draw(m, 2);
	if (q->within == POLICY_LOWER_OR_NEWER_EQUAL && chance(m, 50))
		q->min_admit = 5 + draw(m, 60);
	if (chance(m, 20))
		q->max_preemptions = 1 + draw(m, 2);
	if (chance(m, 40))
		q->yield_after = 1 + draw(m, 3);
	if (chance(m, 30)) {
		q->reclaim_delay = 1 + draw(m, 40);
		q->delay_if_expected = chance(m, 40);
	}
	q->cap_scope = chance(m, 40) ? CAP_COHORT : CAP_QUEUE;
	q->preempt_min_runtime = time_draw(m);
	q->reclaim_min_runtime = time_draw(m);
}

static int *index_list(int first, size_t n)
{
	int *list = calloc(n, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = first + i;
	return list;
}

/* Some of the flavors, in any order */
static int *flavors_draw(struct model *m, size_t *n)
{
	int first = draw(m, MODEL_FLAVORS), *list = calloc(MODEL_FLAVORS, sizeof(*list));

	*n = 1 + draw(m, MODEL_FLAVORS);
	for (size_t i = 0; i < *n; i++)
		list[i] = (first + (int) i) % MODEL_FLAVORS;
	return list;
}

/* One group of all resources, or one for each */
static void groups_draw(struct model *m, struct spec_queue *q)
{
	bool one = chance(m, 70);

	q->groups = calloc(2, sizeof(*q->groups));
	for (int r = 0; r < (one ? 1 : 2); r++) {
		struct spec_group *group = &q->groups[q->ngroups++];

		group->resources = index_list(r, one ? 2 : 1);
		group->nresources = one ? 2 : 1;
		group->flavors = flavors_draw(m, &group->nflavors);
	}
}

static void queue_draw(struct model *m, struct spec *spec, int i, int ncohorts)
{
	char name[] = { 'q', '0' + i, '\0' };
	struct spec_queue *q = spec_add_queue(spec, name);

	q->cohort = chance(m, 85) ? (int) draw(m, ncohorts) : SPEC_NONE;
	policies_draw(m, q);
	for (int p = 0; p < MODEL_PAIRS; p++)
		limits_draw(m, spec_add_quota(&q->quotas, &q->nquotas, p / 2, p % 2, draw(m, 9)));
	groups_draw(m, q);
}

static void history_draw(struct model *m, struct spec *spec)
{
	static const double ks[] = { 0.5, 1, 3 };
	struct spec_history *h = &spec->history;

	if (chance(m, 60))
		return;
	h->half_life = chance(m, 70) ? 10 + draw(m, 150) : 0;
	h->k = ks[draw(m, 3)];
	h->margin = h->k * draw(m, 10) / 10;
	h->local_half_life = chance(m, 80) ? 10 + draw(m, 150) : 0;
	h->sampling = draw(m, 20);
	if (chance(m, 50)) {
		h->weights = calloc(MODEL_RESOURCES, sizeof(*h->weights));
		for (int r = 0; r < MODEL_RESOURCES; r++)
			h->weights[r] = draw(m, 3);
	}
	for (size_t i = 0; i < spec->nqueues; i++)
		spec->queues[i].by_usage = chance(m, 60);
}

struct spec *model_spec(struct model *m)
{
	int ncohorts = 1 + draw(m, 4), nqueues = 2 + draw(m, 5);
	struct spec *spec = spec_create();

	spec_flavor(spec, "f");
	spec_flavor(spec, "g");
	spec_resource(spec, "cpu");
	spec_resource(spec, "mem");
	spec->fair_sharing = chance(m, 50);
	if (chance(m, 30))
		spec->strategies[0] = FAIR_LESS_INITIAL;
	if (chance(m, 30))
		spec->strategies[1] = FAIR_NONE;
	spec->preempt_min_runtime = chance(m, 50) ? 0 : 20;
	spec->reclaim_min_runtime = chance(m, 50) ? 0 : 20;
	spec->resolve = draw(m, 2);
	spec->no_recompute = chance(m, 15);
	spec->no_partial = chance(m, 15);
	for (int i = 0; i < ncohorts; i++)
		cohort_draw(m, spec, i);
	for (int i = 0; i < nqueues; i++)
		queue_draw(m, spec, i, ncohorts);
	history_draw(m, spec);
	return spec;
}

/* ---- in words, as world.h has them ---- */

static void quotas_tell(const struct spec_quota *quotas, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct spec_quota *q = &quotas[i];

		printf(" %s@%s=%lld", q->resource ? "mem" : "cpu",
		       q->flavor ? "g" : "f", (long long) q->nominal);
		if (q->borrowing_limit != SPEC_NO_LIMIT)
			printf("+%lld", (long long) q->borrowing_limit);
		if (q->lending_limit != SPEC_NO_LIMIT)
			printf("-%lld", (long long) q->lending_limit);
	}
	putchar('\n');
}

static void time_tell(const char *key, int64_t time)
{
	if (time != SPEC_NO_TIME)
		printf(" %s=%lld", key, (long long) time);
}

static void cohort_tell(const struct spec *spec, const struct spec_cohort *c)
{
	printf("# cohort %s", c->name);
	if (c->parent != SPEC_NONE)
		printf(" in %s", spec->cohorts[c->parent].name);
	printf(" weight=%g", c->weight);
	time_tell("pmin", c->preempt_min_runtime);
	time_tell("rmin", c->reclaim_min_runtime);
	quotas_tell(c->quotas, c->nquotas);
}

static void queue_tell(const struct spec *spec, const struct spec_queue *q)
{
	static const char *const policies[] = { "never", "empty", "lower",
						"newer", "any" };

	printf("# queue %s", q->name);
	if (q->cohort != SPEC_NONE)
		printf(" in %s", spec->cohorts[q->cohort].name);
	printf("%s%s%s%s", q->strategy == STRATEGY_STRICT_FIFO ? " strict" : "",
	       q->stop == STOP_HOLD ? " hold" : "", q->stop == STOP_HOLD_AND_DRAIN ? " drain" : "",
	       q->inactive ? " inactive" : "");
	printf(" weight=%g within=%s reclaim=%s", q->weight,
	       policies[q->within], policies[q->reclaim]);
	if (q->borrow_set)
		printf(" borrow=%s", policies[q->borrow]);
	if (q->threshold_set)
		printf(" threshold=%lld", (long long) q->threshold);
	printf("%s%s%s max=%d yield=%d", q->when_can_borrow == FUNGIBILITY_TRY_NEXT
	       ? " canborrow=next" : "", q->when_can_preempt == FUNGIBILITY_MAY_STOP
	       ? " canpreempt=stop" : "",
	       q->preference == PREFER_PREEMPTION ? " prefer=preempt" : "",
	       q->max_preemptions, q->yield_after);
	printf(q->delay_if_expected ? " expected" : "");
	printf(q->cap_scope == CAP_COHORT ? " cap=cohort" : "");
	printf("%s", q->by_usage ? " usage" : "");
	time_tell("turn", q->min_admit);
	if (q->reclaim_delay)
		time_tell("delay", q->reclaim_delay);
	time_tell("pmin", q->preempt_min_runtime);
	time_tell("rmin", q->reclaim_min_runtime);
	printf(" groups=%zu", q->ngroups);
	quotas_tell(q->quotas, q->nquotas);
}

void model_spec_tell(const struct model *m)
{
	const struct spec *spec = m->spec;

	printf("# site%s%s%s%s%s%s preempt=%lld reclaim=%lld\n", spec->fair_sharing ? " fair" : "",
	       spec->no_recompute ? " norecompute" : "", spec->no_partial ? " nopartial" : "",
	       spec->resolve == RESOLVE_QUEUE ? " resolve=queue" : "",
	       spec->strategies[0] == FAIR_LESS_INITIAL ? " first=initial" : "",
	       spec->strategies[1] == FAIR_NONE ? " second=none" : "",
	       (long long) spec->preempt_min_runtime, (long long) spec->reclaim_min_runtime);
	printf("# site half=%lld k=%g margin=%g lhalf=%lld sampling=%lld\n",
	       (long long) spec->history.half_life, spec->history.k,
	       spec->history.margin, (long long) spec->history.local_half_life,
	       (long long) spec->history.sampling);
	for (size_t i = 0; i < spec->ncohorts; i++)
		cohort_tell(spec, &spec->cohorts[i]);
	for (size_t i = 0; i < spec->nqueues; i++)
		queue_tell(spec, &spec->queues[i]);
}
