/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amounts.c - amounts of the resources of a group, for good and for a time
 *
 *	nominalQuota: cpu=256,mem=2T		# or {cpu: 256, mem: 2T}
 *	temporaryQuota:
 *	  - {begin: 2026-12-01T08:00, end: 2026-12-15, nominalQuota: cpu=9}
 *	  - {begin: Fri 18:00, end: Mon 08:00, nominalQuota: {cpu: 0}}
 */
#include <stdlib.h>
#include <string.h>

#include "section/groups.h"
#include "value/tres.h"

/* In a file; they keep the engine from being slow */
#define TEMPORARY_MAX 1000

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

/* ---- temporaryQuota ---- */

/* One item, while it is read */
struct item {
	struct conf_temporary t;
	int64_t amounts[RESOURCES_MAX];
};

#define ITEM(member) IN(item, member)
#define GIVEN(member) .given = offsetof(struct item, member)

static const struct key item_keys[] = {
	{ "begin", value_moment, ITEM(t.begin), GIVEN(t.has_begin) },
	{ "end", value_moment, ITEM(t.end), GIVEN(t.has_end) },
	{ "nominalQuota", amounts_read, ITEM(amounts), .required = true },
	NO_KEY
};

static int times_check(struct value *v, const struct conf_temporary *t)
{
	struct node *begin = node_find(v->n, "begin");
	struct node *end = node_find(v->n, "end");
	const char *wrong = NULL;

	if (!begin && !end)
		return value_error(v, "has neither begin nor end: nominalQuota of the flavor is "
				   "for quota that always holds");
	if (!node_is_good(begin) || !node_is_good(end))
		return -1;
	if ((!begin && t->end.weekly) || (!end && t->begin.weekly))
		return value_error(v, "%s is missing: what holds each week needs both",
				   begin ? "end" : "begin");
	if (!begin || !end)
		return 0;
	if (t->begin.weekly != t->end.weekly)
		wrong = ": begin and end are both dates, or both days of the week";
	else if (t->begin.weekly && t->begin.seconds == t->end.seconds)
		wrong = " is when it begins, too";
	else if (!t->begin.weekly && t->begin.seconds >= t->end.seconds)
		wrong = " is not after begin";
	return wrong ? node_error(v->r, end, "%s%s", node_quote(end).text, wrong) : 0;
}

static void past_warn(struct value *v, const struct conf_temporary *t)
{
	const struct node *end = node_find(v->n, "end");

	if (end && !t->end.weekly && wall_time(t->end.seconds) <= time(NULL))
		node_warning(v->r, end, "is past: it has no effect any more");
}

/* first: of conf->temporaries, where those of the flavor begin */
static int temporary_add(struct value *v, const struct conf_temporary *t, size_t first)
{
	struct conf *conf = v->r->conf;
	struct conf_temporary *grown;

	for (size_t i = first; i < conf->ntemporaries; i++) {
		const struct conf_temporary *other = &conf->temporaries[i];

		if (other->resource == t->resource && temporary_overlap(t, other))
			return value_error(v, "has another amount of %s for a time that line %d "
					   "has, too", conf->spec->resources[t->resource],
					   other->line);
	}
	if (conf->ntemporaries == TEMPORARY_MAX)
		return value_error(v, "is one of more than %d amounts for a time", TEMPORARY_MAX);
	grown = realloc(conf->temporaries, (conf->ntemporaries + 1) * sizeof(*grown));
	if (!grown)
		return report_nomem(v->r->report);
	conf->temporaries = grown;
	grown[conf->ntemporaries++] = *t;
	return 0;
}

static int item_add(struct value *v, struct item *item, size_t first)
{
	const struct groups *g = v->r->groups;
	struct conf_temporary *t = &item->t;

	t->is_cohort = !g->queue;
	t->node = g->node;
	t->flavor = g->flavor;
	t->line = v->n->line;
	for (size_t i = 0; i < group_size(g); i++) {
		t->resource = g->covered[g->first + i];
		t->nominal = item->amounts[i];
		if (t->nominal != SPEC_NO_LIMIT && temporary_add(v, t, first) < 0)
			return -1;
	}
	return 0;
}

/* dest: the first of conf->temporaries that is of this flavor */
static int item_read(struct value *v)
{
	struct item item = { .amounts = { 0 } };
	int rc;

	amounts_clear(item.amounts);
	rc = keys_read(v->r, v->n, &item, item_keys);
	if (v->n->kind == NODE_MAP && times_check(v, &item.t) < 0)
		rc = -1;
	if (!rc && v->r->groups->flavor != SPEC_NONE)
		rc = item_add(v, &item, *(size_t *) v->dest);
	if (!rc)
		past_warn(v, &item.t);
	return rc;
}

int temporary_read(struct value *v)
{
	size_t first = v->r->conf->ntemporaries;

	return list_read(v, "a list of quotas for a time", item_read, &first);
}
