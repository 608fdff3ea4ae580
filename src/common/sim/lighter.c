/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lighter.c - of the victims for nodes, those that lose least
 *
 * doc/how-it-decides.md, section 10, which victims for nodes. The plugin does
 * the same with the nodes of a cluster (placement/lighten.c); here all nodes of
 * a flavor are one, so what the search finds needs no second opinion, and
 * lentNodeWeight, which is about single nodes, does not count.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clearing/clearing.h"
#include "lib/arena.h"
#include "sim/sim_state.h"

_Static_assert(RANKS_MOST <= CLEARING_LEVELS, "a level for each rank");

/* As in the plugin: how often the rules are asked about a set, divided by the
 * number of candidates, and the looks of a search */
#define MAX_JUDGED 16384
#define MAX_LOOKS 200000

struct lighter {
	struct sim *sim;
	const struct sim_turn *turn;
	struct offer *offer;
	struct victim *list;		/* who may go, each with */
	struct clearing_item *items;	/* ... what is lost, */
	struct clearing_share *shares;	/* ... and what it has on nodes */
	int64_t *amounts;
	int64_t *idle, *need;		/* by charge of the offer */
	struct victim *set;		/* room for all of the list */
	struct workload **leaving;	/* the same */
	bool *gone, *now;		/* by item */
	int *ranks;			/* the same */
	size_t n;
	struct arena arena;		/* of all of these */
};

/* ---- what is lost ---- */

static double worth_of(const double *weights, const struct charge *charges,
		       size_t n)
{
	double sum = 0;

	for (size_t i = 0; weights && i < n; i++)
		sum += weights[charges[i].resource]
		       * (double) max64(charges[i].amount, 0);
	return sum;
}

/* Seconds of this run, the one that has begun included, times what it has */
static struct clearing_item loss_of(const struct sim *sim,
				    const struct workload *w)
{
	const struct sim_job *job = workload_owner(w);
	int64_t seconds = 1 + sim->now / SPEC_SEC - job->since / SPEC_SEC;
	const struct charge *charges;
	size_t n;

	if (workload_evicting(w))
		return (struct clearing_item) { .loss = 0 };
	charges = workload_charges(w, &n);
	return (struct clearing_item) {
		.loss = (double) seconds
			* worth_of(sim->options.loss, charges, n),
		.tie = (double) seconds
		       * worth_of(sim->options.loss_tie, charges, n),
	};
}

/* ---- candidates ---- */

static bool is_queue_of_victim(const struct offer *offer,
			       const struct workload *w)
{
	for (size_t i = 0; i < offer->nvictims; i++) {
		if (workload_queue(offer->victims[i].workload)
		    == workload_queue(w))
			return true;
	}
	return false;
}

/* With fair sharing the shares have decided which queues give; where the usage
 * of accounts counts, it decides who goes first. */
static bool may_propose(const struct lighter *l, const struct workload *w)
{
	const struct sim *sim = l->sim;
	int queue = workload_queue(w);

	if (sim->fair_sharing && !is_queue_of_victim(l->offer, w))
		return false;
	return !sim->queues[queue].by_usage
	       || !(sim->fair_sharing
		    || queue == l->turn->job->desc.work.queue);
}

static int candidates_list(struct lighter *l)
{
	struct candidates_query query = {
		.charges = l->offer->charges,
		.ncharges = l->offer->ncharges,
		.alone = true,
	};
	struct candidates found;

	if (engine_candidates(l->sim->engine, l->turn->job->work, l->sim->now,
			      &query, &found) < 0)
		return -1;
	l->sim->work += found.n;
	l->list = arena_alloc(&l->arena, found.n, sizeof(*l->list));
	for (size_t i = 0; l->list && i < found.n; i++) {
		if (may_propose(l, found.list[i].workload))
			l->list[l->n++] = found.list[i];
	}
	return l->list ? 0 : -1;
}

static int lighter_reserve(struct lighter *l)
{
	size_t nr = l->offer->ncharges;

	l->items = arena_alloc(&l->arena, l->n, sizeof(*l->items));
	l->shares = arena_alloc(&l->arena, l->n, sizeof(*l->shares));
	l->amounts = arena_alloc(&l->arena, l->n * nr, sizeof(*l->amounts));
	l->idle = arena_alloc(&l->arena, nr, sizeof(*l->idle));
	l->need = arena_alloc(&l->arena, nr, sizeof(*l->need));
	l->set = arena_alloc(&l->arena, l->n, sizeof(*l->set));
	l->leaving = arena_alloc(&l->arena, l->n, sizeof(struct workload *));
	l->gone = arena_alloc(&l->arena, l->n, sizeof(*l->gone));
	l->now = arena_alloc(&l->arena, l->n, sizeof(*l->now));
	l->ranks = arena_alloc(&l->arena, l->n, sizeof(*l->ranks));
	return l->arena.failed ? -1 : 0;
}

/* What each of them has of the offer's charges */
static void amounts_set(struct lighter *l, size_t item)
{
	size_t nr = l->offer->ncharges, n;
	int64_t *amounts = &l->amounts[item * nr];
	const struct charge *charges =
		workload_charges(l->list[item].workload, &n);

	for (size_t k = 0; k < nr; k++) {
		const struct charge *want = &l->offer->charges[k];

		for (size_t i = 0; i < n; i++) {
			if (charges[i].flavor == want->flavor
			    && charges[i].resource == want->resource)
				amounts[k] += max64(charges[i].amount, 0);
		}
	}
	l->shares[item] = (struct clearing_share) { 0, amounts };
	l->items[item].shares = &l->shares[item];
	l->items[item].nshares = 1;
}

