/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  find.c - a place for a job: flavor by flavor
 *
 *  Flavors are tried in the order in which the queue prefers them, each with
 *  what the engine nominates there: quota that is free, or victims if the plan
 *  lets the job evict.
 *
 *  cons_tres may select more than was asked for: whole cores, more nodes of a
 *  range, CPUs for GPUs, a larger node. Then fewer nodes are tried, or others;
 *  what the job would have needed is kept (request/learn.c).
 *
 *  Where flavors with quota have no nodes, and the job could have quota in
 *  another one by eviction, the plan decides about that: it is made anew without
 *  the former.
\*****************************************************************************/
#include "placement/place.h"

#include "slurm/passes.h"
#include "match/match.h"
#include "request/request.h"
#include "books/books.h"

/* How often cons_tres is asked again without nodes that cost too much */
#define MAX_TRIES 16

/* ---- does quota allow the nodes? ---- */

static bool _is_uneven(const struct place *p)
{
	for (size_t i = 0; i < p->ncharges; i++) {
		if (floor_of(p->job_ptr, p->charges[i].flavor)->uneven)
			return true;
	}
	return false;
}

static void _begin(struct place *p)
{
	free_job_resources(&p->job_ptr->job_resrcs);
	place_begin(p);
	entry_take_flavors(p->entry, p->charges, p->ncharges);
}

/* As nominated: no less, whatever is known of what was selected. Is it more? */
static bool _raise_to_nominated(struct place *p)
{
	bool more = false;

	for (size_t i = 0; i < p->quota.ncharges; i++) {
		const struct charge *c = &p->quota.charges[i];

		more |= p->amounts[c->resource] > c->amount;
		p->amounts[c->resource] = MAX(p->amounts[c->resource], c->amount);
	}
	return more;
}

/* Backfill asks when it will run: it would, but not now */
static bool _is_later(const struct place *p, time_t start)
{
	return (p->mode == SELECT_MODE_WILL_RUN) && (ns_of(start) > p->now + SPEC_SEC);
}

/* Does quota allow what was selected, or would be with the victims gone? Backfill starts a
 * component where it saw that the component could start now, and no other partition is tried
 * then. Where fewer or other nodes may do, the start itself shows. */
static bool _charge_selected(struct place *p)
{
	bool more = false;

	if ((p->mode != SELECT_MODE_RUN_NOW) &&
	    (!p->job_ptr->het_job_id || _is_later(p, p->job_ptr->start_time) ||
	     ((uint32_t) bit_set_count(p->node_bitmap) != p->min_nodes) || _is_uneven(p)))
		return true;
	charge_fill_flavors(workload_queue(p->entry->work), p->node_bitmap,
			    p->entry->flavors);
	allocated_of(p->job_ptr, p->node_bitmap, p->amounts);
	if (!p->job_ptr->job_resrcs)
		more = _raise_to_nominated(p);
	p->ncharges = charge_list(p->entry->flavors, p->amounts, p->charges);
	return place_fits(p, p->victims, p->nvictims) &&
		(!more || (place_is_allowed(p, p->victims, p->nvictims) == p->nvictims));
}

/* ---- other nodes that are as good, for borrowers and for others ---- */

/* As many as were selected, all of these. Backfill asks whether it can start
 * now; when it could start there is not asked. */
static bool _try_among(struct place *p, bitstr_t *nodes, bitstr_t *selected)
{
	uint32_t count = bit_set_count(selected);
	uint32_t min = p->min_nodes, req = p->req_nodes, most = p->most_nodes;
	uint64_t flag = TEST_NOW_ONLY & ~p->job_ptr->bit_flags;
	bitstr_t *usable = p->usable;
	bool found;

	_begin(p);
	p->usable = nodes;
	p->min_nodes = p->req_nodes = p->most_nodes = count;
	p->job_ptr->bit_flags |= flag;
	found = (place_select_with(p, NULL, 0) == SLURM_SUCCESS) &&
		packing_costs_nothing(p->node_bitmap, selected) && _charge_selected(p);
	p->job_ptr->bit_flags &= ~flag;
	p->min_nodes = min;
	p->req_nodes = req;
	p->most_nodes = most;
	p->usable = usable;
	return found;
}

