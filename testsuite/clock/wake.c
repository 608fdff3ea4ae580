/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wake.c - no wait of slurmctld's main thread is one for ever (LD_PRELOAD)
 *
 * Before 24.11.6 slurmctld sends slurmscriptd a question at each shutdown, and
 * begins to wait for the answer only after that. If another thread has handled
 * the answer by then, its signal is lost, and slurmctld never ends (doc/limits.md).
 *
 * pthread_cond_wait() returns here after ten seconds as if it had been woken up.
 * POSIX allows that at any time, and all waits but that one are in loops that look
 * again. The answer is there by then. Only calls by the main thread, from
 * slurmctld's own code, are changed: it is the one that ends slurmctld. Threads
 * that wait for scripts, which may take longer, and those of plugins wait as ever.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LONGEST_SECONDS 10

typedef int (*wait_f)(pthread_cond_t *, pthread_mutex_t *);
typedef int (*clockwait_f)(pthread_cond_t *, pthread_mutex_t *, clockid_t,
			   const struct timespec *);

static wait_f wait_for_signal;
static clockwait_f clockwait;
/* Where slurmctld itself is in memory; NULL in its children that are other programs */
static void *program;

__attribute__((constructor)) static void begin(void)
{
	void *entry = (void *) getauxval(AT_ENTRY);
	Dl_info info;

	/* An older one, whose conditions have another layout, has the same name. */
	*(void **) &wait_for_signal = dlvsym(RTLD_NEXT, "pthread_cond_wait",
					     "GLIBC_2.3.2");
	if (!wait_for_signal)
		*(void **) &wait_for_signal = dlsym(RTLD_NEXT,
						    "pthread_cond_wait");
	/* From glibc 2.30 on. Unlike that of timedwait no clock of a test moves it. */
	*(void **) &clockwait = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
	if (clockwait && !strcmp(program_invocation_short_name, "slurmctld") &&
	    dladdr(entry, &info))
		program = info.dli_fbase;
}

static int is_main_thread(void)
{
	return syscall(SYS_gettid) == getpid();
}

static int is_of_program(void *code)
{
	Dl_info info;

	return dladdr(code, &info) && info.dli_fbase == program;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	struct timespec end;
	int rc;

	if (!program || !is_main_thread() ||
	    !is_of_program(__builtin_return_address(0)))
		return wait_for_signal(cond, mutex);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += LONGEST_SECONDS;
	rc = clockwait(cond, mutex, CLOCK_MONOTONIC, &end);
	return rc == ETIMEDOUT ? 0 : rc;
}
