/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.c - what a queue uses of a flavor and resource over time, and its waits
 */
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "must.h"
#include "replay/replay.h"

static double seconds(int64_t ns)
{
	return (double) ns / SPEC_SEC;
}

/* ---- use ---- */

static int64_t nominal_at(const struct replay_use *u, int64_t at, int64_t *next)
{
	return spec_nominal_at(u->spec, false, u->queue, u->quota, at, next);
}

/* From the last change until now the queue used as much as it did then. */
static void use_reckon(struct replay_use *u, int64_t at)
{
	const struct replay_point *last = u->npoints ? &u->points[u->npoints - 1] : NULL;
	double span = last ? seconds(at - last->at) : 0;

	u->used_time += (double) u->used * span;
	if (last && u->used > last->nominal)
		u->borrowed_time += (double) (u->used - last->nominal) * span;
}

/* From now on the queue uses that much. */
static void use_set(struct replay_use *u, int64_t at, int64_t used)
{
	size_t n = u->npoints;

	use_reckon(u, at);
	u->used = used;
	u->peak = max64(u->peak, used);
	if (n && u->points[n - 1].at == at) {
		u->points[n - 1].used = used;
		return;
	}
	u->points = must_grow(u->points, n, sizeof(*u->points));
	u->points[u->npoints++] = (struct replay_point) { at, used, nominal_at(u, at, NULL) };
}

/* Changes of the quota since the last point get one, too. */
static void use_follow(struct replay_use *u, int64_t at)
{
	int64_t next = INT64_MIN;

	while (u->npoints && next < at) {
		if (next != INT64_MIN)
			use_set(u, next, u->used);
		(void) nominal_at(u, u->points[u->npoints - 1].at, &next);
	}
}

void replay_use_change(struct replay_use *u, int64_t at, int64_t by)
{
	use_follow(u, at);
	use_set(u, at, u->used + by);
}

/* Over all the time */
static int64_t nominal_mean(const struct replay_use *u, int64_t from, int64_t until)
{
	int64_t next, first = nominal_at(u, from, &next);
	double sum = 0;

	if (next >= until)
		return first;
	for (int64_t at = from; at < until; at = next) {
		int64_t nominal = nominal_at(u, at, &next);

		next = min64(next, until);
		sum += (double) nominal * seconds(next - at);
	}
	return (int64_t) (sum / seconds(until - from) + 0.5);
}

/* Amount times seconds between two times */
static double used_between(const struct replay_use *u, int64_t from, int64_t until, int64_t end)
{
	double sum = 0;

	for (size_t i = 0; i < u->npoints; i++) {
		int64_t next = i + 1 < u->npoints ? u->points[i + 1].at : end;
		int64_t a = max64(u->points[i].at, from), b = min64(next, until);

		if (a < b)
			sum += (double) u->points[i].used * seconds(b - a);
	}
	return sum;
}

/* ---- a queue ---- */

static int wait_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return x < y ? -1 : x > y;
}

void replay_queue_close(struct replay_queue *q, const struct replay *r)
{
	for (size_t i = 0; i < q->nuses; i++) {
		struct replay_use *u = &q->uses[i];

		use_follow(u, r->end);
		use_reckon(u, r->end);
		u->nominal = nominal_mean(u, r->begin, r->end);
		u->steady_time = used_between(u, r->steady_begin, r->steady_end, r->end);
	}
	qsort(q->waits, q->nwaits, sizeof(*q->waits), wait_compare);
}

struct replay_queue replay_total(const struct replay *r)
{
	struct replay_queue all = { 0 };
	size_t nwaits = 0, nuses = 0;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++) {
		nwaits += r->queues[i].nwaits;
		nuses += r->queues[i].nuses;
	}
	all.waits = must(calloc(nwaits + 1, sizeof(*all.waits)));
	all.uses = must(calloc(nuses + 1, sizeof(*all.uses)));
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
		memcpy(all.uses + all.nuses, q->uses, q->nuses * sizeof(*q->uses));
		all.nuses += q->nuses;
	}
	qsort(all.waits, all.nwaits, sizeof(*all.waits), wait_compare);
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