/* None will do: those that cons_tres selected unasked, as before */
static enum found _take_first(struct place *p, bitstr_t *selected)
{
	_begin(p);
	if (p->mode == SELECT_MODE_WILL_RUN) {
		bit_copybits(p->node_bitmap, selected);
		return FOUND_PLACE;
	}
	if (place_select(p) != SLURM_SUCCESS)
		return FOUND_NO_NODES;
	return _charge_selected(p) ? FOUND_PLACE : FOUND_NO_QUOTA;
}

static enum found _pack(struct place *p)
{
	time_t start = p->job_ptr->start_time;
	bitstr_t *selected, *nodes;
	enum found found = FOUND_PLACE;
	bool asked = false, packed = false, go_on = true;

	if (!packing_may_change(p) || _is_later(p, start))
		return FOUND_PLACE;
	selected = bit_copy(p->node_bitmap);
	for (int n = 0; go_on && !packed && (n < PACKING_TRIES); n++) {
		nodes = bit_copy(p->usable);
		go_on = packing_narrow(p, selected, n, nodes);
		if (go_on && (bit_set_count(nodes) >= bit_set_count(selected))) {
			asked = true;
			packed = _try_among(p, nodes, selected);
		}
		FREE_NULL_BITMAP(nodes);
	}
	if (asked && !packed) {
		found = _take_first(p, selected);
		p->job_ptr->start_time = start;
	}
	FREE_NULL_BITMAP(selected);
	if ((found == FOUND_PLACE) && (p->mode == SELECT_MODE_RUN_NOW))
		packing_note_start(p);
	return found;
}

/* ---- fewer nodes, or others ---- */

/* If quota does not allow the nodes, p->node_bitmap says which nodes these were. */
static enum found _try_nodes(struct place *p, uint32_t most_nodes)
{
	p->most_nodes = most_nodes;
	_begin(p);
	if (place_select(p) != SLURM_SUCCESS)
		return FOUND_NO_NODES;
	lighten_victims(p);
	if (_charge_selected(p))
		return _pack(p);
	free_job_resources(&p->job_ptr->job_resrcs);
	return FOUND_NO_QUOTA;
}

/* As many nodes of the range as quota allows, by halving it: there may be
 * thousands, and each try calls cons_tres. */
static enum found _try_range(struct place *p)
{
	uint32_t low = p->min_nodes, high, fitting = 0;
	enum found found = _try_nodes(p, p->max_nodes);

	if (found != FOUND_NO_QUOTA)
		return found;
	high = bit_set_count(p->node_bitmap);
	while (low < high) {
		uint32_t half = (low + high) / 2;

		found = _try_nodes(p, half);
		if (found == FOUND_NO_QUOTA)
			high = half;
		else
			low = half + 1;		/* or too few for its tasks */
		if (found == FOUND_PLACE)
			fitting = half;
	}
	if (!fitting)
		return FOUND_NO_QUOTA;
	return found == FOUND_PLACE ? FOUND_PLACE : _try_nodes(p, fitting);
}

/* Where nodes are not alike, others may cost less. */
static enum found _try_elsewhere(struct place *p)
{
	bitstr_t *usable = bit_copy(p->usable);
	enum found found = FOUND_NO_QUOTA;

	for (int tries = 0; (found == FOUND_NO_QUOTA) && (tries < MAX_TRIES); tries++) {
		bit_and_not(p->usable, p->node_bitmap);
		found = _try_nodes(p, p->min_nodes);
	}
	bit_copybits(p->usable, usable);
	FREE_NULL_BITMAP(usable);
	return found == FOUND_PLACE ? FOUND_PLACE : FOUND_NO_QUOTA;
}

