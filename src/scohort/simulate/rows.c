/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.c - the results of replays side by side, as a table
 *
 * Times are seconds, amounts as in scohort status; losses are amounts times
 * hours.
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "simulate/simulate.h"

static void span_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	text_duration(buf, size, json_object_get_int64(value));
}

static void amount_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	double amount = json_object_get_double(value);
	const char *resource = json_text(row, "resource");

	if (!strcmp(resource, "mem") || amount == (double) (int64_t) amount)
		text_amount(buf, size, resource, (int64_t) amount);
	else
		snprintf(buf, size, "%.1f", amount);
}

/* A difference to the first configuration, with its sign */
static void more_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%+lld", (long long) json_object_get_int64(value));
}

static void longer_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	int64_t by = json_object_get_int64(value);

	(void) row;
	*buf = by < 0 ? '-' : '+';
	text_duration(buf + 1, size - 1, by < 0 ? -by : by);
}

static void percent_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%.0f%%", 100 * json_object_get_double(value));
}

static void mark_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%s", json_object_get_boolean(value) ? "*" : "-");
}

#define NAME(spare) COLUMN_IF_ANY | COLUMN_ELASTIC, spare, NULL, NULL
#define PLAIN(spare) COLUMN_RIGHT | COLUMN_IF_ANY, spare, NULL, NULL
#define SHOWN(spare, text) COLUMN_RIGHT | COLUMN_IF_ANY, spare, text, NULL

const struct column simulate_columns[] = {
	{ "QUEUE", "name", "cluster queue", COLUMN_ELASTIC, 0, NULL, NULL },
	{ "CONFIG", "config", "configuration, if two are compared", NAME(0) },
	{ "JOBS", "jobs", "jobs of the trace", PLAIN(0) },
	{ "STARTED", "started", "of these, started", PLAIN(3) },
	{ "MEDIAN", "waitMedian", "median wait until the first start", SHOWN(0, span_text) },
	{ "MEAN", "waitMean", "mean wait", SHOWN(2, span_text) },
	{ "P95", "wait95", "95 of 100 waited no longer", SHOWN(0, span_text) },
	{ "MAX", "waitMax", "longest wait", SHOWN(1, span_text) },
	{ "WEIGHTED", "waitWeighted", "mean wait, weighted by the amount of the resource that "
	  "--resource names", SHOWN(4, span_text) },
	{ "OWNER", "ownerWait", "mean wait of jobs that started within nominal quota",
	  SHOWN(6, span_text) },
	{ "BORROWER", "borrowerWait", "mean wait of the others", SHOWN(6, span_text) },
	{ "EVICTED", "evictions", "evictions", PLAIN(0) },
	{ "LOST", "lostSeconds", "run time of evicted runs, without what was saved "
	  "(--checkpoint)", SHOWN(0, span_text) },
	{ "+MEAN", "meanDifference", "mean wait, less that of the first configuration",
	  SHOWN(5, longer_text) },
	{ "+EVICTED", "evictionsDifference", "the same of evictions", SHOWN(6, more_text) },
	{ "+LOST", "lostDifference", "the same of lost run time", SHOWN(6, longer_text) },
	{ "FLAVOR", "flavor", "kind of nodes (--usage)", NAME(0) },
	{ "RESOURCE", "resource", "TRES (--usage)", NAME(0) },
	{ "NOMINAL", "nominal", "nominal quota (--usage)", SHOWN(0, amount_text) },
	{ "AVERAGE", "average", "mean usage over time (--usage)", SHOWN(0, amount_text) },
	{ "PEAK", "peak", "highest usage at one time (--usage)", SHOWN(2, amount_text) },
	{ "BORROWED", "borrowed", "mean usage above nominal (--usage)", SHOWN(0, amount_text) },
	{ "UTIL", "utilisation", "mean usage divided by nominal (--usage)",
	  SHOWN(0, percent_text) },
	{ "STEADY", "steadyUtilisation", "the same without --warm-up and --tail (--usage)",
	  SHOWN(3, percent_text) },
	{ "WASTE", "lost", "evicted runs: amount times hours (--usage)", SHOWN(1, amount_text) },
	{ "VALUE", "value", "value that was tried (--sweep)", COLUMN_IF_ANY, 0, NULL, NULL },
	{ "VALUE2", "value2", "value of the second --sweep", COLUMN_IF_ANY, 0, NULL, NULL },
	{ "BEST", "unbeaten", "*: nothing else has shorter waits of owners without more lost work, "
	  "or the reverse (--sweep)", COLUMN_IF_ANY, 0, mark_text, NULL },
	{ .name = NULL }
};

