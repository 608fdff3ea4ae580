/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sentinel.c - the flag by which the start of a pass is seen
 *
 *  slurmctld clears preempt_in_progress of the jobs in the order of job_list
 *  when it builds its queue, and stops when that takes too long
 *  (build_queue_timeout). So the sentinel is the first job whose flag we may
 *  set: if slurmctld does not reach that job, it reaches no job that we marked.
\*****************************************************************************/
#include "slurm/sentinel.h"

#include "state/state.h"
#include "slurm/clock.h"

/* Where no job can be the sentinel, a pass is taken to last that long */
#define FRESH_USEC 100000

struct sentinel sentinel;

static void _take(job_record_t *job_ptr)
{
	job_ptr->preempt_in_progress = true;
	sentinel.job_id = job_ptr->job_id;
}

/* f: may we set the flag of this job? */
struct choice {
	bool (*f)(const job_record_t *job_ptr);
};

static int _take_if_fit(void *x, void *arg)
{
	const struct choice *choice = arg;
	job_record_t *job_ptr = x;

	if (!choice->f(job_ptr))
		return 0;
	_take(job_ptr);
	return 1;
}

extern void sentinel_choose(bool (*f)(const job_record_t *job_ptr))
{
	struct choice choice = { f };

	sentinel.job_id = 0;
	/* with enforcement: observe no flags are set */
	if (!ctld.conf->observe)
		(void) list_find_first(job_list, _take_if_fit, &choice);
	if (!sentinel.job_id)
		sentinel.no_pass_before = clock_usec() + FRESH_USEC;
}

extern void sentinel_offer(job_record_t *job_ptr)
{
	if (!sentinel.job_id && ctld_enforces())
		_take(job_ptr);
}

extern void sentinel_expire(void)
{
	sentinel.no_pass_before = 0;
}

extern bool sentinel_is_expired(void)
{
	return clock_usec() >= sentinel.no_pass_before;
}
