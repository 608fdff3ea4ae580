/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - use, borrowing, waiting jobs and evictions over time as SVG
 *
 * A column for each replay, with panels of one time axis, from above: what the
 * queues use of one resource, on all its flavors, stacked, with the nominal quota
 * of all of them as a line; what each has borrowed; how many jobs wait, stacked;
 * how many are evicted, stacked. All columns have the same scales.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output/svg.h"
#include "output/text.h"
#include "simulate/plot.h"

#define DAY 86400
#define PANELS 4
#define COLUMN (SVG_WIDTH + SVG_LEFT + 20)	/* pixels */

/* Steps of hours or days, at most so many */
static int64_t time_tick(int64_t span, int64_t most)
{
	static const int64_t steps[] = { 60, 300, 900, 1800, 3600, 7200, 14400,
		21600, 43200, 86400, 172800, 604800, 2592000 };
	int64_t seconds = span / SPEC_SEC;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (seconds / steps[i] <= most)
			return steps[i];
	return seconds / most;
}

static void spans_draw(const struct drawing *d, const struct svg_panel *p)
{
	int64_t step = time_tick(d->span, 8);
	char text[TEXT_SIZE];

	for (int64_t t = 0; t <= d->span / SPEC_SEC; t += step)
		svg_time(p, (double) t * SPEC_SEC / (double) d->span,
			 text_duration(text, sizeof(text), t));
}

/* At round hours of the day, or at midnight, of local time */
static void dates_draw(const struct drawing *d, const struct svg_panel *p,
		       int64_t begin)
{
	int64_t step = time_tick(d->span, 6), end = begin + d->span / SPEC_SEC;
	bool days = step >= DAY;
	time_t at = (time_t) begin;
	char text[TEXT_SIZE];
	struct tm tm;

	if (!localtime_r(&at, &tm))
		return;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	for (;;) {
		struct tm next = tm;

		next.tm_isdst = -1;
		at = mktime(&next);
		if (at == (time_t) -1 || at > end)
			return;
		strftime(text, sizeof(text), days ? "%Y-%m-%d"
						  : "%Y-%m-%dT%H:%M", &next);
		if (at >= begin)
			svg_time(p, (double) (at - begin) * SPEC_SEC /
				 (double) d->span, text);
		if (days)
			tm.tm_mday += (int) (step / DAY);
		else
			tm.tm_sec += (int) step;
	}
}

static void axes_draw(const struct drawing *d, const struct svg_panel *p,
		      const struct replay *r, const char *unit)
{
	svg_values(p, unit);
	if (d->dates)
		dates_draw(d, p, r->begin / SPEC_SEC);
	else
		spans_draw(d, p);
}

/* The values of all queues one upon the other; `offset` of the values in struct
 * series */
static void stack_draw(const struct svg_panel *p, const struct series *s,
		       size_t n, size_t offset)
{
	double low[BUCKETS] = { 0 }, high[BUCKETS];

	for (size_t q = 0; q < n; q++) {
		const double *values = (const double *) ((const char *) &s[q]
							 + offset);

		for (int b = 0; b < BUCKETS; b++)
			high[b] = low[b] + values[b];
		svg_area(p, low, high, svg_color(q));
		memcpy(low, high, sizeof(low));
	}
}

static void legend_draw(const struct svg_panel *p, const struct series *s,
			size_t n)
{
	double top = p->top + SVG_HEIGHT + SVG_GAP;

	for (size_t q = 0; q < n; q++)
		svg_legend(p->f, p->left, top + (double) (q * SVG_LEGEND),
			   svg_color(q), s[q].queue->name);
	svg_legend_quota(p->f, p->left, top + (double) (n * SVG_LEGEND),
			 "nominal quota of all");
}

/* Title and axes of a panel, from 0 to `most` and a little more */
static struct svg_panel panel_open(const struct drawing *d,
				   const struct replay *r, size_t column,
				   int row, double most, const char *unit,
				   const char *title)
{
	struct svg_panel p = {
		.f = d->f, .n = BUCKETS, .most = most * 1.05,
		.left = SVG_LEFT + (double) column * COLUMN,
		.top = SVG_TOP + row * (SVG_HEIGHT + SVG_GAP),
	};

	/* an axis needs some length, though there is nothing */
	if (p.most <= 0)
		p.most = 1;
	svg_text(d->f, p.left, p.top - (row ? 10 : 12), "start", title);
	axes_draw(d, &p, r, unit);
	return p;
}

