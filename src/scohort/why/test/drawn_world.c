/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * drawn_world.c - small random worlds, with jobs that run in them
 */
#include <stdio.h>

#include "drawn_world.h"
#include "random/draw.h"

static int pick(struct drawn *d, int n)
{
	return (int) random_below(&d->random, (uint64_t) n);
}

__attribute__((format(printf, 2, 3)))
static void tell(struct drawn *d, const char *format, ...)
{
	size_t used = strlen(d->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(d->text + used, sizeof(d->text) - used, format, ap);
	va_end(ap);
}

static void quotas_draw(struct drawn *d, bool two)
{
	static const char *const pairs[] = { "cpu@f", "gpu@f", "cpu@g", "gpu@g" };

	for (int i = 0; i < (two ? 4 : 2); i++) {
		tell(d, " %s=%d", pairs[i], pick(d, 4));
		if (!pick(d, 6))
			tell(d, "+%d", pick(d, 4));
		if (!pick(d, 6))
			tell(d, "-%d", pick(d, 3));
	}
}

static void queue_draw(struct drawn *d, int i, int cohorts, bool two)
{
	static const char *const within[] = { "never", "never", "lower", "newer" };
	static const char *const reclaim[] = { "never", "lower", "any", "any" };
	const char *policy = reclaim[pick(d, 4)];

	tell(d, "queue %c in c%d within=%s reclaim=%s", 'a' + i,
	     pick(d, cohorts), within[pick(d, 4)], policy);
	if (strcmp(policy, "never") && !pick(d, 4))
		tell(d, " borrow=lower%s", pick(d, 3) ? "" : " threshold=1");
	if (!pick(d, 6))
		tell(d, " rmin=%d", 30 + pick(d, 60));
	if (!pick(d, 6))
		tell(d, " pmin=%d", 30 + pick(d, 60));
	if (!pick(d, 4))
		tell(d, " max=1");
	if (!pick(d, 12))
		tell(d, " hold");
	if (!pick(d, 6))
		tell(d, " strict");
	if (d->yields && pick(d, 2))
		tell(d, " yield=1");
	if (d->yields && strcmp(policy, "never") && !pick(d, 4))
		tell(d, " delay=%d", 30 + pick(d, 60));
	quotas_draw(d, two);
	tell(d, "\n");
}

/* Jobs start one after the other where there is quota for them. */
static void running_draw(struct drawn *d, struct world *w, bool two)
{
	struct running *r = &d->jobs[d->njobs];
	char statement[128];
	struct nomination nom;
	struct workload *x;

	snprintf(r->name, sizeof(r->name), "r%d", d->njobs);
	snprintf(r->queue, sizeof(r->queue), "%c", 'a' + pick(d, d->nqueues));
	snprintf(r->flavor, sizeof(r->flavor), "%c", two ? 'f' + pick(d, 2) : 'f');
	r->cpu = 1 + pick(d, 3);
	r->gpu = pick(d, 3);
	r->since = 1 + pick(d, NOW - 1);
	r->lost = !pick(d, 4);
	r->priority = pick(d, 3);
	snprintf(statement, sizeof(statement),
		 "wait %s in %s cpu=%d gpu=%d%s prio=%d%s\n", r->name, r->queue,
		 r->cpu, r->gpu, !two ? "" : *r->flavor == 'f' ? " not=g"
		 : " not=f", r->priority, r->lost ? " times=1" : "");
	world_tell(w, statement);
	x = world_workload(w, r->name);
	assert_int_equal(engine_nominate(w->engine, x, NOW, NULL, &nom), 0);
	if (nom.mode != MODE_FIT) {
		engine_remove(w->engine, x);
		w->nworkloads--;
		return;
	}
	engine_start(w->engine, x, nom.charges, nom.ncharges, r->since);
	tell(d, "%s", statement);
	d->njobs++;
}

struct world *world_draw(struct drawn *d, uint64_t seed, bool yields)
{
	struct world *w;

	int cohorts;
	bool two;

	*d = (struct drawn) { .random = seed * 7919, .yields = yields };
	two = pick(d, 2);
	if (!pick(d, 3))
		tell(d, "site fair\n");
	cohorts = 1 + pick(d, 4);
	d->nqueues = 2 + pick(d, MOST_QUEUES - 3);
	for (int i = 0; i < cohorts; i++) {
		tell(d, "cohort c%d", i);
		if (i)
			tell(d, " in c%d", pick(d, i));
		if (!pick(d, 5))
			tell(d, " rmin=%d", 30 + pick(d, 60));
		if (!pick(d, 3))
			quotas_draw(d, two);
		tell(d, "\n");
	}
	for (int i = 0; i < d->nqueues; i++)
		queue_draw(d, i, cohorts, two);
	w = world_create(d->text);
	world_engine(w);
	for (int i = 0; i < MOST_JOBS; i++)
		running_draw(d, w, two);
	return w;
}
