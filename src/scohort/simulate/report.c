/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - the results of a replay, as a document and as a table
 *
 * Times are seconds, amounts as in scohort status; losses are amounts times
 * hours.
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/published.h"
#include "output/text.h"
#include "simulate/simulate.h"

static void span_text(struct json_object *row, struct json_object *value,
		      char *buf, size_t size)
{
	(void) row;
	if (value)
		text_duration(buf, size, json_object_get_int64(value));
	else
		snprintf(buf, size, "-");
}

static void amount_text(struct json_object *row, struct json_object *value,
			char *buf, size_t size)
{
	double amount = json_object_get_double(value);
	const char *resource = json_text(row, "resource");

	if (!strcmp(resource, "mem") || amount == (double) (int64_t) amount)
		text_amount(buf, size, resource, (int64_t) amount);
	else
		snprintf(buf, size, "%.1f", amount);
}

static void percent_text(struct json_object *row, struct json_object *value,
			 char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%.0f%%", 100 * json_object_get_double(value));
}

#define NUMBER COLUMN_RIGHT | COLUMN_IF_ANY
#define SPAN NUMBER, 0, span_text, NULL
#define AMOUNT NUMBER, 0, amount_text, NULL

const struct column simulate_columns[] = {
	{ "QUEUE", "name", "cluster queue", COLUMN_ELASTIC, 0, NULL, NULL },
	{ "CONFIG", "config", "configuration, if two are compared",
	  COLUMN_IF_ANY | COLUMN_ELASTIC, 0, NULL, NULL },
	{ "JOBS", "jobs", "jobs of the trace", NUMBER, 0, NULL, NULL },
	{ "STARTED", "started", "of these, started", NUMBER, 3, NULL, NULL },
	{ "MEDIAN", "waitMedian", "median wait until the first start",
	  SPAN },
	{ "MEAN", "waitMean", "mean wait", NUMBER, 2, span_text, NULL },
	{ "P95", "wait95", "95 of 100 waited no longer", SPAN },
	{ "MAX", "waitMax", "longest wait", NUMBER, 1, span_text, NULL },
	{ "EVICTED", "evictions", "evictions", COLUMN_RIGHT | COLUMN_IF_ANY, 0,
	  NULL, NULL },
	{ "LOST", "lostSeconds", "run time of evicted runs", SPAN },
	{ "FLAVOR", "flavor", "kind of nodes (--usage)",
	  COLUMN_IF_ANY | COLUMN_ELASTIC, 0, NULL, NULL },
	{ "RESOURCE", "resource", "TRES (--usage)",
	  COLUMN_IF_ANY | COLUMN_ELASTIC, 0, NULL, NULL },
	{ "NOMINAL", "nominal", "nominal quota (--usage)", AMOUNT },
	{ "AVERAGE", "average", "mean usage over time (--usage)", AMOUNT },
	{ "PEAK", "peak", "highest usage at one time (--usage)", NUMBER, 2,
	  amount_text, NULL },
	{ "BORROWED", "borrowed", "mean usage above nominal (--usage)",
	  AMOUNT },
	{ "UTIL", "utilisation", "mean usage divided by nominal (--usage)",
	  NUMBER, 0,
	  percent_text, NULL },
	{ "WASTE", "lost", "evicted runs: amount times hours (--usage)",
	  NUMBER, 1,
	  amount_text, NULL },
	{ .name = NULL }
};

/* ---- the document ---- */

static void add_real(struct json_object *o, const char *key, double value)
{
	json_object_object_add(o, key, json_object_new_double(value));
}

static struct json_object *use_document(const struct replay *r,
					const struct replay_use *u)
{
	struct json_object *o = json_object_new_object();
	const struct spec *spec = r->conf->spec;
	double span = (double) (r->end - r->begin) / SPEC_SEC;
	double average = span > 0 ? u->used_time / span : 0;

	json_add_text(o, "flavor", spec->flavors[u->flavor]);
	json_add_text(o, "resource", spec->resources[u->resource]);
	json_add_number(o, "nominal", u->nominal);
	add_real(o, "average", average);
	json_add_number(o, "peak", u->peak);
	add_real(o, "borrowed", span > 0 ? u->borrowed_time / span : 0);
	if (u->nominal)
		add_real(o, "utilisation", average / (double) u->nominal);
	add_real(o, "lost", u->lost_time / 3600);
	return o;
}

static struct json_object *queue_document(const struct replay *r, size_t index)
{
	const struct replay_queue *q = &r->queues[index];
	const struct spec_queue *spec = &r->conf->spec->queues[index];
	struct json_object *o = json_object_new_object();
	struct json_object *usage = json_object_new_array();

	json_add_text(o, "name", spec->name);
	json_add_number(o, "jobs", q->jobs);
	json_add_number(o, "started", q->started);
	json_add_number(o, "ended", q->ended);
	if (q->nwaits) {
		json_add_number(o, "waitMedian", replay_wait(q, 50) / SPEC_SEC);
		json_add_number(o, "waitMean", (int64_t) replay_wait_mean(q));
		json_add_number(o, "wait95", replay_wait(q, 95) / SPEC_SEC);
		json_add_number(o, "waitMax", replay_wait(q, 100) / SPEC_SEC);
	}
	json_add_number(o, "evictions", q->evictions);
	json_add_number(o, "lostSeconds", (int64_t) q->lost);
	for (size_t i = 0; i < q->nuses; i++)
		json_object_array_add(usage, use_document(r, &q->uses[i]));
	json_object_object_add(o, "usage", usage);
	return o;
}

