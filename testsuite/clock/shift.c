/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shift.c - the clock of one process is another one (LD_PRELOAD)
 *
 * COHORT_CLOCK names a file with a number of seconds, which may change at any
 * time; it is written in place. Who waits for a time of the day waits as the
 * kernel would have him if that clock was set. @TIME: the clock stands still at
 * that time, in seconds since the epoch.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FILE_SIZE 16
#define SLICE_NS 20000000
#define SECOND_NS 1000000000
/* Nothing has been up for that long: a time of the day is later. */
#define LONGEST_UPTIME 1000000000

typedef int (*timedwait_f)(pthread_cond_t *, pthread_mutex_t *,
			   const struct timespec *);

static const char *text;
static timedwait_f timedwait;

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("COHORT_CLOCK");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *p = fd < 0 ? MAP_FAILED :
		mmap(NULL, FILE_SIZE, PROT_READ, MAP_SHARED, fd, 0);

	if (p != MAP_FAILED)
		text = p;
	if (fd >= 0)
		close(fd);
	*(void **) &timedwait = dlvsym(RTLD_NEXT, "pthread_cond_timedwait",
				       "GLIBC_2.3.2");
	if (!timedwait)
		*(void **) &timedwait = dlsym(RTLD_NEXT,
					      "pthread_cond_timedwait");
}

static void shift(struct timespec *t)
{
	const char *stands = strchr(text, '@');

	if (stands) {
		t->tv_sec = atoll(stands + 1);
		t->tv_nsec = 0;
	} else {
		t->tv_sec += atoll(text);
	}
}

int clock_gettime(clockid_t which, struct timespec *t)
{
	int rc = (int) syscall(SYS_clock_gettime, which, t);

	if (!rc && text && (which == CLOCK_REALTIME ||
			    which == CLOCK_REALTIME_COARSE))
		shift(t);
	return rc;
}

time_t time(time_t *t)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (t)
		*t = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *tv, void *tz)
{
	struct timespec now;

	(void) tz;
	clock_gettime(CLOCK_REALTIME, &now);
	tv->tv_sec = now.tv_sec;
	tv->tv_usec = now.tv_nsec / 1000;
	return 0;
}

static int is_past(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec > t->tv_sec
	       || (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	if (until->tv_sec < LONGEST_UPTIME)
		return timedwait(cond, mutex, until);
	while (!is_past(until)) {
		struct timespec slice;
		int rc;

		syscall(SYS_clock_gettime, CLOCK_REALTIME, &slice);
		slice.tv_nsec += SLICE_NS;
		if (slice.tv_nsec >= SECOND_NS) {
			slice.tv_nsec -= SECOND_NS;
			slice.tv_sec++;
		}
		rc = timedwait(cond, mutex, &slice);
		if (rc != ETIMEDOUT)
			return rc;
	}
	return ETIMEDOUT;
}
