/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  passes.c - passes of slurmctld's scheduler, and how the start of one is seen
 *
 *  slurmctld clears preempt_in_progress of the jobs in the order of job_list
 *  when it builds its queue, and stops when that takes too long
 *  (build_queue_timeout). So the sentinel is the first job whose flag we may
 *  set: if slurmctld does not reach that job, it reaches no job that we marked.
\*****************************************************************************/
#include "slurm/passes.h"

#include "slurm/worker.h"

/* Where no job can be the sentinel, a pass is taken to last that long */
#define FRESH_USEC 100000

struct sentinel sentinel;
__thread bool asker_sorts;

extern void pass_request_another(void)
{
	sentinel.no_pass_before = 0;
	waker_schedule();
}

extern bool sentinel_is_expired(void)
{
	return clock_usec() >= sentinel.no_pass_before;
}

extern void sentinel_offer(job_record_t *job_ptr)
{
	if (sentinel.job_id || !ctld_enforces())
		return;
	job_ptr->preempt_in_progress = true;
	sentinel.job_id = job_ptr->job_id;
}

extern void sentinel_choose(ListFindF offer)
{
	sentinel.job_id = 0;
	/* with enforcement: observe no flags are set */
	if (ctld_enforces())
		(void) list_find_first(job_list, offer, NULL);
	if (!sentinel.job_id)
		sentinel.no_pass_before = clock_usec() + FRESH_USEC;
}
