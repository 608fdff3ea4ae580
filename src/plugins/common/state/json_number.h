/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  json_number.h - a number in a JSON object
\*****************************************************************************/
#ifndef COHORT_STATE_JSON_NUMBER_H
#define COHORT_STATE_JSON_NUMBER_H

#include <json-c/json.h>
#include <stdint.h>

/* 0 if there is no member of that name, or if it is no number */
static inline int64_t json_number(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ?
		json_object_get_int64(value) : 0;
}

static inline void json_add_number(struct json_object *o, const char *key, int64_t number)
{
	json_object_object_add(o, key, json_object_new_int64(number));
}

#endif /* COHORT_STATE_JSON_NUMBER_H */
