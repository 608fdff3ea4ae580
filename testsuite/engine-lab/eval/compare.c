/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.c - an answer against the one a scenario expects, field by field
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "eval/compare.h"
#include "input/json_members.h"

#define PATH_SIZE 512

struct diff {
	compare_report_f report;
	void *arg;
	size_t count;
	char path[PATH_SIZE];
	size_t len;
};

/* In the reference, but no part of an answer */
static const char *const not_answered[] = {
	"clusterQueue", "message", "status", "requeueReason", NULL
};

/* Part of a detailed answer, but not stated by every scenario */
static const char *const not_expected[] = {
	"mode", "borrow", "noFit", "usage", "root", "order", "assignment",
	"nominated", "nominatedTargets", "recomputed", "left", "inadmissible",
	NULL
};

static bool listed(const char *const *list, const char *key)
{
	for (; *list; list++)
		if (!strcmp(*list, key))
			return true;
	return false;
}

static bool is_nothing(struct json_object *o)
{
	switch (json_object_get_type(o)) {
	case json_type_null:
		return true;
	case json_type_boolean:
		return !json_object_get_boolean(o);
	case json_type_array:
		return !json_object_array_length(o);
	case json_type_object:
		return !json_object_object_length(o);
	default:
		return false;
	}
}

static const char *text(struct json_object *o)
{
	if (is_nothing(o))
		return "nothing";
	return json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

static void diff_report(struct diff *d, struct json_object *expected, struct json_object *got)
{
	d->count++;
	if (d->report)
		d->report(d->arg, d->path, text(expected), text(got));
}

static void diff_any(struct diff *d, struct json_object *expected,
		     struct json_object *got);

/* A part of the two, whose path has `before`, name and `after` more */
static void diff_part(struct diff *d, const char *before, const char *name, const char *after,
		      struct json_object *expected, struct json_object *got)
{
	size_t len = d->len, left = sizeof(d->path) - len;
	int n = snprintf(d->path + len, left, "%s%s%s", before, name, after);

	d->len += n > 0 && (size_t) n < left ? (size_t) n : left - 1;
	diff_any(d, expected, got);
	d->len = len;
	d->path[len] = '\0';
}

static void diff_objects(struct diff *d, struct json_object *expected,
			 struct json_object *got)
{
	const char *dot = d->len ? "." : "";

	if (expected) {
		json_object_object_foreach(expected, key, value) {
			struct json_object *other = json_member(got, key);

			if (other || !listed(not_answered, key))
				diff_part(d, dot, key, "", value, other);
		}
	}
	if (got) {
		json_object_object_foreach(got, name, have) {
			if (!json_object_object_get_ex(expected, name, NULL) &&
			    !listed(not_expected, name))
				diff_part(d, dot, name, "", NULL, have);
		}
	}
}

/* The name of an item of a list; NULL: its index identifies it */
static const char *identity(struct json_object *o)
{
	struct json_object *name = o;

	if (json_object_is_type(o, json_type_object)) {
		name = json_member(o, "workload");
		if (!name)
			name = json_member(o, "name");
	}
	return json_object_is_type(name, json_type_string) ? json_object_get_string(name) : NULL;
}

static struct json_object *find(struct json_object *list, const char *id)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		const char *other = identity(o);

		if (other && !strcmp(other, id))
			return o;
	}
	return NULL;
}

static void diff_sets(struct diff *d, struct json_object *expected, struct json_object *got)
{
	for (size_t i = 0; i < json_object_array_length(expected); i++) {
		struct json_object *o = json_object_array_get_idx(expected, i);
		const char *id = identity(o);

		diff_part(d, "[", id, "]", o, find(got, id));
	}
	for (size_t i = 0; i < json_object_array_length(got); i++) {
		struct json_object *o = json_object_array_get_idx(got, i);
		const char *id = identity(o);

		if (!find(expected, id))
			diff_part(d, "[", id, "]", NULL, o);
	}
}

static void diff_lists(struct diff *d, struct json_object *expected, struct json_object *got)
{
	size_t n = json_object_array_length(expected);
	size_t m = json_object_array_length(got);

	for (size_t i = 0; i < n || i < m; i++) {
		char place[32];

		snprintf(place, sizeof(place), "%zu", i);
		diff_part(d, "[", place, "]", json_object_array_get_idx(expected, i),
			  json_object_array_get_idx(got, i));
	}
}

static bool all_named(struct json_object *list)
{
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (!identity(json_object_array_get_idx(list, i)))
			return false;
	return true;
}

