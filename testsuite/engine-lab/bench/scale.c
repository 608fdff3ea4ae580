/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scale.c - engine-lab bench --scale: what a plan costs in a large cluster
 *
 * Times the first plan, then the plan after each of many single events, and the
 * look-up of a place in the queue; for more and more waiting jobs in the same
 * queues. Plans after events are timed in CPU time of this process, so that
 * other load on the machine does not count, and by the wall clock as well.
 * Counts what is allocated meanwhile. Goals are printed beside the results; a
 * missed goal is no failure.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <json.h>

#include "bench/bench.h"
#include "bench/world.h"
#include "measure/allocations.h"
#include "measure/clock.h"
#include "measure/growth.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "query.h"

#define EVENTS 10000
#define WARM_UP 2000
#define LOOKUPS 100000
#define SETTLE_ROUNDS 100
#define MAX_SCALES 4
#define SEED UINT64_C(20250521)

/* Times of one kind of event, and of all */
struct latency {
	int64_t samples[EVENTS];
	size_t n;
	int64_t p50, p99, max, mean;
};

struct scale {
	struct world_size size;
	size_t waiting, running;	/* after the first starts are over */
	int64_t build, first_plan;	/* ns */
	int64_t memory;			/* peak until the first plan, bytes */
	struct latency all, kinds[NEVENTS];	/* plans, in CPU time */
	struct latency wall;		/* plans, by the clock on the wall */
	double position;		/* mean, ns */
	uint64_t plan_allocations;	/* during all the plans */
	uint64_t event_allocations;
};

/* Peak resident size of this process */
static int64_t memory_peak(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (int64_t) usage.ru_maxrss * 1024;
}

static void latency_add(struct latency *l, int64_t ns)
{
	l->samples[l->n++] = ns;
}

static void latency_close(struct latency *l)
{
	int64_t sum = 0;

	if (!l->n)
		return;
	l->p50 = median(l->samples, l->n);	/* sorts */
	l->p99 = l->samples[(l->n - 1) * 99 / 100];
	l->max = l->samples[l->n - 1];
	for (size_t i = 0; i < l->n; i++)
		sum += l->samples[i];
	l->mean = sum / (int64_t) l->n;
}

static void jobs_count(const struct world *w, struct scale *s)
{
	s->waiting = s->running = 0;
	for (size_t q = 0; q < w->size.queues; q++) {
		s->waiting += w->waiting[q].n;
		s->running += w->running[q].n;
	}
}

/* ---- measuring ---- */

/* One event and the plan after it */
static int event_time(struct world *w, struct scale *s, bool warm_up)
{
	uint64_t before = allocations_count();
	int64_t planned, used;
	int kind = world_event(w);
	uint64_t between = allocations_count();

	if (kind < 0)
		return -1;
	used = clock_cpu();
	planned = clock_wall();
	engine_plan(w->engine, w->now);
	if (warm_up)
		return 0;
	s->plan_allocations += allocations_count() - between;
	s->event_allocations += between - before;
	latency_add(&s->wall, clock_wall() - planned);
	used = clock_cpu() - used;
	latency_add(&s->all, used);
	latency_add(&s->kinds[kind], used);
	return 0;
}

static int events_time(struct world *w, struct scale *s)
{
	for (int i = 0; i < WARM_UP + EVENTS; i++) {
		if (event_time(w, s, i < WARM_UP) < 0)
			return -1;
	}
	latency_close(&s->all);
	latency_close(&s->wall);
	for (int k = 0; k < NEVENTS; k++)
		latency_close(&s->kinds[k]);
	return 0;
}

/* The jobs are chosen before, so that only the look-ups are timed. */
static int positions_time(struct world *w, struct scale *s)
{
	const struct workload **jobs = calloc(LOOKUPS, sizeof(*jobs));
	int64_t start, total, sum = 0;

	if (!jobs)
		return -1;
	for (size_t i = 0; i < LOOKUPS; i++) {
		const struct job *job = world_waiting(w);

		jobs[i] = job ? job->workload : NULL;
	}
	start = clock_wall();
	for (size_t i = 0; i < LOOKUPS && jobs[i]; i++) {
		sum += engine_place(w->engine, jobs[i], &total);
	}
	s->position = (double) (clock_wall() - start) / LOOKUPS;
	free(jobs);
	return sum > 0 ? 0 : -1;
}

static int scale_measure(const struct world_size *size, struct scale *s)
{
	int64_t start = clock_wall();
	struct world *w = world_create(size, SEED);
	int rc = -1;

	if (!w)
		return -1;
	s->size = *size;
	s->build = clock_wall() - start;
	start = clock_wall();
	engine_plan(w->engine, w->now);
	s->first_plan = clock_wall() - start;
	s->memory = memory_peak();
	if (world_settle(w, SETTLE_ROUNDS) < 0)
		goto out;
	jobs_count(w, s);
	if (events_time(w, s) == 0 && positions_time(w, s) == 0)
		rc = 0;
out:
	world_destroy(w);
	return rc;
}

/* Of the p99 or the mean of plans with the number of waiting jobs */
static double growth(const struct scale *s, size_t n, bool worst)
{
	double waiting[MAX_SCALES], ns[MAX_SCALES];

	for (size_t i = 0; i < n; i++) {
		waiting[i] = (double) s[i].size.waiting;
		ns[i] = (double) (worst ? s[i].all.p99 : s[i].all.mean);
	}
	return growth_exponent(waiting, ns, n);
}

