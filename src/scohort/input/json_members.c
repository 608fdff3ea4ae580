/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_members.c - members of JSON objects, present or not
 */
#include "input/json_members.h"
#include "value/keys.h"
#include "yaml/document.h"

struct json_object *json_member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &value);
	return value;
}

const char *json_text(struct json_object *o, const char *key)
{
	struct json_object *value = json_member(o, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

int64_t json_number(struct json_object *o, const char *key)
{
	return json_object_get_int64(json_member(o, key));
}

double json_real(struct json_object *o, const char *key)
{
	return json_object_get_double(json_member(o, key));
}

bool json_truth(struct json_object *o, const char *key)
{
	return json_object_get_boolean(json_member(o, key));
}

size_t json_items(struct json_object *o, const char *key)
{
	struct json_object *list = json_member(o, key);

	return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

struct json_object *json_item(struct json_object *o, const char *key, size_t i)
{
	return i < json_items(o, key) ? json_object_array_get_idx(json_member(o, key), i) : NULL;
}

/* Keys are literals: they need no copies. */
static void add(struct json_object *o, const char *key, struct json_object *value)
{
	json_object_object_add_ex(o, key, value, JSON_C_OBJECT_KEY_IS_CONSTANT);
}

void json_add_text(struct json_object *o, const char *key, const char *text)
{
	add(o, key, text ? json_object_new_string(text) : NULL);
}

void json_add_number(struct json_object *o, const char *key, int64_t number)
{
	add(o, key, json_object_new_int64(number));
}

void json_add_real(struct json_object *o, const char *key, double number)
{
	add(o, key, json_object_new_double(number));
}

void json_add_truth(struct json_object *o, const char *key, bool truth)
{
	add(o, key, json_object_new_boolean(truth));
}

void json_add_time(struct json_object *o, const char *key, int64_t when)
{
	add(o, key, when > 0 ? json_object_new_int64(when) : NULL);
}

struct json_object *json_add_list(struct json_object *o, const char *key)
{
	struct json_object *list = json_object_new_array();

	json_object_object_add(o, key, list);
	return list;
}

struct json_object *json_append(struct json_object *list)
{
	struct json_object *o = json_object_new_object();

	json_object_array_add(list, o);
	return o;
}

struct json_object *json_of_node(const struct node *n)
{
	struct json_object *o;

	if (n->kind == NODE_SCALAR)
		return node_is_null(n) ? NULL : json_object_new_string(n->text);
	o = n->kind == NODE_MAP ? json_object_new_object() : json_object_new_array();
	for (size_t i = 0; n->kind == NODE_LIST && i < n->nitems; i++)
		json_object_array_add(o, json_of_node(n->items[i]));
	for (size_t i = 0; n->kind == NODE_MAP && i < n->nitems; i += 2)
		json_object_object_add(o, n->items[i]->text, json_of_node(n->items[i + 1]));
	return o;
}
