/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - what happens in a simulation, event by event, as CSV
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/text.h"
#include "simulate/simulate.h"

struct events {
	FILE *f;
	const char *path;
	const struct trace *trace;
};

struct events *events_open(const char *path, const struct trace *trace,
			   char *err, size_t size)
{
	struct events *events = calloc(1, sizeof(*events));

	if (events)
		events->f = fopen(path, "we");
	if (!events || !events->f) {
		snprintf(err, size, "%.300s: cannot be written: %s", path,
			 strerror(errno));
		free(events);
		return NULL;
	}
	events->path = path;
	events->trace = trace;
	fputs("time,event,line,queue,by\n", events->f);
	return events;
}

/* As the trace has times: dates, or seconds since its beginning */
static void time_write(const struct events *events, int64_t at)
{
	char text[TEXT_SIZE];
	int64_t ms;

	if (events->trace->dates) {
		fputs(text_date(text, sizeof(text), at / SPEC_SEC), events->f);
		return;
	}
	ms = (at - TRACE_ORIGIN) / (SPEC_SEC / 1000);
	fprintf(events->f, "%" PRId64, ms / 1000);
	if (ms % 1000)
		fprintf(events->f, ".%03d", (int) (ms % 1000));
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

int events_close(struct events *events, char *err, size_t size)
{
	int rc;

	if (!events)
		return 0;
	rc = ferror(events->f) ? -1 : 0;
	if (fclose(events->f))
		rc = -1;
	if (rc < 0)
		snprintf(err, size, "%.300s: cannot be written: %s",
			 events->path, strerror(errno));
	free(events);
	return rc;
}
