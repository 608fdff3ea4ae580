/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parked.c - waiting jobs without nodes that are not in line for now
 *
 * A job that has quota but no nodes costs time in each plan, and where nodes
 * are short there are thousands. So only the first ones of each queue
 * (sim_options.depth) stay in line. The others are parked, by what they ask
 * for: they return when nodes may have room for them, or when one of those in
 * line has gone. One that comes before one of those in line, as its priority is
 * higher or as it waits again after an eviction, takes its place. Their quota is
 * kept from other queues all the same.
 */
#include <stdlib.h>

#include "lib/heap.h"
#include "sim/sim_state.h"

static bool job_before(const struct sim_job *a, const struct sim_job *b)
{
	if (a->ask->priority != b->ask->priority)
		return a->ask->priority > b->ask->priority;
	if (a->queue_order_at != b->queue_order_at)
		return a->queue_order_at < b->queue_order_at;
	return a->tiebreak < b->tiebreak;
}

static bool entry_before(const void *x, const void *y)
{
	return job_before(*(struct sim_job *const *) x,
			  *(struct sim_job *const *) y);
}

static const struct heap_order by_turn = {
	sizeof(struct sim_job *), entry_before
};

/* Jobs that are decided about by themselves, one as the other: one that was evicted may
 * yield */
static bool may_park(const struct sim *sim, const struct sim_job *job)
{
	const struct sim_ask *ask = job->ask;

	return sim->options.depth && sim->queues[ask->queue].parks
	       && !job->array && !job->bonded && !job->no_nodes
	       && job->tasks == 1 && !job->evictions && !ask->follower && !ask->nonpreemptible
	       && ask->npodsets == 1 && !ask->podsets->by_flavor
	       && !ask->podsets->min_count
	       && !(job->work && workload_owns(job->work));
}

static bool may_use(const struct podset_desc *podset, int flavor)
{
	return !podset->ineligible || !podset->ineligible[flavor];
}

/* What one of it wants is kept in the first flavor that it may use. */
static int charges_set(const struct sim *sim, struct sim_ask *ask)
{
	const struct sim_queue *q = &sim->queues[ask->queue];

	if (ask->charges)
		return 0;
	ask->charges = calloc(ask->podsets->nrequests + 1, sizeof(*ask->charges));
	if (!ask->charges)
		return -1;
	for (size_t i = 0; i < ask->podsets->nrequests; i++) {
		const struct request *r = &ask->podsets->requests[i];
		size_t k = 0;

		while (k < q->npairs && (q->pairs[k].resource != r->resource
					 || !may_use(ask->podsets,
						     q->pairs[k].flavor)))
			k++;
		if (k < q->npairs)
			ask->charges[ask->ncharges++] = (struct charge) {
				q->pairs[k].flavor, r->resource, r->amount };
	}
	return 0;
}

/* ---- room ---- */

/* How many of one resource's requests nodes have room for, in all flavors;
 * SIM_FOREVER: there is no bound */
static int64_t request_fits(const struct sim *sim, const struct sim_ask *ask,
			    const struct request *r)
{
	const struct sim_queue *q = &sim->queues[ask->queue];
	bool covered = false;
	int64_t sum = 0;

	for (size_t i = 0; i < q->npairs; i++) {
		int64_t room;

		if (q->pairs[i].resource != r->resource
		    || !may_use(ask->podsets, q->pairs[i].flavor))
			continue;
		covered = true;
		room = sim->room[(size_t) q->pairs[i].flavor * sim->nresources
				 + (size_t) r->resource];
		if (room == SPEC_UNLIMITED)
			return SIM_FOREVER;
		sum = sat_add(sum, max64(0, room) / r->amount);
	}
	return covered ? sum : SIM_FOREVER;
}

/* How many of them may find nodes; not all of them need to */
static int64_t ask_fits(const struct sim *sim, const struct sim_ask *ask)
{
	int64_t least = SIM_FOREVER;

	for (size_t i = 0; i < ask->podsets->nrequests; i++) {
		const struct request *r = &ask->podsets->requests[i];

		if (r->amount > 0)
			least = min64(least, request_fits(sim, ask, r));
	}
	return least;
}

/* ---- in and out ---- */

