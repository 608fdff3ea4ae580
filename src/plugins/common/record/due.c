/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  due.c - when the clock, or another job, changes the standing of a job
\*****************************************************************************/
#include "record/due.h"

static struct {
	time_t scanned;			/* when the scan began */
	time_t next;			/* when the clock puts a job in line; 0: never */
	bool unsettled;			/* a job may get in line without a stamp */
} due;

extern void due_forget(time_t now)
{
	due.scanned = now;
	due.next = 0;
	due.unsettled = false;
}

extern void due_at(time_t at)
{
	if (at && (!due.next || (at < due.next)))
		due.next = at;
}

extern void due_note(const job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	if (!IS_JOB_PENDING(job_ptr) || !details || !job_ptr->priority)
		return;
	due.unsettled |= details->depend_list != NULL;
	if (details->begin_time > due.scanned)
		due_at(details->begin_time);
	if (job_ptr->resv_ptr && (job_ptr->resv_ptr->start_time > due.scanned))
		due_at(job_ptr->resv_ptr->start_time);
}

extern bool due_is(time_t now)
{
	return due.unsettled || (due.next && (now >= due.next));
}
