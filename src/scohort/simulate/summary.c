/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.c - the lines above the table: the trace, what was left out of it, and
 * what each configuration made of it
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/published.h"
#include "output/text.h"
#include "simulate/simulate.h"
#include "text/printable.h"

/* ---- the trace ---- */

static struct json_object *left_out_document(const struct trace *trace)
{
	struct json_object *o = json_object_new_object();

	for (int i = 0; i < TRACE_CAUSES; i++)
		if (trace->left_out[i])
			json_add_number(o, trace_cause_key(i),
					trace->left_out[i]);
	return o;
}

struct json_object *summary_trace_document(const struct trace *trace)
{
	struct json_object *o = json_object_new_object();
	int64_t first = trace->jobs[0].submit;
	int64_t last = trace->jobs[trace->n - 1].submit;

	json_add_text(o, "file", trace->file);
	json_add_number(o, "jobs", trace->n);
	json_add_number(o, "skipped", trace->skipped);
	json_object_object_add(o, "leftOut", left_out_document(trace));
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

static void computer_print(FILE *out, const struct trace *trace)
{
	if (!trace->computer && trace->processors <= 0)
		return;
	fputs("  computer: ", out);
	printable_put(trace->computer ? trace->computer : "not named", out);
	if (trace->processors > 0)
		fprintf(out, ", %lld processors",
			(long long) trace->processors);
	fputc('\n', out);
}

void summary_trace(FILE *out, const struct trace *trace)
{
	int64_t first = trace->jobs[0].submit;
	int64_t last = trace->jobs[trace->n - 1].submit;
	char from[TEXT_SIZE], to[TEXT_SIZE];

	printable_put(trace->file, out);
	fprintf(out, ": %zu job%s", trace->n, text_s((int64_t) trace->n));
	if (trace->skipped)
		fprintf(out, ", %zu row%s left out", trace->skipped,
			text_s((int64_t) trace->skipped));
	fputc('\n', out);
	if (trace->dates)
		fprintf(out, "  submitted from %s to %s\n",
			text_date(from, sizeof(from), first / SPEC_SEC),
			text_date(to, sizeof(to), last / SPEC_SEC));
	computer_print(out, trace);
	for (int i = 0; i < TRACE_CAUSES; i++)
		if (trace->left_out[i])
			fprintf(out, "  %zu %s: left out\n",
				trace->left_out[i],
				trace_cause_text(i, trace->left_out[i]));
	if (trace->unused) {
		fputs("  columns that are not used: ", out);
		printable_put(trace->unused, out);
		fputc('\n', out);
	}
}

/* ---- a configuration ---- */

static void sentence(FILE *out, struct json_object *d, const char *key,
		     const char *one, const char *many)
{
	long n = (long) json_number(d, key);

	if (n)
		fprintf(out, "  %ld %s\n", n, n == 1 ? one : many);
}

static void usage_sentences(FILE *out, struct json_object *d)
{
	for (size_t i = 0; i < json_items(d, "usage"); i++) {
		struct json_object *u = json_item(d, "usage", i);

		if (!json_number(u, "nominal"))
			continue;
		fprintf(out, "  %.0f%% of %s of flavor %s in use, %.0f%% "
			"borrowed", 100 * json_real(u, "utilisation"),
			json_text(u, "resource"), json_text(u, "flavor"),
			100 * json_real(u, "borrowed") /
			json_real(u, "nominal"));
		if (json_member(u, "steadyUtilisation"))
			fprintf(out, "; %.0f%% in the steady time",
				100 * json_real(u, "steadyUtilisation"));
		fputc('\n', out);
	}
}

/* What the steady time is, and what evictions cost */
static void steady_sentence(FILE *out, struct json_object *d)
{
	char from[TEXT_SIZE], to[TEXT_SIZE];

	if (json_number(d, "steadyEnd") <= json_number(d, "steadyBegin"))
		return;
	fprintf(out, "  steady time: from %s to %s (--warm-up, --tail)\n",
		text_duration(from, sizeof(from),
			      json_number(d, "steadyBegin")),
		text_duration(to, sizeof(to), json_number(d, "steadyEnd")));
}

static void lost_sentences(FILE *out, struct json_object *d)
{
	if (!json_number(d, "evictions"))
		return;
	fprintf(out, "  lost work: %.1f job hours",
		(double) json_number(d, "lostSeconds") / 3600);
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
	char span[TEXT_SIZE];
	int64_t mean;

	if (!total || !json_member(total, "meanDifference"))
		return;
	mean = json_number(total, "meanDifference");
	fprintf(out, "  against the first: mean wait %c%s, %+lld evictions, "
		"%+.1f job hours lost\n", mean < 0 ? '-' : '+',
		text_duration(span, sizeof(span), mean < 0 ? -mean : mean),
		(long long) json_number(total, "evictionsDifference"),
		(double) json_number(total, "lostDifference") / 3600);
}

void summary_left_out(FILE *out, struct json_object *d)
{
	long n = (long) json_number(d, "misnamed");

	sentence(out, d, "outside", "job matches no queue: left out",
		 "jobs match no queue: left out");
	if (n) {
		fprintf(out, "  %ld %s \"", n, n == 1 ?
			"job names a queue that is not there:" :
			"jobs name queues that are not there, the first one");
		printable_put(json_text(d, "wrongQueue"), out);
		fprintf(out, "\" in line %ld: left out\n",
			(long) json_number(d, "wrongLine"));
	}
	for (size_t i = 0; i < json_items(d, "uncovered"); i++) {
		struct json_object *u = json_item(d, "uncovered", i);

		n = (long) json_number(u, "jobs");
		fprintf(out, "  %s of %ld job%s: left out, as no quota of the "
			"queue covers it\n", json_text(u, "resource"), n,
			text_s(n));
	}
	sentence(out, d, "uncharged", "job asks for nothing that its queue has "
		 "quota for: it starts at once",
		 "jobs ask for nothing that their queues have quota for: they "
		 "start at once");
	sentence(out, d, "withoutPriority",
		 "job whose class has no priority (--classes): 0",
		 "jobs whose classes have no priority (--classes): 0");
}

void summary_print(FILE *out, struct json_object *d)
{
	char span[TEXT_SIZE];

	printable_put(json_text(d, "config"), out);
	fprintf(out, ": over after %s\n",
		text_duration(span, sizeof(span), json_number(d, "seconds")));
	if (json_truth(d, "endless"))
		fputs("  stopped: jobs evict each other without end\n", out);
	if (json_truth(d, "stopped"))
		fputs("  stopped by Ctrl-C: these are the figures so far\n",
		      out);
	usage_sentences(out, d);
	steady_sentence(out, d);
	sentence(out, d, "evictions", "eviction", "evictions");
	lost_sentences(out, d);
	difference_sentence(out, d);
	summary_left_out(out, d);
	sentence(out, d, "unstarted", "job never started",
		 "jobs never started");
}