/* Another job that asks for the same was offered more than quota allows, and so would be this
 * one. Where victims are sought, each such job would cost many questions to cons_tres. */
static bool _is_known_to_cost_more(struct place *p)
{
	bool more = false;

	_begin(p);
	if (_is_uneven(p) || ((p->mode != SELECT_MODE_RUN_NOW) && !p->job_ptr->het_job_id))
		return false;
	(void) _raise_to_nominated(p);
	for (size_t i = 0; i < p->quota.ncharges; i++)
		more |= learn_raise(p->entry, p->quota.charges[i].flavor, p->amounts,
				    false);
	p->ncharges = charge_list(p->entry->flavors, p->amounts, p->charges);
	return more && !place_fits(p, p->victims, p->nvictims);
}

static enum found _try(struct place *p)
{
	enum found found;

	if (_is_known_to_cost_more(p)) {
		if (learn_anew(p->entry))
			pass_request_another();	/* the next plan knows */
		return FOUND_NO_QUOTA;
	}
	found = _try_range(p);
	if (found != FOUND_NO_QUOTA)
		return found;
	/* before others are tried, which may cost even more */
	if (learn_amounts(p->entry, p->entry->flavors, p->amounts))
		pass_request_another();	/* the next plan knows */
	return _is_uneven(p) ? _try_elsewhere(p) : FOUND_NO_QUOTA;
}

/* The nomination's arrays belong to the engine, until its next call. */
static enum found _try_nominated(struct place *p, const struct nomination *nom)
{
	enum found found;

	p->quota.victims = place_victims(nom->victims, nom->nvictims);
	p->quota.nvictims = nom->nvictims;
	p->quota.charges = place_charges(nom->charges, nom->ncharges);
	p->quota.ncharges = nom->ncharges;
	p->borrows = nom->borrow > 0;
	p->amounts = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*p->amounts));
	found = _try(p);
	xfree(p->quota.victims);
	xfree(p->quota.charges);
	xfree(p->amounts);
	return found;
}

/* ---- could the nodes of a flavor ever hold the job? ---- */

extern bool place_could_ever(bitstr_t *nodes, void *arg)
{
	struct place *p = arg;
	uint64_t memory = p->job_ptr->details->pn_min_memory;
	int rc = p->cons_tres(p->job_ptr, nodes, p->min_nodes, p->max_nodes, p->req_nodes,
			      SELECT_MODE_TEST_ONLY, NULL, NULL, COMPAT_REST_OF(&p->rest));

	p->job_ptr->details->pn_min_memory = memory;
	return rc == SLURM_SUCCESS;
}

/* A try found no nodes: is any node large enough? By another partition it might be. */
static void _learn_from_try(struct place *p)
{
	bool news = false;

	for (size_t i = 0; !job_partition(p->entry, 1) && (i < p->ncharges); i++) {
		if (flavor_nodes(p->charges[i].flavor))
			news |= learn_fit(p->entry, p->charges[i].flavor, place_could_ever, p);
	}
	if (news)
		pass_request_another();	/* the next plan knows */
}

/* ---- one flavor after the other ---- */

/* Only a plan that took all jobs into account decides that a job must go for
 * quota; a start that needs an eviction after all waits for the next plan. */
static bool _may_evict(const struct place *p)
{
	if (!p->may_evict || p->job_ptr->het_job_id)
		return p->may_evict && het_evicts(p->entry->job);
	return engine_verdict(ctld.engine, p->entry->work)->kind == VERDICT_PREEMPT;
}

/* Take the flavors that found no nodes off the list. False if no flavor is left
 * that could change anything. */
static bool _next_flavor(const struct place *p, bool *flavor_ok)
{
	bool changed = false;

	for (size_t i = 0; i < p->ncharges; i++) {
		int flavor = p->charges[i].flavor;

		if (!flavor_nodes(flavor) || !flavor_ok[flavor])
			continue;
		flavor_ok[flavor] = false;
		changed = true;
	}
	return changed;
}

