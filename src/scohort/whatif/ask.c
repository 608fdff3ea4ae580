/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.c - runs sbatch --test-only and reads its output, in all versions of Slurm
 *
 * Without a script sbatch reads one from standard input: it gets one that does
 * nothing. The token travels as mail address, which a question does not use
 * otherwise. An address that the user gives comes later and wins; then the id
 * that sbatch shows has to do.
 */
#define _GNU_SOURCE	/* memfd_create, pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "input/json_members.h"
#include "lib/sat.h"
#include "must.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/text.h"
#include "whatif/whatif.h"

#define SECONDS_MAX 60
#define WORDS_MAX 65536
#define SCRIPT "#!/bin/sh\n"
#define OWN_ARGS 5		/* sbatch, 3 options, NULL */

/* ---- the output ----
 *
 *	sbatch: Job 7 to start at 2026-11-21T07:05:00 using 4 processors on nodes
 *	n[1-2] in partition gpu
 *	sbatch:   Preempts: 5,6
 *
 * 26.05 has " on cluster NAME" and a stray " a" before "using"; for a
 * heterogeneous job "nodes" and the partition are absent. All other lines
 * (errors, messages of a job_submit plugin) are kept as they are.
 */

static bool number_read(const char **text, uint32_t *number)
{
	char *end;
	unsigned long n = strtoul(*text, &end, 10);

	if (end == *text || n > UINT32_MAX)
		return false;
	*text = end;
	*number = (uint32_t) n;
	return true;
}

static bool word_skip(const char **text, const char *word)
{
	const char *found = strstr(*text, word);

	if (!found)
		return false;
	*text = found + strlen(word);
	return true;
}

/* Up to the next blank or the end */
static void word_copy(const char **text, char *to, size_t size)
{
	size_t len = strcspn(*text, " ");

	snprintf(to, size, "%.*s", (int) len, *text);
	*text += len;
}

/* The line as a whole, or nothing of it */
static bool start_parse(const char *line, struct sbatch_answer *said)
{
	struct sbatch_answer s = *said;

	if (!word_skip(&line, "Job ") || !number_read(&line, &s.job_id)
	    || strncmp(line, " to start at ", 13))
		return false;
	line += 13;
	word_copy(&line, s.time, sizeof(s.time));
	if (!word_skip(&line, " using ") || !number_read(&line, &s.cpus)
	    || !word_skip(&line, " processors on "))
		return false;
	if (!strncmp(line, "nodes ", 6))
		line += 6;
	word_copy(&line, s.nodes, sizeof(s.nodes));
	if (word_skip(&line, " in partition "))
		word_copy(&line, s.partition, sizeof(s.partition));
	if (!text_date_read(s.time, &s.start))
		s.start = 0;
	s.starts = true;
	*said = s;
	return true;
}

static bool victims_parse(const char *line, struct sbatch_answer *said)
{
	uint32_t id;

	if (!said->starts || !word_skip(&line, "  Preempts: "))
		return false;
	while (number_read(&line, &id)) {
		said->victims = must_grow(said->victims, said->nvictims, sizeof(id));
		said->victims[said->nvictims++] = id;
		line += *line == ',';
	}
	return true;
}

static void rest_add(struct sbatch_answer *said, const char *line)
{
	size_t used = strlen(said->rest);

	if (!strncmp(line, "sbatch: ", 8))
		line += 8;
	snprintf(said->rest + used, sizeof(said->rest) - used, "%s%s", used ? "\n" : "", line);
}

void sbatch_answer_parse(const char *text, struct sbatch_answer *said)
{
	char *copy = must(strdup(text)), *next = copy, *line;

	memset(said, 0, sizeof(*said));
	while ((line = strsep(&next, "\n")))
		if (*line && !start_parse(line, said) && !victims_parse(line, said))
			rest_add(said, line);
	free(copy);
}

void sbatch_answer_free(struct sbatch_answer *said)
{
	free(said->victims);
	memset(said, 0, sizeof(*said));
}

/* ---- the question ---- */

