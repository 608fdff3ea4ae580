/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer_text.c - an answer against its text, for tables of cases
 */
#include <json.h>

#include "test/tests.h"
#include "answer_text.h"

void answer_is_text(struct json_object *got, const struct fault *fault, const char *want)
{
	struct json_object *json = json_tokener_parse(want);

	if (fault->set)
		assert_string_equal(fault->buf, want);
	else
		assert_string_equal(json_object_to_json_string(got),
				    json_object_to_json_string(json));
	json_object_put(json);
}
