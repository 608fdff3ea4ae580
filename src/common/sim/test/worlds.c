/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test worlds: every eviction is progress
 *
 * Random worlds, and loads as sites have them, are played to their end by the engine and
 * the simulation (doc/how-it-decides.md, section 6). Each has to end, with no more
 * evictions and decisions than the proof says; each job that could start alone ends; each
 * preemptor starts; no victim starts again while nothing else has moved.
 * COHORT_SEEDS=N plays N worlds, from COHORT_SEED on; COHORT_TELL=1 tells what happens.
 * The simulation keeps no nodes for a preemptor whose victims leave, so what is evicted for
 * nodes may start again.
 */
#include <inttypes.h>
#include <stdio.h>

#include "random/progress_world.h"
#include "random/draw.h"

/* What has happened to a job, or to all tasks of an array */
struct record {
	int64_t lost, turns;		/* evictions, but for pure reclaims; ends of turns */
	int64_t decisions;
	int64_t ended;			/* tasks */
	bool evicts;			/* it has told victims to leave, and has not started */
	uint64_t evicts_at;		/* the number of changes of quotas then */
	uint64_t moved;			/* how much had moved when it was evicted last; 0: it
					 * was not */
	int flavor;			/* where that was */
};

struct play {
	const struct progress_world *pw;
	struct record records[PROGRESS_JOBS];
	uint64_t moves;			/* starts and ends so far */
	int64_t evictions, fixed_starts;
	int64_t ended_at;
	char wrong[128];
};

static void wrong(struct play *p, const char *what, size_t job)
{
	if (!*p->wrong)
		snprintf(p->wrong, sizeof(p->wrong), "%s: job %zu", what, job);
}

/* Changes of quotas so far */
static uint64_t changes_by(const struct spec *spec, int64_t at)
{
	uint64_t n = 0;

	for (size_t i = 0; i < spec->nperiods; i++)
		n += (spec->periods[i].from <= at) + (spec->periods[i].until <= at);
	return n;
}

/* Starts, ends and changes of quotas so far */
static uint64_t moves_by(const struct play *p, int64_t at)
{
	return p->moves + changes_by(p->pw->spec, at);
}

static void evict_note(struct play *p, const struct sim_event *event, size_t job)
{
	struct record *victim = &p->records[job];
	struct record *by = &p->records[(size_t) (uintptr_t) event->by - 1];

	p->evictions++;
	victim->moved = moves_by(p, event->at);
	victim->flavor = event->charges->flavor;
	if (event->reason == VICTIM_TIME_BASED)
		victim->turns++;
	else
		victim->lost += !event->pure;
	by->decisions += !by->evicts;
	by->evicts = true;
	by->evicts_at = changes_by(p->pw->spec, event->at);
}

static void event_note(void *arg, const struct sim_event *event)
{
	struct play *p = arg;
	size_t job = (size_t) (uintptr_t) event->owner - 1;
	struct record *r = &p->records[job];
	const struct sim_desc *d = &p->pw->jobs[job].desc;

	if (getenv("COHORT_TELL"))
		printf("# %.0f: %s job %zu%s%" PRIdPTR "\n", (double) event->at / 1e9,
		       (const char *[]) { "start", "evict", "gone", "end" }[event->kind],
		       job, event->by ? " for " : " of ", (intptr_t) event->by - 1);
	switch (event->kind) {
	case SIM_START:
		if (r->moved == moves_by(p, event->at) && d->work.tasks == 1
		    && event->charges->flavor == r->flavor && !p->pw->room)
			wrong(p, "it starts again, and nothing has moved", job);
		r->evicts = false;
		p->fixed_starts += d->work.nonpreemptible;
		p->moves++;
		break;
	case SIM_EVICT:
		evict_note(p, event, job);
		break;
	case SIM_END:
		r->ended++;
		p->moves++;
		break;
	case SIM_GONE:
		break;
	}
}

/* All jobs; or only that one, with all of its components, from that time on */
static struct sim *world_begin(const struct progress_world *pw, struct play *p,
			       size_t only, int64_t from)
{
	struct sim_options options = {
		.requeue_time = pw->requeue_time, .event = event_note, .arg = p,
	};
	struct sim_job *jobs[PROGRESS_JOBS] = { NULL };
	struct sim *sim = sim_create(pw->spec, 0, &options);

	*p = (struct play) { .pw = pw, .moves = 1 };
	assert_non_null(sim);
	for (size_t i = 0; i < pw->nflavors && pw->room; i++)
		sim_room(sim, (int) i, 0, pw->room);
	for (size_t i = 0; i < pw->njobs; i++) {
		const struct progress_job *job = &pw->jobs[i];

		if (only < pw->njobs && only != i && !(job->with && job->with - 1 == only)
		    && pw->jobs[only].with != i + 1)
			continue;
		jobs[i] = sim_submit(sim, max64(job->come, from), &job->desc);
		assert_non_null(jobs[i]);
		if (job->with && jobs[job->with - 1])
			assert_int_equal(sim_bind(sim, jobs[i], jobs[job->with - 1],
						  BOND_TOGETHER), 0);
	}
	return sim;
}

/* False: it goes on for too long. Where usage counts there are steps in which nothing
 * happens, without end if a job can't start. */
