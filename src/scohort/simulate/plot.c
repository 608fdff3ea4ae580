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
#include "output/text.h"
#include "simulate/plot.h"

/* `offset` of the values in struct series */
static struct json_object *queues_add(struct json_object *list,
				      const char *title, const char *unit,
				      bool stacked, const struct series *s,
				      size_t n, size_t offset)
{
	struct json_object *chart = chart_add(list, title, unit, stacked);

	for (size_t q = 0; q < n; q++)
		chart_values(chart, false, s[q].queue->name,
			     (const double *) ((const char *) &s[q] + offset),
			     BUCKETS);
	return chart;
}

static struct json_object *column_document(const struct drawing *d, size_t i,
					   const struct series *s)
{
	const struct replay *r = d->replays[i];
	struct json_object *column = json_object_new_object();
	struct json_object *charts = json_object_new_array(), *use;
	size_t n = series_queues(d, i);
	double nominal[BUCKETS];
	char title[512], each[TEXT_SIZE];

	json_add_text(column, "title", r->native == NATIVE_NONE
		      ? r->conf->file : native_name(r->native));
	json_object_object_add(column, "charts", charts);
	snprintf(title, sizeof(title), "%s in use", d->resource);
	use = queues_add(charts, title, d->resource, true, s, n,
			 offsetof(struct series, used));
	for (int b = 0; b < BUCKETS; b++)
		nominal[b] = series_nominal(d, r);
	chart_values(use, true, "nominal quota of all", nominal, BUCKETS);
	snprintf(title, sizeof(title), "%s borrowed", d->resource);
	queues_add(charts, title, d->resource, false, s, n,
		   offsetof(struct series, borrowed));
	queues_add(charts, "waiting jobs", "jobs", true, s, n,
		   offsetof(struct series, waiting));
	snprintf(title, sizeof(title), "evictions in each %s", text_duration(
		 each, sizeof(each), d->span / BUCKETS / SPEC_SEC));
	queues_add(charts, title, "jobs", true, s, n,
		   offsetof(struct series, evicted));
	return column;
}

static struct json_object *drawing_document(const struct drawing *d,
					    bool dates)
{
	struct json_object *o = json_object_new_object();
	struct json_object *edges = json_object_new_array();
	struct json_object *columns = json_object_new_array();
	const struct series *s = d->series;
	int64_t begin = dates ? d->replays[0]->begin / SPEC_SEC : 0;

	json_object_object_add(o, "dates", json_object_new_boolean(dates));
	for (int b = 0; b <= BUCKETS; b++)
		json_object_array_add(edges, json_object_new_double(
			(double) begin + (double) d->span / SPEC_SEC
			* b / BUCKETS));
	json_object_object_add(o, "edges", edges);
	for (size_t i = 0; i < d->n; s += series_queues(d, i++))
		json_object_array_add(columns, column_document(d, i, s));
	json_object_object_add(o, "columns", columns);
	return o;
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
	struct drawing d = { .replays = replays, .n = n };
	struct json_object *document;
	int r = resource ? spec_find_resource(spec, resource)
			 : plot_resource(spec), rc;

	if (r == SPEC_NONE) {
		snprintf(err, size, "there is no quota for %s in %.300s",
			 resource ? resource : "anything",
			 replays[0]->conf->file);
		return -1;
	}
	d.resource = spec->resources[r];
	if (series_make(&d) < 0) {
		snprintf(err, size, "out of memory");
		return -1;
	}
	document = drawing_document(&d, dates);
	rc = charts_write(path, document, err, size);
	json_object_put(document);
	free(d.series);
	return rc;
}
