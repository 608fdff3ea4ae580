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

#include "clearing/clearing.h"
#include "lib/arena.h"
#include "sim/sim_state.h"

_Static_assert(RANKS_MOST <= CLEARING_LEVELS, "a level for each rank");

/* As in the plugin: how often the rules are asked about a set, divided by the
 * number of candidates, and the looks of a search */
#define MAX_JUDGED 16384
#define MAX_LOOKS 200000

int offer_add_victims(struct offer *offer, const struct victim *more, size_t n)
{
	struct victim *all = realloc(offer->victims, (offer->nvictims + n + 1)
				     * sizeof(*all));

	if (!all)
		return -1;
	offer->victims = all;
	for (size_t i = 0; i < n; i++)
		all[offer->nvictims++] = more[i];
	return 0;
}

struct lighter {
	struct sim *sim;
	struct workload *preemptor;
	const struct offer *offer;
	struct victim *list, *set;	/* who may be evicted, and who of these is */
	struct workload **leaving;	/* room for all of the list */
	size_t n;
	struct arena arena;		/* of all that is here */
};

/* ---- candidates ---- */

static bool is_queue_of_victim(const struct offer *offer, int queue)
{
	for (size_t i = 0; i < offer->nvictims; i++) {
		if (workload_queue(offer->victims[i].workload) == queue)
			return true;
	}
	return false;
}

/* With fair sharing the shares have decided which queues give; where the usage
 * of accounts counts, it decides who is evicted first. */
static bool may_propose(const struct lighter *l, const struct workload *w)
{
	const struct sim *sim = l->sim;
	int queue = workload_queue(w);

	if (sim->fair_sharing && !is_queue_of_victim(l->offer, queue))
		return false;
	return !sim->queues[queue].by_usage
	       || !(sim->fair_sharing || queue == workload_queue(l->preemptor));
}

/* -1: no memory */
static int candidates_list(struct lighter *l)
{
	struct candidates_query query = {
		.charges = l->offer->charges,
		.ncharges = l->offer->ncharges,
		.alone = true,
	};
	struct candidates found;

	if (engine_candidates(l->sim->engine, l->preemptor, l->sim->now, &query,
			      &found) < 0)
		return -1;
	l->sim->work += found.n;
	l->list = arena_alloc(&l->arena, found.n, sizeof(*l->list));
	l->set = arena_alloc(&l->arena, found.n, sizeof(*l->set));
	l->leaving = arena_alloc(&l->arena, found.n, sizeof(struct workload *));
	for (size_t i = 0; !l->arena.failed && i < found.n; i++) {
		if (may_propose(l, found.list[i].workload))
			l->list[l->n++] = found.list[i];
	}
	return l->arena.failed ? -1 : 0;
}

/* ---- what is lost, and what each has ---- */

static double worth_of(const double *weights, const struct charge *charges,
		       size_t n)
{
	double sum = 0;

	for (size_t i = 0; weights && i < n; i++)
		sum += weights[charges[i].resource]
		       * (double) max64(charges[i].amount, 0);
	return sum;
}

/* Lost are the seconds of this run, the one that has begun included, times what it has.
 * amounts[]: by charge of the offer */
static void item_set(const struct lighter *l, const struct workload *w,
		     struct clearing_item *item, int64_t *amounts)
{
	const struct sim *sim = l->sim;
	const struct sim_job *job = workload_owner(w);
	int64_t seconds = 1 + sim->now / SPEC_SEC - job->since / SPEC_SEC;
	const struct charge *charges;
	size_t n;

	charges = workload_charges(w, &n);
	item->leaving = workload_evicting(w);
	if (!item->leaving) {
		item->loss = (double) seconds * worth_of(sim->options.loss, charges, n);
		item->tie = (double) seconds * worth_of(sim->options.loss_tie, charges, n);
	}
	for (size_t k = 0; k < l->offer->ncharges; k++) {
		const struct charge *want = &l->offer->charges[k];

		for (size_t i = 0; i < n; i++) {
			if (charges[i].flavor == want->flavor
			    && charges[i].resource == want->resource)
				amounts[k] += max64(charges[i].amount, 0);
		}
	}
}

