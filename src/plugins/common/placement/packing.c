/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  packing.c - jobs that borrow share nodes with jobs that borrow
 *
 *  An owner that comes back needs nodes, and may evict only borrowers. So a job
 *  that borrows goes where others borrow, else where no job is within its
 *  quota; and a job within its quota goes where no job borrows. cons_tres
 *  chooses first, unasked: only a job that can start costs more questions, and
 *  other nodes are taken only if they are as many and of no greater weight.
\*****************************************************************************/
#include "placement/packing.h"

#include "state/job.h"
#include "jobs/lent_nodes.h"

#define for_each_bit(i_, bits_) \
	for (int i_ = MAX(bit_ffs(bits_), 0), last_ = bit_fls(bits_); \
	     i_ <= last_; i_++) \
		if (bit_test(bits_, i_))

static bool topology_file;

extern void packing_find_topology(void)
{
	topology_file = compat_has_topology_file();
}

static bool _is_network(const char *topology)
{
	return topology && !xstrstr(topology, "none") &&
		!xstrstr(topology, "default") && !xstrstr(topology, "flat");
}

/* The site says how nodes are chosen, or the network does */
static bool _site_chooses(const struct place *p)
{
	const char *topology = slurm_conf.topology_plugin;

	return compat_takes_least_loaded(p->job_ptr->part_ptr) ||
		((p->job_ptr->details->min_cpus == 1) &&
		 xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end")) ||
		((bit_set_count(p->node_bitmap) > 1) &&
		 (topology_file || _is_network(topology)));
}

/* Where cores may be shared, cons_tres would share those of other nodes before it
 * takes idle ones: the nodes that it chose unasked are idle. */
static bool _may_share_cores(const job_record_t *job_ptr)
{
	uint16_t share = job_ptr->part_ptr->max_share;

	return (share & SHARED_FORCE) ||
		((share > 1) && (job_ptr->details->share_res == 1));
}

static bool _job_chooses(const struct place *p)
{
	const job_record_t *job_ptr = p->job_ptr;
	const compat_details_t *details = job_ptr->details;

	return details->req_node_bitmap || details->contiguous ||
		details->whole_node || job_ptr->req_switch ||
		(job_ptr->bit_flags & SPREAD_JOB) || _may_share_cores(job_ptr);
}

extern bool packing_may_change(const struct place *p)
{
	return ctld.conf->pack_borrowers && !p->nvictims && !p->partial &&
		!p->job_ptr->het_job_id && !p->entry->cleared &&
		!_job_chooses(p) && !_site_chooses(p);
}

/* What slurmctld goes by for this job: above the Weight, whether the node has to
 * boot for it, or is outside of its reservation. The last byte is cons_tres's own. */
static uint64_t _sched_weight(const node_record_t *node_ptr)
{
	return node_ptr->sched_weight >> 8;
}

struct worst {
	uint32_t weight;
	uint64_t sched_weight;
};

static struct worst _worst_of(bitstr_t *nodes)
{
	struct worst worst = { 0 };

	for_each_bit(i, nodes) {
		const node_record_t *node_ptr = node_record_table_ptr[i];

		worst.weight = MAX(worst.weight, node_ptr->weight);
		worst.sched_weight = MAX(worst.sched_weight,
					 _sched_weight(node_ptr));
	}
	return worst;
}

/* Is it awake, and does the site prefer it as much? */
static bool _is_as_good(const node_record_t *node_ptr, const struct worst *worst)
{
	return (node_ptr->weight <= worst->weight) &&
		(_sched_weight(node_ptr) <= worst->sched_weight) &&
		!IS_NODE_POWERED_DOWN(node_ptr) &&
		!IS_NODE_POWERING_DOWN(node_ptr) &&
		!IS_NODE_POWERING_UP(node_ptr) &&
		!IS_NODE_REBOOT_ISSUED(node_ptr);
}

static void _leave_as_good(bitstr_t *nodes, struct worst worst)
{
	for_each_bit(i, nodes) {
		if (!_is_as_good(node_record_table_ptr[i], &worst))
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
	_leave_as_good(nodes, _worst_of(selected));
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
