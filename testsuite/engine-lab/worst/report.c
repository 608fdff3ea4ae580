/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - engine-lab bench --worst: measures the worlds and prints the result
 *
 * A line a world, with all its sizes, as the documentation has them. Then all
 * of it as JSON.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "output/exit_status.h"
#include "output/output.h"
#include "worst/worst.h"

const struct worst *worst_find(const char *name)
{
	for (size_t i = 0; i < nworsts; i++) {
		if (!strcmp(worsts[i].name, name))
			return &worsts[i];
	}
	return NULL;
}

/* Text about a few numbers, cut off if it gets too long */
struct words {
	char text[160];
	size_t length;
};

static void words_add(struct words *w, const char *fmt, double value)
{
	size_t left = sizeof(w->text) - w->length;
	int n = snprintf(w->text + w->length, left, fmt, value);

	if (n > 0)
		w->length += (size_t) n < left ? (size_t) n : left - 1;
}

int worst_sizes_parse(struct worst_choice *choice, const char *text)
{
	size_t n = 0;

	do {
		char *end;
		unsigned long size;

		errno = 0;
		size = strtoul(text, &end, 10);
		if (errno || *text < '0' || *text > '9' || !size
		    || n == WORST_MAX_SIZES || (*end && *end != ','))
			return -1;
		choice->sizes[n++] = size;
		text = end + 1;
		if (!*end)
			break;
	} while (true);
	choice->nsizes = n;
	return 0;
}

/* ---- the table ---- */

static void header_print(bool goals)
{
	printf("%-17s %-8s %-17s %24s %-2s %8s%s\n", "world", "grows", "sizes",
	       "one event", "", "exponent", goals ? "     goal" : "");
}

static const char *cost_format(const struct worst *world, double cost)
{
	if (!strcmp(world->unit, WORST_TIMES))
		return "%.2f";
	return cost < 10 ? "%.2g" : "%.0f";
}

static void row_print(const struct worst *world, const struct worst_row *rows,
		      size_t n, bool goals)
{
	struct words sizes = { .length = 0 }, costs = { .length = 0 };
	double last = rows[n - 1].cost;

	for (size_t i = 0; i < n; i++) {
		words_add(&sizes, i ? "/%.0f" : "%.0f", (double) rows[i].size);
		words_add(&costs, i ? " / " : "", 0);
		words_add(&costs, cost_format(world, rows[i].cost), rows[i].cost);
	}
	printf("%-17s %-8s %-17s %24s %-2s", world->name, world->dimension,
	       sizes.text, costs.text, world->unit);
	if (n > 1)
		printf(" %8.2f", worst_exponent(rows, n));
	if (goals)
		printf(" %5.4g %s", world->goal,
		       last <= world->goal ? "met" : "MISSED");
	putchar('\n');
	fflush(stdout);
}

/* ---- JSON ---- */

static struct json_object *number(double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", value);
	return json_object_new_double_s(value, text);
}

static struct json_object *row_json(const struct worst_row *row)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "size",
			       json_object_new_int64((int64_t) row->size));
	json_object_object_add(o, "firstPlanMs", number(row->first_plan));
	json_object_object_add(o, "cost", number(row->cost));
	json_object_object_add(o, "samples",
			       json_object_new_int64((int64_t) row->samples));
	return o;
}

static struct json_object *world_json(const struct worst *world,
				      const struct worst_row *rows, size_t n)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();

	json_object_object_add(o, "world", json_object_new_string(world->name));
	json_object_object_add(o, "grows",
			       json_object_new_string(world->dimension));
	json_object_object_add(o, "unit", json_object_new_string(world->unit));
	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, row_json(&rows[i]));
	json_object_object_add(o, "sizes", list);
	if (n > 1)
		json_object_object_add(o, "exponent",
				       number(worst_exponent(rows, n)));
	json_object_object_add(o, "goal", number(world->goal));
	return o;
}

/* ---- all ---- */

static int world_bench(const struct worst *world,
		       const struct worst_choice *choice,
		       struct json_object *results)
{
	const size_t *sizes = choice->large ? world->large : world->sizes;
	struct worst_row rows[WORST_MAX_SIZES];
	size_t n = WORST_SIZES;

	if (choice->nsizes) {
		sizes = choice->sizes;
		n = choice->nsizes;
	}
	for (size_t i = 0; i < n; i++) {
		if (worst_measure(world, sizes[i], &rows[i]) < 0) {
			stderr_line("engine-lab: %s of %zu: %s", world->name,
				    sizes[i], strerror(errno));
			return -1;
		}
	}
	if (!choice->json)
		row_print(world, rows, n, choice->large);
	json_object_array_add(results, world_json(world, rows, n));
	return 0;
}

static void worlds_list(void)
{
	for (size_t i = 0; i < nworsts; i++)
		printf("%-17s %-8s %s\n", worsts[i].name, worsts[i].dimension,
		       worsts[i].what);
}

static int worlds_bench(const struct worst *only,
			const struct worst_choice *choice)
{
	struct json_object *all = json_object_new_object();
	struct json_object *results = json_object_new_array();
	int status = STATUS_OK;

	if (!choice->json)
		header_print(choice->large);
	for (size_t i = 0; i < nworsts; i++) {
		if ((!only || only == &worsts[i])
		    && world_bench(&worsts[i], choice, results) < 0)
			status = STATUS_FAILED;
	}
	json_object_object_add(all, "worst", results);
	puts(json_object_to_json_string_ext(all, JSON_C_TO_STRING_PLAIN));
	json_object_put(all);
	return status;
}

int worst_bench(const struct worst_choice *choice)
{
	const struct worst *only = NULL;

	if (choice->world && !strcmp(choice->world, "list")) {
		worlds_list();
		return STATUS_OK;
	}
	if (choice->world) {
		only = worst_find(choice->world);
		if (!only) {
			stderr_line("engine-lab: unknown world \"%s\"; --world "
				    "list names all", choice->world);
			return STATUS_USAGE;
		}
	}
	return worlds_bench(only, choice);
}
