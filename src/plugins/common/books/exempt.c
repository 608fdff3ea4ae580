/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  exempt.c - until when a running job may not be evicted
 *
 *  The pass that started a job does not evict it: its queue may have more
 *  entries of the same job, by other partitions, and slurmctld would try these
 *  while the job is still being ended. Slurm does not tell when a pass is over.
 *  So such a job is exempt for a moment only. The moment is renewed as long as
 *  a scheduler tries jobs and no other pass has begun; a look at the records does
 *  not renew it. Its end wakes the jobs that wait for this job.
 *
 *  The main scheduler keeps its locks for a whole pass (_schedule() of 22.05.8,
 *  24.11.5 and 26.05.3). So where a job is tried as it is submitted, its pass is
 *  over. A cycle of backfill, which lets its locks go, may still be under way, so
 *  that those that backfill has started stay exempt. Another entry of a job that
 *  the main scheduler has started meanwhile is refused while that job ends (gate.c).
\*****************************************************************************/
#include "books/exempt.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "match/evict_terms.h"
#include "jobs/jobs.h"
#include "books/het.h"

/* The clock counts whole seconds, so this is one at least. */
#define MOMENT 2

static struct {
	uint32_t *ids;
	size_t n, size;
	time_t until;			/* the earliest end of these moments */
	bool by_backfill;		/* one of them */
} started;

extern int64_t exempt_until(struct job *job)
{
	int64_t until = evict_exempt_until(job->job_ptr);
	bool just_started = started.n && (run_of(job)->started_in == pass_begun());

	if (het_is_mixed(job))
		return INT64_MAX;
	return just_started ? MAX(until, ns_of(started.until)) : until;
}

/* None of the other terms has changed. */
static void _exempt(struct job *job)
{
	struct eviction_terms terms;

	workload_terms(job->first.work, &terms);
	terms.exempt_until = exempt_until(job);
	(void) engine_set_terms(ctld.engine, job->first.work, &terms);
}

extern void exempt_started(struct job *job)
{
	if (!ctld_enforces())	/* we evict no job */
		return;
	job_get_run(job)->started_in = pass_begun();
	if (started.n == started.size) {
		started.size = started.size ? started.size * 2 : 64;
		xrecalloc(started.ids, started.size, sizeof(*started.ids));
	}
	if (!started.n)
		started.until = time(NULL) + MOMENT;
	started.ids[started.n++] = job->job_id;
	started.by_backfill |= compat_in_backfill();
	_exempt(job);
}

/* Of all that have started, as long as they run */
static void _each_started(size_t n, void (*f)(struct job *job))
{
	for (size_t i = 0; i < n; i++) {
		struct job *job = jobs_find(started.ids[i]);

		if (job && job_runs(job) && jobs_record(job))
			f(job);
	}
}

/* Others may start before the next pass begins: it is none of these any more. */
static void _forget(struct job *job)
{
	job_get_run(job)->started_in = 0;
	_exempt(job);
}

extern bool exempt_any_started(void)
{
	return started.n && (time(NULL) < started.until);
}

extern void exempt_renew_started(void)
{
	time_t now = time(NULL);

	if (!started.n || (now + 1 < started.until))
		return;
	started.until = now + MOMENT;
	_each_started(started.n, _exempt);
}

extern void exempt_forget_started(void)
{
	size_t n = started.n;

	started.n = 0;
	started.by_backfill = false;
	_each_started(n, _forget);
}

extern void exempt_note_submission(void)
{
	if (!started.by_backfill)
		exempt_forget_started();
}
