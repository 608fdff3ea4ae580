/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * temporary.c - quota for a time
 *
 *	temporaryQuota:
 *	  - {begin: 2026-12-01T08:00, end: 2026-12-15, nominalQuota: gres/gpu=24}
 *	  - {begin: Fri 18:00, end: Mon 08:00, nominalQuota: {gres/gpu: 0}}
 */
#include <stdlib.h>

#include "section/quotas.h"
#include "value/moment.h"

/* In a file; they keep the engine from being slow */
#define TEMPORARY_MAX 1000

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

/* ---- times ---- */

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

/* first: of conf->temporaries, where those of the flavor begin */
static int temporary_add(struct value *v, const struct conf_temporary *t, size_t first)
{
	struct conf *conf = v->r->conf;
	struct conf_temporary *grown;

	for (size_t i = first; i < conf->ntemporaries; i++) {
		const struct conf_temporary *other = &conf->temporaries[i];

		if (other->resource == t->resource && times_overlap(t, other))
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
