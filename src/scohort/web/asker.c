/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asker.c - does slurmctld answer? Asked by a process of its own
 */
#define _GNU_SOURCE	/* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "output/exit_status.h"
#include "slurm/controller.h"
#include "web/asker.h"

#define ASK_SECONDS 15

/* One question, in a process that ends with it: what libslurm still does after
 * the time limit ends, too. Returns when slurmctld started; 0: it does not
 * answer. */
static int64_t boot_time_ask(void)
{
	int64_t boot_time = 0;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return 0;
	child = fork();
	if (!child) {
		struct controller controller;
		char err[256];
		ssize_t done = 0;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!controller_open(&controller, err, sizeof(err)))
			done = write(ends[1], &controller.boot_time,
				     sizeof(controller.boot_time));
		_exit(done > 0 ? STATUS_OK : STATUS_DOWN);
	}
	close(ends[1]);
	if (child > 0) {
		if (read(ends[0], &boot_time, sizeof(boot_time))
		    != sizeof(boot_time))
			boot_time = 0;
		waitpid(child, NULL, 0);
	}
	close(ends[0]);
	return boot_time;
}

static void ask_on_and_on(int pipe)
{
	struct answer answer = { 0 };

	for (;;) {
		int64_t boot_time = boot_time_ask();

		if (boot_time)
			answer = (struct answer) { 0, boot_time };
		else if (!answer.down_since)
			answer.down_since = time(NULL);
		if (write(pipe, &answer, sizeof(answer)) != sizeof(answer))
			_exit(STATUS_OK);
		sleep(ASK_SECONDS);
	}
}

int asker_start(pid_t *child)
{
	const pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	*child = fork();
	if (*child < 0)
		return -1;
	if (!*child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(STATUS_OK);
		close(ends[0]);
		ask_on_and_on(ends[1]);
	}
	close(ends[1]);
	return ends[0];
}

int asker_next(int pipe, struct answer *answer)
{
	struct pollfd fd = { .fd = pipe, .events = POLLIN };

	if (poll(&fd, 1, 0) <= 0)
		return 0;
	return read(pipe, answer, sizeof(*answer)) == sizeof(*answer) ? 1 : -1;
}
