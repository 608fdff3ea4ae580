/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  saver.c - the thread that writes the state file
 *
 *  StateSaveLocation may be slow: it is on a network where there is a backup
 *  controller. So this thread does nothing else, and nobody waits for it.
\*****************************************************************************/
#include "slurm/saver.h"

#include "slurm/worker.h"

/* After a write that failed */
#define RETRY_SECONDS 10

/* When nothing is wanted; the thread is woken before that */
#define NOTHING_SECONDS 3600

static struct {
	pthread_mutex_t lock;
	int (*write)(void);
	bool wanted;
	time_t at;			/* not before */
	time_t by;			/* not after; 0: no such time */
} saver = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* Takes the request off the list if it is due */
static bool _take(time_t now)
{
	bool due;

	slurm_mutex_lock(&saver.lock);
	if (saver.by && (saver.by <= now)) {
		saver.wanted = true;
		saver.by = 0;
	}
	due = saver.wanted && (saver.at <= now);
	if (due) {
		saver.wanted = false;
		saver.at = now + 1;
	}
	slurm_mutex_unlock(&saver.lock);
	return due;
}

static void _try_again(void)
{
	slurm_mutex_lock(&saver.lock);
	saver.wanted = true;
	saver.at = time(NULL) + RETRY_SECONDS;
	slurm_mutex_unlock(&saver.lock);
}

static struct timespec _next(void)
{
	struct timespec next = { .tv_sec = time(NULL) + NOTHING_SECONDS };

	slurm_mutex_lock(&saver.lock);
	if (saver.by)
		next.tv_sec = saver.by;
	if (saver.wanted && (saver.at < next.tv_sec))
		next.tv_sec = saver.at;
	slurm_mutex_unlock(&saver.lock);
	return next;
}

static struct timespec _round(void)
{
	if (_take(time(NULL)) && saver.write())
		_try_again();
	return _next();
}

static void _set_back(void)
{
	slurm_mutex_lock(&saver.lock);
	saver.at = 0;
	if (saver.by)
		saver.by = time(NULL);
	slurm_mutex_unlock(&saver.lock);
}

static struct worker worker = WORKER("cohort_state", _round, _set_back, NULL);

extern void saver_save(void)
{
	slurm_mutex_lock(&saver.lock);
	saver.wanted = true;
	slurm_mutex_unlock(&saver.lock);
	worker_wake(&worker);
}

extern void saver_save_within(time_t seconds)
{
	bool sooner;

	slurm_mutex_lock(&saver.lock);
	sooner = !saver.by;
	if (sooner)
		saver.by = time(NULL) + seconds;
	slurm_mutex_unlock(&saver.lock);
	if (sooner)
		worker_wake(&worker);
}

extern void saver_start(int (*write)(void))
{
	saver.write = write;
	worker_start(&worker);
}
