/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - the results of a replay as a document
 *
 * Times are seconds, amounts as in scohort status; losses are amounts times
 * hours.
 */
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "simulate/simulate.h"

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
	span = (double) (r->steady_end - r->steady_begin) / SPEC_SEC;
	if (u->nominal && span > 0)
		add_real(o, "steadyUtilisation", u->steady_time / span /
			 (double) u->nominal);
	if (u->asked > 0)
		add_real(o, "waitWeighted", u->waited / u->asked);
	add_real(o, "lost", u->lost_time / 3600);
	return o;
}

/* Of all flavors of the resource */
static void weighted_add(struct json_object *o, const struct replay_queue *q,
			 int resource)
{
	double waited = 0, asked = 0;

	for (size_t i = 0; i < q->nuses; i++) {
		if (q->uses[i].resource != resource)
			continue;
		waited += q->uses[i].waited;
		asked += q->uses[i].asked;
	}
	if (asked > 0)
		json_add_number(o, "waitWeighted", (int64_t) (waited / asked));
}

static struct json_object *figures_document(const struct replay_queue *q,
					    const char *name, int resource)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "name", name);
	json_add_number(o, "jobs", q->jobs);
	json_add_number(o, "started", q->started);
	json_add_number(o, "ended", q->ended);
	if (q->nwaits) {
		json_add_number(o, "waitMedian", replay_wait(q, 50) / SPEC_SEC);
		json_add_number(o, "waitMean", (int64_t) replay_wait_mean(q));
		json_add_number(o, "wait95", replay_wait(q, 95) / SPEC_SEC);
		json_add_number(o, "waitMax", replay_wait(q, 100) / SPEC_SEC);
	}
	if (q->owners)
		json_add_number(o, "ownerWait", (int64_t)
				(q->owner_wait / (double) q->owners));
	if (q->started > q->owners)
		json_add_number(o, "borrowerWait", (int64_t)
				(q->borrower_wait /
				 (double) (q->started - q->owners)));
	json_add_number(o, "owners", q->owners);
	weighted_add(o, q, resource);
	json_add_number(o, "evictions", q->evictions);
	json_add_number(o, "lostSeconds", (int64_t) q->lost);
	return o;
}

static struct json_object *queue_document(const struct replay *r, size_t index,
					  int resource)
{
	const struct replay_queue *q = &r->queues[index];
	struct json_object *o = figures_document(q,
			r->conf->spec->queues[index].name, resource);
	struct json_object *usage = json_object_new_array();

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
			sum.steady_time += u->steady_time;
			sum.waited += u->waited;
			sum.asked += u->asked;
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

/* All queues together: as one queue that has what all have */
static struct json_object *total_document(const struct replay *r, int resource)
{
	struct json_object *o = NULL;
	struct replay_queue all = { 0 };
	size_t nwaits = 0, nuses = 0;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
		nwaits += r->queues[i].nwaits;
		nuses += r->queues[i].nuses;
	}
	all.waits = calloc(nwaits + 1, sizeof(*all.waits));
	all.uses = calloc(nuses + 1, sizeof(*all.uses));
	for (size_t i = 0; all.waits && all.uses && i < r->conf->spec->nqueues;
	     i++)
		replay_queue_add(&all, &r->queues[i]);
	if (all.waits && all.uses) {
		replay_waits_sort(&all);
		o = figures_document(&all, "total", resource);
	}
	free(all.waits);
	free(all.uses);
	return o;
}

struct json_object *simulate_document(const struct replay *r,
				      const char *resource)
{
	int weight = resource ? spec_find_resource(r->conf->spec, resource)
			      : plot_resource(r->conf->spec);
	struct json_object *o = json_object_new_object();
	struct json_object *queues = json_object_new_array();
	size_t evictions = 0;
	double lost = 0;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
		json_object_array_add(queues, queue_document(r, i, weight));
		evictions += r->queues[i].evictions;
		lost += r->queues[i].lost;
	}
	json_add_text(o, "config", r->native == NATIVE_NONE ? r->conf->file
						: native_name(r->native));
	if (r->native != NATIVE_NONE)
		json_add_text(o, "file", r->conf->file);
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
	json_object_object_add(o, "stopped",
			       json_object_new_boolean(r->stopped));
	json_add_number(o, "steadyBegin",
			(r->steady_begin - r->begin) / SPEC_SEC);
	json_add_number(o, "steadyEnd", (r->steady_end - r->begin) / SPEC_SEC);
	if (weight != SPEC_NONE)
		json_add_text(o, "weight", r->conf->spec->resources[weight]);
	json_add_number(o, "evictions", evictions);
	json_add_number(o, "lostSeconds", (int64_t) lost);
	json_object_object_add(o, "usage", sums_document(r));
	json_object_object_add(o, "queues", queues);
	json_object_object_add(o, "total", total_document(r, weight));
	return o;
}