static int ask_push(struct sim *sim, struct sim_ask *ask, struct sim_job *job)
{
	if (ask->n == ask->size) {
		size_t size = ask->size ? 2 * ask->size : 16;
		struct sim_job **heap = realloc(ask->heap, size * sizeof(*heap));

		if (!heap)
			return -1;
		ask->heap = heap;
		ask->size = size;
	}
	if (charges_set(sim, ask) < 0
	    || engine_withhold(sim->engine, ask->queue, ask->charges, ask->ncharges,
			       1) < 0)
		return -1;
	if (!ask->n) {
		ask->next = sim->parked;
		ask->before = &sim->parked;
		if (ask->next)
			ask->next->before = &ask->next;
		sim->parked = ask;
	}
	sim->queues[ask->queue].parked++;
	job->parked = true;
	ask->heap[ask->n] = job;
	heap_raise(&by_turn, ask->heap, ask->n++);
	return 0;
}

static struct sim_job *ask_pop(struct sim *sim, struct sim_ask *ask)
{
	struct sim_job *job = ask->heap[0];

	heap_drop_first(&by_turn, ask->heap, ask->n--);
	sim->queues[ask->queue].parked--;
	job->parked = false;
	if (!ask->n) {
		*ask->before = ask->next;
		if (ask->next)
			ask->next->before = ask->before;
	}
	return engine_withhold(sim->engine, ask->queue, ask->charges, ask->ncharges,
			       -1) < 0 ? NULL : job;
}

/* The first one of them is in line again. -1: no memory */
static int ask_return(struct sim *sim, struct sim_ask *ask)
{
	struct sim_job *job = ask_pop(sim, ask);

	return job ? sim_job_admit(sim, job) : -1;
}

/* The last in order of those in line without nodes that may be parked, if it
 * comes behind the job; else NULL. There are about as many as the depth. */
static struct sim_job *blocked_behind(const struct sim *sim,
				      const struct sim_job *job)
{
	const struct sim_queue *q = &sim->queues[job->ask->queue];
	struct sim_job *last = NULL;

	for (struct sim_job *other = q->blocked_jobs; other;
	     other = other->next_blocked) {
		if (other->denied_once && may_park(sim, other)
		    && job_before(last ? last : job, other))
			last = other;
	}
	return last;
}

int sim_park_newcomer(struct sim *sim, struct sim_job *job)
{
	struct sim_ask *ask = job->ask;

	if (!sim->parked || !may_park(sim, job) || blocked_behind(sim, job)
	    || !ask->n || ask_fits(sim, ask))
		return 0;
	job->coming = false;
	return ask_push(sim, ask, job) < 0 ? -1 : 1;
}

int sim_park_denied(struct sim *sim, struct sim_job *job)
{
	struct sim_queue *q = &sim->queues[job->ask->queue];
	struct sim_job *behind;

	if (!may_park(sim, job))
		return 0;
	job->denied_once = true;
	job->ask->denied = sim->plans;
	if (q->blocked < sim->options.depth)
		return 0;
	behind = blocked_behind(sim, job);
	if (behind)
		sim_job_set_blocked(sim, behind, false);
	else
		behind = job;
	sim_job_step_aside(sim, behind);
	if (ask_push(sim, behind->ask, behind) < 0)
		return -1;
	return behind == job;
}

/* As many of them as may find nodes, besides those that are in line */
static int ask_retry(struct sim *sim, struct sim_ask *ask)
{
	int64_t fits = ask_fits(sim, ask) - (int64_t) ask->blocked;
	int returned = 0;

	while (fits-- > 0 && ask->n) {
		if (ask_return(sim, ask) < 0)
			return -1;
		returned = 1;
	}
	return returned;
}

/* The first of those that were not denied at this time take the place of those
 * that have gone. */
static int queue_refill(struct sim *sim, int queue)
{
	struct sim_ask *first = NULL;

	for (struct sim_ask *ask = sim->parked; ask; ask = ask->next) {
		if (ask->queue == queue && ask->denied < sim->first_plan
		    && (!first || job_before(ask->heap[0], first->heap[0])))
			first = ask;
	}
	if (!first)
		return 0;
	return ask_return(sim, first) < 0 ? -1 : 1;
}

int sim_parked_return(struct sim *sim)
{
	int returned = 0, rc;

	for (struct sim_ask *ask = sim->parked, *next; ask; ask = next) {
		next = ask->next;
		if (ask->denied >= sim->first_plan)
			continue;
		rc = ask_retry(sim, ask);
		if (rc < 0)
			return -1;
		returned |= rc;
	}
	for (size_t i = 0; sim->parked && i < sim->nqueues; i++) {
		const struct sim_queue *q = &sim->queues[i];

		if (!q->parked || q->blocked >= sim->options.depth)
			continue;
		rc = queue_refill(sim, (int) i);
		if (rc < 0)
			return -1;
		returned |= rc;
	}
	return returned;
}
