/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.c - engine-lab time: how long do a cycle and a victim search take?
 *
 * Each scenario (kind cycle) is answered and compared with what it expects, and then
 * timed in this process, in CPU time: whole cycles, and the searches for victims of all
 * heads that need preemption. Before each round the ledgers of every queue are changed,
 * so that no result of the round before can be used again. With a file of reference
 * times the ratios are printed too, to the reference's fastest run of that scenario.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "commands.h"
#include "eval/answer.h"
#include "eval/compare.h"
#include "eval/source.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "time/clock.h"

#define MAX_ROUNDS 999
#define BUDGET (2 * SPEC_SEC)		/* of one measurement */

struct timing {
	size_t queues, admitted, heads, searches;
	bool fair;
	bool agrees;
	int64_t cold;			/* the first cycle, ns */
	int64_t cycle;			/* medians, ns */
	int64_t search;
};

#define MAX_PAIRS 8			/* a head with more is not searched for */

/* The search of one head */
struct timed_search {
	struct workload *workload;
	struct charge demand[MAX_PAIRS], need[MAX_PAIRS];
	size_t ndemand, nneed;
};

/* An event in every queue that has running workloads, and its opposite */
static void ledgers_touch(struct scenario *s)
{
	int queue = -1;

	for (size_t i = 0; i < s->nadmitted; i++) {
		struct scenario_item *item = &s->items[i];
		bool evicting = workload_evicting(item->workload);

		if (item->queue == queue)
			continue;
		queue = item->queue;
		engine_evicting(s->engine, item->workload, !evicting);
		engine_evicting(s->engine, item->workload, evicting);
	}
}

static int time_cycles(struct scenario *s, struct timing *t)
{
	int64_t samples[MAX_ROUNDS], start, end = clock_cpu() + BUDGET;
	const struct head *heads;
	size_t rounds = 0;

	do {
		ledgers_touch(s);
		start = clock_cpu();
		if (engine_cycle(s->engine, s->now, &heads, &t->heads) < 0)
			return -1;
		samples[rounds++] = clock_cpu() - start;
	} while (rounds < MAX_ROUNDS && (rounds < 5 || clock_cpu() < end));
	t->cold = samples[0];
	t->cycle = median(samples, rounds);
	return 0;
}

/* The searches of all heads that were nominated for preemption; NULL: no memory */
static struct timed_search *searches_make(struct scenario *s, size_t *n)
{
	struct timed_search *searches, *search;
	const struct head *heads;
	size_t nheads;

	*n = 0;
	if (engine_cycle(s->engine, s->now, &heads, &nheads) < 0)
		return NULL;
	searches = calloc(nheads + 1, sizeof(*searches));
	for (size_t i = 0; searches && i < nheads; i++) {
		const struct assignment *a = heads[i].nominated;

		if (!a || a->mode != MODE_PREEMPT || a->nusage > MAX_PAIRS)
			continue;
		search = &searches[(*n)++];
		search->workload = heads[i].workload;
		for (size_t k = 0; k < a->nusage; k++) {
			search->demand[search->ndemand++] = a->usage[k];
			if (a->needs[k])
				search->need[search->nneed++] = a->usage[k];
		}
	}
	return searches;
}

/* Median over the rounds; a round is the mean over all searches. */
static int time_searches(struct scenario *s, struct timing *t)
{
	struct timed_search *searches = searches_make(s, &t->searches);
	size_t n = t->searches, rounds = n > 500 ? 9 : 99;
	const struct victim *victims;
	int64_t samples[99];

	for (size_t r = 0; searches && n && r < rounds; r++) {
		int64_t start;

		ledgers_touch(s);
		start = clock_cpu();
		for (size_t i = 0; i < n; i++)
			engine_targets(s->engine, searches[i].workload, s->now,
				       searches[i].demand, searches[i].ndemand,
				       searches[i].need, searches[i].nneed, &victims);
		samples[r] = (clock_cpu() - start) / (int64_t) n;
	}
	t->search = median(samples, n ? rounds : 0);
	free(searches);
	return searches ? 0 : -1;
}

/* Times s, which was made of the line root, and compares its answer with what
 * the line expects. -1 with the error in root->fault. */
