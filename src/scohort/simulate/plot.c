/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - usage and borrowing over time as SVG
 *
 * A column for each replay. The upper panel shows what the queues use of one
 * resource, on all its flavors, stacked, with the nominal quota of all of them
 * as a line; the lower panel shows what each has borrowed. All columns have the
 * same scales.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/text.h"
#include "simulate/simulate.h"
#include "text/printable.h"

#define BUCKETS 360

/* Sizes in pixels */
#define PANEL_WIDTH 720
#define PANEL_HEIGHT 240
#define LEFT 70
#define TOP 50
#define GAP 50
#define LEGEND 18		/* height of a line */

static const char *const colors[] = {
	"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377",
	"#bbbbbb", "#997700", "#004488", "#882255",
};

#define NCOLORS (sizeof(colors) / sizeof(colors[0]))

struct drawing {
	FILE *f;
	const struct replay *const *replays;
	size_t n;
	const char *resource;
	int64_t span;			/* ns, of the longest */
	double most_used, most_borrowed;
	double nominal;			/* of the replay with the most */
	struct series *series;		/* n times nqueues of each, in order */
};

/* ---- figures ---- */

/* A queue's mean in each of the BUCKETS parts of the time */
struct series {
	const struct replay *r;
	const struct spec_queue *queue;
	double used[BUCKETS], borrowed[BUCKETS];
};

/* Adds `value` from one time to another, each bucket its part. */
static void buckets_add(double *buckets, double value, int64_t from, int64_t to,
			int64_t begin, int64_t span)
{
	double scale = (double) BUCKETS / (double) span;
	double a = (double) (from - begin) * scale;
	double b = (double) (to - begin) * scale;

	for (int i = (int) a; i < BUCKETS && (double) i < b; i++) {
		double low = a > i ? a : i, high = b < i + 1 ? b : i + 1;

		buckets[i] += value * (high - low);
	}
}

static void use_add(struct series *s, const struct replay_use *u, int64_t span)
{
	for (size_t i = 0; i < u->npoints; i++) {
		int64_t from = u->points[i].at, used = u->points[i].used;
		int64_t nominal = u->points[i].nominal;
		int64_t to = i + 1 < u->npoints ? u->points[i + 1].at
						: s->r->end;

		buckets_add(s->used, (double) used, from, to, s->r->begin,
			    span);
		if (used > nominal)
			buckets_add(s->borrowed, (double) (used - nominal),
				    from, to, s->r->begin, span);
	}
}

static bool use_is(const struct drawing *d, const struct replay *r,
		   const struct replay_use *u)
{
	return !strcmp(r->conf->spec->resources[u->resource], d->resource);
}

static void series_fill(const struct drawing *d, struct series *s,
			const struct replay *r, size_t queue)
{
	const struct replay_queue *q = &r->queues[queue];

	s->r = r;
	s->queue = &r->conf->spec->queues[queue];
	for (size_t i = 0; i < q->nuses; i++)
		if (use_is(d, r, &q->uses[i]))
			use_add(s, &q->uses[i], d->span);
}

static double nominal_of(const struct drawing *d, const struct replay *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++)
		for (size_t j = 0; j < r->queues[i].nuses; j++)
			if (use_is(d, r, &r->queues[i].uses[j]))
				sum += (double) r->queues[i].uses[j].nominal;
	return sum;
}

static size_t queues_of(const struct drawing *d, size_t i)
{
	return d->replays[i]->conf->spec->nqueues;
}

static void most_find(struct drawing *d)
{
	const struct series *s = d->series;

	for (size_t i = 0; i < d->n; s += queues_of(d, i++)) {
		double nominal = nominal_of(d, d->replays[i]);

		if (nominal > d->most_used)
			d->most_used = nominal;
		for (int b = 0; b < BUCKETS; b++) {
			double sum = 0;

			for (size_t q = 0; q < queues_of(d, i); q++) {
				sum += s[q].used[b];
				if (s[q].borrowed[b] > d->most_borrowed)
					d->most_borrowed = s[q].borrowed[b];
			}
			if (sum > d->most_used)
				d->most_used = sum;
		}
	}
}

