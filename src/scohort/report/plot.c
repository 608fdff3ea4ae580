/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - what cluster queues used and borrowed over time, as SVG
 *
 * The upper panel has the mean use of each, stacked, with the nominal quota of all
 * as a line; the lower one what each borrowed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "output/svg.h"
#include "report/periods.h"
#include "report/plot.h"

#define HOURS_MAX (4 * 86400)
#define STEPS_MAX 100000
#define TIMES 8			/* at most so many under a panel */

struct drawing {
	const struct catalog *catalog;
	const char *title;		/* resource */
	struct range range;
	size_t resource, steps;
	int64_t *times;		/* [steps + 1] */
	double *edges;		/* the same as parts of the width */
	double *used, *borrowed;	/* [queue * steps + step], means */
	double *nominal;	/* of all queues, [step] */
	double most_used, most_borrowed;
	double *low, *high;		/* for one queue */
};

/* ---- figures ---- */

/* Steps are periods, of which the first and last may be cut: STEPS_MAX + 1 if there are
 * more than can be drawn. */
static void steps_make(struct drawing *d)
{
	const struct range *r = &d->range;
	int64_t at = r->start;

	while (at < r->end && d->steps <= STEPS_MAX) {
		int64_t next = span_next(r->by, span_begin(r->by, at));

		if (d->times)
			d->times[d->steps] = at;
		d->steps++;
		at = next < r->end ? next : r->end;
	}
	if (d->times)
		d->times[d->steps] = at;
}

static double *numbers_make(size_t n)
{
	return calloc(n + 1, sizeof(double));
}

static int drawing_make(struct drawing *d)
{
	size_t cells;

	steps_make(d);
	if (d->steps > STEPS_MAX) {
		stderr_line("scohort report: --plot: more than %d steps: a longer "
			    "--by or a shorter time would do", STEPS_MAX);
		return -1;
	}
	cells = d->steps * d->catalog->queues.n;
	d->times = calloc(d->steps + 1, sizeof(*d->times));
	d->edges = numbers_make(d->steps);
	d->used = numbers_make(cells);
	d->borrowed = numbers_make(cells);
	d->nominal = numbers_make(d->steps);
	d->low = numbers_make(d->steps);
	d->high = numbers_make(d->steps);
	if (!d->times || !d->edges || !d->used || !d->borrowed || !d->nominal
	    || !d->low || !d->high) {
		stderr_line("scohort report: out of memory");
		return -1;
	}
	d->steps = 0;
	steps_make(d);
	for (size_t i = 0; i <= d->steps; i++)
		d->edges[i] = (double) (d->times[i] - d->range.start)
			      / (double) (d->range.end - d->range.start);
	return 0;
}

static void drawing_free(struct drawing *d)
{
	free(d->times);
	free(d->edges);
	free(d->used);
	free(d->borrowed);
	free(d->nominal);
	free(d->low);
	free(d->high);
}

static void grow(double *most, double value)
{
	if (value > *most)
		*most = value;
}

static int period_take(void *arg, const struct period *p)
{
	struct drawing *d = arg;
	size_t n = d->catalog->resources.n, step = 0;
	double length, sum = 0;

	while (step + 1 < d->steps && d->times[step + 1] <= p->begin)
		step++;
	length = (double) (d->times[step + 1] - d->times[step]);
	for (size_t q = 0; q < d->catalog->queues.n; q++) {
		const int64_t *of = p->amounts[q * n + d->resource].of;
		size_t cell = q * d->steps + step;

		d->borrowed[cell] = (double) of[DB_BORROWED] / length;
		d->used[cell] = (double) of[DB_OWN] / length
				+ d->borrowed[cell];
		d->nominal[step] += (double) of[DB_NOMINAL] / length;
		sum += d->used[cell];
		grow(&d->most_borrowed, d->borrowed[cell]);
	}
	grow(&d->most_used, sum);
	grow(&d->most_used, d->nominal[step]);
	return 0;
}

/* ---- drawing ---- */

