/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map.c - maps by tables
 */
#include <stdio.h>
#include <string.h>

#include "text/suggestion.h"
#include "value/map.h"

#define KEYS_MAX 128

bool node_is_null(const struct node *n)
{
	return n->kind == NODE_SCALAR && n->plain &&
	       (!*n->text || !strcmp(n->text, "~") ||
		!strcmp(n->text, "null") || !strcmp(n->text, "Null") ||
		!strcmp(n->text, "NULL"));
}

struct quoted node_quote(const struct node *n)
{
	if (n->kind == NODE_LIST)
		return (struct quoted) { "a list" };
	if (n->kind == NODE_MAP)
		return (struct quoted) { "a map" };
	return quote(n->text);
}

bool map_has_good(const struct node *map, const char *key)
{
	const struct node *n = node_find(map, key);

	return n && !n->bad;
}

/* "name, cohort, match": the keys of a table */
static void keys_format(const struct field *field, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (const char *sep = ""; field->key; field++, sep = ", ") {
		if (n < size)
			n += snprintf(buf + n, size - n, "%s%s", sep,
				      field->key);
	}
}

static int key_unknown(struct reader *r, const struct place *at,
		       struct node *key, const struct field *fields)
{
	char known[512];
	struct suggestion near;

	if (report_full(r->report))
		return field_error(r, at, key, "unknown key");
	if (!strcmp(key->text, "<<"))
		return field_error(r, at, key, "merge keys are not understood "
				   "(write the keys out, or alias a value)");
	suggestion_init(&near, key->text);
	for (const struct field *f = fields; f->key; f++)
		suggestion_try(&near, f->key);
	if (near.best)
		return field_error(r, at, key, "unknown key (did you mean "
				   "%s?)", near.best);
	keys_format(fields, known, sizeof(known));
	return field_error(r, at, key, "unknown key (known here: %s)", known);
}

static int keys_known(struct reader *r, const struct place *at,
		      struct node *map, const struct field *fields)
{
	int rc = 0;

	for (size_t i = 0; i < map->nitems; i += 2) {
		struct place here = { .up = at, .key = map->items[i]->text };
		const struct field *f = fields;

		while (f->key && strcmp(f->key, here.key) != 0)
			f++;
		if (!f->key)
			rc = key_unknown(r, &here, map->items[i], fields);
	}
	return rc;
}

static int keys_once(struct reader *r, const struct place *at,
		     struct node *map)
{
	int rc = 0;

	for (size_t i = 2; i < map->nitems; i += 2) {
		struct node *key = map->items[i];
		struct place here = { .up = at, .key = key->text };
		size_t j = 0;

		while (j < i && strcmp(map->items[j]->text, key->text) != 0)
			j += 2;
		if (j < i)
			rc = field_error(r, &here, key, "is there twice "
					 "(first on line %d)",
					 map->items[j]->line);
	}
	return rc;
}

static int field_read(struct reader *r, const struct place *at,
		      struct node *n, void *object, const struct field *f)
{
	if (node_is_null(n))
		return field_error(r, at, n, "has no value (leave the key out "
				   "for the default)");
	if (f->read(r, at, n, (char *) object + f->offset, f->arg) < 0) {
		n->bad = true;
		return -1;
	}
	return 0;
}

static int fields_each(struct reader *r, const struct place *at,
		       struct node *map, void *object,
		       const struct field *fields)
{
	int rc = 0;

	for (const struct field *f = fields; f->key; f++) {
		struct place here = { .up = at, .key = f->key };
		struct node *n = node_find(map, f->key);

		if (n && field_read(r, &here, n, object, f) < 0)
			rc = -1;
		if (!n && f->required)
			rc = field_error(r, at, map, "%s is missing", f->key);
	}
	return rc;
}

int map_read(struct reader *r, const struct place *at, struct node *map,
		void *object, const void *arg)
{
	const struct field *fields = arg;
	char known[512];
	int rc = 0;

	if (map->kind != NODE_MAP) {
		keys_format(fields, known, sizeof(known));
		return field_error(r, at, map, "%s is not a map (its keys "
				   "would be %s)", node_quote(map).text, known);
	}
	if (map->nitems / 2 > KEYS_MAX)
		return field_error(r, at, map, "has more than %d keys",
				   KEYS_MAX);
	if (keys_once(r, at, map) < 0)
		rc = -1;
	if (keys_known(r, at, map, fields) < 0)
		rc = -1;
	if (fields_each(r, at, map, object, fields) < 0)
		rc = -1;
	return rc;
}

int list_read(struct reader *r, const struct place *at, struct node *list,
	      const char *what, field_read_f read, void *dest, const void *arg)
{
	int rc = 0;

	if (list->kind != NODE_LIST)
		return field_error(r, at, list, "%s is not %s",
				   node_quote(list).text, what);
	for (size_t i = 0; i < list->nitems; i++) {
		struct place here = { .up = at, .index = i };
		struct node *item = list->items[i];

		if (node_is_null(item))
			rc = field_error(r, &here, item, "has no value");
		else if (read(r, &here, item, dest, arg) < 0)
			rc = -1;
	}
	return rc;
}
