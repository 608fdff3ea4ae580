/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  allocated.c - what a job got, or is about to get
 *
 *  Before job_begin cons_tres has selected: CPUs and memory are in job_resrcs,
 *  GRES beside the request. Afterwards GRES are in a list of their own, by
 *  type, also if the job asked for none. Where cons_tres looks whether there would be
 *  enough without some jobs, it selects as well, but memory comes last and is not done.
\*****************************************************************************/
#include "request/allocated.h"

#include "state/state.h"
#include "request/demand.h"
#include "request/floor.h"
#include "request/request.h"

/* ---- GRES that are selected ---- */

/* How many of `count` are of the type, by the devices that were picked */
static int64_t _by_devices(const gres_node_state_t *ns, bitstr_t *devices,
			   int64_t count, const char *type)
{
	int64_t of_type = 0, all = bit_set_count(devices);

	for (int i = 0; i < ns->topo_cnt; i++) {
		if (ns->topo_type_name && ns->topo_gres_bitmap[i] &&
		    !xstrcmp(ns->topo_type_name[i], type) &&
		    (bit_size(ns->topo_gres_bitmap[i]) == bit_size(devices)))
			of_type += bit_overlap(devices,
					       ns->topo_gres_bitmap[i]);
	}
	return all ? count * MIN(of_type, all) / all : 0;
}

/* The same without devices: Slurm takes the types of the node in order */
static int64_t _by_order(const gres_node_state_t *ns, int64_t count,
			 const char *type)
{
	for (int i = 0; i < ns->type_cnt; i++) {
		int64_t idle = (int64_t) ns->type_cnt_avail[i] -
			(int64_t) ns->type_cnt_alloc[i];
		int64_t n = MIN(count, MAX(idle, 0));

		if (!xstrcmp(ns->type_name[i], type))
			return n;
		count -= n;
	}
	return 0;
}

static int64_t _of_type(const node_record_t *node_ptr,
			const struct resource *r, bitstr_t *devices,
			int64_t count)
{
	gres_state_t *gres = floor_node_gres(node_ptr, r);
	gres_node_state_t *ns = gres ? gres->gres_data : NULL;

	if (!ns || !ns->type_cnt)
		return 0;
	if (ns->type_cnt == 1)
		return xstrcmp(ns->type_name[0], r->type) ? 0 : count;
	if (devices && ns->topo_cnt && ns->topo_gres_bitmap)
		return _by_devices(ns, devices, count, r->type);
	return _by_order(ns, count, r->type);
}

static int64_t _selected_on(const node_record_t *node_ptr,
			    const struct resource *r,
			    const gres_job_state_t *js)
{
	uint32_t i = node_ptr->index;
	bitstr_t *devices = NULL;
	int64_t n = 0;

	if (i >= js->total_node_cnt)
		return 0;
	if (js->gres_bit_select)
		devices = js->gres_bit_select[i];
	if (js->gres_cnt_node_select && js->gres_cnt_node_select[i])
		n = js->gres_cnt_node_select[i];
	else if (devices)
		n = bit_set_count(devices);
	if (!n || !r->type || js->type_name)
		return n;
	return _of_type(node_ptr, r, devices, n);
}

static bool _gres_matches(const struct resource *r, const gres_state_t *gres)
{
	const gres_job_state_t *js = gres->gres_data;

	if (xstrcmp(gres->gres_name, r->name))
		return false;
	return !r->type || !xstrcmp(js->type_name, r->type);
}

/* Of one entry of the request, on all nodes */
static int64_t _gres_selected(bitstr_t *nodes, const struct resource *r,
			      const gres_state_t *gres)
{
	const gres_job_state_t *js = gres->gres_data;
	node_record_t *node_ptr;
	int64_t total = 0;

	if (js->type_name && !_gres_matches(r, gres))
		return 0;
	for (int i = 0; nodes && (node_ptr = next_node(&i)); i++) {
		gres_state_t *on_node = floor_node_gres(node_ptr, r);

		if (bit_test(nodes, node_ptr->index) && on_node &&
		    !((gres_node_state_t *) on_node->gres_data)->no_consume)
			total += _selected_on(node_ptr, r, js);
	}
	return total;
}

