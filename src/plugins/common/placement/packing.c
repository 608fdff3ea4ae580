/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  packing.c - jobs that borrow share nodes with jobs that borrow
 *
 *  An owner who comes back needs nodes, and may evict only who borrows. So a job
 *  that borrows goes where others borrow, else where nobody is within his quota;
 *  and a job within its quota goes where nobody borrows. cons_tres chooses first,
 *  unasked: only a job that can start costs any more questions, and other nodes
 *  are taken only if they are as many and of no greater weight.
\*****************************************************************************/
#include "placement/packing.h"

#include "state/job.h"
#include "jobs/lent_nodes.h"

#define for_each_bit(i_, bits_) \
	for (int i_ = MAX(bit_ffs(bits_), 0), last_ = bit_fls(bits_); \
	     i_ <= last_; i_++) \
		if (bit_test(bits_, i_))

/* The site says how nodes are chosen, or the network does */
static bool _site_chooses(const struct place *p)
{
	const char *topology = slurm_conf.topology_plugin;

	return compat_takes_least_loaded(p->job_ptr->part_ptr) ||
		((bit_set_count(p->node_bitmap) > 1) && topology &&
		 !xstrstr(topology, "none") && !xstrstr(topology, "default") &&
		 !xstrstr(topology, "flat"));
}

static bool _job_chooses(const struct place *p)
{
	const job_record_t *job_ptr = p->job_ptr;
	const compat_details_t *details = job_ptr->details;

	return details->req_node_bitmap || details->contiguous ||
		details->whole_node || job_ptr->req_switch ||
		(job_ptr->bit_flags & SPREAD_JOB);
}

extern bool packing_may_change(const struct place *p)
{
	return ctld.conf->pack_borrowers && !p->nvictims && !p->partial &&
		!p->job_ptr->het_job_id && !p->entry->cleared &&
		!_job_chooses(p) && !_site_chooses(p);
}

static uint32_t _largest_weight(bitstr_t *nodes)
{
	uint32_t weight = 0;

	for_each_bit(i, nodes)
		weight = MAX(weight, node_record_table_ptr[i]->weight);
	return weight;
}

/* Is it awake, and does the site prefer it as much? */
static bool _is_as_good(const node_record_t *node_ptr, uint32_t weight)
{
	return (node_ptr->weight <= weight) &&
		!IS_NODE_POWERED_DOWN(node_ptr) &&
		!IS_NODE_POWERING_DOWN(node_ptr) &&
		!IS_NODE_POWERING_UP(node_ptr) &&
		!IS_NODE_REBOOT_ISSUED(node_ptr);
}

static void _leave_as_good(bitstr_t *nodes, uint32_t weight)
{
	for_each_bit(i, nodes) {
		if (!_is_as_good(node_record_table_ptr[i], weight))
			bit_clear(nodes, i);
	}
}

/* The nodes that a try prefers. False: it prefers none to any other. */
static bool _prefer(const struct place *p, int try, bitstr_t *nodes)
{
	const struct lent_nodes lent = lent_nodes();
	bitstr_t *owned_only;

	if (!p->borrows) {
		bit_and_not(nodes, lent.borrowed);
		return !try;
	}
	if (!try) {
		bit_and(nodes, lent.borrowed);
		return true;
	}
	owned_only = bit_copy(lent.owned);
	bit_and_not(owned_only, lent.borrowed);
	bit_and_not(nodes, owned_only);
	FREE_NULL_BITMAP(owned_only);
	return try < PACKING_TRIES;
}

extern bool packing_narrow(const struct place *p, bitstr_t *selected,
			   int try, bitstr_t *nodes)
{
	if (!_prefer(p, try, nodes) || bit_super_set(selected, nodes))
		return false;
	_leave_as_good(nodes, _largest_weight(selected));
	return true;
}

static uint64_t _weights(bitstr_t *nodes)
{
	uint64_t sum = 0;

	for_each_bit(i, nodes)
		sum += node_record_table_ptr[i]->weight;
	return sum;
}

extern bool packing_costs_nothing(bitstr_t *nodes,
				  bitstr_t *selected)
{
	return (bit_set_count(nodes) == bit_set_count(selected)) &&
		(_weights(nodes) <= _weights(selected));
}