static bool _nominate(struct place *p, const bool *flavor_ok, struct nomination *nom)
{
	if (engine_nominate(ctld.engine, p->entry->work, p->now, flavor_ok, nom))
		return false;
	return (nom->mode == MODE_FIT) ||
		((nom->mode == MODE_PREEMPT) && nom->nvictims && _may_evict(p));
}

/* Try one flavor after the other. Where the job could start later in one of them and now in
 * another, the latter is right; `best` keeps the earliest of the former. */
static enum found _try_flavors(struct place *p, bool *flavor_ok, bool *best)
{
	time_t earliest = 0;
	struct nomination nom;
	enum found found = FOUND_NO_QUOTA, tried;

	while (_nominate(p, flavor_ok, &nom)) {
		tried = _try_nominated(p, &nom);
		if (tried == FOUND_PLACE) {
			if (!_is_later(p, p->job_ptr->start_time))
				return FOUND_PLACE;
			if (!earliest || (p->job_ptr->start_time < earliest)) {
				earliest = p->job_ptr->start_time;
				memcpy(best, flavor_ok, ctld.conf->spec->nflavors);
			}
		} else if (found != FOUND_NO_NODES) {
			found = tried;
		}
		if ((tried == FOUND_NO_NODES) && (p->mode == SELECT_MODE_RUN_NOW))
			_learn_from_try(p);
		if (!_next_flavor(p, flavor_ok))
			break;
	}
	if (earliest && _nominate(p, best, &nom))
		return _try_nominated(p, &nom);
	return found;
}

/* Is it a try after which the job may go on to the next flavor? A job with several partitions
 * or components waits. And have the flavors of the last try been taken off the list? One that
 * has all nodes stays on it: no other flavor has more. */
static bool _may_go_on(const struct place *p, const bool *flavor_ok)
{
	const struct job *job = p->entry->job;

	if ((p->mode != SELECT_MODE_RUN_NOW) || !p->may_evict || p->partial ||
	    p->nodes_being_cleaned || p->job_ptr->het_job_id || job->first.next ||
	    (job_nvias(job) > 1))
		return false;
	for (size_t i = 0; i < p->ncharges; i++) {
		if (!flavor_ok[p->charges[i].flavor])
			return true;
	}
	return false;
}

/* Could it have quota by eviction in a flavor that is not known to be taken? */
static bool _is_any_left(const struct place *p, const bool *flavor_ok)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	const struct taken *taken = p->entry->lessons.taken;
	bool *left = xcalloc(nflavors + 1, sizeof(*left)), any;
	struct nomination nom;

	for (size_t i = 0; i < nflavors; i++)
		left[i] = flavor_ok[i] && !(taken && taken->flavors[i]);
	any = !engine_nominate(ctld.engine, p->entry->work, p->now, left, &nom) &&
		(nom.mode == MODE_PREEMPT) && nom.nvictims;
	xfree(left);
	return any;
}

/* Nodes of all flavors that have quota are taken (flavor_ok is false for those
 * that were tried). Where the job could have quota by eviction in another one,
 * the next plan is made without the former. */
static bool _goes_on(const struct place *p, const bool *flavor_ok)
{
	const struct taken *taken = p->entry->lessons.taken;
	bool any;

	if (!_may_go_on(p, flavor_ok))
		return false;
	any = !(taken && taken->in_vain) && _is_any_left(p, flavor_ok);
	if (any || taken)
		learn_taken(p->entry, flavor_ok, any);
	return any;
}

extern enum found place_find(struct place *p)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	bool *flavor_ok = xcalloc(nflavors + 1, sizeof(*flavor_ok));
	bool *best = xcalloc(nflavors + 1, sizeof(*best));
	enum found found;

	memset(flavor_ok, true, nflavors);
	found = _try_flavors(p, flavor_ok, best);
	if ((found == FOUND_NO_NODES) && _goes_on(p, flavor_ok))
		found = FOUND_NEXT_FLAVOR;
	xfree(flavor_ok);
	xfree(best);
	return found;
}
