/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec.c - building, checking and freeing a spec
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "spec.h"

static void queue_free(struct spec_queue *queue)
{
	for (size_t i = 0; i < queue->ngroups; i++) {
		free(queue->groups[i].resources);
		free(queue->groups[i].flavors);
	}
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

/* Of n records of `size` bytes, which begin with their names */
static int name_find(const void *records, size_t size, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		char *const *found = (const void *) ((const char *) records + i * size);

		if (!strcmp(*found, name))
			return (int) i;
	}
	return SPEC_NONE;
}

/* Appends a zeroed record of `size` bytes to the array at *array, which grows at
 * powers of two. NULL: no memory */
static void *record_add(void *array, size_t *n, size_t size)
{
	void *list;

	memcpy(&list, array, sizeof(list));
	if (!(*n & (*n - 1)))
		list = realloc(list, (*n ? 2 * *n : 1) * size);
	if (!list)
		return NULL;
	memcpy(array, &list, sizeof(list));
	return memset((char *) list + (*n)++ * size, 0, size);
}

/* The same of a record that begins with its name, of which it gets a copy */
static void *named_add(void *array, size_t *n, size_t size, const char *name)
{
	char **record = record_add(array, n, size);

	if (!record)
		return NULL;
	*record = strdup(name);
	if (*record)
		return record;
	--*n;
	return NULL;
}

static int name_add(char ***names, size_t *n, const char *name)
{
	int index = name_find(*names, sizeof(**names), *n, name);

	if (index != SPEC_NONE)
		return index;
	return named_add(names, n, sizeof(**names), name) ? (int) *n - 1 : -1;
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
	return name_find(spec->flavors, sizeof(*spec->flavors), spec->nflavors, name);
}

int spec_find_resource(const struct spec *spec, const char *name)
{
	return name_find(spec->resources, sizeof(*spec->resources), spec->nresources, name);
}

int spec_find_cohort(const struct spec *spec, const char *name)
{
	return name_find(spec->cohorts, sizeof(*spec->cohorts), spec->ncohorts, name);
}

int spec_find_queue(const struct spec *spec, const char *name)
{
	return name_find(spec->queues, sizeof(*spec->queues), spec->nqueues, name);
}

struct spec_cohort *spec_add_cohort(struct spec *spec, const char *name)
{
	struct spec_cohort *cohort = named_add(&spec->cohorts, &spec->ncohorts,
					       sizeof(*cohort), name);

	if (!cohort)
		return NULL;
	cohort->parent = SPEC_NONE;
	cohort->weight = 1;
	cohort->preempt_min_runtime = SPEC_NO_TIME;
	cohort->reclaim_min_runtime = SPEC_NO_TIME;
	return cohort;
}

struct spec_queue *spec_add_queue(struct spec *spec, const char *name)
{
	struct spec_queue *queue = named_add(&spec->queues, &spec->nqueues, sizeof(*queue), name);

	if (!queue)
		return NULL;
	queue->cohort = SPEC_NONE;
	queue->weight = 1;
	queue->min_admit = SPEC_NO_TIME;
	queue->preempt_min_runtime = SPEC_NO_TIME;
	queue->reclaim_min_runtime = SPEC_NO_TIME;
	queue->when_can_preempt = FUNGIBILITY_TRY_NEXT;
	return queue;
}

struct spec_quota *spec_add_quota(struct spec_quota **quotas, size_t *n,
				  int flavor, int resource, int64_t nominal)
{
	struct spec_quota *quota = record_add(quotas, n, sizeof(*quota));

	if (quota)
		*quota = (struct spec_quota) {
			.flavor = flavor,
			.resource = resource,
			.nominal = nominal,
			.borrowing_limit = SPEC_NO_LIMIT,
			.lending_limit = SPEC_NO_LIMIT,
		};
	return quota;
}

static bool in_range(int index, size_t n)
{
	return index >= 0 && (size_t) index < n;
}

static bool quotas_valid(const struct spec *spec, const struct spec_quota *quotas, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!in_range(quotas[i].flavor, spec->nflavors)
		    || !in_range(quotas[i].resource, spec->nresources)
		    || quotas[i].nominal < 0)
			return false;
	}
	return true;
}

