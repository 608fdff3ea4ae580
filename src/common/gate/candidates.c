/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.c - the workloads that may be evicted for one at the gate
 *
 * doc/how-it-decides.md, section 10: quota is there but nodes are not. The
 * rules are those of section 5.
 */
#include <stdlib.h>

#include "candidates/candidate.h"
#include "core/uses.h"
#include "core/workload_state.h"
#include "gate/gate.h"
#include "holding/holding.h"
#include "nomination/nomination.h"
#include "victims/target.h"

/* The others that may go, in the order of a search that does not stop when the workload fits */
static size_t others_find(struct gate *g, int64_t now, bool alone, bool picked,
			  size_t most, const struct target **targets)
{
	struct search s = {
		.e = g->e, .q = g->q, .w = g->w, .now = now,
		.demand = g->uses, .ndemand = g->nuses,
		.need = g->uses, .nneed = g->nuses, .everybody = true,
		.alone = alone, .picked = picked, .most = most,
		.pure = g->pure,
	};

	return targets_find(&s, targets);
}

int engine_candidates(struct engine *e, struct workload *w, int64_t now,
		      const struct candidates_query *query, struct candidates *found)
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
	found->list = victims_list(e, &e->arena, g.pure ? g.q : NULL, targets, n, &found->n);
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
		unit_mark(h, picked, picked);
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
static size_t allowed_find(struct gate *g, int64_t now, const struct victim *victims, size_t n)
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

	return h && g->nuses ? uses_of_pair(h->uses, h->nuses, g->uses[0].pair) : 0;
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
	const struct victim **all = arena_alloc(&g->e->arena, g->e->nqueues, sizeof(*all));

	for (size_t i = 0; all && i < n; i++) {
		const struct victim **most = largest_of(all, &victims[i]);

		if (!*most || held_of(g, victims[i].workload) > held_of(g, (*most)->workload))
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
	const struct victim **largest = largest_find(g, victims, n);
	size_t first = 0, last = n;
	bool allowed;

	if (!list || !largest)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (*largest_of(largest, &victims[i]) != &victims[i])
			list[first++] = victims[i];
		else
			list[--last] = victims[i];
	}
	if (!first || allowed_find(g, now, list, first) < first)
		return false;
	gate_remove_gone(g, list, first);
	allowed = allowed_find(g, now, list + first, n - first) == n - first;
	gate_forget_gone(list, first);
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
		if (stays < n && is_allowed_largest_last(&g, now, victims, n))
			stays = n;
	}
	gate_close(&g);
	return e->no_memory ? 0 : stays;
}

/* ---- victims that are not needed in the end ---- */

/* Puts back those that are not needed, the last one first. A unit is put back
 * together. The picked ones stay victims. */
static void needless_restore(struct gate *g, const struct victim *victims,
			     size_t n, bool evicting)
{
	for (size_t i = n; i-- > 0; ) {
		struct holding *h = holding_of(victims[i].workload);

		if (!h || !h->gone || h->picked || h->evicting != evicting)
			continue;
		unit_set_gone(h, false);
		target_restore(g->e, h);
		if (gate_fits(g))
			continue;
		unit_set_gone(h, true);
		target_remove(g->e, h);
		unit_mark(h, picked, true);
	}
}

/* Drops those that were put back */
static size_t victims_compact(struct victim *victims, const bool *keep, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct holding *h = holding_of(victims[i].workload);

		if (h ? h->gone : keep && keep[i])
			victims[kept++] = victims[i];
	}
	return kept;
}

static void needless_find(struct gate *g, const struct victim *victims, const bool *keep,
			  size_t n)
{
	gate_remove_gone(g, victims, n);
	for (size_t i = 0; i < n; i++) {
		if (keep && keep[i] && victims[i].workload->runs)
			unit_mark(victims[i].workload->held, picked, true);
	}
	if (!gate_fits(g))
		return;
	needless_restore(g, victims, n, false);
	needless_restore(g, victims, n, true);
}

size_t engine_drop_needless(struct engine *e, struct workload *w,
			    const struct charge *charges, size_t ncharges,
			    struct victim *victims, const bool *keep, size_t n)
{
	struct gate g;

	gate_open(&g, e, w);
	if (gate_ask(&g, charges, ncharges) == 0) {
		needless_find(&g, victims, keep, n);
		if (!e->books->log_lost)	/* else nobody knows who is needed */
			n = victims_compact(victims, keep, n);
		/* those that were put back have no marks any more */
		gate_forget_gone(victims, n);
		picked_mark(victims, n, false);
	}
	gate_close(&g);
	return n;
}

/* ---- in which order the rules take candidates, leaving starts aside ---- */

/* The keys are those of candidate_before(), but for the start and the number. */
struct ranked {
	size_t i;		/* in the caller's list */
	bool stays;		/* not on the way out yet; else all others are 0 */
	int list;
	int64_t priority;	/* of all priorities, by number: the lowest is 0 */
	bool running_on;	/* its turn is not over */
	int64_t cost;
};

static int by_priority(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	return compare64(a->priority, b->priority);
}

static int by_rank(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	const int orders[] = {
		compare64(a->stays, b->stays), compare64(a->list, b->list),
		compare64(a->priority, b->priority),
		compare64(a->running_on, b->running_on), compare64(a->cost, b->cost),
	};
	size_t i = 0;

	while (i + 1 < sizeof(orders) / sizeof(*orders) && !orders[i])
		i++;
	return orders[i];
}

/* Returns how many ranks there are. Those on the way out have that of the first others. */
static int ranks_number(struct ranked *all, size_t n, int *ranks)
{
	int rank = 0;

	qsort(all, n, sizeof(*all), by_rank);
	for (size_t k = 0; k < n; k++) {
		rank += k && all[k - 1].stays && by_rank(&all[k - 1], &all[k]);
		ranks[all[k].i] = rank;
	}
	return n ? rank + 1 : 0;
}

static void priorities_number(struct ranked *all, size_t n)
{
	int64_t number = 0;

	qsort(all, n, sizeof(*all), by_priority);
	for (size_t k = 0; k < n; k++) {
		bool next = k + 1 < n && by_priority(&all[k], &all[k + 1]);

		all[k].priority = all[k].stays ? number : 0;
		number += next;
	}
}

/* If there are too many ranks, two priorities that are next to each other count as one, and
 * so on: 3 lists, turns and costs make no more than 13. */
int engine_rank_candidates(const struct victim *list, size_t n, int *ranks)
{
	struct ranked *all = calloc(n + 1, sizeof(*all));

	if (!all)
		return failed(ENOMEM);
	for (size_t i = 0; i < n; i++) {
		const struct holding *h = holding_of(list[i].workload);

		all[i].i = i;
		if (!h || h->evicting)
			continue;
		all[i].stays = true;
		all[i].list = list[i].list;
		all[i].priority = h->priority;
		all[i].running_on = list[i].reason != VICTIM_TIME_BASED;
		all[i].cost = h->cost;
	}
	priorities_number(all, n);
	while (ranks_number(all, n, ranks) > RANKS_MOST) {
		for (size_t k = 0; k < n; k++) {
			all[k].priority /= 2;
			all[k].cost = all[k].cost > 0;
		}
	}
	free(all);
	return 0;
}
