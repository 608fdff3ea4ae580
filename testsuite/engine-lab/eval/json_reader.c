/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_reader.c - JSON of unknown origin, read with errors that name the place
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "eval/json_reader.h"
#include "spec.h"

#define NS_PER_MS INT64_C(1000000)

void at_root(struct at *at, struct json_object *json, struct fault *fault)
{
	*at = (struct at) { .fault = fault, .json = json };
}

bool at_failed(const struct at *at)
{
	return at->fault->set;
}

/* Appends the path of at; text that does not fit is cut off. */
static void path_add(const struct at *at, char *path, size_t size)
{
	size_t len;

	if (!at->up)
		return;
	path_add(at->up, path, size);
	len = strlen(path);
	if (at->key)
		snprintf(path + len, size - len, "%s%s", len ? "." : "", at->key);
	else
		snprintf(path + len, size - len, "[%zu]", at->index);
}

void at_fail(const struct at *at, const char *key, const char *fmt, ...)
{
	struct at member = { .up = at, .key = key };
	struct fault *f = at->fault;
	char message[256];
	va_list ap;

	if (f->set)
		return;
	f->set = true;
	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	*f->buf = '\0';
	path_add(key ? &member : at, f->buf, f->size);
	snprintf(f->buf + strlen(f->buf), f->size - strlen(f->buf), "%s%s",
		 *f->buf ? ": " : "", message);
}

/* The member, or NULL: absent, null, or an error was seen before */
static struct json_object *at_get(const struct at *at, const char *key)
{
	struct json_object *v = NULL;

	if (at_failed(at) || !at->json)
		return NULL;
	json_object_object_get_ex(at->json, key, &v);
	return v;
}

/* The member if it has this type; any other type is an error. */
static struct json_object *at_typed(const struct at *at, const char *key,
				    json_type type)
{
	struct json_object *v = at_get(at, key);

	if (!v || json_object_is_type(v, type))
		return v;
	at_fail(at, key, "must be %s %s, not %s",
		type == json_type_object || type == json_type_array ||
		type == json_type_int ? "an" : "a", json_type_to_name(type),
		json_type_to_name(json_object_get_type(v)));
	return NULL;
}

struct at at_member(const struct at *at, const char *key)
{
	return (struct at) {
		.fault = at->fault, .up = at, .key = key,
		.json = at_typed(at, key, json_type_object),
	};
}

struct at at_list(const struct at *at, const char *key)
{
	struct at list = {
		.fault = at->fault, .up = at, .key = key,
		.json = at_typed(at, key, json_type_array),
	};

	if (list.json)
		list.n = json_object_array_length(list.json);
	return list;
}

struct at at_any(const struct at *list, size_t i)
{
	struct at item = { .fault = list->fault, .up = list, .index = i };

	if (!at_failed(list) && i < list->n)
		item.json = json_object_array_get_idx(list->json, i);
	return item;
}

struct at at_item(const struct at *list, size_t i)
{
	struct at item = at_any(list, i);

	if (!at_failed(list) && !json_object_is_type(item.json, json_type_object)) {
		at_fail(&item, NULL, "must be an object");
		item.json = NULL;
	}
	return item;
}

/* JSON allows a NUL inside a string; no name here has one. */
static const char *string_checked(const struct at *at, const char *key, struct json_object *v)
{
	const char *s = json_object_get_string(v);

	if (strlen(s) == (size_t) json_object_get_string_len(v))
		return s;
	at_fail(at, key, "contains a NUL character");
	return NULL;
}

const char *at_string(const struct at *at, const char *key)
{
	struct json_object *v = at_typed(at, key, json_type_string);

	return v ? string_checked(at, key, v) : NULL;
}

const char *at_name(const struct at *at, const char *key)
{
	const char *s = at_string(at, key);

	if (s && *s)
		return s;
	at_fail(at, key, s ? "is empty" : "is missing");
	return "";
}

const char *at_text(const struct at *at)
{
	const char *s = NULL;

	if (at_failed(at))
		return "";
	if (json_object_is_type(at->json, json_type_string))
		s = string_checked(at, NULL, at->json);
	else
		at_fail(at, NULL, "must be a string");
	return s ? s : "";
}

bool at_bool(const struct at *at, const char *key, bool dflt)
{
	struct json_object *v = at_typed(at, key, json_type_boolean);

	return v ? json_object_get_boolean(v) : dflt;
}

int64_t at_int(const struct at *at, const char *key, int64_t dflt, int64_t min)
{
	struct json_object *v = at_typed(at, key, json_type_int);
	int64_t value;

	if (!v)
		return dflt;
	value = json_object_get_int64(v);
	if (value >= min)
		return value;
	at_fail(at, key, "%lld is under %lld", (long long) value, (long long) min);
	return dflt;
}

double at_weight(const struct at *at, const char *key, double dflt)
{
	struct json_object *v = at_get(at, key);
	double value;

	if (!v)
		return dflt;
	if (!json_object_is_type(v, json_type_int) && !json_object_is_type(v, json_type_double)) {
		at_fail(at, key, "must be a number");
		return dflt;
	}
	value = json_object_get_double(v);
	if (isfinite(value) && value >= 0)
		return value;
	at_fail(at, key, "%g is not a weight", value);
	return dflt;
}

int at_word(const struct at *at, const char *key, const struct word *words, int dflt)
{
	const char *s = at_string(at, key);

	if (!s)
		return dflt;
	for (; words->word; words++)
		if (!strcmp(words->word, s))
			return words->value;
	at_fail(at, key, "\"%s\" is not known", s);
	return dflt;
}

/* value * unit, or an error if the result is no 64 bit number of nanoseconds */
static int64_t at_scaled(const struct at *at, const char *key, int64_t unit, int64_t dflt)
{
	struct json_object *v = at_typed(at, key, json_type_int);
	int64_t ns;

	if (!v)
		return dflt;
	if (!__builtin_mul_overflow(json_object_get_int64(v), unit, &ns))
		return ns;
	at_fail(at, key, "%s is out of range", json_object_get_string(v));
	return dflt;
}

int64_t at_millis(const struct at *at, const char *key, int64_t dflt)
{
	return at_scaled(at, key, NS_PER_MS, dflt);
}

int64_t at_seconds(const struct at *at, const char *key, int64_t dflt)
{
	char rest[64];
	int64_t ns;

	snprintf(rest, sizeof(rest), "%sNs", key);
	if (!at_get(at, key))
		return dflt;
	if (!__builtin_add_overflow(at_scaled(at, key, SPEC_SEC, dflt),
				    at_int(at, rest, 0, INT64_MIN), &ns))
		return ns;
	at_fail(at, key, "is out of range");
	return dflt;
}

int at_index(struct json_object *table, const char *name)
{
	struct json_object *v;

	if (!json_object_object_get_ex(table, name, &v))
		return -1;
	return json_object_get_int(v);
}

void at_index_add(struct json_object *table, const char *name, size_t index, const struct at *at)
{
	struct json_object *v;

	if (at_index(table, name) >= 0) {
		at_fail(at, "name", "\"%s\" is there twice", name);
		return;
	}
	v = json_object_new_int64((int64_t) index);
	if (!v || json_object_object_add(table, name, v) < 0)
		at_fail(at, NULL, "%s", strerror(ENOMEM));
}
