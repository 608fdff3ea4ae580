/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amounts.c - amounts of several resources, as a TRES string or a map
 *
 *	nominalQuota: cpu=256,mem=2T,gres/gpu=32
 *	nominalQuota: {cpu: 256, mem: 2T, gres/gpu: 32}
 */
#include <string.h>

#include "section/quotas.h"
#include "value/tres.h"

const char *group_resource(const struct reader *r, size_t i)
{
	const struct groups *g = r->groups;

	return r->conf->spec->resources[g->covered[g->first + i]];
}

void amounts_clear(int64_t *amounts)
{
	for (size_t i = 0; i < RESOURCES_MAX; i++)
		amounts[i] = SPEC_NO_LIMIT;
}

/* Takes one "name: value"; n is the node of the value. */
static int amount_take(struct reader *r, struct node *n, int64_t *amounts,
		       const char *name, const char *value)
{
	size_t size = group_size(r->groups), i = 0;
	char err[160];

	if (resource_check(name, err, sizeof(err)) < 0)
		return node_error(r, n, "%s %s", quote(name).text, err);
	while (i < size && strcmp(name, group_resource(r, i)) != 0)
		i++;
	if (i == size && !r->groups->certain)
		return -1;
	if (i == size)
		return node_error(r, n, "%s is not in coveredResources", name);
	if (amounts[i] != SPEC_NO_LIMIT)
		return node_error(r, n, "%s is there twice", name);
	amounts[i] = 0;
	if (amount_parse(name, value, &amounts[i], err, sizeof(err)) < 0)
		return node_error(r, n, "%s=%s %s", name, value, err);
	return 0;
}

static int tres_string_read(struct value *v)
{
	const char *cursor = v->n->text;
	char err[160];
	struct tres tres;
	int rc = 0, got;

	if (!*cursor)
		return value_error(v, "is empty");
	while ((got = tres_next(&cursor, &tres, err, sizeof(err)))) {
		if (got < 0)
			rc = value_error(v, "%s", err);
		else if (amount_take(v->r, v->n, v->dest, tres.name, tres.value) < 0)
			rc = -1;
	}
	return rc;
}

int amounts_read(struct value *v)
{
	int rc = 0;

	if (v->n->kind == NODE_LIST)
		return value_error(v, "a list is not a TRES string (\"cpu=4,mem=16G\" or {cpu: 4, "
				   "mem: 16G} would be right)");
	if (v->n->kind == NODE_SCALAR)
		return tres_string_read(v);
	for (size_t i = 0; i < node_length(v->n); i++) {
		struct value item = { v->r, node_item(v->n, i), NULL, NULL };
		const char *text = value_text(&item, "an amount");

		if (!text || amount_take(v->r, item.n, v->dest, item.n->at.key, text) < 0)
			rc = -1;
	}
	return rc;
}
