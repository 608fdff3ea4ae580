/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  demand.c - what a waiting job asks for, what a running job has
 *
 *  Of a waiting job Slurm knows the request, not the outcome: one that asks
 *  for GPUs and no CPUs gets CPUs all the same. So the request is an estimate
 *  from below for its smallest allocation, and what Slurm selects is looked
 *  at again before the job starts (place.c).
\*****************************************************************************/
#include "ctld_priv.h"

static void _parse_resource(struct resource *r, const char *tres)
{
	r->tres_pos = -1;
	if (!xstrcmp(tres, "cpu")) {
		r->kind = RESOURCE_CPU;
	} else if (!xstrcmp(tres, "mem")) {
		r->kind = RESOURCE_MEM;
	} else if (!xstrcmp(tres, "node")) {
		r->kind = RESOURCE_NODE;
	} else if (!xstrncmp(tres, "gres/", 5)) {
		char *colon;

		r->kind = RESOURCE_GRES;
		r->name = xstrdup(tres + 5);
		if ((colon = strchr(r->name, ':'))) {
			*colon = '\0';
			r->type = xstrdup(colon + 1);
		}
	} else if (!xstrncmp(tres, "license/", 8)) {
		r->kind = RESOURCE_LICENSE;
		r->name = xstrdup(tres + 8);
	} else {
		slurmdb_tres_rec_t rec = { 0 };
		char *type = xstrdup(tres), *slash = strchr(type, '/');

		if (slash)
			*slash = '\0';
		r->kind = RESOURCE_OTHER;
		rec.type = type;
		rec.name = slash ? slash + 1 : NULL;
		r->tres_pos = assoc_mgr_find_tres_pos(&rec, false);
		xfree(type);
	}
}

extern void demand_init(void)
{
	const struct spec *spec = ctld.conf->spec;

	ctld.resources = xcalloc(spec->nresources + 1, sizeof(struct resource));
	for (size_t i = 0; i < spec->nresources; i++)
		_parse_resource(&ctld.resources[i], spec->resources[i]);
}

extern void demand_fini(void)
{
	if (!ctld.resources)
		return;
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		xfree(ctld.resources[i].name);
		xfree(ctld.resources[i].type);
	}
	xfree(ctld.resources);
}

/* ---- waiting jobs ---- */

/* Smallest value of a node configuration among the nodes a job could get */
static uint64_t _smallest_node(job_record_t *job_ptr, bool memory)
{
	uint64_t smallest = 0;
	node_record_t *node_ptr;

	if (!job_ptr->part_ptr || !job_ptr->part_ptr->node_bitmap)
		return 1;
	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		uint64_t value;

		if (!bit_test(job_ptr->part_ptr->node_bitmap, node_ptr->index))
			continue;
		value = memory ? node_ptr->config_ptr->real_memory :
			node_ptr->config_ptr->cpus;
		if (!smallest || (value < smallest))
			smallest = value;
	}
	return smallest ? smallest : 1;
}

static int64_t _nodes_of(const struct job_details *details)
{
	return details->min_nodes ? details->min_nodes : 1;
}

static int64_t _cpus_of(job_record_t *job_ptr)
{
	const struct job_details *details = job_ptr->details;
	int64_t nodes = _nodes_of(details);
	int64_t cpus = MAX((int64_t) details->min_cpus, nodes);

	if (details->pn_min_cpus != NO_VAL)
		cpus = MAX(cpus, (int64_t) details->pn_min_cpus * nodes);
	if (details->whole_node == WHOLE_NODE_REQUIRED)
		cpus = MAX(cpus, (int64_t) _smallest_node(job_ptr, false) *
			   nodes);
	return cpus;
}

static int64_t _mem_of(job_record_t *job_ptr)
{
	uint64_t mem = job_ptr->details->pn_min_memory;
	int64_t nodes = _nodes_of(job_ptr->details);

	if (!mem || (mem == NO_VAL64))
		return (int64_t) _smallest_node(job_ptr, true) * nodes;
	if (mem & MEM_PER_CPU)
		return (int64_t) (mem & ~MEM_PER_CPU) * _cpus_of(job_ptr);
	return (int64_t) mem * nodes;
}

