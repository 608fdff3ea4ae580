/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * effect.c - fields that are understood but have no effect in this version
 *
 * They are read and checked like all others. Then they are refused, because
 * whoever sets one relies on it. A field that begins to have an effect loses
 * its row here, and nothing else changes.
 */
#include <string.h>

#include "duration.h"
#include "effect.h"
#include "fields.h"

static const struct {
	const char *path;	/* without indexes */
	const char *neutral;	/* the value that asks for nothing, if any */
} rows[] = {
	{ "fairSharing.enable", "false" },
	{ "fairSharing.preemptionStrategies", NULL },
	{ "minRuntime.preempt", "0" },
	{ "minRuntime.reclaim", "0" },
	{ "minRuntime.resolve", "lca" },
	{ "unmanaged.preemption", "none" },
	{ "cohorts.fairSharing.weight", NULL },
	{ "cohorts.preemptMinRuntime", "0" },
	{ "cohorts.reclaimMinRuntime", "0" },
	{ "clusterQueues.fairSharing.weight", NULL },
	{ "clusterQueues.preemption.withinClusterQueueConfig.minAdmitDuration",
	  NULL },
	{ "clusterQueues.preemptMinRuntime", "0" },
	{ "clusterQueues.reclaimMinRuntime", "0" },
	{ "clusterQueues.maxPreemptions", "0" },
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

/* Zero may be spelled as any time: 0s, 00:00 */
static bool value_neutral(const struct node *n, const char *neutral)
{
	char err[128];
	int64_t ns;

	if (!neutral || n->kind != NODE_SCALAR)
		return false;
	if (!strcasecmp(n->text, neutral))
		return true;
	return !strcmp(neutral, "0") &&
	       !duration_parse(n->text, &ns, err, sizeof(err)) && !ns;
}

int effect_check(struct reader *r, const struct place *at, struct node *n)
{
	char path[128];
	size_t i = 0;

	place_format(at, false, path, sizeof(path));
	while (i < NROWS && strcmp(rows[i].path, path) != 0)
		i++;
	if (i == NROWS || value_neutral(n, rows[i].neutral))
		return 0;
	if (!rows[i].neutral)
		return field_error(r, at, n, "has no effect in this version "
				   "(leave it out)");
	return field_error(r, at, n, "%s has no effect in this version (leave "
			   "it out, or %s)", n->text, rows[i].neutral);
}
