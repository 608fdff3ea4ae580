/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  charge.c - what a job got or is about to get, and what it is charged
 *
 *  Before job_begin cons_tres has selected: CPUs and memory are in job_resrcs,
 *  GRES beside the request. Afterwards GRES are in a list of their own, by
 *  type, also if the job asked for none. Where cons_tres looks whether there would be
 *  enough without some jobs, it selects as well, but memory comes last and is not done.
\*****************************************************************************/
#include "request/request.h"

#include "match/match.h"

static const struct resource cpu = { .kind = RESOURCE_CPU };
static const struct resource memory = { .kind = RESOURCE_MEM };

static bool _gres_matches(const struct resource *r, const gres_state_t *gres)
{
	const gres_job_state_t *js = gres->gres_data;

	return !xstrcmp(gres->gres_name, r->name) &&
		(!r->type || !xstrcmp(js->type_name, r->type));
}

/* ---- GRES that are selected ---- */

/* How many of `count` are of the type: by the devices that were picked; without devices
 * Slurm takes the types of the node in order. */
static int64_t _of_type(const gres_node_state_t *ns, const char *type, bitstr_t *devices,
			int64_t count)
{
	int64_t of_type = 0, all = devices ? bit_set_count(devices) : 0;

	if (ns->type_cnt == 1)
		return xstrcmp(ns->type_name[0], type) ? 0 : count;
	if (devices && ns->topo_cnt && ns->topo_gres_bitmap) {
		for (int i = 0; i < ns->topo_cnt; i++) {
			bitstr_t *there = ns->topo_gres_bitmap[i];

			if (there && ns->topo_type_name &&
			    !xstrcmp(ns->topo_type_name[i], type) &&
			    (bit_size(there) == bit_size(devices)))
				of_type += bit_overlap(devices, there);
		}
		return all ? count * MIN(of_type, all) / all : 0;
	}
	for (int i = 0; i < ns->type_cnt; i++) {
		int64_t idle = (int64_t) ns->type_cnt_avail[i] - (int64_t) ns->type_cnt_alloc[i];
		int64_t n = MIN(count, MAX(idle, 0));

		if (!xstrcmp(ns->type_name[i], type))
			return n;
		count -= n;
	}
	return 0;
}

static int64_t _selected_on(const node_record_t *node_ptr, const struct resource *r,
			    const gres_job_state_t *js)
{
	const gres_node_state_t *ns = floor_node_gres(node_ptr, r);
	uint32_t i = node_ptr->index;
	bitstr_t *devices;
	int64_t n = 0;

	if (!ns || ns->no_consume || (i >= js->total_node_cnt))
		return 0;
	devices = js->gres_bit_select ? js->gres_bit_select[i] : NULL;
	if (js->gres_cnt_node_select && js->gres_cnt_node_select[i])
		n = js->gres_cnt_node_select[i];
	else if (devices)
		n = bit_set_count(devices);
	return !n || !r->type || js->type_name ? n : _of_type(ns, r->type, devices, n);
}

/* Of one entry of the request */
static int64_t _gres_selected(bitstr_t *nodes, const struct resource *r, const gres_state_t *gres)
{
	const gres_job_state_t *js = gres->gres_data;
	node_record_t *node_ptr;
	int64_t total = 0;

	if (js->type_name && !_gres_matches(r, gres))
		return 0;
	for_each_node_in(node_ptr, nodes)
		total += _selected_on(node_ptr, r, js);
	return total;
}

/* A whole node comes with all of its GRES but for shared ones, which Slurm enters only after
 * selecting. */
static int64_t _on_whole(bitstr_t *nodes, const struct resource *r)
{
	node_record_t *node_ptr;
	int64_t total = 0;

	for_each_node_in(node_ptr, nodes)
		total += floor_node_has(node_ptr, r);
	return total;
}

/* ---- GRES that are allocated ---- */

static int64_t _gres_on(job_record_t *job_ptr, const struct resource *r, uint32_t host)
{
	int64_t total = 0;
	gres_state_t *gres;

	for_each_in(gres, job_ptr->gres_list_alloc) {
		const gres_job_state_t *js = gres->gres_data;

		if (_gres_matches(r, gres) && js->gres_cnt_node_alloc && (host < js->node_cnt) &&
		    (js->gres_cnt_node_alloc[host] != NO_CONSUME_VAL64))
			total += js->gres_cnt_node_alloc[host];
	}
	return total;
}

/* ---- what is allocated on each node ---- */

extern int64_t allocated_on(job_record_t *job_ptr, const struct resource *r, uint32_t host)
{
	const job_resources_t *resrcs = job_ptr->job_resrcs;

	switch (r->kind) {
	case RESOURCE_CPU:
	case RESOURCE_BILLING:
		return resrcs->cpus ? resrcs->cpus[host] : 0;
	case RESOURCE_MEM:
		return resrcs->memory_allocated ? resrcs->memory_allocated[host] : 0;
	case RESOURCE_NODE:
		return 1;
	case RESOURCE_GRES:
		return _gres_on(job_ptr, r, host);
	default:
		return 0;
	}
}

