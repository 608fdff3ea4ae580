/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fresh.c - whom the present pass has started
 *
 *  Nobody is evicted by the pass that started him: its queue may have more
 *  entries of the same job, by other partitions, and slurmctld would try these
 *  while the job is still being ended. Nobody tells us when a pass is over. So
 *  such a job is exempt for a moment only, which is renewed as long as jobs are
 *  tried and no other pass has begun; whoever waits for it is woken by its end.
\*****************************************************************************/
#include "books/fresh.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "books/books.h"
#include "books/jobs.h"

/* The clock counts whole seconds, so this is one at least. */
#define MOMENT 2

static struct {
	uint32_t *ids;
	size_t n, size;
	time_t until;			/* the earliest end among them */
} fresh;

extern int64_t fresh_until(const struct job *job)
{
	return job->started_in == pass_begun() ?
		ns_of(time(NULL) + MOMENT) : 0;
}

/* No other of the terms has changed. */
static void _exempt(struct job *job)
{
	struct eviction_terms terms;

	workload_terms(job->work, &terms);
	terms.exempt_until = books_exempt_until(job);
	(void) engine_set_terms(ctld.engine, job->work, &terms);
}

extern void fresh_add(struct job *job)
{
	if (!ctld_enforces())	/* nobody is evicted by us */
		return;
	job->started_in = pass_begun();
	if (fresh.n == fresh.size) {
		fresh.size = fresh.size ? fresh.size * 2 : 64;
		xrecalloc(fresh.ids, fresh.size, sizeof(*fresh.ids));
	}
	if (!fresh.n)
		fresh.until = time(NULL) + MOMENT;
	fresh.ids[fresh.n++] = job->job_id;
	_exempt(job);
}

extern void fresh_renew(void)
{
	time_t now = time(NULL);

	if (!fresh.n || (now + 1 < fresh.until))
		return;
	fresh.until = now + MOMENT;
	for (size_t i = 0; i < fresh.n; i++) {
		struct job *job = jobs_find(fresh.ids[i]);

		if (job && job->work && workload_running(job->work) &&
		    jobs_record(job))
			_exempt(job);
	}
}

extern bool fresh_forget(void)
{
	bool any = fresh.n;

	fresh.n = 0;
	return any;
}
