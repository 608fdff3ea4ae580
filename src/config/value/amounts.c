/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amounts.c - amounts of several resources, as a TRES string or a map
 *
 *	nominalQuota: cpu=256,mem=2T,gres/gpu=32
 *	nominalQuota: {cpu: 256, mem: 2T, gres/gpu: 32}
 */
#include <string.h>

#include "spec.h"
#include "value/amounts.h"
#include "value/scalar.h"
#include "value/tres.h"

/* Takes one "name: value"; n is the node of the value. */
static int amount_take(struct reader *r, const struct place *at,
		       struct node *n, struct amounts *a,
		       const char *name, const char *value)
{
	int64_t *amount = NULL;
	char err[160];

	if (resource_check(name, err, sizeof(err)) < 0)
		return field_error(r, at, n, "%s %s", quote(name).text, err);
	for (size_t i = 0; i < a->n; i++)
		if (!strcmp(name, a->names[i]))
			amount = &a->of[i];
	if (!amount && a->open)
		return -1;
	if (!amount)
		return field_error(r, at, n, "%s is not in coveredResources",
				   name);
	if (*amount != SPEC_NO_LIMIT)
		return field_error(r, at, n, "%s is there twice", name);
	*amount = 0;
	if (amount_parse(name, value, amount, err, sizeof(err)) < 0)
		return field_error(r, at, n, "%s=%s %s", name, value, err);
	return 0;
}

static int tres_string_read(struct reader *r, const struct place *at,
			    struct node *n, struct amounts *a)
{
	const char *cursor = n->text;
	char err[160];
	struct tres tres;
	int rc = 0, got;

	if (!*cursor)
		return field_error(r, at, n, "is empty");
	while ((got = tres_next(&cursor, &tres, err, sizeof(err)))) {
		if (got < 0)
			rc = field_error(r, at, n, "%s", err);
		else if (amount_take(r, at, n, a, tres.name,
				     tres.value) < 0)
			rc = -1;
	}
	return rc;
}

static int tres_map_read(struct reader *r, const struct place *at,
			 struct node *map, struct amounts *a)
{
	int rc = 0;

	for (size_t i = 0; i < map->nitems; i += 2) {
		const char *key = map->items[i]->text;
		struct place here = { .up = at, .key = key };
		struct node *value = map->items[i + 1];
		const char *text = value_text(r, &here, value, "an amount");

		if (!text || amount_take(r, &here, value, a, key,
					 text) < 0)
			rc = -1;
	}
	return rc;
}

int amounts_read(struct reader *r, const struct place *at, struct node *n,
		 void *dest, const void *arg)
{
	(void) arg;
	if (n->kind == NODE_LIST)
		return field_error(r, at, n, "a list is not a TRES string "
				   "(\"cpu=4,mem=16G\" or {cpu: 4, mem: 16G} "
				   "would be right)");
	if (n->kind == NODE_MAP)
		return tres_map_read(r, at, n, dest);
	return tres_string_read(r, at, n, dest);
}
