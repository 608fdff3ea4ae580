/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lost.c - slurmscriptd answers before slurmctld waits for that (LD_PRELOAD)
 *
 * As long as the file that COHORT_LOST names is there, the main thread goes on after
 * a question to slurmscriptd only when another thread has signalled that the answer
 * is there. A busy machine does the same now and then. A file named as that with .now
 * beside it says that it has happened.
 *
 * The condition that is signalled is the last one that the main thread has made. A
 * question is what it writes to a pipe that is more than a number: numbers, its kind
 * and its length, come before it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "note.h"

#define SLICE_NS 1000000

static _Atomic(pthread_cond_t *) awaited;
static atomic_int is_answered;
/* Of slurmctld; no thread has it in slurmscriptd, which is forked, or started so */
static pid_t main_thread;

__attribute__((constructor)) static void begin(void)
{
	if (!getenv("SLURMSCRIPTD_MODE"))
		main_thread = getpid();
}

static int is_main_thread(void)
{
	return syscall(SYS_gettid) == main_thread;
}

/* Conditions had another layout before that version. */
static void *of_pthread(const char *name)
{
	void *f = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");

	return f ? f : dlsym(RTLD_NEXT, name);
}

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr)
{
	int (*real)(pthread_cond_t *, const pthread_condattr_t *) = NULL;

	*(void **) &real = of_pthread("pthread_cond_init");
	if (is_main_thread()) {
		is_answered = 0;
		awaited = cond;
	}
	return real(cond, attr);
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	int (*real)(pthread_cond_t *) = NULL;
	int rc;

	*(void **) &real = of_pthread("pthread_cond_signal");
	rc = real(cond);
	if (cond == awaited)
		is_answered = 1;
	return rc;
}

/* Is it a question that is to be answered first? The file that says so, else NULL */
static const char *lost_answer(int fd, size_t size)
{
	const char *lost = getenv("COHORT_LOST");
	struct stat st;

	return lost && size > sizeof(int) && is_main_thread() && !access(lost, F_OK)
	       && !fstat(fd, &st) && S_ISFIFO(st.st_mode) ? lost : NULL;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	const struct timespec slice = { .tv_nsec = SLICE_NS };
	const char *lost = lost_answer(fd, size);
	ssize_t (*real)(int, const void *, size_t) = NULL;
	ssize_t done;

	*(void **) &real = dlsym(RTLD_NEXT, "write");
	done = real(fd, bytes, size);
	if (!lost)
		return done;
	while (!is_answered && !access(lost, F_OK))
		nanosleep(&slice, NULL);
	if (is_answered)
		note(lost);
	return done;
}
