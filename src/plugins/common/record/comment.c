/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  comment.c - what is noted of an eviction in the victim's system_comment
 *
 *  It stays there past requeue and restart until the job ends, or is evicted
 *  again. Programs read it: placement/provenance.c has the form.
\*****************************************************************************/
#include "record/comment.h"

static void _time_text(char *text, size_t size, time_t now)
{
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, size, "%Y-%m-%dT%H:%M:%S", &tm);
}

extern void comment_preempted(job_record_t *job_ptr, uint32_t preemptor_id,
			      const char *preemptor_queue, const char *why,
			      time_t now)
{
	char when[32];

	_time_text(when, sizeof(when), now);
	xfree(job_ptr->system_comment);
	xstrfmtcat(job_ptr->system_comment,
		   "preempted at %s by job %u (cluster queue %s), %s",
		   when, preemptor_id, preemptor_queue, why);
	last_job_update = now;
}

extern void comment_drained(job_record_t *job_ptr, const char *queue,
			    time_t now)
{
	char when[32];

	_time_text(when, sizeof(when), now);
	xfree(job_ptr->system_comment);
	xstrfmtcat(job_ptr->system_comment,
		   "drained at %s, cluster queue %s has stopPolicy HoldAndDrain",
		   when, queue);
	last_job_update = now;
}

extern void comment_copy(job_record_t *to, const job_record_t *from)
{
	xfree(to->system_comment);
	to->system_comment = xstrdup(from->system_comment);
}

extern void comment_clear(job_record_t *job_ptr)
{
	xfree(job_ptr->system_comment);
}

extern uint32_t comment_evictions(const job_record_t *job_ptr)
{
	static const char before[] = ", preemption ";
	const char *text = job_ptr->system_comment;

	if (xstrncmp(text, "preempted at ", 13) ||
	    !(text = xstrstr(text, before)))
		return 0;
	return strtoul(text + sizeof(before) - 1, NULL, 10);
}
