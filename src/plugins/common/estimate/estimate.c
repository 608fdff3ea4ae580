/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  estimate.c - when waiting jobs will start, for squeue --start
 *
 *  When something has changed, a thread of its own plays the cluster forward
 *  with no lock held, and puts the times where squeue finds them. Backfill
 *  clears all these times at the beginning of a cycle, so they are put back
 *  when the pass marks the waiting jobs. Jobs that wait for nodes keep the time
 *  that backfill gives, if it gives one and no job may be evicted for them
 *  before.
\*****************************************************************************/
#include <stdatomic.h>

#include "estimate/estimate.h"

#include "slurm/worker.h"
#include "match/match.h"
#include "record/record.h"
#include "jobs/jobs.h"

/* The thread may be busy for one part in so many of the time, and one play for
 * no longer than that. */
#define PARTS 10
#define ONE_PLAY (5 * SPEC_SEC)
/* Backfill brings its own times up to date each half a minute. Where a play is dear the
 * next one may wait that long, if the thread is busy for a thousandth of the time then. */
#define CALM_PARTS 1000
#define CALM_SECONDS 30
/* A new time that differs by less than this part of the time from now is not shown. */
#define DRIFT_PARTS 50
#define DRIFT_SECONDS 2

static int64_t _round(void);

struct worker estimator = WORKER(.name = "cohort_estimate", .round = _round);

static struct {
	atomic_bool due;		/* something has changed */
	int64_t next;			/* not before, by CLOCK_MONOTONIC */
	time_t interval;
	int64_t begun;			/* CPU time of the thread, ns */
	time_t outdated;		/* what was played last tells no more from then on; 0 */
} estimate;

extern void estimate_due(void)
{
	estimate.due = true;
	worker_wake(&estimator);
}

/* ---- what is new ---- */

static bool _is_news(const struct job *job, time_t at, time_t now)
{
	time_t slack = MAX((at - now) / DRIFT_PARTS, DRIFT_SECONDS);

	return !job->estimate || !at || (job->estimate < now) ||
		(at > job->estimate + slack) || (at < job->estimate - slack);
}

/* The job, if it is still in line: it may have been held, for example, since
 * the outlook was taken. Else NULL */
static struct job *_in_line(uint32_t job_id, time_t now)
{
	struct job *job = jobs_find(job_id);

	return job && job_waits(job) && jobs_record(job) && IS_JOB_PENDING(job->job_ptr) &&
		job_is_in_line(job->job_ptr, now, false) ? job : NULL;
}

/* at: when it starts; 0: not known. queue: a job with several entries notes which of its
 * cluster queues that is in. */
static void _note(struct job *job, time_t at, bool evicts, int queue, time_t now)
{
	if (_is_news(job, at, now))
		job->estimate = job_time(at);
	job->estimate_evicts = evicts;
	job->estimate_queue = queue;
	shown_update_start(job);
}

static void _learn_all(const struct outlook *outlook)
{
	time_t now = time(NULL), at;
	struct job *job;

	estimate.outdated = 0;
	for (size_t i = 0; i < outlook->nwaiting; i++) {
		const struct sim_job *played = outlook->waiting[i].job;

		if (!(job = _in_line(outlook->waiting[i].job_id, now)))
			continue;
		at = sim_job_started(played) == SIM_NOT_YET ? 0 :
			MAX(time_of(sim_job_started(played)), now);
		if (at && (!estimate.outdated || (at < estimate.outdated)))
			estimate.outdated = at;
		_note(job, at, sim_job_evicts(played), sim_job_started_in(played), now);
	}
	planned_choose(now);
}

/* ---- the thread ---- */

static int64_t _cost(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - estimate.begun;
}

/* A time that has come, and has not come true, is no estimate any more. */
static bool _is_outdated(void)
{
	return estimate.outdated && (time(NULL) >= estimate.outdated);
}

/* Does any job wait? *any_nodes: is any node available? Without nodes nobody starts, as after
 * a start of slurmctld before the first one has answered, and that need not be played. */
static bool _take(struct outlook *outlook, bool *any_nodes)
{
	bool taken = false;

	if (!control_lock())
		return false;
	estimate.interval = ctld.conf->update_interval / SPEC_SEC;
	*any_nodes = bit_ffs(avail_node_bitmap) >= 0;
	if (ctld_enforces())
		taken = outlook_take(outlook, SPEC_NONE) && outlook->nwaiting;
	control_unlock();
	return taken;
}

static bool _costs_enough(void *arg UNUSED)
{
	return _cost() > ONE_PLAY;
}

/* Jobs without an estimate because the play has ended before */
static size_t _too_far(const struct outlook *outlook)
{
	return sim_next(outlook->sim) == SIM_FOREVER ? 0 :
		sim_unstarted(outlook->sim);
}

static void _write(const struct outlook *outlook, bool played, uint32_t term)
{
	if (!control_lock())
		return;
	if (ctld_enforces() && control_is_in(term))
		_learn_all(outlook);
	if (played) {
		count_work(WORK_PLAY);
		ctld.work[WORK_TOO_FAR] = _too_far(outlook);
		ctld.work[WORK_PLAY_CUT] += ctld.work[WORK_TOO_FAR] != 0;
	}
	ctld.work[WORK_PLAY_NS] += _cost();
	control_unlock();
}

static time_t _rest(int64_t cost)
{
	time_t calm = MIN(time_of(sat_mul(cost, CALM_PARTS)), CALM_SECONDS);

	return MAX(MAX(estimate.interval, calm), time_of(sat_mul(cost, PARTS)));
}

static void _estimate(void)
{
	uint64_t begin = clock_usec(), taken, played;
	uint32_t term = control_term();
	struct outlook outlook = { 0 };
	bool any_nodes;

	estimate.begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (_take(&outlook, &any_nodes)) {
		taken = clock_usec();
		outlook.enough = _costs_enough;
		if (any_nodes && (outlook_play(&outlook, NULL) < 0))
			error(PREFIX "estimates: %m");
		played = clock_usec();
		_write(&outlook, any_nodes, term);
		debug(PREFIX "estimates of %zu jobs, %zu of them too far away: %"PRIu64" us to take, %"PRIu64" to play, %"PRIu64" to write, CPU time %"PRId64" us",
		      outlook.nwaiting, _too_far(&outlook), taken - begin,
		      played - taken, clock_usec() - played, _cost() / 1000);
	} else if (_is_outdated()) {	/* nobody waits for it */
		estimate.outdated = 0;
	}
	outlook_free(&outlook);
	estimate.next = clock_ns(CLOCK_MONOTONIC) + ns_of(_rest(_cost()));
}

static int64_t _round(void)
{
	if ((estimate.due || _is_outdated()) && (clock_ns(CLOCK_MONOTONIC) >= estimate.next)) {
		estimate.due = false;
		_estimate();
	}
	return MAX(estimate.next - clock_ns(CLOCK_MONOTONIC), SPEC_SEC);
}
