/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  leaving.c - victims that are still on their way out
\*****************************************************************************/
#include "jobs/leaving.h"

#include "state/job.h"
#include "jobs/hold.h"
#include "jobs/jobs.h"

static void _see(struct job *victim, void *arg UNUSED)
{
	uint32_t by = run_of(victim)->noted_by;
	struct job *preemptor;

	if (by && job_runs(victim) &&
	    workload_evicting(victim->first.work) &&
	    (preemptor = jobs_find(by)))
		hold_see_victim(preemptor);
}

extern void leaving_look(void)
{
	hold_next_look();
	if (hold_any())
		jobs_each(_see, NULL);
}
