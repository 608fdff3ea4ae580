/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  keep.c - jobs of which the state file may have something to tell
\*****************************************************************************/
#include "state/keep.h"

static struct job *first;

extern void keep_note(struct job *job)
{
	struct run *run = job_get_run(job);

	if (run->keep_at)
		return;
	run->keep_next = first;
	run->keep_at = &first;
	if (first)
		job_run(first)->keep_at = &run->keep_next;
	first = job;
}

extern bool keep_has_moved(const struct job *job, const job_record_t *job_ptr)
{
	return job_ptr->details &&
		(job->order_at != job_ptr->details->submit_time);
}

extern void keep_note_if_moved(struct job *job)
{
	if (keep_has_moved(job, job->job_ptr))
		keep_note(job);
}

extern void keep_forget(struct job *job)
{
	struct run *run = job_run(job);

	if (!run || !run->keep_at)
		return;
	*run->keep_at = run->keep_next;
	if (run->keep_next)
		job_run(run->keep_next)->keep_at = run->keep_at;
	run->keep_next = NULL;
	run->keep_at = NULL;
}

extern void keep_each(bool (*f)(struct job *job, void *arg), void *arg)
{
	struct job *job = first;

	while (job) {
		struct job *next = job_run(job)->keep_next;

		if (!f(job, arg))
			keep_forget(job);
		job = next;
	}
}
