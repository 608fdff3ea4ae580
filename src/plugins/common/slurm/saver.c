/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  saver.c - the thread that writes the state file
 *
 *  StateSaveLocation may be slow: it is on a network where there is a backup
 *  controller. So this thread does nothing else, and nobody waits for it.
\*****************************************************************************/
#include "slurm/saver.h"

#include "state/state.h"
#include "slurm/worker.h"

static struct worker worker = WORKER(.name = "cohort_state", .pause = SPEC_SEC);

extern void saver_save(void)
{
	worker_wake(&worker);
}

extern void saver_save_within(int64_t seconds)
{
	worker_wake_within(&worker, seconds * SPEC_SEC);
}

extern void saver_start(int64_t (*round)(void))
{
	worker.round = round;
	worker_start(&worker);
}
