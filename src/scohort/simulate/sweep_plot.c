/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_plot.c - owners' wait against lost work, as a chart
 *
 * A point for each combination that can be compared. Those that nothing else
 * beats are joined.
 */
#include <stdio.h>

#include "charts/charts.h"
#include "input/json_members.h"
#include "simulate/simulate.h"

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

static struct unit unit_of(struct json_object *const *documents, size_t n,
			   const char *key)
{
	int64_t most = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t value = json_number(json_member(documents[i], "total"),
					    key);

		if (sweep_is_comparable(documents[i]) && value > most)
			most = value;
	}
	return unit_choose(most);
}

static void number_add(struct json_object *point, const char *key,
		       struct json_object *document, const char *of,
		       const struct unit *unit)
{
	json_object_object_add(point, key, json_object_new_double(
		(double) json_number(json_member(document, "total"), of)
		/ unit->seconds));
}

static struct json_object *points_document(const struct sweep *s,
					   struct json_object *const *documents,
					   size_t n, const struct unit *wait,
					   const struct unit *lost)
{
	struct json_object *points = json_object_new_array();
	char name[256];

	for (size_t i = 0; i < n; i++) {
		struct json_object *point;

		if (!sweep_is_comparable(documents[i]))
			continue;
		point = json_object_new_object();
		json_add_text(point, "name",
			      sweep_values(s, i, name, sizeof(name)));
		number_add(point, "x", documents[i], "lostSeconds", lost);
		number_add(point, "y", documents[i], "ownerWait", wait);
		json_object_object_add(point, "unbeaten", json_object_new_boolean(
			json_truth(documents[i], "unbeaten")));
		json_object_array_add(points, point);
	}
	return points;
}

int sweep_plot(const char *path, const struct sweep *s,
	       struct json_object *const *documents, size_t n, char *err,
	       size_t size)
{
	struct json_object *page = json_object_new_object();
	struct json_object *trade = json_object_new_object();
	struct unit wait = unit_of(documents, n, "ownerWait");
	struct unit lost = unit_of(documents, n, "lostSeconds");
	char text[512];
	int rc;

	json_object_object_add(page, "trade", trade);
	snprintf(text, sizeof(text), "%.150s: %.120s%s%.120s",
		 json_text(documents[0], "config"), s->paths[0].text,
		 s->npaths > 1 ? ", " : "",
		 s->npaths > 1 ? s->paths[1].text : "");
	json_add_text(trade, "title", text);
	snprintf(text, sizeof(text), "lost work, job %s", lost.name);
	json_add_text(trade, "x", text);
	snprintf(text, sizeof(text), "mean wait of owners, %s", wait.name);
	json_add_text(trade, "y", text);
	json_object_object_add(trade, "points", points_document(
		s, documents, n, &wait, &lost));
	rc = charts_write(path, page, err, size);
	json_object_put(page);
	return rc;
}
