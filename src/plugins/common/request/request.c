/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  request.c - what a waiting job asks for
 *
 *  Of a waiting job Slurm knows the request, not the outcome: a job that asks
 *  for GPUs and no CPUs gets CPUs all the same. So this is an estimate from
 *  below for its smallest allocation in a flavor. The nodes that Slurm selects
 *  are checked again before the job starts (place.c), and what that teaches is
 *  kept (learn.c).
\*****************************************************************************/
#include "request/request.h"

extern uint32_t request_counted(compat_list_t features)
{
	const job_feature_t *feature;
	bool choice = false;
	uint32_t nodes = 0;

	for_each_in(feature, features) {
		nodes += feature->count;
		choice |= (feature->op_code == COMPAT_FEATURE_XOR) ||
			(feature->op_code == FEATURE_OP_OR);
	}
	return choice ? 0 : nodes;
}

/* While Slurm tries a job in parts (gate.c), its record has the need of that part only. */
static int64_t _nodes_of(const job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	return MAX(MAX(details->min_nodes, request_counted(details->feature_list)), 1);
}

static int64_t _min_cpus_of(const job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	if (!request_counted(details->feature_list) || (details->orig_min_cpus == NO_VAL))
		return details->min_cpus;
	return MAX(details->min_cpus, details->orig_min_cpus);
}

extern bool request_takes_whole_nodes(const job_record_t *job_ptr)
{
	return compat_whole_node(job_ptr->details) ||
		(job_ptr->part_ptr && !job_ptr->part_ptr->max_share);
}

static bool _is_set(uint16_t limit)
{
	return limit && (limit != INFINITE16) && (limit != NO_VAL16);
}

/* ---- GRES ---- */

/* Of one entry of the request, for the smallest allocation */
static int64_t _gres_count(const job_record_t *job_ptr, const gres_job_state_t *js)
{
	const compat_details_t *details = job_ptr->details;
	int64_t nodes = _nodes_of(job_ptr), sockets = 1, n;

	if (details->mc_ptr && _is_set(details->mc_ptr->sockets_per_node))
		sockets = details->mc_ptr->sockets_per_node;
	n = MAX(js->gres_per_job, js->gres_per_node * nodes);
	n = MAX(n, (int64_t) js->gres_per_socket * sockets * nodes);
	return MAX(n, (int64_t) js->gres_per_task * MAX(details->num_tasks, 1));
}

/* Does an amount without type in the request end up as this type? */
static bool _is_of_type(const struct floor *f, size_t resource, const gres_job_state_t *js)
{
	const char *type = ctld.resources[resource].type;

	if (!type)
		return true;
	return js->type_name ? !xstrcmp(js->type_name, type) :
		f->gres[resource].typed && !f->gres[resource].other;
}

static int64_t _gres_of(job_record_t *job_ptr, const struct floor *f, size_t resource)
{
	bool whole = request_takes_whole_nodes(job_ptr);
	int64_t total = 0;
	gres_state_t *gres;

	if (f->gres[resource].free)
		return 0;
	for_each_in(gres, job_ptr->gres_list_req) {
		/* whole nodes come without shared GRES */
		if (!xstrcmp(gres->gres_name, ctld.resources[resource].name) &&
		    !(whole && gres_id_shared(gres->config_flags)) &&
		    _is_of_type(f, resource, gres->gres_data))
			total += _gres_count(job_ptr, gres->gres_data);
	}
	return whole ? MAX(total, f->gres[resource].whole * _nodes_of(job_ptr)) : total;
}

static int64_t _default_in(compat_list_t defaults, uint16_t type)
{
	const job_defaults_t *d;

	for_each_in(d, defaults) {
		if (d->type == type)
			return d->value;
	}
	return 0;
}

/* DefCpuPerGPU, DefMemPerGPU of the partition, else of the cluster; 0: none. In the record
 * are those of the partition that was tried last. */
static int64_t _default_per_gpu(const job_record_t *job_ptr, uint16_t type)
{
	const part_record_t *part_ptr = job_ptr->part_ptr;
	int64_t own = part_ptr ? _default_in(part_ptr->job_defaults_list, type) : 0;

	return own ? own : _default_in(slurm_conf.job_defaults_list, type);
}

/* What comes with GRES: --cpus-per-gpu or --mem-per-gpu, or (by_default > 0) the default */
static int64_t _by_gres(job_record_t *job_ptr, bool memory, int64_t by_default)
{
	int64_t total = 0;
	gres_state_t *gres;

	for_each_in(gres, job_ptr->gres_list_req) {
		const gres_job_state_t *js = gres->gres_data;
		int64_t n = _gres_count(job_ptr, js);
		int64_t each = memory ? js->mem_per_gres : js->cpus_per_gres;

		if (!each && !xstrcmp(gres->gres_name, "gpu"))
			each = by_default;
		total = memory ? total + n * each : MAX(total, n * each);
	}
	return total;
}

/* ---- CPUs and memory ---- */

static bool _leaves_threads(const compat_details_t *details)
{
	return details->overcommit ||
		(details->mc_ptr && (_is_set(details->mc_ptr->threads_per_core) ||
				     _is_set(details->mc_ptr->ntasks_per_core)));
}

extern bool request_leaves_cpus(const job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	return _leaves_threads(details) ||
		(request_takes_whole_nodes(job_ptr) &&
		 (_is_set(details->ntasks_per_node) || (details->cpus_per_task > 1) ||
		  (details->core_spec != NO_VAL16) ||
		  (details->mc_ptr && _is_set(details->mc_ptr->ntasks_per_socket))));
}