/* ---- printing ---- */

static void row_print(const struct scale *s)
{
	printf("%9zu %9zu %9zu %8.2f %8.1f %7.0f %8.1f %8.1f %8.1f %8.1f %8.2f\n",
	       s->size.waiting, s->waiting, s->running, s->build / 1e9,
	       s->first_plan / 1e6, s->memory / 1e6, s->all.p50 / 1e3,
	       s->all.p99 / 1e3, s->all.max / 1e3, s->wall.p99 / 1e3,
	       s->position / 1e3);
	fflush(stdout);
}

static void kinds_print(const struct scale *s)
{
	printf("\n%-10s %8s %10s %10s %10s %10s\n", "after", "events",
	       "mean us", "p50 us", "p99 us", "max us");
	for (int k = 0; k < NEVENTS; k++) {
		const struct latency *l = &s->kinds[k];

		printf("%-10s %8zu %10.1f %10.1f %10.1f %10.1f\n",
		       event_names[k], l->n, l->mean / 1e3, l->p50 / 1e3,
		       l->p99 / 1e3, l->max / 1e3);
	}
}

struct goal {
	const char *name;
	double goal, measured;
	const char *unit;
};

static void goals_print(const struct goal *goals, size_t n)
{
	printf("\n%-34s %12s %12s\n", "goal", "at most", "measured");
	for (size_t i = 0; i < n; i++)
		printf("%-34s %9.3g %-2s %9.3g %-2s  %s\n", goals[i].name,
		       goals[i].goal, goals[i].unit, goals[i].measured,
		       goals[i].unit,
		       goals[i].measured <= goals[i].goal ? "met" : "MISSED");
}

static void put_int(struct json_object *o, const char *key, int64_t value)
{
	json_object_object_add(o, key, json_object_new_int64(value));
}

static void put_double(struct json_object *o, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", value);
	json_object_object_add(o, key, json_object_new_double_s(value, text));
}

static struct json_object *scale_json(const struct scale *s)
{
	struct json_object *o = json_object_new_object();
	const struct {
		const char *key;
		int64_t value;
	} numbers[] = {
		{ "clusterQueues", s->size.queues },
		{ "waiting", s->size.waiting },
		{ "running", s->size.running },
		{ "buildNs", s->build },
		{ "firstPlanNs", s->first_plan },
		{ "peakBytes", s->memory },
		{ "events", s->all.n },
		{ "planP50Ns", s->all.p50 },
		{ "planP99Ns", s->all.p99 },
		{ "planMaxNs", s->all.max },
		{ "planMeanNs", s->all.mean },
		{ "planWallP50Ns", s->wall.p50 },
		{ "planWallP99Ns", s->wall.p99 },
		{ "planAllocations", s->plan_allocations },
		{ "eventAllocations", s->event_allocations },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		put_int(o, numbers[i].key, numbers[i].value);
	put_double(o, "positionNs", s->position);
	return o;
}

static void scale_report(const struct scale *s, size_t n)
{
	const struct scale *last = &s[n - 1];
	const struct goal goals[] = {
		{ "first plan", 1, last->first_plan / 1e9, "s" },
		{ "peak memory until then", 1, last->memory / 1e9, "GB" },
		{ "plan after one event, p99", 1, last->all.p99 / 1e6, "ms" },
		{ "look-up of a position", 5, last->position / 1e3, "us" },
		{ "allocations in plans", 0, (double) last->plan_allocations, "" },
		{ "exponent of growth, mean", 0.2, growth(s, n, false), "" },
		{ "exponent of growth, p99", 0.2, growth(s, n, true), "" },
	};
	size_t ngoals = sizeof(goals) / sizeof(goals[0]) - (n > 1 ? 0 : 2);
	struct json_object *all = json_object_new_object();
	struct json_object *rows = json_object_new_array();

	kinds_print(last);
	goals_print(goals, ngoals);
	for (size_t i = 0; i < n; i++)
		json_object_array_add(rows, scale_json(&s[i]));
	json_object_object_add(all, "scale", rows);
	if (n > 1) {
		put_double(all, "exponentMean", growth(s, n, false));
		put_double(all, "exponentP99", growth(s, n, true));
	}
	puts(json_object_to_json_string_ext(all, JSON_C_TO_STRING_PLAIN));
	json_object_put(all);
}

int bench_scale(size_t waiting)
{
	static const size_t growing[MAX_SCALES] = { 1000, 10000, 100000, 1000000 };
	size_t n = waiting ? 1 : MAX_SCALES;
	struct scale *scales = calloc(n, sizeof(*scales));
	int status = scales ? STATUS_OK : STATUS_FAILED;

	printf("%9s %9s %9s %8s %8s %7s %8s %8s %8s %8s %8s\n", "submitted",
	       "waiting", "running", "build s", "first ms", "MB", "p50 us",
	       "p99 us", "max us", "wall p99", "look us");
	for (size_t i = 0; status == STATUS_OK && i < n; i++) {
		struct world_size size = {
			.queues = 1000,
			.running = 100000,
			.waiting = waiting ? waiting : growing[i],
		};

		if (scale_measure(&size, &scales[i]) < 0)
			status = STATUS_FAILED;
		else
			row_print(&scales[i]);
	}
	if (status == STATUS_OK)
		scale_report(scales, n);
	else
		stderr_line("engine-lab: %s", strerror(errno));
	free(scales);
	return status;
}