static int items_set(struct lighter *l)
{
	if (engine_rank_candidates(l->list, l->n, l->ranks) < 0)
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		l->items[i] = loss_of(l->sim, l->list[i].workload);
		l->items[i].level = l->ranks[i];
		l->items[i].leaving = workload_evicting(l->list[i].workload);
		amounts_set(l, i);
	}
	return 0;
}

static void room_set(struct lighter *l)
{
	for (size_t k = 0; k < l->offer->ncharges; k++) {
		const struct charge *want = &l->offer->charges[k];
		int64_t room = *sim_room_of(l->sim, want->flavor, want->resource);

		l->idle[k] = max64(room, 0);
		l->need[k] = room == SPEC_UNLIMITED ? 0
			     : sat_add(want->amount, max64(sat_sub(0, room), 0));
	}
}

/* ---- sets ---- */

/* The offer's victims, as a set of the list. False: not all of them are in it */
static bool offer_mark(struct lighter *l)
{
	size_t known = 0;

	for (size_t i = 0; i < l->n; i++) {
		for (size_t k = 0; k < l->offer->nvictims; k++)
			l->now[i] |= l->offer->victims[k].workload
				     == l->list[i].workload;
		known += l->now[i];
	}
	return known == l->offer->nvictims;
}

static size_t set_fill(const struct lighter *l, const bool *gone)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (gone[i])
			l->set[n++] = l->list[i];
	}
	return n;
}

static enum clearing_answer rules_judge(const struct lighter *l, size_t n)
{
	const struct offer *o = l->offer;
	struct workload *w = l->turn->job->work;

	if (engine_allowed(l->sim->engine, w, l->sim->now, o->charges,
			   o->ncharges, l->set, n) < n)
		return CLEARING_FORBIDDEN;
	for (size_t i = 0; i < n; i++)
		l->leaving[i] = l->set[i].workload;
	return engine_fits(l->sim->engine, w, o->charges, o->ncharges,
			   l->leaving, n) ? CLEARING_ALLOWED
					  : CLEARING_TOO_FEW;
}

/* For clearing_find() */
static enum clearing_answer set_judge(const bool *gone, void *arg)
{
	struct lighter *l = arg;

	return rules_judge(l, set_fill(l, gone));
}

/* The victims of l->now are those of the offer. */
static int offer_take_set(struct lighter *l)
{
	size_t n = set_fill(l, l->now);
	struct victim *victims = realloc(l->offer->victims, (n + 1) * sizeof(*victims));

	if (!victims)
		return -1;
	memcpy(victims, l->set, n * sizeof(*victims));
	l->offer->victims = victims;
	l->offer->nvictims = n;
	return 0;
}

/* Another set that loses less, if there is one; l->now is the offer's then. -1:
 * no memory */
static int offer_propose(struct lighter *l)
{
	size_t looks = 0, questions = 0;
	struct clearing c = {
		.nresources = l->offer->ncharges, .nnodes = 1,
		.nitems = l->n, .idle = l->idle, .need = l->need,
		.total = l->need, .min_nodes = 1, .max_nodes = 1,
		.items = l->items, .judge = set_judge, .arg = l,
		.max_questions = MAX_JUDGED / l->n > 16 ? MAX_JUDGED / l->n
							: 16,
		.max_looks = MAX_LOOKS,
		.looks = &looks, .questions = &questions,
	};
	bool found;

	if (!clearing_find_useful(&c, l->now, NULL))
		return 0;
	found = clearing_find(&c, l->gone);
	l->sim->work += looks + questions * l->n;
	if (!found || !clearing_is_better(&c, l->gone, l->now))
		return 0;
	memcpy(l->now, l->gone, l->n * sizeof(*l->now));
	return offer_take_set(l);
}

/* ---- none that is not needed ---- */

static bool nodes_suffice(const struct lighter *l)
{
	size_t nr = l->offer->ncharges;

	for (size_t k = 0; k < nr; k++) {
		int64_t sum = l->idle[k];

		for (size_t i = 0; i < l->n; i++) {
			if (l->now[i])
				sum = sat_add(sum, l->amounts[i * nr + k]);
		}
		if (sum < l->need[k])
			return false;
	}
	return true;
}

/* The one that loses most, of those that were not tried (l->gone); l->n: none */
static size_t dearest(const struct lighter *l)
{
	size_t found = l->n;

	for (size_t i = 0; i < l->n; i++) {
		if (!l->now[i] || l->gone[i] || l->items[i].leaving)
			continue;
		if (found == l->n
		    || clearing_compare_items(&l->items[found],
					      &l->items[i]) < 0)
			found = i;
	}
	return found;
}

static int offer_leave_out(struct lighter *l)
{
	size_t i;

	if (l->offer->nvictims < 2)
		return 0;
	memset(l->gone, 0, l->n * sizeof(*l->gone));
	while ((i = dearest(l)) < l->n) {
		l->gone[i] = true;
		l->now[i] = false;
		if (!nodes_suffice(l)
		    || rules_judge(l, set_fill(l, l->now)) != CLEARING_ALLOWED)
			l->now[i] = true;
	}
	return offer_take_set(l);
}

int offer_lighten(struct sim *sim, const struct sim_turn *turn,
		  struct offer *offer)
{
	struct lighter l = { .sim = sim, .turn = turn, .offer = offer };
	int rc = candidates_list(&l);

	if (rc == 0 && l.n)
		rc = lighter_reserve(&l) < 0 || items_set(&l) < 0 ? -1 : 0;
	if (rc == 0 && l.n && offer_mark(&l)) {
		room_set(&l);
		errno = 0;	/* the rules answer no if there is no memory */
		rc = offer_propose(&l) < 0 || offer_leave_out(&l) < 0
		     || errno == ENOMEM ? -1 : 0;
	}
	arena_destroy(&l.arena);
	return rc;
}
