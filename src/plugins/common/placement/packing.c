/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  packing.c - jobs that borrow share nodes with jobs that borrow
 *
 *  An owner that comes back needs nodes, and may evict only borrowers. So a job
 *  that borrows goes where others borrow, else where no job is within its
 *  quota; and a job within its quota goes where others are within theirs, else
 *  where no job borrows. cons_tres chooses first, unasked: only a job
 *  that can start costs more questions, and other nodes are taken only if they
 *  are as many and of no greater weight.
\*****************************************************************************/
#include "placement/packing.h"

#include "match/job_standing.h"
#include "state/job.h"
#include "jobs/jobs.h"
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

extern bool packing_network_chooses(const struct place *p)
{
	return (bit_set_count(p->node_bitmap) > 1) &&
		(topology_file || _is_network(slurm_conf.topology_plugin));
}

/* The site says how nodes are chosen, or the network does */
static bool _site_chooses(const struct place *p)
{
	return compat_takes_least_loaded(p->job_ptr->part_ptr) ||
		((p->job_ptr->details->min_cpus == 1) &&
		 xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end")) ||
		packing_network_chooses(p);
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

	if (try >= PACKING_TRIES)
		return false;
	if (!p->borrows) {
		if (!try)
			bit_and(nodes, lent.owned);
		else
			bit_and_not(nodes, lent.borrowed);
		return true;
	}
	if (!try) {
		bit_and(nodes, lent.borrowed);
		return true;
	}
	owned_only = bit_copy(lent.owned);
	bit_and_not(owned_only, lent.borrowed);
	bit_and_not(nodes, owned_only);
	FREE_NULL_BITMAP(owned_only);
	return true;
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

/* ---- who may be a victim instead ---- */

/* Where do jobs stay that are within quota when the victim goes? It may be one of
 * them: an older job of a queue that is over its quota. */
static bitstr_t *_owned_by_others(const job_record_t *victim)
{
	const struct lent_nodes lent = lent_nodes();
	const struct job *job = jobs_find(victim->job_id);

	return job && !run_of(job)->borrows ? lent.owned_by_two : lent.owned;
}

extern int64_t packing_loss_weight(const struct place *p,
				   const job_record_t *victim)
{
	int64_t weight = ctld.conf->lent_node_weight;

	if ((weight == 1) || p->borrows || !ctld.conf->pack_borrowers ||
	    !victim->node_bitmap)
		return 1;
	return bit_super_set(victim->node_bitmap, _owned_by_others(victim)) ?
		1 : weight;
}

/* What cons_tres chose */
struct chosen {
	const struct place *p;
	const struct victim *victims;
	size_t nvictims;
};

static bool _is_queue_of_victim(const struct chosen *l,
				const struct workload *w)
{
	for (size_t i = 0; i < l->nvictims; i++) {
		if (workload_queue(l->victims[i].workload) == workload_queue(w))
			return true;
	}
	return false;
}

/* Where the usage of accounts counts, it decides who goes first. */
static bool _goes_by_usage(const struct chosen *l, const struct workload *w)
{
	int queue = workload_queue(w);

	return ctld.conf->spec->queues[queue].by_usage &&
		(ctld.conf->spec->fair_sharing ||
		 (queue == workload_queue(l->p->entry->work)));
}

/* Components go together with others, which are on other nodes. With fair sharing
 * the shares have decided which queues give. Who leaves anyway does so in each set. */
static bool _may_propose(const struct chosen *l, const struct workload *w)
{
	job_record_t *job_ptr = place_victim_record(w);

	if (workload_evicting(w))
		return job_ptr;
	if (ctld.conf->spec->fair_sharing && !_is_queue_of_victim(l, w))
		return false;
	return job_ptr && !_goes_by_usage(l, w) && !job_ptr->het_job_id && job_holds_nodes(job_ptr);
}

extern size_t find_proposable(const struct place *p, int64_t now,
			      const struct victim *victims, size_t nvictims,
			      struct victim **list)
{
	const struct chosen chosen = { p, victims, nvictims }, *l = &chosen;
	const struct candidates_query query = {
		.charges = l->p->charges,
		.ncharges = l->p->ncharges,
		.alone = true,
	};
	struct candidates found;
	size_t n = 0;

	if (engine_candidates(ctld.engine, l->p->entry->work, now, &query,
			      &found))
		error(PREFIX "%pJ: %m", l->p->job_ptr);
	*list = place_victims(found.list, found.n);
	for (size_t i = 0; i < found.n; i++) {
		if (_may_propose(l, (*list)[i].workload))
			(*list)[n++] = (*list)[i];
	}
	return n;
}
