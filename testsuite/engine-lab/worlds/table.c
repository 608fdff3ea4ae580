/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - the worlds in which the engine is measured
 */
#include <string.h>

#include "worlds/worlds.h"

#define HOUR (3600 * SPEC_SEC)
#define MONTH (2000000 * SPEC_SEC)	/* longer than anything has run */

const struct world worlds[] = {
	{ "usual", "queues", "a usual site of n queues, 50 jobs wait for each",
	  usual_build, { 0 }, sample_events, 20, { 2, 20, 200 } },
	{ "waiting", "jobs", "a usual site of 200 queues, n jobs wait",
	  waiting_build, { 0 }, sample_events, 100, { 1000, 10000, 100000 } },

	{ "array", "tasks", "one array of n tasks, all of which may start",
	  array_build, { 0 }, sample_submit, 500, { 2500, 10000, 40000 } },
	{ "protected", "running", "two queues: n jobs run, protected by a min-runtime",
	  pair_build, { .min_runtime = MONTH }, sample_submit,
	  500, { 3125, 12500, 50000 } },
	{ "exempt", "running", "two queues: n jobs run, whose exemptions are over",
	  exempt_build, { 0 }, sample_submit, 500, { 3125, 12500, 50000 } },
	{ "elastic", "running", "two queues: n tasks of elastic arrays run, of which three may go",
	  elastic_build, { .min_runtime = MONTH }, sample_submit,
	  500, { 2500, 10000, 40000 } },
	{ "moves", "jobs", "n jobs evict one each, beside n that have quota of their own",
	  moves_build, { 0 }, sample_submit, 50, { 500, 1000, 2000 } },

	{ "flat", "queues", "n queues in one cohort that is full; nobody may evict",
	  flat_build, { .reclaim = POLICY_LOWER_PRIORITY }, sample_submit,
	  32, { 125, 250, 500 } },
	{ "reclaim", "queues", "n queues in one cohort; every other one reclaims",
	  flat_build, { .reclaim = POLICY_ANY }, sample_submit, 32, { 125, 250, 500 } },
	{ "mixed", "queues", "reclaim from lower of three priorities; half of the jobs are exempt",
	  flat_build, { .reclaim = POLICY_LOWER_PRIORITY, .mixed = true }, sample_submit,
	  32, { 40, 80, 160 } },
	{ "borrow", "queues", "reclaim; who evicts lower priorities may borrow",
	  flat_build, { .reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY },
	  sample_submit, 32, { 40, 80, 160 } },
	{ "over", "queues", "borrow; each queue uses twice what it has, with three priorities",
	  over_build, { .reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY,
			.mixed = true },
	  sample_submit, 32, { 40, 80, 160 } },
	{ "units", "queues", "reclaim; all jobs that run are evicted two by two",
	  flat_build, { .reclaim = POLICY_ANY, .units = true }, sample_submit,
	  32, { 125, 250, 500 } },
	{ "fair", "queues", "reclaim with fair sharing",
	  flat_build, { .reclaim = POLICY_ANY, .fair = true }, sample_submit,
	  16, { 50, 100, 200 } },
	{ "fair-tree", "queues", "fair in cohorts of eight queues below a root",
	  flat_build, { .reclaim = POLICY_ANY, .fair = true, .cohort_queues = 8 },
	  sample_submit, 32, { 50, 100, 200 } },
	{ "fair-mixed", "queues", "mixed with fair sharing",
	  flat_build, { .reclaim = POLICY_ANY, .fair = true, .mixed = true },
	  sample_submit, 32, { 40, 80, 160 } },
	{ "deep", "queues", "reclaim in 32 cohorts below each other",
	  flat_build, { .reclaim = POLICY_ANY, .depth = 32 }, sample_submit,
	  64, { 125, 250, 500 } },
	{ "shapes", "shapes", "10 queues: 20,000 jobs run, protected; n shapes wait",
	  shapes_build, { .reclaim = POLICY_ANY, .min_runtime = HOUR }, sample_submit,
	  10, { 20, 50, 100 } },
	{ "flavors", "flavors", "10 queues with n flavors of 16 resources, full of protected jobs",
	  flavors_build, { .reclaim = POLICY_ANY, .min_runtime = HOUR }, sample_submit,
	  2, { 4, 8, 16 } },
	{ "strict", "queues", "n strict queues whose first jobs wait, beside an array of 5,000",
	  strict_build, { .reclaim = POLICY_LOWER_PRIORITY }, sample_submit,
	  2, { 10, 20, 40 } },
	{ "together", "jobs", "10 queues lend all they have; n jobs wait in two of them at a time",
	  together_build, { .reclaim = POLICY_ANY }, sample_submit,
	  32, { 100, 400, 1600 } },
	{ "either", "jobs", "10 queues lend all they have; n jobs wait in one of five of them",
	  either_build, { .reclaim = POLICY_ANY }, sample_submit, 32, { 250, 1000, 4000 } },

	{ "reclaimable", "queues", "deep: what each of n queues could have back",
	  flat_build, { .reclaim = POLICY_ANY, .depth = 32 }, sample_reclaimable,
	  64, { 125, 500, 2000 } },
};

const size_t nworlds = sizeof(worlds) / sizeof(worlds[0]);

const struct world *world_find(const char *name)
{
	for (size_t i = 0; i < nworlds; i++) {
		if (!strcmp(worlds[i].name, name))
			return &worlds[i];
	}
	return NULL;
}

void world_open(const struct world *world, size_t n, struct site *s)
{
	world->build(s, n, world->plan);
}