static int64_t _on_all(job_record_t *job_ptr, const struct resource *r)
{
	int64_t total = 0;

	for (uint32_t host = 0; host < job_ptr->job_resrcs->nhosts; host++)
		total += allocated_on(job_ptr, r, host);
	return total;
}

/* ---- what is shared by all resources of a job ---- */

struct got {
	job_record_t *job_ptr;
	bitstr_t *selected;		/* or NULL: it has begun */
	int64_t mem, nodes;
};

static int64_t _gres_got(const struct resource *r, void *arg)
{
	const struct got *got = arg;
	job_record_t *job_ptr = got->job_ptr;
	int64_t total = 0;
	gres_state_t *gres;

	if (got->selected && compat_whole_node(job_ptr->details))
		return _on_whole(got->selected, r);
	if (got->selected) {
		for_each_in(gres, job_ptr->gres_list_req) {
			if (!xstrcmp(gres->gres_name, r->name))
				total += _gres_selected(got->selected, r, gres);
		}
		return total;
	}
	return _on_all(job_ptr, r);
}

/* Slurm's accounting shows the same: whole cores or sockets, whole nodes with all their
 * threads */
static int64_t _cpus_of(job_record_t *job_ptr)
{
	int64_t total;

	if (job_ptr->total_cpus || !job_ptr->job_resrcs)
		return job_ptr->total_cpus;
	total = _on_all(job_ptr, &cpu);
	return total ? total : job_ptr->job_resrcs->ncpus;
}

/* ---- memory that is not entered yet ---- */

/* --mem-per-gpu, or the default of the partition that is tried: cons_tres puts it there. */
static int64_t _mem_by_gres(job_record_t *job_ptr, bitstr_t *nodes)
{
	int64_t total = 0;
	gres_state_t *gres;

	for_each_in(gres, job_ptr->gres_list_req) {
		const gres_job_state_t *js = gres->gres_data;
		const struct resource r = { .kind = RESOURCE_GRES, .name = gres->gres_name };
		int64_t each = js->mem_per_gres ? js->mem_per_gres : js->def_mem_per_gres;

		if (each)
			total += each * (compat_whole_node(job_ptr->details) ?
					 _on_whole(nodes, &r) : _gres_selected(nodes, &r, gres));
	}
	return total;
}

static int64_t _mem_selected(job_record_t *job_ptr, bitstr_t *nodes)
{
	int64_t cpus = _cpus_of(job_ptr), by_gres;

	if (!compat_counts_memory(job_ptr->part_ptr))
		return 0;
	if (!(job_ptr->bit_flags & JOB_MEM_SET) && (by_gres = _mem_by_gres(job_ptr, nodes)))
		return by_gres;
	if (request_leaves_cpus(job_ptr))
		cpus = MIN(cpus, job_ptr->details->min_cpus);
	return request_mem(job_ptr, _on_whole(nodes, &memory), bit_set_count(nodes), cpus);
}

/* ---- all resources ---- */

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
		return got->nodes;
	case RESOURCE_GRES:
		return _gres_got(r, got);
	case RESOURCE_LICENSE:
		return demand_licenses(job_ptr, r, got->nodes);
	case RESOURCE_BILLING:
		if (alloc)
			return alloc[TRES_ARRAY_BILLING];
		return demand_billing(job_ptr, _cpus_of(job_ptr), got->mem, got->nodes,
				      _gres_got, got);
	case RESOURCE_OTHER:
		break;
	}
	return demand_tres(alloc ? alloc : job_ptr->tres_req_cnt, r);
}

extern void allocated_of(job_record_t *job_ptr, bitstr_t *nodes, int64_t *amounts)
{
	struct got got = { .job_ptr = job_ptr, .selected = nodes };

	if (!job_ptr->job_resrcs && !nodes) {
		request_of(job_ptr, SPEC_NONE, amounts);
		return;
	}
	got.mem = job_ptr->job_resrcs ? _on_all(job_ptr, &memory) : _mem_selected(job_ptr, nodes);
	got.nodes = job_ptr->job_resrcs ? job_ptr->job_resrcs->nhosts : bit_set_count(nodes);
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++)
		amounts[i] = _allocated(&got, &ctld.resources[i]);
}