/* All queues together, of a flavor and resource */
static struct json_object *sum_document(const struct replay *r, int flavor,
					int resource)
{
	struct replay_use sum = { .flavor = flavor, .resource = resource };
	bool any = false;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
		const struct replay_queue *q = &r->queues[i];

		for (size_t j = 0; j < q->nuses; j++) {
			const struct replay_use *u = &q->uses[j];

			if (u->flavor != flavor || u->resource != resource)
				continue;
			any = true;
			sum.nominal += u->nominal;
			sum.used_time += u->used_time;
			sum.borrowed_time += u->borrowed_time;
			sum.lost_time += u->lost_time;
		}
	}
	return any ? use_document(r, &sum) : NULL;
}

static struct json_object *sums_document(const struct replay *r)
{
	struct json_object *list = json_object_new_array();
	const struct spec *spec = r->conf->spec;

	for (size_t f = 0; f < spec->nflavors; f++) {
		for (size_t s = 0; s < spec->nresources; s++) {
			struct json_object *o = sum_document(r, (int) f,
							     (int) s);

			if (o) {
				/* peaks are at different times */
				json_object_object_del(o, "peak");
				json_object_array_add(list, o);
			}
		}
	}
	return list;
}

static struct json_object *uncovered_document(const struct replay *r)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < r->nuncovered; i++) {
		struct json_object *o = json_object_new_object();

		json_add_text(o, "resource", r->uncovered[i].resource);
		json_add_number(o, "jobs", r->uncovered[i].jobs);
		json_object_array_add(list, o);
	}
	return list;
}

struct json_object *simulate_document(const struct replay *r)
{
	struct json_object *o = json_object_new_object();
	struct json_object *queues = json_object_new_array();
	size_t evictions = 0;
	double lost = 0;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
		json_object_array_add(queues, queue_document(r, i));
		evictions += r->queues[i].evictions;
		lost += r->queues[i].lost;
	}
	json_add_text(o, "config", r->conf->file);
	json_add_number(o, "seconds", (r->end - r->begin) / SPEC_SEC);
	json_add_number(o, "outside", r->outside);
	json_add_number(o, "misnamed", r->misnamed);
	if (r->misnamed) {
		json_add_text(o, "wrongQueue", r->wrong_queue);
		json_add_number(o, "wrongLine", r->wrong_line);
	}
	json_object_object_add(o, "uncovered", uncovered_document(r));
	json_add_number(o, "uncharged", r->uncharged);
	json_add_number(o, "withoutPriority", r->unnamed);
	json_add_number(o, "unstarted", r->unstarted);
	json_object_object_add(o, "endless",
			       json_object_new_boolean(r->endless));
	json_add_number(o, "evictions", evictions);
	json_add_number(o, "lostSeconds", (int64_t) lost);
	json_object_object_add(o, "usage", sums_document(r));
	json_object_object_add(o, "queues", queues);
	return o;
}

/* ---- the table ---- */

static struct json_object *row_make(struct json_object *from,
				    const char *name, const char *config)
{
	struct json_object *row = NULL;

	json_object_deep_copy(from, &row, NULL);
	json_object_object_del(row, "usage");
	json_add_text(row, "name", name);
	if (config)
		json_add_text(row, "config", config);
	return row;
}

static int queue_add(struct table *t, struct json_object *queue,
		     const char *config, bool usage)
{
	const char *name = json_text(queue, "name");

	if (!usage)
		return table_add(t, row_make(queue, name, config), NULL);
	for (size_t i = 0; i < json_items(queue, "usage"); i++)
		if (table_add(t, row_make(json_item(queue, "usage", i), name,
					  config), NULL) < 0)
			return -1;
	return 0;
}

static struct json_object *queue_find(struct json_object *document,
				      const char *name)
{
	for (size_t i = 0; i < json_items(document, "queues"); i++) {
		struct json_object *queue = json_item(document, "queues", i);

		if (!strcmp(json_text(queue, "name"), name))
			return queue;
	}
	return NULL;
}

/* Queues of document d that no earlier document has, each with the queues of
 * the same name in later ones */
static int queues_add(struct table *t, struct json_object *const *documents,
		      size_t n, size_t d, bool usage)
{
	for (size_t i = 0; i < json_items(documents[d], "queues"); i++) {
		struct json_object *queue = json_item(documents[d], "queues",
						      i);
		const char *name = json_text(queue, "name");

		if (d && queue_find(documents[0], name))
			continue;
		for (size_t k = d; k < n; k++) {
			queue = queue_find(documents[k], name);
			if (queue && queue_add(t, queue, n > 1 ?
					       json_text(documents[k],
							 "config") : NULL,
					       usage) < 0)
				return -1;
		}
	}
	return 0;
}

struct table *simulate_table(struct json_object *const *documents, size_t n,
			     bool usage, const struct output *out, char *err,
			     size_t size)
{
	struct table *t = table_create(simulate_columns, out, err, size);

	for (size_t d = 0; t && d < n; d++) {
		if (queues_add(t, documents, n, d, usage) < 0) {
			snprintf(err, size, "out of memory");
			table_destroy(t);
			t = NULL;
			snprintf(err, size, "out of memory");
		}
	}
	return t;
}
