/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  saver.c - the thread that writes the state file
 *
 *  StateSaveLocation may be slow: it is on a network where there is a backup
 *  controller. So this thread does nothing else, and nobody waits for it.
\*****************************************************************************/
#include <stdatomic.h>

#include "slurm/saver.h"

#include "slurm/worker.h"

/* After a write that failed */
#define RETRY_SECONDS 10
/* When nothing is wanted; the thread is woken before that */
#define NOTHING_SECONDS 3600

static atomic_bool wanted;
static _Atomic time_t by;		/* it is wanted then; 0: no such time */
static time_t not_before;		/* the thread's */
static int (*write_state)(void);

static struct timespec _round(void)
{
	time_t now = time(NULL), next = now + NOTHING_SECONDS;

	if (by && (by <= now)) {
		by = 0;
		wanted = true;
	}
	if (wanted && (not_before <= now)) {
		wanted = false;
		not_before = now + 1;
		if (write_state()) {
			wanted = true;
			not_before = time(NULL) + RETRY_SECONDS;
		}
	}
	if (by)
		next = by;
	return (struct timespec) { .tv_sec = wanted ? MIN(next, not_before) : next };
}

static void _set_back(void)
{
	not_before = 0;
	if (by)
		by = time(NULL);
}

static struct worker worker = WORKER("cohort_state", _round, _set_back, NULL);

extern void saver_save(void)
{
	wanted = true;
	worker_wake(&worker);
}

extern void saver_save_within(time_t seconds)
{
	time_t none = 0;

	if (atomic_compare_exchange_strong(&by, &none, time(NULL) + seconds))
		worker_wake(&worker);
}

extern void saver_start(int (*write)(void))
{
	write_state = write;
	worker_start(&worker);
}
