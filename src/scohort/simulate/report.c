/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - the trace, and the results of a replay: as documents, and as the
 *	      lines above the table
 *
 * Times are seconds, amounts as in scohort status; losses are amounts times
 * hours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "simulate/simulate.h"

int report_resource(const struct spec *spec, const char *resource)
{
	int first = SPEC_NONE;

	if (resource)
		return spec_find_resource(spec, resource);
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

const char *replay_title(const struct replay *r)
{
	return r->native == NATIVE_NONE ? r->conf->file : native_name(r->native);
}

/* ---- documents ---- */

static struct json_object *use_document(const struct replay *r, const struct replay_use *u)
{
	struct json_object *o = json_object_new_object();
	const struct spec *spec = r->conf->spec;
	double span = seconds(r->end - r->begin);
	double average = span > 0 ? u->used_time / span : 0;

	json_add_text(o, "flavor", spec->flavors[u->flavor]);
	json_add_text(o, "resource", spec->resources[u->resource]);
	json_add_number(o, "nominal", u->nominal);
	json_add_real(o, "average", average);
	json_add_number(o, "peak", u->peak);
	json_add_real(o, "borrowed", span > 0 ? u->borrowed_time / span : 0);
	if (u->nominal)
		json_add_real(o, "utilisation", average / (double) u->nominal);
	span = seconds(r->steady_end - r->steady_begin);
	if (u->nominal && span > 0)
		json_add_real(o, "steadyUtilisation", u->steady_time / span / (double) u->nominal);
	if (u->asked > 0)
		json_add_real(o, "waitWeighted", u->waited / u->asked);
	json_add_real(o, "lost", u->lost_time / 3600);
	return o;
}

/* Of all flavors of the resource */
static void weighted_add(struct json_object *o, const struct replay_queue *q, int resource)
{
	double waited = 0, asked = 0;

	for (size_t i = 0; i < q->nuses; i++) {
		bool is = q->uses[i].resource == resource;

		waited += is ? q->uses[i].waited : 0;
		asked += is ? q->uses[i].asked : 0;
	}
	if (asked > 0)
		json_add_number(o, "waitWeighted", (int64_t) (waited / asked));
}

static struct json_object *figures_document(const struct replay_queue *q, const char *name,
					    int resource)
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
		json_add_number(o, "ownerWait", (int64_t) (q->owner_wait / (double) q->owners));
	if (q->started > q->owners)
		json_add_number(o, "borrowerWait",
				(int64_t) (q->borrower_wait / (double) (q->started - q->owners)));
	json_add_number(o, "owners", q->owners);
	weighted_add(o, q, resource);
	json_add_number(o, "evictions", q->evictions);
	json_add_number(o, "lostSeconds", (int64_t) q->lost);
	return o;
}

static struct json_object *queue_document(const struct replay *r, size_t index, int resource)
{
	const struct replay_queue *q = &r->queues[index];
	struct json_object *o = figures_document(q, r->conf->spec->queues[index].name, resource);
	struct json_object *usage = json_add_list(o, "usage");

	for (size_t i = 0; i < q->nuses; i++)
		json_object_array_add(usage, use_document(r, &q->uses[i]));
	return o;
}

struct json_object *simulate_document(const struct replay *r, const char *resource)
{
	const struct spec *spec = r->conf->spec;
	int weight = report_resource(spec, resource);
	struct json_object *o = json_object_new_object(), *list;
	struct replay_queue all = replay_total(r);

