/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_eligibility.c - which flavors can hold a job at all
 *
 *  A flavor whose nodes a job can't use is not eligible: no job is evicted
 *  there, and the search goes on. Partitions, reservation, lists of nodes,
 *  features (feature_constraint.c) and the number of nodes are judged here for
 *  each job, at little cost. Whether a node is large enough is asked of
 *  cons_tres, once, when it found no nodes. Nodes that are down or drained
 *  count only if no other flavor has any nodes: then the job waits for them.
\*****************************************************************************/
#include "match/flavor_eligibility.h"

#include "state/job.h"
#include "match/feature_constraint.h"
#include "match/fingerprint.h"
#include "match/flavor_nodes.h"
#include "match/known_names.h"

enum learned { LEARNED_NOTHING, LEARNED_CAN, LEARNED_NEVER };

/* ---- nodes ---- */

/* Nodes of a partition, the job's reservation and lists */
static bitstr_t *_nodes_of(job_record_t *job_ptr, part_record_t *part_ptr)
{
	const slurmctld_resv_t *resv_ptr = job_ptr->resv_ptr;
	bitstr_t *nodes = bit_copy(part_ptr->node_bitmap);

	if (job_ptr->details->exc_node_bitmap)
		bit_and_not(nodes, job_ptr->details->exc_node_bitmap);
	/* FLEX: other nodes as well; several: any of them */
	if (resv_ptr && resv_ptr->node_bitmap && !job_ptr->resv_list &&
	    !(resv_ptr->flags & RESERVE_FLAG_FLEX))
		bit_and(nodes, resv_ptr->node_bitmap);
	return nodes;
}

/* Leave only nodes with the features that the job asks for. Are they enough? */
static bool _narrow_to_features(bitstr_t *nodes, job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	if (details->feature_list &&
	    !constraint_keep_best(nodes, details->feature_list))
		return false;
	if ((uint32_t) bit_set_count(nodes) < MAX(details->min_nodes, 1))
		return false;
	return !details->req_node_bitmap ||
		bit_super_set(details->req_node_bitmap, nodes);
}

/* up: without those that are down or drained */
static bool _suits(int flavor, job_record_t *job_ptr, part_record_t *part_ptr,
		   bool up)
{
	bitstr_t *of_flavor = flavor_nodes(flavor), *nodes;
	bool suits;

	if (!part_ptr || !part_ptr->node_bitmap)
		return true;
	if (of_flavor && !bit_set_count(of_flavor) && nodes_may_come())
		return !up;
	nodes = _nodes_of(job_ptr, part_ptr);
	if (of_flavor)
		bit_and(nodes, of_flavor);
	if (up)
		bit_and(nodes, flavor_up_nodes());
	suits = _narrow_to_features(nodes, job_ptr);
	FREE_NULL_BITMAP(nodes);
	return suits;
}

extern bool flavor_is_eligible(int flavor, job_record_t *job_ptr,
			 part_record_t *part_ptr)
{
	return _suits(flavor, job_ptr, part_ptr, false);
}

static bool _suits_up(int flavor, const struct entry *entry)
{
	part_record_t *part_ptr;

	for (int i = 0; (part_ptr = job_partition(entry, i)); i++) {
		if (_suits(flavor, entry->job->job_ptr, part_ptr, true))
			return true;
	}
	return false;
}

/* ---- cons_tres's answers ---- */

/* An answer holds for this request and these nodes. */
extern uint64_t flavor_trial_validity(job_record_t *job_ptr)
{
	return fingerprint_of_request(job_ptr) + flavor_generation();
}

static enum learned _learned(const struct entry *entry, int flavor,
			     uint64_t valid)
{
	const struct lessons *lessons = &entry->lessons;

	return lessons->fits && (lessons->fits_for == valid) ?
		lessons->fits[flavor] : LEARNED_NOTHING;
}

extern bitstr_t *flavor_trial_nodes(int flavor, job_record_t *job_ptr)
{
	bitstr_t *nodes = _nodes_of(job_ptr, job_ptr->part_ptr);

	bit_and(nodes, flavor_nodes(flavor));
	bit_and(nodes, flavor_up_nodes());
	(void) _narrow_to_features(nodes, job_ptr);	/* for its features */
	return nodes;
}

extern bool flavor_was_tried(const struct entry *entry, int flavor,
			     uint64_t valid)
{
	return _learned(entry, flavor, valid);
}

extern void flavor_note_trial(struct entry *entry, int flavor, uint64_t valid,
			      bool can_ever)
{
	struct lessons *lessons = &entry->lessons;

	if (!lessons->fits || (lessons->fits_for != valid)) {
		xfree(lessons->fits);
		lessons->fits = xcalloc(ctld.conf->spec->nflavors + 1,
					sizeof(*lessons->fits));
		lessons->fits_for = valid;
	}
	lessons->fits[flavor] = can_ever ? LEARNED_CAN : LEARNED_NEVER;
	if (!can_ever)
		entry->job->fingerprint = 0;	/* the next plan knows it */
}

/* ---- all rules together ---- */

/* Flavors whose nodes are taken, as long as another one is left */
static void _exclude_taken(const struct entry *entry, bool *ineligible)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	const bool *taken;
	bool left = false;

	if (!entry_goes_on(entry))
		return;
	taken = entry->lessons.taken->flavors;
	for (size_t i = 0; i < nflavors; i++)
		left = left || (!ineligible[i] && !taken[i]);
	for (size_t i = 0; left && (i < nflavors); i++)
		ineligible[i] = ineligible[i] || taken[i];
}

extern void flavor_exclude_useless(const struct entry *entry, bool *ineligible)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	uint64_t valid = flavor_trial_validity(entry->job->job_ptr);
	bool *now = xcalloc(nflavors + 1, sizeof(*now)), any = false;

	for (size_t i = 0; i < nflavors; i++) {
		now[i] = !ineligible[i] &&
			(_learned(entry, i, valid) != LEARNED_NEVER) &&
			_suits_up(i, entry);
		any = any || now[i];
	}
	for (size_t i = 0; any && (i < nflavors); i++)
		ineligible[i] = !now[i];
	xfree(now);
	_exclude_taken(entry, ineligible);
}