static int timing_take(struct timing *t, struct scenario *s, const struct at *root)
{
	struct json_object *expected, *got;

	*t = (struct timing) {
		.queues = s->spec->nqueues,
		.admitted = s->nadmitted,
		.fair = s->spec->fair_sharing,
	};
	if (time_cycles(s, t) < 0 || time_searches(s, t) < 0) {
		at_fail(root, NULL, "%s", strerror(errno));
		return -1;
	}
	got = answer_cycle(s, root, true);
	expected = compare_view("cycle", root->json);
	t->agrees = got && !compare_json(expected, got, NULL, NULL);
	json_object_put(expected);
	json_object_put(got);
	return at_failed(root) ? -1 : 0;
}

/* ---- printing ---- */

/* The smallest value of `key` in the rows of the same scenario; 0: none */
static int64_t reference(const struct at *against, const struct timing *t, const char *key)
{
	struct at rows = at_list(against, "rows");
	int64_t best = 0;

	for (size_t i = 0; i < rows.n; i++) {
		struct at row = at_item(&rows, i);
		int64_t ns = at_int(&row, key, 0, 0);

		if (at_int(&row, "clusterQueues", -1, 0) == (int64_t) t->queues
		    && at_int(&row, "admitted", -1, 0) == (int64_t) t->admitted
		    && at_bool(&row, "fairSharing", false) == t->fair
		    && (!best || (ns && ns < best)))
			best = ns;
	}
	return best;
}

/* A time in us, and the reference's as a multiple of it */
static void cells_print(int64_t ns, int64_t reference_ns)
{
	printf(" %10.2f", (double) ns / 1e3);
	if (reference_ns)
		printf(" %7.0fx", (double) reference_ns / (double) (ns ? ns : 1));
	else
		printf(" %8s", "-");
}

/* What lines are timed against, and whether all have agreed so far */
struct times {
	struct at against;
	bool good;
};

static void line_time(void *arg, const struct at *root, const char *id, const char *kind)
{
	struct times *times = arg;
	struct timing t = { 0 };
	struct scenario *s;

	if (strcmp(kind, "cycle"))
		at_fail(root, "kind", "only cycles can be timed");
	s = at_failed(root) ? NULL : scenario_create(root);
	if (s && timing_take(&t, s, root) == 0) {
		printf("%-34s", id);
		cells_print(t.cycle, reference(&times->against, &t, "cycle_totalNs"));
		printf(" %10.2f", (double) t.cold / 1e3);
		cells_print(t.search,
			    reference(&times->against, &t, "getTargetsNsPerCall_median"));
		printf(" %6zu  %s\n", t.heads, t.agrees ? "agrees" : "DIFFERS");
		fflush(stdout);
	}
	scenario_destroy(s);
	times->good &= t.agrees;
}

static int files_time(const char *path, char **files, int n)
{
	struct json_object *json = path ? json_object_from_file(path) : NULL;
	char err[256];
	struct fault fault = { .buf = err, .size = sizeof(err) };
	struct times times = { .good = true };

	if (path && !json) {
		stderr_line("engine-lab: %s: cannot be read", path);
		return STATUS_FAILED;
	}
	at_root(&times.against, json, &fault);
	printf("%-34s %10s %8s %10s %10s %8s %6s\n", "scenario", "cycle us",
	       "ratio", "first us", "search us", "ratio", "heads");
	for (int i = 0; i < n; i++) {
		struct source src = { 0 };

		source_read(&src, files[i], line_time, &times);
		times.good &= !src.errors;
	}
	json_object_put(json);
	return times.good ? STATUS_OK : STATUS_FAILED;
}

static int usage(FILE *out, int status)
{
	fputs("Usage: engine-lab time [--against FILE] SCENARIO-FILE...\n"
	      "\n"
	      "Times a whole scheduling cycle and one search for victims of\n"
	      "each scenario.\n"
	      "Exit status 0: all timed, and all answers as expected.\n"
	      "\n"
	      "  --against FILE  print ratios to the reference times in FILE\n"
	      "  -h, --help      this text\n", out);
	return status;
}

int cmd_time(int argc, char **argv)
{
	static const struct option options[] = { { "against", required_argument, NULL, 'a' },
						 { "help", no_argument, NULL, 'h' },
						 { NULL, 0, NULL, 0 } };
	const char *against = NULL;
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (opt != 'a')
			return opt == 'h' ? usage(stdout, STATUS_OK)
					  : usage(stderr, STATUS_USAGE);
		against = optarg;
	}
	if (optind == argc)
		return usage(stderr, STATUS_USAGE);
	return files_time(against, argv + optind, argc - optind);
}
