/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure.c - what a world costs: memory, the first plan, and one event
 *
 * Times are those of the CPU: on a busy machine the clock on the wall shows other
 * programs.
 */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "query.h"
#include "time/clock.h"
#include "worlds/worlds.h"

#define MAX_SAMPLES 25
#define ENOUGH (SPEC_SEC / 4)		/* no more samples when they took so long */

static double ms_since(int64_t start)
{
	return (double) (clock_cpu() - start) / 1e6;
}

/* A plan; returns what it took. */
static double plan(struct site *s)
{
	int64_t start = clock_cpu();

	if (!s->failed)
		s->failed = engine_plan(s->engine, SITE_NOW) < 0;
	return s->failed ? -1 : ms_since(start);
}

double sample_submit(struct site *s)
{
	int64_t start = clock_cpu();
	struct workload *w = site_wait(s, &s->event);
	double ms;

	s->event.first++;	/* a shape that is new each time */
	plan(s);
	ms = ms_since(start);
	if (w)
		engine_remove(s->engine, w);
	return plan(s) < 0 ? -1 : ms;
}

/* The first job that the plan promises a start, and that is no array */
struct promise {
	struct workload *w;
	uint64_t rank;
};

static void promise_take(void *arg, const struct workload *w, const struct verdict *v)
{
	struct promise *first = arg;

	if (!workload_owner(w) || (first->w && v->rank >= first->rank))
		return;
	first->w = (struct workload *) (uintptr_t) w;
	first->rank = v->rank;
}

/* Starts the job, after its victims have left. false: it does not fit any more. */
static bool promise_keep(struct site *s, struct workload *w)
{
	struct charge charges[SITE_MAX_RESOURCES];
	struct workload *victims[SITE_MAX_RESOURCES];
	struct nomination nom;

	if (engine_nominate(s->engine, w, SITE_NOW, NULL, &nom) < 0
	    || nom.mode == MODE_NOFIT || (nom.mode == MODE_PREEMPT && !nom.nvictims)
	    || nom.ncharges > SITE_MAX_RESOURCES || nom.nvictims > SITE_MAX_RESOURCES)
		return false;
	memcpy(charges, nom.charges, nom.ncharges * sizeof(*charges));
	for (size_t i = 0; i < nom.nvictims; i++)
		victims[i] = nom.victims[i].workload;
	for (size_t i = 0; i < nom.nvictims && !s->failed; i++)
		s->failed = engine_requeue(s->engine, victims[i], SITE_NOW) < 0;
	s->failed |= engine_start(s->engine, w, charges, nom.ncharges, SITE_NOW) < 0;
	return !s->failed;
}

double sample_events(struct site *s)
{
	struct promise first = { 0 };
	struct workload *w = site_wait(s, &s->event);
	double ms = plan(s);

	if (s->failed)
		return -1;
	/* It waits again, before all others: the site stays as it is. */
	if (s->latest)
		s->failed = engine_requeue(s->engine, s->latest, 0) < 0;
	s->latest = NULL;
	ms += plan(s);
	engine_promises(s->engine, promise_take, &first);
	if (first.w && promise_keep(s, first.w))
		s->latest = first.w;
	ms += plan(s);
	if (s->latest != w)
		engine_remove(s->engine, w);
	ms += plan(s);
	return s->failed ? -1 : ms / 4;
}

double sample_reclaimable(struct site *s)
{
	struct ask small = { .priority = SITE_PRIORITY, .first = 1, .others = 1 };
	struct reclaim r;
	int64_t start;

	site_run(s, &small, 0);
	start = clock_cpu();
	for (size_t q = 0; !s->failed && q < s->spec->nqueues; q++) {
		for (size_t k = 0; k < s->spec->nresources; k++)
			s->failed |= engine_reclaimable(s->engine, SITE_NOW, (int) q, 0,
							(int) k, &r) < 0;
	}
	return s->failed ? -1 : ms_since(start);
}

/* Resident memory of this process, what is free given back */
static double resident_mb(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0;

	malloc_trim(0);
	if (!f)
		return 0;
	if (fscanf(f, "%*d %ld", &pages) != 1)
		pages = 0;
	fclose(f);
	return (double) pages * (double) sysconf(_SC_PAGESIZE) / 1e6;
}

int world_measure(const struct world *world, size_t n, struct measured *m)
{
	int64_t samples[MAX_SAMPLES], start;
	double before = resident_mb();
	struct site s;
	size_t taken = 0;
	bool failed;

	world->build(&s, n, world->plan);
	m->mb = resident_mb() - before;
	m->first_plan = plan(&s);
	start = clock_cpu();
	while (!s.failed && taken < MAX_SAMPLES && (!taken || clock_cpu() - start < ENOUGH))
		samples[taken++] = (int64_t) (world->sample(&s) * 1e6);
	m->event = (double) median(samples, taken) / 1e6;
	failed = s.failed;
	site_close(&s);
	return failed ? -1 : 0;
}

double growth_exponent(double small, double large, double small_cost, double large_cost)
{
	return log(large_cost / small_cost) / log(large / small);
}
