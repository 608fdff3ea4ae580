/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting.c - workloads that wait: in line, and beside those that own quota
 *
 * Others keep from the last plan how far it came with each of them.
 */
#include <stdlib.h>

#include "core/cap.h"
#include "core/uses.h"
#include "core/withheld.h"
#include "lib/container.h"
#include "lib/sat.h"
#include "workload/workload.h"

/* ---- the line of a queue ---- */

static bool queue_less(const struct rank_node *a, const struct rank_node *b)
{
	return workload_before(container_of(a, struct workload, in_queue),
			       container_of(b, struct workload, in_queue));
}

static const struct rank_order in_line = { .less = queue_less };

void pending_init(struct queue *q)
{
	rankset_init(&q->waiting, &in_line);
}

void pending_add(struct engine *e, struct workload *w)
{
	struct shape *s = w->shape;
	int64_t weight = w->follower ? 0 : w->tasks;

	if (!s->q->waiting.root)
		account_waits(e, s->q, true);
	w->joined = e->plans;
	if (!s->waiting.root) {
		list_push(&s->q->shapes, s, next, link_in_queue);
		s->q->nshapes++;
	}
	rankset_insert(&s->waiting, &w->in_shape, 1);
	rankset_insert(&s->q->waiting, &w->in_queue, weight);
}

void pending_remove(struct engine *e, struct workload *w)
{
	struct shape *s = w->shape;

	rankset_remove(&s->waiting, &w->in_shape);
	rankset_remove(&s->q->waiting, &w->in_queue);
	if (!s->waiting.root) {
		kept_give_up(s);
		list_drop(s, next, link_in_queue);
		s->q->nshapes--;
	}
	if (!s->q->waiting.root)
		account_waits(e, s->q, false);
}

/* ---- how far the plan that runs, or ran last, came ---- */

void workload_renew(struct workload *w)
{
	uint64_t plan = w->shape->q->tree->plan;

	if (w->plan == plan)
		return;
	w->plan = plan;
	w->decision = NULL;
	w->done = false;
	w->because = NULL;
}

struct decision *workload_decision(const struct workload *w)
{
	return w->plan == w->shape->q->tree->plan ? w->decision : NULL;
}

/* The plan has dealt with quota that the workload owns, unless the claim was void. */
bool workload_is_undecided(const struct workload *w)
{
	if (w->plan != w->shape->q->tree->plan)
		return !w->claim;
	return !w->done && (!w->claim || (w->decision && w->decision->claim_void));
}

/* ---- jobs without nodes that are not in line ---- */

int engine_withhold(struct engine *e, int queue, const struct charge *charges, size_t n, int sign)
{
	struct queue *q;
	struct use *uses;
	size_t nuses;

	if (queue < 0 || (size_t) queue >= e->nqueues)
		return failed(EINVAL);
	q = &e->queues[queue];
	uses = uses_create(e, charges, n, &nuses);
	if (!uses)
		return -1;
	tree_request_plan(e, q->tree);
	for (size_t i = 0; i < nuses; i++) {
		int64_t *wanted = &q->unsubmitted[uses[i].pair];

		*wanted = max64(0, sat_add(*wanted, sign * uses[i].amount));
	}
	free(uses);
	return 0;
}

/* ---- freed quota that others own ---- */

bool owned_quota_is_void(const struct workload *w)
{
	const struct decision *d = workload_decision(w);

	return d && d->claim_void;
}

void owned_quota_lift(struct engine *e, const struct workload *w)
{
	bool later = false;

	if (!w->claim && !w->shape->q->tree->has_void)
		return;
	for (const struct workload *o = w->shape->q->tree->owners; o; o = o->claim->next_owner) {
		later |= o == w;
		if (later || owned_quota_is_void(o))
			claim_charge(e, o, -1);
	}
}
