/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  changes.c - do the jobs that waited by the plan still wait?
\*****************************************************************************/
#include "jobs/changes.h"

#include "state/job.h"

static struct {
	struct job_list settled, open;
	bool listed;
} changes;

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
	last = list->jobs[--list->n];
	list->jobs[job->listed - 1] = last;
	last->listed = job->listed;
	job->listed = 0;
	job->settled = false;
}

static void _join(struct job *job, bool settled)
{
	struct job_list *list = settled ? &changes.settled : &changes.open;

	if (job->listed && (job->settled == settled))
		return;
	_leave(job);
	if (list->n == list->size) {
		list->size = MAX(2 * list->size, 256);
		xrecalloc(list->jobs, list->size, sizeof(*list->jobs));
	}
	list->jobs[list->n++] = job;
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
		list->jobs[i]->listed = 0;
		list->jobs[i]->settled = false;
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
