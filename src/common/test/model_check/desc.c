/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * desc.c - what random workloads ask for
 */
#include "model_check/model.h"

static void podset_draw(struct model *m, struct model_job *job, size_t i)
{
	struct podset_desc *ps = &job->podsets[i];

	*ps = (struct podset_desc) {
		.count = 1,
		.group = -1,
		.requests = job->requests[i],
		.nrequests = draw(m, 12) ? 1 + draw(m, 2) : 0,
		.ineligible = job->ineligible[i],
	};
	if (chance(m, 20)) {
		ps->count = 1 + draw(m, 3);
		ps->min_count = chance(m, 60) ? 1 + draw(m, ps->count) : 0;
	}
	for (size_t r = 0; r < MODEL_RESOURCES; r++) {
		int64_t amount = ps->count * (chance(m, 4) ? 30 : draw(m, 5));
		int64_t *by_flavor = &job->by_flavor[i][r * MODEL_FLAVORS];

		job->requests[i][r] = (struct request) { r, amount };
		by_flavor[0] = amount;
		by_flavor[1] = amount + ps->count * draw(m, 2);
	}
	if (chance(m, 10))
		ps->by_flavor = job->by_flavor[i];
	for (size_t f = 0; f < MODEL_FLAVORS; f++)
		job->ineligible[i][f] = chance(m, 15);
}

void model_describe(struct model *m, struct model_job *job)
{
	size_t npodsets = chance(m, 12) ? 2 : 1;
	int group = chance(m, 50) ? 1 : -1;

	for (size_t i = 0; i < npodsets; i++) {
		podset_draw(m, job, i);
		if (npodsets > 1)
			job->podsets[i].group = group;
	}
	job->desc = (struct workload_desc) {
		.queue = draw(m, m->spec->nqueues),
		.local_queue = draw(m, MODEL_LOCALS),
		.priority = draw(m, 3),
		.queue_order_at = draw(m, 20),
		.tiebreak = 1 + (job - m->jobs),
		.tasks = chance(m, 25) ? 1 + draw(m, 12) : 1,
		.max_starts = chance(m, 10) ? 1 + draw(m, 2) : 0,
		.follower = chance(m, 10),
		.nonpreemptible = chance(m, 25),
		.podsets = job->podsets,
		.npodsets = npodsets,
		.owner = job,
	};
	if (chance(m, 30)) {
		job->desc.evictions = draw(m, 5);
		job->desc.lost = draw(m, 1 + (uint64_t) job->desc.evictions);
		job->desc.turns = draw(m, 3);
	}
	if (job->desc.nonpreemptible && chance(m, 50)) {
		job->desc.group = 1 + draw(m, 2);
		job->desc.fixed_members = 1 + draw(m, 3);
	}
}

static bool podsets_ask_same(const struct podset_desc *a, const struct podset_desc *b)
{
	if (a->count != b->count || a->min_count != b->min_count
	    || a->group != b->group || a->nrequests != b->nrequests
	    || (a->nrequests && !a->by_flavor != !b->by_flavor)
	    || memcmp(a->ineligible, b->ineligible, MODEL_FLAVORS * sizeof(*a->ineligible)))
		return false;
	for (size_t r = 0; r < a->nrequests; r++) {
		if (a->requests[r].amount != b->requests[r].amount)
			return false;
	}
	return !a->by_flavor
	       || !memcmp(a->by_flavor, b->by_flavor, a->nrequests
			  * MODEL_FLAVORS * sizeof(*a->by_flavor));
}

bool model_asks_same(const struct model_job *a, const struct model_job *b)
{
	if (a->desc.npodsets != b->desc.npodsets)
		return false;
	for (size_t i = 0; i < a->desc.npodsets; i++) {
		if (!podsets_ask_same(&a->podsets[i], &b->podsets[i]))
			return false;
	}
	return true;
}

void model_note_desc(struct model *m, const struct model_job *job, const char *event)
{
	const struct workload_desc *d = &job->desc;

	model_note(m, job, "%s q%d prio=%lld at=%lld tasks=%lld starts=%lld"
		   " f%d pods=%lld/%lld cpu=%lld mem=%lld n=%zu%s%s%s%s%s e=%lld/%lld/%lld", event,
		   d->queue, (long long) d->priority,
		   (long long) d->queue_order_at, (long long) d->tasks,
		   (long long) d->max_starts, d->follower, (long long) job->podsets[0].min_count,
		   (long long) job->podsets[0].count, (long long) job->requests[0][0].amount,
		   (long long) job->requests[0][1].amount, job->podsets[0].nrequests,
		   job->ineligible[0][0] ? " not-f" : "", job->ineligible[0][1] ? " not-g" : "",
		   d->npodsets > 1 ? " two" : "", job->podsets[0].by_flavor ? " byflavor" : "",
		   d->nonpreemptible ? " fixed" : "", (long long) d->evictions,
		   (long long) d->lost, (long long) d->turns);
	if (d->fixed_members)
		model_note(m, job, "  %lld members of group %d",
			   (long long) d->fixed_members, (int) d->group);
}
