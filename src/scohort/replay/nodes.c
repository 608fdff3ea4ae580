/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - what the flavors' nodes have, as an option says it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"
#include "replay/replay.h"
#include "text/report.h"

struct teller {
	const struct conf *conf;
	struct sim *sim;
	struct trace_names names;
	bool *told;		/* by flavor */
	char *err;
	size_t size;
};

/* "cpu=64,gres/gpu=8": what the nodes of a flavor have */
static int room_tell(struct teller *t, int flavor, const char *amounts)
{
	const struct spec *spec = t->conf->spec;
	const char *name = spec->flavors[flavor];
	const struct trace_request *room;
	char why[256];

	room = trace_request(&t->names, amounts, why, sizeof(why));
	if (!room) {
		snprintf(t->err, t->size, "--nodes: %s: %s", name, why);
		return -1;
	}
	for (size_t i = 0; i < room->n; i++) {
		const struct trace_amount *a = &room->amounts[i];
		int resource = spec_find_resource(spec, a->resource);

		if (resource == SPEC_NONE) {
			snprintf(t->err, t->size, "--nodes: %s: no queue of "
				 "%.300s has quota for %s", name,
				 t->conf->file, a->resource);
			return -1;
		}
		sim_room(t->sim, flavor, resource, a->amount);
	}
	return 0;
}

/* "a100:cpu=64,gres/gpu=8", its first len characters */
static int flavor_tell(struct teller *t, const char *text, size_t len)
{
	size_t colon = strcspn(text, ":");
	char name[256], amounts[1024];
	int flavor = SPEC_NONE;

	snprintf(name, sizeof(name), "%.*s", (int) (colon < len ? colon : len),
		 text);
	if (colon < len && len - colon <= sizeof(amounts))
		flavor = spec_find_flavor(t->conf->spec, name);
	if (flavor == SPEC_NONE) {
		snprintf(t->err, t->size, "--nodes: \"%.*s\" is not "
			 "FLAVOR:RESOURCE=AMOUNT,... of a flavor in %.300s",
			 len > 100 ? 100 : (int) len, text, t->conf->file);
		return -1;
	}
	if (t->told[flavor]) {
		snprintf(t->err, t->size, "--nodes: %s comes twice", name);
		return -1;
	}
	t->told[flavor] = true;
	snprintf(amounts, sizeof(amounts), "%.*s", (int) (len - colon - 1),
		 text + colon + 1);
	return room_tell(t, flavor, amounts);
}

int replay_nodes_tell(struct sim *sim, const struct conf *conf,
		      const char *nodes, char *err, size_t size)
{
	struct teller t = {
		.conf = conf, .sim = sim, .err = err, .size = size,
		.told = calloc(conf->spec->nflavors + 1, sizeof(*t.told)),
	};
	int rc = t.told ? 0 : -1;

	while (!rc && *nodes) {
		size_t len = strcspn(nodes, ";");

		rc = flavor_tell(&t, nodes, len);
		nodes += len + !!nodes[len];
	}
	trace_names_free(&t.names);
	free(t.told);
	return rc;
}
