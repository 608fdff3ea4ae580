/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench.c - engine-lab bench: how long do a cycle and a victim search take?
 *
 * Each scenario (kind cycle) is loaded, answered and compared with what it
 * expects, and then timed in this process: whole cycles, and for every head
 * that needs preemption the search for its victims. With a file of reference
 * times the ratios are printed too, against the reference's fastest run of that
 * scenario.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "input/lines.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "worst/worst.h"

/* ---- the reference ---- */

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

static void put_ratio(struct json_object *o, const char *name, int64_t ref,
		      int64_t ns)
{
	char key[64], ratio[32];

	if (!ref)
		return;
	snprintf(key, sizeof(key), "%sReferenceNs", name);
	json_object_object_add(o, key, json_object_new_int64(ref));
	snprintf(key, sizeof(key), "%sRatio", name);
	snprintf(ratio, sizeof(ratio), "%.1f", (double) ref / (ns ? ns : 1));
	json_object_object_add(o, key,
		json_object_new_double_s((double) ref / (ns ? ns : 1), ratio));
}

static struct json_object *timing_json(const char *id, const struct timing *t,
				       const struct at *against)
{
	struct json_object *o = json_object_new_object();
	const struct {
		const char *key;
		int64_t value;
	} numbers[] = {
		{ "clusterQueues", (int64_t) t->queues },
		{ "admitted", (int64_t) t->admitted },
		{ "heads", (int64_t) t->heads },
		{ "searches", (int64_t) t->searches },
		{ "coldCycleNs", t->cold },
		{ "cycleNs", t->cycle },
		{ "searchNs", t->search },
	};

	json_object_object_add(o, "id", json_object_new_string(id));
	json_object_object_add(o, "fairSharing",
			       json_object_new_boolean(t->fair));
	json_object_object_add(o, "agrees", json_object_new_boolean(t->agrees));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_object_object_add(o, numbers[i].key,
			json_object_new_int64(numbers[i].value));
	put_ratio(o, "cycle", reference(against, t, "cycle_totalNs"), t->cycle);
	put_ratio(o, "search",
		  reference(against, t, "getTargetsNsPerCall_median"),
		  t->search);
	return o;
}

/* ---- the table ---- */

static void cell_ratio(struct json_object *o, const char *key)
{
	struct json_object *v;

	if (json_object_object_get_ex(o, key, &v))
		printf(" %7.0fx", json_object_get_double(v));
	else
		printf(" %8s", "-");
}

static void row_print(struct json_object *o, const struct timing *t,
		      const char *id)
{
	printf("%-34s %10.1f", id, t->cycle / 1e3);
	cell_ratio(o, "cycleRatio");
	printf(" %10.1f %10.2f", t->cold / 1e3, t->search / 1e3);
	cell_ratio(o, "searchRatio");
	printf(" %6zu  %s\n", t->heads, t->agrees ? "agrees" : "DIFFERS");
	fflush(stdout);
}

/* One line of a file; returns whether it was measured and agrees. */
static bool bench_line(struct json_object *line, const struct at *against,
		       struct json_object *results, char *err, size_t size)
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
		struct json_object *o = timing_json(id, &t, against);

		row_print(o, &t, id);
		json_object_array_add(results, o);
	}
	scenario_destroy(s);
	return !fault.set && t.agrees;
}

static bool bench_file(const char *path, const struct at *against,
		       struct json_object *results)
{
	char err[512] = "";
	struct lines *lines = lines_open(path, err, sizeof(err));
	const char *line;
	bool good = lines != NULL;
	size_t len;
	int more = lines ? 1 : -1;

	while (lines &&
	       (more = lines_next(lines, &line, &len, err, sizeof(err))) > 0) {
		struct json_object *json = scenario_parse(line, len, err,
							  sizeof(err));

		good &= json && bench_line(json, against, results, err,
					   sizeof(err));
		json_object_put(json);
	}
	if (*err)
		stderr_line("engine-lab: %s: %s", path, err);
	lines_close(lines);
	return good && more == 0 && !*err;
}