static bool play_on(struct sim *sim, const struct play *p)
{
	uint64_t before = 0;

	for (size_t idle = 0; idle < 50000; idle++) {
		uint64_t now = p->moves + (uint64_t) p->evictions;

		if (now != before)
			idle = 0;
		before = now;
		if (sim_step(sim, 0) <= 0)
			return true;
		if (p->evictions > 100 * (int64_t) p->pw->njobs)
			return false;
	}
	return true;
}

/* At the end, with the quotas of then */
static bool starts_alone(const struct progress_world *pw, size_t job, int64_t end)
{
	static struct play p;
	struct sim *sim = world_begin(pw, &p, job, end);

	(void) play_on(sim, &p);
	sim_destroy(sim);
	return p.records[job].ended == pw->jobs[job].desc.work.tasks;
}

/* One decision for each number of evictions before a job only decides for what its queue
 * owns; after that a decision is followed by a settled run, which ends by jobs of its own
 * queue, by its turn, or when no run is settled any more. */
static int64_t decisions_most(const struct play *p, size_t job, const struct spec_queue *q)
{
	int64_t clears = 2 * (int64_t) p->pw->spec->nperiods + p->fixed_starts;
	int64_t tasks = p->pw->jobs[job].desc.work.tasks;

	return (max64(3, q->yield_after) + 1 + q->max_preemptions + clears) * tasks
	       + p->records[job].turns;
}

/* A job that never starts, and is not known never to, may keep a StrictFIFO queue, or quota,
 * from others for ever: that is no matter of evictions. So it is with nodes, with several
 * resources and with components. Which flavor is left for a component depends on which one has
 * its turn first, and that on the other jobs. */
static bool is_hopeless(const struct play *p)
{
	const struct progress_world *pw = p->pw;

	for (size_t i = 0; i < pw->njobs; i++) {
		if (p->records[i].ended)
			continue;
		if ((pw->jobs[i].with && pw->nflavors > 1)
		    || ((pw->room || pw->spec->nresources > 1 || pw->jobs[i].with)
			&& !starts_alone(pw, i, p->ended_at)))
			return true;
	}
	return false;
}

static void play_judge(struct play *p)
{
	const struct progress_world *pw = p->pw;
	bool hopeless = is_hopeless(p);

	for (size_t i = 0; i < pw->njobs; i++) {
		const struct workload_desc *d = &pw->jobs[i].desc.work;
		const struct spec_queue *q = &pw->spec->queues[d->queue];
		const struct record *r = &p->records[i];

		if (r->lost > q->max_preemptions * d->tasks)
			wrong(p, "it is evicted by others than owners too often", i);
		if (r->decisions > decisions_most(p, i, q))
			wrong(p, "it decides too often", i);
		if (r->evicts && r->ended < d->tasks
		    && r->evicts_at == changes_by(pw->spec, p->ended_at))
			wrong(p, "it evicts and does not start", i);
		if (r->ended < d->tasks && !hopeless && !*p->wrong
		    && starts_alone(pw, i, p->ended_at))
			wrong(p, "it never ends, but would alone", i);
	}
}

/* Returns how many evictions there were */
static int64_t world_play(const struct progress_world *pw, uint64_t seed, size_t *failed)
{
	static struct play p;
	struct sim *sim = world_begin(pw, &p, SIZE_MAX, 0);
	bool ends = play_on(sim, &p);

	p.ended_at = sim_now(sim);
	if (!ends)
		wrong(&p, "no end", 0);
	else
		play_judge(&p);
	sim_destroy(sim);
	if (*p.wrong) {
		printf("# COHORT_SEED=%" PRIu64 ": %s\n", seed, p.wrong);
		progress_world_tell(pw);
		++*failed;
	}
	return p.evictions;
}

static void test_worlds(void **state)
{
	const char *from = getenv("COHORT_SEED");
	uint64_t first = from ? strtoull(from, NULL, 10) : 1, n = seeds_wanted(1000);
	int64_t evictions = 0;
	size_t failed = 0;

	for (uint64_t seed = first; seed < first + n && failed < 20; seed++) {
		struct progress_world *pw = progress_world_draw(seed);

		evictions += world_play(pw, seed, &failed);
		progress_world_free(pw);
	}
	printf("# %" PRIu64 " worlds, %" PRId64 " evictions\n", n, evictions);
	assert_int_equal(failed, 0);
}

/* 60 jobs of one to eight CPUs in three queues of eight, from half an hour to four hours:
 * without the rules some of these have no end. */
static void test_loads(void **state)
{
	static const char *const names[] = { "classical", "fair", "fair, final",
					     "borrowWithinCohort" };
	uint64_t n = 10;

	for (int row = 0; row < 4; row++) {
		int64_t sum = 0, most = 0;
		size_t failed = 0;

		for (uint64_t seed = 1; seed <= n; seed++) {
			struct progress_world *pw = progress_world_load(seed, row);
			int64_t evictions = world_play(pw, seed, &failed);

			progress_world_free(pw);
			sum += evictions;
			most = max64(most, evictions);
		}
		printf("# %s: mean %.1f evictions, most %" PRId64 "\n", names[row],
		       (double) sum / (double) n, most);
		assert_int_equal(failed, 0);
		assert_true(sum <= 80 * (int64_t) n && most <= 150);
	}
}

TESTS(cmocka_unit_test(test_worlds), cmocka_unit_test(test_loads))
