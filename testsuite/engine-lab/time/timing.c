/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.c - how long a cycle and a victim search take in one scenario
 *
 * Before each round the books of every queue are changed, so that no result of
 * the round before can be used again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "time/timing.h"
#include "eval/answer.h"
#include "eval/compare.h"
#include "time/clock.h"

#define MAX_ROUNDS 999
#define BUDGET (2 * SPEC_SEC)		/* of one measurement */

/* The search of one head */
struct timed_search {
	struct workload *workload;
	struct charge *demand, *need;
	size_t ndemand, nneed;
};

/* An event in every queue that has running workloads, and its opposite */
static void books_touch(struct scenario *s)
{
	int queue = -1;

	for (size_t i = 0; i < s->nadmitted; i++) {
		struct scenario_item *item = &s->items[i];
		bool evicting = workload_evicting(item->workload);

		if (item->queue == queue)
			continue;
		queue = item->queue;
		engine_evicting(s->engine, item->workload, !evicting);
		engine_evicting(s->engine, item->workload, evicting);
	}
}

static int time_cycles(struct scenario *s, struct timing *t)
{
	int64_t samples[MAX_ROUNDS], start, end = clock_cpu() + BUDGET;
	const struct head *heads;
	size_t rounds = 0;

	do {
		books_touch(s);
		start = clock_cpu();
		if (engine_cycle(s->engine, s->now, &heads, &t->heads) < 0)
			return -1;
		samples[rounds++] = clock_cpu() - start;
	} while (rounds < MAX_ROUNDS && (rounds < 5 || clock_cpu() < end));
	t->cold = samples[0];
	t->cycle = median(samples, rounds);
	return 0;
}

static int search_copy(struct timed_search *search, const struct head *h)
{
	const struct assignment *a = h->nominated;

	*search = (struct timed_search) { .workload = h->workload };
	search->demand = calloc(a->nusage + 1, sizeof(*search->demand));
	search->need = calloc(a->nusage + 1, sizeof(*search->need));
	if (!search->demand || !search->need)
		return -1;
	for (size_t i = 0; i < a->nusage; i++) {
		search->demand[search->ndemand++] = a->usage[i];
		if (a->needs[i])
			search->need[search->nneed++] = a->usage[i];
	}
	return 0;
}

static void searches_free(struct timed_search *searches, size_t n)
{
	for (size_t i = 0; searches && i < n; i++) {
		free(searches[i].demand);
		free(searches[i].need);
	}
	free(searches);
}

/* The searches of all heads that were nominated for preemption */
static struct timed_search *searches_make(struct scenario *s, size_t *n)
{
	const struct head *heads;
	struct timed_search *searches;
	size_t nheads;

	*n = 0;
	if (engine_cycle(s->engine, s->now, &heads, &nheads) < 0)
		return NULL;
	searches = calloc(nheads + 1, sizeof(*searches));
	for (size_t i = 0; searches && i < nheads; i++) {
		const struct assignment *a = heads[i].nominated;

		if (!a || a->mode != MODE_PREEMPT)
			continue;
		if (search_copy(&searches[(*n)++], &heads[i]) < 0) {
			searches_free(searches, *n);
			return NULL;
		}
	}
	return searches;
}

/* Median over the rounds; a round is the mean over all searches. */
static int time_searches(struct scenario *s, struct timing *t)
{
	struct timed_search *searches = searches_make(s, &t->searches);
	size_t n = t->searches, rounds = n > 500 ? 9 : 99;
	const struct victim *victims;
	int64_t samples[99];

	for (size_t r = 0; searches && n && r < rounds; r++) {
		int64_t start;

		books_touch(s);
		start = clock_cpu();
		for (size_t i = 0; i < n; i++)
			engine_targets(s->engine, searches[i].workload, s->now,
				       searches[i].demand, searches[i].ndemand,
				       searches[i].need, searches[i].nneed, &victims);
		samples[r] = (clock_cpu() - start) / (int64_t) n;
	}
	t->search = median(samples, n ? rounds : 0);
	searches_free(searches, n);
	return searches ? 0 : -1;
}

int timing_take(struct timing *t, struct scenario *s, const struct at *root)
{
	struct json_object *expected, *got;

	*t = (struct timing) {
		.queues = s->spec->nqueues,
		.admitted = s->nadmitted,
		.fair = s->spec->fair_sharing,
	};
	if (time_cycles(s, t) < 0 || time_searches(s, t) < 0) {
		at_fail(root, NULL, "%s", strerror(errno));
		return -1;
	}
	got = answer_cycle(s, root, true);
	expected = compare_view("cycle", root->json);
	t->agrees = got && !compare_json(expected, got, NULL, NULL);
	json_object_put(expected);
	json_object_put(got);
	return at_failed(root) ? -1 : 0;
}
