/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fingerprint.c - has a job been changed?
\*****************************************************************************/
#include "match/match.h"

/* --cpus-per-gpu, --mem-per-gpu. In cpus_per_tres and mem_per_tres Slurm puts the defaults of
 * the partition that it tried last. */
static int _mix_by_gres(void *x, void *arg)
{
	const gres_job_state_t *js = ((gres_state_t *) x)->gres_data;

	*(uint64_t *) arg = hash_u64(*(uint64_t *) arg, js->cpus_per_gres);
	*(uint64_t *) arg = hash_u64(*(uint64_t *) arg, js->mem_per_gres);
	return 0;
}

/* Slurm writes in several ways that the user said nothing. */
static uint64_t _said(uint16_t value)
{
	return (value == NO_VAL16) || (value == INFINITE16) ? 0 : value;
}

/* Of sockets, cores and threads; cons_tres makes what there is not yet. */
static uint64_t _mix_layout(uint64_t h, const compat_details_t *d)
{
	const multi_core_data_t *mc = d->mc_ptr;

	h = hash_u64(h, (_said(d->orig_cpus_per_task) << 48) |
			(_said(d->ntasks_per_node) << 32) |
			(_said(d->ntasks_per_tres) << 16) | _said(d->core_spec));
	return hash_u64(h, !mc ? 0 : (_said(mc->threads_per_core) << 48) |
				     (_said(mc->ntasks_per_core) << 32) |
				     (_said(mc->ntasks_per_socket) << 16) |
				     _said(mc->sockets_per_node));
}

extern uint64_t fingerprint_of_request(job_record_t *job_ptr)
{
	const compat_details_t *d = job_ptr->details;
	const char *const texts[] = {
		job_ptr->partition, d->features, d->req_nodes, d->exc_nodes, job_ptr->licenses,
		job_ptr->tres_per_node, job_ptr->tres_per_job, job_ptr->tres_per_task,
		job_ptr->tres_per_socket, job_ptr->resv_ptr ? job_ptr->resv_ptr->node_list : NULL,
	};
	uint64_t h = job_ptr->resv_id;

	if (job_ptr->resv_ptr)
		h = hash_u64(h, job_ptr->resv_ptr->flags & RESERVE_FLAG_FLEX);
	h = hash_u64(h, ((uint64_t) d->min_nodes << 32) | d->max_nodes);
	h = hash_u64(h, ((uint64_t) d->orig_min_cpus << 32) | d->orig_pn_min_cpus);
	h = hash_u64(h, d->orig_pn_min_memory);
	h = hash_u64(h, ((uint64_t) d->num_tasks << 16) | (d->overcommit << 8) |
			d->whole_node);
	h = _mix_layout(h, d);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		h = fingerprint_mix_text(h, texts[i]);
	if (job_ptr->gres_list_req)
		(void) list_for_each(job_ptr->gres_list_req, _mix_by_gres, &h);
	return h;
}

extern uint64_t fingerprint_of_demand(job_record_t *job_ptr)
{
	uint64_t h = fingerprint_of_request(job_ptr);

	h = fingerprint_mix_text(h, job_ptr->account);
	h = hash_u64(h, job_ptr->qos_id);
	h = hash_u64(h, job_ptr->user_id);
	h = hash_u64(h, job_ptr->time_limit);
	h = hash_u64(h, (uintptr_t) job_ptr->details->feature_list);
	h = hash_u64(h, (uintptr_t) job_ptr->gres_list_req);
	if (job_ptr->array_recs) {
		h = hash_u64(h, job_ptr->array_recs->task_cnt);
		h = hash_u64(h, job_ptr->array_recs->max_run_tasks);
		h = hash_u64(h, job_ptr->array_recs->tot_run_tasks);
	}
	return h;
}
