/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * use.c - what a queue uses of a flavor and resource over time
 */
#include <stdlib.h>

#include "lib/sat.h"
#include "replay/replay.h"

static double seconds(int64_t ns)
{
	return (double) ns / SPEC_SEC;
}

/* From the last change until now the queue used as much as it did then. */
static void use_reckon(struct replay_use *u, int64_t at)
{
	const struct replay_point *last;
	double span;

	if (!u->npoints)
		return;
	last = &u->points[u->npoints - 1];
	span = seconds(at - last->at);
	u->used_time += (double) u->used * span;
	if (u->used > last->nominal)
		u->borrowed_time += (double) (u->used - last->nominal) * span;
}

/* From now on the queue uses that much. -1: no memory */
static int use_set(struct replay_use *u, int64_t at, int64_t used)
{
	size_t n = u->npoints;
	struct replay_point *grown;

	use_reckon(u, at);
	u->used = used;
	if (u->used > u->peak)
		u->peak = u->used;
	if (n && u->points[n - 1].at == at) {
		u->points[n - 1].used = u->used;
		return 0;
	}
	if (!(n & (n - 1))) {
		grown = realloc(u->points, (n ? 2 * n : 1) * sizeof(*grown));
		if (!grown)
			return -1;
		u->points = grown;
	}
	u->points[u->npoints++] = (struct replay_point) {
		at, u->used, spec_nominal_at(u->spec, false, u->queue,
					     u->quota, at, NULL),
	};
	return 0;
}

/* Changes of the quota since the last point get one, too. -1: no memory */
static int use_follow(struct replay_use *u, int64_t at)
{
	while (u->npoints) {
		int64_t next;

		(void) spec_nominal_at(u->spec, false, u->queue, u->quota,
				       u->points[u->npoints - 1].at, &next);
		if (next >= at)
			return 0;
		if (use_set(u, next, u->used) < 0)
			return -1;
	}
	return 0;
}

int replay_use_change(struct replay_use *u, int64_t at, int64_t by)
{
	return use_follow(u, at) < 0 ? -1 : use_set(u, at, u->used + by);
}

/* Over all the time */
static int64_t nominal_mean(const struct replay_use *u, int64_t from,
			    int64_t until)
{
	int64_t at = from, next, first;
	double sum = 0;

	first = spec_nominal_at(u->spec, false, u->queue, u->quota, at, &next);
	if (next >= until)
		return first;
	for (; at < until; at = next) {
		int64_t nominal = spec_nominal_at(u->spec, false, u->queue,
						  u->quota, at, &next);

		next = min64(next, until);
		sum += (double) nominal * seconds(next - at);
	}
	return (int64_t) (sum / seconds(until - from) + 0.5);
}

/* Amount times seconds between two times */
static double used_between(const struct replay_use *u, int64_t from,
			   int64_t until, int64_t end)
{
	double sum = 0;

	for (size_t i = 0; i < u->npoints; i++) {
		int64_t next = i + 1 < u->npoints ? u->points[i + 1].at : end;
		int64_t a = max64(u->points[i].at, from);
		int64_t b = min64(next, until);

		if (a < b)
			sum += (double) u->points[i].used * seconds(b - a);
	}
	return sum;
}

int replay_use_close(struct replay_use *u, const struct replay *r)
{
	if (use_follow(u, r->end) < 0)
		return -1;
	use_reckon(u, r->end);
	u->nominal = nominal_mean(u, r->begin, r->end);
	u->steady_time = used_between(u, r->steady_begin, r->steady_end,
				      r->end);
	return 0;
}
