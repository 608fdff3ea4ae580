/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec.c - building, checking and freeing a spec
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"

static int errprintf(char *err, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int errprintf(char *err, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (size)
		vsnprintf(err, size, fmt, ap);
	va_end(ap);
	return -1;
}

static void group_free(struct spec_group *group)
{
	free(group->resources);
	free(group->flavors);
}

static void queue_free(struct spec_queue *queue)
{
	for (size_t i = 0; i < queue->ngroups; i++)
		group_free(&queue->groups[i]);
	free(queue->groups);
	free(queue->quotas);
	free(queue->name);
}

static void names_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

struct spec *spec_create(void)
{
	struct spec *spec = calloc(1, sizeof(*spec));

	if (!spec)
		return NULL;
	spec->strategies[0] = FAIR_LESS_OR_EQUAL_FINAL;
	spec->strategies[1] = FAIR_LESS_INITIAL;
	spec->history.k = 1;
	spec->history.margin = 0.25;
	spec->history.sampling = 300 * SPEC_SEC;
	return spec;
}

void spec_destroy(struct spec *spec)
{
	int saved_errno = errno;

	if (!spec)
		return;
	for (size_t i = 0; i < spec->ncohorts; i++) {
		free(spec->cohorts[i].name);
		free(spec->cohorts[i].quotas);
	}
	for (size_t i = 0; i < spec->nqueues; i++)
		queue_free(&spec->queues[i]);
	free(spec->cohorts);
	free(spec->queues);
	free(spec->history.weights);
	free(spec->periods);
	names_free(spec->flavors, spec->nflavors);
	names_free(spec->resources, spec->nresources);
	free(spec);
	errno = saved_errno;
}

static int name_find(char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(names[i], name))
			return i;
	}
	return SPEC_NONE;
}

/* Makes room for one more record of `size` bytes behind the n that are there;
 * the array grows at powers of two. */
static void *array_grow(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	return realloc(array, (n ? 2 * n : 1) * size);
}

static int name_add(char ***names, size_t *n, const char *name)
{
	int index = name_find(*names, *n, name);
	char **grown;
	char *copy;

	if (index != SPEC_NONE)
		return index;
	grown = array_grow(*names, *n, sizeof(**names));
	if (!grown)
		return -1;
	*names = grown;
	copy = strdup(name);
	if (!copy)
		return -1;
	(*names)[*n] = copy;
	return (*n)++;
}

int spec_flavor(struct spec *spec, const char *name)
{
	return name_add(&spec->flavors, &spec->nflavors, name);
}

int spec_resource(struct spec *spec, const char *name)
{
	return name_add(&spec->resources, &spec->nresources, name);
}

int spec_find_flavor(const struct spec *spec, const char *name)
{
	return name_find(spec->flavors, spec->nflavors, name);
}

int spec_find_resource(const struct spec *spec, const char *name)
{
	return name_find(spec->resources, spec->nresources, name);
}

int spec_find_cohort(const struct spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->ncohorts; i++) {
		if (!strcmp(spec->cohorts[i].name, name))
			return i;
	}
	return SPEC_NONE;
}

int spec_find_queue(const struct spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->nqueues; i++) {
		if (!strcmp(spec->queues[i].name, name))
			return i;
	}
	return SPEC_NONE;
}

struct spec_cohort *spec_add_cohort(struct spec *spec, const char *name)
{
	struct spec_cohort *grown, *cohort;
	char *copy;

	grown = array_grow(spec->cohorts, spec->ncohorts, sizeof(*grown));
	if (!grown)
		return NULL;
	spec->cohorts = grown;
	copy = strdup(name);
	if (!copy)
		return NULL;
	cohort = &grown[spec->ncohorts++];
	*cohort = (struct spec_cohort) {
		.name = copy,
		.parent = SPEC_NONE,
		.weight = 1,
		.preempt_min_runtime = SPEC_NO_TIME,
		.reclaim_min_runtime = SPEC_NO_TIME,
	};
	return cohort;
}

struct spec_queue *spec_add_queue(struct spec *spec, const char *name)
{
	struct spec_queue *grown, *queue;
	char *copy;

	grown = array_grow(spec->queues, spec->nqueues, sizeof(*grown));
	if (!grown)
		return NULL;
	spec->queues = grown;
	copy = strdup(name);
	if (!copy)
		return NULL;
	queue = &grown[spec->nqueues++];
	*queue = (struct spec_queue) {
		.name = copy,
		.cohort = SPEC_NONE,
		.weight = 1,
		.min_admit = SPEC_NO_TIME,
		.preempt_min_runtime = SPEC_NO_TIME,
		.reclaim_min_runtime = SPEC_NO_TIME,
		.when_can_preempt = FUNGIBILITY_TRY_NEXT,
	};
	return queue;
}

