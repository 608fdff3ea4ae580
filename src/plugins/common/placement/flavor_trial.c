/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_trial.c - could the nodes of a flavor ever hold a job?
 *
 *  A try found no free nodes. cons_tres is asked whether any node is large
 *  enough, once for each request, flavor and table of nodes.
\*****************************************************************************/
#include "placement/flavor_trial.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "match/flavor_eligibility.h"
#include "match/flavor_nodes.h"
#include "placement/place.h"

/* May it ever run there, with no other job on the nodes? */
static bool _can_ever(struct place *p, int flavor)
{
	uint64_t memory = p->job_ptr->details->pn_min_memory;
	bitstr_t *nodes = flavor_trial_nodes(flavor, p->job_ptr);
	int rc;

	rc = p->cons_tres(p->job_ptr, nodes, p->min_nodes, p->max_nodes,
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
	uint64_t valid = flavor_trial_validity(p->job_ptr);
	struct entry *entry = p->entry;
	int flavor = _tried_flavor(p);
	bool can;

	/* by another partition it might */
	if ((flavor < 0) || flavor_was_tried(entry, flavor, valid) ||
	    job_partition(entry, 1))
		return;
	can = _can_ever(p, flavor);
	flavor_note_trial(entry, flavor, valid, can);
	if (can)
		return;
	pass_request_another();
}
