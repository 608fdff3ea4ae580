/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.c - what cluster queues had, as JSON
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "lib/sat.h"
#include "output/output.h"
#include "report/periods.h"
#include "report/rows.h"

static const struct {
	const char *key;
	enum db_amount amount;
} columns[] = {
	{ "ownedHours", DB_NOMINAL }, { "ownHours", DB_OWN },
	{ "borrowedHours", DB_BORROWED }, { "lentHours", DB_LENT },
	{ "idleHours", DB_IDLE }, { "lostHours", DB_LOST },
};

struct filling {
	const struct range *range;
	const struct catalog *catalog;
	struct json_object *rows;
	struct amounts *totals;		/* by resource */
	struct queue_events events;	/* of all queues */
};

void hours_text(struct json_object *row, struct json_object *value, char *buf,
		size_t size)
{
	(void) row;
	if (value)
		snprintf(buf, size, "%.1f", json_object_get_double(value));
	else
		snprintf(buf, size, "-");
}

void resource_text(struct json_object *row, struct json_object *value,
		   char *buf, size_t size)
{
	const char *name = value ? json_object_get_string(value) : "-";

	(void) row;
	snprintf(buf, size, !strcmp(name, "mem") ? "mem[MB]" : "%s", name);
}

static char hours_format[] = "%.4f";

struct json_object *hours_json(int64_t seconds)
{
	struct json_object *hours =
		json_object_new_double((double) seconds / 3600);

	/* a text is made only of those that are printed as JSON */
	json_object_set_serializer(hours, json_object_double_to_json_string,
				   hours_format, NULL);
	return hours;
}

void period_add(struct json_object *row, enum span_by by, int64_t begin)
{
	char name[64];

	if (by == SPAN_WHOLE)
		return;
	span_name(by, begin, name, sizeof(name));
	json_add_text(row, "time", name);
	json_add_number(row, "begin", begin);
}

static void amounts_add(struct json_object *row, const struct amounts *a)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		json_object_object_add(row, columns[i].key,
				       hours_json(a->of[columns[i].amount]));
}

static void delay_add(struct json_object *row, const char *key,
		      const struct delays *d, double part)
{
	double seconds = delays_quantile(d, part);
	char text[64];

	if (seconds < 0)
		return;
	snprintf(text, sizeof(text), "%.1f", seconds);
	json_object_object_add(row, key,
			       json_object_new_double_s(seconds, text));
}

static void events_add(struct json_object *row, const struct queue_events *e)
{
	json_add_number(row, "evicted", e->evicted);
	json_add_number(row, "caused", e->caused);
	delay_add(row, "delayMedianSeconds", &e->delays, 0.5);
	delay_add(row, "delay95Seconds", &e->delays, 0.95);
}

/* resource NULL: none is known */
static void row_add(struct filling *f, const struct period *p, size_t queue,
		    const char *resource, const struct amounts *a)
{
	struct json_object *row = json_object_new_object();

	period_add(row, f->range->by, p->begin);
	json_add_text(row, "clusterQueue", f->catalog->queues.names[queue]);
	if (resource)
		json_add_text(row, "resource", resource);
	amounts_add(row, a);
	events_add(row, &p->events[queue]);
	json_object_array_add(f->rows, row);
}

static void queue_add(struct filling *f, const struct period *p, size_t queue)
{
	const struct queue_events *e = &p->events[queue];
	size_t n = f->catalog->resources.n;
	struct amounts none = { .any = false };
	bool any = false;

	for (size_t r = 0; r < n; r++) {
		const struct amounts *a = &p->amounts[queue * n + r];

		if (!a->any)
			continue;
		any = true;
		row_add(f, p, queue, f->catalog->resources.names[r], a);
		f->totals[r].any = true;
		for (int i = 0; i < DB_AMOUNTS; i++)
			f->totals[r].of[i] = sat_add(f->totals[r].of[i],
						     a->of[i]);
	}
	/* it had no quota and used none, but that is told */
	if (!any && (e->evicted || e->caused || e->delays.n))
		row_add(f, p, queue, NULL, &none);
	f->events.evicted = sat_add(f->events.evicted, e->evicted);
	f->events.caused = sat_add(f->events.caused, e->caused);
	delays_merge(&f->events.delays, &e->delays);
}

static int period_fill(void *arg, const struct period *p)
{
	struct filling *f = arg;

	for (size_t q = 0; q < f->catalog->queues.n; q++)
		queue_add(f, p, q);
	return 0;
}

static void totals_add(const struct filling *f, struct json_object *totals)
{
	for (size_t r = 0; r < f->catalog->resources.n; r++) {
		struct json_object *row;

		if (!f->totals[r].any)
			continue;
		row = json_object_new_object();
		json_add_text(row, "clusterQueue", "TOTAL");
		json_add_text(row, "resource", f->catalog->resources.names[r]);
		amounts_add(row, &f->totals[r]);
		events_add(row, &f->events);
		json_object_array_add(totals, row);
	}
}

int rows_fill(const struct db *db, const struct range *range,
	      const struct catalog *catalog, struct json_object *rows,
	      struct json_object *totals)
{
	struct filling f = {
		.range = range, .catalog = catalog, .rows = rows,
	};
	int rc = -1;

	f.totals = calloc(catalog->resources.n + 1, sizeof(*f.totals));
	if (!f.totals)
		stderr_line("scohort report: out of memory");
	else
		rc = periods_each(db, range, catalog, period_fill, &f);
	if (!rc)
		totals_add(&f, totals);
	free(f.totals);
	return rc;
}
