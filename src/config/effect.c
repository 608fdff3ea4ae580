/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * effect.c - fields that are understood but have no effect in this version
 *
 * They are read and checked like all others. Then they are refused, because
 * whoever sets one relies on it. A field that begins to have an effect loses
 * its row here, and nothing else changes.
 */
#include <string.h>

#include "effect.h"
#include "fields.h"

static const struct {
	const char *path;	/* without indexes */
	const char *neutral;	/* the value that asks for nothing */
} rows[] = {
	{ "unmanaged.preemption", "none" },
	{ "clusterQueues.maxPreemptions", "0" },
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

int effect_check(struct reader *r, const struct place *at, struct node *n)
{
	char path[128];
	size_t i = 0;

	place_format(at, false, path, sizeof(path));
	while (i < NROWS && strcmp(rows[i].path, path) != 0)
		i++;
	if (i == NROWS || !strcmp(n->text, rows[i].neutral))
		return 0;
	return field_error(r, at, n, "%s has no effect in this version (leave "
			   "it out, or %s)", n->text, rows[i].neutral);
}