static void axes_draw(const struct drawing *d, const struct svg_panel *p)
{
	size_t every = d->steps / TIMES + 1;
	char text[64];

	svg_values(p, d->title);
	for (size_t i = 0; i < d->steps; i += every) {
		span_name(d->range.by, d->times[i], text, sizeof(text));
		svg_time(p, d->edges[i], text);
	}
}

static void used_draw(const struct drawing *d, const struct svg_panel *p)
{
	for (size_t q = 0; q < d->catalog->queues.n; q++) {
		const double *used = &d->used[q * d->steps];

		for (size_t i = 0; i < d->steps; i++)
			d->high[i] = d->low[i] + used[i];
		svg_area(p, d->low, d->high, svg_color(q));
		memcpy(d->low, d->high, d->steps * sizeof(*d->low));
	}
	svg_quota_steps(p, d->nominal);
}

static void panels_draw(const struct drawing *d, FILE *f)
{
	struct svg_panel used = {
		.f = f, .left = SVG_LEFT, .top = SVG_TOP, .n = d->steps,
		.most = d->most_used > 0 ? d->most_used * 1.05 : 1,
		.edges = d->edges,
	};
	struct svg_panel borrowed = used;
	char title[512];

	borrowed.top += SVG_HEIGHT + SVG_GAP;
	borrowed.most = d->most_borrowed > 0 ? d->most_borrowed * 1.05 : 1;
	snprintf(title, sizeof(title), "%s in use, and nominal quota", d->title);
	svg_text(f, SVG_LEFT, used.top - 12, "start", title);
	axes_draw(d, &used);
	used_draw(d, &used);
	snprintf(title, sizeof(title), "%s borrowed", d->title);
	svg_text(f, SVG_LEFT, borrowed.top - 10, "start", title);
	axes_draw(d, &borrowed);
	for (size_t q = 0; q < d->catalog->queues.n; q++) {
		double y = borrowed.top + SVG_HEIGHT + SVG_GAP
			   + (double) (q * SVG_LEGEND);

		svg_line(&borrowed, &d->borrowed[q * d->steps], svg_color(q));
		svg_legend(f, SVG_LEFT, y, svg_color(q),
			   d->catalog->queues.names[q]);
	}
	svg_legend_quota(f, SVG_LEFT, borrowed.top + SVG_HEIGHT + SVG_GAP
			 + (double) (d->catalog->queues.n * SVG_LEGEND),
			 "nominal quota of all");
}

static int drawing_write(const struct drawing *d, const char *path)
{
	FILE *f = fopen(path, "we");
	int rc = f ? 0 : -1;

	if (f) {
		svg_begin(f, SVG_LEFT + SVG_WIDTH + 60,
			  SVG_TOP + 2 * (SVG_HEIGHT + SVG_GAP)
			  + (double) ((d->catalog->queues.n + 1) * SVG_LEGEND));
		panels_draw(d, f);
		svg_end(f);
		rc = ferror(f) ? -1 : 0;
	}
	if (f && fclose(f))
		rc = -1;
	if (rc)
		stderr_line("scohort report: %s: cannot be written: %s", path,
			    strerror(errno));
	return rc;
}

int plot_report(const char *path, const char *resource, const struct db *db,
		const struct range *range, const struct catalog *catalog)
{
	struct drawing d = { .catalog = catalog };
	enum span_by by = range->by;
	int rc = -1;

	if (!catalog->resources.n) {
		stderr_line("scohort report: %s has nothing to draw", db->path);
		return -1;
	}
	if (by == SPAN_WHOLE)
		by = range->end - range->start > HOURS_MAX ? SPAN_DAY
							   : SPAN_HOUR;
	range_make(&d.range, range->start, range->end, by);
	d.resource = resource_find(catalog, resource);
	d.title = catalog->resources.names[d.resource];
	if (!drawing_make(&d)
	    && !periods_each(db, &d.range, catalog, period_take, &d))
		rc = drawing_write(&d, path);
	drawing_free(&d);
	return rc;
}
