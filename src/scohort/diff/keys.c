/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.c - keys that differ between two files
 *
 * Maps are compared key by key, lists of things with names by name, other lists
 * of maps as sets whose order counts, all else as text. So comments and the way
 * in which it is written do not count.
 */
#define _GNU_SOURCE	/* open_memstream, asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "input/json_members.h"
#include "yaml/document.h"

/* ---- a node as one line ---- */

static void node_write(const struct node *n, FILE *out)
{
	const char *sep = "";

	if (n->kind == NODE_SCALAR) {
		fputs(n->text, out);
		return;
	}
	putc(n->kind == NODE_MAP ? '{' : '[', out);
	for (size_t i = 0; i < n->nitems; i++) {
		fputs(sep, out);
		node_write(n->items[i], out);
		sep = n->kind == NODE_MAP && i % 2 == 0 ? ": " : ", ";
	}
	putc(n->kind == NODE_MAP ? '}' : ']', out);
}

/* The caller frees it; NULL: no memory */
static char *node_line(const struct node *n)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	node_write(n, out);
	fclose(out);
	return text;
}

static bool same_line(const struct node *a, const struct node *b)
{
	char *x = node_line(a), *y = node_line(b);
	bool same = x && y && !strcmp(x, y);

	free(x);
	free(y);
	return same;
}

/* ---- changes ---- */

static void change_add(struct json_object *list, const char *path,
		       const struct node *from, const struct node *to)
{
	char *a = from ? node_line(from) : NULL, *b = to ? node_line(to) : NULL;
	const char *implied = a && b ? NULL : implied_value(path);
	const char *said = a ? a : b;
	struct json_object *o;

	if (!implied || !said || strcmp(said, implied) != 0) {
		o = json_object_new_object();
		json_add_text(o, "path", path);
		json_add_text(o, "from", a);
		json_add_text(o, "to", b);
		if (implied)
			json_add_text(o, "default", implied);
		json_object_array_add(list, o);
	}
	free(a);
	free(b);
}

static void nodes_compare(struct json_object *list, const char *path,
			  const struct node *a, const struct node *b);

static void below_compare(struct json_object *list, const char *path,
			  const char *sep, const char *key, const char *end,
			  const struct node *a, const struct node *b)
{
	char *below;

	if (asprintf(&below, "%s%s%s%s", path, sep, key, end) < 0)
		return;
	nodes_compare(list, below, a, b);
	free(below);
}

/* quotas.c tells of these. */
static bool is_amounts(const char *key)
{
	return !strcmp(key, "nominalQuota") || !strcmp(key, "borrowingLimit")
	       || !strcmp(key, "lendingLimit");
}

static void maps_compare(struct json_object *list, const char *path,
			 const struct node *a, const struct node *b)
{
	const char *sep = *path ? "." : "";

	for (size_t i = 0; i < a->nitems; i += 2) {
		const char *key = a->items[i]->text;

		if (!is_amounts(key))
			below_compare(list, path, sep, key, "",
				      a->items[i + 1], node_find(b, key));
	}
	for (size_t i = 0; i < b->nitems; i += 2) {
		const char *key = b->items[i]->text;

		if (!is_amounts(key) && !node_find(a, key))
			below_compare(list, path, sep, key, "", NULL,
				      b->items[i + 1]);
	}
}

/* ---- lists ---- */

static const char *name_of(const struct node *item)
{
	const struct node *name = node_find(item, "name");

	return name && name->kind == NODE_SCALAR ? name->text : NULL;
}

static const struct node *item_named(const struct node *list, const char *name)
{
	for (size_t i = 0; i < list->nitems; i++) {
		const char *other = name_of(list->items[i]);

		if (other && !strcmp(other, name))
			return list->items[i];
	}
	return NULL;
}

static bool all_named(const struct node *list)
{
	for (size_t i = 0; i < list->nitems; i++)
		if (!name_of(list->items[i]))
			return false;
	return true;
}

static const struct node *item_like(const struct node *list,
				    const struct node *item)
{
	for (size_t i = 0; i < list->nitems; i++)
		if (same_line(list->items[i], item))
			return list->items[i];
	return NULL;
}

typedef const struct node *(*twin_f)(const struct node *list,
				     const struct node *item);

static const struct node *twin_by_name(const struct node *list,
				       const struct node *item)
{
	return item_named(list, name_of(item));
}

