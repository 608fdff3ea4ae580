/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coverage-dump.c - what slurmctld has run, though it is killed
 *
 * Linked into the plugins of `make coverage` only. Counters are written when a
 * process ends by exit(); tests kill slurmctld and let it abort, so a thread
 * writes them twice a second. Files are merged under a lock, so that slurmctld
 * may run many times, and many at once.
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

extern void __gcov_dump(void);
extern void __gcov_reset(void);

static void *dump(void *arg)
{
	const struct timespec half = { .tv_nsec = 500000000 };

	for (;;) {
		nanosleep(&half, NULL);
		__gcov_dump();
		__gcov_reset();
	}
	return arg;
}

__attribute__((constructor))
static void begin(void)
{
	sigset_t all, old;
	pthread_t thread;

	/* signals are for the threads of slurmctld */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	if (!pthread_create(&thread, NULL, dump, NULL))
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}
