/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.c - what one event costs in a world
 *
 * Times are those of the CPU: on a busy machine the clock on the wall tells of
 * other programs.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "account.h"
#include "measure/clock.h"
#include "measure/growth.h"
#include "query.h"
#include "worst/worst.h"

#define MAX_SAMPLES 5
/* No more of them once they have taken so long: the worst are long enough */
#define ENOUGH (SPEC_SEC / 2)

static double ms_since(int64_t start)
{
	return (double) (clock_cpu() - start) / 1e6;
}

static bool plan(struct site *s)
{
	if (!s->failed)
		s->failed = engine_plan(s->engine, SITE_NOW) < 0;
	return !s->failed;
}

double sample_event(struct site *s)
{
	int64_t start = clock_cpu();
	struct workload *w = site_wait(s, &s->event);
	double ms;

	s->event.first++;
	if (!plan(s))
		return -1;
	ms = ms_since(start);
	engine_remove(s->engine, w);
	return plan(s) ? ms : -1;
}

double sample_reclaimable(struct site *s)
{
	struct ask small = { .priority = SITE_PRIORITY, .first = 1, .others = 1 };
	struct reclaim r;
	int64_t start;

	site_run(s, &small, 0);
	if (s->failed)
		return -1;
	start = clock_cpu();
	for (size_t q = 0; q < s->spec->nqueues; q++) {
		for (size_t k = 0; k < s->spec->nresources; k++) {
			if (engine_reclaimable(s->engine, SITE_NOW, (int) q, 0,
					       (int) k, &r) < 0)
				s->failed = true;
		}
	}
	return s->failed ? -1 : ms_since(start);
}

/* The list is the engine's until the next question. */
static struct victim *list_copy(const struct candidates *found)
{
	struct victim *list = calloc(found->n + 1, sizeof(*list));

	if (list)
		memcpy(list, found->list, found->n * sizeof(*list));
	return list;
}

double sample_allowed(struct site *s)
{
	struct workload *w = site_wait(s, &s->event);
	struct charge charge = { 0, 0, s->event.first };
	struct candidates_query query = {
		.charges = &charge, .ncharges = 1, .alone = true,
	};
	struct candidates found;
	struct victim *list = NULL;
	double ms = -1;

	if (w && engine_candidates(s->engine, w, SITE_NOW, &query, &found) == 0)
		list = list_copy(&found);
	if (list) {
		int64_t start = clock_cpu();
		size_t n = engine_allowed(s->engine, w, SITE_NOW, &charge, 1, list,
					  found.n);

		ms = n == found.n && n ? ms_since(start) : -1;
	}
	free(list);
	s->failed |= ms < 0;
	if (w)
		engine_remove(s->engine, w);
	return ms;
}

/* Resident memory of this process in MB, what is free given back */
static double resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = -1;

	malloc_trim(0);
	if (!f)
		return -1;
	if (fscanf(f, "%*d %ld", &pages) != 1)
		pages = -1;
	fclose(f);
	return pages < 0 ? -1 : (double) pages * (double) sysconf(_SC_PAGESIZE) / 1e6;
}

double sample_memory(struct site *s)
{
	double before, after;

	if (s->failed)
		return -1;
	engine_destroy(s->engine);
	before = resident();
	s->engine = engine_create(s->spec);
	after = resident();
	s->failed = !s->engine || before < 0 || after < 0;
	return s->failed ? -1 : after - before;
}

double sample_account(struct site *s)
{
	double before, after;

	if (s->failed)
		return -1;
	engine_destroy(s->engine);
	s->engine = engine_create(s->spec);
	before = resident();
	s->failed = !s->engine || engine_keep_account(s->engine) < 0;
	after = resident();
	s->failed |= before < 0 || after < 0;
	return s->failed ? -1 : after - before;
}

static int samples_take(const struct worst *world, struct site *s,
			struct worst_row *row)
{
	int64_t samples[MAX_SAMPLES], start = clock_cpu();

	do {
		double cost = world->sample(s);

		if (cost < 0)
			return -1;
		samples[row->samples++] = (int64_t) (cost * 1e6);
	} while (row->samples < MAX_SAMPLES && clock_cpu() - start < ENOUGH);
	row->cost = (double) median(samples, row->samples) / 1e6;
	return 0;
}

int worst_measure(const struct worst *world, size_t size, struct worst_row *row)
{
	struct site s;
	int64_t start;
	int rc = -1;

	*row = (struct worst_row) { .size = size };
	world->build(&s, size);
	start = clock_cpu();
	if (plan(&s)) {
		row->first_plan = ms_since(start);
		rc = samples_take(world, &s, row);
	}
	site_close(&s);
	return rc;
}

double worst_exponent(const struct worst_row *rows, size_t n)
{
	double sizes[WORST_MAX_SIZES], costs[WORST_MAX_SIZES];

	for (size_t i = 0; i < n; i++) {
		if (rows[i].cost <= 0)
			return 0;
		sizes[i] = (double) rows[i].size;
		costs[i] = rows[i].cost;
	}
	return growth_exponent(sizes, costs, n);
}
