/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.c - engine-lab time: how long do a cycle and a victim search take?
 *
 * Each scenario (kind cycle) is answered and compared with what it expects, and then
 * timed in this process: whole cycles, and the searches for victims of all heads that
 * need preemption. With a file of reference times the ratios are printed too, to the
 * reference's fastest run of that scenario.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <json.h>

#include "input/lines.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "time/time.h"
#include "time/timing.h"

/* The smallest value of `key` in the rows of the same scenario; 0: none */
static int64_t reference(const struct at *against, const struct timing *t,
			 const char *key)
{
	struct at rows = at_list(against, "rows");
	int64_t best = 0;

	for (size_t i = 0; i < rows.n; i++) {
		struct at row = at_item(&rows, i);
		int64_t ns = at_int(&row, key, 0, 0);

		if (at_int(&row, "clusterQueues", -1, 0) == (int64_t) t->queues &&
		    at_int(&row, "admitted", -1, 0) == (int64_t) t->admitted &&
		    at_bool(&row, "fairSharing", false) == t->fair &&
		    (!best || (ns && ns < best)))
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

/* One line of a file; returns whether it was measured and agrees. */
static bool line_time(struct json_object *line, const struct at *against,
		      char *err, size_t size)
{
	struct fault fault = { .buf = err, .size = size };
	struct timing t = { 0 };
	struct scenario *s;
	struct at root;
	const char *id;

	at_root(&root, line, &fault);
	id = at_name(&root, "id");
	if (strcmp(at_name(&root, "kind"), "cycle"))
		at_fail(&root, "kind", "only cycles can be timed");
	s = at_failed(&root) ? NULL : scenario_create(&root);
	if (s && timing_take(&t, s, &root) == 0) {
		printf("%-34s", id);
		cells_print(t.cycle, reference(against, &t, "cycle_totalNs"));
		printf(" %10.2f", (double) t.cold / 1e3);
		cells_print(t.search, reference(against, &t, "getTargetsNsPerCall_median"));
		printf(" %6zu  %s\n", t.heads, t.agrees ? "agrees" : "DIFFERS");
		fflush(stdout);
	}
	scenario_destroy(s);
	return !fault.set && t.agrees;
}

static bool file_time(const char *path, const struct at *against)
{
	char err[512] = "";
	struct lines *lines = lines_open(path, err, sizeof(err));
	const char *line;
	bool good = lines != NULL;
	size_t len;
	int more = lines ? 1 : -1;

	while (lines &&
	       (more = lines_next(lines, &line, &len, err, sizeof(err))) > 0) {
		struct json_object *json = scenario_parse(line, len, err, sizeof(err));

		good &= json && line_time(json, against, err, sizeof(err));
		json_object_put(json);
	}
	if (*err)
		stderr_line("engine-lab: %s: %s", path, err);
	lines_close(lines);
	return good && more == 0 && !*err;
}

static int files_time(const char *times, char **files, int n)
{
	struct json_object *json = times ? json_object_from_file(times) : NULL;
	char err[256];
	struct fault fault = { .buf = err, .size = sizeof(err) };
	struct at against;
	bool good = true;

	if (times && !json) {
		stderr_line("engine-lab: %s: cannot be read", times);
		return STATUS_FAILED;
	}
	at_root(&against, json, &fault);
	printf("%-34s %10s %8s %10s %10s %8s %6s\n", "scenario", "cycle us",
	       "ratio", "first us", "search us", "ratio", "heads");
	for (int i = 0; i < n; i++)
		good &= file_time(files[i], &against);
	json_object_put(json);
	return good ? STATUS_OK : STATUS_FAILED;
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
	static const struct option options[] = {
		{ "against", required_argument, NULL, 'a' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
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
