/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private.c - what of a range is not told where jobs are private
 */
#include "past/private.h"

#include "input/json_members.h"

const char *private_says(bool hidden)
{
	return hidden
	       ? "Jobs are private, or it is not known whether they are: "
		 "evictions and reclaim delays are told by whole days, as of a "
		 "month."
	       : "Jobs are private, or it is not known whether they are: "
		 "these are evictions of whole days.";
}

static void values_hide(struct json_object *list, const char *key)
{
	for (size_t i = 0; i < json_object_array_length(list); i++)
		json_object_object_del(json_object_array_get_idx(list, i), key);
}

/* Each step has a value, if only null. */
static void steps_hide(struct json_object *steps, const char *key)
{
	for (size_t i = 0; i < json_items(steps, key); i++)
		json_object_array_put_idx(json_member(steps, key), i, NULL);
}

void private_hide(struct json_object *document)
{
	static const char *const keys[] = {
		"evicted", "caused", "lostHours", "delayMedianSeconds",
		"delay95Seconds",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		values_hide(json_member(document, "rows"), keys[i]);
		values_hide(json_member(document, "totals"), keys[i]);
		steps_hide(json_member(document, "steps"), keys[i]);
	}
}