static bool indexes_valid(const int *indexes, size_t n, size_t limit)
{
	for (size_t i = 0; i < n; i++) {
		if (!in_range(indexes[i], limit))
			return false;
	}
	return true;
}

/* A chain of parents that is longer than the number of cohorts is a circle. */
static bool cohort_valid(const struct spec *spec, const struct spec_cohort *cohort)
{
	int parent = cohort->parent;

	for (size_t steps = 0; parent != SPEC_NONE; steps++) {
		if (!in_range(parent, spec->ncohorts) || steps > spec->ncohorts)
			return false;
		parent = spec->cohorts[parent].parent;
	}
	return quotas_valid(spec, cohort->quotas, cohort->nquotas);
}

static bool queue_valid(const struct spec *spec, const struct spec_queue *queue)
{
	for (size_t i = 0; i < queue->ngroups; i++) {
		const struct spec_group *group = &queue->groups[i];

		if (!indexes_valid(group->resources, group->nresources,
				   spec->nresources)
		    || !indexes_valid(group->flavors, group->nflavors,
				      spec->nflavors))
			return false;
	}
	return (queue->cohort == SPEC_NONE || in_range(queue->cohort, spec->ncohorts))
	       && quotas_valid(spec, queue->quotas, queue->nquotas);
}

static bool period_valid(const struct spec *spec, const struct spec_period *p)
{
	return in_range(p->node, p->is_cohort ? spec->ncohorts : spec->nqueues)
	       && in_range(p->flavor, spec->nflavors)
	       && in_range(p->resource, spec->nresources)
	       && p->nominal >= 0 && p->from < p->until;
}

bool spec_is_valid(const struct spec *spec)
{
	bool valid = true;

	for (size_t i = 0; i < spec->ncohorts; i++)
		valid = valid && cohort_valid(spec, &spec->cohorts[i]);
	for (size_t i = 0; i < spec->nqueues; i++)
		valid = valid && queue_valid(spec, &spec->queues[i]);
	for (size_t i = 0; i < spec->nperiods; i++)
		valid = valid && period_valid(spec, &spec->periods[i]);
	return valid;
}

/* ---- quotas for a time ---- */

int spec_add_period(struct spec *spec, const struct spec_period *period)
{
	struct spec_period *added = record_add(&spec->periods, &spec->nperiods, sizeof(*added));

	if (!added)
		return -1;
	*added = *period;
	return 0;
}

static int quota_compare(const struct spec_period *a, const struct spec_period *b)
{
	int by = compare64(a->is_cohort, b->is_cohort);

	if (!by)
		by = compare64(a->node, b->node);
	if (!by)
		by = compare64(a->flavor, b->flavor);
	return by ? by : compare64(a->resource, b->resource);
}

static int period_compare(const void *x, const void *y)
{
	const struct spec_period *a = x, *b = y;
	int by = quota_compare(a, b);

	return by ? by : compare64(a->from, b->from);
}

void spec_sort_periods(struct spec *spec)
{
	if (spec->nperiods)
		qsort(spec->periods, spec->nperiods, sizeof(*spec->periods), period_compare);
}

const struct spec_period *spec_find_period(const struct spec *spec, bool is_cohort, int node,
					   const struct spec_quota *quota, int64_t now)
{
	const struct spec_period wanted = {
		.is_cohort = is_cohort, .node = node, .flavor = quota->flavor,
		.resource = quota->resource,
	};
	size_t low = 0, high = spec->nperiods;

	/* A quota of each week has a hundred periods. Each quota is looked up under the locks of
	 * slurmctld, whenever the status is published. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct spec_period *p = &spec->periods[middle];
		int by = quota_compare(p, &wanted);

		if (by < 0 || (!by && p->until <= now))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == spec->nperiods || quota_compare(&spec->periods[low], &wanted))
		return NULL;
	return &spec->periods[low];
}

int64_t spec_nominal_at(const struct spec *spec, bool is_cohort, int node,
			const struct spec_quota *quota, int64_t now, int64_t *until)
{
	const struct spec_period *p = spec_find_period(spec, is_cohort, node, quota, now);
	bool in_force = p && p->from <= now;

	if (until)
		*until = !p ? INT64_MAX : in_force ? p->until : p->from;
	return in_force ? p->nominal : quota->nominal;
}
