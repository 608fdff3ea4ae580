/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.c - how far a replay is, on a terminal; and Ctrl-C
 *
 * The first Ctrl-C stops the replay, and what there is so far is printed. The
 * second one ends the program as ever.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "must.h"
#include "output/text.h"
#include "simulate/simulate.h"
#include "text/printable.h"

#define BAR 20

struct progress {
	const char *what;
	const struct trace *trace;
	struct timespec begin, last;
	bool terminal, shown;
	bool caught;			/* Ctrl-C is ours until the end */
	struct sigaction old;
};

static volatile sig_atomic_t interrupted;

static void interrupt_note(int signo)
{
	(void) signo;
	interrupted = 1;
}

/* Not where the caller ignores it (nohup, a script in the background), and not again
 * after it came */
static void interrupt_catch(struct progress *p)
{
	const struct sigaction act = { .sa_handler = interrupt_note,
				       .sa_flags = SA_RESETHAND | SA_RESTART };

	if (interrupted || sigaction(SIGINT, NULL, &p->old) || p->old.sa_handler == SIG_IGN)
		return;
	p->caught = !sigaction(SIGINT, &act, NULL);
}

struct progress *progress_begin(const char *what, const struct trace *trace)
{
	struct progress *p = must(calloc(1, sizeof(*p)));

	interrupt_catch(p);
	p->what = what;
	p->trace = trace;
	p->terminal = isatty(STDERR_FILENO);
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
	return p;
}

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
	return (double) (b->tv_sec - a->tv_sec) + (double) (b->tv_nsec - a->tv_nsec) / 1e9;
}

static void line_show(const struct progress *p, double done, double passed, int64_t now)
{
	char at[TEXT_SIZE], left[TEXT_SIZE];
	int full = (int) (done * BAR);

	if (p->trace->dates)
		text_date(at, sizeof(at), now / SPEC_SEC);
	else
		text_duration(at, sizeof(at), (now - TRACE_ORIGIN) / SPEC_SEC);
	fputs("\r\033[K", stderr);
	printable_put(p->what, stderr);
	fprintf(stderr, ": [%.*s%.*s] %3.0f%%, at %s", full, "####################", BAR - full,
		"....................", 100 * done, at);
	if (done > 0)
		fprintf(stderr, ", %s left",
			text_duration(left, sizeof(left),
				      (int64_t) (passed / done * (1 - done))));
}

bool progress_show(void *arg, size_t done, size_t of, int64_t now)
{
	struct progress *p = arg;
	struct timespec clock;
	double passed;

	if (interrupted || !p || !p->terminal || !of)
		return !interrupted;
	clock_gettime(CLOCK_MONOTONIC, &clock);
	passed = seconds_between(&p->begin, &clock);
	if (passed < 1 || seconds_between(&p->last, &clock) < 0.2)
		return true;
	p->last = clock;
	p->shown = true;
	line_show(p, (double) done / (double) of, passed, now);
	return true;
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	if (p->caught)
		sigaction(SIGINT, &p->old, NULL);
	free(p);
}
