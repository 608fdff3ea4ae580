/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * left.c - what is left out of a replay, by cause; and times by class
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/replay.h"
#include "value/times.h"

void replay_misnamed(struct replay *r, const struct trace_job *job)
{
	if (!r->misnamed++) {
		r->wrong_queue = job->queue;
		r->wrong_line = job->line;
	}
}

static int uncovered_count(struct replay *r, const char *resource)
{
	struct replay_missing *grown;

	for (size_t i = 0; i < r->nuncovered; i++) {
		if (strcmp(r->uncovered[i].resource, resource))
			continue;
		r->uncovered[i].jobs++;
		return 0;
	}
	grown = realloc(r->uncovered, (r->nuncovered + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	r->uncovered = grown;
	grown += r->nuncovered++;
	grown->jobs = 1;
	memcpy(grown->resource, resource, strlen(resource) + 1);
	return 0;
}

int replay_uncovered(struct replay *r, const struct trace_job *job, int queue)
{
	const struct spec *spec = r->conf->spec;
	size_t missing = 0;

	for (size_t i = 0; i < job->request->n; i++) {
		const char *resource = job->request->amounts[i].resource;

		if (replay_covers(spec, queue, resource))
			continue;
		missing++;
		if (uncovered_count(r, resource) < 0)
			return -1;
	}
	r->uncharged += missing == job->request->n;
	return 0;
}

/* ---- "4h,low=10m" ---- */

/* One element: its class (len 0: all), and its time. -1 with err */
static int time_parse(const char *text, size_t len, size_t *class, int64_t *ns,
		      char *err, size_t size)
{
	const char *equals = memchr(text, '=', len);
	size_t begin = equals ? (size_t) (equals - text) + 1 : 0;
	char time[64], why[160];

	*class = equals ? begin - 1 : 0;
	snprintf(time, sizeof(time), "%.*s", (int) (len - begin), text + begin);
	if ((equals && !*class) || len - begin >= sizeof(time) ||
	    duration_parse(time, ns, why, sizeof(why)) < 0 ||
	    !time[strspn(time, "0123456789")]) {
		snprintf(err, size, "\"%.*s\" is not a time with a unit, or "
			 "CLASS=TIME (30s, 10m, 1h, low=10m)",
			 len > 60 ? 60 : (int) len, text);
		return -1;
	}
	return 0;
}

/* Does an element before this one have the same class? */
static bool class_is_told(const char *times, const char *element, size_t class)
{
	while (times < element) {
		size_t len = strcspn(times, ",");
		const char *equals = memchr(times, '=', len);
		size_t other = equals ? (size_t) (equals - times) : 0;

		if (other == class && !strncmp(times, element, class))
			return true;
		times += len + !!times[len];
	}
	return false;
}

int replay_times_check(const char *times, char *err, size_t size)
{
	const char *all = times;

	while (times && *times) {
		size_t len = strcspn(times, ","), class;
		int64_t ns;

		if (time_parse(times, len, &class, &ns, err, size) < 0)
			return -1;
		if (class_is_told(all, times, class)) {
			snprintf(err, size, "%.*s%s comes twice",
				 (int) (class ? class : len), times,
				 class ? "" : ": a time for all others");
			return -1;
		}
		times += len + !!times[len];
	}
	return 0;
}

/* The first job that is of a class; NULL: none is */
static const struct trace_job *class_find(const struct replay_ask *ask,
					  const struct trace *trace,
					  const char *name, size_t len)
{
	for (size_t i = 0; i < trace->n; i++) {
		const char *class = replay_class_of(ask, &trace->jobs[i]);

		if (class && (!name || (strlen(class) == len
					&& !strncmp(class, name, len))))
			return &trace->jobs[i];
	}
	return NULL;
}

int replay_times_fit(const struct replay_ask *ask, const struct trace *trace,
		     const char *option, const char *times, char *err,
		     size_t size)
{
	while (times && *times) {
		size_t len = strcspn(times, ","), class = strcspn(times, "=");

		if (class < len && !class_find(ask, trace, times, class)) {
			const struct trace_job *any =
				class_find(ask, trace, NULL, 0);

			snprintf(err, size, "--%s: no job of %.150s is of class "
				 "\"%.*s\" (the first one that is of a class: "
				 "%.60s)", option, trace->file,
				 class > 60 ? 60 : (int) class, times,
				 any ? replay_class_of(ask, any) : "none");
			return -1;
		}
		times += len + !!times[len];
	}
	return 0;
}

int64_t replay_time_of(const char *times, const char *name)
{
	int64_t all = 0, ns;
	char err[160];

	while (times && *times) {
		size_t len = strcspn(times, ","), class;

		if (time_parse(times, len, &class, &ns, err, sizeof(err)) < 0)
			return 0;
		if (!class)
			all = ns;
		else if (name && strlen(name) == class &&
			 !strncmp(times, name, class))
			return ns;
		times += len + !!times[len];
	}
	return all;
}
