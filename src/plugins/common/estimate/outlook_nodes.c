/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  outlook_nodes.c - the nodes of a cluster that is played forward
 *
 *  Nodes are totals of their flavor. What jobs outside all cluster queues use
 *  of them is taken off until those jobs end.
\*****************************************************************************/
#include "estimate/outlook_nodes.h"

#include "state/job.h"
#include "match/fingerprint.h"
#include "match/flavor_nodes.h"
#include "request/demand.h"
#include "request/floor.h"
#include "jobs/jobs.h"
#include "estimate/outlook_times.h"

#include "sim.h"

static int64_t _of_node(const node_record_t *node_ptr,
			const struct resource *r)
{
	switch (r->kind) {
	case RESOURCE_CPU:
		return node_ptr->cpus_efctv ? node_ptr->cpus_efctv :
			node_ptr->cpus;
	case RESOURCE_MEM:
		return (int64_t) node_ptr->real_memory -
			(int64_t) node_ptr->mem_spec_limit;
	case RESOURCE_NODE:
		return 1;
	case RESOURCE_GRES:
		return floor_whole_gres(node_ptr, r);
	default:
		return 0;
	}
}

static bool _is_of_nodes(const struct resource *r)
{
	return (r->kind == RESOURCE_CPU) || (r->kind == RESOURCE_MEM) ||
		(r->kind == RESOURCE_NODE) || (r->kind == RESOURCE_GRES);
}

/* What a node has is asked once, and added to the flavors that it is of. */
static void _add_node(const node_record_t *node_ptr, int64_t *totals)
{
	const struct spec *spec = ctld.conf->spec;

	for (size_t r = 0; r < spec->nresources; r++) {
		int64_t has = _of_node(node_ptr, &ctld.resources[r]);

		for (size_t f = 0; has && (f < spec->nflavors); f++) {
			bitstr_t *nodes = flavor_nodes(f);

			if (!nodes || bit_test(nodes, node_ptr->index))
				totals[f * spec->nresources + r] += has;
		}
	}
}

/* By flavor and resource; the caller frees it */
static int64_t *_totals(void)
{
	const struct spec *spec = ctld.conf->spec;
	int64_t *totals = xcalloc(spec->nflavors * spec->nresources + 1,
				  sizeof(*totals));
	node_record_t *node_ptr;

	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		if (bit_test(avail_node_bitmap, node_ptr->index))
			_add_node(node_ptr, totals);
	}
	return totals;
}

extern bool outlook_any_nodes(void)
{
	return bit_ffs(avail_node_bitmap) >= 0;
}

extern bool outlook_nodes_changed(void)
{
	static bitstr_t *known;

	if (known && (bit_size(known) == bit_size(avail_node_bitmap)) &&
	    bit_equal(known, avail_node_bitmap))
		return false;
	FREE_NULL_BITMAP(known);
	known = bit_copy(avail_node_bitmap);
	return true;
}

/* GRES that Slurm does not count on its nodes are limited by quota only. */
extern uint64_t outlook_take_nodes(struct sim *sim)
{
	size_t nresources = ctld.conf->spec->nresources;
	int64_t *totals = _totals();
	uint64_t digest = 0;

	for (size_t i = 0; i < ctld.conf->spec->nflavors * nresources; i++) {
		const struct resource *r = &ctld.resources[i % nresources];

		digest = fingerprint_mix(digest, totals[i]);
		if (_is_of_nodes(r) &&
		    (totals[i] || (r->kind != RESOURCE_GRES)))
			sim_room(sim, i / nresources, i % nresources,
				 totals[i]);
	}
	xfree(totals);
	return digest;
}

/* A job outside all queues. If its nodes are of several flavors, it counts in
 * each flavor by the share of its nodes there. */
static size_t _uses(const job_record_t *job_ptr, struct charge *charges)
{
	const struct spec *spec = ctld.conf->spec;
	int64_t all = bit_set_count(job_ptr->node_bitmap);
	size_t n = 0;

	for (size_t i = 0; i < spec->nflavors * spec->nresources; i++) {
		const struct resource *r = &ctld.resources[i %
							   spec->nresources];
		int flavor = i / spec->nresources;
		bitstr_t *nodes = flavor_nodes(flavor);
		int64_t there = nodes ?
			bit_overlap(nodes, job_ptr->node_bitmap) : all;

		if (!there || !_is_of_nodes(r))
			continue;
		charges[n++] = (struct charge) {
			flavor, i % spec->nresources,
			demand_tres(job_ptr->tres_alloc_cnt, r) * there / all,
		};
	}
	return n;
}

struct others {
	struct sim *sim;
	uint64_t *digest;
};

static void _digest(struct others *others, const job_record_t *job_ptr)
{
	uint64_t h = fingerprint_mix(0, job_ptr->job_id);

	h = fingerprint_mix(h, bit_set_count(job_ptr->node_bitmap));
	h = fingerprint_mix(h, job_ptr->total_cpus);
	*others->digest += fingerprint_mix(h, outlook_end(job_ptr));
}

/* For list_find_first(): a job is found if there was no memory for it */
static int _take_other(void *x, void *arg)
{
	struct others *others = arg;
	const struct spec *spec = ctld.conf->spec;
	job_record_t *job_ptr = x;
	struct job *job = jobs_find(job_ptr->job_id);
	struct charge *charges;
	int rc;

	if ((job && job->first.work) || !IS_JOB_RUNNING(job_ptr) ||
	    !job_ptr->node_bitmap || !job_ptr->tres_alloc_cnt)
		return 0;
	charges = xcalloc(spec->nflavors * spec->nresources + 1,
			  sizeof(*charges));
	rc = sim_occupy(others->sim, charges, _uses(job_ptr, charges),
			outlook_end(job_ptr));
	_digest(others, job_ptr);
	xfree(charges);
	return rc;
}

extern bool outlook_take_others(struct sim *sim, uint64_t *digest)
{
	struct others others = { sim, digest };

	return !list_find_first(job_list, _take_other, &others);
}
