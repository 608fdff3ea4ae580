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
#include <string.h>

#include "core/podsets.h"
#include "lib/container.h"
#include "lib/heap.h"
#include "sim/sim_state.h"
#include "workload/shape.h"

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

/* ---- classes ---- */

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

static uint64_t class_hash(const struct sim *sim, const struct sim_ask *ask)
{
	const struct podset_desc *p = ask->podsets;
	uint64_t hash = hash_u64(hash_u64(HASH_INIT, (uint64_t) ask->queue),
				 (uint64_t) ask->priority);

	for (size_t i = 0; i < p->nrequests; i++) {
		hash = hash_u64(hash, (uint64_t) p->requests[i].resource);
		hash = hash_u64(hash, (uint64_t) p->requests[i].amount);
	}
	return p->ineligible ? hash_bytes(hash, p->ineligible,
					  sim->nflavors
					  * sizeof(*p->ineligible)) : hash;
}

static bool class_is(const struct sim *sim, const struct sim_class *c,
		     const struct sim_ask *ask)
{
	const struct podset_desc *a = &c->podset, *b = ask->podsets;

	if (c->queue != ask->queue || c->priority != ask->priority
	    || a->nrequests != b->nrequests || !a->ineligible != !b->ineligible)
		return false;
	for (size_t i = 0; i < a->nrequests; i++) {
		if (a->requests[i].resource != b->requests[i].resource
		    || a->requests[i].amount != b->requests[i].amount)
			return false;
	}
	return !a->ineligible
	       || !memcmp(a->ineligible, b->ineligible,
			  sim->nflavors * sizeof(*a->ineligible));
}

static bool may_use(const struct podset_desc *podset, int flavor)
{
	return !podset->ineligible || !podset->ineligible[flavor];
}

/* What one of it wants is kept in the first flavor that it may use. */
static void charges_set(const struct sim *sim, struct sim_class *c)
{
	const struct sim_queue *q = &sim->queues[c->queue];

	for (size_t i = 0; i < c->podset.nrequests; i++) {
		const struct request *r = &c->podset.requests[i];
		size_t k = 0;

		while (k < q->npairs && (q->pairs[k].resource != r->resource
					 || !may_use(&c->podset,
						     q->pairs[k].flavor)))
			k++;
		if (k < q->npairs)
			c->charges[c->ncharges++] = (struct charge) {
				q->pairs[k].flavor, r->resource, r->amount };
	}
}

static void class_free(struct sim_class *c)
{
	free(c->podsets);
	free(c->charges);
	free(c->heap);
	free(c);
}

static struct sim_class *class_create(struct sim *sim,
				      const struct sim_ask *ask)
{
	struct sim_class *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->queue = ask->queue;
	c->priority = ask->priority;
	c->podsets = podsets_copy(sim->nflavors, ask->podsets, 1);
	c->charges = calloc(ask->podsets->nrequests + 1, sizeof(*c->charges));
	if (!c->podsets || !c->charges
	    || hash_insert(&sim->classes, &c->link, class_hash(sim, ask)) < 0) {
		class_free(c);
		return NULL;
	}
	c->podset = *c->podsets;
	charges_set(sim, c);
	return c;
}

/* NULL: there is none so far */
static struct sim_class *class_find(const struct sim *sim, struct sim_ask *ask)
{
	struct hash_link *link;

	if (ask->class)
		return ask->class;
	link = hash_first(&sim->classes, class_hash(sim, ask));
	for (; link && !ask->class; link = hash_next(link)) {
		struct sim_class *c = container_of(link, struct sim_class, link);

		if (class_is(sim, c, ask))
			ask->class = c;
	}
	return ask->class;
}

/* The job is of its class from now on. NULL: no memory */
static struct sim_class *class_join(struct sim *sim, struct sim_job *job)
{
	struct sim_ask *ask = job->ask;

	if (!class_find(sim, ask))
		ask->class = class_create(sim, ask);
	job->in_class |= ask->class != NULL;
	return ask->class;
}

void sim_classes_free(struct sim *sim)
{
	for (size_t i = 0; i < sim->classes.nbuckets; i++) {
		struct hash_link *link = sim->classes.buckets[i];

		while (link) {
			struct hash_link *next = link->next;

			class_free(container_of(link, struct sim_class, link));
			link = next;
		}
	}
	hash_destroy(&sim->classes);
}

/* ---- room ---- */

/* How many of one resource's requests nodes have room for, in all flavors;
 * SIM_FOREVER: there is no bound */
