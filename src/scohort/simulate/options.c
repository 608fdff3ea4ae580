/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - what is wrong with the options of scohort simulate
 */
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "output/output.h"
#include "simulate/simulate.h"

/* False: it was reported */
static bool classes_are_good(const char *classes, const char *command)
{
	while (classes && *classes) {
		size_t len = strcspn(classes, ","), name = strcspn(classes, "=");
		const char *number = classes + name + 1;
		char *end = NULL;

		if (name && name < len)
			(void) strtoll(number, &end, 10);
		if (!end || end == number || end != classes + len) {
			stderr_line("%s: --classes: \"%.*s\" is not "
				    "NAME=NUMBER (high=100)", command,
				    (int) len, classes);
			return false;
		}
		classes += len + !!classes[len];
	}
	return true;
}

/* False: it was reported */
static bool natives_are_good(const struct options *o, const char *command)
{
	bool told[NATIVE_KINDS] = { false };

	for (size_t i = 0; i < o->native.n; i++) {
		const char *text = o->native.of[i];
		enum native native;

		if (!native_find(text, &native)) {
			stderr_line("%s: --native: \"%s\" is not caps or "
				    "scavenger", command, text);
			return false;
		}
		if (told[native]) {
			stderr_line("%s: --native: %s comes twice", command,
				    text);
			return false;
		}
		told[native] = true;
	}
	return true;
}

/* ns of "s", "m" or "h", 0: reported */
static int64_t unit_of(const char *unit, const char *command)
{
	static const int64_t seconds[] = { 1, 60, 3600 };
	static const char letters[] = "smh";
	const char *letter = unit && *unit && !unit[1] ? strchr(letters, *unit)
						      : NULL;

	if (!unit)
		return SPEC_SEC;
	if (letter)
		return seconds[letter - letters] * SPEC_SEC;
	stderr_line("%s: --unit: \"%s\" is not s, m or h", command, unit);
	return 0;
}

/* Spans and lists of spans. False: it was reported */
static bool times_are_good(const struct options *o, const char *command)
{
	const struct {
		const char *name, *text;
		bool one;
	} times[] = {
		{ "checkpoint", o->checkpoint, false },
		{ "restart-cost", o->restart_cost, false },
		{ "warm-up", o->warm_up, true },
		{ "tail", o->tail, true },
		{ "step", o->step, true },
	};
	char err[256];

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		const char *text = times[i].text;
		bool bad = replay_times_check(text, err, sizeof(err)) < 0;

		if (!bad && text && times[i].one && strpbrk(text, ",=")) {
			bad = true;
			snprintf(err, sizeof(err), "\"%.60s\" is not one time "
				 "(30s, 10m, 1h)", text);
		} else if (bad && times[i].one) {
			snprintf(err, sizeof(err), "\"%.60s\" is not a time "
				 "with a unit (30s, 10m, 1h)", text);
		}
		if (bad) {
			stderr_line("%s: --%s: %s", command, times[i].name,
				    err);
			return false;
		}
	}
	return true;
}

/* The file is for one replay. False: it was reported */
static bool events_are_good(const struct options *o, const char *command)
{
	const char *other = o->against.n ? "against"
			    : o->native.n ? "native"
			    : o->sweep.n ? "sweep" : NULL;

	if (o->events && other)
		stderr_line("%s: --events and --%s: only one of them", command,
			    other);
	return !o->events || !other;
}

/* False: it was reported */
static bool sweep_is_good(const struct options *o, const char *command)
{
	const char *other = o->against.n ? "against"
			    : o->native.n ? "native"
			    : o->usage ? "usage" : NULL;
	struct sweep sweep;
	char err[512];
	int rc = sweep_open(&sweep, &o->sweep, err, sizeof(err));

	sweep_close(&sweep);
	if (rc < 0)
		stderr_line("%s: --sweep: %s", command, err);
	else if (o->sweep.n && other)
		stderr_line("%s: --sweep and --%s: only one of them", command,
			    other);
	else
		return true;
	return false;
}

bool simulate_options_check(const struct options *o,
			    struct trace_options *how, const char *command)
{
	*how = (struct trace_options) {
		.columns = o->columns, .unit = unit_of(o->unit, command),
	};
	return how->unit && classes_are_good(o->classes, command)
	       && natives_are_good(o, command) && times_are_good(o, command)
	       && events_are_good(o, command) && sweep_is_good(o, command);
}
