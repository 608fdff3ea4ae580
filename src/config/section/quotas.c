/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quotas.c - resource groups of cluster queues and cohorts
 *
 *	resourceGroups:
 *	  - coveredResources: [cpu, mem, gres/gpu]
 *	    flavors:			# in order of preference
 *	      - name: a100
 *	        nominalQuota: cpu=256,mem=2T,gres/gpu=32
 *	        borrowingLimit: {gres/gpu: 16}
 *	        lendingLimit: gres/gpu=24
 *	        temporaryQuota:
 *	          - {begin: 2026-12-01T08:00, end: 2026-12-15, nominalQuota: cpu=9}
 *	          - {begin: Fri 18:00, end: Mon 08:00, nominalQuota: {cpu: 0}}
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"
#include "value/tres.h"

/* In a file; they keep the engine from being slow */
#define TEMPORARY_MAX 1000

enum quota_kind { NOMINAL, BORROWING, LENDING, QUOTA_KINDS };

/* r->groups: the queue or cohort, the current group, and the current flavor in
 * it. Amounts are by the resources of the group, SPEC_NO_LIMIT where none was
 * given. */
struct groups {
	struct spec_queue *queue;	/* NULL for a cohort */
	int node;			/* its index in the spec */
	struct spec_quota **quotas;
	size_t *nquotas;
	int covered[RESOURCES_MAX];	/* of all groups, group by group */
	size_t covered_by[RESOURCES_MAX];	/* the group of each */
	size_t ncovered;
	size_t group;
	size_t first;		/* of covered: where the group begins */
	bool certain;		/* nothing is wrong in its coveredResources */
	int *flavors;		/* of the group */
	size_t nflavors;
	int flavor;		/* SPEC_NONE: its name is wrong */
	int64_t amounts[QUOTA_KINDS][RESOURCES_MAX];
};

static size_t group_size(const struct groups *g)
{
	return g->ncovered - g->first;
}

static const char *group_resource(const struct reader *r, size_t i)
{
	const struct groups *g = r->groups;

	return r->conf->spec->resources[g->covered[g->first + i]];
}

static void amounts_clear(int64_t *amounts)
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

/* dest: int64_t by resource of the group, which amounts_clear() makes ready */
static int amounts_read(struct value *v)
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

static int temporary_read(struct value *v)
{
	size_t first = v->r->conf->ntemporaries;

	return list_read(v, "a list of quotas for a time", item_read, &first);
}

/* ---- coveredResources ---- */

static int covered_read(struct value *v)
{
	struct spec *spec = v->r->conf->spec;
	struct groups *g = v->r->groups;
	const char *name = value_text(v, "a resource");
	char err[160];
	int resource;

	if (!name)
		return -1;
	if (resource_check(name, err, sizeof(err)) < 0)
		return value_error(v, "%s %s", quote(name).text, err);
	if (spec->nresources >= RESOURCES_MAX && spec_find_resource(spec, name) == SPEC_NONE)
		return value_error(v, "more than %d resources", RESOURCES_MAX);
	resource = spec_resource(spec, name);
	if (resource < 0)
		return report_nomem(v->r->report);
	for (size_t i = 0; i < g->ncovered; i++) {
		if (g->covered[i] != resource)
			continue;
		if (g->covered_by[i] == g->group)
			return value_error(v, "%s is there twice", name);
		return value_error(v, "%s is in two groups (first in resourceGroups[%zu])", name,
				   g->covered_by[i]);
	}
	g->covered[g->ncovered] = resource;
	g->covered_by[g->ncovered++] = g->group;
	return 0;
}

static int covered_list_read(struct value *v)
{
	if (list_read(v, "a list of resources like [cpu, mem]", covered_read, NULL) < 0)
		return -1;
	v->r->groups->certain = true;
	return 0;
}

/* ---- flavors ---- */

static int limit_read(struct value *v)
{
	int rc = amounts_read(v);

	if (!v->r->has_parent)
		rc = value_error(v, "a limit needs a cohort to borrow from and lend to (there is "
				 "none above)");
	return rc;
}

#define GROUPS(member) IN(groups, member)

static const struct key flavor_keys[] = {
	{ "name", value_flavor, GROUPS(flavor), .required = true },
	{ "nominalQuota", amounts_read, GROUPS(amounts[NOMINAL]), .required = true },
	{ "borrowingLimit", limit_read, GROUPS(amounts[BORROWING]) },
	{ "lendingLimit", limit_read, GROUPS(amounts[LENDING]) },
	{ "temporaryQuota", .read = temporary_read },
	NO_KEY
};

static int flavor_once(struct value *v)
{
	struct groups *g = v->r->groups;

	if (g->flavor == SPEC_NONE)
		return -1;
	for (size_t i = 0; i < g->nflavors; i++)
		if (g->flavors[i] == g->flavor)
			return node_error(v->r, node_find(v->n, "name"), "%s is in the group twice",
					  v->r->conf->spec->flavors[g->flavor]);
	g->flavors[g->nflavors++] = g->flavor;
	return 0;
}

