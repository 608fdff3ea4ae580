/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fit.c - nodes for a job whose cost quota allows
 *
 *  cons_tres may select more than was asked for: whole cores, more nodes of a
 *  range, CPUs for GPUs, a larger node. Then fewer nodes are tried, or others;
 *  what the job would have needed is kept (learn.c).
\*****************************************************************************/
#include "placement/fit.h"

#include "state/state.h"
#include "slurm/passes.h"
#include "request/allocated.h"
#include "request/charge.h"
#include "request/floor.h"
#include "request/learn.h"
#include "jobs/lent_nodes.h"
#include "placement/lighten.h"
#include "placement/packing.h"
#include "placement/place.h"

/* How often cons_tres is asked again without nodes that cost too much */
#define MAX_TRIES 16

/* The nomination's arrays belong to the engine, until its next call */
static void _keep_nomination(struct place *p, const struct nomination *nom)
{
	p->quota.victims = place_victims(nom->victims, nom->nvictims);
	p->quota.nvictims = nom->nvictims;
	p->quota.charges = place_charges(nom->charges, nom->ncharges);
	p->quota.ncharges = nom->ncharges;
}

static bool _is_uneven(const struct place *p)
{
	for (size_t i = 0; i < p->ncharges; i++) {
		if (floor_of(p->job_ptr, p->charges[i].flavor)->uneven)
			return true;
	}
	return false;
}

/* Does quota allow these amounts, with the victims gone? */
static bool _charge(struct place *p, const int64_t *amounts)
{
	struct workload **gone;
	bool fits;

	p->ncharges = charge_list(p->entry->flavors, amounts, p->charges);
	gone = place_workloads(p->victims, p->nvictims);
	fits = engine_fits(ctld.engine, p->entry->work, p->charges, p->ncharges,
			   gone, p->nvictims);
	xfree(gone);
	return fits;
}

/* As nominated: no less, whatever is known of what was selected. Is it more? */
static bool _raise_to_nominated(const struct place *p, int64_t *amounts)
{
	bool more = false;

	for (size_t i = 0; i < p->quota.ncharges; i++) {
		const struct charge *c = &p->quota.charges[i];

		more = more || (amounts[c->resource] > c->amount);
		amounts[c->resource] = MAX(amounts[c->resource], c->amount);
	}
	return more;
}

/* Do the rules allow the victims to a job that gets so much? */
static bool _may_evict(const struct place *p, int64_t now)
{
	return engine_allowed(ctld.engine, p->entry->work, now, p->charges, p->ncharges,
			      p->victims, p->nvictims) == p->nvictims;
}

/* Backfill starts a component where it saw that the component could start now, and no other
 * partition is tried then. Where fewer or other nodes may do, the start itself shows. */
static bool _is_component_now(const struct place *p, int64_t now)
{
	return p->job_ptr->het_job_id && (ns_of(p->job_ptr->start_time) <= now + SPEC_SEC) &&
		((uint32_t) bit_set_count(p->node_bitmap) == p->min_nodes) && !_is_uneven(p);
}

/* cons_tres may take more than was asked for: whole cores, more nodes of a
 * range, CPUs for GPUs. Does quota allow what was selected, or would be with the
 * victims gone? */
static bool _charge_selected(struct place *p, int64_t now, int64_t *amounts)
{
	bool more = false;

	if ((p->mode != SELECT_MODE_RUN_NOW) && !_is_component_now(p, now))
		return true;
	charge_fill_flavors(workload_queue(p->entry->work), p->node_bitmap,
			    p->entry->flavors);
	allocated_of(p->job_ptr, p->node_bitmap, amounts);
	if (!p->job_ptr->job_resrcs)
		more = _raise_to_nominated(p, amounts);
	return _charge(p, amounts) && (!more || _may_evict(p, now));
}

/* ---- other nodes that are as good, for borrowers and for others ---- */

