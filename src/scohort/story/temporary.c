/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * temporary.c - quotas for a time, in words
 */
#include <stdio.h>

#include "input/json_members.h"
#include "story/temporary.h"
#include "output/text.h"

char *temporary_text(char *buf, size_t size, const char *name,
		     struct json_object *quota, int64_t now)
{
	struct json_object *t = json_member(quota, "temporary");
	const char *resource = json_text(quota, "resource");
	int64_t end = json_number(t, "end");
	char amount[TEXT_SIZE], then[TEXT_SIZE], from[TEXT_SIZE];
	char until[TEXT_SIZE];

	text_amount_of(amount, sizeof(amount), resource,
		       json_number(t, "nominal"));
	text_amount(then, sizeof(then), resource, json_number(t, "otherwise"));
	text_time(from, sizeof(from), json_number(t, "begin"), now);
	text_time(until, sizeof(until), end, now);
	if (json_truth(t, "inForce") && !end)
		snprintf(buf, size, "%s has %s of flavor %s for good now; "
			 "nominalQuota still says %s.", name, amount,
			 json_text(quota, "flavor"), then);
	else if (json_truth(t, "inForce"))
		snprintf(buf, size, "%s has %s of flavor %s until %s, then "
			 "%s.", name, amount, json_text(quota, "flavor"),
			 until, then);
	else
		snprintf(buf, size, "%s gets %s of flavor %s from %s%s%s; until "
			 "then %s.", name, amount, json_text(quota, "flavor"),
			 from, end ? " until " : " on", end ? until : "",
			 then);
	return buf;
}
