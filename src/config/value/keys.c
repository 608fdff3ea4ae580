/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.c - maps by tables
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/keys.h"

#define KEYS_MAX 128

bool node_is_null(const struct node *n)
{
	return n->kind == NODE_SCALAR && n->plain && (!*n->text || !strcmp(n->text, "~") ||
		!strcmp(n->text, "null") || !strcmp(n->text, "Null") || !strcmp(n->text, "NULL"));
}

bool node_is_good(const struct node *n)
{
	return !n || !n->bad;
}

struct quoted node_quote(const struct node *n)
{
	if (n->kind == NODE_LIST)
		return (struct quoted) { "a list" };
	if (n->kind == NODE_MAP)
		return (struct quoted) { "a map" };
	return quote(n->text);
}

const char *item_name(const struct node *item)
{
	const struct node *name = node_find(item, "name");

	return name && name->kind == NODE_SCALAR && !node_is_null(name) ? name->text : "";
}

void key_store(void *dest, const struct key *key, int64_t value)
{
	if (key->size == sizeof(bool))
		*(bool *) dest = value;
	else if (key->size == sizeof(int))
		*(int *) dest = (int) value;
	else
		*(int64_t *) dest = value;
}

/* Of a map in a map */
static void *inner_object(void *dest, const struct key *key)
{
	return key->pointer ? *(void **) dest : dest;
}

void keys_initial(void *object, const struct key *keys)
{
	for (const struct key *k = keys; k->name; k++) {
		char *dest = (char *) object + k->offset;

		if (k->keys)
			keys_initial(inner_object(dest, k), k->keys);
		else if (k->initial)
			key_store(dest, k, k->initial);
	}
}

/* "name, cohort, match": the keys of a table */
static void keys_format(const struct key *keys, char *buf, size_t size)
{
	size_t n = 0;

	for (const struct key *k = keys; k->name && n < size; k++)
		n += snprintf(buf + n, size - n, "%s%s", k == keys ? "" : ", ", k->name);
}

static int key_unknown(struct reader *r, struct node *key, const struct key *keys)
{
	struct quoted meant = { "" };
	char known[512];

	if (!strcmp(key->text, "<<"))
		return node_error(r, key, "merge keys are not understood (write the keys out, or "
				  "alias a value)");
	if (!report_full(r->report))
		meant = did_you_mean(key->text, keys, sizeof(*keys), SIZE_MAX);
	if (*meant.text)
		return node_error(r, key, "unknown key%s", meant.text);
	keys_format(keys, known, sizeof(known));
	return node_error(r, key, "unknown key (known here: %s)", known);
}

/* Is key i of the map in the table, and is it the first of that name? */
static int key_check(struct reader *r, const struct node *map, size_t i, const struct key *keys)
{
	struct node *key = map->items[i];
	const struct key *k = keys;
	size_t first = 0;
	int rc = 0;

	key->at = (struct place) { .up = &map->at, .key = key->text };
	while (strcmp(map->items[first]->text, key->text) != 0)
		first += 2;
	if (first < i)
		rc = node_error(r, key, "is there twice (first on line %d)",
				map->items[first]->line);
	while (k->name && strcmp(k->name, key->text) != 0)
		k++;
	return k->name ? rc : key_unknown(r, key, keys);
}

static int value_read(struct reader *r, struct node *n, void *object, const struct key *key)
{
	struct value v = { r, n, (char *) object + key->offset, key };

	if (node_is_null(n))
		return value_error(&v, "has no value (leave the key out for the default)");
	if (key->given)
		*(bool *) ((char *) object + key->given) = true;
	if (key->read(&v) == 0)
		return 0;
	n->bad = true;
	return -1;
}

int keys_read(struct reader *r, struct node *map, void *object, const struct key *keys)
{
	char known[512];
	int rc = 0;

	if (map->kind != NODE_MAP) {
		keys_format(keys, known, sizeof(known));
		return node_error(r, map, "%s is not a map (its keys would be %s)",
				  node_quote(map).text, known);
	}
	if (node_length(map) > KEYS_MAX)
		return node_error(r, map, "has more than %d keys", KEYS_MAX);
	for (size_t i = 0; i < map->nitems; i += 2)
		if (key_check(r, map, i, keys) < 0)
			rc = -1;
	for (const struct key *k = keys; k->name; k++) {
		struct node *n = node_find(map, k->name);

		if (n && value_read(r, n, object, k) < 0)
			rc = -1;
		if (!n && k->required)
			rc = node_error(r, map, "%s is missing", k->name);
	}
	return rc;
}

int map_read(struct value *v)
{
	return keys_read(v->r, v->n, inner_object(v->dest, v->key), v->key->keys);
}

/* ---- lists ---- */

static int list_check(struct value *v, const char *what)
{
	if (v->n->kind != NODE_LIST)
		return value_error(v, "%s is not %s", node_quote(v->n).text, what);
	if (v->key->min && !v->n->nitems)
		return value_error(v, "is empty");
	if (v->key->max && v->n->nitems > (size_t) v->key->max)
		return value_error(v, "has more than %zu items", (size_t) v->key->max);
	return 0;
}

int list_read(struct value *v, const char *what, read_f read, void *dest)
{
	int rc = 0;

	if (list_check(v, what) < 0)
		return -1;
	for (size_t i = 0; i < v->n->nitems; i++) {
		struct value item = { v->r, node_item(v->n, i), dest, v->key };

		if (node_is_null(item.n))
			rc = value_error(&item, "has no value");
		else if (read(&item) < 0)
			rc = -1;
	}
	return rc;
}

static int name_compare(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int text_compare(const void *text, const void *name)
{
	return strcmp(text, ((const struct name *) name)->text);
}

/* The names are sorted: equal ones follow each other. The first one stays. */
static int names_once(struct value *v, struct names *names)
{
	size_t kept = 0;
	int rc = 0;

	for (size_t i = 0; i < names->n; i++) {
		const struct name *name = &names->of[i];
		const struct name *first = kept ? &names->of[kept - 1] : NULL;
		int line;

		if (!first || strcmp(first->text, name->text) != 0) {
			names->of[kept++] = *name;
			continue;
		}
		line = node_find(node_item(v->n, first->index), "name")->line;
		rc = node_error(v->r, node_find(node_item(v->n, name->index), "name"),
				"%s is there twice (first on line %d)",
				quote(name->text).text, line);
	}
	names->n = kept;
	return rc;
}

static int names_read(struct value *v, struct names *names)
{
	names->of = calloc(v->n->nitems + 1, sizeof(*names->of));
	if (!names->of)
		return report_nomem(v->r->report);
	for (size_t i = 0; i < v->n->nitems; i++) {
		const char *text = item_name(v->n->items[i]);

		if (*text)
			names->of[names->n++] = (struct name) { text, i };
	}
	qsort(names->of, names->n, sizeof(*names->of), name_compare);
	return names_once(v, names);
}

int named_list_read(struct value *v, const char *what, struct names *names,
		    int (*add)(struct reader *r, const struct node *list), read_f read)
{
	struct names own = { .n = 0 };
	int rc;

	if (list_check(v, what) < 0)
		return -1;
	rc = names_read(v, names ? names : &own);
	free(own.of);
	if (add(v->r, v->n) < 0) {
		if (names)
			names->n = 0;	/* they may have no index */
		return report_nomem(v->r->report);
	}
	return list_read(v, what, read, NULL) < 0 ? -1 : rc;
}

const struct name *names_find(const struct names *names, const char *text)
{
	return !names->n ? NULL : bsearch(text, names->of, names->n,
					  sizeof(*names->of), text_compare);
}
