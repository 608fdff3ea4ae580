/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  find.c - a place for a job: flavor by flavor
 *
 *  Flavors are tried in the order in which the queue prefers them, each with
 *  what the engine nominates there: quota that is free, or victims if the plan
 *  lets the job evict.
 *
 *  Where flavors with quota have no nodes, and the job could have quota in
 *  another one by eviction, the plan decides about that: it is made anew without
 *  the former.
\*****************************************************************************/
#include "placement/find.h"

#include "state/state.h"
#include "match/flavor_nodes.h"
#include "request/learn.h"
#include "books/het.h"
#include "placement/fit.h"
#include "placement/flavor_trial.h"
#include "placement/place.h"

/* Only a plan that took all jobs into account decides that a job must go for
 * quota; a start that needs an eviction after all waits for the next plan. */
static bool _may_evict(const struct place *p)
{
	const struct verdict *v = engine_verdict(ctld.engine, p->entry->work);

	return p->may_evict && (p->job_ptr->het_job_id ?
				het_evicts(p->entry->job) :
				v->kind == VERDICT_PREEMPT);
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

static bool _nominate(struct place *p, const bool *flavor_ok, int64_t now,
		      struct nomination *nom)
{
	if (engine_nominate(ctld.engine, p->entry->work, now, flavor_ok, nom))
		return false;
	return (nom->mode == MODE_FIT) ||
		((nom->mode == MODE_PREEMPT) && nom->nvictims &&
		 _may_evict(p));
}

/* Backfill asks when it will run: it would, but not now */
static bool _is_later(const struct place *p, int64_t now)
{
	return (p->mode == SELECT_MODE_WILL_RUN) &&
		(ns_of(p->job_ptr->start_time) > now + SPEC_SEC);
}

/* Try one flavor after the other. Where the job could start later in one of
 * them and now in another, the latter is right; `best` keeps the earliest of
 * the former. */
static enum found _try_flavors(struct place *p, bool *flavor_ok, bool *best,
			       int64_t now)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	time_t earliest = 0;
	struct nomination nom;
	enum found found = FOUND_NO_QUOTA, tried;

	while (_nominate(p, flavor_ok, now, &nom)) {
		tried = place_try(p, &nom, now);
		if ((tried == FOUND_PLACE) && !_is_later(p, now))
			return FOUND_PLACE;
		if ((tried == FOUND_PLACE) &&
		    (!earliest || (p->job_ptr->start_time < earliest))) {
			earliest = p->job_ptr->start_time;
			memcpy(best, flavor_ok, nflavors);
		}
		if ((tried == FOUND_NO_NODES) &&
		    (p->mode == SELECT_MODE_RUN_NOW))
			flavor_learn_from_try(p);
		if ((tried != FOUND_PLACE) && (found != FOUND_NO_NODES))
			found = tried;
		if (!_next_flavor(p, flavor_ok))
			break;
	}
	if (earliest && _nominate(p, best, now, &nom))
		return place_try(p, &nom, now);
	return found;
}

/* Is it a try after which the job may go on to the next flavor? One with several
 * partitions, or components, waits. */
static bool _may_go_on(const struct place *p)
{
	const struct job *job = p->entry->job;

	return (p->mode == SELECT_MODE_RUN_NOW) && p->may_evict && !p->partial &&
		!p->nodes_being_cleaned && !p->job_ptr->het_job_id &&
		!job->first.next && (job_nvias(job) < 2);
}

/* Have the flavors of the last try been taken off the list? One that has all nodes
 * stays on it: no other flavor has more. */
static bool _is_other_flavor_next(const struct place *p, const bool *flavor_ok)
{
	for (size_t i = 0; i < p->ncharges; i++) {
		if (!flavor_ok[p->charges[i].flavor])
			return true;
	}
	return false;
}

/* Could it have quota by eviction in a flavor that is not known to be taken? */
static bool _is_any_left(const struct place *p, const bool *flavor_ok,
			 int64_t now)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	bool *left = xcalloc(nflavors + 1, sizeof(*left)), any;
	struct nomination nom;

	for (size_t i = 0; i < nflavors; i++)
		left[i] = flavor_ok[i] && !learn_is_taken(p->entry, i);
	any = !engine_nominate(ctld.engine, p->entry->work, now, left, &nom) &&
		(nom.mode == MODE_PREEMPT) && nom.nvictims;
	xfree(left);
	return any;
}

/* Nodes of all flavors that have quota are taken (flavor_ok is false for those
 * that were tried). Where the job could have quota by eviction in another one,
 * the next plan is made without the former. */
static bool _goes_on(const struct place *p, const bool *flavor_ok, int64_t now)
{
	bool any;

	if (!_may_go_on(p) || !_is_other_flavor_next(p, flavor_ok))
		return false;
	any = !learn_went_on_in_vain(p->entry) && _is_any_left(p, flavor_ok, now);
	if (!any && !p->entry->lessons.taken)
		return false;
	for (size_t i = 0; i < ctld.conf->spec->nflavors; i++) {
		if (!flavor_ok[i])
			learn_taken(p->entry, i);
	}
	(void) learn_goes_on(p->entry, any);
	return any;
}

extern enum found place_find(struct place *p, int64_t now)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	bool *flavor_ok = xcalloc(nflavors + 1, sizeof(*flavor_ok));
	bool *best = xcalloc(nflavors + 1, sizeof(*best));
	enum found found;

	memset(flavor_ok, true, nflavors);
	found = _try_flavors(p, flavor_ok, best, now);
	if ((found == FOUND_NO_NODES) && _goes_on(p, flavor_ok, now))
		found = FOUND_NEXT_FLAVOR;
	xfree(flavor_ok);
	xfree(best);
	return found;
}
