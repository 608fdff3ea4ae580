/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer.c - what a job of a simulation gets, and which jobs are evicted for it
 *
 * A job that has quota but no nodes evicts for nodes, where it may: those that lose least
 * (doc/how-it-decides.md, section 10). The plugin does the same with the nodes of a cluster
 * (placement/lighten.c); here all nodes of a flavor are one, so what the search finds needs no
 * second opinion, and lentNodeWeight, which is about single nodes, does not count.
 */
#include <errno.h>
#include <string.h>

#include "clearing/clearing.h"
#include "sim/sim_state.h"

_Static_assert(RANKS_MOST <= CLEARING_LEVELS, "a level for each rank");

/* As in the plugin: how often the rules are asked about a set, divided by the
 * number of candidates, and the looks of a search */
#define MAX_JUDGED 16384
#define MAX_LOOKS 200000

/* Most often a few suffice: only then more are asked for. */
#define FIRST_CANDIDATES 4

/* sign: 1: the victims leave, -1: they are there again */
static void leave_all(struct sim *sim, const struct victim *victims, size_t n, int sign)
{
	for (size_t i = 0; i < n; i++) {
		const struct charge *charges;
		size_t ncharges;

		charges = workload_charges(victims[i].workload, &ncharges);
		sim_room_change(sim, charges, ncharges, sign);
	}
}

static bool offer_lacks_room(struct sim *sim, const struct offer *offer)
{
	return sim_room_lacks(sim, offer->charges, offer->ncharges) != SPEC_NONE;
}

bool job_is_tried(const struct sim *sim, const struct sim_job *job)
{
	return job->desc.no_nodes && !sim->releases;
}

/* ---- an offer ---- */

static int offer_add_victims(struct sim *sim, struct offer *offer,
			     const struct victim *more, size_t n)
{
	struct victim *all = arena_alloc(&sim->turn, offer->nvictims + n, sizeof(*all));

	if (!all)
		return -1;
	for (size_t i = 0; i < offer->nvictims + n; i++)
		all[i] = i < offer->nvictims ? offer->victims[i] : more[i - offer->nvictims];
	offer->victims = all;
	offer->nvictims += n;
	return 0;
}

static int offer_copy(struct sim *sim, struct offer *offer, const struct nomination *nom)
{
	size_t n = nom->ncharges;

	*offer = (struct offer) {
		.charges = arena_alloc(&sim->turn, n, sizeof(*offer->charges)),
		.ncharges = n,
	};
	if (!offer->charges)
		return -1;
	for (size_t i = 0; i < n; i++)
		offer->charges[i] = nom->charges[i];
	return offer_add_victims(sim, offer, nom->victims, nom->nvictims);
}

/* ---- nodes for it ---- */

/* Do the first *used of them make room? */
static bool candidates_suffice(struct sim *sim, const struct sim_turn *turn,
			       const struct offer *offer,
			       const struct candidates *found, size_t *used)
{
	bool lacks = true;

	*used = 0;
	while (lacks && *used < found->n && !turn->looks) {
		leave_all(sim, &found->list[(*used)++], 1, 1);
		lacks = offer_lacks_room(sim, offer);
	}
	leave_all(sim, found->list, *used, -1);
	return !lacks;
}

/* Would jobs that may be evicted in addition make room? The first ones that do are added to the
 * offer. 1: they would, 0: they would not, -1: no memory. Those of the offer have left. The end of
 * a protection that keeps others from leaving is noted here: the engine's next expiry is for quota
 * and does not know it. */
static int offer_extend(struct sim *sim, const struct sim_turn *turn, struct offer *offer)
{
	struct candidates_query query = {
		.charges = offer->charges, .ncharges = offer->ncharges,
		.gone = offer->victims, .ngone = offer->nvictims,
		.most = turn->looks ? 0 : FIRST_CANDIDATES,
	};
	struct candidates found;
	size_t used;
	bool lacks;

	do {
		if (engine_candidates(sim->engine, turn->job->work, sim->now, &query, &found) < 0)
			return -1;
		sim->work += found.n;
		lacks = !candidates_suffice(sim, turn, offer, &found, &used);
		query.most = lacks && found.n == query.most ? 4 * query.most : 0;
	} while (query.most);
	if (!lacks)
		return offer_add_victims(sim, offer, found.list, used) < 0 ? -1 : 1;
	earliest_note(&turn->job->free_at, found.protected_until);
	return 0;
}

/* 1: nodes have room when the offer's victims are gone, and perhaps others that
 * are added; 0: those of a flavor have none, which is not tried again; -1: no memory */