static bool _gres_matches(const struct resource *r, const gres_state_t *gres,
			  const gres_job_state_t *js)
{
	if (xstrcmp(gres->gres_name, r->name))
		return false;
	return !r->type || !xstrcmp(js->type_name, r->type);
}

static int64_t _gres_requested(job_record_t *job_ptr, const struct resource *r)
{
	int64_t nodes = _nodes_of(job_ptr->details), total = 0;
	compat_itr_t iter;
	gres_state_t *gres;

	if (!job_ptr->gres_list_req)
		return 0;
	iter = list_iterator_create(job_ptr->gres_list_req);
	while ((gres = list_next(iter))) {
		gres_job_state_t *js = gres->gres_data;
		uint64_t n;

		if (!_gres_matches(r, gres, js))
			continue;
		n = MAX(js->gres_per_job, js->gres_per_node * nodes);
		n = MAX(n, js->gres_per_socket * nodes);
		if (js->gres_per_task)
			n = MAX(n, js->gres_per_task *
				MAX(job_ptr->details->num_tasks, 1));
		total += n;
	}
	list_iterator_destroy(iter);
	return total;
}

static int _find_license(void *x, void *key)
{
	return !xstrcmp(((licenses_t *) x)->name, key);
}

static int64_t _licenses_of(job_record_t *job_ptr, const struct resource *r)
{
	licenses_t *license = NULL;

	if (job_ptr->license_list)
		license = list_find_first(job_ptr->license_list, _find_license,
					  r->name);
	return license ? license->total : 0;
}

static int64_t _tres_of(const uint64_t *counts, const struct resource *r)
{
	uint64_t n;

	if (!counts || (r->tres_pos < 0))
		return 0;
	n = counts[r->tres_pos];
	return (n == NO_CONSUME_VAL64) || (n >= INFINITE64 - 1) ? 0 : n;
}

static int64_t _requested(job_record_t *job_ptr, const struct resource *r)
{
	switch (r->kind) {
	case RESOURCE_CPU:
		return _cpus_of(job_ptr);
	case RESOURCE_MEM:
		return _mem_of(job_ptr);
	case RESOURCE_NODE:
		return _nodes_of(job_ptr->details);
	case RESOURCE_GRES:
		return _gres_requested(job_ptr, r);
	case RESOURCE_LICENSE:
		return _licenses_of(job_ptr, r);
	case RESOURCE_OTHER:
		break;
	}
	return _tres_of(job_ptr->tres_req_cnt, r);
}

extern void demand_of(job_record_t *job_ptr, const struct job *job,
		      int64_t *amounts)
{
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		amounts[i] = _requested(job_ptr, &ctld.resources[i]);
		if (job && job->learned)
			amounts[i] = MAX(amounts[i], job->learned[i]);
	}
}

/* ---- jobs with an allocation ---- */

/* GRES that cons_tres has picked, before they are allocated */
static int64_t _gres_selected(job_record_t *job_ptr, const gres_job_state_t *js)
{
	bitstr_t *nodes = job_ptr->job_resrcs->node_bitmap;
	int64_t total = 0;

	for (uint32_t i = 0; i < js->total_node_cnt; i++) {
		if (!nodes || !bit_test(nodes, i))
			continue;
		if (js->gres_cnt_node_select && js->gres_cnt_node_select[i])
			total += js->gres_cnt_node_select[i];
		else if (js->gres_bit_select && js->gres_bit_select[i])
			total += bit_set_count(js->gres_bit_select[i]);
	}
	return total;
}

static int64_t _gres_allocated(job_record_t *job_ptr, const struct resource *r,
			       bool selected)
{
	compat_list_t list = selected ? job_ptr->gres_list_req :
		job_ptr->gres_list_alloc;
	int64_t total = 0;
	compat_itr_t iter;
	gres_state_t *gres;

	if (!list)
		return 0;
	iter = list_iterator_create(list);
	while ((gres = list_next(iter))) {
		gres_job_state_t *js = gres->gres_data;

		if (!_gres_matches(r, gres, js))
			continue;
		if (selected) {
			total += _gres_selected(job_ptr, js);
			continue;
		}
		for (uint32_t i = 0;
		     js->gres_cnt_node_alloc && (i < js->node_cnt); i++)
			total += js->gres_cnt_node_alloc[i];
	}
	list_iterator_destroy(iter);
	return total;
}