static int bench_files(char **files, int n, const struct at *against)
{
	struct json_object *results = json_object_new_array();
	bool good = true;

	printf("%-34s %10s %8s %10s %10s %8s %6s\n", "scenario", "cycle us",
	       "ratio", "first us", "search us", "ratio", "heads");
	for (int i = 0; i < n; i++)
		good = bench_file(files[i], against, results) && good;
	puts(json_object_to_json_string_ext(results, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(results);
	return good ? STATUS_OK : STATUS_FAILED;
}

static void usage_print(FILE *out)
{
	fputs("Usage: engine-lab bench [--against FILE] SCENARIO-FILE...\n"
	      "       engine-lab bench --scale [--waiting N]\n"
	      "       engine-lab bench --worst [--world NAME] [--sizes N,... | --large]"
	      " [--json]\n"
	      "\n"
	      "Times a whole scheduling cycle and one search for victims of\n"
	      "each scenario; prints a table, then all of it as JSON.\n"
	      "Exit status 0: all timed, and all answers as expected.\n"
	      "\n"
	      "With --scale: the plan after one event in a cluster of 1,000\n"
	      "queues, 100,000 running and up to 1,000,000 waiting jobs.\n"
	      "\n"
	      "With --worst: one event and its plan in worlds in which the\n"
	      "engine has the most to do, in several sizes, and the exponent of\n"
	      "growth.\n"
	      "\n"
	      "  --against FILE  print ratios to the reference times in FILE\n"
	      "  --scale         time plans in a large cluster\n"
	      "  --waiting N     only with N waiting jobs\n"
	      "  --worst         time events in the worst worlds\n"
	      "  --world NAME    only this one; \"list\" names them all\n"
	      "  --sizes N,...   in these sizes\n"
	      "  --large         in sizes that take minutes, beside their goals\n"
	      "  --json          no table\n"
	      "  -h, --help      this text\n", out);
}

static int bench_against(const char *path, char **files, int n)
{
	struct json_object *json = path ? json_object_from_file(path) : NULL;
	char err[256];
	struct fault fault = { .buf = err, .size = sizeof(err) };
	struct at against;
	int status;

	if (path && !json) {
		stderr_line("engine-lab: %s: cannot be read", path);
		return STATUS_FAILED;
	}
	at_root(&against, json, &fault);
	status = bench_files(files, n, &against);
	json_object_put(json);
	return status;
}

/* What the command line asks for */
struct choice {
	const char *against;	/* or NULL */
	bool scale;
	size_t waiting;		/* 0: not given */
	bool worst;
	struct worst_choice worlds;
};

/* -1: it makes no sense. 1: the usage is wanted. */
static int choice_read(struct choice *c, int argc, char **argv)
{
	static const struct option options[] = {
		{ "against", required_argument, NULL, 'a' },
		{ "scale", no_argument, NULL, 's' },
		{ "waiting", required_argument, NULL, 'w' },
		{ "worst", no_argument, NULL, 'W' },
		{ "world", required_argument, NULL, 'o' },
		{ "sizes", required_argument, NULL, 'S' },
		{ "large", no_argument, NULL, 'l' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (opt) {
		case 'a':
			c->against = optarg;
			break;
		case 's':
			c->scale = true;
			break;
		case 'w':
			c->waiting = strtoul(optarg, NULL, 10);
			break;
		case 'W':
			c->worst = true;
			break;
		case 'o':
			c->worlds.world = optarg;
			break;
		case 'S':
			if (worst_sizes_parse(&c->worlds, optarg) < 0)
				return -1;
			break;
		case 'l':
			c->worlds.large = true;
			break;
		case 'j':
			c->worlds.json = true;
			break;
		default:
			return opt == 'h' ? 1 : -1;
		}
	}
	return 0;
}

static bool choice_agrees(const struct choice *c, bool files)
{
	const struct worst_choice *w = &c->worlds;

	if (c->scale + c->worst + files != 1)
		return false;
	if ((c->waiting && !c->scale) || (c->against && !files))
		return false;
	if (!c->worst)
		return !w->world && !w->nsizes && !w->large && !w->json;
	return !(w->nsizes && w->large);
}

int cmd_bench(int argc, char **argv)
{
	struct choice c = { 0 };
	int rc = choice_read(&c, argc, argv);

	if (rc > 0) {
		usage_print(stdout);
		return STATUS_OK;
	}
	if (rc < 0 || !choice_agrees(&c, optind < argc)) {
		usage_print(stderr);
		return STATUS_USAGE;
	}
	if (c.worst)
		return worst_bench(&c.worlds);
	return c.scale ? bench_scale(c.waiting)
		       : bench_against(c.against, argv + optind, argc - optind);
}
