/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - what cluster queues used and borrowed over time, as charts
 *
 * One has the mean use of each, stacked, with the nominal quota of all as a line;
 * the other one what each borrowed.
 */
#include <stdlib.h>

#include "charts/charts.h"
#include "input/json_members.h"
#include "output/output.h"
#include "report/periods.h"
#include "report/plot.h"

#define HOURS_MAX (4 * 86400)
#define STEPS_MAX 100000

struct drawing {
	const struct catalog *catalog;
	const char *title;		/* resource */
	struct range range;
	size_t resource, steps;
	int64_t *times;		/* [steps + 1] */
	double *used, *borrowed;	/* [queue * steps + step], means */
	double *nominal;	/* of all queues, [step] */
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
		stderr_line("scohort report: --html: more than %d steps: a longer "
			    "--by or a shorter time would do", STEPS_MAX);
		return -1;
	}
	cells = d->steps * d->catalog->queues.n;
	d->times = calloc(d->steps + 1, sizeof(*d->times));
	d->used = numbers_make(cells);
	d->borrowed = numbers_make(cells);
	d->nominal = numbers_make(d->steps);
	if (!d->times || !d->used || !d->borrowed || !d->nominal) {
		stderr_line("scohort report: out of memory");
		return -1;
	}
	d->steps = 0;
	steps_make(d);
	return 0;
}

static void drawing_free(struct drawing *d)
{
	free(d->times);
	free(d->used);
	free(d->borrowed);
	free(d->nominal);
}

static int period_take(void *arg, const struct period *p)
{
	struct drawing *d = arg;
	size_t n = d->catalog->resources.n, step = 0;
	double length;

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
	}
	return 0;
}

/* ---- the page ---- */

static struct json_object *queues_add(const struct drawing *d,
				      struct json_object *list,
				      const char *what, bool stacked,
				      const double *values)
{
	struct json_object *chart;
	char title[512];

	snprintf(title, sizeof(title), "%.400s %s", d->title, what);
	chart = chart_add(list, title, d->title, stacked);
	for (size_t q = 0; q < d->catalog->queues.n; q++)
		chart_values(chart, false, d->catalog->queues.names[q],
			     &values[q * d->steps], d->steps);
	return chart;
}

static struct json_object *drawing_document(const struct drawing *d,
					    const char *zone)
{
	struct json_object *o = json_object_new_object();
	struct json_object *edges = json_object_new_array();
	struct json_object *columns = json_object_new_array();
	struct json_object *column = json_object_new_object();
	struct json_object *charts = json_object_new_array(), *use;

	json_object_object_add(o, "dates", json_object_new_boolean(true));
	json_add_text(o, "zone", zone);
	for (size_t i = 0; i <= d->steps; i++)
		json_object_array_add(edges,
				      json_object_new_int64(d->times[i]));
	json_object_object_add(o, "edges", edges);
	json_add_text(column, "title", "Cluster queues");
	use = queues_add(d, charts, "in use", true, d->used);
	chart_values(use, true, "nominal quota of all", d->nominal, d->steps);
	queues_add(d, charts, "borrowed", false, d->borrowed);
	json_object_object_add(column, "charts", charts);
	json_object_array_add(columns, column);
	json_object_object_add(o, "columns", columns);
	return o;
}

static int drawing_write(const struct drawing *d, const char *path,
			 const char *zone)
{
	struct json_object *document = drawing_document(d, zone);
	char err[512];
	int rc = charts_write(path, document, err, sizeof(err));

	if (rc)
		stderr_line("scohort report: %s", err);
	json_object_put(document);
	return rc;
}

int plot_report(const char *path, const char *resource, const char *zone,
		const struct db *db, const struct range *range,
		const struct catalog *catalog)
{
	struct drawing d = { .catalog = catalog };
	enum span_by by = range->by;
	int rc = -1;

	if (!catalog->resources.n) {
		stderr_line("scohort report: %s has nothing to show", db->path);
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
		rc = drawing_write(&d, path, zone);
	drawing_free(&d);
	return rc;
}
