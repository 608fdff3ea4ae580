/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resource_groups.h - resource groups while they are read
 */
#ifndef COHORT_RESOURCE_GROUPS_H
#define COHORT_RESOURCE_GROUPS_H

#include "value/map.h"

struct spec_queue;
struct spec_quota;

/* The queue or cohort whose groups are read, and the current group */
struct groups {
	struct spec_queue *queue;	/* NULL for a cohort */
	int node;			/* its index in the spec */
	struct spec_quota **quotas;
	size_t *nquotas;
	int *covered;		/* resources of all groups, group by group */
	size_t *covered_by;	/* the group of each */
	const char **names;	/* the name of each */
	size_t ncovered;
	size_t first;		/* of covered: where the group begins */
	bool certain;		/* nothing is wrong in its coveredResources */
	int *flavors;		/* of the group */
	size_t nflavors;
};

static inline size_t group_size(const struct groups *g)
{
	return g->ncovered - g->first;
}

/* "flavors" of the current group; dest: a struct groups. Fills in the flavors
 * of the group and adds their quotas to those of the queue or cohort. Fits
 * .read. */
int flavor_quotas_read(struct reader *r, const struct place *at,
		       struct node *list, void *dest, const void *arg);

/* The flavor whose quotas for a time are read */
struct temporary_scope {
	const struct groups *groups;
	const int *flavor;	/* SPEC_NONE: its name is wrong */
	size_t first;		/* of conf->temporaries: where its own begin */
};

/* dest: a struct temporary_scope. Fits .read. */
int temporary_read(struct reader *r, const struct place *at,
		   struct node *list, void *dest, const void *arg);

#endif /* COHORT_RESOURCE_GROUPS_H */