/* As many as were selected, all of these. Backfill asks whether it can start
 * now; when it could start there is not asked. */
static bool _try_among(struct place *p, bitstr_t *nodes, bitstr_t *selected,
		       int64_t now, int64_t *amounts)
{
	uint32_t count = bit_set_count(selected), min = p->min_nodes,
		req = p->req_nodes;
	uint64_t flag = TEST_NOW_ONLY & ~p->job_ptr->bit_flags;
	bitstr_t *usable = p->usable;
	bool found;

	free_job_resources(&p->job_ptr->job_resrcs);
	place_begin(p);
	entry_take_flavors(p->entry, p->charges, p->ncharges);
	p->usable = nodes;
	p->min_nodes = p->req_nodes = count;
	p->job_ptr->bit_flags |= flag;
	found = (place_select_with(p, count, NULL, 0) == SLURM_SUCCESS) &&
		packing_costs_nothing(p->node_bitmap, selected) &&
		_charge_selected(p, now, amounts);
	p->job_ptr->bit_flags &= ~flag;
	p->min_nodes = min;
	p->req_nodes = req;
	p->usable = usable;
	return found;
}

/* None will do: those that cons_tres selected unasked, as before */
static enum found _take_first(struct place *p, bitstr_t *selected,
			      uint32_t max_nodes, int64_t now, int64_t *amounts)
{
	free_job_resources(&p->job_ptr->job_resrcs);
	place_begin(p);
	entry_take_flavors(p->entry, p->charges, p->ncharges);
	if (p->mode == SELECT_MODE_WILL_RUN) {
		bit_copybits(p->node_bitmap, selected);
		return FOUND_PLACE;
	}
	if (place_select(p, max_nodes, now) != SLURM_SUCCESS)
		return FOUND_NO_NODES;
	return _charge_selected(p, now, amounts) ? FOUND_PLACE : FOUND_NO_QUOTA;
}

static bool _try_packed(struct place *p, bitstr_t *selected, int64_t now,
			int64_t *amounts, bool *asked)
{
	bool found = false;

	for (int try = 0; !found && (try < PACKING_TRIES); try++) {
		bitstr_t *nodes = bit_copy(p->usable);

		if (!packing_narrow(p, selected, try, nodes)) {
			FREE_NULL_BITMAP(nodes);
			break;
		}
		if (bit_set_count(nodes) >= bit_set_count(selected)) {
			*asked = true;
			found = _try_among(p, nodes, selected, now, amounts);
		}
		FREE_NULL_BITMAP(nodes);
	}
	return found;
}

static enum found _pack(struct place *p, uint32_t max_nodes, int64_t now,
			int64_t *amounts)
{
	time_t start = p->job_ptr->start_time;
	bitstr_t *selected;
	enum found found = FOUND_PLACE;
	bool asked = false;

	if (!packing_may_change(p) || ((p->mode == SELECT_MODE_WILL_RUN) &&
				       (ns_of(start) > now + SPEC_SEC)))
		return FOUND_PLACE;
	selected = bit_copy(p->node_bitmap);
	if (!_try_packed(p, selected, now, amounts, &asked) && asked) {
		found = _take_first(p, selected, max_nodes, now, amounts);
		p->job_ptr->start_time = start;
	}
	FREE_NULL_BITMAP(selected);
	if ((found == FOUND_PLACE) && (p->mode == SELECT_MODE_RUN_NOW))
		lent_add(p->node_bitmap, p->borrows);
	return found;
}

/* If quota does not allow the nodes, p->node_bitmap says which nodes these
 * were. */
static enum found _try_nodes(struct place *p, uint32_t max_nodes, int64_t now,
			     int64_t *amounts)
{
	free_job_resources(&p->job_ptr->job_resrcs);
	place_begin(p);
	entry_take_flavors(p->entry, p->charges, p->ncharges);
	if (place_select(p, max_nodes, now) != SLURM_SUCCESS)
		return FOUND_NO_NODES;
	lighten_victims(p, max_nodes, now);
	if (_charge_selected(p, now, amounts))
		return _pack(p, max_nodes, now, amounts);
	free_job_resources(&p->job_ptr->job_resrcs);
	return FOUND_NO_QUOTA;
}