/* Every covered resource needs a nominal quota. */
static int nominal_check(struct value *v)
{
	struct node *n = node_find(v->n, "nominalQuota");
	const struct groups *g = v->r->groups;
	char missing[256] = "";
	size_t used = 0;

	if (!n || n->bad)
		return -1;
	for (size_t i = 0; i < group_size(g) && used < sizeof(missing); i++)
		if (g->amounts[NOMINAL][i] == SPEC_NO_LIMIT)
			used += snprintf(missing + used, sizeof(missing) - used, "%s%s",
					 used ? ", " : "", group_resource(v->r, i));
	if (!used)
		return 0;
	return node_error(v->r, n, "no amount of %s, which coveredResources names (0 would do)",
			  missing);
}

/* A queue cannot lend more than it has; a cohort can, from its members. */
static int lending_check(struct value *v)
{
	const struct groups *g = v->r->groups;
	int rc = 0;

	for (size_t i = 0; g->queue && i < group_size(g); i++) {
		const char *name = group_resource(v->r, i);
		int64_t nominal = g->amounts[NOMINAL][i];
		int64_t lending = g->amounts[LENDING][i];
		char amount[32], most[32];

		if (nominal == SPEC_NO_LIMIT || lending <= nominal)
			continue;
		amount_format(name, lending, amount, sizeof(amount));
		amount_format(name, nominal, most, sizeof(most));
		rc = node_error(v->r, node_find(v->n, "lendingLimit"),
				"%s=%s is over the nominal quota of %s", name, amount, most);
	}
	return rc;
}

static int quotas_add(struct reader *r, const struct groups *g)
{
	for (size_t i = 0; i < group_size(g); i++) {
		struct spec_quota *quota;

		quota = spec_add_quota(g->quotas, g->nquotas, g->flavor, g->covered[g->first + i],
				       g->amounts[NOMINAL][i]);
		if (!quota)
			return report_nomem(r->report);
		quota->borrowing_limit = g->amounts[BORROWING][i];
		quota->lending_limit = g->amounts[LENDING][i];
	}
	return 0;
}

static int flavor_read(struct value *v)
{
	struct groups *g = v->r->groups;
	int rc;

	g->flavor = SPEC_NONE;
	for (size_t kind = 0; kind < QUOTA_KINDS; kind++)
		amounts_clear(g->amounts[kind]);
	rc = keys_read(v->r, v->n, g, flavor_keys);
	if (v->n->kind != NODE_MAP)
		return -1;
	if (flavor_once(v) < 0)
		rc = -1;
	if (nominal_check(v) < 0)
		rc = -1;
	if (lending_check(v) < 0)
		rc = -1;
	return rc < 0 ? rc : quotas_add(v->r, g);
}

static int flavors_of_group_read(struct value *v)
{
	struct groups *g = v->r->groups;

	g->flavors = calloc(v->n->nitems + 1, sizeof(*g->flavors));
	if (!g->flavors)
		return report_nomem(v->r->report);
	return list_read(v, "a list of flavors with their quotas", flavor_read, NULL);
}

/* ---- groups ---- */

static const struct key group_keys[] = {
	{ "coveredResources", .read = covered_list_read, .min = 1, .required = true },
	{ "flavors", .read = flavors_of_group_read, .min = 1, .required = true },
	NO_KEY
};

/* Appends the current group to the queue's groups, which take over its flavors. */
static int group_publish(struct reader *r, struct groups *g)
{
	struct spec_queue *queue = g->queue;
	struct spec_group *groups, *group;
	size_t bytes = group_size(g) * sizeof(int);

	groups = realloc(queue->groups, (queue->ngroups + 1) * sizeof(*groups));
	if (!groups)
		return report_nomem(r->report);
	queue->groups = groups;
	group = &groups[queue->ngroups];
	group->resources = malloc(bytes);
	if (!group->resources)
		return report_nomem(r->report);
	memcpy(group->resources, g->covered + g->first, bytes);
	group->nresources = group_size(g);
	group->flavors = g->flavors;
	group->nflavors = g->nflavors;
	queue->ngroups++;
	g->flavors = NULL;
	return 0;
}

static int group_read(struct value *v)
{
	struct groups *g = v->r->groups;
	int rc;

	g->group = v->n->at.index;
	g->first = g->ncovered;
	g->certain = false;
	g->nflavors = 0;
	rc = keys_read(v->r, v->n, g, group_keys);
	if (!rc && g->queue)
		rc = group_publish(v->r, g);
	free(g->flavors);
	g->flavors = NULL;
	return rc;
}

static int groups_read(struct value *v, struct groups *g)
{
	v->r->groups = g;
	return list_read(v, "a list of resource groups", group_read, NULL);
}

int queue_groups_read(struct value *v)
{
	struct spec_queue *queue = v->dest;

	return groups_read(v, &(struct groups) {
		.queue = queue, .node = (int) (queue - v->r->conf->spec->queues),
		.quotas = &queue->quotas, .nquotas = &queue->nquotas, });
}

int cohort_groups_read(struct value *v)
{
	struct spec_cohort *cohort = v->dest;

	return groups_read(v, &(struct groups) {
		.node = (int) (cohort - v->r->conf->spec->cohorts),
		.quotas = &cohort->quotas, .nquotas = &cohort->nquotas, });
}
