/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario_names.c - flavors and resources that only workloads name
 *
 * The engine's flavors and resources are those of the spec, so a flavor or
 * resource of a workload must be in it even if no queue has quota for it.
 */
#include <errno.h>
#include <string.h>

#include "eval/scenario.h"

/* Pairs of a list of charges */
static void declare_pairs(struct spec *spec, const struct at *at,
			  const char *key)
{
	struct at list = at_list(at, key);

	for (size_t i = 0; i < list.n && !at_failed(at); i++) {
		struct at item = at_item(&list, i);

		if (spec_flavor(spec, at_name(&item, "flavor")) < 0 ||
		    spec_resource(spec, at_name(&item, "resource")) < 0)
			at_fail(&item, NULL, "%s", strerror(errno));
	}
}

static void declare_podset(struct spec *spec, const struct at *at)
{
	struct at requests = at_member(at, "requests");
	struct at flavors = at_member(at, "flavors");

	if (requests.json) {
		json_object_object_foreach(requests.json, name, amount) {
			(void) amount;
			if (spec_resource(spec, name) < 0)
				at_fail(at, NULL, "%s", strerror(errno));
		}
	}
	if (flavors.json) {
		json_object_object_foreach(flavors.json, name, flavor) {
			if (spec_resource(spec, name) < 0 ||
			    spec_flavor(spec, at_member_name(&flavors, name,
							     flavor)) < 0)
				at_fail(at, NULL, "%s", strerror(errno));
		}
	}
}

static void declare_workloads(struct spec *spec, const struct at *root,
			      const char *key)
{
	struct at list = at_list(root, key);

	for (size_t i = 0; i < list.n && !at_failed(root); i++) {
		struct at item = at_item(&list, i);
		struct at podsets = at_list(&item, "podSets");

		declare_pairs(spec, &item, "usage");
		for (size_t p = 0; p < podsets.n && !at_failed(root); p++) {
			struct at podset = at_item(&podsets, p);

			declare_podset(spec, &podset);
		}
	}
}

void scenario_declare_names(struct spec *spec, const struct at *root)
{
	struct at request = at_member(root, "request");

	declare_workloads(spec, root, "admitted");
	declare_workloads(spec, root, "pending");
	declare_pairs(spec, root, "extraUsage");
	declare_pairs(spec, &request, "quantities");
	declare_pairs(spec, &request, "needPreemption");
}