static int64_t _mem_allocated(const job_resources_t *resrcs)
{
	int64_t total = 0;

	for (uint32_t i = 0; resrcs->memory_allocated && i < resrcs->nhosts; i++)
		total += resrcs->memory_allocated[i];
	return total;
}

static int64_t _cpus_allocated(const job_resources_t *resrcs)
{
	int64_t total = 0;

	for (uint32_t i = 0; resrcs->cpus && i < resrcs->nhosts; i++)
		total += resrcs->cpus[i];
	return total ? total : resrcs->ncpus;
}

static int64_t _allocated(job_record_t *job_ptr, const struct resource *r,
			  bool selected)
{
	const job_resources_t *resrcs = job_ptr->job_resrcs;

	switch (r->kind) {
	case RESOURCE_CPU:
		return _cpus_allocated(resrcs);
	case RESOURCE_MEM:
		return _mem_allocated(resrcs);
	case RESOURCE_NODE:
		return resrcs->nhosts;
	case RESOURCE_GRES:
		return _gres_allocated(job_ptr, r, selected);
	case RESOURCE_LICENSE:
		return _licenses_of(job_ptr, r);
	case RESOURCE_OTHER:
		break;
	}
	return _tres_of(!selected && job_ptr->tres_alloc_cnt ?
			job_ptr->tres_alloc_cnt : job_ptr->tres_req_cnt, r);
}

extern void demand_allocated(job_record_t *job_ptr, bool selected,
			     int64_t *amounts)
{
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++)
		amounts[i] = job_ptr->job_resrcs ?
			_allocated(job_ptr, &ctld.resources[i], selected) :
			_requested(job_ptr, &ctld.resources[i]);
}

/* ---- elastic arrays ---- */

extern int64_t demand_min_available(const job_record_t *job_ptr)
{
	static const char key[] = "cohort:min-available=";
	const char *at = job_ptr->array_job_id ?
		xstrstr(job_ptr->comment, key) : NULL;
	char *end;
	long n;

	if (!at)
		return -1;
	at += sizeof(key) - 1;
	n = strtol(at, &end, 10);
	if ((end == at) || (n < 0) || (*end && !strchr(" ,;", *end)))
		return -1;
	return n;
}

/* ---- change ---- */

static uint64_t _mix(uint64_t hash, uint64_t value)
{
	hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
	return hash * 0xff51afd7ed558ccdull;
}

static uint64_t _mix_str(uint64_t hash, const char *s)
{
	for (; s && *s; s++)
		hash = (hash ^ (unsigned char) *s) * 0x100000001b3ull;
	return _mix(hash, 0xff);
}

extern uint64_t demand_fingerprint(job_record_t *job_ptr)
{
	const struct job_details *d = job_ptr->details;
	uint64_t h = 0xcbf29ce484222325ull;

	h = _mix(h, (uintptr_t) job_ptr->part_ptr_list);
	h = _mix_str(h, job_ptr->partition);
	h = _mix_str(h, job_ptr->account);
	h = _mix(h, job_ptr->qos_id);
	h = _mix(h, job_ptr->user_id);
	h = _mix(h, ((uint64_t) d->min_nodes << 32) | d->max_nodes);
	h = _mix(h, ((uint64_t) d->min_cpus << 32) | d->pn_min_cpus);
	h = _mix(h, d->pn_min_memory);
	h = _mix(h, ((uint64_t) d->num_tasks << 8) | d->whole_node);
	h = _mix(h, (uintptr_t) d->feature_list);
	h = _mix_str(h, d->features);
	h = _mix_str(h, d->req_nodes);
	h = _mix_str(h, d->exc_nodes);
	h = _mix_str(h, job_ptr->licenses);
	h = _mix_str(h, job_ptr->tres_per_node);
	h = _mix_str(h, job_ptr->tres_per_job);
	h = _mix_str(h, job_ptr->tres_per_task);
	h = _mix(h, (uintptr_t) job_ptr->gres_list_req);
	if (job_ptr->array_recs) {
		h = _mix(h, job_ptr->array_recs->task_cnt);
		h = _mix(h, job_ptr->array_recs->max_run_tasks);
		h = _mix(h, job_ptr->array_recs->tot_run_tasks);
	}
	return h;
}