static bool both_are(json_type type, struct json_object *a, struct json_object *b)
{
	return json_object_is_type(a, type) && json_object_is_type(b, type);
}

static void diff_any(struct diff *d, struct json_object *expected, struct json_object *got)
{
	if (is_nothing(expected) && is_nothing(got))
		return;
	if (both_are(json_type_object, expected, got))
		diff_objects(d, expected, got);
	else if (!both_are(json_type_array, expected, got)) {
		if (!json_object_equal(expected, got))
			diff_report(d, expected, got);
	} else if (all_named(expected) && all_named(got))
		diff_sets(d, expected, got);
	else
		diff_lists(d, expected, got);
}

size_t compare_json(struct json_object *expected, struct json_object *got,
		    compare_report_f report, void *arg)
{
	struct diff d = { .report = report, .arg = arg };

	diff_any(&d, expected, got);
	return d.count;
}

/* ---- what to compare with ---- */

static void copy(struct json_object *to, const char *as,
		 struct json_object *from, const char *key)
{
	struct json_object *v = json_member(from, key);

	if (v)
		json_object_object_add(to, as, json_object_get(v));
}

/* As copy(), but absent members are not expected. */
static void copy_or_none(struct json_object *to, struct json_object *from, const char *key)
{
	json_object_object_add(to, key, json_object_get(json_member(from, key)));
}

/* A head of an expected cycle. Some have all that Kueue's scheduler recorded,
 * others only the outcome of the head. */
static struct json_object *head_view(struct json_object *head, bool ordered)
{
	struct json_object *o = json_object_new_object();

	copy(o, "workload", head, "workload");
	copy(o, "clusterQueue", head, "clusterQueue");
	copy(o, "root", head, "root");
	if (ordered)
		copy(o, "order", head, "order");
	copy(o, "outcome", head, "outcome");
	copy_or_none(o, head, "victims");
	copy(o, "assignment", head, "final");
	if (json_member(head, "nominated")) {
		copy(o, "nominated", head, "nominated");
		copy_or_none(o, head, "nominatedTargets");
		copy_or_none(o, head, "recomputed");
	}
	return o;
}

/* The large timing scenarios were recorded with evictions that came to nothing:
 * their heads are back in their queues without a reason, and the place where
 * they went has no meaning. */
static bool is_half_done(struct json_object *head)
{
	return json_member(head, "requeueReason") && !*json_text(head, "requeueReason")
	       && !strcmp(json_text(head, "outcome"), "preempting");
}

static struct json_object *cycle_view(struct json_object *line)
{
	struct json_object *expected = json_member(line, "expected");
	struct json_object *heads = json_member(expected, "heads");
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();
	bool ordered = is_nothing(json_member(line, "orderUnspecified"));
	bool full = !heads, queues = true;

	if (!json_object_is_type(heads, json_type_array))
		heads = NULL;
	for (size_t i = 0; heads && i < json_object_array_length(heads); i++) {
		struct json_object *h = json_object_array_get_idx(heads, i);

		full = full || json_member(h, "order");
		queues = queues && !is_half_done(h);
		json_object_array_add(list, head_view(h, ordered));
	}
	json_object_object_add(o, "heads", list);
	if (queues && full) {
		copy_or_none(o, expected, "left");
		copy_or_none(o, expected, "inadmissible");
	} else if (queues) {
		copy(o, "left", expected, "left");
		copy(o, "inadmissible", expected, "inadmissible");
	}
	return o;
}

struct json_object *compare_view(const char *kind, struct json_object *line)
{
	struct json_object *o;

	if (!strcmp(kind, "cycle"))
		return cycle_view(line);
	o = json_object_new_object();
	if (!strcmp(kind, "preempt"))
		copy_or_none(o, json_member(line, "expected"), "targets");
	else if (!strcmp(kind, "assign"))
		copy_or_none(o, json_member(line, "expected"), "assignment");
	else
		copy_or_none(o, line, "expect");
	return o;
}

const char *compare_excuse(struct json_object *line)
{
	struct json_object *heads = json_member(json_member(line, "expected"), "heads");

	if (!strcmp(json_text(line, "quirk"), "mixedModeNominatedFit"))
		return "the reference never evicts here, though it should";
	if (!json_object_is_type(heads, json_type_array))
		return NULL;
	for (size_t i = 0; i < json_object_array_length(heads); i++)
		if (!strcmp(json_text(json_object_array_get_idx(heads, i), "outcome"),
			    "inadmissible"))
			return "a head is refused for what no scenario holds";
	return NULL;
}
