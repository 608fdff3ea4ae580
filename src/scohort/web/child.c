/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.c - questions that a process of its own answers
 */
#define _GNU_SOURCE	/* pipe2, environ */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "web/child.h"

#define ARGS_MAX 12

/* -1 with errno; else its process, and what can be read of its output */
static pid_t child_start(const char *const *args, int *output)
{
	static char self[] = "/proc/self/exe", name[] = "scohort", web[] = "web";
	char parent[16], *argv[ARGS_MAX + 4] = { name, web, (char *) args[0], parent };
	posix_spawn_file_actions_t actions;
	int ends[2], rc;
	pid_t pid;

	snprintf(parent, sizeof(parent), "%d", (int) getpid());
	for (int i = 1; i < ARGS_MAX && args[i]; i++)
		argv[i + 3] = (char *) args[i];
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	rc = posix_spawn(&pid, self, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	*output = ends[0];
	if (!rc)
		return pid;
	close(ends[0]);
	errno = rc;
	return -1;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

/* All of it, up to its end. False: it took too long, or there is no memory. */
static bool output_read(int fd, int seconds, FILE *to)
{
	const int64_t until = now_ms() + seconds * INT64_C(1000);
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	char buf[16384];
	ssize_t n = 1;

	while (n > 0) {
		int64_t left = until - now_ms();

		if (left <= 0 || poll(&ready, 1, (int) left) <= 0)
			return false;
		n = read(fd, buf, sizeof(buf));
		if (n > 0 && fwrite(buf, 1, (size_t) n, to) != (size_t) n)
			return false;
	}
	return !n;
}

bool child_run(const char *const *args, int seconds, char **text, size_t *size)
{
	FILE *to = open_memstream(text, size);
	int output, status = -1;
	pid_t pid = to ? child_start(args, &output) : -1;
	bool done = pid > 0;

	if (pid > 0) {
		done = output_read(output, seconds, to);
		close(output);
		if (!done)
			kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		done = done && !status;
	}
	if (to && fclose(to)) {
		*text = NULL;
		return false;
	}
	if (!done && to) {
		free(*text);
		*text = NULL;
	}
	return done;
}

bool child_begin(int *argc, char ***argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (*argc < 3 || getppid() != (pid_t) strtol((*argv)[2], NULL, 10))
		return false;
	*argc -= 3;
	*argv += 3;
	return true;
}
