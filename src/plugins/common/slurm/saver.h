/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  saver.h - the worker that writes the state file
 *
 *  StateSaveLocation may be slow: it is on a network where there is a backup
 *  controller. So this worker does nothing else, and nobody waits for it.
 *  statefile/store.c has its rounds.
\*****************************************************************************/
#ifndef COHORT_SLURM_SAVER_H
#define COHORT_SLURM_SAVER_H

#include "state/job.h"
#include "slurm/worker.h"

extern struct worker saver;

/* The state file is to be written: soon, or so many seconds from now at the latest. */
static inline void saver_save(void)
{
	worker_wake(&saver);
}

static inline void saver_save_within(int64_t seconds)
{
	worker_wake_within(&saver, seconds * SPEC_SEC);
}

/* So is what the file has of the job from now on. */
static inline void saver_keep(struct job *job)
{
	if (run_of(job)->keep)
		return;
	job_keep(job);
	saver_save();
}

#endif /* COHORT_SLURM_SAVER_H */
