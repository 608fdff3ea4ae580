/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asker.c - does a scheduler ask for nodes, or a user?
\*****************************************************************************/
#include "slurm/asker.h"

__thread struct asker asker;

extern void asker_makes_job(void)
{
	/* once the job is in the queue, slurmctld has counted it */
	asker.makes_job = true;
	asker.submitted = slurmctld_diag_stats.jobs_submitted;
}

extern bool asker_took_submission(void)
{
	bool begun = asker.makes_job;

	asker.makes_job = false;
	return begun && (asker.submitted ==
			 slurmctld_diag_stats.jobs_submitted);
}

extern bool asker_is_scheduler(void)
{
	return asker.sorts || compat_in_backfill();
}

extern bool asker_is_user(uint16_t mode)
{
	return (mode == SELECT_MODE_WILL_RUN) && !asker_is_scheduler();
}
