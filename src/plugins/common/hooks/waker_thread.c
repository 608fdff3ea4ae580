/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waker_thread.c - the thread that wakes the scheduler
 *
 *  One thread, asleep until something is due. It asks for a run of the
 *  scheduler when a turn or a protection ends. It puts texts back after a pass:
 *  slurmctld lets waiting writers of the job lock go before readers, so no
 *  squeue sees what the pass left. It brings positions up to date between
 *  passes. It waits for no disk: what is written is written by other threads.
\*****************************************************************************/
#include "hooks/waker_thread.h"

#include "state/state.h"
#include "slurm/waker.h"
#include "placement/place.h"
#include "tell/reason.h"
#include "hooks/pass.h"

/* Under the job lock. Where the scheduler runs next, its pass brings plan, marks
 * and texts up to date: that is not done twice. */
static void _work(const struct waker_due *due)
{
	bool refresh = due->refresh || (due->ended && !ctld_enforces());

	if (due->refresh || due->ended)
		evict_due();
	if (refresh) {
		/* the marks may ask for another one at once */
		waker_refresh_in(MAX(ctld.conf->update_interval / SPEC_SEC, 1));
		pass_refresh();
	}
	if (due->texts || refresh)
		reason_restore();
}

extern void waker_thread_start(void)
{
	waker_start(_work);
}
