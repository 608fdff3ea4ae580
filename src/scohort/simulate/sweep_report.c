/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_report.c - the trade between the waits of owners and lost work
 *
 * A combination is unbeaten (Pareto) if no other one is better in one of both
 * and not worse in the other, by the figures of the table.
 */
#include <stdio.h>
#include <string.h>

#include "charts/charts.h"
#include "input/json_members.h"
#include "output/text.h"
#include "simulate/simulate.h"

/* ---- which are unbeaten ---- */

/* Its simulation has come to an end, and some owner's job has started. */
static bool is_comparable(struct json_object *d)
{
	return json_member(json_member(d, "total"), "ownerWait")
	       && !json_truth(d, "endless") && !json_truth(d, "stopped");
}

static bool beats(struct json_object *a, struct json_object *b)
{
	struct json_object *x = json_member(a, "total");
	struct json_object *y = json_member(b, "total");
	int64_t wait = json_number(x, "ownerWait") - json_number(y, "ownerWait");
	int64_t lost = json_number(x, "lostSeconds") - json_number(y, "lostSeconds");

	return wait <= 0 && lost <= 0 && (wait < 0 || lost < 0);
}

static bool is_unbeaten(struct json_object *const *documents, size_t n, size_t i)
{
	if (!is_comparable(documents[i]))
		return false;
	for (size_t k = 0; k < n; k++)
		if (is_comparable(documents[k]) && beats(documents[k], documents[i]))
			return false;
	return true;
}

void sweep_mark(const struct sweep *s, struct json_object *const *documents, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct json_object *values = json_object_new_object();

		for (size_t p = 0; p < s->npaths; p++)
			json_object_object_add(values, s->paths[p].text,
				json_object_new_string(sweep_value(s, p, i)));
		json_object_object_add(documents[i], "values", values);
		json_add_truth(documents[i], "unbeaten", is_unbeaten(documents, n, i));
	}
}

struct json_object *sweep_document(const struct sweep *s)
{
	struct json_object *list = json_object_new_array();

	for (size_t p = 0; p < s->npaths; p++) {
		const struct sweep_path *path = &s->paths[p];
		struct json_object *o = json_append(list), *values;

		json_add_text(o, "path", path->text);
		values = json_add_list(o, "values");
		for (size_t i = 0; i < path->n; i++)
			json_object_array_add(values, json_object_new_string(path->values[i]));
	}
	return list;
}

/* ---- the table ---- */

#define COLUMNS_MAX 40

/* The columns of the trade come first, and are left out last. */
static void columns_order(struct column *to)
{
	static const struct {
		const char *name;
		int spare;
	} first[] = {
		{ "VALUE", 0 }, { "VALUE2", 0 }, { "OWNER", 0 }, { "LOST", 0 },
		{ "BEST", 0 }, { "EVICTED", 0 }, { "BORROWER", 1 },
		{ "MEAN", 2 }, { "STARTED", 3 }, { "P95", 4 }, { "MEDIAN", 5 },
		{ "MAX", 6 }, { "WEIGHTED", 7 }, { "JOBS", 8 },
	};
	bool taken[COLUMNS_MAX] = { false };
	size_t n = 0;

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		for (size_t c = 0; simulate_columns[c].name; c++) {
			if (strcmp(simulate_columns[c].name, first[i].name))
				continue;
			to[n] = simulate_columns[c];
			to[n++].spare = first[i].spare;
			taken[c] = true;
		}
	}
	for (size_t c = 0; simulate_columns[c].name; c++) {
		if (taken[c])
			continue;
		to[n] = simulate_columns[c];
		to[n++].flags |= COLUMN_IF_ANY;
	}
	to[n].name = NULL;
}

static struct json_object *row_make(const struct sweep *s, struct json_object *document, size_t i)
{
	static const char *const keys[SWEEP_PATHS_MAX] = { "value", "value2" };
	struct json_object *row = NULL;

	json_object_deep_copy(json_member(document, "total"), &row, NULL);
	json_object_object_del(row, "name");
	for (size_t p = 0; p < s->npaths; p++)
		json_add_text(row, keys[p], sweep_value(s, p, i));
	json_object_object_add(row, "unbeaten", json_object_get(json_member(document, "unbeaten")));
	return row;
}

struct table *sweep_table(const struct sweep *s, struct json_object *const *documents,
			  size_t n, const struct output *out)
{
	static struct column columns[COLUMNS_MAX];	/* outlives the table */
	struct table *t;

	columns_order(columns);
	t = table_create(columns, out, NULL, 0);
	for (size_t i = 0; i < n; i++)
		table_add(t, row_make(s, documents[i], i), NULL);
	return t;
}

