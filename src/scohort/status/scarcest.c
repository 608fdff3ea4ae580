/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scarcest.c - which flavors and resources of a queue are shown
 *
 * Of several the one that is scarcest: one that it owns before one that it can only
 * borrow; of which the smallest part of what could be had is free; of two that are
 * as scarce, the one of which there could be fewest, GPUs before CPUs.
 */
#include <string.h>

#include "input/json_members.h"
#include "status/status.h"

static bool is_asked(const struct shown *shown, struct json_object *quota)
{
	return !shown->resource || !strcmp(json_text(quota, "resource"), shown->resource);
}

bool quota_is_owned(struct json_object *quota)
{
	return json_number(quota, "nominal") || json_number(quota, "subtree");
}

static bool is_scarcer(struct json_object *a, struct json_object *b)
{
	double free_a = (double) json_number(a, "free");
	double free_b = (double) json_number(b, "free");
	int64_t most_a = json_number(a, "potential");
	int64_t most_b = json_number(b, "potential");
	double left, right;

	if (!most_a || !most_b)		/* a flavor without any is not scarce */
		return most_a > most_b;
	if (quota_is_owned(a) != quota_is_owned(b))
		return quota_is_owned(a);
	left = free_a * (free_b + (double) json_number(b, "used"));
	right = free_b * (free_a + (double) json_number(a, "used"));
	return left != right ? left < right : most_a < most_b;
}

bool quota_is_shown(const struct shown *shown, struct json_object *node, size_t i)
{
	struct json_object *quota = json_item(node, "quota", i);

	if (!is_asked(shown, quota))
		return false;
	for (size_t k = 0; !shown->all && k < json_items(node, "quota"); k++) {
		struct json_object *other = json_item(node, "quota", k);

		if (k == i || !is_asked(shown, other))
			continue;
		if (is_scarcer(other, quota) || (k < i && !is_scarcer(quota, other)))
			return false;
	}
	return true;
}
