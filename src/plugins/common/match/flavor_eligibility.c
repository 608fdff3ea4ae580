/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_eligibility.c - which flavors can hold a job at all
 *
 *  A flavor whose nodes a job can't use is none for it: nobody is evicted
 *  there, and the search goes on. Partitions, reservation, lists of nodes,
 *  features (feature_constraint.c) and the number of nodes are judged here for each job,
 *  at little cost. Whether a node is large enough is asked of cons_tres, once,
 *  when it found none. Nodes that are down or drained count only if no other
 *  flavor has any: then the job waits for them.
\*****************************************************************************/
#include "match/flavor_eligibility.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "match/feature_constraint.h"
#include "match/flavor_nodes.h"
#include "match/known_names.h"
#include "request/demand.h"
#include "books/books.h"
#include "books/waiting.h"
#include "placement/place.h"

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

/* Is what is left of the nodes enough? */
static bool _is_enough(bitstr_t *nodes, job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	if (details->feature_list &&
	    !constraint_leaves(nodes, details->feature_list))
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
	suits = _is_enough(nodes, job_ptr);
	FREE_NULL_BITMAP(nodes);
	return suits;
}

extern bool flavor_is_eligible(int flavor, job_record_t *job_ptr,
			 part_record_t *part_ptr)
{
	return _suits(flavor, job_ptr, part_ptr, false);
}

static bool _suits_up(int flavor, const struct job *job)
{
	part_record_t *part_ptr;

	for (int i = 0; (part_ptr = waiting_partition(job, i)); i++) {
		if (_suits(flavor, job->job_ptr, part_ptr, true))
			return true;
	}
	return false;
}

/* ---- what cons_tres says ---- */

/* What it said holds for this request and these nodes. */
static uint64_t _valid_for(job_record_t *job_ptr)
{
	return demand_request(job_ptr) + flavor_generation();
}

static enum learned _learned(const struct job *job, int flavor, uint64_t valid)
{
	return job->fits && (job->fits_for == valid) ? job->fits[flavor] :
		LEARNED_NOTHING;
}

/* May it ever run there, with nobody else on the nodes? */
static bool _can_ever(struct place *p, int flavor)
{
	uint64_t memory = p->job_ptr->details->pn_min_memory;
	bitstr_t *nodes = _nodes_of(p->job_ptr, p->job_ptr->part_ptr);
	int rc;

	bit_and(nodes, flavor_nodes(flavor));
	bit_and(nodes, flavor_up_nodes());
	(void) _is_enough(nodes, p->job_ptr);	/* for its features */
	rc = p->real(p->job_ptr, nodes, p->min_nodes, p->max_nodes,
		     p->req_nodes, SELECT_MODE_TEST_ONLY, NULL, NULL,
		     COMPAT_REST_OF(&p->rest));
	p->job_ptr->details->pn_min_memory = memory;
	FREE_NULL_BITMAP(nodes);
	return rc == SLURM_SUCCESS;
}

/* The only flavor of the try that has nodes of its own, or -1 */
static int _tried_flavor(const struct place *p)
{
	int tried = -1;

	for (size_t i = 0; i < p->ncharges; i++) {
		int flavor = p->charges[i].flavor;

		if (!flavor_nodes(flavor) || (flavor == tried))
			continue;
		if (tried >= 0)
			return -1;
		tried = flavor;
	}
	return tried;
}

extern void flavor_learn_from_try(struct place *p)
{
	uint64_t valid = _valid_for(p->job_ptr);
	struct job *job = p->job;
	int flavor = _tried_flavor(p);

	/* by another partition it might */
	if ((flavor < 0) || _learned(job, flavor, valid) ||
	    waiting_partition(job, 1))
		return;
	if (!job->fits || (job->fits_for != valid)) {
		xfree(job->fits);
		job->fits = xcalloc(ctld.conf->spec->nflavors + 1,
				    sizeof(*job->fits));
		job->fits_for = valid;
	}
	job->fits[flavor] = _can_ever(p, flavor) ? LEARNED_CAN : LEARNED_NEVER;
	if (job->fits[flavor] != LEARNED_NEVER)
		return;
	job_first(job)->fingerprint = 0;	/* the next plan knows */
	books_request_scan();
	pass_request_another();
}

/* ---- all together ---- */

extern void flavor_exclude_useless(const struct job *job, bool *ineligible)
{
	size_t nflavors = ctld.conf->spec->nflavors;
	uint64_t valid = _valid_for(job->job_ptr);
	bool *now = xcalloc(nflavors + 1, sizeof(*now)), any = false;

	for (size_t i = 0; i < nflavors; i++) {
		now[i] = !ineligible[i] &&
			(_learned(job, i, valid) != LEARNED_NEVER) &&
			_suits_up(i, job);
		any = any || now[i];
	}
	for (size_t i = 0; any && (i < nflavors); i++)
		ineligible[i] = !now[i];
	xfree(now);
}
