/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - what cluster queues used and borrowed over time, as charts
 *
 * One has the mean use of each, stacked, with the nominal quota of all as a line;
 * the other one what each borrowed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charts/charts.h"
#include "input/json_members.h"
#include "output/output.h"
#include "report/plot.h"

#define HOURS_MAX (4 * 86400)
#define STEPS_MAX 100000

struct drawing {
	struct ask *ask;
	const char *resource;
	size_t steps, step;		/* step: of the last row of a queue */
	int64_t *times;			/* [steps + 1] */
	double *used, *borrowed, *nominal;	/* means, [steps] */
	struct json_object *use, *borrowing;	/* charts */
};

/* Steps are periods, of which the first and last may be cut: STEPS_MAX + 1 if there are
 * more than can be drawn. */
static void steps_make(struct drawing *d)
{
	const struct range *r = &d->ask->range;
	int64_t at = r->start;

	d->steps = 0;
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

static int drawing_make(struct drawing *d)
{
	steps_make(d);
	if (d->steps > STEPS_MAX) {
		stderr_line("scohort report: --html: more than %d steps: a longer "
			    "--by or a shorter time would do", STEPS_MAX);
		return -1;
	}
	d->times = calloc(d->steps + 1, sizeof(*d->times));
	d->used = calloc(d->steps + 1, sizeof(*d->used));
	d->borrowed = calloc(d->steps + 1, sizeof(*d->borrowed));
	d->nominal = calloc(d->steps + 1, sizeof(*d->nominal));
	if (!d->times || !d->used || !d->borrowed || !d->nominal) {
		stderr_line("scohort report: out of memory");
		return -1;
	}
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

/* What was taken of a queue, and nothing for the next one */
static void queue_add(struct drawing *d, const char *name)
{
	chart_values(d->use, false, name, d->used, d->steps);
	chart_values(d->borrowing, false, name, d->borrowed, d->steps);
	memset(d->used, 0, d->steps * sizeof(*d->used));
	memset(d->borrowed, 0, d->steps * sizeof(*d->borrowed));
	d->step = 0;
}

static void row_take(struct drawing *d, sqlite3_stmt *s)
{
	int64_t begin = sqlite3_column_int64(s, 1);
	double length, borrowed;
	size_t step;

	while (d->step + 1 < d->steps && d->times[d->step + 1] <= begin)
		d->step++;
	step = d->step;
	length = (double) (d->times[step + 1] - d->times[step]);
	borrowed = sqlite3_column_double(s, 3) / length;
	d->borrowed[step] += borrowed;
	d->used[step] += sqlite3_column_double(s, 2) / length + borrowed;
	d->nominal[step] += sqlite3_column_double(s, 4) / length;
}

/* Each queue has a row at least. -1 after a message */
static int queues_add(struct drawing *d)
{
	sqlite3_stmt *s = db_prepare(&d->ask->db, "SELECT q.name, u.begin, u.own,"
		" u.borrowed, u.nominal FROM queue q LEFT JOIN temp.use u"
		" ON u.queue = q.name AND u.resource = ?1 ORDER BY q.name,"
		" u.begin");
	char *name = NULL;
	int rc;

	if (!s)
		return -1;
	db_bind(s, "t", d->resource);
	while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
		const char *queue = (const char *) sqlite3_column_text(s, 0);

		if (name && strcmp(name, queue) != 0)
			queue_add(d, name);
		if (!name || strcmp(name, queue) != 0) {
			free(name);
			name = strdup(queue);
		}
		if (sqlite3_column_type(s, 1) != SQLITE_NULL)
			row_take(d, s);
	}
	if (name)
		queue_add(d, name);
	chart_values(d->use, true, "nominal quota of all", d->nominal, d->steps);
	if (rc != SQLITE_DONE)
		db_error(&d->ask->db);
	sqlite3_finalize(s);
	free(name);
	return rc == SQLITE_DONE ? 0 : -1;
}

static struct json_object *chart_of(const struct drawing *d,
				    struct json_object *list, const char *what,
				    bool stacked)
{
	char title[512];

	snprintf(title, sizeof(title), "%.400s %s", d->resource, what);
	return chart_add(list, title, d->resource, stacked);
}

static struct json_object *drawing_document(struct drawing *d)
{
	struct json_object *o = json_object_new_object();
	struct json_object *edges = json_object_new_array();
	struct json_object *columns = json_object_new_array();
	struct json_object *column = json_object_new_object();
	struct json_object *charts = json_object_new_array();

	json_object_object_add(o, "dates", json_object_new_boolean(true));
	json_add_text(o, "zone", d->ask->last.zone);
	for (size_t i = 0; i <= d->steps; i++)
		json_object_array_add(edges,
				      json_object_new_int64(d->times[i]));
	json_object_object_add(o, "edges", edges);
	json_add_text(column, "title", "Cluster queues");
	d->use = chart_of(d, charts, "in use", true);
	d->borrowing = chart_of(d, charts, "borrowed", false);
	json_object_object_add(column, "charts", charts);
	json_object_array_add(columns, column);
	json_object_object_add(o, "columns", columns);
	return o;
}

static int drawing_write(struct drawing *d, const char *path)
{
	struct json_object *document = drawing_document(d);
	char err[512];
	int rc = queues_add(d);

	if (!rc && (rc = charts_write(path, document, err, sizeof(err))))
		stderr_line("scohort report: %s", err);
	json_object_put(document);
	return rc;
}

int plot_report(const char *path, struct ask *a)
{
	struct json_object *resources = json_object_new_array();
	struct drawing d = { .ask = a };
	int rc = -1;

	if (a->range.by == SPAN_WHOLE)
		a->range.by = a->range.end - a->range.start > HOURS_MAX
			      ? SPAN_DAY : SPAN_HOUR;
	if (!ask_texts(a, ASK_RESOURCE, NULL, resources)) {
		d.resource = json_object_get_string(
			json_object_array_get_idx(resources, 0));
		if (!d.resource)
			stderr_line("scohort report: %s has nothing to show",
				    a->db.path);
		else if (!drawing_make(&d) && !ask_use(a))
			rc = drawing_write(&d, path);
	}
	drawing_free(&d);
	json_object_put(resources);
	return rc;
}
