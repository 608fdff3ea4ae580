/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.c - the workloads that may be evicted for one at the gate
 *
 * doc/how-it-decides.md, section 10: quota is there but nodes are not. The
 * rules are those of section 5.
 */
#include <errno.h>

#include "nomination/nomination.h"
#include "gate/gate.h"
#include "victims/target.h"
#include "holding/unit.h"

/* The others that may go, in the order of a search that does not stop when the
 * workload fits */
static size_t others_find(struct gate *g, int64_t now, bool alone, bool picked,
			  size_t most, const struct target **targets)
{
	struct search s = {
		.e = g->e, .q = g->q, .w = g->w, .now = now,
		.demand = g->uses, .ndemand = g->nuses,
		.nneed = g->nuses, .everybody = true,
		.alone = alone, .picked = picked, .most = most,
		.pure = g->pure,
	};
	int *need = arena_alloc(&g->e->arena, g->nuses, sizeof(*need));

	if (!need) {
		g->e->no_memory = true;
		return 0;
	}
	for (size_t i = 0; i < g->nuses; i++)
		need[i] = g->uses[i].pair;
	s.need = need;
	return targets_find(&s, targets);
}

int engine_candidates(struct engine *e, struct workload *w, int64_t now,
		      const struct candidates_query *query,
		      struct candidates *found)
{
	const struct target *targets = NULL;
	struct gate g;
	size_t n = 0;
	int rc;

	*found = (struct candidates) { 0 };
	gate_open(&g, e, w);
	rc = gate_ask(&g, query->charges, query->ncharges);
	if (rc == 0) {
		gate_remove_gone(&g, query->gone, query->ngone);
		n = others_find(&g, now, query->alone, false,
				query->most, &targets);
		gate_forget_gone(query->gone, query->ngone);
	}
	gate_close(&g);
	found->list = victims_list(e, g.pure ? g.q : NULL, targets, n,
				   &found->n);
	found->protected_until = e->searches->passed.until;
	if (rc == 0 && !e->no_memory)
		return 0;
	*found = (struct candidates) { 0 };
	if (rc == 0)
		errno = ENOMEM;
	return -1;
}

/* All of its unit, which is marked alike */
static void picked_set(struct holding *h, bool picked)
{
	if (h->picked != picked)
		unit_set_picked(h, picked);
}

static void picked_mark(const struct victim *victims, size_t n, bool picked)
{
	for (size_t i = 0; i < n; i++) {
		if (victims[i].workload->runs)
			picked_set(victims[i].workload->held, picked);
	}
}

/* The first of these that a search in its own order leaves, or n. Those that it takes lose
 * their mark. */
static size_t allowed_find(struct gate *g, int64_t now,
			   const struct victim *victims, size_t n)
{
	const struct target *targets = NULL;
	size_t found, i = 0;

	picked_mark(victims, n, true);
	found = others_find(g, now, false, true, 0, &targets);
	if (g->e->no_memory)
		found = 0;
	for (size_t k = 0; k < found; k++)
		picked_set(targets[k].h, false);
	while (i < n && (workload_evicting(victims[i].workload)
			 || (victims[i].workload->runs
			     && !victims[i].workload->held->picked)))
		i++;
	picked_mark(victims, n, false);
	return i;
}

/* How much it holds of what the workload asks for first */
static int64_t held_of(const struct gate *g, const struct workload *w)
{
	const struct holding *h = holding_of(w);
	int64_t sum = 0;

	for (size_t i = 0; h && g->nuses && i < h->nuses; i++) {
		if (h->uses[i].pair == g->uses[0].pair)
			sum = sat_add(sum, h->uses[i].amount);
	}
	return sum;
}

static const struct victim **largest_of(const struct victim **largest,
					const struct victim *victim)
{
	return &largest[victim->workload->shape->q->index];
}

/* By queue, the one that holds most; of those that hold as much, the first one. NULL: no
 * memory */
static const struct victim **largest_find(const struct gate *g,
					  const struct victim *victims, size_t n)
{
	const struct victim **all = arena_alloc(&g->e->arena, g->e->nqueues,
						sizeof(*all));

	for (size_t i = 0; all && i < n; i++) {
		const struct victim **most = largest_of(all, &victims[i]);

		if (!*most || held_of(g, victims[i].workload)
			      > held_of(g, (*most)->workload))
			*most = &victims[i];
	}
	return all;
}

/* A queue gives as long as it borrows, and may then have given too much: it
 * gives most when its largest goes last. Are all allowed in that order? */
static bool is_allowed_largest_last(struct gate *g, int64_t now,
				    const struct victim *victims, size_t n)
{
	struct victim *list = arena_alloc(&g->e->arena, n, sizeof(*list));
	struct workload **gone = arena_alloc(&g->e->arena, n, sizeof(*gone));
	const struct victim **largest = largest_find(g, victims, n);
	size_t first = 0, last = n;
	bool allowed;

	if (!list || !gone || !largest)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (*largest_of(largest, &victims[i]) != &victims[i])
			list[first++] = victims[i];
		else
			list[--last] = victims[i];
	}
	for (size_t i = 0; i < first; i++)
		gone[i] = list[i].workload;
	if (!first || allowed_find(g, now, list, first) < first)
		return false;
	gate_remove_gone(g, gone, first);
	allowed = allowed_find(g, now, list + first, n - first) == n - first;
	gate_forget_gone(gone, first);
	return allowed;
}

size_t engine_allowed(struct engine *e, struct workload *w, int64_t now,
		      const struct charge *charges, size_t ncharges,
		      const struct victim *victims, size_t n)
{
	size_t stays = 0;
	struct gate g;

	gate_open(&g, e, w);
	if (gate_ask(&g, charges, ncharges) == 0) {
		stays = allowed_find(&g, now, victims, n);
		if (stays < n
		    && is_allowed_largest_last(&g, now, victims, n))
			stays = n;
	}
	gate_close(&g);
	return e->no_memory ? 0 : stays;
}
