/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  outlook_times.c - how long jobs run, and how long it takes until others run in their place
\*****************************************************************************/
#include "sim.h"

#include "estimate/outlook_times.h"

#include "state/state.h"
#include "match/job_standing.h"
#include "placement/evict.h"

extern int64_t outlook_duration(const job_record_t *job_ptr)
{
	int64_t longest = job_longest_run(job_ptr);

	return longest == INT64_MAX ? SIM_FOREVER : ns_of((time_t) longest);
}

extern int64_t outlook_end(const job_record_t *job_ptr)
{
	if (IS_JOB_SUSPENDED(job_ptr) || !job_ptr->end_time ||
	    (outlook_duration(job_ptr) == SIM_FOREVER))
		return SIM_FOREVER;
	return ns_of(job_ptr->end_time);
}

extern time_t outlook_evict_time(job_record_t *job_ptr)
{
	return (time_t) evict_grace_time(job_ptr) + HANDOVER;
}
