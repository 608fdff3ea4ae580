/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - the options of scohort simulate, and what is wrong with them
 */
#include <string.h>

#include "lib/sat.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "simulate/simulate.h"

/* A requeued job waits for its old credentials to expire (AuthInfo's
 * cred_expire, by default 120 s) and a second more. */
#define REQUEUE_SECONDS 121

/* So many jobs of a queue that find no nodes are tried at each event. */
#define DEPTH 2

static const struct cli_option options[] = {
	{ "config", 'c', "FILE", "cohort.yaml to use (default: as in check)",
	  OPTION(TEXT, config) },
	{ "against", 'a', "FILE", "another one to compare it with (again: more)",
	  OPTION(LIST, against) },
	{ "native", 0, "caps|scavenger", "what Slurm alone would do, beside it (again: both)",
	  OPTION(LIST, native) },
	{ "sweep", 0, "PATH=VALUE,...", "try these values in the file, and show the trade (again: "
	  "all combinations)", OPTION(LIST, sweep) },
	{ "columns", 0, "NAME=COLUMN,...", "which column of a CSV has what",
	  OPTION(TEXT, trace.columns) },
	{ "unit", 0, "s|m|h", "unit of plain numbers in a CSV (s: seconds)", OPTION(TEXT, unit) },
	{ "classes", 0, "NAME=N,...", "priorities of QOS or partitions", OPTION(TEXT, classes) },
	{ "nodes", 0, "FLAVOR:TRES;...", "what the flavors' nodes have", OPTION(TEXT, how.nodes) },
	{ "requeue-time", 0, "SECONDS", "seconds until an evicted job waits again (121)",
	  OPTION(NUMBER, how.requeue_time) },
	{ "grace-time", 0, "SECONDS", "seconds until an evicted job has ended (0)",
	  OPTION(NUMBER, how.evict_time) },
	{ "checkpoint", 0, "TIME|CLASS=TIME,...", "how often jobs save their work (never)",
	  OPTION(TEXT, checkpoint) },
	{ "restart-cost", 0, "TIME|CLASS=TIME,...", "so much longer is a run after an eviction "
	  "(0s)", OPTION(TEXT, restart_cost) },
	{ "step", 0, "TIME", "decide only so often, which is faster (at each event)",
	  OPTION(TEXT, step) },
	{ "depth", 0, "N", "so many jobs of a queue without nodes are tried (0: all)",
	  OPTION(NUMBER, how.depth) },
	{ "warm-up", 0, "TIME", "the steady use begins so long after the first job (a tenth)",
	  OPTION(TEXT, warm_up) },
	{ "tail", 0, "TIME", "and ends so long before the last job comes (0s)",
	  OPTION(TEXT, tail) },
	{ "usage", 'u', NULL, "a row for each flavor and resource", OPTION(FLAG, usage) },
	{ "events", 0, "FILE", "write each start, eviction and end as CSV", OPTION(TEXT, events) },
	{ "html", 0, "FILE", "write a page with charts of the same", OPTION(TEXT, html) },
	{ "resource", 'r', "TRES", "what the charts show", OPTION(TEXT, resource) },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "TRACE", .min = 1, .max = 1,
	.about = "Plays the jobs of a trace through cohort.yaml, and shows how "
		 "long they waited,\nhow much they used and borrowed, and what "
		 "evictions cost.\n",
	.options = options, .output = CLI_TABLE, .columns = simulate_columns,
};

/* ---- checks: false: it was reported ---- */

static bool natives_are_good(const struct options *o)
{
	bool told[NATIVE_KINDS] = { false };

	for (size_t i = 0; i < o->native.n; i++) {
		const char *text = o->native.of[i];
		enum native native;

		if (!native_find(text, &native))
			return complain("--native: \"%s\" is not caps or scavenger", text);
		if (told[native])
			return complain("--native: %s comes twice", text);
		told[native] = true;
	}
	return true;
}

static bool times_are_good(struct options *o)
{
	const struct {
		const char *name, *text;
		int64_t *to;
	} times[] = {
		{ "warm-up", o->warm_up, &o->how.warm_up },
		{ "tail", o->tail, &o->how.tail },
		{ "step", o->step, &o->how.step },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (times[i].text && !one_time_read(times[i].text, times[i].to))
			return complain("--%s: \"%.60s\" is not %s (30s, 10m, 1h)",
					times[i].name, times[i].text,
					strpbrk(times[i].text, ",=") ? "one time"
					: "a time with a unit");
	return true;
}

/* --events is for one replay, --sweep for one configuration. */
static bool options_go_together(struct options *o)
{
	const char *other = o->against.n ? "against" : o->native.n ? "native" : NULL;

	if (o->events && (other || o->sweep.n))
		return complain("--events and --%s: only one of them", other ? other : "sweep");
	if (!sweep_open(&o->tried, &o->sweep))
		return false;
	return !o->sweep.n || !(other || o->usage)
	       || complain("--sweep and --%s: only one of them", other ? other : "usage");
}

/* ns of "s", "m" or "h" */
static bool unit_is_good(const char *unit, int64_t *ns)
{
	static const int64_t seconds[] = { 1, 60, 3600 };
	static const char letters[] = "smh";
	const char *letter = !unit ? letters : *unit && !unit[1] ? strchr(letters, *unit) : NULL;

	if (!letter)
		return complain("--unit: \"%s\" is not s, m or h", unit);
	*ns = seconds[letter - letters] * SPEC_SEC;
	return true;
}

bool simulate_options(int argc, char **argv, struct options *o, struct call *call)
{
	struct replay_options *how = &o->how;

	*o = (struct options) { .how = {
		.requeue_time = REQUEUE_SECONDS, .depth = DEPTH, .warm_up = -1,
	} };
	if (!cli_parse(&cli, argc, argv, o, call))
		return false;
	how->requeue_time = sat_mul(how->requeue_time, SPEC_SEC);
	how->evict_time = sat_mul(how->evict_time, SPEC_SEC);
	how->changes = o->html;
	call->status = STATUS_USAGE;
	return unit_is_good(o->unit, &o->trace.unit)
	       && by_class_read(&how->classes, "classes", o->classes, false) && natives_are_good(o)
	       && by_class_read(&how->checkpoint, "checkpoint", o->checkpoint, true)
	       && by_class_read(&how->restart_cost, "restart-cost", o->restart_cost, true)
	       && times_are_good(o) && options_go_together(o);
}

void simulate_options_close(struct options *o)
{
	by_class_free(&o->how.classes);
	by_class_free(&o->how.checkpoint);
	by_class_free(&o->how.restart_cost);
	sweep_close(&o->tried);
}