/* A whole node comes with all of its GRES but for shared ones. Slurm enters
 * them only after selecting. */
static int64_t _gres_of_nodes(bitstr_t *nodes, const struct resource *r)
{
	node_record_t *node_ptr;
	int64_t total = 0;

	for (int i = 0; nodes && (node_ptr = next_node(&i)); i++) {
		if (bit_test(nodes, node_ptr->index))
			total += floor_whole_gres(node_ptr, r);
	}
	return total;
}

/* ---- GRES that are allocated ---- */

static int64_t _gres_allocated_on(const gres_state_t *gres, uint32_t host)
{
	const gres_job_state_t *js = gres->gres_data;

	if (!js->gres_cnt_node_alloc || (host >= js->node_cnt) ||
	    (js->gres_cnt_node_alloc[host] == NO_CONSUME_VAL64))
		return 0;
	return js->gres_cnt_node_alloc[host];
}

static int64_t _gres_allocated(const gres_state_t *gres)
{
	const gres_job_state_t *js = gres->gres_data;
	int64_t total = 0;

	for (uint32_t host = 0; host < js->node_cnt; host++)
		total += _gres_allocated_on(gres, host);
	return total;
}

static int64_t _gres_on(job_record_t *job_ptr, const struct resource *r,
			uint32_t host)
{
	int64_t total = 0;
	compat_itr_t iter;
	gres_state_t *gres;

	if (!job_ptr->gres_list_alloc)
		return 0;
	iter = list_iterator_create(job_ptr->gres_list_alloc);
	while ((gres = list_next(iter))) {
		if (_gres_matches(r, gres))
			total += _gres_allocated_on(gres, host);
	}
	list_iterator_destroy(iter);
	return total;
}

static int64_t _gres_of(job_record_t *job_ptr, const struct resource *r,
			bitstr_t *selected)
{
	compat_list_t list = selected ? job_ptr->gres_list_req :
		job_ptr->gres_list_alloc;
	int64_t total = 0;
	compat_itr_t iter;
	gres_state_t *gres;

	if (selected && compat_whole_node(job_ptr->details))
		return _gres_of_nodes(selected, r);
	if (!list)
		return 0;
	iter = list_iterator_create(list);
	while ((gres = list_next(iter))) {
		if (xstrcmp(gres->gres_name, r->name))
			continue;
		if (selected)
			total += _gres_selected(selected, r, gres);
		else if (_gres_matches(r, gres))
			total += _gres_allocated(gres);
	}
	list_iterator_destroy(iter);
	return total;
}

/* ---- CPUs and memory ---- */

static int64_t _mem_of(const job_resources_t *resrcs)
{
	int64_t total = 0;

	for (uint32_t i = 0; resrcs->memory_allocated && i < resrcs->nhosts; i++)
		total += resrcs->memory_allocated[i];
	return total;
}

/* Slurm's accounting shows it, too: whole cores or sockets, whole nodes with
 * all their threads */
static int64_t _cpus_of(const job_record_t *job_ptr)
{
	const job_resources_t *resrcs = job_ptr->job_resrcs;
	int64_t total = 0;

	if (job_ptr->total_cpus || !resrcs)
		return job_ptr->total_cpus;
	for (uint32_t i = 0; resrcs->cpus && i < resrcs->nhosts; i++)
		total += resrcs->cpus[i];
	return total ? total : resrcs->ncpus;
}

/* ---- memory that is not entered yet ---- */

/* --mem-per-gpu, or the default of the partition that is tried: cons_tres puts it there. */
static int64_t _mem_by_gres(job_record_t *job_ptr, bitstr_t *nodes)
{
	int64_t total = 0;
	compat_itr_t iter;
	gres_state_t *gres;

	if (!job_ptr->gres_list_req)
		return 0;
	iter = list_iterator_create(job_ptr->gres_list_req);
	while ((gres = list_next(iter))) {
		const gres_job_state_t *js = gres->gres_data;
		const struct resource r = { .kind = RESOURCE_GRES, .name = gres->gres_name };
		int64_t each = js->mem_per_gres ? js->mem_per_gres : js->def_mem_per_gres;

		if (each)
			total += each * (compat_whole_node(job_ptr->details) ?
					 _gres_of_nodes(nodes, &r) :
					 _gres_selected(nodes, &r, gres));
	}
	list_iterator_destroy(iter);
	return total;
}

