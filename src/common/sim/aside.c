/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aside.c - waiting jobs without nodes that are out of line for now
 *
 * A job that has quota but no nodes costs time in each plan, and where nodes
 * are short there are thousands. So only the first ones of each queue
 * (sim_options.depth) stay in line. The others are set aside, in the order of
 * the line, and return when nodes may have room for them, or when one of those
 * in line has gone. Their quota is kept from other queues all the same.
 */
#include <string.h>

#include "sim/sim_state.h"

static bool job_before(const struct sim_job *a, const struct sim_job *b)
{
	const struct workload_desc *x = &a->desc.work, *y = &b->desc.work;

	if (x->priority != y->priority)
		return x->priority > y->priority;
	if (x->queue_order_at != y->queue_order_at)
		return x->queue_order_at < y->queue_order_at;
	return x->tiebreak < y->tiebreak;
}

/* Jobs that are decided about by themselves, one as the other: one that was evicted may yield */
static bool may_stand_aside(struct sim *sim, const struct sim_job *job)
{
	struct workload_memory m = { .owns = false };
	const struct workload_desc *w = &job->desc.work;
	const struct sim_queue *q = sim_queue_of(sim, job);

	if (job->work)
		workload_recall(job->work, &m);
	return sim->options.depth && !q->strict && !q->by_usage && !job->array
	       && !job->bonded && !job->desc.no_nodes && w->tasks == 1
	       && !w->evictions && !w->follower && !w->nonpreemptible
	       && w->npodsets == 1 && !w->podsets->by_flavor
	       && !w->podsets->min_count
	       && !m.owns && !m.could_evict;
}

/* The first flavor of the request that the job may use, and that has room for it where `left`
 * is what is free by flavor and resource; SPEC_NONE: there is none */
static int flavor_find(struct sim *sim, const struct sim_job *job,
		       const struct request *r, const int64_t *left)
{
	const bool *ineligible = job->desc.work.podsets->ineligible;
	const struct sim_queue *q = sim_queue_of(sim, job);

	for (size_t i = 0; i < q->npairs; i++) {
		const struct pair *pair = &q->pairs[i];

		if (pair->resource == r->resource
		    && !(ineligible && ineligible[pair->flavor])
		    && (!left || left[(size_t) pair->flavor * sim->nresources
				      + (size_t) r->resource] >= r->amount))
			return pair->flavor;
	}
	return SPEC_NONE;
}

/* What it wants is kept from other queues in the first flavor that it may use. */
static int quota_keep(struct sim *sim, const struct sim_job *job, int sign)
{
	const struct podset_desc *ps = job->desc.work.podsets;

	for (size_t i = 0; i < ps->nrequests; i++) {
		const struct request *r = &ps->requests[i];
		int flavor = flavor_find(sim, job, r, NULL);
		struct charge charge = { flavor, r->resource, r->amount };

		if (flavor != SPEC_NONE
		    && engine_withhold(sim->engine, job->desc.work.queue, &charge,
				       1, sign) < 0)
			return -1;
	}
	return 0;
}

static int job_set_aside(struct sim *sim, struct sim_job *job)
{
	struct sim_job **at = &sim_queue_of(sim, job)->aside;

	sim_job_step_aside(sim, job);
	while (*at && job_before(*at, job))
		at = &(*at)->next_waiting;
	job->next_waiting = *at;
	*at = job;
	sim->naside++;
	return quota_keep(sim, job, 1);
}

int sim_aside_denied(struct sim *sim, struct sim_job *job)
{
	struct sim_job *last = job;

	if (!may_stand_aside(sim, job) || sim_queue_of(sim, job)->blocked <= sim->options.depth)
		return 0;
	for (struct sim_job *other = sim->waiting; other; other = other->next_waiting) {
		if (other->desc.work.queue == job->desc.work.queue
		    && other->denied && may_stand_aside(sim, other)
		    && job_before(last, other))
			last = other;
	}
	return job_set_aside(sim, last);
}

/* Nodes may have room for it: in some flavors there is so much left, which is taken. */
static bool may_fit(struct sim *sim, const struct sim_job *job)
{
	const struct podset_desc *ps = job->desc.work.podsets;

	for (size_t i = 0; i < ps->nrequests; i++) {
		const struct request *r = &ps->requests[i];
		int flavor = flavor_find(sim, job, r, sim->left);
		size_t at = (size_t) flavor * sim->nresources + (size_t) r->resource;

		if (flavor == SPEC_NONE && r->amount > 0)
			return false;
		if (flavor != SPEC_NONE && sim->left[at] != SPEC_UNLIMITED)
			sim->left[at] -= r->amount;
	}
	return true;
}

/* Those that may fit, if nodes were released, and as many more as may stay in line */
static int queue_return(struct sim *sim, struct sim_queue *q, bool released)
{
	size_t places = sim->options.depth > q->blocked ? sim->options.depth - q->blocked : 0;
	struct sim_job **at = &q->aside;

	if (q->aside)
		memcpy(sim->left, sim->room, sim->nflavors * sim->nresources * sizeof(*sim->left));
	while (*at && (released || places)) {
		struct sim_job *job = *at;
		bool denied = job_is_denied(sim, job);
		bool fits = released && !denied && may_fit(sim, job);

		if (!fits && (!places || denied)) {
			at = &job->next_waiting;
			continue;
		}
		places -= !fits;
		job->denied = 0;
		*at = job->next_waiting;
		sim->naside--;
		if (quota_keep(sim, job, -1) < 0 || sim_job_admit(sim, job) < 0)
			return -1;
		sim_job_set_blocked(sim, job, true);
	}
	return 0;
}

int sim_aside_return(struct sim *sim)
{
	bool released = sim->aside_seen != sim->releases;

	sim->aside_seen = sim->releases;
	for (size_t i = 0; sim->naside && i < sim->nqueues; i++) {
		if (queue_return(sim, &sim->queues[i], released) < 0)
			return -1;
	}
	return 0;
}
