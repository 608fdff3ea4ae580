/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  shown.c - what squeue shows of our jobs: a text as REASON, a time as START_TIME
\*****************************************************************************/
#include "record/record.h"

/* ---- reason ---- */

/* A place in line, with what the job waits for */
static void _clear_place(job_record_t *job_ptr)
{
	const char *text = job_ptr->state_desc;

	/* most have none of ours, and each pass asks of all that may start */
	if (!text || (text[0] != SHOWN_REASON[0]) ||
	    xstrncmp(text, SHOWN_REASON, strlen(SHOWN_REASON)) || !xstrcmp(text, SHOWN_UNTRIED))
		return;
	xfree(job_ptr->state_desc);
	last_job_update = time(NULL);
}

extern void shown_clear_reason(struct job *job)
{
	if (job->job_ptr)
		_clear_place(job->job_ptr);
	job->reason_at = 0;
}

extern bool shown_is_there(const struct job *job)
{
	static const char place[] = SHOWN_REASON "pos=";

	return !xstrncmp(job->job_ptr->state_desc, place, strlen(place));
}

static bool _is_slurms(const char *text)
{
	return text && xstrncmp(text, SHOWN_REASON, strlen(SHOWN_REASON));
}

extern void shown_clear_saved(job_record_t *job_ptr)
{
	if (!IS_JOB_PENDING(job_ptr))
		return;
	_clear_place(job_ptr);
	shown_clear_untried(job_ptr);
}

extern void shown_put_untried(job_record_t *job_ptr)
{
	if (((job_ptr->state_reason != WAIT_NO_REASON) &&
	     (job_ptr->state_reason != WAIT_RESOURCES) &&
	     (job_ptr->state_reason != WAIT_PRIORITY)) ||
	    _is_slurms(job_ptr->state_desc) ||
	    !xstrcmp(job_ptr->state_desc, SHOWN_UNTRIED))
		return;
	xfree(job_ptr->state_desc);
	job_ptr->state_desc = xstrdup(SHOWN_UNTRIED);
	last_job_update = time(NULL);
}

extern void shown_clear_untried(job_record_t *job_ptr)
{
	if (xstrcmp(job_ptr->state_desc, SHOWN_UNTRIED))
		return;
	xfree(job_ptr->state_desc);
	last_job_update = time(NULL);
}

/* ---- start ---- */

/* The job shows this time; 0: none. */
static void _put_start(struct job *job, time_t at)
{
	uint32_t shown = job_time(at);

	if (job->job_ptr->start_time == at)
		return;
	job->job_ptr->start_time = at;
	if (shown != job->shown)
		last_job_update = time(NULL);
	job->shown = shown;
}

/* Backfill makes no reservation for a record with a start time where
 * bf_one_resv_per_job is set, and takes the earlier of two times where it is not. */
static bool _belongs_to_backfill(const job_record_t *job_ptr)
{
	return compat_backfill_runs() && !job_ptr->preempt_in_progress;
}

/* Backfill knows when nodes are free, and not that they can be cleared before
 * that, when protections have ended. */
extern void shown_update_start(struct job *job)
{
	time_t known = job->job_ptr->start_time;

	if (_belongs_to_backfill(job->job_ptr)) {
		shown_release_start(job);
		return;
	}
	if (!job->marked && job->shown && (known == job->shown))
		known = 0;
	if (job->marked && job->estimate && (job->planned > job->estimate))
		_put_start(job, job->planned);
	else if (job->marked)
		_put_start(job, job->estimate);
	else if (job->estimate && (job->estimate >= time(NULL)) &&
		 (!known || (job->estimate_evicts && (job->estimate < known))))
		_put_start(job, job->estimate);
	else if (!known)
		_put_start(job, 0);
}

extern void shown_clear_start(struct job *job)
{
	job->estimate = 0;
	job->estimate_evicts = false;
	if (job->job_ptr && IS_JOB_PENDING(job->job_ptr))
		shown_release_start(job);
	job->shown = 0;
}

extern void shown_release_start(struct job *job)
{
	if (job->shown && (job->job_ptr->start_time == job->shown))
		_put_start(job, 0);
	job->shown = 0;
}
