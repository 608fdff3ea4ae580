/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fingerprint.c - has a job been changed?
\*****************************************************************************/
#include "match/fingerprint.h"

static uint64_t _mix_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ (hash >> 32);	/* the last character counts in all bits */
}

/* Fewer than eight characters as one word */
static uint64_t _last_word(const char *s, size_t left)
{
	uint64_t word = 0;
	uint32_t four;
	uint16_t two;

	if (left & 4) {
		memcpy(&four, s, sizeof(four));
		word = four;
		s += sizeof(four);
	}
	if (left & 2) {
		memcpy(&two, s, sizeof(two));
		word = (word << 16) | two;
		s += sizeof(two);
	}
	return left & 1 ? (word << 8) | (unsigned char) *s : word;
}

/* Eight characters at a time, as scans take the texts of all that wait. No character
 * of a text is 0, so the rest of one is never 0 and no text is another's beginning. */
extern uint64_t fingerprint_mix_some_text(uint64_t hash, const char *s)
{
	size_t left = strlen(s);
	uint64_t word;

	for (; left >= sizeof(word); left -= sizeof(word), s += sizeof(word)) {
		memcpy(&word, s, sizeof(word));
		hash = _mix_word(hash, word);
	}
	if (left)
		hash = _mix_word(hash, _last_word(s, left));
	return fingerprint_mix(hash, 0xff);
}

static inline bool _is_said(const char *text)
{
	return text && *text;
}

/* Is there any text of those that fingerprint_of_request() takes last? */
static bool _asks_in_words(const job_record_t *job_ptr, const compat_details_t *d)
{
	return _is_said(d->features) || _is_said(d->req_nodes) || _is_said(d->exc_nodes) ||
		_is_said(job_ptr->licenses) || _is_said(job_ptr->tres_per_node) ||
		_is_said(job_ptr->tres_per_job) || _is_said(job_ptr->tres_per_task) ||
		_is_said(job_ptr->tres_per_socket);
}

/* --cpus-per-gpu, --mem-per-gpu. In cpus_per_tres and mem_per_tres Slurm puts the defaults of
 * the partition that it tried last. */
static int _mix_by_gres(void *x, void *arg)
{
	const gres_job_state_t *js = ((gres_state_t *) x)->gres_data;

	*(uint64_t *) arg = fingerprint_mix(*(uint64_t *) arg, js->cpus_per_gres);
	*(uint64_t *) arg = fingerprint_mix(*(uint64_t *) arg, js->mem_per_gres);
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

	h = fingerprint_mix(h, (_said(d->orig_cpus_per_task) << 48) |
			    (_said(d->ntasks_per_node) << 32) |
			    (_said(d->ntasks_per_tres) << 16) | _said(d->core_spec));
	return fingerprint_mix(h, !mc ? 0 : (_said(mc->threads_per_core) << 48) |
			       (_said(mc->ntasks_per_core) << 32) |
			       (_said(mc->ntasks_per_socket) << 16) |
			       _said(mc->sockets_per_node));
}

extern uint64_t fingerprint_of_request(job_record_t *job_ptr)
{
	const compat_details_t *d = job_ptr->details;
	uint64_t h = 0xcbf29ce484222325ull;

	h = fingerprint_mix_text(h, job_ptr->partition);
	h = fingerprint_mix(h, job_ptr->resv_id);
	if (job_ptr->resv_ptr) {
		h = fingerprint_mix_text(h, job_ptr->resv_ptr->node_list);
		h = fingerprint_mix(h, job_ptr->resv_ptr->flags & RESERVE_FLAG_FLEX);
	}
	h = fingerprint_mix(h, ((uint64_t) d->min_nodes << 32) | d->max_nodes);
	h = fingerprint_mix(h, ((uint64_t) d->orig_min_cpus << 32) | d->orig_pn_min_cpus);
	h = fingerprint_mix(h, d->orig_pn_min_memory);
	h = fingerprint_mix(h, ((uint64_t) d->num_tasks << 16) | (d->overcommit << 8) |
			    d->whole_node);
	h = _mix_layout(h, d);
	if (!_asks_in_words(job_ptr, d))
		return h;
	h = fingerprint_mix_text(h, d->features);
	h = fingerprint_mix_text(h, d->req_nodes);
	h = fingerprint_mix_text(h, d->exc_nodes);
	h = fingerprint_mix_text(h, job_ptr->licenses);
	h = fingerprint_mix_text(h, job_ptr->tres_per_node);
	h = fingerprint_mix_text(h, job_ptr->tres_per_job);
	h = fingerprint_mix_text(h, job_ptr->tres_per_task);
	h = fingerprint_mix_text(h, job_ptr->tres_per_socket);
	if (job_ptr->gres_list_req)
		(void) list_for_each(job_ptr->gres_list_req, _mix_by_gres, &h);
	return h;
}

extern uint64_t fingerprint_of_demand(job_record_t *job_ptr)
{
	uint64_t h = fingerprint_of_request(job_ptr);

	h = fingerprint_mix_text(h, job_ptr->account);
	h = fingerprint_mix(h, job_ptr->qos_id);
	h = fingerprint_mix(h, job_ptr->user_id);
	h = fingerprint_mix(h, job_ptr->time_limit);
	h = fingerprint_mix(h, (uintptr_t) job_ptr->details->feature_list);
	h = fingerprint_mix(h, (uintptr_t) job_ptr->gres_list_req);
	if (job_ptr->array_recs) {
		h = fingerprint_mix(h, job_ptr->array_recs->task_cnt);
		h = fingerprint_mix(h, job_ptr->array_recs->max_run_tasks);
		h = fingerprint_mix(h, job_ptr->array_recs->tot_run_tasks);
	}
	return h;
}
