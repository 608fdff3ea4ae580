/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * during.c - while a replay runs: how far it is, on a terminal; Ctrl-C; and what
 *	      happens in it, event by event, as CSV
 *
 * The first Ctrl-C stops the replay, and what there is so far is printed. The
 * second one ends the program as ever.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	int full = (int) (done * BAR);

	fputs("\r\033[K", stderr);
	printable_put(p->what, stderr);
	fprintf(stderr, ": [%.*s%.*s] %3.0f%%, at %s", full, "####################", BAR - full,
		"....................", 100 * done,
		p->trace->dates ? text_date(TEXT_BUF, now / SPEC_SEC)
		: text_duration(TEXT_BUF, (now - TRACE_ORIGIN) / SPEC_SEC));
	if (done > 0)
		fprintf(stderr, ", %s left",
			text_duration(TEXT_BUF, (int64_t) (passed / done * (1 - done))));
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

/* ---- events ---- */

struct events {
	FILE *f;
	const char *path;
	const struct trace *trace;
};

struct events *events_open(const char *path, const struct trace *trace)
{
	FILE *f = fopen(path, "we");
	struct events *events;

	if (!f) {
		complain("%.300s: cannot be written: %s", path, strerror(errno));
		return NULL;
	}
	events = must(calloc(1, sizeof(*events)));
	*events = (struct events) { f, path, trace };
	fputs("time,event,line,queue,by\n", f);
	return events;
}

/* As the trace has times: dates, or seconds since its beginning */
static void time_write(const struct events *events, int64_t at)
{
	int64_t ms = (at - TRACE_ORIGIN) / (SPEC_SEC / 1000);

	if (events->trace->dates)
		fputs(text_date(TEXT_BUF, at / SPEC_SEC), events->f);
	else if (ms % 1000)
		fprintf(events->f, "%" PRId64 ".%03d", ms / 1000, (int) (ms % 1000));
	else
		fprintf(events->f, "%" PRId64, ms / 1000);
}

/* Names of queues need no quotes: they have letters, digits, "_", "-" and ".". */
void events_write(void *arg, const struct replay_event *e)
{
	static const char *const kinds[] = {
		[SIM_START] = "start", [SIM_EVICT] = "evict",
		[SIM_GONE] = "gone", [SIM_END] = "end",
	};
	const struct events *events = arg;

	time_write(events, e->at);
	fprintf(events->f, ",%s,%zu,%s", kinds[e->kind], e->job->line, e->queue);
	if (e->by)
		fprintf(events->f, ",%zu\n", e->by->line);
	else
		fputs(",\n", events->f);
}

bool events_close(struct events *events)
{
	bool failed = ferror(events->f);

	failed |= fclose(events->f) != 0;
	if (failed)
		complain("%.300s: cannot be written: %s", events->path, strerror(errno));
	free(events);
	return !failed;
}
