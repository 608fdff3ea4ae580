/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.h - resource groups of a queue or cohort, while they are read
 */
#ifndef COHORT_GROUPS_H
#define COHORT_GROUPS_H

#include "section/sections.h"

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

static inline size_t group_size(const struct groups *g)
{
	return g->ncovered - g->first;
}

/* The name of resource i of the current group */
const char *group_resource(const struct reader *r, size_t i);

/* A read_f; dest: int64_t by resource of the group, which amounts_clear() makes ready */
int amounts_read(struct value *v);
void amounts_clear(int64_t *amounts);

/* A read_f for temporaryQuota; dest is not used. */
int temporary_read(struct value *v);

#endif /* COHORT_GROUPS_H */
