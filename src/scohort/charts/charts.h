/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charts.h - a page with charts that needs no other file
 *
 * charts.js draws them with uPlot, as it does for scohort web.
 */
#ifndef SCOHORT_CHARTS_H
#define SCOHORT_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <json.h>

/*
 * Columns of charts with one axis of time:
 *   {dates: seconds are since the epoch, else since the begin; zone: TEXT or null;
 *    edges: [SECONDS], one more than there are values;
 *    columns: [{title, charts: [{title, unit, stacked,
 *      series: [{name, values: [AMOUNT]}], line: {name, values} or none}]}]}
 * Or what queues had by step (ask_steps() of report/ask.h):
 *   {zone, resource, end: SECONDS, queues: [{name, steps}]}
 * Or points of a trade:
 *   {trade: {title, x, y, points: [{name, x, y, unbeaten}]}}
 */

/* A chart without series and without a line, added to the list. It belongs to
 * the list. */
struct json_object *chart_add(struct json_object *list, const char *title,
			      const char *unit, bool stacked);
/* Adds n values of that name to the chart; `line`: as its line */
void chart_values(struct json_object *chart, bool line, const char *name,
		  const double *values, size_t n);

/* Writes the page. False after a message, which names the file */
bool charts_write(const char *path, struct json_object *charts);

/* ---- what pages are served with; the files are inside the program ---- */

struct asset {
	const char *path;	/* "/style.css" */
	const char *type;
	const char *begin, *end;
};

/* NULL: there is none at that path */
const struct asset *asset_find(const char *path);

#endif /* SCOHORT_CHARTS_H */
