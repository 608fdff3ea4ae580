/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ask.c - a user asks when a job would start: sbatch --test-only
 *
 *  slurmctld makes a record of the job, asks job_test when it will run, and
 *  throws the record away. So the job joins the books for a moment. If the
 *  plan lets it start or evict, it is placed as its real submission would be,
 *  and nothing of that is carried out. Otherwise the cluster is played forward
 *  with it, which says when there is quota, and cons_tres says when there are
 *  nodes; the later one counts.
\*****************************************************************************/
#include "outlook.h"

#define HIGHEST (NO_VAL - 1)

/* Has this thread sorted the queue? Then it is a scheduler's. */
static __thread bool sorts;

extern void ask_sorted(void)
{
	sorts = true;
}

extern bool ask_is(uint16_t mode)
{
	return (mode == SELECT_MODE_WILL_RUN) && !sorts &&
		!compat_in_backfill();
}

/* ---- now ---- */

static bool _may_go(struct job *job)
{
	const struct verdict *v = engine_verdict(ctld.engine, job->work);

	return ((v->kind == VERDICT_START) || (v->kind == VERDICT_PREEMPT)) &&
		!gate_is_behind(job);
}

/* Those who would go for it, and how long that takes */
static time_t _list_victims(struct place *p)
{
	time_t longest = 0;

	FREE_NULL_LIST(*p->preemptee_job_list);
	for (size_t i = 0; i < p->nvictims; i++) {
		struct job *victim = workload_owner(p->victims[i].workload);

		longest = MAX(longest, outlook_evict_time(victim->job_ptr));
		if (workload_evicting(p->victims[i].workload))
			continue;
		if (!*p->preemptee_job_list)
			*p->preemptee_job_list = list_create(NULL);
		list_append(*p->preemptee_job_list, victim->job_ptr);
	}
	return longest;
}

/* As its submission would be placed at this moment */
static bool _goes_now(struct place *p, time_t now)
{
	job_record_t *job_ptr = p->job_ptr;
	bool goes;

	if (!p->preemptee_job_list || !_may_go(p->job))
		return false;
	p->usable = bit_copy(p->node_bitmap);
	p->mode = SELECT_MODE_RUN_NOW;
	p->may_evict = true;
	goes = !gate_find_place(p, ns_of(now));
	if (goes) {
		/* there are none where nodes have to be cleared first */
		job_ptr->total_cpus = job_ptr->job_resrcs ?
			job_ptr->job_resrcs->ncpus :
			job_ptr->details->min_cpus;
		job_ptr->start_time = now + _list_victims(p);
		asked_goes(p);
	} else {
		FREE_NULL_LIST(*p->preemptee_job_list);
		bit_copybits(p->node_bitmap, p->usable);
	}
	free_job_resources(&job_ptr->job_resrcs);
	place_free(p);
	return goes;
}

/* ---- later ---- */

/* When the books let it start; 0: never, or not to be foreseen */
static time_t _quota_time(const struct job *job)
{
	const struct sim_job *watched = NULL;
	struct outlook outlook;
	time_t at = 0;

	if (!outlook_take(&outlook, workload_queue(job->work))) {
		error(PREFIX "%pJ: %m", job->job_ptr);
		outlook_free(&outlook);
		return 0;
	}
	for (size_t i = 0; i < outlook.nwaiting; i++) {
		if (outlook.waiting[i].job_id == job->job_id)
			watched = outlook.waiting[i].job;
	}
	if (watched && (outlook_play(&outlook, watched) > 0))
		at = (sim_job_started(watched) + SPEC_SEC - 1) / SPEC_SEC;
	outlook_free(&outlook);
	return at;
}

/* The nodes of all flavors that it may use */
static void _narrow(struct place *p)
{
	const struct spec_queue *queue =
		&ctld.conf->spec->queues[workload_queue(p->job->work)];

	for (size_t i = 0; i < queue->ngroups; i++) {
		const struct spec_group *group = &queue->groups[i];
		bitstr_t *any = bit_alloc(bit_size(p->node_bitmap));

		for (size_t j = 0; j < group->nflavors; j++) {
			bitstr_t *nodes = flavor_nodes(group->flavors[j]);

			if (!suits_flavor(group->flavors[j], p->job_ptr,
					  p->job_ptr->part_ptr))
				continue;
			if (nodes)
				bit_or(any, nodes);
			else
				bit_set_all(any);
		}
		bit_and(p->node_bitmap, any);
		FREE_NULL_BITMAP(any);
	}
}

/* When nodes are free without evicting anybody; 0: never */
static time_t _nodes_time(struct place *p)
{
	_narrow(p);
	if (p->real(p->job_ptr, p->node_bitmap, p->min_nodes, p->max_nodes,
		    p->req_nodes, SELECT_MODE_WILL_RUN, NULL, NULL,
		    COMPAT_REST_OF(&p->rest)) != SLURM_SUCCESS)
		return 0;
	return p->job_ptr->start_time;
}

static bool _goes_later(struct place *p)
{
	time_t quota, nodes;

	if (!(quota = _quota_time(p->job)) || !(nodes = _nodes_time(p)))
		return false;
	p->job_ptr->start_time = MAX(quota, nodes);
	return true;
}

extern int ask_when(struct place *p, bool passing)
{
	job_record_t *job_ptr = p->job_ptr;
	bool later = job_ptr->details->begin_time > time(NULL);
	bool now = !later && _goes_now(p, time(NULL));
	bool known = now || _goes_later(p);

	if (!now)
		asked_waits(p, known ? job_ptr->start_time : 0, later);

	if (passing) {
		books_forget(job_first(p->job));
		/* slurmctld adds the run times of all that wait with this
		 * priority or a higher one, as if they had the partition one
		 * after another. They have been counted, and the record is
		 * thrown away next. */
		job_ptr->priority = HIGHEST;
	}
	return known ? SLURM_SUCCESS : compat_refused();
}
