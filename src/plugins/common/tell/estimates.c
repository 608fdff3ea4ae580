/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  estimates.c - what estimates of starts cost, and how far they see
\*****************************************************************************/
#include <json-c/json.h>

#include "tell/estimates.h"

#include "state/publish_json.h"

static struct {
	int64_t plays, spent, cut_short, too_far;
} estimates;

extern void estimates_count(int64_t cost, size_t too_far)
{
	estimates.plays++;
	estimates.spent += cost;
	estimates.cut_short += too_far != 0;
	estimates.too_far = too_far;
}

extern void estimates_count_look(int64_t cost)
{
	estimates.spent += cost;
}

extern struct json_object *estimates_json(void)
{
	struct json_object *o = json_object_new_object();

	publish_number(o, "plays", estimates.plays);
	publish_number(o, "microseconds", estimates.spent / 1000);
	publish_number(o, "cutShort", estimates.cut_short);
	publish_number(o, "tooFar", estimates.too_far);
	return o;
}
