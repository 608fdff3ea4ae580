/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count.c - what happens in a replay, as figures of queues
 */
#include <stdlib.h>

#include "replay/player.h"

void replay_keep_change(struct player *p, struct replay_queue *q, int64_t at,
			int64_t waiting)
{
	struct replay_change *grown;
	size_t size = q->changes_size ? 2 * q->changes_size : 64;

	if (!p->options->changes)
		return;
	if (q->nchanges == q->changes_size) {
		grown = realloc(q->changes, size * sizeof(*grown));
		if (!grown) {
			p->nomem = true;
			return;
		}
		q->changes = grown;
		q->changes_size = size;
	}
	q->changes[q->nchanges++] = (struct replay_change) { at, waiting };
}

static double seconds(int64_t ns)
{
	return (double) ns / SPEC_SEC;
}

static struct replay_use *use_find(struct replay_queue *q,
				   const struct charge *c)
{
	for (size_t i = 0; i < q->nuses; i++)
		if (q->uses[i].flavor == c->flavor &&
		    q->uses[i].resource == c->resource)
			return &q->uses[i];
	return NULL;
}

static void charges_count(struct player *p, const struct sim_event *event,
			  struct replay_queue *q, int sign, bool lost)
{
	double span = seconds(event->at - event->since - event->kept);

	for (size_t i = 0; i < event->ncharges; i++) {
		struct replay_use *u = use_find(q, &event->charges[i]);

		if (!u)
			continue;
		if (replay_use_change(u, event->at,
			       sign * event->charges[i].amount) < 0)
			p->nomem = true;
		if (lost)
			u->lost_time += (double) event->charges[i].amount *
				span;
	}
}

/* Does the queue borrow when it has that as well? */
static bool will_borrow(struct replay_queue *q, const struct sim_event *event)
{
	for (size_t i = 0; i < event->ncharges; i++) {
		const struct replay_use *u = use_find(q, &event->charges[i]);

		if (u && event->charges[i].amount >
		    spec_nominal_at(u->spec, false, u->queue, u->quota,
				    event->at, NULL) - u->used)
			return true;
	}
	return false;
}

static void start_count(struct player *p, struct entry *e,
			const struct sim_event *event)
{
	struct replay_queue *q = &p->r->queues[e->queue];
	int64_t at = event->at;

	if (e->started)
		return;
	e->started = true;
	q->started++;
	q->waits[q->nwaits++] = at - e->submit;
	if (will_borrow(q, event)) {
		q->borrower_wait += seconds(at - e->submit);
	} else {
		q->owners++;
		q->owner_wait += seconds(at - e->submit);
	}
	for (size_t i = 0; i < event->ncharges; i++) {
		struct replay_use *u = use_find(q, &event->charges[i]);
		double amount = (double) event->charges[i].amount;

		if (!u)
			continue;
		u->asked += amount;
		u->waited += amount * seconds(at - e->submit);
	}
}

static const struct trace_job *job_of(const struct player *p,
				      const struct entry *e)
{
	return e ? &p->trace->jobs[e - p->entries] : NULL;
}

static void event_tell(const struct player *p, const struct sim_event *event)
{
	const struct entry *e = event->owner;
	struct replay_event told = {
		.kind = event->kind, .at = event->at, .job = job_of(p, e),
		.by = job_of(p, event->by),
		.queue = p->r->conf->spec->queues[e->queue].name,
	};

	if (p->options->event)
		p->options->event(p->options->event_arg, &told);
}

void replay_count(void *arg, const struct sim_event *event)
{
	struct player *p = arg;
	struct entry *e = event->owner;
	struct replay_queue *q = &p->r->queues[e->queue];

	p->r->end = p->changed = event->at;
	event_tell(p, event);
	switch (event->kind) {
	case SIM_START:
		replay_keep_change(p, q, event->at, -1);
		start_count(p, e, event);
		charges_count(p, event, q, 1, false);
		break;
	case SIM_EVICT:
		q->evictions++;
		p->in_vain++;
		replay_keep_change(p, q, event->at, 0);
		break;
	case SIM_GONE:
		replay_keep_change(p, q, event->at, 1);
		if (event->kept > 0)
			p->in_vain = 0;
		q->lost += seconds(event->at - event->since - event->kept);
		charges_count(p, event, q, -1, true);
		break;
	case SIM_END:
		charges_count(p, event, q, -1, false);
		q->ended++;
		p->in_vain = 0;
		p->ended++;
		break;
	}
}
