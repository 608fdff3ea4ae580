/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nomination.c - flavors and victims for a whole workload
 *
 * Flavors are assigned (doc/how-it-decides.md, section 4). If they need
 * preemption, victims are searched (section 5). What does not fit in full may
 * fit with fewer pods: Kueue's partial admission.
 */
#include <string.h>

#include "candidates/candidate.h"
#include "core/cap.h"
#include "core/tree_state.h"
#include "nomination/nomination.h"
#include "holding/holding.h"
#include "victims/target.h"

static const char *const reason_names[] = {
	[VICTIM_IN_CLUSTER_QUEUE] = "InClusterQueue",
	[VICTIM_TIME_BASED] = "InClusterQueueTimeBased",
	[VICTIM_RECLAMATION] = "InCohortReclamation",
	[VICTIM_RECLAIM_WHILE_BORROWING] = "InCohortReclaimWhileBorrowing",
	[VICTIM_FAIR_SHARING] = "InCohortFairSharing",
};

const char *victim_reason_name(enum victim_reason reason)
{
	return reason_names[reason];
}

/* Flavors, and victims where they need preemption */
static int nominate_counts(struct engine *e, const struct ask *ask, struct nominee *out)
{
	const struct assignment *a = &out->draft;
	struct search search = { .e = e, .q = ask->q, .w = ask->w, .now = ask->now };
	const struct target *targets;
	struct use *need;

	out->targets = NULL;
	out->ntargets = 0;
	out->owner = NULL;
	if (assign_flavors(e, ask, &out->draft) < 0)
		return -1;
	if (a->mode != MODE_PREEMPT)
		return 0;
	need = engine_alloc(e, &e->arena, a->nusage, sizeof(*need));
	for (size_t i = 0; need && i < a->nusage; i++) {
		if (a->needs[i])
			need[search.nneed++] = out->draft.uses[i];
	}
	search.need = need;
	search.demand = out->draft.uses;
	search.ndemand = a->nusage;
	out->ntargets = need ? targets_find(&search, &targets) : 0;
	out->owner = search.pure ? ask->q : NULL;
	out->targets = engine_alloc(e, &e->arena, out->ntargets, sizeof(*targets));
	if (!need || !out->targets)
		return -1;
	if (out->ntargets)
		memcpy(out->targets, targets, out->ntargets * sizeof(*targets));
	return 0;
}

/* How many pods the pod set can do without */
static int64_t podset_spare(const struct podset_desc *ps)
{
	return ps->min_count > 0 ? ps->count - ps->min_count : 0;
}

/* Step k of `steps` between the full counts and the smallest ones. The product
 * is computed in 128 bits. */
static void counts_reduce(const struct shape *shape, int64_t k, int64_t steps, int64_t *counts)
{
	for (size_t i = 0; i < shape->npodsets; i++) {
		const struct podset_desc *ps = &shape->podsets[i];

		counts[i] = ps->count - (int64_t) ((__int128) podset_spare(ps) * k / steps);
	}
}

/* Finds by bisection the largest counts that are good. Leaves *out alone if
 * even the smallest counts are not. */
static int nominate_fewer(struct engine *e, const struct ask *ask,
			  struct nominee *out, int64_t steps)
{
	const struct shape *shape = ask->w->shape;
	int64_t *counts = engine_alloc(e, &e->arena, shape->npodsets, sizeof(*counts));
	struct ask fewer = *ask;
	struct nominee good, trial;
	int64_t low = 0, high = steps + 1, good_at = -1;

	if (!counts)
		return -1;
	fewer.counts = counts;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		counts_reduce(shape, middle, steps, counts);
		if (nominate_counts(e, &fewer, &trial) < 0)
			return -1;
		if (outcome_goes(nominee_outcome(&trial))) {
			good = trial;
			good_at = high = middle;
		} else {
			low = middle + 1;
		}
	}
	if (good_at == low)
		*out = good;
	return 0;
}

/* Starts that the plan takes back are no victims. */
static bool evicts_others(const struct nominee *n, const struct queue *q)
{
	for (size_t i = 0; i < n->ntargets; i++) {
		if (!n->targets[i].h->tentative && takes_from_others(q, n->targets[i].h))
			return true;
	}
	return false;
}

/* It fits when those have gone that have ended by then at the latest. */
static bool enough_end(struct engine *e, const struct ask *ask, const struct nominee *n, int64_t by)
{
	const struct tree *tree = ask->q->tree;
	size_t mark = trial_begin(e);
	bool fits = false;

	for (size_t i = 0; i < tree->nqueues && !fits; i++) {
		for_each_holding(h, tree->queues[i]) {
			e->searches->looks++;
			if (h->gone || !(h->evicting || (h->ends_by && h->ends_by <= by)))
				continue;
			books_charge(e->books, h->q->node, h->uses, h->nuses, h->fixed, -1);
			fits = workload_fits(e, ask->w, n->draft.uses, n->draft.nusage);
			if (fits)
				break;
		}
	}
	trial_end(e, mark);
	return fits;
}

/* Until the delay of its queue is over, the workload waits as for victims that are protected
 * (section 6). */
static void delay_apply(struct engine *e, const struct ask *ask, struct nominee *out)
{
	int64_t from = workload_reclaims_from(ask->w, ask->now);

	if (ask->now >= from || !evicts_others(out, ask->q)
	    || (ask->q->spec.delay_if_expected && !enough_end(e, ask, out, from)))
		return;
	out->ntargets = 0;
	out->passed.protected = out->passed.protected_in_other_queue = true;
	out->passed.delayed = from;
}

int nominate(struct engine *e, const struct ask *ask, struct nominee *out)
{
	const struct shape *shape = ask->w->shape;
	int64_t spare = 0;

	e->searches->passed = (struct passed_over) { 0 };
	if (nominate_counts(e, ask, out) < 0)
		return -1;
	for (size_t i = 0; i < shape->npodsets && !e->no_partial; i++)
		spare += podset_spare(&shape->podsets[i]);
	if (outcome_fails(nominee_outcome(out)) && spare
	    && nominate_fewer(e, ask, out, spare) < 0)
		return -1;
	out->passed = e->searches->passed;
	delay_apply(e, ask, out);
	return 0;
}

enum outcome nominee_outcome(const struct nominee *n)
{
	switch (n->draft.mode) {
	case MODE_FIT:
		return OUTCOME_ADMITTED;
	case MODE_PREEMPT:
		return n->ntargets ? OUTCOME_PREEMPTING : OUTCOME_NO_CANDIDATES;
	default:
		return OUTCOME_NOFIT;
	}
}

const struct victim *victims_list(struct engine *e, struct arena *arena,
				  const struct queue *owner, const struct target *targets,
				  size_t n, size_t *nvictims)
{
	struct victim *victims = engine_alloc(e, arena, n, sizeof(*victims));

	*nvictims = 0;
	if (!victims)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (targets[i].h->tentative)
			continue;
		victims[*nvictims].workload = targets[i].h->w;
		victims[*nvictims].list = (unsigned char) targets[i].list;
		victims[*nvictims].pure = owner && is_elsewhere(owner, targets[i].h);
		victims[(*nvictims)++].reason = targets[i].reason;
	}
	return victims;
}