struct spec_quota *spec_add_quota(struct spec_quota **quotas, size_t *n,
				  int flavor, int resource, int64_t nominal)
{
	struct spec_quota *grown = array_grow(*quotas, *n, sizeof(*grown));
	struct spec_quota *quota;

	if (!grown)
		return NULL;
	*quotas = grown;
	quota = &grown[(*n)++];
	*quota = (struct spec_quota) {
		.flavor = flavor,
		.resource = resource,
		.nominal = nominal,
		.borrowing_limit = SPEC_NO_LIMIT,
		.lending_limit = SPEC_NO_LIMIT,
	};
	return quota;
}

int spec_add_period(struct spec *spec, const struct spec_period *period)
{
	struct spec_period *grown = array_grow(spec->periods, spec->nperiods,
					       sizeof(*grown));

	if (!grown)
		return -1;
	spec->periods = grown;
	grown[spec->nperiods++] = *period;
	return 0;
}

static bool in_range(int index, size_t n)
{
	return index >= 0 && (size_t) index < n;
}

static int quotas_check(const struct spec *spec, const char *name,
			const struct spec_quota *quotas, size_t n,
			char *err, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		if (!in_range(quotas[i].flavor, spec->nflavors))
			return errprintf(err, size, "%s: quotas[%zu]: no "
					 "flavor %d", name, i,
					 quotas[i].flavor);
		if (!in_range(quotas[i].resource, spec->nresources))
			return errprintf(err, size, "%s: quotas[%zu]: no "
					 "resource %d", name, i,
					 quotas[i].resource);
		if (quotas[i].nominal < 0)
			return errprintf(err, size, "%s: quotas[%zu]: nominal "
					 "quota below 0", name, i);
	}
	return 0;
}

static int indexes_check(const int *indexes, size_t n, size_t limit,
			 const char *name, const char *what,
			 char *err, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		if (!in_range(indexes[i], limit))
			return errprintf(err, size, "%s: no %s %d", name, what,
					 indexes[i]);
	}
	return 0;
}

static int groups_check(const struct spec *spec, const struct spec_queue *queue,
			char *err, size_t size)
{
	for (size_t i = 0; i < queue->ngroups; i++) {
		const struct spec_group *group = &queue->groups[i];

		if (indexes_check(group->resources, group->nresources,
				  spec->nresources, queue->name, "resource",
				  err, size) < 0
		    || indexes_check(group->flavors, group->nflavors,
				     spec->nflavors, queue->name, "flavor",
				     err, size) < 0)
			return -1;
	}
	return 0;
}

/* A chain of parents that is longer than the number of cohorts is a circle. */
static int parents_check(const struct spec *spec, size_t i,
			 char *err, size_t size)
{
	int parent = i;

	for (size_t steps = 0; parent != SPEC_NONE; steps++) {
		if (!in_range(parent, spec->ncohorts))
			return errprintf(err, size, "%s: no cohort %d",
					 spec->cohorts[i].name, parent);
		if (steps > spec->ncohorts)
			return errprintf(err, size, "%s: its parents form a "
					 "cycle", spec->cohorts[i].name);
		parent = spec->cohorts[parent].parent;
	}
	return 0;
}

static int queue_check(const struct spec *spec, const struct spec_queue *queue,
		       char *err, size_t size)
{
	if (queue->cohort != SPEC_NONE
	    && !in_range(queue->cohort, spec->ncohorts))
		return errprintf(err, size, "%s: no cohort %d", queue->name,
				 queue->cohort);
	if (groups_check(spec, queue, err, size) < 0)
		return -1;
	return quotas_check(spec, queue->name, queue->quotas, queue->nquotas,
			    err, size);
}

static int periods_check(const struct spec *spec, char *err, size_t size)
{
	for (size_t i = 0; i < spec->nperiods; i++) {
		const struct spec_period *p = &spec->periods[i];

		if (!in_range(p->node, p->is_cohort ? spec->ncohorts
						    : spec->nqueues)
		    || !in_range(p->flavor, spec->nflavors)
		    || !in_range(p->resource, spec->nresources)
		    || p->nominal < 0 || p->from >= p->until)
			return errprintf(err, size, "periods[%zu] has no "
					 "quota, or no time", i);
	}
	return 0;
}

int spec_check(const struct spec *spec, char *err, size_t size)
{
	for (size_t i = 0; i < spec->ncohorts; i++) {
		const struct spec_cohort *cohort = &spec->cohorts[i];

		if (parents_check(spec, i, err, size) < 0
		    || quotas_check(spec, cohort->name, cohort->quotas,
				    cohort->nquotas, err, size) < 0)
			return -1;
	}
	for (size_t i = 0; i < spec->nqueues; i++) {
		if (queue_check(spec, &spec->queues[i], err, size) < 0)
			return -1;
	}
	return periods_check(spec, err, size);
}