/* NULL: no memory */
static const struct clearing_item *items_list(struct lighter *l)
{
	size_t nr = l->offer->ncharges;
	struct clearing_item *items = arena_alloc(&l->arena, l->n, sizeof(*items));
	struct clearing_share *shares = arena_alloc(&l->arena, l->n, sizeof(*shares));
	int64_t *amounts = arena_alloc(&l->arena, l->n * nr, sizeof(*amounts));
	int *ranks = arena_alloc(&l->arena, l->n, sizeof(*ranks));

	if (l->arena.failed || engine_rank_candidates(l->list, l->n, ranks) < 0)
		return NULL;
	for (size_t i = 0; i < l->n; i++) {
		items[i].level = ranks[i];
		shares[i] = (struct clearing_share) { 0, &amounts[i * nr] };
		items[i].shares = &shares[i];
		items[i].nshares = 1;
		item_set(l, l->list[i].workload, &items[i], &amounts[i * nr]);
	}
	return items;
}

/* ---- sets ---- */

/* Puts those that are gone into l->set. Returns how many */
static size_t set_fill(const struct lighter *l, const bool *gone)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!gone[i])
			continue;
		l->leaving[n] = l->list[i].workload;
		l->set[n++] = l->list[i];
	}
	return n;
}

/* For clearing_find() */
static enum clearing_answer set_judge(const bool *gone, void *arg)
{
	const struct lighter *l = arg;
	const struct offer *o = l->offer;
	size_t n = set_fill(l, gone);

	if (engine_allowed(l->sim->engine, l->preemptor, l->sim->now, o->charges,
			   o->ncharges, l->set, n) < n)
		return CLEARING_FORBIDDEN;
	return engine_fits(l->sim->engine, l->preemptor, o->charges, o->ncharges,
			   l->leaving, n) ? CLEARING_ALLOWED : CLEARING_TOO_FEW;
}

/* The offer's victims, as a set of the list. False: not all of them are in it */
static bool offer_mark(const struct lighter *l, bool *now)
{
	size_t known = 0;

	for (size_t i = 0; i < l->n; i++) {
		for (size_t k = 0; k < l->offer->nvictims; k++)
			now[i] |= l->offer->victims[k].workload
				  == l->list[i].workload;
		known += now[i];
	}
	return known == l->offer->nvictims;
}

/* Fills l->set with one that loses less than `now`. Returns how many these are; 0: there is
 * none */
static size_t set_propose(struct lighter *l, const struct clearing_item *items,
			  const bool *now, bool *gone)
{
	size_t looks = 0, questions = 0, nr = l->offer->ncharges;
	int64_t *idle = arena_alloc(&l->arena, nr, sizeof(*idle));
	int64_t *need = arena_alloc(&l->arena, nr, sizeof(*need));
	struct clearing c = {
		.nresources = nr, .nnodes = 1, .nitems = l->n, .idle = idle,
		.need = need, .total = need, .min_nodes = 1, .max_nodes = 1,
		.items = items, .judge = set_judge, .arg = l,
		.max_questions = MAX_JUDGED / l->n > 16 ? MAX_JUDGED / l->n : 16,
		.max_looks = MAX_LOOKS, .looks = &looks, .questions = &questions,
	};
	bool found;

	for (size_t k = 0; !l->arena.failed && k < nr; k++) {
		const struct charge *want = &l->offer->charges[k];
		int64_t room = *sim_room_of(l->sim, want->flavor, want->resource);

		idle[k] = max64(room, 0);
		need[k] = room == SPEC_UNLIMITED ? 0
			  : sat_add(want->amount, max64(sat_sub(0, room), 0));
	}
	if (l->arena.failed || !clearing_find_useful(&c, now, NULL))
		return 0;
	found = clearing_find(&c, gone);
	l->sim->work += looks + questions * l->n;
	return found && clearing_is_better(&c, gone, now) ? set_fill(l, gone) : 0;
}

int offer_lighten(struct sim *sim, const struct sim_turn *turn,
		  struct offer *offer)
{
	struct lighter l = { .sim = sim, .preemptor = turn->job->work, .offer = offer };
	int rc = candidates_list(&l);
	bool *now = arena_alloc(&l.arena, l.n, sizeof(*now));
	bool *gone = arena_alloc(&l.arena, l.n, sizeof(*gone));
	const struct clearing_item *items = rc == 0 && l.n ? items_list(&l) : NULL;
	size_t n = 0;

	errno = 0;	/* the rules answer no if there is no memory */
	if (items && !l.arena.failed && offer_mark(&l, now))
		n = set_propose(&l, items, now, gone);
	if (rc < 0 || (l.n && !items) || l.arena.failed || errno == ENOMEM)
		rc = -1;
	if (rc == 0 && n) {
		offer->nvictims = 0;
		rc = offer_add_victims(offer, l.set, n);
	}
	arena_destroy(&l.arena);
	return rc;
}
