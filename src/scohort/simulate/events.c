/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - what happens in a simulation, event by event, as CSV
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "output/text.h"
#include "simulate/simulate.h"

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
	char text[TEXT_SIZE];

	if (events->trace->dates)
		fputs(text_date(text, sizeof(text), at / SPEC_SEC), events->f);
	else if (ms % 1000)
		fprintf(events->f, "%" PRId64 ".%03d", ms / 1000, (int) (ms % 1000));
	else
		fprintf(events->f, "%" PRId64, ms / 1000);
}

/* A field of CSV: in quotes if it needs them */
static void field_write(FILE *f, const char *text)
{
	if (!strpbrk(text, ",\"\n")) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', f);
		fputc(*text, f);
	}
	fputc('"', f);
}

void events_write(void *arg, const struct replay_event *e)
{
	static const char *const kinds[] = {
		[SIM_START] = "start", [SIM_EVICT] = "evict",
		[SIM_GONE] = "gone", [SIM_END] = "end",
	};
	const struct events *events = arg;

	time_write(events, e->at);
	fprintf(events->f, ",%s,%zu,", kinds[e->kind], e->job->line);
	field_write(events->f, e->queue);
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