/* CPUs come in these pieces */
static int64_t _cpu_unit(const job_record_t *job_ptr, const struct floor *f)
{
	uint16_t cr = compat_select_param(job_ptr->part_ptr);

	if (_leaves_threads(job_ptr->details))	/* Slurm may count fewer */
		return 1;
	if (cr & COMPAT_CR_SOCKET)
		return f->socket;
	return (cr & COMPAT_CR_CORE) ? f->core : 1;
}

/* As asked for, before pieces are made whole */
static int64_t _cpus_asked(job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;
	int64_t nodes = _nodes_of(job_ptr);
	int64_t cpus = MAX(_min_cpus_of(job_ptr), nodes), by_default = 0;

	if (details->pn_min_cpus != NO_VAL)
		cpus = MAX(cpus, (int64_t) details->pn_min_cpus * nodes);
	/* the default does not hold with --cpus-per-task */
	if (details->orig_cpus_per_task == NO_VAL16)
		by_default = _default_per_gpu(job_ptr, JOB_DEF_CPU_PER_GPU);
	return MAX(cpus, _by_gres(job_ptr, false, by_default));
}

static int64_t _cpus_of(job_record_t *job_ptr, const struct floor *f)
{
	int64_t unit = _cpu_unit(job_ptr, f), nodes = _nodes_of(job_ptr);
	int64_t cpus = MAX(_cpus_asked(job_ptr), unit * nodes);

	if (request_takes_whole_nodes(job_ptr))
		cpus = MAX(cpus, f->cpus * nodes);
	return (cpus + unit - 1) / unit * unit;
}

extern int64_t request_mem(const job_record_t *job_ptr, int64_t all, int64_t nodes, int64_t cpus)
{
	uint64_t mem = job_ptr->details->pn_min_memory;

	if (!mem || (mem == NO_VAL64))
		return all;
	return mem & MEM_PER_CPU ? (int64_t) (mem & ~MEM_PER_CPU) * cpus : (int64_t) mem * nodes;
}

static int64_t _mem_asked(job_record_t *job_ptr, const struct floor *f)
{
	int64_t nodes = _nodes_of(job_ptr);

	return request_mem(job_ptr, f->mem * nodes, nodes, request_leaves_cpus(job_ptr) ?
			   _cpus_asked(job_ptr) : _cpus_of(job_ptr, f));
}

static int64_t _mem_of(job_record_t *job_ptr, const struct floor *f)
{
	const part_record_t *part_ptr = job_ptr->part_ptr;
	int64_t by_gres, by_default;

	if (!compat_counts_memory(part_ptr))
		return 0;
	if (job_ptr->bit_flags & JOB_MEM_SET)
		return _mem_asked(job_ptr, f);
	if ((by_gres = _by_gres(job_ptr, true, 0)))
		return by_gres;
	by_default = _by_gres(job_ptr, true, _default_per_gpu(job_ptr, JOB_DEF_MEM_PER_GPU));
	if (!by_default)
		return _mem_asked(job_ptr, f);
	/* the cluster's default per GPU, or the partition's per CPU: that depends on Slurm's
	 * version */
	return part_ptr && part_ptr->def_mem_per_cpu ?
		MIN(by_default, _mem_asked(job_ptr, f)) : by_default;
}

/* ---- all resources ---- */

static int64_t _requested(job_record_t *job_ptr, const struct floor *f, size_t resource)
{
	const struct resource *r = &ctld.resources[resource];

	switch (r->kind) {
	case RESOURCE_CPU:
		return _cpus_of(job_ptr, f);
	case RESOURCE_MEM:
		return _mem_of(job_ptr, f);
	case RESOURCE_NODE:
		return _nodes_of(job_ptr);
	case RESOURCE_GRES:
		return _gres_of(job_ptr, f, resource);
	case RESOURCE_LICENSE:
		return demand_licenses(job_ptr, r, _nodes_of(job_ptr));
	case RESOURCE_BILLING:
		return demand_billing(job_ptr, _cpus_of(job_ptr, f), _mem_of(job_ptr, f),
				      _nodes_of(job_ptr), NULL, NULL);
	case RESOURCE_OTHER:
		break;
	}
	return demand_tres(job_ptr->tres_req_cnt, r);
}

extern void request_of(job_record_t *job_ptr, int flavor, int64_t *amounts)
{
	const struct floor *f = floor_of(job_ptr, flavor);

	for (size_t i = 0; i < ctld.conf->spec->nresources; i++)
		amounts[i] = _requested(job_ptr, f, i);
}

/* ---- the next partition is tried ---- */

/* cons_tres goes by the CPUs per GPU of the partition that it tried first, and by the memory
 * per GPU of the one that it tried last, which takes all memory of a node where there is no
 * such default. It makes anew what is not there. And backfill starts a component with what
 * it asks for in the partition that was looked at last. */
extern void request_renew(job_record_t *job_ptr)
{
	gres_state_t *gres;

	if (!job_ptr->part_ptr_list)
		return;
	FREE_NULL_LIST(job_ptr->gres_list_req_accum);
	for_each_in(gres, job_ptr->gres_list_req) {
		gres_job_state_t *js = gres->gres_data;

		js->def_cpus_per_gres = 0;
		js->def_mem_per_gres = 0;
	}
	/* of a job that is tried in parts the record has a part */
	if (job_ptr->het_job_id && !request_counted(job_ptr->details->feature_list))
		(void) job_limits_check(&job_ptr, true);
}
