/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charges.c - what a running job is charged in its cluster queue
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "story/charges.h"
#include "ledger/lookup.h"
#include "output/text.h"
#include "story/room.h"

/* "cpu=8,mem=64000M,gres/gpu=4": does the text have the resource, and how
 * much? */
static bool tres_has(const char *tres, const char *resource, char *amount,
		     size_t size)
{
	size_t len = strlen(resource);

	for (const char *p = tres; p && *p; ) {
		size_t item = strcspn(p, ",");

		if (item > len && p[len] == '='
		    && !strncmp(p, resource, len)) {
			snprintf(amount, size, "%.*s", (int) (item - len - 1),
				 p + len + 1);
			return true;
		}
		p += item + (p[item] == ',');
	}
	return false;
}

/* Without a database GPUs are not in TRES: "gpu:2" or "gpu:a100:2". */
static bool gres_has(const char *gres, const char *resource, char *amount,
		     size_t size)
{
	const char *name = resource + strlen("gres/"), *found, *colon;

	if (strncmp(resource, "gres/", 5) != 0 || !gres)
		return false;
	found = strstr(gres, name);
	if (!found)
		return false;
	found += strlen(name);
	while (*found == ':' && (colon = strpbrk(found + 1, ":,("))
	       && *colon == ':')
		found = colon;
	if (*found != ':')
		return false;
	snprintf(amount, size, "%.*s", (int) strcspn(found + 1, ",("),
		 found + 1);
	return true;
}

static void charge_add(const struct published *p, struct json_object *queue,
		       const struct view *v, const char *resource,
		       struct json_object *charges)
{
	char amount[TEXT_SIZE];
	struct json_object *o;

	if (!tres_has(v->tres_given, resource, amount, sizeof(amount))
	    && !gres_has(v->gres_given, resource, amount, sizeof(amount)))
		return;
	o = json_append(charges);
	json_add_text(o, "resource", resource);
	json_add_text(o, "amount", amount);
	json_add_text(o, "flavor", v->nodes ? published_flavor_of(
				p, queue, resource, v->nodes) : "");
}

struct json_object *job_charges(const struct published *p,
				struct json_object *queue,
				const struct view *v)
{
	struct json_object *charges = json_object_new_array();
	size_t n = json_items(queue, "quota");

	for (size_t i = 0; i < n; i++) {
		const char *resource = json_text(json_item(queue, "quota", i),
						 "resource");
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again |= !strcmp(resource, json_text(
				json_item(queue, "quota", k), "resource"));
		if (!again)
			charge_add(p, queue, v, resource, charges);
	}
	return charges;
}

int64_t charge_amount(struct json_object *charge)
{
	return tres_amount(json_text(charge, "amount"),
			   !strcmp(json_text(charge, "resource"), "mem"));
}