static void use_draw(const struct drawing *d, size_t column,
		     const struct series *s)
{
	size_t n = series_queues(d, column);
	struct svg_panel p;
	char title[512];

	snprintf(title, sizeof(title), "%.300s: %s in use, and nominal quota",
		 s->r->native == NATIVE_NONE ? s->r->conf->file
		 : native_name(s->r->native), d->resource);
	p = panel_open(d, s->r, column, 0, d->most_used, d->resource, title);
	stack_draw(&p, s, n, offsetof(struct series, used));
	svg_quota(&p, series_nominal(d, s->r));
	snprintf(title, sizeof(title), "%s borrowed", d->resource);
	p = panel_open(d, s->r, column, 1, d->most_borrowed, d->resource,
		       title);
	for (size_t q = 0; q < n; q++)
		svg_line(&p, s[q].borrowed, svg_color(q));
}

static void column_draw(const struct drawing *d, size_t column,
			const struct series *s)
{
	size_t n = series_queues(d, column);
	char title[512], each[TEXT_SIZE];
	struct svg_panel p;

	use_draw(d, column, s);
	p = panel_open(d, s->r, column, 2, d->most_waiting, "jobs",
		       "waiting jobs");
	stack_draw(&p, s, n, offsetof(struct series, waiting));
	snprintf(title, sizeof(title), "evictions in each %s", text_duration(
		 each, sizeof(each), d->span / BUCKETS / SPEC_SEC));
	p = panel_open(d, s->r, column, 3, d->most_evicted, "jobs", title);
	stack_draw(&p, s, n, offsetof(struct series, evicted));
	legend_draw(&p, s, n);
}

static void drawing_write(const struct drawing *d)
{
	const struct series *s = d->series;
	size_t most = 0;
	double width = (double) d->n * COLUMN + 20, height;

	for (size_t i = 0; i < d->n; i++)
		if (series_queues(d, i) > most)
			most = series_queues(d, i);
	height = SVG_TOP + PANELS * (SVG_HEIGHT + SVG_GAP)
		 + (double) ((most + 1) * SVG_LEGEND);
	svg_begin(d->f, width, height);
	for (size_t i = 0; i < d->n; s += series_queues(d, i++))
		if (series_queues(d, i))
			column_draw(d, i, s);
	svg_end(d->f);
}

int plot_resource(const struct spec *spec)
{
	int first = SPEC_NONE;

	for (size_t i = 0; i < spec->nqueues; i++) {
		for (size_t j = 0; j < spec->queues[i].nquotas; j++) {
			int r = spec->queues[i].quotas[j].resource;

			if (!strncmp(spec->resources[r], "gres/", 5))
				return r;
			first = first == SPEC_NONE ? r : first;
		}
	}
	return first;
}

int plot_write(const char *path, const char *resource, bool dates,
	       const struct replay *const *replays, size_t n, char *err,
	       size_t size)
{
	const struct spec *spec = replays[0]->conf->spec;
	struct drawing d = { .replays = replays, .n = n, .dates = dates };
	int r = resource ? spec_find_resource(spec, resource)
			 : plot_resource(spec), rc = -1;

	if (r == SPEC_NONE) {
		snprintf(err, size, "there is no quota for %s in %.300s",
			 resource ? resource : "anything",
			 replays[0]->conf->file);
		return -1;
	}
	d.resource = spec->resources[r];
	d.f = fopen(path, "we");
	if (d.f && !series_make(&d)) {
		drawing_write(&d);
		rc = ferror(d.f) ? -1 : 0;
	}
	if (d.f && fclose(d.f))
		rc = -1;
	if (rc)
		snprintf(err, size, "%.300s: cannot be written: %s", path,
			 strerror(errno));
	free(d.series);
	return rc;
}
