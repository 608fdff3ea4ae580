/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep.c - what --sweep says, and a cohort.yaml with one combination of it
 *
 * A path is that of the messages about cohort.yaml: keys with dots between
 * them, and [..] for an item of a list: its name, its number from 0, or * for
 * all of them. Keys that are missing are added. The text is made anew from the
 * document, with its aliases written out, so that no other place changes.
 */
#define _GNU_SOURCE	/* strsep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "must.h"
#include "output/text.h"
#include "simulate/simulate.h"
#include "text/report.h"
#include "value/keys.h"
#include "value/tres.h"

/* ---- options ---- */

static bool steps_are_good(const char *path)
{
	for (const char *at = path;; ) {
		size_t len = strcspn(at, ".[]");

		if (!len)
			return false;
		at += len;
		while (*at == '[') {
			len = strcspn(at, "]");
			if (len < 2 || !at[len])
				return false;
			at += len + 1;
		}
		if (!*at)
			return true;
		if (*at++ != '.')
			return false;
	}
}

static bool value_add(struct sweep_path *p, const char *value)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->values[i], value))
			return complain("--sweep: %.200s: \"%.60s\" comes twice", p->text, value);
	if (!*value)
		return complain("--sweep: %.200s: a value is empty", p->text);
	if (p->n == SWEEP_VALUES_MAX)
		return complain("--sweep: %.200s: has more than %d values", p->text,
				SWEEP_VALUES_MAX);
	p->values[p->n++] = value;
	return true;
}

static bool path_open(struct sweep_path *p, const char *text)
{
	char *values = p->text = must(strdup(text)), *value;

	strsep(&values, "=");
	if (!values || !steps_are_good(p->text))
		return complain("--sweep: \"%.200s\" is not PATH=VALUE,... "
				"(minRuntime.reclaim=0,10m,1h)", text);
	while ((value = strsep(&values, ",")))
		if (!value_add(p, value))
			return false;
	return true;
}

bool sweep_open(struct sweep *s, const struct cli_list *texts)
{
	*s = (struct sweep) { .n = 1 };
	if (texts->n > SWEEP_PATHS_MAX)
		return complain("--sweep: two paths at most");
	for (size_t i = 0; i < texts->n; i++) {
		struct sweep_path *p = &s->paths[s->npaths++];

		if (!path_open(p, texts->of[i]))
			return false;
		s->n *= p->n;
	}
	if (s->npaths == 2 && !strcmp(s->paths[0].text, s->paths[1].text))
		return complain("--sweep: %.200s comes twice", s->paths[0].text);
	return s->n <= SWEEP_MAX || complain("--sweep: %zu combinations are more than %d", s->n,
					     SWEEP_MAX);
}

void sweep_close(struct sweep *s)
{
	for (size_t i = 0; i < s->npaths; i++)
		free(s->paths[i].text);
}

const char *sweep_value(const struct sweep *s, size_t path, size_t i)
{
	if (path + 1 < s->npaths)
		return s->paths[path].values[i / s->paths[path + 1].n];
	return s->paths[path].values[i % s->paths[path].n];
}

char *sweep_label(const struct sweep *s, size_t i, bool paths, char *buf, size_t size)
{
	*buf = '\0';
	for (size_t p = 0; p < s->npaths; p++)
		text_join(buf, size, "%s%s%s", paths ? s->paths[p].text : "", paths ? "=" : "",
			  sweep_value(s, p, i));
	return buf;
}

/* ---- a document with other values ---- */

/* One value at one path */
struct change {
	const char *path, *value;
	char *err;		/* "" until something is wrong */
	size_t size;
};

/* "cpu=4,mem=16G" as a map; NULL: it is none */
static struct json_object *amounts_json(struct json_object *text)
{
	const char *cursor = json_object_get_string(text);
	struct json_object *o = json_object_new_object();
	struct tres item;
	char err[160];
	int rc;

	while ((rc = tres_next(&cursor, &item, err, sizeof(err))) > 0)
		json_object_object_add(o, item.name, json_object_new_string(item.value));
	if (!rc)
		return o;
	json_object_put(o);
	return NULL;
}