static int64_t request_fits(const struct sim *sim, const struct sim_class *c,
			    const struct request *r)
{
	const struct sim_queue *q = &sim->queues[c->queue];
	bool covered = false;
	int64_t sum = 0;

	for (size_t i = 0; i < q->npairs; i++) {
		int64_t room;

		if (q->pairs[i].resource != r->resource
		    || !may_use(&c->podset, q->pairs[i].flavor))
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

/* How many of the class may find nodes; not all of them need to */
static int64_t class_fits(const struct sim *sim, const struct sim_class *c)
{
	int64_t least = SIM_FOREVER;

	for (size_t i = 0; i < c->podset.nrequests; i++) {
		const struct request *r = &c->podset.requests[i];

		if (r->amount > 0)
			least = min64(least, request_fits(sim, c, r));
	}
	return least;
}

/* ---- in and out ---- */

static int class_push(struct sim *sim, struct sim_class *c, struct sim_job *job)
{
	if (c->n == c->size) {
		size_t size = c->size ? 2 * c->size : 16;
		struct sim_job **heap = realloc(c->heap, size * sizeof(*heap));

		if (!heap)
			return -1;
		c->heap = heap;
		c->size = size;
	}
	if (engine_withhold(sim->engine, c->queue, c->charges, c->ncharges,
			    1) < 0)
		return -1;
	if (!c->n) {
		c->next = sim->parked;
		c->before = &sim->parked;
		if (c->next)
			c->next->before = &c->next;
		sim->parked = c;
	}
	sim->queues[c->queue].parked++;
	job->parked = true;
	c->heap[c->n] = job;
	heap_raise(&by_turn, c->heap, c->n++);
	return 0;
}

static struct sim_job *class_pop(struct sim *sim, struct sim_class *c)
{
	struct sim_job *job = c->heap[0];

	heap_drop_first(&by_turn, c->heap, c->n--);
	sim->queues[c->queue].parked--;
	job->parked = false;
	if (!c->n) {
		*c->before = c->next;
		if (c->next)
			c->next->before = c->before;
	}
	return engine_withhold(sim->engine, c->queue, c->charges, c->ncharges,
			       -1) < 0 ? NULL : job;
}

/* The first one of the class is in line again. -1: no memory */
static int class_return(struct sim *sim, struct sim_class *c)
{
	struct sim_job *job = class_pop(sim, c);

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
		if (other->in_class && may_park(sim, other)
		    && job_before(last ? last : job, other))
			last = other;
	}
	return last;
}

int sim_park_newcomer(struct sim *sim, struct sim_job *job)
{
	struct sim_class *c;

	if (!sim->parked || !may_park(sim, job) || blocked_behind(sim, job))
		return 0;
	c = class_find(sim, job->ask);
	if (!c || !c->n || class_fits(sim, c))
		return 0;
	job->coming = false;
	return class_push(sim, c, job) < 0 ? -1 : 1;
}

int sim_park_denied(struct sim *sim, struct sim_job *job)
{
	struct sim_queue *q = &sim->queues[job->ask->queue];
	struct sim_class *c;
	struct sim_job *behind;

	if (!may_park(sim, job))
		return 0;
	c = class_join(sim, job);
	if (!c)
		return -1;
	c->denied = sim->plans;
	if (q->blocked < sim->options.depth)
		return 0;
	behind = blocked_behind(sim, job);
	if (behind)
		sim_job_set_blocked(sim, behind, false);
	else
		behind = job;
	sim_job_step_aside(sim, behind);
	if (class_push(sim, behind->ask->class, behind) < 0)
		return -1;
	return behind == job;
}

/* As many of the class as may find nodes, besides those that are in line */
static int class_retry(struct sim *sim, struct sim_class *c)
{
	int64_t fits = class_fits(sim, c) - (int64_t) c->blocked;
	int returned = 0;

	while (fits-- > 0 && c->n) {
		if (class_return(sim, c) < 0)
			return -1;
		returned = 1;
	}
	return returned;
}

/* The first of those that were not denied at this time take the place of those
 * that have gone. */
static int queue_refill(struct sim *sim, int queue)
{
	struct sim_class *first = NULL;

	for (struct sim_class *c = sim->parked; c; c = c->next) {
		if (c->queue == queue && c->denied < sim->first_plan
		    && (!first || job_before(c->heap[0], first->heap[0])))
			first = c;
	}
	if (!first)
		return 0;
	return class_return(sim, first) < 0 ? -1 : 1;
}

int sim_parked_return(struct sim *sim)
{
	int returned = 0, rc;

	for (struct sim_class *c = sim->parked, *next; c; c = next) {
		next = c->next;
		if (c->denied >= sim->first_plan)
			continue;
		rc = class_retry(sim, c);
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
