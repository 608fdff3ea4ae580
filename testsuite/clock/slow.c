/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slow.c - publishing takes long, under slurmctld's locks (LD_PRELOAD)
 *
 * As long as the file that COHORT_SLOW names is there, each truth in the
 * document takes two seconds; a file named as that with .now beside it says that
 * one begins.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct json_object *json_object_new_boolean(int truth);

struct json_object *json_object_new_boolean(int truth)
{
	struct json_object *(*real)(int) = NULL;
	const char *slow = getenv("COHORT_SLOW");
	struct timespec pause = { .tv_sec = 2 };
	char now[4096];
	int fd;

	*(void **) &real = dlsym(dlopen("libjson-c.so.5", RTLD_LAZY),
				 "json_object_new_boolean");
	if (slow && !access(slow, F_OK)) {
		snprintf(now, sizeof(now), "%s.now", slow);
		fd = open(now, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
		if (fd >= 0)
			close(fd);
		nanosleep(&pause, NULL);
	}
	return real(truth);
}
