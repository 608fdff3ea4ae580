/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - what the flavors' nodes have, as an option says it
 */
#define _DEFAULT_SOURCE	/* strsep */
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "output/output.h"
#include "replay/replay.h"

/* "cpu=64,gres/gpu=8": what the nodes of a flavor have */
static bool room_tell(struct sim *sim, const struct conf *conf, int flavor, const char *amounts)
{
	const char *name = conf->spec->flavors[flavor];
	struct trace_names names = { 0 };
	char why[256];
	const struct trace_request *room = trace_request(&names, amounts, why, sizeof(why));
	bool good = room || complain("--nodes: %s: %s", name, why);

	for (size_t i = 0; good && i < room->n; i++) {
		const struct trace_amount *a = &room->amounts[i];
		int resource = spec_find_resource(conf->spec, a->resource);

		if (resource == SPEC_NONE)
			good = complain("--nodes: %s: no queue of %.300s has quota for %s", name,
					conf->file, a->resource);
		else
			sim_room(sim, flavor, resource, a->amount);
	}
	trace_names_free(&names);
	return good;
}

/* "a100:cpu=64,gres/gpu=8". told: by flavor */
static bool flavor_tell(struct sim *sim, const struct conf *conf, char *text, bool *told)
{
	char *colon = strchr(text, ':');
	int flavor = SPEC_NONE;

	if (colon) {
		*colon = '\0';
		flavor = spec_find_flavor(conf->spec, text);
	}
	if (flavor == SPEC_NONE)
		return complain("--nodes: \"%.100s%s%.100s\" is not FLAVOR:RESOURCE=AMOUNT,... "
				"of a flavor in %.300s", text, colon ? ":" : "",
				colon ? colon + 1 : "", conf->file);
	if (told[flavor])
		return complain("--nodes: %s comes twice", text);
	told[flavor] = true;
	return room_tell(sim, conf, flavor, colon + 1);
}

bool replay_nodes_tell(struct sim *sim, const struct conf *conf, const char *nodes)
{
	bool *told = must(calloc(conf->spec->nflavors + 1, sizeof(*told))), good = true;
	char *copy = must(strdup(nodes)), *next = copy, *text;

	while (good && (text = strsep(&next, ";")))
		if (*text || next)
			good = flavor_tell(sim, conf, text, told);
	free(copy);
	free(told);
	return good;
}
