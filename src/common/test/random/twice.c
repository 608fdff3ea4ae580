/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * twice.c - a random world, and what happens in it, played in two ways
 */
#include <stdio.h>

#include "random/draw.h"
#include "random/twice.h"

#define ROUNDS 3

static void told(struct text *t, struct world *const *worlds, const char *words)
{
	say(t, "%s\n", words);
	for (int k = 0; k < 2; k++)
		world_tell(worlds[k], words);
}

static bool runs(const struct world *w, size_t i)
{
	return w->workloads[i] && workload_running(w->workloads[i]);
}

/* The plan lets it go, and it needs no more than the one flavor of these worlds. */
static bool may_start(const struct world *w, size_t i)
{
	const struct workload *x = w->workloads[i];

	return engine_verdict(w->engine, x)->kind == VERDICT_START
	       && x->tasks == 1 && !x->bond && !x->claim;
}

static void start_draw(struct text *t, struct world *const *worlds, size_t i)
{
	const struct world *w = worlds[0];
	const struct podset_desc *ps = w->workloads[i]->shape->podsets;
	char words[128];
	size_t n = (size_t) snprintf(words, sizeof(words), "start %s", w->names[i]);

	for (size_t r = 0; r < ps->nrequests; r++)
		n += (size_t) snprintf(words + n, sizeof(words) - n, " %s@f=%d",
				       ps->requests[r].resource ? "mem" : "cpu",
				       (int) ps->requests[r].amount);
	told(t, worlds, words);
}

/* Some victims begin to end, some jobs are over, and some start. */
static void events_draw(struct text *t, struct world *const *worlds)
{
	const struct world *w = worlds[0];
	char words[64];

	for (size_t i = 0; i < w->nworkloads; i++) {
		const char *verb = odds(t, 50) ? "evicting" : "remove";

		if (!w->workloads[i] || !odds(t, 12))
			continue;
		if (!runs(w, i)) {
			verb = "remove";
			if (may_start(w, i) && odds(t, 70)) {
				start_draw(t, worlds, i);
				continue;
			}
		}
		snprintf(words, sizeof(words), "%s %s", verb, w->names[i]);
		told(t, worlds, words);
	}
}

/* Some jobs begin to wait, in the queue of another one. */
static void arrivals_draw(struct text *t, struct world *const *worlds, int round)
{
	const struct world *w = worlds[0];
	char words[96];

	for (int k = 0; k < 3 && w->engine->books->nresources == 2; k++) {
		size_t i = (size_t) pick(t, (int) w->nworkloads);

		if (!w->workloads[i])
			continue;
		snprintf(words, sizeof(words), "wait n%d%d in %c cpu=%d mem=%d prio=%d at=%d",
			 round, k, 'a' + workload_queue(w->workloads[i]),
			 1 + pick(t, 7), pick(t, 7), pick(t, 3), 40 + round);
		told(t, worlds, words);
	}
}

/* Who goes for each that preempts, behind the verdicts */
static void victims_say(struct world *world)
{
	for (size_t i = 0; i < world->nworkloads; i++) {
		const struct verdict *v;
		size_t n = strlen(world->text);

		if (!world->workloads[i] || runs(world, i))
			continue;
		v = engine_verdict(world->engine, world->workloads[i]);
		for (size_t k = 0; v->kind == VERDICT_PREEMPT && k < v->nvictims; k++)
			n += (size_t) snprintf(world->text + n,
				sizeof(world->text) - n, " %s:%s/%d", world->names[i],
				world_name(world, v->victims[k].workload),
				(int) v->victims[k].reason);
	}
}

static const char *planned(struct world *world, int64_t now)
{
	world_plan(world, now);
	victims_say(world);
	return world->text;
}

static bool is_same(struct world *const *worlds, int64_t now,
		    const char *(*ask)(struct world *world, int64_t now), bool *plain)
{
	for (int k = 0; k < 2; k++) {
		*plain = k;
		ask(worlds[k], now);
	}
	*plain = false;
	return !strcmp(worlds[0]->text, worlds[1]->text);
}

void twice_play(struct text *t, uint64_t seed,
		void (*write)(struct text *t, uint64_t seed), bool *plain)
{
	struct world *worlds[2];

	write(t, seed);
	for (int k = 0; k < 2; k++)
		worlds[k] = world_create(t->bytes);
	for (int64_t now = 100; now < 100 + ROUNDS; now++) {
		if (!is_same(worlds, now, world_cycle, plain)
		    || !is_same(worlds, now, planned, plain))
			fail_msg("seed %d:\n%s\nanswers    %s\nshould say %s",
				 (int) seed, t->bytes, worlds[0]->text, worlds[1]->text);
		events_draw(t, worlds);
		arrivals_draw(t, worlds, (int) now);
	}
	for (int k = 0; k < 2; k++)
		world_destroy(worlds[k]);
}

uint64_t twice_play_worlds(uint64_t worlds,
			   void (*write)(struct text *t, uint64_t seed), bool *plain)
{
	static struct text t;

	worlds = seeds_wanted(worlds);
	for (uint64_t seed = 1; seed <= worlds; seed++)
		twice_play(&t, seed, write, plain);
	return worlds;
}
