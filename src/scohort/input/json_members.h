/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_members.h - members of JSON objects, present or not
 */
#ifndef SCOHORT_JSON_MEMBERS_H
#define SCOHORT_JSON_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json.h>

struct node;

/* ---- reading: if absent or of another type, it is NULL, "" or 0 ---- */

struct json_object *json_member(struct json_object *o, const char *key);
/* "" if there is none */
const char *json_text(struct json_object *o, const char *key);
int64_t json_number(struct json_object *o, const char *key);
double json_real(struct json_object *o, const char *key);
bool json_truth(struct json_object *o, const char *key);
/* A list and its items: 0 and NULL where there is none */
size_t json_items(struct json_object *o, const char *key);
struct json_object *json_item(struct json_object *o, const char *key, size_t i);

/* ---- making: the key is a literal ---- */

void json_add_text(struct json_object *o, const char *key, const char *text);
void json_add_number(struct json_object *o, const char *key, int64_t number);
void json_add_real(struct json_object *o, const char *key, double number);
void json_add_truth(struct json_object *o, const char *key, bool truth);
/* A new list under the key, which is the object's */
struct json_object *json_add_list(struct json_object *o, const char *key);
/* A new object as the last item of a list, which is the list's */
struct json_object *json_append(struct json_object *list);
/* 0 becomes null */
void json_add_time(struct json_object *o, const char *key, int64_t when);

/* A node of a YAML document, with its aliases written out; all scalars but null are texts. */
struct json_object *json_of_node(const struct node *n);

#endif /* SCOHORT_JSON_MEMBERS_H */
