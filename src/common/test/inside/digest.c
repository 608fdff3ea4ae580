/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * digest.c - the whole state of the books as one number
 */
#include "holding/holding.h"
#include "quota/calendar.h"
#include "test/inside/steps.h"
#include "workload/workload.h"

static uint64_t uses_hash(uint64_t hash, const struct use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		hash = hash_u64(hash, uses[i].pair);
		hash = hash_u64(hash, uses[i].amount);
	}
	return hash;
}

static uint64_t workload_hash(const struct workload *w)
{
	uint64_t hash = hash_u64(HASH_INIT, w->tiebreak);

	hash = hash_u64(hash, w->shape->q->node);
	hash = hash_u64(hash, w->shape->priority);
	hash = hash_u64(hash, w->queue_order_at);
	hash = hash_u64(hash, w->tasks);
	hash = hash_u64(hash, workload_is_nonpreemptible(w));
	hash = hash_u64(hash, w->shape->yields);
	hash = hash_u64(hash, (uint64_t) w->lost);
	hash = hash_u64(hash, (uint64_t) w->turns);
	hash = uses_hash(hash, w->claim ? w->claim->uses : NULL,
			 w->claim ? w->claim->nuses : 0);
	if (w->runs) {
		hash = hash_u64(hash, w->held->reserved_at);
		hash = hash_u64(hash, w->held->evicting);
		hash = hash_u64(hash, w->held->settled);
		hash = uses_hash(hash, w->held->uses, w->held->nuses);
	}
	return hash;
}

/* Their hashes are summed, as the order of those that run is history. */
static uint64_t workloads_hash(const struct queue *q)
{
	uint64_t sum = 0;

	for_each_waiting(w, q)
		sum += workload_hash(w);
	for_each_holding(h, q)
		sum += workload_hash(h->w);
	return sum;
}

uint64_t engine_digest(const struct engine *e)
{
	const struct books *b = e->books;
	uint64_t hash = HASH_INIT, sum = 0;

	for (size_t i = 0; i < b->nnodes * b->npairs; i++)
		hash = hash_u64(hash, (uint64_t) b->cells[i].used);
	for (size_t i = 0; i < b->nnodes * b->npairs; i++)
		hash = hash_u64(hash, (uint64_t) b->cells[i].fixed);
	for (size_t i = 0; i < e->nqueues; i++)
		sum += workloads_hash(&e->queues[i]);
	if (b->calendar)
		hash = hash_u64(hash, b->calendar->done);
	for (size_t i = 0; i < e->nqueues; i++) {
		hash = hash_u64(hash, e->queues[i].running);
		hash = hash_u64(hash, rankset_total(&e->queues[i].waiting));
		hash = hash_u64(hash, (uint64_t) rankset_total(&e->queues[i].order));
	}
	return hash_u64(hash, sum);
}