/* Do those that are in both lists come in another order? */
static bool order_differs(const struct node *a, const struct node *b,
			  twin_f twin)
{
	size_t at = 0;

	for (size_t i = 0; i < a->nitems; i++) {
		const struct node *other = twin(b, a->items[i]);

		if (!other)
			continue;
		while (at < b->nitems && b->items[at] != other)
			at++;
		if (at == b->nitems)
			return true;
	}
	return false;
}

static void order_add(struct json_object *list, const char *path)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "path", path);
	json_add_text(o, "from", NULL);
	json_add_text(o, "to", "another order");
	json_object_array_add(list, o);
}

static void named_compare(struct json_object *list, const char *path,
			  const struct node *a, const struct node *b)
{
	for (size_t i = 0; i < a->nitems; i++) {
		const char *name = name_of(a->items[i]);

		below_compare(list, path, "[", name, "]", a->items[i],
			      item_named(b, name));
	}
	for (size_t i = 0; i < b->nitems; i++) {
		const char *name = name_of(b->items[i]);

		if (!item_named(a, name))
			below_compare(list, path, "[", name, "]", NULL,
				      b->items[i]);
	}
	if (order_differs(a, b, twin_by_name))
		order_add(list, path);
}

static void sets_compare(struct json_object *list, const char *path,
			 const struct node *a, const struct node *b)
{
	for (size_t i = 0; i < a->nitems; i++)
		if (!item_like(b, a->items[i]))
			change_add(list, path, a->items[i], NULL);
	for (size_t i = 0; i < b->nitems; i++)
		if (!item_like(a, b->items[i]))
			change_add(list, path, NULL, b->items[i]);
	if (order_differs(a, b, item_like))
		order_add(list, path);
}

/* Resource groups have no names: the n-th is the n-th. */
static void groups_compare(struct json_object *list, const char *path,
			   const struct node *a, const struct node *b)
{
	size_t n = a->nitems > b->nitems ? a->nitems : b->nitems;

	for (size_t i = 0; i < n; i++) {
		char number[24];

		snprintf(number, sizeof(number), "%zu", i);
		below_compare(list, path, "[", number, "]",
			      i < a->nitems ? a->items[i] : NULL,
			      i < b->nitems ? b->items[i] : NULL);
	}
}

static bool has_maps(const struct node *list)
{
	return list->nitems && list->items[0]->kind == NODE_MAP;
}

static void lists_compare(struct json_object *list, const char *path,
			  const struct node *a, const struct node *b)
{
	size_t len = strlen(path), end = strlen("resourceGroups");

	if (len >= end && !strcmp(path + len - end, "resourceGroups"))
		groups_compare(list, path, a, b);
	else if (all_named(a) && all_named(b) && (a->nitems || b->nitems))
		named_compare(list, path, a, b);
	else if (has_maps(a) && has_maps(b))
		sets_compare(list, path, a, b);
	else if (!same_line(a, b))
		change_add(list, path, a, b);
}

/* A map that is left out is an empty one, if its keys mean something all the same. */
static const struct node *map_or_empty(const struct node *n,
				       const struct node *other,
				       const char *path)
{
	static const struct node empty = { .kind = NODE_MAP };

	return !n && other && other->kind == NODE_MAP && implied_below(path)
	       ? &empty : n;
}

static void nodes_compare(struct json_object *list, const char *path,
			  const struct node *a, const struct node *b)
{
	const struct node *was = a;

	a = map_or_empty(a, b, path);
	b = map_or_empty(b, was, path);
	if (!a || !b || a->kind != b->kind)
		change_add(list, path, a, b);
	else if (a->kind == NODE_MAP)
		maps_compare(list, path, a, b);
	else if (a->kind == NODE_LIST)
		lists_compare(list, path, a, b);
	else if (strcmp(a->text, b->text) != 0)
		change_add(list, path, a, b);
}

struct json_object *diff_keys(const char *from, const char *to)
{
	struct report *report = report_create("");
	struct document *a = NULL, *b = NULL;
	struct json_object *list = NULL;

	if (report) {
		a = document_load(from, strlen(from), report);
		b = document_load(to, strlen(to), report);
	}
	if (a && b) {
		list = json_object_new_array();
		nodes_compare(list, "", document_root(a), document_root(b));
	}
	document_destroy(a);
	document_destroy(b);
	report_destroy(report);
	return list;
}