	json_add_text(o, "config", replay_title(r));
	if (r->native != NATIVE_NONE)
		json_add_text(o, "file", r->conf->file);
	json_add_number(o, "seconds", (r->end - r->begin) / SPEC_SEC);
	json_add_number(o, "outside", r->outside);
	json_add_number(o, "misnamed", r->misnamed);
	if (r->misnamed) {
		json_add_text(o, "wrongQueue", r->wrong_queue);
		json_add_number(o, "wrongLine", r->wrong_line);
	}
	list = json_add_list(o, "uncovered");
	for (size_t i = 0; i < r->nuncovered; i++) {
		struct json_object *u = json_append(list);

		json_add_text(u, "resource", r->uncovered[i].resource);
		json_add_number(u, "jobs", r->uncovered[i].jobs);
	}
	json_add_number(o, "uncharged", r->uncharged);
	json_add_number(o, "withoutPriority", r->unnamed);
	json_add_number(o, "unstarted", r->unstarted);
	json_add_truth(o, "endless", r->endless);
	json_add_truth(o, "stopped", r->stopped);
	json_add_number(o, "steadyBegin", (r->steady_begin - r->begin) / SPEC_SEC);
	json_add_number(o, "steadyEnd", (r->steady_end - r->begin) / SPEC_SEC);
	if (weight != SPEC_NONE)
		json_add_text(o, "weight", spec->resources[weight]);
	json_add_number(o, "evictions", all.evictions);
	json_add_number(o, "lostSeconds", (int64_t) all.lost);
	list = json_add_list(o, "usage");
	for (size_t i = 0; i < all.nuses; i++) {
		struct json_object *use = use_document(r, &all.uses[i]);

		json_object_object_del(use, "peak");	/* peaks are at different times */
		json_object_array_add(list, use);
	}
	list = json_add_list(o, "queues");
	for (size_t i = 0; i < spec->nqueues; i++)
		json_object_array_add(list, queue_document(r, i, weight));
	json_object_object_add(o, "total", figures_document(&all, "total", weight));
	free(all.waits);
	free(all.uses);
	return o;
}

struct json_object *trace_document(const struct trace *trace)
{
	struct json_object *o = json_object_new_object();
	int64_t first = trace->jobs[0].submit;
	int64_t last = trace->jobs[trace->n - 1].submit;
	struct json_object *left_out = json_object_new_object();

	for (int i = 0; i < TRACE_CAUSES; i++)
		if (trace->left_out[i])
			json_add_number(left_out, trace_cause_key(i), trace->left_out[i]);
	json_add_text(o, "file", trace->file);
	json_add_number(o, "jobs", trace->n);
	json_add_number(o, "skipped", trace->skipped);
	json_object_object_add(o, "leftOut", left_out);
	json_add_number(o, "seconds", (last - first) / SPEC_SEC);
	if (trace->dates) {
		json_add_number(o, "begin", first / SPEC_SEC);
		json_add_number(o, "end", last / SPEC_SEC);
	}
	if (trace->computer)
		json_add_text(o, "computer", trace->computer);
	if (trace->processors > 0)
		json_add_number(o, "processors", trace->processors);
	if (trace->unused)
		json_add_text(o, "unusedColumns", trace->unused);
	return o;
}

/* ---- lines: the trace ---- */

void trace_print(FILE *out, const struct trace *trace)
{
	int64_t first = trace->jobs[0].submit, last = trace->jobs[trace->n - 1].submit;
	char more[TEXT_SIZE] = "";

	if (trace->skipped)
		snprintf(more, sizeof(more), ", %zu row%s left out", trace->skipped,
			 text_s((int64_t) trace->skipped));
	output_line(out, "%s: %zu job%s%s", trace->file, trace->n, text_s((int64_t) trace->n),
		    more);
	if (trace->dates)
		output_line(out, "  submitted from %s to %s", text_date(TEXT_BUF, first / SPEC_SEC),
			    text_date(TEXT_BUF, last / SPEC_SEC));
	*more = '\0';
	if (trace->processors > 0)
		snprintf(more, sizeof(more), ", %lld processors", (long long) trace->processors);
	if (trace->computer || *more)
		output_line(out, "  computer: %s%s",
			    trace->computer ? trace->computer : "not named", more);
	for (int i = 0; i < TRACE_CAUSES; i++)
		if (trace->left_out[i])
			output_line(out, "  %zu %s: left out", trace->left_out[i],
				    trace_cause_text(i, trace->left_out[i]));
	if (trace->unused)
		output_line(out, "  columns that are not used: %s", trace->unused);
}

/* ---- lines: a configuration ---- */

static void sentence(FILE *out, struct json_object *d, const char *key,
		     const char *one, const char *many)
{
	long n = (long) json_number(d, key);

	if (n)
		fprintf(out, "  %ld %s\n", n, n == 1 ? one : many);
}

