/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * temporary.c - quota for a time
 *
 *	temporaryQuota:
 *	  - {begin: 2026-12-01T08:00, end: 2026-12-15, nominalQuota: gres/gpu=24}
 *	  - {begin: Fri 18:00, end: Mon 08:00, nominalQuota: {gres/gpu: 0}}
 */
#include <stdlib.h>
#include <string.h>

#include "section/resource_groups.h"
#include "section/sections.h"
#include "value/amounts.h"
#include "value/moment.h"

/* In a file; they keep the books from being slow */
#define TEMPORARY_MAX 1000

/* One item, while it is read */
struct item {
	struct wall begin, end;
	struct amounts amounts;
};

static const struct field item_fields[] = {
	{ .key = "begin", .read = value_moment,
	  .offset = offsetof(struct item, begin) },
	{ .key = "end", .read = value_moment,
	  .offset = offsetof(struct item, end) },
	{ .key = "nominalQuota", .read = amounts_read, .required = true,
	  .offset = offsetof(struct item, amounts) },
	{ .key = NULL }
};

/* ---- times ---- */

static int times_check(struct reader *r, const struct place *at,
		       struct node *map, const struct item *item)
{
	const struct place here = { .up = at, .key = "end" };
	struct node *begin = node_find(map, "begin");
	struct node *end = node_find(map, "end");

	if (!begin && !end)
		return field_error(r, at, map, "has neither begin nor end: "
				   "nominalQuota of the flavor is for quota "
				   "that always holds");
	if ((begin && begin->bad) || (end && end->bad))
		return -1;
	if (begin && end && item->begin.weekly != item->end.weekly)
		return field_error(r, &here, end, "%s: begin and end are both "
				   "dates, or both days of the week",
				   node_quote(end).text);
	if (!begin || !end) {
		if (begin ? item->begin.weekly : item->end.weekly)
			return field_error(r, at, map, "%s is missing: what "
					   "holds each week needs both",
					   begin ? "end" : "begin");
		return 0;
	}
	if (item->begin.weekly && item->begin.seconds == item->end.seconds)
		return field_error(r, &here, end, "%s is when it begins, too",
				   node_quote(end).text);
	if (!item->begin.weekly && item->begin.seconds >= item->end.seconds)
		return field_error(r, &here, end, "%s is not after begin",
				   node_quote(end).text);
	return 0;
}

static void past_warn(struct reader *r, const struct place *at,
		      const struct node *map, const struct item *item)
{
	const struct place here = { .up = at, .key = "end" };
	const struct node *end = node_find(map, "end");

	if (end && !item->end.weekly
	    && wall_time(item->end.seconds) <= time(NULL))
		report_warning(r->report, &here, end->line, "is past: it has "
			       "no effect any more");
}

/* Is the begin of b in a, on the ring of the week? */
static bool begins_in(const struct conf_temporary *a,
		      const struct conf_temporary *b)
{
	int64_t after = b->begin.seconds - a->begin.seconds;

	return (after < 0 ? after + WALL_WEEK : after) < temporary_week_length(a);
}

static bool times_overlap(const struct conf_temporary *a,
			  const struct conf_temporary *b)
{
	int64_t from[2], until[2];

	if (a->begin.weekly != b->begin.weekly)
		return false;	/* the date holds */
	if (a->begin.weekly)
		return begins_in(a, b) || begins_in(b, a);
	temporary_times(a, &from[0], &until[0]);
	temporary_times(b, &from[1], &until[1]);
	return from[0] < until[1] && from[1] < until[0];
}

/* ---- items ---- */

static int overlap_check(struct reader *r, const struct place *at,
			 struct node *map, const struct conf_temporary *t,
			 const struct temporary_scope *scope)
{
	for (size_t i = scope->first; i < r->conf->ntemporaries; i++) {
		const struct conf_temporary *other = &r->conf->temporaries[i];

		if (other->resource != t->resource
		    || !times_overlap(t, other))
			continue;
		return field_error(r, at, map, "has another amount of %s for "
				   "a time that line %d has, too",
				   r->conf->spec->resources[t->resource],
				   other->line);
	}
	return 0;
}

static int temporary_add(struct reader *r, const struct place *at,
			 struct node *map, const struct conf_temporary *t,
			 const struct temporary_scope *scope)
{
	struct conf *conf = r->conf;
	struct conf_temporary *grown;

	if (overlap_check(r, at, map, t, scope) < 0)
		return -1;
	if (conf->ntemporaries == TEMPORARY_MAX)
		return field_error(r, at, map, "is one of more than %d amounts "
				   "for a time", TEMPORARY_MAX);
	grown = realloc(conf->temporaries,
			(conf->ntemporaries + 1) * sizeof(*grown));
	if (!grown)
		return report_nomem(r->report);
	conf->temporaries = grown;
	grown[conf->ntemporaries++] = *t;
	return 0;
}

static int amounts_add(struct reader *r, const struct place *at,
		       struct node *map, const struct item *item,
		       const struct temporary_scope *scope)
{
	const struct groups *g = scope->groups;
	struct conf_temporary t = {
		.is_cohort = !g->queue, .node = g->node,
		.flavor = *scope->flavor, .line = map->line,
		.has_begin = node_find(map, "begin") != NULL,
		.has_end = node_find(map, "end") != NULL,
		.begin = item->begin, .end = item->end,
	};

	for (size_t i = 0; i < item->amounts.n; i++) {
		t.resource = g->covered[g->first + i];
		t.nominal = item->amounts.of[i];
		if (t.nominal != SPEC_NO_LIMIT
		    && temporary_add(r, at, map, &t, scope) < 0)
			return -1;
	}
	return 0;
}

/* dest: a struct temporary_scope */
static int item_read(struct reader *r, const struct place *at, struct node *n,
		     void *dest, const void *arg)
{
	const struct temporary_scope *scope = dest;
	const struct groups *g = scope->groups;
	size_t size = group_size(g);
	int64_t *all = malloc((size + 1) * sizeof(*all));
	struct item item = { .amounts = {
		.names = size ? g->names + g->first : NULL, .n = size,
		.open = !g->certain, .of = all,
	} };
	int rc;

	(void) arg;
	if (!all)
		return report_nomem(r->report);
	for (size_t i = 0; i < size; i++)
		all[i] = SPEC_NO_LIMIT;
	rc = map_read(r, at, n, &item, item_fields);
	if (n->kind == NODE_MAP && times_check(r, at, n, &item) < 0)
		rc = -1;
	if (!rc && *scope->flavor != SPEC_NONE)
		rc = amounts_add(r, at, n, &item, scope);
	if (!rc)
		past_warn(r, at, n, &item);
	free(all);
	return rc;
}

int temporary_read(struct reader *r, const struct place *at,
		   struct node *list, void *dest, const void *arg)
{
	struct temporary_scope *scope = dest;

	scope->first = r->conf->ntemporaries;
	return list_read(r, at, list, "a list of quotas for a time", item_read,
			 scope, arg);
}