/* The length of the key at `at`: the longest one that the map has, as resources
 * may have dots in their names; else all up to the next step */
static size_t key_length(struct json_object *map, const char *at)
{
	size_t found = 0;

	json_object_object_foreach(map, key, value) {
		size_t len = strlen(key);

		(void) value;
		if (len > found && !strncmp(at, key, len) && (!at[len] || strchr(".[", at[len])))
			found = len;
	}
	return found ? found : strcspn(at, ".[");
}

/* Is this item i, by its name or, where none has that name, by number? */
static bool item_is(struct json_object *list, size_t i, const char *name,
		    size_t len, bool by_number)
{
	const char *own = json_text(json_object_array_get_idx(list, i), "name");
	char number[24];

	if (by_number) {
		snprintf(number, sizeof(number), "%zu", i);
		own = number;
	}
	return strlen(own) == len && !strncmp(own, name, len);
}

static struct json_object *changed(struct change *c, struct json_object *value, const char *at);

/* at: a key, with what is behind it. Keys that are missing are added. */
static struct json_object *map_changed(struct change *c, struct json_object *map, const char *at)
{
	struct json_object *was = map;
	char *key;

	if (json_object_is_type(was, json_type_string)) {
		map = amounts_json(was);
		json_object_put(was);
	}
	if (!was)
		map = json_object_new_object();
	if (!json_object_is_type(map, json_type_object)) {
		snprintf(c->err, c->size, "%.*s is no map: it has no key \"%.60s\"",
			 (int) (at - c->path - 1), c->path, at);
		return map;
	}
	key = must(strndup(at, key_length(map, at)));
	json_object_object_add(map, key, changed(c, json_object_get(json_member(map, key)),
						 at + strlen(key)));
	free(key);
	return map;
}

/* at: "[NAME]", with what is behind it */
static void list_change(struct change *c, struct json_object *list, const char *at)
{
	const char *name = at + 1;
	size_t len = strcspn(name, "]"), n, found = 0;
	bool all = len == 1 && *name == '*';

	if (!json_object_is_type(list, json_type_array)) {
		snprintf(c->err, c->size, "%.*s is no list", (int) (at - c->path), c->path);
		return;
	}
	n = json_object_array_length(list);
	for (int by_number = 0; !found && by_number < 2; by_number++) {
		for (size_t i = 0; i < n; i++) {
			struct json_object *item = json_object_array_get_idx(list, i);

			if (!all && !item_is(list, i, name, len, by_number))
				continue;
			found++;
			json_object_array_put_idx(list, i, changed(c, json_object_get(item),
								   name + len + 1));
		}
	}
	if (!found)
		snprintf(c->err, c->size, "%.*s has no item of that name or number (it has %zu "
			 "item%s, from 0)", (int) (name + len + 1 - c->path), c->path, n,
			 text_s((int64_t) n));
}

/* What becomes of a value, or of NULL, which is the caller's before and after that */
static struct json_object *changed(struct change *c, struct json_object *value, const char *at)
{
	if (*c->err)
		return value;
	if (!*at) {
		json_object_put(value);
		return json_object_new_string(c->value);
	}
	if (*at != '[')
		return map_changed(c, value, at + (*at == '.'));
	list_change(c, value, at);
	return value;
}

char *sweep_text(const struct sweep *s, size_t i, const char *text, char *err, size_t size)
{
	struct report *report = must(report_create(""));
	struct document *doc = document_load(text, strlen(text), report);
	struct json_object *all = json_of_node(document_root(doc));
	char *out = NULL;

	*err = '\0';
	for (size_t p = 0; p < s->npaths; p++) {
		struct change c = { .path = s->paths[p].text, .value = sweep_value(s, p, i),
				    .err = err, .size = size };

		all = changed(&c, all, c.path);
	}
	if (!*err)
		out = yaml_dump(all);
	json_object_put(all);
	document_destroy(doc);
	report_destroy(report);
	return out;
}
