/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slow.c - publishing takes long, under slurmctld's locks, or the disk (LD_PRELOAD)
 *
 * As long as the file that COHORT_SLOW names is there, each truth in the
 * document takes two seconds; a file named as that with .now beside it says that
 * one begins.
 *
 * As long as the file that COHORT_SLOW_DISK names is there, no fdatasync() of a file of
 * events returns; a file named as that with .now beside it says that one waits. Beside
 * it these mean, as long as they are there:
 *	.bad	fdatasync() and ftruncate() of such a file fail
 *	.full	fdatasync() of such a file fails if it has more bytes than this file; each
 *		time .full.tries gets a byte
 *	.names	each look-up of a user takes a tenth of a second
 *	.state	no fsync() of the file with our state returns; .state.now says that one waits
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "note.h"

struct json_object *json_object_new_boolean(int truth);
char *uid_to_string_or_null(uid_t uid);

/* All of it: a signal (SIGCHLD, when a program ends) makes it no shorter */
static void sleep_ns(long ns)
{
	struct timespec left = {
		.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* The path of COHORT_SLOW_DISK for a file whose path has that in it, else NULL */
static const char *disk_of(int fd, const char *what)
{
	char link[64], path[4096] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return readlink(link, path, sizeof(path) - 1) > 0
	       && strstr(path, what)
	       ? getenv("COHORT_SLOW_DISK") : NULL;
}

/* Is there a file named as that with this beside it? Its size */
static int has(const char *disk, const char *end, off_t *size)
{
	char path[4096];
	struct stat st;

	snprintf(path, sizeof(path), "%s%s", disk, end);
	if (stat(path, &st))
		return 0;
	*size = st.st_size;
	return 1;
}

static int is_full(const char *disk, int fd)
{
	char path[4096];
	struct stat st;
	off_t most;
	int tries;

	if (!has(disk, ".full", &most) || fstat(fd, &st) || st.st_size <= most)
		return 0;
	snprintf(path, sizeof(path), "%s.full.tries", disk);
	tries = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
	if (tries >= 0) {
		if (write(tries, "x", 1) != 1)
			abort();
		close(tries);
	}
	return 1;
}

int fdatasync(int fd)
{
	const char *slow = disk_of(fd, "cohort_events");
	int (*real)(int) = NULL;
	off_t size;

	*(void **) &real = dlsym(RTLD_NEXT, "fdatasync");
	while (slow && !access(slow, F_OK)) {
		note(slow);
		sleep_ns(20000000);
	}
	if (slow && (has(slow, ".bad", &size) || is_full(slow, fd))) {
		errno = has(slow, ".bad", &size) ? EIO : ENOSPC;
		return -1;
	}
	return real(fd);
}

int fsync(int fd)
{
	const char *disk = disk_of(fd, "/cohort_state");
	int (*real)(int) = NULL;
	char path[4096];
	off_t any;

	*(void **) &real = dlsym(RTLD_NEXT, "fsync");
	while (disk && has(disk, ".state", &any)) {
		snprintf(path, sizeof(path), "%s.state", disk);
		note(path);
		sleep_ns(20000000);
	}
	return real(fd);
}

int ftruncate(int fd, off_t length)
{
	const char *slow = disk_of(fd, "cohort_events");
	int (*real)(int, off_t) = NULL;
	off_t size;

	*(void **) &real = dlsym(RTLD_NEXT, "ftruncate");
	if (slow && has(slow, ".bad", &size)) {
		errno = EIO;
		return -1;
	}
	return real(fd, length);
}

int ftruncate64(int fd, off_t length)
{
	return ftruncate(fd, length);
}

/* Of Slurm: it looks no further for root, whose jobs those of tests are */
char *uid_to_string_or_null(uid_t uid)
{
	char *(*real)(uid_t) = NULL;
	const char *slow = getenv("COHORT_SLOW_DISK");
	off_t any;

	*(void **) &real = dlsym(RTLD_NEXT, "uid_to_string_or_null");
	if (slow && has(slow, ".names", &any))
		sleep_ns(100000000);
	return real(uid);
}

struct json_object *json_object_new_boolean(int truth)
{
	struct json_object *(*real)(int) = NULL;
	const char *slow = getenv("COHORT_SLOW");

	*(void **) &real = dlsym(dlopen("libjson-c.so.5", RTLD_LAZY),
				 "json_object_new_boolean");
	if (slow && !access(slow, F_OK)) {
		note(slow);
		sleep_ns(2000000000);
	}
	return real(truth);
}
