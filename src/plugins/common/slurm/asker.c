/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asker.c - does a scheduler ask for nodes, or a user?
\*****************************************************************************/
#include "slurm/asker.h"

/* Has this thread sorted the queue? Then it is a scheduler's thread. */
static __thread bool sorts;

/* This thread makes the record of a job that is submitted: once it is in the
 * queue, slurmctld has counted it. */
static __thread struct {
	bool begun;
	uint32_t submitted;		/* how many jobs were, until then */
} submission;

extern void asker_sorted(void)
{
	sorts = true;
	submission.begun = false;
}

extern void asker_makes_job(void)
{
	submission.begun = true;
	submission.submitted = slurmctld_diag_stats.jobs_submitted;
}

extern bool asker_took_submission(void)
{
	bool begun = submission.begun;

	submission.begun = false;
	return begun && (submission.submitted ==
			 slurmctld_diag_stats.jobs_submitted);
}

extern bool asker_is_scheduler(void)
{
	return sorts || compat_in_backfill();
}

extern bool asker_is_user(uint16_t mode)
{
	return (mode == SELECT_MODE_WILL_RUN) && !asker_is_scheduler();
}
