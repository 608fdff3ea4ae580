/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - use, borrowing, waiting jobs and evictions over time, as charts
 *
 * A column for each replay, with charts of one axis of time: what the queues use
 * of one resource, on all its flavors, stacked, with the nominal quota of all of
 * them as a line; what each has borrowed; how many jobs wait, stacked; how many
 * are evicted, stacked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charts/charts.h"
#include "input/json_members.h"
#include "lib/sat.h"
#include "must.h"
#include "output/text.h"
#include "simulate/simulate.h"

#define BUCKETS 360

/* Of a queue in each of the BUCKETS parts of the time: the mean of what it uses,
 * borrows, and of the jobs that wait, and how many are evicted */
struct series {
	double used[BUCKETS], borrowed[BUCKETS];
	double waiting[BUCKETS], evicted[BUCKETS];
};

struct drawing {
	const struct replay *r;
	int64_t span;			/* ns, of the longest */
	const char *resource;
	struct series *series;		/* by queue */
};

/* ---- figures, part by part ---- */

/* Where in the buckets is this time? */
static double place_of(const struct drawing *d, int64_t at)
{
	return (double) (at - d->r->begin) * BUCKETS / (double) d->span;
}

/* Adds `value` from one time to another, each bucket its part. */
static void buckets_add(const struct drawing *d, double *buckets, double value, int64_t from,
			int64_t to)
{
	double a = place_of(d, from), b = place_of(d, to);

	for (int i = (int) a; i < BUCKETS && (double) i < b; i++) {
		double low = a > i ? a : i, high = b < i + 1 ? b : i + 1;

		buckets[i] += value * (high - low);
	}
}

static bool is_drawn(const struct drawing *d, const struct replay_use *u)
{
	return !strcmp(d->r->conf->spec->resources[u->resource], d->resource);
}

static void use_add(const struct drawing *d, struct series *s, const struct replay_use *u)
{
	for (size_t i = 0; i < u->npoints; i++) {
		const struct replay_point *p = &u->points[i];
		int64_t to = i + 1 < u->npoints ? p[1].at : d->r->end;

		buckets_add(d, s->used, (double) p->used, p->at, to);
		if (p->used > p->nominal)
			buckets_add(d, s->borrowed, (double) (p->used - p->nominal), p->at, to);
	}
}

/* The mean of what adds up from each change to the end; after that nothing is known. */
static void changes_add(const struct drawing *d, struct series *s, const struct replay_queue *q)
{
	double steps[BUCKETS + 1] = { 0 }, sum = 0;	/* from one bucket to the next */
	int64_t left = 0;

	for (size_t i = 0; i <= q->nchanges; i++) {
		bool last = i == q->nchanges;
		int64_t at = last ? d->r->end : q->changes[i].at;
		int64_t by = last ? -left : q->changes[i].waiting;
		double place = place_of(d, at);
		int b = place < BUCKETS ? (int) place : BUCKETS - 1;

		if (at < d->r->begin || at > d->r->end)
			continue;
		if (!by && !last)
			s->evicted[b]++;
		left += by;
		s->waiting[b] += (double) by * (b + 1 - place);
		steps[b + 1] += (double) by;
	}
	for (int b = 0; b < BUCKETS; b++) {
		sum += steps[b];
		s->waiting[b] += sum;
	}
}

/* Fills the series. Returns nominal quota of all queues, the mean over the whole time. */
static double series_fill(struct drawing *d)
{
	size_t n = d->r->conf->spec->nqueues;
	double nominal = 0;

	d->series = must(calloc(n + 1, sizeof(*d->series)));
	for (size_t i = 0; i < n; i++) {
		const struct replay_queue *q = &d->r->queues[i];

		changes_add(d, &d->series[i], q);
		for (size_t k = 0; k < q->nuses; k++) {
			if (!is_drawn(d, &q->uses[k]))
				continue;
			use_add(d, &d->series[i], &q->uses[k]);
			nominal += (double) q->uses[k].nominal;
		}
	}
	return nominal;
}

/* ---- the page ---- */

/* `offset` of the values in struct series */
static struct json_object *queues_add(struct json_object *list, const char *title, const char *unit,
				      bool stacked, const struct drawing *d, size_t offset)
{
	struct json_object *chart = chart_add(list, title, unit, stacked);

	for (size_t q = 0; q < d->r->conf->spec->nqueues; q++)
		chart_values(chart, false, d->r->conf->spec->queues[q].name,
			     (const double *) ((const char *) &d->series[q] + offset), BUCKETS);
	return chart;
}

static struct json_object *column_document(struct drawing *d)
{
	struct json_object *column = json_object_new_object();
	struct json_object *charts, *use;
	double nominal[BUCKETS], all = series_fill(d);
	char title[512], each[TEXT_SIZE];

	for (int b = 0; b < BUCKETS; b++)
		nominal[b] = all;
	json_add_text(column, "title", replay_title(d->r));
	charts = json_add_list(column, "charts");
	snprintf(title, sizeof(title), "%s in use", d->resource);
	use = queues_add(charts, title, d->resource, true, d, offsetof(struct series, used));
	chart_values(use, true, "nominal quota of all", nominal, BUCKETS);
	snprintf(title, sizeof(title), "%s borrowed", d->resource);
	queues_add(charts, title, d->resource, false, d, offsetof(struct series, borrowed));
	queues_add(charts, "waiting jobs", "jobs", true, d, offsetof(struct series, waiting));
	snprintf(title, sizeof(title), "evictions in each %s", text_duration(
		 each, sizeof(each), d->span / BUCKETS / SPEC_SEC));
	queues_add(charts, title, "jobs", true, d, offsetof(struct series, evicted));
	free(d->series);
	return column;
}

static struct json_object *page_document(struct replay *const *replays, size_t n,
					 const char *resource, bool dates)
{
	struct json_object *o = json_object_new_object();
	struct json_object *edges, *columns;
	double begin = dates ? (double) (replays[0]->begin / SPEC_SEC) : 0;
	struct drawing d = { .span = 1, .resource = resource };

	for (size_t i = 0; i < n; i++)
		d.span = max64(d.span, replays[i]->end - replays[i]->begin);
	json_add_truth(o, "dates", dates);
	edges = json_add_list(o, "edges");
	for (int b = 0; b <= BUCKETS; b++)
		json_object_array_add(edges, json_object_new_double(
			begin + (double) d.span / SPEC_SEC * b / BUCKETS));
	columns = json_add_list(o, "columns");
	for (size_t i = 0; i < n; i++) {
		d.r = replays[i];
		json_object_array_add(columns, column_document(&d));
	}
	return o;
}

bool plot_write(const char *path, const char *resource, bool dates,
		struct replay *const *replays, size_t n)
{
	const struct spec *spec = replays[0]->conf->spec;
	int r = report_resource(spec, resource);
	struct json_object *page;
	char err[512];
	bool done;

	if (r == SPEC_NONE)
		return complain("there is no quota for %s in %.300s",
				resource ? resource : "anything", replays[0]->conf->file);
	page = page_document(replays, n, spec->resources[r], dates);
	done = !charts_write(path, page, err, sizeof(err)) || complain("%s", err);
	json_object_put(page);
	return done;
}
