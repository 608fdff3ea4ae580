/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - scohort status --names: what there is, for completion by a shell
 *
 * slurmctld is not asked: a shell completes as somebody types.
 */
#include <limits.h>
#include <stdio.h>

#include "input/json_members.h"
#include "ledger/published.h"
#include "output/output.h"
#include "status/names.h"

static void list_print(struct json_object *o, const char *list,
		       const char *member, const char *kind)
{
	for (size_t i = 0; i < json_items(o, list); i++)
		printf("%s %s\n", kind,
		       json_text(json_item(o, list, i), member));
}

static void document_print(struct json_object *document)
{
	list_print(document, "cohorts", "name", "cohort");
	list_print(document, "clusterQueues", "name", "queue");
	list_print(document, "flavors", "name", "flavor");
	for (size_t i = 0; i < json_items(document, "clusterQueues"); i++)
		list_print(json_item(document, "clusterQueues", i), "quota",
			   "resource", "resource");
}

int names_print(const char *command)
{
	char err[PATH_MAX + 256];
	struct published p;
	int status = published_open_alone(&p, err, sizeof(err));

	if (status)
		stderr_line("%s: %s", command, err);
	else
		document_print(p.document);
	published_close(&p);
	return status;
}
