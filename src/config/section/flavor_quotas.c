/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavor_quotas.c - the quotas of the flavors of a resource group
 */
#include <stdio.h>
#include <stdlib.h>

#include "section/resource_groups.h"
#include "section/sections.h"
#include "value/amounts.h"
#include "value/scalar.h"
#include "value/tres.h"

enum kind { NOMINAL, BORROWING, LENDING, KINDS };

/* The quotas of one flavor in the group's resources */
struct flavor_quota {
	struct groups *g;
	int flavor;
	struct amounts amounts[KINDS];
	struct temporary_scope temporary;
};

static const struct reference flavor_reference = {
	.table = offsetof(struct reader, flavors), .section = "flavors"
};

static int limit_read(struct reader *r, const struct place *at,
		      struct node *n, void *dest, const void *arg)
{
	int rc = amounts_read(r, at, n, dest, arg);

	if (!r->has_parent)
		rc = field_error(r, at, n, "a limit needs a cohort to borrow "
				 "from and lend to (there is none above)");
	return rc;
}

static const struct field flavor_fields[] = {
	{ .key = "name", .read = value_reference, .arg = &flavor_reference,
	  .offset = offsetof(struct flavor_quota, flavor), .required = true },
	{ .key = "nominalQuota", .read = amounts_read, .required = true,
	  .offset = offsetof(struct flavor_quota, amounts[NOMINAL]) },
	{ .key = "borrowingLimit", .read = limit_read,
	  .offset = offsetof(struct flavor_quota, amounts[BORROWING]) },
	{ .key = "lendingLimit", .read = limit_read,
	  .offset = offsetof(struct flavor_quota, amounts[LENDING]) },
	{ .key = "temporaryQuota", .read = temporary_read,
	  .offset = offsetof(struct flavor_quota, temporary) },
	{ .key = NULL }
};

static int flavor_once(struct reader *r, const struct place *at,
		       struct node *n, const struct flavor_quota *q)
{
	const struct place here = { .up = at, .key = "name" };
	struct groups *g = q->g;

	if (q->flavor == SPEC_NONE)
		return -1;
	for (size_t i = 0; i < g->nflavors; i++)
		if (g->flavors[i] == q->flavor)
			return field_error(r, &here, node_find(n, "name"),
					   "%s is in the group twice",
					   r->conf->spec->flavors[q->flavor]);
	g->flavors[g->nflavors++] = q->flavor;
	return 0;
}

/* Every covered resource needs a nominal quota. */
static int nominal_check(struct reader *r, const struct place *at,
			 struct node *n, const struct flavor_quota *q)
{
	const struct place here = { .up = at, .key = "nominalQuota" };
	const struct amounts *nominal = &q->amounts[NOMINAL];
	char missing[256] = "";
	size_t used = 0;

	if (!map_has_good(n, here.key))
		return -1;
	for (size_t i = 0; i < nominal->n && used < sizeof(missing); i++)
		if (nominal->of[i] == SPEC_NO_LIMIT)
			used += snprintf(missing + used,
					 sizeof(missing) - used, "%s%s",
					 used ? ", " : "", nominal->names[i]);
	if (!used)
		return 0;
	return field_error(r, &here, node_find(n, here.key), "no amount of "
			   "%s, which coveredResources names (0 would do)",
			   missing);
}

/* A queue cannot lend more than it has; a cohort can, from its members. */
static int lending_check(struct reader *r, const struct place *at,
			 struct node *n, const struct flavor_quota *q)
{
	const struct place here = { .up = at, .key = "lendingLimit" };
	const struct amounts *lending = &q->amounts[LENDING];
	const struct amounts *nominal = &q->amounts[NOMINAL];
	char amount[32], most[32];
	int rc = 0;

	for (size_t i = 0; q->g->queue && i < lending->n; i++) {
		const char *name = lending->names[i];

		if (nominal->of[i] == SPEC_NO_LIMIT ||
		    lending->of[i] <= nominal->of[i])
			continue;
		amount_format(name, lending->of[i], amount, sizeof(amount));
		amount_format(name, nominal->of[i], most, sizeof(most));
		rc = field_error(r, &here, node_find(n, here.key), "%s=%s is "
				 "over the nominal quota of %s", name, amount,
				 most);
	}
	return rc;
}

static int quotas_add(struct reader *r, const struct flavor_quota *q)
{
	struct groups *g = q->g;

	for (size_t i = 0; i < group_size(g); i++) {
		struct spec_quota *quota;

		quota = spec_add_quota(g->quotas, g->nquotas, q->flavor,
				       g->covered[g->first + i],
				       q->amounts[NOMINAL].of[i]);
		if (!quota)
			return report_nomem(r->report);
		quota->borrowing_limit = q->amounts[BORROWING].of[i];
		quota->lending_limit = q->amounts[LENDING].of[i];
	}
	return 0;
}

static int flavor_check(struct reader *r, const struct place *at,
			struct node *n, const struct flavor_quota *q)
{
	int rc = 0;

	if (flavor_once(r, at, n, q) < 0)
		rc = -1;
	if (nominal_check(r, at, n, q) < 0)
		rc = -1;
	if (lending_check(r, at, n, q) < 0)
		rc = -1;
	return rc;
}

/* dest: struct groups with room for one more flavor */
static int flavor_read(struct reader *r, const struct place *at,
		       struct node *n, void *dest, const void *arg)
{
	struct groups *g = dest;
	struct flavor_quota q = { .g = g, .flavor = SPEC_NONE };
	size_t size = group_size(g);
	int64_t *all = malloc((KINDS * size + 1) * sizeof(*all));
	int rc;

	(void) arg;
	q.temporary.groups = g;
	q.temporary.flavor = &q.flavor;
	if (!all)
		return report_nomem(r->report);
	for (size_t i = 0; i < KINDS * size; i++)
		all[i] = SPEC_NO_LIMIT;
	for (size_t kind = 0; kind < KINDS; kind++)
		q.amounts[kind] = (struct amounts) {
			.names = size ? g->names + g->first : NULL, .n = size,
			.open = !g->certain, .of = all + kind * size,
		};
	rc = map_read(r, at, n, &q, flavor_fields);
	if (n->kind == NODE_MAP && flavor_check(r, at, n, &q) < 0)
		rc = -1;
	if (!rc)
		rc = quotas_add(r, &q);
	free(all);
	return rc;
}

int flavor_quotas_read(struct reader *r, const struct place *at,
		       struct node *list, void *dest, const void *arg)
{
	struct groups *g = dest;

	if (list->kind == NODE_LIST && !list->nitems)
		return field_error(r, at, list, "is empty");
	free(g->flavors);
	g->nflavors = 0;
	g->flavors = calloc(list->nitems + 1, sizeof(*g->flavors));
	if (!g->flavors)
		return report_nomem(r->report);
	return list_read(r, at, list, "a list of flavors with their quotas",
			 flavor_read, g, arg);
}