static int offer_make_fit(struct sim *sim, const struct sim_turn *turn, struct offer *offer)
{
	bool tried = job_is_tried(sim, turn->job);
	size_t n = offer->nvictims, size = sim->nflavors * sim->nresources * sizeof(*sim->room);
	int rc = 1, lacks;

	memcpy(sim->left, sim->room, size);
	/* no node has room for it: what is free is hidden from it */
	for (size_t i = 0; tried && i < offer->ncharges; i++)
		*sim_room_of(sim, offer->charges[i].flavor, offer->charges[i].resource) = 0;
	leave_all(sim, offer->victims, n, 1);
	lacks = sim_room_lacks(sim, offer->charges, offer->ncharges);
	if (lacks != SPEC_NONE)
		rc = offer_extend(sim, turn, offer);
	memcpy(sim->room, sim->left, size);
	if (!rc)
		sim->flavor_ok[lacks] = false;
	return rc;
}

/* ---- not more than needed ---- */

/* Which victims do nodes need? The last ones stay if there is room without them. */
static void offer_keep_for_nodes(struct sim *sim, const struct offer *offer, bool *keep)
{
	size_t n = offer->nvictims;

	leave_all(sim, offer->victims, n, 1);
	for (size_t i = n; i-- > 0; ) {
		leave_all(sim, &offer->victims[i], 1, -1);
		keep[i] = offer_lacks_room(sim, offer);
		if (keep[i])
			leave_all(sim, &offer->victims[i], 1, 1);
	}
	for (size_t i = 0; i < n; i++) {
		if (keep[i])
			leave_all(sim, &offer->victims[i], 1, -1);
	}
}

/* Victims that neither quota nor nodes need stay, as the plan chose each by what
 * others had given so far. -1: no memory */
static int offer_drop_needless(struct sim *sim, const struct sim_turn *turn, struct offer *offer)
{
	size_t n = offer->nvictims;
	bool *keep;

	if (n < 2)
		return 0;
	keep = arena_alloc(&sim->turn, n, sizeof(*keep));
	if (!keep)
		return -1;
	memset(keep, true, n * sizeof(*keep));
	if (!job_is_tried(sim, turn->job))
		offer_keep_for_nodes(sim, offer, keep);
	n = engine_drop_needless(sim->engine, turn->job->work, offer->charges,
				 offer->ncharges, offer->victims, keep, n);
	if (n)
		offer->nvictims = n;
	return 0;
}

/* ---- of the victims for nodes, those that lose least ---- */

struct lighter {
	struct sim *sim;
	struct workload *preemptor;
	const struct offer *offer;
	struct victim *list, *set;	/* who may be evicted, and who of these is */
	size_t n;
	struct arena *arena;		/* of all that is here */
};

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

	if (engine_candidates(l->sim->engine, l->preemptor, l->sim->now, &query, &found) < 0)
		return -1;
	l->sim->work += found.n;
	l->list = arena_alloc(l->arena, found.n, sizeof(*l->list));
	l->set = arena_alloc(l->arena, found.n, sizeof(*l->set));
	for (size_t i = 0; !l->arena->failed && i < found.n; i++) {
		if (may_propose(l, found.list[i].workload))
			l->list[l->n++] = found.list[i];
	}
	return l->arena->failed ? -1 : 0;
}

static double worth_of(const double *weights, const struct charge *charges, size_t n)
{
	double sum = 0;

	for (size_t i = 0; weights && i < n; i++)
		sum += weights[charges[i].resource]
		       * (double) max64(charges[i].amount, 0);
	return sum;
}

/* Lost are the seconds of this run since its last checkpoint, the one that has begun included,
 * times what it has.
 * amounts[]: by charge of the offer */
static void item_set(const struct lighter *l, const struct workload *w,
		     struct clearing_item *item, int64_t *amounts)
{
	const struct sim *sim = l->sim;
	const struct sim_job *job = workload_owner(w);
	int64_t since = job->since + sim_job_kept(sim, job);
	int64_t seconds = 1 + sim->now / SPEC_SEC - since / SPEC_SEC;
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
	struct clearing_item *items = arena_alloc(l->arena, l->n, sizeof(*items));
	struct clearing_share *shares = arena_alloc(l->arena, l->n, sizeof(*shares));
	int64_t *amounts = arena_alloc(l->arena, l->n * nr, sizeof(*amounts));
	int *ranks = arena_alloc(l->arena, l->n, sizeof(*ranks));

	if (l->arena->failed || engine_rank_candidates(l->list, l->n, ranks) < 0)
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

/* Puts those that are gone into l->set. Returns how many */
static size_t set_fill(const struct lighter *l, const bool *gone)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (gone[i])
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
			   l->set, n) ? CLEARING_ALLOWED : CLEARING_TOO_FEW;
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