static void usage_sentences(FILE *out, struct json_object *d)
{
	char steady[TEXT_SIZE];

	for (size_t i = 0; i < json_items(d, "usage"); i++) {
		struct json_object *u = json_item(d, "usage", i);

		*steady = '\0';
		if (json_member(u, "steadyUtilisation"))
			snprintf(steady, sizeof(steady), "; %.0f%% in the steady time",
				 100 * json_real(u, "steadyUtilisation"));
		if (json_number(u, "nominal"))
			output_line(out, "  %.0f%% of %s of flavor %s in use, %.0f%% borrowed%s",
				    100 * json_real(u, "utilisation"), json_text(u, "resource"),
				    json_text(u, "flavor"),
				    100 * json_real(u, "borrowed") / json_real(u, "nominal"),
				    steady);
	}
}

static void steady_sentence(FILE *out, struct json_object *d)
{
	int64_t begin = json_number(d, "steadyBegin"), end = json_number(d, "steadyEnd");

	if (end > begin)
		fprintf(out, "  steady time: from %s to %s (--warm-up, --tail)\n",
			text_duration(TEXT_BUF, begin), text_duration(TEXT_BUF, end));
}

static void lost_sentences(FILE *out, struct json_object *d)
{
	if (!json_number(d, "evictions"))
		return;
	fprintf(out, "  lost work: %.1f job hours", (double) json_number(d, "lostSeconds") / 3600);
	for (size_t i = 0; i < json_items(d, "usage"); i++) {
		struct json_object *u = json_item(d, "usage", i);
		const char *resource = json_text(u, "resource");
		bool mem = !strcmp(resource, "mem");

		if (json_real(u, "lost") > 0)
			fprintf(out, ", %.1f %s hours of %s",
				json_real(u, "lost") / (mem ? 1024 : 1),
				mem ? "GB" : resource, json_text(u, "flavor"));
	}
	fputc('\n', out);
}

static void difference_sentence(FILE *out, struct json_object *d)
{
	struct json_object *total = json_member(d, "total");
	int64_t mean;

	if (!total || !json_member(total, "meanDifference"))
		return;
	mean = json_number(total, "meanDifference");
	fprintf(out, "  against the first: mean wait %c%s, %+lld evictions, %+.1f job hours "
		"lost\n", mean < 0 ? '-' : '+', text_duration(TEXT_BUF, mean < 0 ? -mean : mean),
		(long long) json_number(total, "evictionsDifference"),
		(double) json_number(total, "lostDifference") / 3600);
}

void left_out_print(FILE *out, struct json_object *d)
{
	long n = (long) json_number(d, "misnamed");

	sentence(out, d, "outside", "job matches no queue: left out",
		 "jobs match no queue: left out");
	if (n)
		output_line(out, "  %ld %s \"%s\" in line %ld: left out", n, n == 1
			    ? "job names a queue that is not there:"
			    : "jobs name queues that are not there, the first one",
			    json_text(d, "wrongQueue"), (long) json_number(d, "wrongLine"));
	for (size_t i = 0; i < json_items(d, "uncovered"); i++) {
		struct json_object *u = json_item(d, "uncovered", i);

		output_line(out, "  %s of %ld job%s: left out, as no quota of the queue covers "
			    "it", json_text(u, "resource"), (long) json_number(u, "jobs"),
			    text_s(json_number(u, "jobs")));
	}
	sentence(out, d, "uncharged",
		 "job asks for nothing that its queue has quota for: it starts at once",
		 "jobs ask for nothing that their queues have quota for: they start at once");
	sentence(out, d, "withoutPriority", "job whose class has no priority (--classes): 0",
		 "jobs whose classes have no priority (--classes): 0");
}

void report_print(FILE *out, struct json_object *d)
{
	output_line(out, "%s: over after %s", json_text(d, "config"),
		    text_duration(TEXT_BUF, json_number(d, "seconds")));
	if (json_truth(d, "endless"))
		fputs("  stopped: jobs evict each other without end\n", out);
	if (json_truth(d, "stopped"))
		fputs("  stopped by Ctrl-C: these are the figures so far\n", out);
	usage_sentences(out, d);
	steady_sentence(out, d);
	sentence(out, d, "evictions", "eviction", "evictions");
	lost_sentences(out, d);
	difference_sentence(out, d);
	left_out_print(out, d);
	sentence(out, d, "unstarted", "job never started", "jobs never started");
}
