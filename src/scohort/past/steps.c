/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.c - what one cluster queue, or all, had in each step of a range
 */
#include "past/steps.h"

#include <stdio.h>

#include "output/output.h"
#include "past/range.h"

static const struct {
	const char *key;
	enum use_column column;
} means[] = {
	{ "owned", USE_OWNED }, { "own", USE_OWN },
	{ "borrowed", USE_BORROWED }, { "lent", USE_LENT },
	{ "idle", USE_IDLE },
}, delays[] = {
	{ "delayMedianSeconds", USE_MEDIAN }, { "delay95Seconds", USE_MOST },
};

#define LENGTH(list) (sizeof(list) / sizeof(*(list)))

static void add(struct json_object *steps, const char *key,
		struct json_object *value)
{
	struct json_object *list = json_object_object_get(steps, key);

	if (!list) {
		list = json_object_new_array();
		json_object_object_add(steps, key, list);
	}
	json_object_array_add(list, value);
}

/* NULL, which is null: it is not known. s: NULL: nothing is */
static struct json_object *real_json(sqlite3_stmt *s, enum use_column column,
				     double factor)
{
	char text[64];
	double value;

	if (!s || sqlite3_column_type(s, (int) column) == SQLITE_NULL)
		return NULL;
	value = sqlite3_column_double(s, (int) column) * factor;
	snprintf(text, sizeof(text), "%.3f", value);
	return json_object_new_double_s(value, text);
}

/* A step of which the row is known, NULL: nothing. The first and the last may be cut by the
 * range, and by what is recorded. */
static void step_add(const struct ask *a, int64_t begin, int64_t next,
		     sqlite3_stmt *row, struct json_object *steps)
{
	int64_t end = next < a->range.end ? next : a->range.end;
	int64_t known = begin;
	/* a row without resource has events alone */
	bool has_use = row && sqlite3_column_type(row, USE_RESOURCE)
			      != SQLITE_NULL;
	bool has_events = row && sqlite3_column_type(row, USE_EVICTED)
				 != SQLITE_NULL;
	char name[64];

	if (a->last.begun > begin && a->last.begun < end)
		known = a->last.begun;
	if (a->last.at > begin && a->last.at < end)
		end = a->last.at;
	span_name(a->range.by, begin, name, sizeof(name));
	add(steps, "begin", json_object_new_int64(begin));
	add(steps, "time", json_object_new_string(name));
	for (size_t i = 0; i < LENGTH(means); i++)
		add(steps, means[i].key,
		    real_json(has_use ? row : NULL, means[i].column,
			      3600 / (double) (end - known)));
	for (size_t i = 0; i < LENGTH(delays); i++)
		add(steps, delays[i].key, real_json(row, delays[i].column, 1));
	add(steps, "evicted", !has_events ? NULL : json_object_new_int64(
		sqlite3_column_int64(row, USE_EVICTED)));
}

/* The range has been checked: this holds whatever a check has missed. */
static bool has_room(size_t n)
{
	if (n < RANGE_STEPS_MAX + 2)
		return true;
	stderr_line("scohort web: more than %d steps are too many",
		    RANGE_STEPS_MAX);
	return false;
}

int steps_fill(const struct ask *a, const char *queue,
	       struct json_object *steps)
{
	const struct use_view view = { true, false, queue };
	sqlite3_stmt *s = ask_use_rows(a, &view);
	int64_t at = a->range.start;
	int rc = s ? sqlite3_step(s) : SQLITE_ERROR;
	size_t n = 0;

	while ((rc == SQLITE_ROW || rc == SQLITE_DONE) && at < a->range.end
	       && has_room(n++)) {
		int64_t begin = span_begin(a->range.by, at);
		int64_t next = span_next(a->range.by, begin);
		bool known = rc == SQLITE_ROW
			     && sqlite3_column_int64(s, USE_BEGIN) == begin;

		step_add(a, at, next, known ? s : NULL, steps);
		if (known)
			rc = sqlite3_step(s);
		at = next;
	}
	if (s && rc != SQLITE_ROW && rc != SQLITE_DONE)
		db_error(&a->db);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE && at >= a->range.end ? 0 : -1;
}