/* ---- differences ---- */

static struct json_object *queue_find(struct json_object *document, const char *name)
{
	for (size_t i = 0; i < json_items(document, "queues"); i++) {
		struct json_object *queue = json_item(document, "queues", i);

		if (!strcmp(json_text(queue, "name"), name))
			return queue;
	}
	return NULL;
}

static void difference_add(struct json_object *o, struct json_object *first)
{
	static const char *const keys[][2] = {
		{ "waitMean", "meanDifference" },
		{ "evictions", "evictionsDifference" },
		{ "lostSeconds", "lostDifference" },
	};

	for (size_t i = 0; first && i < sizeof(keys) / sizeof(keys[0]); i++)
		json_add_number(o, keys[i][1], json_number(o, keys[i][0]) -
				json_number(first, keys[i][0]));
}

void simulate_compare(struct json_object *first, struct json_object *other)
{
	for (size_t i = 0; i < json_items(other, "queues"); i++) {
		struct json_object *queue = json_item(other, "queues", i);

		difference_add(queue, queue_find(first, json_text(queue, "name")));
	}
	difference_add(json_member(other, "total"), json_member(first, "total"));
}

/* ---- rows ---- */

static struct json_object *row_make(struct json_object *from, const char *name, const char *config)
{
	struct json_object *row = NULL;

	json_object_deep_copy(from, &row, NULL);
	json_object_object_del(row, "usage");
	json_add_text(row, "name", name);
	if (config)
		json_add_text(row, "config", config);
	return row;
}

static void queue_add(struct table *t, struct json_object *queue, const char *config, bool usage)
{
	const char *name = json_text(queue, "name");

	if (!usage)
		table_add(t, row_make(queue, name, config), NULL);
	for (size_t i = 0; usage && i < json_items(queue, "usage"); i++)
		table_add(t, row_make(json_item(queue, "usage", i), name, config), NULL);
}

/* The queue of that name in each document from d on */
static void twins_add(struct table *t, struct json_object *const *documents, size_t n,
		      size_t d, const char *name, bool usage)
{
	for (; d < n; d++) {
		struct json_object *queue = queue_find(documents[d], name);

		if (queue)
			queue_add(t, queue, n > 1 ? json_text(documents[d], "config") : NULL,
				  usage);
	}
}

struct table *simulate_table(struct json_object *const *documents, size_t n, bool usage,
			     const struct output *out)
{
	struct table *t = table_create(simulate_columns, out, NULL, 0);

	for (size_t d = 0; d < n; d++) {
		for (size_t i = 0; i < json_items(documents[d], "queues"); i++) {
			const char *name = json_text(json_item(documents[d], "queues", i), "name");

			if (!d || !queue_find(documents[0], name))
				twins_add(t, documents, n, d, name, usage);
		}
	}
	/* a row for all queues of each document, where people read it */
	for (size_t d = 0; d < n; d++)
		if (!usage && out->kind == OUTPUT_TEXT && !out->no_header
		    && json_items(documents[d], "queues") > 1)
			queue_add(t, json_member(documents[d], "total"),
				  n > 1 ? json_text(documents[d], "config") : NULL, false);
	return t;
}
