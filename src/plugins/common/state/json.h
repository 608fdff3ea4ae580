/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  json.h - members of JSON objects, texts from outside, and pairs as keys
\*****************************************************************************/
#ifndef COHORT_STATE_JSON_H
#define COHORT_STATE_JSON_H

#include "compat/slurm_compat.h"

#include <json-c/json.h>

struct charge;
struct spec;

/* ---- to add a member; the key is a literal, so it needs no copy ---- */

static inline void json_add(struct json_object *o, const char *key, struct json_object *value)
{
	(void) json_object_object_add_ex(o, key, value, JSON_C_OBJECT_KEY_IS_CONSTANT);
}

static inline void json_add_number(struct json_object *o, const char *key, int64_t number)
{
	json_add(o, key, json_object_new_int64(number));
}

/* null: not known, or not set */
static inline void json_add_known(struct json_object *o, const char *key, bool known,
				  int64_t number)
{
	json_add(o, key, known ? json_object_new_int64(number) : NULL);
}

static inline void json_add_bool(struct json_object *o, const char *key, bool value)
{
	json_add(o, key, json_object_new_boolean(value));
}

/* The object of that name, which is added if it is not there; the key is copied. */
extern struct json_object *json_member(struct json_object *o, const char *key);
/* null: infinite */
extern void json_add_finite(struct json_object *o, const char *key, double number);
/* The text, in which bytes that are not UTF-8 are U+FFFD. NULL: null */
extern void json_add_text(struct json_object *o, const char *key, const char *text);

/* A new object at the end of the list */
static inline struct json_object *json_append(struct json_object *list)
{
	struct json_object *o = json_object_new_object();

	json_object_array_add(list, o);
	return o;
}

/* ---- values ---- */

/* What is printed as this text, which is JSON already. The text is xmalloc'd, and taken
 * over. The object can only be printed: the smallest there is, a boolean. */
extern struct json_object *json_printed(char *text);
/* The first 255 bytes of the text, as json_add_text(): users may have given a longer one. */
extern struct json_object *json_short_text(const char *text);

/* ---- members of what was read ---- */

/* 0 if there is no member of that name, or if it is no number */
extern int64_t json_number(struct json_object *o, const char *key);
/* The member of that name; an empty object if there is none, or if it is something else. Under
 * the job lock */
extern struct json_object *json_object_of(struct json_object *o, const char *key);
/* The text of that member, or "" */
extern const char *json_text_of(struct json_object *o, const char *key);

/* ---- a flavor and a resource by name ---- */

/* As members "flavor" and "resource". Is it an object with these? */
extern void json_add_pair(struct json_object *o, const struct spec *spec, int flavor, int resource);
extern bool json_is_pair(struct json_object *o, const struct spec *spec, int flavor, int resource);

/* {"gres/gpu@a100": its amount, so many times}, for each charge */
extern struct json_object *json_pairs(const struct spec *spec, const struct charge *charges,
				      size_t n, int64_t times);

/* "gres/gpu@a100" */
#define PAIR_KEY_BYTES 256
extern void pair_key_print(char key[PAIR_KEY_BYTES], const struct spec *spec, int flavor,
			   int resource);
/* false: there is no such flavor or resource in the configuration in force; *flavor and
 * *resource are SPEC_NONE or what is known. */
extern bool pair_key_find(const char *key, int *flavor, int *resource);

#endif /* COHORT_STATE_JSON_H */
