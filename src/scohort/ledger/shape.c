/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shape.c - is a document one that the plugins can have published?
 *
 * The commands walk the cohorts as a tree and take the items of lists as
 * objects. The owner of the file is not checked, so its shape is.
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/shape.h"
#include "model/model.h"

static const char *const lists[] = {
	"flavors", "cohorts", "clusterQueues", "asked",
};

static bool items_are_objects(struct json_object *document, char *err,
			      size_t size)
{
	for (size_t l = 0; l < sizeof(lists) / sizeof(*lists); l++)
		for (size_t i = 0; i < json_items(document, lists[l]); i++) {
			if (json_object_is_type(json_item(document, lists[l],
							  i),
						json_type_object))
				continue;
			snprintf(err, size, "%s[%zu] is not an object",
				 lists[l], i);
			return false;
		}
	return true;
}

/* Cohorts by name; NULL with a message if two have one name, or one has none */
static struct json_object *cohorts_by_name(struct json_object *document,
					   char *err, size_t size)
{
	struct json_object *by_name = json_object_new_object();

	for (size_t i = 0; i < json_items(document, "cohorts"); i++) {
		struct json_object *c = json_item(document, "cohorts", i);
		const char *name = json_text(c, "name");

		if (*name && !json_member(by_name, name)) {
			json_object_object_add(by_name, name,
					       json_object_get(c));
			continue;
		}
		snprintf(err, size, *name ? "cohorts[%zu] has the name of "
			 "another" : "cohorts[%zu] has no name", i);
		json_object_put(by_name);
		return NULL;
	}
	return by_name;
}

static bool cohorts_are_trees(struct json_object *document, char *err,
			      size_t size)
{
	struct json_object *by_name = cohorts_by_name(document, err, size);
	bool good = by_name != NULL;

	for (size_t i = 0; good && i < json_items(document, "cohorts"); i++) {
		struct json_object *c = json_item(document, "cohorts", i);
		int depth = 0;

		while (c && depth++ < COHORT_LEVELS_MAX)
			c = json_member(by_name, json_text(c, "parent"));
		good = !c;
		if (!good)
			snprintf(err, size, "cohorts[%zu] is below itself, or "
				 "more than %d levels deep", i,
				 COHORT_LEVELS_MAX);
	}
	json_object_put(by_name);
	return good;
}

bool published_is_well_formed(struct json_object *document, char *err,
			      size_t size)
{
	return items_are_objects(document, err, size)
	       && cohorts_are_trees(document, err, size);
}
