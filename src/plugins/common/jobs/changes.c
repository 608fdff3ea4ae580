/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  changes.c - do the jobs that waited by the plan still wait?
\*****************************************************************************/
#include "jobs/changes.h"

#include "state/job.h"

/* Settled ones stand from the beginning on, open ones from the end on. */
static struct {
	struct job **jobs;
	size_t size;
	struct job_list settled, open;
	bool listed;
} changes = { .settled.step = 1, .open.step = -1 };

uint64_t changes_counted;

extern const struct job_list *changes_settled(void)
{
	return &changes.settled;
}

extern const struct job_list *changes_open(void)
{
	return &changes.open;
}

static void _leave(struct job *job)
{
	struct job_list *list = job->settled ? &changes.settled : &changes.open;
	struct job *last;

	if (!job->listed)
		return;
	last = *job_list_at(list, --list->n);
	*job_list_at(list, job->listed - 1) = last;
	last->listed = job->listed;
	job->listed = 0;
	job->settled = false;
}

/* There may be hundreds of thousands: it grows by a quarter. */
static void _grow(void)
{
	size_t size = changes.size + MAX(changes.size / 4, 256);
	struct job **jobs = xcalloc(size, sizeof(*jobs));

	if (changes.size) {
		memcpy(jobs, changes.jobs, changes.settled.n * sizeof(*jobs));
		memcpy(jobs + size - changes.open.n,
		       changes.jobs + changes.size - changes.open.n,
		       changes.open.n * sizeof(*jobs));
	}
	xfree(changes.jobs);
	changes.jobs = jobs;
	changes.size = size;
	changes.settled.first = jobs;
	changes.open.first = jobs + size - 1;
}

static void _join(struct job *job, bool settled)
{
	struct job_list *list = settled ? &changes.settled : &changes.open;

	if (job->listed && (job->settled == settled))
		return;
	_leave(job);
	if (changes.settled.n + changes.open.n == changes.size)
		_grow();
	*job_list_at(list, list->n++) = job;
	job->listed = (uint32_t) list->n;
	job->settled = settled;
}

extern void changes_note(struct job *job)
{
	changes_counted++;
	_join(job, false);
}

extern void changes_settle(struct job *job)
{
	_join(job, true);
}

extern void changes_reopen(struct job *job)
{
	_join(job, false);
}

extern void changes_forget(struct job *job)
{
	_leave(job);
}

static void _empty(struct job_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct job *job = *job_list_at(list, i);

		job->listed = 0;
		job->settled = false;
	}
	list->n = 0;
}

extern void changes_forget_all(void)
{
	changes_counted++;
	changes.listed = false;
	_empty(&changes.settled);
	_empty(&changes.open);
}

extern void changes_listed(void)
{
	changes.listed = true;
}

extern bool changes_are_listed(void)
{
	return changes.listed;
}
