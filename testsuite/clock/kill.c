/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kill.c - a process is killed before it changes a file for the N-th time (LD_PRELOAD)
 *
 * COHORT_KILL_AT is N, from 1 on. SQLite changes files by these calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static void count(void)
{
	static int left = -1;

	if (left < 0) {
		const char *at = getenv("COHORT_KILL_AT");

		left = at ? atoi(at) : 0;
	}
	if ((left > 0) && !--left)
		raise(SIGKILL);
}

#define COUNTED(type, name, parameters, arguments)		\
	type name parameters					\
	{							\
		type (*real) parameters;			\
								\
		*(void **) &real = dlsym(RTLD_NEXT, #name);	\
		count();					\
		return real arguments;				\
	}

COUNTED(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
COUNTED(int, ftruncate64, (int fd, off64_t size), (fd, size))
COUNTED(int, fdatasync, (int fd), (fd))
COUNTED(int, fsync, (int fd), (fd))
COUNTED(int, unlink, (const char *path), (path))