static void variables_unset(void)
{
	for (char **v = environ; *v; ) {
		char *name = must_format("%.*s", (int) strcspn(*v, "="), *v);

		/* the next one takes its place */
		if (strncmp(name, "SBATCH_", 7) || unsetenv(name))
			v++;
		free(name);
	}
}

__attribute__((noreturn)) static void child_run(const struct question *q, int script, int words)
{
	char **argv = must(calloc(q->nargs + OWN_ARGS, sizeof(*argv)));
	size_t n = 0;

	argv[n++] = "sbatch";
	argv[n++] = "--test-only";
	argv[n++] = must_format("--mail-user=%s", q->token);
	if (q->at)
		argv[n++] = must_format("--begin=%s", q->at);
	memcpy(argv + n, q->args, q->nargs * sizeof(*argv));
	setenv("LC_ALL", "C", 1);
	unsetenv("SLURM_TIME_FORMAT");
	if (q->alone)
		variables_unset();
	dup2(script, STDIN_FILENO);
	dup2(words, STDOUT_FILENO);
	dup2(words, STDERR_FILENO);
	execvp(argv[0], argv);
	stderr_line("sbatch: %s", strerror(errno));
	_exit(127);
}

/* Reads until sbatch has closed its end. False: it takes too long */
static bool words_read(int fd, char *words, size_t size)
{
	time_t end = time(NULL) + SECONDS_MAX;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	ssize_t n = 1;

	for (size_t used = 0; n > 0; used += n > 0 ? (size_t) n : 0) {
		time_t left = end - time(NULL);

		if (left <= 0 || !poll(&poll_fd, 1, (int) left * 1000))
			return false;
		n = read(fd, words + used, size - 1 - used);
	}
	return true;
}

static int words_take(pid_t child, int fd, struct sbatch_answer *said, int *code, char *err,
		      size_t size)
{
	static char words[WORDS_MAX];
	bool done = words_read(fd, words, sizeof(words));
	int status;

	if (!done)
		kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (!done) {
		snprintf(err, size, "sbatch has not answered in %d seconds", SECONDS_MAX);
		return STATUS_DOWN;
	}
	*code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	sbatch_answer_parse(words, said);
	return STATUS_OK;
}

/* In memory, to be read from its start; -1 with errno */
static int script_open(void)
{
	int fd = memfd_create("script", MFD_CLOEXEC);

	if (fd >= 0 && (write(fd, SCRIPT, strlen(SCRIPT)) < 0 || lseek(fd, 0, SEEK_SET) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

int whatif_ask(struct question *q, struct sbatch_answer *said, int *code, char *err, size_t size)
{
	int script = script_open(), ends[2], status = STATUS_FAILED;
	struct timespec now;
	pid_t child;

	if (script < 0 || pipe2(ends, O_CLOEXEC)) {
		snprintf(err, size, "%s", strerror(errno));
		return STATUS_FAILED;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	q->asked = now.tv_sec;
	snprintf(q->token, sizeof(q->token), "scohort-whatif-%ld-%lld-%ld", (long) getpid(),
		 (long long) now.tv_sec, now.tv_nsec);
	child = fork();
	if (!child)
		child_run(q, script, ends[1]);
	close(script);
	close(ends[1]);
	if (child < 0)
		snprintf(err, size, "fork: %s", strerror(errno));
	else
		status = words_take(child, ends[0], said, code, err, size);
	close(ends[0]);
	return status;
}

/* With several partitions there is an answer for each: take the one that sbatch
 * shows, or else the last */
struct json_object *whatif_find(const struct published *p, const struct question *q,
				const struct sbatch_answer *said)
{
	struct json_object *found = NULL;

	for (size_t i = json_items(p->document, "asked"); i-- > 0; ) {
		struct json_object *o = json_item(p->document, "asked", i);
		const char *token = json_text(o, "token");
		bool ours = *token ? !strcmp(token, q->token)
			    : said->starts && json_number(o, "jobId") == said->job_id
			      && sat_add(json_number(o, "time"), 2) >= q->asked;

		if (ours && (!*said->partition
			     || !strcmp(said->partition, json_text(o, "partition"))))
			return o;
		if (ours && !found)
			found = o;
	}
	return found;
}