/* What it has on these of its nodes */
static void _add_part(job_record_t *job_ptr, bitstr_t *nodes, int64_t *used)
{
	uint32_t host = 0;
	node_record_t *node_ptr;

	for_each_node_in(node_ptr, job_ptr->job_resrcs->node_bitmap) {
		for (size_t r = 0; bit_test(nodes, node_ptr->index) &&
				   (r < ctld.conf->spec->nresources); r++)
			used[r] += allocated_on(job_ptr, &ctld.resources[r], host);
		host++;
	}
}

extern void allocated_by_flavor(job_record_t *job_ptr, int64_t *used)
{
	size_t n = ctld.conf->spec->nresources;
	int64_t *all = xcalloc(n + 1, sizeof(*all));

	allocated_of(job_ptr, NULL, all);
	for (size_t f = 0; f < ctld.conf->spec->nflavors; f++) {
		bitstr_t *nodes = flavor_nodes(f);

		if (nodes && !bit_super_set(job_ptr->job_resrcs->node_bitmap, nodes)) {
			_add_part(job_ptr, nodes, &used[f * n]);
			continue;
		}
		for (size_t r = 0; r < n; r++)
			used[f * n + r] += all[r];
	}
	xfree(all);
}

/* ---- charges ---- */

extern size_t charge_list(const int *flavors, const int64_t *amounts, struct charge *charges)
{
	size_t n = 0;

	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		if ((flavors[i] >= 0) && (amounts[i] > 0))
			charges[n++] = (struct charge) { flavors[i], (int) i, amounts[i] };
	}
	return n;
}

/* The first flavor of the group that holds all nodes of the job */
static int _flavor_by_nodes(const struct spec_group *group, bitstr_t *nodes)
{
	for (size_t i = 0; i < group->nflavors; i++) {
		bitstr_t *of_flavor = flavor_nodes(group->flavors[i]);

		if (!of_flavor || !nodes || bit_super_set(nodes, of_flavor))
			return group->flavors[i];
	}
	return group->flavors[0];
}

extern void charge_fill_flavors(int queue, bitstr_t *nodes, int *flavors)
{
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];

	for (size_t i = 0; i < q->ngroups; i++) {
		const struct spec_group *group = &q->groups[i];
		int flavor = -1;

		for (size_t j = 0; (flavor < 0) && (j < group->nresources); j++)
			flavor = flavors[group->resources[j]];
		if (flavor < 0)
			flavor = _flavor_by_nodes(group, nodes);
		for (size_t j = 0; j < group->nresources; j++)
			flavors[group->resources[j]] = flavor;
	}
}

/* For an admin who follows the books: SlurmctldDebug=debug */
static void _log_charges(const struct job *job, const struct charge *charges, size_t n)
{
	const struct spec *spec = ctld.conf->spec;
	char *text = NULL;

	if (get_log_level() < LOG_LEVEL_DEBUG)
		return;
	for (size_t i = 0; i < n; i++)
		xstrfmtcat(text, " %s@%s=%"PRId64, spec->resources[charges[i].resource],
			   spec->flavors[charges[i].flavor], charges[i].amount);
	debug(PREFIX "charge: %pJ (%s):%s", job->job_ptr,
	      spec->queues[workload_queue(job->first.work)].name, text ? text : "");
	xfree(text);
}

/* The record of an array stands for all tasks that wait; when it starts it is the last of
 * them. */
static void _count_one(struct job *job)
{
	struct workload_desc desc;

	workload_describe(job->first.work, &desc);
	if (workload_running(job->first.work) || (desc.tasks == 1))
		return;
	desc.tasks = 1;
	if (engine_update(ctld.engine, job->first.work, &desc))
		error(PREFIX "%pJ: %m", job->job_ptr);
}

extern void charge_set(struct job *job, const struct charge *charges, size_t n)
{
	if (engine_start(ctld.engine, job->first.work, charges, n,
			 ns_of(job->job_ptr->start_time + run_of(job)->paused)))
		error(PREFIX "%pJ: %m", job->job_ptr);
	_log_charges(job, charges, n);
}

extern void charge_job(struct job *job, bool selected)
{
	size_t nresources = ctld.conf->spec->nresources, n;
	job_record_t *job_ptr = job->job_ptr;
	int64_t *amounts = xcalloc(nresources + 1, sizeof(*amounts));
	struct charge *charges = xcalloc(nresources + 1, sizeof(*charges));
	int *flavors = entry_get_flavors(&job->first);

	charge_fill_flavors(workload_queue(job->first.work), job_ptr->node_bitmap, flavors);
	allocated_of(job_ptr, selected && job_ptr->job_resrcs ?
		     job_ptr->job_resrcs->node_bitmap : NULL, amounts);
	n = charge_list(flavors, amounts, charges);
	_count_one(job);
	job->provisional = selected;
	job_get_run(job)->paused = job_ptr->tot_sus_time;
	charge_set(job, charges, n);
	job_keep(job);		/* its nodes may leave the flavor open */
	xfree(amounts);
	xfree(charges);
}