static int64_t _mem_selected(job_record_t *job_ptr, bitstr_t *nodes)
{
	const compat_details_t *details = job_ptr->details;
	uint64_t mem = details->pn_min_memory;
	int64_t cpus = _cpus_of(job_ptr), by_gres, total = 0;
	node_record_t *node_ptr;

	if (!(compat_select_param(job_ptr->part_ptr) & COMPAT_CR_MEMORY))
		return 0;
	if (!(job_ptr->bit_flags & JOB_MEM_SET) && (by_gres = _mem_by_gres(job_ptr, nodes)))
		return by_gres;
	if (mem && (mem & MEM_PER_CPU))
		return (int64_t) (mem & ~MEM_PER_CPU) *
			(request_leaves_cpus(job_ptr) ? MIN(cpus, details->min_cpus) : cpus);
	if (mem && (mem != NO_VAL64))
		return (int64_t) mem * bit_set_count(nodes);
	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		if (bit_test(nodes, node_ptr->index))
			total += floor_node_mem(node_ptr);
	}
	return total;
}

/* ---- all resources ---- */

/* What is shared by all resources of a job */
struct got {
	job_record_t *job_ptr;
	bitstr_t *selected;		/* or NULL: it has begun */
	int64_t mem;
};

static int64_t _gres_got(const struct resource *r, void *arg)
{
	const struct got *got = arg;

	return _gres_of(got->job_ptr, r, got->selected);
}

static int64_t _nodes_of(const struct got *got)
{
	return got->job_ptr->job_resrcs ? got->job_ptr->job_resrcs->nhosts :
		bit_set_count(got->selected);
}

static int64_t _allocated(struct got *got, const struct resource *r)
{
	job_record_t *job_ptr = got->job_ptr;
	uint64_t *alloc = got->selected ? NULL : job_ptr->tres_alloc_cnt;

	switch (r->kind) {
	case RESOURCE_CPU:
		return _cpus_of(job_ptr);
	case RESOURCE_MEM:
		return got->mem;
	case RESOURCE_NODE:
		return _nodes_of(got);
	case RESOURCE_GRES:
		return _gres_got(r, got);
	case RESOURCE_LICENSE:
		return demand_licenses(job_ptr, r);
	case RESOURCE_BILLING:
		if (alloc)
			return alloc[TRES_ARRAY_BILLING];
		return demand_billing(job_ptr, _cpus_of(job_ptr), got->mem,
				      _nodes_of(got), _gres_got, got);
	case RESOURCE_OTHER:
		break;
	}
	return demand_tres(alloc ? alloc : job_ptr->tres_req_cnt, r);
}

extern int64_t allocated_on(job_record_t *job_ptr, const struct resource *r,
			    uint32_t host)
{
	const job_resources_t *resrcs = job_ptr->job_resrcs;

	switch (r->kind) {
	case RESOURCE_CPU:
	case RESOURCE_BILLING:
		return resrcs->cpus ? resrcs->cpus[host] : 0;
	case RESOURCE_MEM:
		return resrcs->memory_allocated ?
			resrcs->memory_allocated[host] : 0;
	case RESOURCE_NODE:
		return 1;
	case RESOURCE_GRES:
		return _gres_on(job_ptr, r, host);
	case RESOURCE_LICENSE:
	case RESOURCE_OTHER:
		break;
	}
	return 0;
}

extern void allocated_of(job_record_t *job_ptr, bitstr_t *nodes,
			 int64_t *amounts)
{
	struct got got = { .job_ptr = job_ptr, .selected = nodes };

	if (!job_ptr->job_resrcs && !nodes) {
		request_of(job_ptr, SPEC_NONE, amounts);
		return;
	}
	got.mem = job_ptr->job_resrcs ? _mem_of(job_ptr->job_resrcs) :
		_mem_selected(job_ptr, nodes);
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++)
		amounts[i] = _allocated(&got, &ctld.resources[i]);
}
