/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting_world.c - small random worlds in which jobs wait, and what the plugin shows of them
 */
#include <stdio.h>

#include "query.h"
#include "random/draw.h"
#include "drawn_world.h"

/* ---- worlds ---- */

static int pick(struct line *l, int n)
{
	return (int) random_below(&l->d.random, (uint64_t) n);
}

static void event_tell(struct line *l, struct world *w, const char *statement)
{
	size_t used = strlen(l->text);

	snprintf(l->text + used, sizeof(l->text) - used, "%s", statement);
	world_tell(w, statement);
}

static void waiting_draw(struct line *l, struct world *w, int i)
{
	static const char *const not[] = { " not=f", " not=g", "", "" };
	char statement[128];

	snprintf(statement, sizeof(statement),
		 "wait w%d in %c cpu=%d gpu=%d at=%d prio=%d%s%s%s\n", i,
		 'a' + pick(l, l->d.nqueues), 1 + pick(l, 4), pick(l, 4), i, pick(l, 4),
		 w->spec->nflavors > 1 ? not[pick(l, 4)] : pick(l, 20) ? "" : " not=f",
		 pick(l, 3) ? "" : " times=1", pick(l, 4) ? "" : " fixed");
	event_tell(l, w, statement);
}

struct workload *next_to_go(struct world *w)
{
	struct workload *next = NULL;

	for (size_t i = 0; i < w->nworkloads; i++) {
		struct workload *x = w->workloads[i];
		const struct verdict *v;

		if (workload_running(x))
			continue;
		v = engine_verdict(w->engine, x);
		if (((v->kind == VERDICT_START && !x->blocked) || v->kind == VERDICT_PREEMPT)
		    && (!next || v->rank < engine_verdict(w->engine, next)->rank)) next = x;
	}
	return next;
}

/* It starts, or finds no nodes, or has others evicted. */
static void go(struct line *l, struct world *w, struct workload *x)
{
	struct nomination nom;

	assert_int_equal(engine_nominate(w->engine, x, NOW, NULL, &nom), 0);
	if (nom.mode == MODE_FIT && !pick(l, 8)) {
		engine_blocked(w->engine, x, true);
		return;
	}
	if (nom.mode == MODE_FIT) {
		engine_start(w->engine, x, nom.charges, nom.ncharges, NOW);
		return;
	}
	for (size_t i = 0; i < nom.nvictims; i++)
		engine_evicting(w->engine, nom.victims[i].workload, true);
	assert_int_equal(engine_own(w->engine, x, nom.charges, nom.ncharges), 0);
}

struct world *line_draw(struct line *l, uint64_t seed)
{
	struct world *w = world_draw(&l->d, seed, true);
	struct workload *x;

	l->text[0] = '\0';
	for (int i = 0; i < l->d.njobs; i++) {
		if (pick(l, 6))
			continue;
		engine_keep_nonpreemptible(w->engine, w->workloads[i], true);
		snprintf(l->text + strlen(l->text), sizeof(l->text) - strlen(l->text),
			 "fix r%d\n", i);
	}
	for (int i = 0; i < MOST_WAITING; i++)
		waiting_draw(l, w, i);
	for (int i = 0; i < 3 * MOST_WAITING; i++) {
		assert_int_not_equal(engine_plan(w->engine, NOW), -1);
		x = next_to_go(w);
		if (!x)
			break;
		go(l, w, x);
	}
	return w;
}

/* ---- texts ---- */

static void protected_text(const struct verdict *v, char *text, size_t size)
{
	if (v->delayed)
		snprintf(text, size, "delayed(until=%02d:%02d:%02d)", (int) (v->until / 3600),
			 (int) (v->until / 60 % 60), (int) (v->until % 60));
	else if (v->spent)
		snprintf(text, size, "protected(maxPreemptions)");
	else if (v->fixed)
		snprintf(text, size, "protected(nonpreemptible)");
	else
		snprintf(text, size, "protected(until=%02d:%02d:%02d)", (int) (v->until / 3600),
			 (int) (v->until / 60 % 60), (int) (v->until % 60));
}

static void wait_text(const struct world *w, const struct verdict *v, char *text, size_t size)
{
	const char *flavor = v->flavor < 0 ? "any" : w->spec->flavors[v->flavor];
	const char *resource = v->resource < 0 ? "any" : w->spec->resources[v->resource];
	long need = v->need, max = v->max;

	if (v->reason == WAIT_IS_QUOTA)
		snprintf(text, size, "quota(%s@%s),need=%ld,free=%ld", resource, flavor, need,
			 (long) v->free);
	else if (v->reason == WAIT_IS_PREEMPTING)
		snprintf(text, size, "preempting(%zu)", v->nvictims);
	else if (v->reason == WAIT_IS_PROTECTED)
		protected_text(v, text, size);
	else if (v->reason == WAIT_IS_NEVER && v->flavor < 0)
		snprintf(text, size, "never(nodes)");
	else if (v->reason == WAIT_IS_NEVER)
		snprintf(text, size, "never(max=%ld),need=%ld_%s@%s", max, need, resource, flavor);
	else if (v->reason == WAIT_IS_NONPREEMPTIBLE)
		snprintf(text, size, "nonpreemptible(%s@%s),cap=%ld,used=%ld,need=%ld", resource,
			 flavor, max, (long) v->used, need);
	else
		snprintf(text, size, "%s", v->reason == WAIT_IS_ORDER ? "order"
			 : v->reason == WAIT_IS_HELD ? "held(cq)" : "yields");
}

void shown_text(const struct world *w, const struct workload *x, char *text, size_t size)
{
	int64_t total, place = engine_place(w->engine, x, &total);
	char wait[128];

	wait_text(w, engine_verdict(w->engine, x), wait, sizeof(wait));
	snprintf(text, size, "Cohort:pos=%ld/%ld,wait=%s,cq=%s", (long) place, (long) total,
		 wait, w->spec->queues[workload_queue(x)].name);
}