static int drawing_open(struct drawing *d)
{
	size_t total = 0, k = 0;

	for (size_t i = 0; i < d->n; i++) {
		int64_t span = d->replays[i]->end - d->replays[i]->begin;

		total += queues_of(d, i);
		if (span > d->span)
			d->span = span;
	}
	d->span += !d->span;
	d->series = calloc(total + 1, sizeof(*d->series));
	if (!d->series)
		return -1;
	for (size_t i = 0; i < d->n; i++)
		for (size_t q = 0; q < queues_of(d, i); q++)
			series_fill(d, &d->series[k++], d->replays[i], q);
	most_find(d);
	return 0;
}

/* ---- pen ---- */

static void text_put(FILE *f, double x, double y, const char *anchor,
		     const char *text)
{
	char shown[1024] = "";

	printable_append(shown, sizeof(shown), text, sizeof(shown));
	fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		anchor);
	for (const char *c = shown; *c; c++) {
		if (*c == '<')
			fputs("&lt;", f);
		else if (*c == '&')
			fputs("&amp;", f);
		else
			fputc(*c, f);
	}
	fputs("</text>\n", f);
}

struct panel {
	double left, top;
	double most;		/* value at the upper edge */
	const char *unit;	/* resource */
};

static double panel_x(const struct panel *p, int bucket)
{
	return p->left + (double) bucket * PANEL_WIDTH / BUCKETS;
}

static double panel_y(const struct panel *p, double value)
{
	return p->top + PANEL_HEIGHT - value / p->most * PANEL_HEIGHT;
}

/* 1, 2 or 5 times a power of ten, so that there are three to seven ticks */
static double tick_of(double most)
{
	double tick = 1e-6;

	for (int i = 0; most / tick > 6; i++)
		tick *= i % 3 == 1 ? 2.5 : 2;
	return tick;
}

/* Steps of hours or days that are not too close */
static int64_t time_tick(int64_t span)
{
	static const int64_t steps[] = { 60, 300, 900, 1800, 3600, 7200, 14400,
		21600, 43200, 86400, 172800, 604800, 2592000 };
	int64_t seconds = span / SPEC_SEC;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (seconds / steps[i] <= 8)
			return steps[i];
	return seconds / 8;
}

static void axes_draw(const struct drawing *d, const struct panel *p)
{
	double tick = tick_of(p->most);
	int64_t step = time_tick(d->span);
	char text[TEXT_SIZE];

	for (double v = 0; v <= p->most * 1.0001; v += tick) {
		fprintf(d->f, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" "
			"x2=\"%.1f\" y2=\"%.1f\"/>\n", p->left, panel_y(p, v),
			p->left + PANEL_WIDTH, panel_y(p, v));
		if (!strcmp(p->unit, "mem"))
			text_amount(text, sizeof(text), "mem", (int64_t) v);
		else
			snprintf(text, sizeof(text), "%g", v);
		text_put(d->f, p->left - 6, panel_y(p, v) + 4, "end", text);
	}
	for (int64_t t = 0; t <= d->span / SPEC_SEC; t += step) {
		double x = p->left + (double) t * SPEC_SEC / (double) d->span *
			PANEL_WIDTH;

		text_put(d->f, x, p->top + PANEL_HEIGHT + 16, "middle",
			 text_duration(text, sizeof(text), t));
	}
}

/* ---- panels ---- */

/* Between the sums without and with the queue's own */
static void area_draw(const struct drawing *d, const struct panel *p,
		      const double *low, const double *high, const char *color)
{
	fputs("<polygon points=\"", d->f);
	for (int b = 0; b < BUCKETS; b++)
		fprintf(d->f, "%.1f,%.1f %.1f,%.1f ", panel_x(p, b),
			panel_y(p, high[b]), panel_x(p, b + 1),
			panel_y(p, high[b]));
	for (int b = BUCKETS; b-- > 0; )
		fprintf(d->f, "%.1f,%.1f %.1f,%.1f ", panel_x(p, b + 1),
			panel_y(p, low[b]), panel_x(p, b), panel_y(p, low[b]));
	fprintf(d->f, "\" fill=\"%s\"/>\n", color);
}