/* As many nodes of the range as quota allows, by halving it: there may be
 * thousands, and each try calls cons_tres. */
static enum found _try_range(struct place *p, int64_t now, int64_t *amounts)
{
	uint32_t low = p->min_nodes, high, fitting = 0;
	enum found found = _try_nodes(p, p->max_nodes, now, amounts);

	if (found != FOUND_NO_QUOTA)
		return found;
	high = bit_set_count(p->node_bitmap);
	while (low < high) {
		uint32_t half = (low + high) / 2;

		found = _try_nodes(p, half, now, amounts);
		if (found == FOUND_NO_QUOTA)
			high = half;
		else
			low = half + 1;		/* or too few for its tasks */
		if (found == FOUND_PLACE)
			fitting = half;
	}
	if (!fitting)
		return FOUND_NO_QUOTA;
	return found == FOUND_PLACE ? FOUND_PLACE :
		_try_nodes(p, fitting, now, amounts);
}

/* Where nodes are not alike, others may cost less. */
static enum found _try_elsewhere(struct place *p, int64_t now,
				 int64_t *amounts)
{
	bitstr_t *usable = bit_copy(p->usable);
	enum found found = FOUND_NO_QUOTA;

	for (int tries = 0; (found == FOUND_NO_QUOTA) && (tries < MAX_TRIES);
	     tries++) {
		bit_and_not(p->usable, p->node_bitmap);
		found = _try_nodes(p, p->min_nodes, now, amounts);
	}
	bit_copybits(p->usable, usable);
	FREE_NULL_BITMAP(usable);
	return found;
}

/* Another job that asks for the same was offered more than quota allows, and so would
 * be this one. */
static bool _is_known_to_cost_more(struct place *p, int64_t *amounts)
{
	bool more = false;

	if ((p->mode != SELECT_MODE_RUN_NOW) && !p->job_ptr->het_job_id)
		return false;
	place_begin(p);
	entry_take_flavors(p->entry, p->charges, p->ncharges);
	(void) _raise_to_nominated(p, amounts);
	for (size_t i = 0; i < p->quota.ncharges; i++)
		more |= learn_raise(p->entry, p->quota.charges[i].flavor, amounts);
	return more && !_charge(p, amounts);
}

/* The next plan knows what it costs. */
static void _plan_anew(void)
{
	pass_request_another();
}

static enum found _try(struct place *p, int64_t now)
{
	int64_t *amounts = xcalloc(ctld.conf->spec->nresources + 1,
				   sizeof(*amounts));
	int64_t *others = xcalloc(ctld.conf->spec->nresources + 1,
				  sizeof(*others));
	enum found found = FOUND_NO_QUOTA;

	if (!_is_uneven(p) && _is_known_to_cost_more(p, amounts)) {
		if (learn_anew(p->entry))
			_plan_anew();
	} else {
		found = _try_range(p, now, amounts);
		/* before others are tried, which may cost even more */
		if ((found == FOUND_NO_QUOTA) &&
		    learn_amounts(p->entry, p->entry->flavors, amounts))
			_plan_anew();
		if ((found == FOUND_NO_QUOTA) && _is_uneven(p) &&
		    (_try_elsewhere(p, now, others) == FOUND_PLACE))
			found = FOUND_PLACE;
	}
	xfree(amounts);
	xfree(others);
	return found;
}

extern enum found place_try(struct place *p, const struct nomination *nom,
			    int64_t now)
{
	enum found found;

	_keep_nomination(p, nom);
	p->borrows = nom->borrow > 0;
	found = _try(p, now);
	xfree(p->quota.victims);
	xfree(p->quota.charges);
	return found;
}
