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
#include "placement/place.h"

#include "slurm/passes.h"
#include "jobs/jobs.h"

/* Made anew at the first use in a pass of the scheduler. Jobs outside all cluster queues are
 * in none of these. */
static struct {
	uint64_t pass;			/* in which they were made */
	bitstr_t *borrowed;		/* nodes with a job that borrows, */
	bitstr_t *owned;		/* ... with a job within its quota, */
	bitstr_t *owned_by_two;		/* ... with two such jobs, or more */
} lent;

/* ---- where jobs borrow ---- */

static void _note(bitstr_t *nodes, bool borrows)
{
	bitstr_t *again;

	if (borrows) {
		bit_or(lent.borrowed, nodes);
		return;
	}
	again = bit_copy(nodes);
	bit_and(again, lent.owned);
	bit_or(lent.owned_by_two, again);
	bit_or(lent.owned, nodes);
	FREE_NULL_BITMAP(again);
}

/* A job borrows no more where its queue is within nominal quota again. Of a queue that is
 * over it the jobs borrow that were charged when it was: the newest ones, as those are evicted
 * first. */
static void _note_job(struct job *job, void *arg UNUSED)
{
	job_record_t *job_ptr = job_runs(job) ? jobs_record(job) : NULL;

	if (!job_ptr || !job_ptr->node_bitmap)
		return;
	if (run_of(job)->borrows)
		job->run->borrows = job_queue_borrows(job);
	_note(job_ptr->node_bitmap, run_of(job)->borrows);
}

static void _renew_lent(void)
{
	if (lent.borrowed && (lent.pass == ctld.passes) &&
	    (bit_size(lent.borrowed) == node_record_count))
		return;
	FREE_NULL_BITMAP(lent.borrowed);
	FREE_NULL_BITMAP(lent.owned);
	FREE_NULL_BITMAP(lent.owned_by_two);
	lent.pass = ctld.passes;
	lent.borrowed = bit_alloc(node_record_count);
	lent.owned = bit_alloc(node_record_count);
	lent.owned_by_two = bit_alloc(node_record_count);
	jobs_each(_note_job, NULL);
}

extern void packing_note_start(const struct place *p)
{
	_renew_lent();
	_note(p->node_bitmap, p->borrows);
}

/* ---- who chooses the nodes ---- */

static bool _is_network(const char *topology)
{
	return topology && !xstrstr(topology, "none") &&
		!xstrstr(topology, "default") && !xstrstr(topology, "flat");
}

extern bool packing_network_chooses(const struct place *p)
{
	return (bit_set_count(p->node_bitmap) > 1) &&
		(ctld.topology_file || _is_network(slurm_conf.topology_plugin));
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

/* ---- other nodes ---- */

/* What slurmctld goes by for this job: above the Weight, whether the node has to
 * boot for it, or is outside of its reservation. The last byte is cons_tres's own. */
static uint64_t _sched_weight(const node_record_t *node_ptr)
{
	return node_ptr->sched_weight >> 8;
}

/* Leave the nodes that are awake, and that the site prefers as much as the worst of `selected` */
static void _leave_as_good(bitstr_t *nodes, bitstr_t *selected)
{
	const node_record_t *node_ptr;
	uint32_t weight = 0;
	uint64_t sched_weight = 0;

	for_each_node_in(node_ptr, selected) {
		weight = MAX(weight, node_ptr->weight);
		sched_weight = MAX(sched_weight, _sched_weight(node_ptr));
	}
	for_each_node_in(node_ptr, nodes) {
		if ((node_ptr->weight > weight) || (_sched_weight(node_ptr) > sched_weight) ||
		    IS_NODE_POWERED_DOWN(node_ptr) || IS_NODE_POWERING_DOWN(node_ptr) ||
		    IS_NODE_POWERING_UP(node_ptr) || IS_NODE_REBOOT_ISSUED(node_ptr))
			bit_clear(nodes, node_ptr->index);
	}
}

/* A borrower prefers nodes where others borrow, then those where no job is within its quota
 * alone; a job within its quota the reverse. */
extern bool packing_narrow(const struct place *p, bitstr_t *selected, int try, bitstr_t *nodes)
{
	bitstr_t *other;

	_renew_lent();
	if (!try) {
		bit_and(nodes, p->borrows ? lent.borrowed : lent.owned);
	} else {
		other = bit_copy(p->borrows ? lent.owned : lent.borrowed);
		if (p->borrows)
			bit_and_not(other, lent.borrowed);
		bit_and_not(nodes, other);
		FREE_NULL_BITMAP(other);
	}
	if (bit_super_set(selected, nodes))
		return false;
	_leave_as_good(nodes, selected);
	return true;
}

static uint64_t _weights(bitstr_t *nodes)
{
	const node_record_t *node_ptr;
	uint64_t sum = 0;

	for_each_node_in(node_ptr, nodes)
		sum += node_ptr->weight;
	return sum;
}

extern bool packing_costs_nothing(bitstr_t *nodes, bitstr_t *selected)
{
	return (bit_set_count(nodes) == bit_set_count(selected)) &&
		(_weights(nodes) <= _weights(selected));
}

/* ---- victims ---- */

/* Where do jobs stay that are within quota when the victim has left? The victim may be one
 * of them: an older job of a queue that is over its quota. */
static bitstr_t *_owned_by_others(const job_record_t *victim)
{
	const struct job *job = jobs_find(victim->job_id);

	_renew_lent();
	return job && !run_of(job)->borrows ? lent.owned_by_two : lent.owned;
}

extern int64_t packing_loss_weight(const struct place *p, const job_record_t *victim)
{
	int64_t weight = ctld.conf->lent_node_weight;

	if ((weight == 1) || p->borrows || !ctld.conf->pack_borrowers || !victim->node_bitmap)
		return 1;
	return bit_super_set(victim->node_bitmap, _owned_by_others(victim)) ?
		1 : weight;
}
