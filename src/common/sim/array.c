/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.c - arrays of a simulation: how many of their tasks may run
 */
#include <stdlib.h>

#include "lib/container.h"
#include "sim/sim_state.h"

struct sim_array *sim_array_get(struct sim *sim, uint64_t id, int64_t limit)
{
	uint64_t hash = hash_u64(HASH_INIT, id);
	struct hash_link *link = hash_first(&sim->arrays, hash);
	struct sim_array *array;

	for (; link; link = hash_next(link)) {
		array = container_of(link, struct sim_array, link);
		if (array->id != id)
			continue;
		if (limit)
			array->limit = limit;
		return array;
	}
	array = calloc(1, sizeof(*array));
	if (!array || hash_insert(&sim->arrays, &array->link, hash) < 0) {
		free(array);
		return NULL;
	}
	array->id = id;
	array->limit = limit;
	return array;
}

void sim_arrays_free(struct sim *sim)
{
	for (size_t i = 0; i < sim->arrays.nbuckets; i++) {
		struct hash_link *link = sim->arrays.buckets[i];

		while (link) {
			struct hash_link *next = link->next;

			free(container_of(link, struct sim_array, link));
			link = next;
		}
	}
	hash_destroy(&sim->arrays);
}

int64_t sim_array_free(const struct sim_job *job)
{
	const struct sim_array *array = job->array;

	if (!array || !array->limit)
		return job->tasks;
	return max64(0, min64(job->tasks, array->limit - array->running));
}

void sim_array_join(struct sim_job *job)
{
	if (!job->array)
		return;
	job->next_in_array = job->array->waiting;
	job->array->waiting = job;
}

void sim_array_leave(struct sim_job *job)
{
	struct sim_job **at = job->array ? &job->array->waiting : NULL;

	while (at && *at && *at != job)
		at = &(*at)->next_in_array;
	if (at && *at)
		*at = job->next_in_array;
}
