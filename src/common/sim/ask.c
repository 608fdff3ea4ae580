/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.c - what jobs ask for, and on which terms
 *
 * Of ten thousand waiting jobs most are alike in that: it is stored once for all
 * of them. Each job that comes is looked up, so that must be quick.
 */
#include <stdlib.h>

#include "core/podsets.h"
#include "lib/container.h"
#include "sim/sim_state.h"
#include "workload/shape.h"

static uint64_t desc_hash(const struct sim_desc *d)
{
	const struct workload_desc *w = &d->work;
	const int64_t words[] = {
		w->queue, w->priority, (int64_t) w->group, w->fixed_members,
		w->follower + 2 * w->nonpreemptible + 4 * d->cancels,
		d->also, d->checkpoint, d->restart_cost, d->evict_time,
		d->exempt_time, d->min_available,
	};
	uint64_t hash = HASH_INIT;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		hash = hash_u64(hash, (uint64_t) words[i]);
	return hash_u64(hash, podsets_hash(w->podsets));
}

static bool ask_is(const struct sim_ask *ask, const struct sim_desc *d)
{
	const struct workload_desc *w = &d->work;

	return ask->queue == w->queue && ask->priority == w->priority
	       && ask->group == w->group
	       && ask->fixed_members == w->fixed_members
	       && ask->follower == w->follower
	       && ask->nonpreemptible == w->nonpreemptible
	       && ask->cancels == d->cancels && ask->also == d->also
	       && ask->checkpoint == d->checkpoint
	       && ask->restart_cost == d->restart_cost
	       && ask->evict_time == d->evict_time
	       && ask->exempt_time == d->exempt_time
	       && ask->min_available == d->min_available
	       && ask->podsets == w->podsets;
}

static struct sim_ask *ask_find(const struct sim *sim,
				const struct sim_desc *d, uint64_t hash)
{
	struct hash_link *link = hash_first(&sim->asks, hash);

	for (; link; link = hash_next(link)) {
		struct sim_ask *ask = container_of(link, struct sim_ask, link);

		if (ask_is(ask, d))
			return ask;
	}
	return NULL;
}

static struct sim_ask *ask_create(struct sim *sim, const struct sim_desc *d,
				  uint64_t hash)
{
	struct sim_ask *ask = malloc(sizeof(*ask));

	if (!ask)
		return NULL;
	*ask = (struct sim_ask) {
		.podsets = d->work.podsets,
		.npodsets = d->work.npodsets,
		.queue = d->work.queue,
		.priority = d->work.priority,
		.group = d->work.group,
		.fixed_members = d->work.fixed_members,
		.follower = d->work.follower,
		.nonpreemptible = d->work.nonpreemptible,
		.cancels = d->cancels,
		.also = d->also,
		.checkpoint = d->checkpoint,
		.restart_cost = d->restart_cost,
		.evict_time = d->evict_time,
		.exempt_time = d->exempt_time,
		.min_available = d->min_available,
	};
	if (hash_insert(&sim->asks, &ask->link, hash) < 0) {
		free(ask);
		return NULL;
	}
	return ask;
}

struct sim_ask *sim_ask_get(struct sim *sim, const struct sim_desc *desc)
{
	struct sim_desc d = *desc;
	struct sim_ask *ask;
	uint64_t hash;

	d.work.podsets = podsets_get(sim->engine, d.work.podsets, d.work.npodsets);
	if (!d.work.podsets)
		return NULL;
	hash = desc_hash(&d);
	ask = ask_find(sim, &d, hash);
	if (!ask)
		ask = ask_create(sim, &d, hash);
	if (!ask || ask->users)
		podsets_put(sim->engine, d.work.podsets);
	if (ask)
		ask->users++;
	return ask;
}

void sim_ask_put(struct sim *sim, struct sim_ask *ask)
{
	if (!ask || --ask->users)
		return;
	hash_remove(&sim->asks, &ask->link);
	podsets_put(sim->engine, ask->podsets);
	free(ask->charges);
	free(ask->heap);
	free(ask);
}

struct workload_desc sim_job_work_desc(const struct sim_job *job)
{
	const struct sim_ask *ask = job->ask;

	return (struct workload_desc) {
		.queue = ask->queue,
		.local_queue = job->local_queue,
		.priority = ask->priority,
		.queue_order_at = job->queue_order_at,
		.tiebreak = job->tiebreak,
		.tasks = job->tasks,
		.follower = ask->follower,
		.nonpreemptible = ask->nonpreemptible,
		.group = ask->group,
		.fixed_members = ask->fixed_members,
		.podsets = ask->podsets,
		.npodsets = ask->npodsets,
		.evictions = job->evictions,
		.lost = job->lost,
		.turns = job->turns,
		.owner = job->owner,
	};
}

struct sim_desc sim_job_desc(const struct sim_job *job)
{
	const struct sim_ask *ask = job->ask;

	return (struct sim_desc) {
		.work = sim_job_work_desc(job),
		.duration = job->duration,
		.checkpoint = ask->checkpoint,
		.restart_cost = ask->restart_cost,
		.evict_time = ask->evict_time,
		.exempt_time = ask->exempt_time,
		.cancels = ask->cancels,
		.also = ask->also,
		.no_nodes = job->no_nodes,
		.array = job->array ? job->array->id : 0,
		.limit = job->array ? job->array->limit : 0,
		.min_available = ask->min_available,
	};
}
