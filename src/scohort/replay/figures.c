/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.c - what a queue uses of a flavor and resource over time, and its waits
 */
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "must.h"
#include "replay/replay.h"

/* ---- use ---- */

static int64_t nominal_at(const struct replay_use *u, int64_t at, int64_t *next)
{
	return spec_nominal_at(u->spec, false, u->queue, u->quota, at, next);
}

/* From now on the queue uses that much. */
static void use_set(struct replay_use *u, int64_t at, int64_t used)
{
	struct replay_point *last = u->npoints ? &u->points[u->npoints - 1] : NULL;

	u->used = used;
	u->peak = max64(u->peak, used);
	if (last && last->at == at) {
		last->used = used;
		return;
	}
	u->points = must_grow(u->points, u->npoints, sizeof(*u->points));
	u->points[u->npoints++] = (struct replay_point) { at, used, nominal_at(u, at, NULL) };
}

/* Changes of the quota since the last point get one, too. */
static void use_follow(struct replay_use *u, int64_t at)
{
	int64_t next;

	for (;;) {
		(void) nominal_at(u, u->points[u->npoints - 1].at, &next);
		if (next >= at)
			return;
		use_set(u, next, u->used);
	}
}

void replay_use_open(struct replay_use *u, int64_t begin)
{
	use_set(u, begin, 0);
}

void replay_use_change(struct replay_use *u, int64_t at, int64_t by)
{
	use_follow(u, at);
	use_set(u, at, u->used + by);
}

/* All sums over time are made of the points. */
static void use_close(struct replay_use *u, const struct replay *r)
{
	double nominal = 0, all = seconds(r->end - r->begin);

	use_follow(u, r->end);
	for (size_t i = 0; i < u->npoints; i++) {
		const struct replay_point *p = &u->points[i];
		int64_t until = i + 1 < u->npoints ? p[1].at : r->end;
		int64_t from = max64(p->at, r->steady_begin);
		double span = seconds(until - p->at), used = (double) p->used;

		nominal += (double) p->nominal * span;
		u->used_time += used * span;
		if (p->used > p->nominal)
			u->borrowed_time += (double) (p->used - p->nominal) * span;
		if (from < min64(until, r->steady_end))
			u->steady_time += used * seconds(min64(until, r->steady_end) - from);
	}
	u->nominal = all > 0 ? (int64_t) (nominal / all + 0.5) : u->points[0].nominal;
}

/* ---- a queue ---- */

static int wait_compare(const void *a, const void *b)
{
	return compare64(*(const int64_t *) a, *(const int64_t *) b);
}

void replay_queue_close(struct replay_queue *q, const struct replay *r)
{
	for (size_t i = 0; i < q->nuses; i++)
		use_close(&q->uses[i], r);
	qsort(q->waits, q->nwaits, sizeof(*q->waits), wait_compare);
}

/* Adds what all queues together use of a flavor and resource, if any has quota of it. */
static void use_total(struct replay_queue *all, const struct replay *r, int flavor, int resource)
{
	struct replay_use sum = { .flavor = flavor, .resource = resource };

	for (size_t q = 0; q < r->conf->spec->nqueues; q++) {
		for (size_t i = 0; i < r->queues[q].nuses; i++) {
			const struct replay_use *u = &r->queues[q].uses[i];

			if (u->flavor != flavor || u->resource != resource)
				continue;
			sum.quota = u->quota;
			sum.nominal += u->nominal;
			sum.used_time += u->used_time;
			sum.borrowed_time += u->borrowed_time;
			sum.lost_time += u->lost_time;
			sum.steady_time += u->steady_time;
			sum.waited += u->waited;
			sum.asked += u->asked;
		}
	}
	if (sum.quota) {
		all->uses = must_grow(all->uses, all->nuses, sizeof(sum));
		all->uses[all->nuses++] = sum;
	}
}

struct replay_queue replay_total(const struct replay *r)
{
	struct replay_queue all = { 0 };
	size_t nwaits = 0;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++)
		nwaits += r->queues[i].nwaits;
	all.waits = must(calloc(nwaits + 1, sizeof(*all.waits)));
	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
		const struct replay_queue *q = &r->queues[i];

		all.jobs += q->jobs;
		all.started += q->started;
		all.ended += q->ended;
		all.owners += q->owners;
		all.owner_wait += q->owner_wait;
		all.borrower_wait += q->borrower_wait;
		all.evictions += q->evictions;
		all.lost += q->lost;
		memcpy(all.waits + all.nwaits, q->waits, q->nwaits * sizeof(*q->waits));
		all.nwaits += q->nwaits;
	}
	qsort(all.waits, all.nwaits, sizeof(*all.waits), wait_compare);
	for (size_t f = 0; f < r->conf->spec->nflavors; f++)
		for (size_t s = 0; s < r->conf->spec->nresources; s++)
			use_total(&all, r, (int) f, (int) s);
	return all;
}

int64_t replay_wait(const struct replay_queue *q, int p)
{
	size_t i = q->nwaits * (size_t) p / 100;

	return q->nwaits ? q->waits[i < q->nwaits ? i : q->nwaits - 1] : 0;
}

double replay_wait_mean(const struct replay_queue *q)
{
	double sum = 0;

	for (size_t i = 0; i < q->nwaits; i++)
		sum += seconds(q->waits[i]);
	return q->nwaits ? sum / (double) q->nwaits : 0;
}
