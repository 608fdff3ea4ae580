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

/* The mean of something in each of the BUCKETS parts of the time, once it is closed */
struct curve {
	double mean[BUCKETS];
	double steps[BUCKETS + 1];	/* from one bucket to the next */
};

/* What a queue uses, borrows, and its jobs that wait; how many are evicted in each part */
struct series {
	struct curve used, borrowed, waiting, evicted;
};

struct drawing {
	const struct replay *r;
	int64_t span;			/* ns, of the longest */
	const char *resource;
	struct series *series;		/* by queue */
};

/* ---- figures, part by part ---- */

/* Where in the buckets is this time? *place: its bucket, and behind the point how far in it */
static int bucket_of(const struct drawing *d, int64_t at, double *place)
{
	*place = (double) (at - d->r->begin) * BUCKETS / (double) d->span;
	return *place < BUCKETS ? (int) *place : BUCKETS - 1;
}

/* From that time on it is so much more. */
static void curve_step(const struct drawing *d, struct curve *c, int64_t at, double by)
{
	double place;
	int b = bucket_of(d, at, &place);

	c->mean[b] += by * (b + 1 - place);
	c->steps[b + 1] += by;
}

static void curve_close(struct curve *c)
{
	double sum = 0;

	for (int b = 0; b < BUCKETS; b++) {
		sum += c->steps[b];
		c->mean[b] += sum;
	}
}

static void use_add(const struct drawing *d, struct series *s, const struct replay_use *u)
{
	int64_t used = 0, borrowed = 0;

	for (size_t i = 0; i <= u->npoints; i++) {
		const struct replay_point *p = &u->points[i];
		bool end = i == u->npoints;	/* after it nothing is known */
		int64_t at = end ? d->r->end : p->at, now = end ? 0 : p->used;
		int64_t over = end ? 0 : max64(0, p->used - p->nominal);

		curve_step(d, &s->used, at, (double) (now - used));
		curve_step(d, &s->borrowed, at, (double) (over - borrowed));
		used = now;
		borrowed = over;
	}
}

static void changes_add(const struct drawing *d, struct series *s, const struct replay_queue *q)
{
	int64_t waiting = 0;
	double place;

	for (size_t i = 0; i < q->nchanges; i++) {
		const struct replay_change *c = &q->changes[i];

		if (c->at < d->r->begin || c->at > d->r->end)
			continue;
		if (!c->waiting)
			s->evicted.mean[bucket_of(d, c->at, &place)]++;
		curve_step(d, &s->waiting, c->at, (double) c->waiting);
		waiting += c->waiting;
	}
	curve_step(d, &s->waiting, d->r->end, (double) -waiting);
}

/* Fills the series. Returns nominal quota of all queues, the mean over the whole time. */
static double series_fill(struct drawing *d)
{
	const struct spec *spec = d->r->conf->spec;
	double nominal = 0;

	d->series = must(calloc(spec->nqueues + 1, sizeof(*d->series)));
	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct replay_queue *q = &d->r->queues[i];
		struct series *s = &d->series[i];

		changes_add(d, s, q);
		for (size_t k = 0; k < q->nuses; k++) {
			if (strcmp(spec->resources[q->uses[k].resource], d->resource))
				continue;
			use_add(d, s, &q->uses[k]);
			nominal += (double) q->uses[k].nominal;
		}
		curve_close(&s->used);
		curve_close(&s->borrowed);
		curve_close(&s->waiting);
	}
	return nominal;
}

/* ---- the page ---- */

/* `offset` of the curve in struct series */
static struct json_object *queues_add(struct json_object *list, const char *title, const char *unit,
				      bool stacked, const struct drawing *d, size_t offset)
{
	struct json_object *chart = chart_add(list, title, unit, stacked);

	for (size_t q = 0; q < d->r->conf->spec->nqueues; q++) {
		const void *curve = (const char *) &d->series[q] + offset;

		chart_values(chart, false, d->r->conf->spec->queues[q].name,
			     ((const struct curve *) curve)->mean, BUCKETS);
	}
	return chart;
}

static struct json_object *column_document(struct drawing *d)
{
	struct json_object *column = json_object_new_object();
	struct json_object *charts, *use;
	double nominal[BUCKETS], all = series_fill(d);
	char title[512];

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
	snprintf(title, sizeof(title), "evictions in each %s",
		 text_duration(TEXT_BUF, d->span / BUCKETS / SPEC_SEC));
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
	bool done;

	if (r == SPEC_NONE)
		return complain("there is no quota for %s in %.300s",
				resource ? resource : "anything", replays[0]->conf->file);
	page = page_document(replays, n, spec->resources[r], dates);
	done = charts_write(path, page);
	json_object_put(page);
	return done;
}
