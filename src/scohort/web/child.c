/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.c - questions that a process of its own answers
 */
#define _GNU_SOURCE	/* pipe2, environ */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "web/web.h"

#define ARGS_MAX 12

/* What can be read of its output; NULL: it could not be started */
static FILE *child_start(const char *const *args, int seconds, pid_t *pid)
{
	static char self[] = "/proc/self/exe", name[] = "scohort", web[] = "web";
	char parent[16], time[16];
	char *argv[ARGS_MAX + 5] = { name, web, (char *) args[0], parent, time };
	posix_spawn_file_actions_t actions;
	FILE *output;
	int ends[2], rc;

	snprintf(parent, sizeof(parent), "%d", (int) getpid());
	snprintf(time, sizeof(time), "%d", seconds);
	for (int i = 1; i < ARGS_MAX && args[i]; i++)
		argv[i + 4] = (char *) args[i];
	if (pipe2(ends, O_CLOEXEC))
		return NULL;
	output = fdopen(ends[0], "r");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	rc = output ? posix_spawn(pid, self, &actions, NULL, argv, environ) : ENOMEM;
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!rc)
		return output;
	if (output)
		fclose(output);
	else
		close(ends[0]);
	return NULL;
}

bool child_run(const char *const *args, int seconds, char **text, size_t *size)
{
	pid_t pid;
	FILE *output = child_start(args, seconds, &pid);
	ssize_t len;
	int status;

	*text = NULL;
	*size = 0;
	if (!output)
		return false;
	len = getdelim(text, size, '\0', output);
	fclose(output);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (len >= 0 && !status) {
		*size = (size_t) len;
		return true;
	}
	free(*text);
	*text = NULL;
	return false;
}

bool child_begin(int *argc, char ***argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (*argc < 4 || getppid() != (pid_t) strtol((*argv)[2], NULL, 10))
		return false;
	signal(SIGALRM, SIG_DFL);
	alarm((unsigned) strtoul((*argv)[3], NULL, 10));
	*argc -= 4;
	*argv += 4;
	return true;
}