/* ---- sentences ---- */

/* Why a combination is not compared, or what else is to be known of it */
static void remark_print(FILE *out, const char *values, struct json_object *d)
{
	long n = (long) json_number(d, "unstarted");

	if (json_truth(d, "endless"))
		output_line(out, "  %s: not compared, jobs evict each other without end", values);
	else if (json_truth(d, "stopped"))
		output_line(out, "  %s: not compared, stopped by Ctrl-C", values);
	else if (!is_comparable(d))
		output_line(out, "  %s: not compared, no job started within nominal quota", values);
	else if (n)
		output_line(out, "  %s: %ld job%s never started", values, n, text_s(n));
}

void sweep_print(FILE *out, const struct sweep *s, struct json_object *const *documents, size_t n)
{
	char values[4096];

	output_line(out, "%s: %zu combination%s of values", json_text(documents[0], "config"),
		    s->n, text_s((int64_t) s->n));
	for (size_t p = 0; p < s->npaths; p++) {
		*values = '\0';
		for (size_t i = 0; i < s->paths[p].n; i++)
			text_join(values, sizeof(values), "%s", s->paths[p].values[i]);
		output_line(out, "  %s: %s", s->paths[p].text, values);
	}
	left_out_print(out, documents[0]);
	for (size_t i = 0; i < n; i++)
		remark_print(out, sweep_label(s, i, false, values, sizeof(values)), documents[i]);
	for (size_t i = 0; i < n; i++) {
		struct json_object *total = json_member(documents[i], "total");

		if (json_truth(documents[i], "unbeaten"))
			output_line(out, "  nothing beats %s: owners wait %s, %s of run time lost",
				    sweep_label(s, i, false, values, sizeof(values)),
				    text_duration(TEXT_BUF, json_number(total, "ownerWait")),
				    text_duration(TEXT_BUF, json_number(total, "lostSeconds")));
	}
}

/* ---- the chart ---- */

struct unit {
	const char *name;
	double seconds;
};

/* The largest one in which the value is above 3 */
static struct unit unit_choose(int64_t seconds)
{
	static const struct unit units[] = {
		{ "days", 86400 }, { "hours", 3600 }, { "minutes", 60 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if ((double) seconds > 3 * units[i].seconds)
			return units[i];
	return (struct unit) { "seconds", 1 };
}

static struct unit unit_of(struct json_object *const *documents, size_t n, const char *key)
{
	int64_t most = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t value = json_number(json_member(documents[i], "total"), key);

		if (is_comparable(documents[i]) && value > most)
			most = value;
	}
	return unit_choose(most);
}

/* A point for each combination that can be compared. Those that nothing else beats are
 * joined. */
static void points_add(struct json_object *points, const struct sweep *s,
		       struct json_object *const *documents, size_t n, const struct unit *wait,
		       const struct unit *lost)
{
	char name[256];

	for (size_t i = 0; i < n; i++) {
		struct json_object *total = json_member(documents[i], "total"), *point;

		if (!is_comparable(documents[i]))
			continue;
		point = json_append(points);
		json_add_text(point, "name", sweep_label(s, i, false, name, sizeof(name)));
		json_add_real(point, "x", json_real(total, "lostSeconds") / lost->seconds);
		json_add_real(point, "y", json_real(total, "ownerWait") / wait->seconds);
		json_add_truth(point, "unbeaten", json_truth(documents[i], "unbeaten"));
	}
}

bool sweep_plot(const char *path, const struct sweep *s,
		struct json_object *const *documents, size_t n)
{
	struct json_object *page = json_object_new_object();
	struct json_object *trade = json_object_new_object();
	struct unit wait = unit_of(documents, n, "ownerWait");
	struct unit lost = unit_of(documents, n, "lostSeconds");
	char text[512];
	bool done;

	json_object_object_add(page, "trade", trade);
	snprintf(text, sizeof(text), "%.150s: %.120s%s%.120s", json_text(documents[0], "config"),
		 s->paths[0].text, s->npaths > 1 ? ", " : "",
		 s->npaths > 1 ? s->paths[1].text : "");
	json_add_text(trade, "title", text);
	snprintf(text, sizeof(text), "lost work, job %s", lost.name);
	json_add_text(trade, "x", text);
	snprintf(text, sizeof(text), "mean wait of owners, %s", wait.name);
	json_add_text(trade, "y", text);
	points_add(json_add_list(trade, "points"), s, documents, n, &wait, &lost);
	done = charts_write(path, page);
	json_object_put(page);
	return done;
}
