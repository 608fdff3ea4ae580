/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_json.h - helpers to make the parts of the published document
\*****************************************************************************/
#ifndef COHORT_STATE_PUBLISH_JSON_H
#define COHORT_STATE_PUBLISH_JSON_H

#include "compat/slurm_compat.h"

#include <json-c/json.h>
#include <math.h>

#include "state/json_text.h"

/* Keys are literals: they need no copies. */
static inline void publish_add(struct json_object *o, const char *key,
			       struct json_object *value)
{
	(void) json_object_object_add_ex(o, key, value,
					 JSON_C_OBJECT_KEY_IS_CONSTANT);
}

static inline void publish_number(struct json_object *o, const char *key,
				  int64_t value)
{
	publish_add(o, key, json_object_new_int64(value));
}

/* null: not known, or not set */
static inline void publish_known(struct json_object *o, const char *key,
				 bool known, int64_t value)
{
	publish_add(o, key, known ? json_object_new_int64(value) : NULL);
}

/* Names and texts need not be UTF-8, the document is: each other byte becomes
 * U+FFFD. NULL becomes null. */
static inline void publish_text(struct json_object *o, const char *key,
				const char *value)
{
	publish_add(o, key, json_text(value));
}

static inline void publish_bool(struct json_object *o, const char *key,
				bool value)
{
	publish_add(o, key, json_object_new_boolean(value));
}

/* null: infinite */
static inline struct json_object *publish_finite(double value)
{
	return isfinite(value) ? json_object_new_double(value) : NULL;
}

#endif /* COHORT_STATE_PUBLISH_JSON_H */