/* Fills l->set with one that loses less than `now`. Returns how many these are; 0: there is none */
static size_t set_propose(struct lighter *l, const struct clearing_item *items,
			  const bool *now, bool *gone)
{
	size_t looks = 0, questions = 0, nr = l->offer->ncharges;
	int64_t *idle = arena_alloc(l->arena, nr, sizeof(*idle));
	int64_t *need = arena_alloc(l->arena, nr, sizeof(*need));
	struct clearing c = {
		.nresources = nr, .nnodes = 1, .nitems = l->n, .idle = idle,
		.need = need, .total = need, .min_nodes = 1, .max_nodes = 1,
		.items = items, .judge = set_judge, .arg = l,
		.max_questions = MAX_JUDGED / l->n > 16 ? MAX_JUDGED / l->n : 16,
		.max_looks = MAX_LOOKS, .looks = &looks, .questions = &questions,
	};
	bool found;

	for (size_t k = 0; !l->arena->failed && k < nr; k++) {
		const struct charge *want = &l->offer->charges[k];
		int64_t room = *sim_room_of(l->sim, want->flavor, want->resource);

		idle[k] = room == SPEC_UNLIMITED ? 0 : max64(room, 0);	/* then it needs none */
		need[k] = room == SPEC_UNLIMITED ? 0
			  : sat_add(want->amount, max64(sat_sub(0, room), 0));
	}
	if (l->arena->failed || !clearing_find_useful(&c, now, NULL))
		return 0;
	found = clearing_find(&c, gone);
	l->sim->work += looks + questions * l->n;
	return found && clearing_is_better(&c, gone, now) ? set_fill(l, gone) : 0;
}

/* Nodes have room for the offer only when its victims leave: takes other victims
 * if these lose less. -1: no memory */
static int offer_lighten(struct sim *sim, const struct sim_turn *turn, struct offer *offer)
{
	struct lighter l = { .sim = sim, .preemptor = turn->job->work, .offer = offer,
			     .arena = &sim->turn };
	int rc = candidates_list(&l);
	bool *now = arena_alloc(l.arena, l.n, sizeof(*now));
	bool *gone = arena_alloc(l.arena, l.n, sizeof(*gone));
	const struct clearing_item *items = rc == 0 && l.n ? items_list(&l) : NULL;
	size_t n = 0;

	errno = 0;	/* the rules answer no if there is no memory */
	if (items && !l.arena->failed && offer_mark(&l, now))
		n = set_propose(&l, items, now, gone);
	if (rc < 0 || (l.n && !items) || l.arena->failed || errno == ENOMEM)
		rc = -1;
	if (rc == 0 && n) {
		offer->victims = l.set;
		offer->nvictims = n;
	}
	return rc;
}

/* ---- flavors ---- */

/* Is there a flavor that was not tried in vain, of which the queue has quota? */
static bool is_flavor_left(struct sim *sim, const struct sim_job *job)
{
	const struct sim_queue *q = sim_queue_of(sim, job);

	for (size_t i = 0; i < q->npairs; i++) {
		if (sim->flavor_ok[q->pairs[i].flavor])
			return true;
	}
	return false;
}

static bool is_good(const struct sim_turn *turn, const struct nomination *nom)
{
	if (nom->mode == MODE_PREEMPT)
		return nom->nvictims && turn->may_evict;
	return nom->mode == MODE_FIT;
}

/* Do others leave as nodes have no room for it while they are there? */
static bool needs_nodes_of_victims(struct sim *sim, const struct sim_turn *turn,
				   const struct offer *offer)
{
	return sim->options.loss && offer->nvictims
	       && !job_is_tried(sim, turn->job)
	       && offer_lacks_room(sim, offer);
}

int offer_find(struct sim *sim, const struct sim_turn *turn, struct offer *offer)
{
	struct nomination nom;
	int rc;

	memset(sim->flavor_ok, true, sim->nflavors);
	do {
		if (engine_nominate(sim->engine, turn->job->work, sim->now,
				    sim->flavor_ok, &nom) < 0)
			return -1;
		if (!is_good(turn, &nom))
			return 0;
		if (offer_copy(sim, offer, &nom) < 0)
			return -1;
		rc = offer_make_fit(sim, turn, offer);
		if (rc > 0 && needs_nodes_of_victims(sim, turn, offer)
		    && offer_lighten(sim, turn, offer) < 0)
			rc = -1;
		if (rc > 0 && offer_drop_needless(sim, turn, offer) < 0)
			rc = -1;
		if (rc)
			return rc;
	} while (is_flavor_left(sim, turn->job));
	return 0;
}