static void usage_draw(const struct drawing *d, const struct panel *p,
		       const struct series *s, size_t n)
{
	double low[BUCKETS] = { 0 }, high[BUCKETS];
	double nominal = nominal_of(d, s->r);

	for (size_t q = 0; q < n; q++) {
		for (int b = 0; b < BUCKETS; b++)
			high[b] = low[b] + s[q].used[b];
		area_draw(d, p, low, high, colors[q % NCOLORS]);
		memcpy(low, high, sizeof(low));
	}
	fprintf(d->f, "<line class=\"quota\" x1=\"%.1f\" y1=\"%.1f\" "
		"x2=\"%.1f\" y2=\"%.1f\"/>\n", p->left, panel_y(p, nominal),
		p->left + PANEL_WIDTH, panel_y(p, nominal));
}

static void borrowed_draw(const struct drawing *d, const struct panel *p,
			  const struct series *s, size_t n)
{
	for (size_t q = 0; q < n; q++) {
		fputs("<polyline points=\"", d->f);
		for (int b = 0; b < BUCKETS; b++)
			fprintf(d->f, "%.1f,%.1f %.1f,%.1f ", panel_x(p, b),
				panel_y(p, s[q].borrowed[b]),
				panel_x(p, b + 1),
				panel_y(p, s[q].borrowed[b]));
		fprintf(d->f, "\" stroke=\"%s\"/>\n", colors[q % NCOLORS]);
	}
}

static void legend_draw(const struct drawing *d, double left, double top,
			const struct series *s, size_t n)
{
	for (size_t q = 0; q < n; q++) {
		double y = top + (double) (q * LEGEND);

		fprintf(d->f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" "
			"height=\"12\" fill=\"%s\"/>\n", left, y - 10,
			colors[q % NCOLORS]);
		text_put(d->f, left + 18, y, "start", s[q].queue->name);
	}
}

static void column_draw(const struct drawing *d, size_t index,
			const struct series *s)
{
	double left = LEFT + (double) index * (PANEL_WIDTH + LEFT + 20);
	struct panel usage = { left, TOP, d->most_used * 1.05, d->resource };
	struct panel borrowed = { left, TOP + PANEL_HEIGHT + GAP,
				  d->most_borrowed * 1.05, d->resource };
	size_t n = queues_of(d, index);
	char title[512];

	/* an axis needs some length, though nothing is borrowed */
	if (borrowed.most <= 0)
		borrowed.most = 1;
	if (usage.most <= 0)
		usage.most = 1;
	snprintf(title, sizeof(title), "%.300s: %s in use, and nominal quota",
		 s->r->conf->file, d->resource);
	text_put(d->f, left, TOP - 12, "start", title);
	axes_draw(d, &usage);
	usage_draw(d, &usage, s, n);
	snprintf(title, sizeof(title), "%s borrowed", d->resource);
	text_put(d->f, left, borrowed.top - 10, "start", title);
	axes_draw(d, &borrowed);
	borrowed_draw(d, &borrowed, s, n);
	legend_draw(d, left, borrowed.top + PANEL_HEIGHT + GAP, s, n);
}

static void drawing_write(const struct drawing *d)
{
	const struct series *s = d->series;
	size_t most = 0;
	double width = (double) d->n * (PANEL_WIDTH + LEFT + 20) + 20, height;

	for (size_t i = 0; i < d->n; i++)
		if (queues_of(d, i) > most)
			most = queues_of(d, i);
	height = TOP + 2 * (PANEL_HEIGHT + GAP) + (double) (most * LEGEND);
	fprintf(d->f, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n"
		"<style>text{font:12px sans-serif}.grid{stroke:#ddd}"
		".quota{stroke:#000;stroke-dasharray:6 4}"
		"polyline{fill:none;stroke-width:1.5}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		width, height, width, height);
	for (size_t i = 0; i < d->n; s += queues_of(d, i++))
		if (queues_of(d, i))
			column_draw(d, i, s);
	fputs("</svg>\n", d->f);
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

int plot_write(const char *path, const char *resource,
	       const struct replay *const *replays, size_t n, char *err,
	       size_t size)
{
	const struct spec *spec = replays[0]->conf->spec;
	struct drawing d = { .replays = replays, .n = n };
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
	if (d.f && !drawing_open(&d)) {
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
