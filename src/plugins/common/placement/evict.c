/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  evict.c - victims, and how they go
 *
 *  Slurm does the evicting (requeue or cancel, grace time, signals) for every
 *  job on the list that job_test returns.
\*****************************************************************************/
#include "placement/evict.h"

#include "state/job.h"
#include "slurm/waker.h"
#include "match/evict_terms.h"
#include "match/het_records.h"
#include "match/job_standing.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "books/het.h"
#include "placement/place.h"
#include "placement/het_place.h"
#include "placement/provenance.h"
#include "placement/unmanaged.h"

extern uint32_t evict_grace_time(job_record_t *job_ptr)
{
	struct compat_preempt_ops *ops;

	if ((ops = unmanaged_ops(job_ptr)))
		return compat_preempt_grace(ops, job_ptr);
	if (IS_JOB_SUSPENDED(job_ptr))	/* it can't use any */
		return 0;
	if (job_ptr->qos_ptr && job_ptr->qos_ptr->grace_time)
		return job_ptr->qos_ptr->grace_time;
	return job_ptr->part_ptr ? job_ptr->part_ptr->grace_time : 0;
}

/* stopPolicy HoldAndDrain: jobs that run in the queue have to go. They have no
 * preemptor, so the waker's thread calls Slurm's own means. */
static void _drain(struct job *job, void *arg UNUSED)
{
	job_record_t *job_ptr;
	int queue;

	if (!job_runs(job) ||
	    workload_evicting(job->first.work) || !jobs_record(job))
		return;
	job_ptr = het_leader(job->job_ptr);
	queue = workload_queue(job->first.work);
	if (ctld.conf->spec->queues[queue].stop != STOP_HOLD_AND_DRAIN)
		return;
	provenance_drained(job);
	if ((evict_mode(job_ptr) == PREEMPT_MODE_REQUEUE) &&
	    (compat_requeue(job_ptr) == SLURM_SUCCESS))
		return;
	if (job_ptr->het_job_list)
		(void) het_job_signal(job_ptr, SIGKILL, 0, 0, true);
	else
		(void) job_signal(job_ptr, SIGKILL, 0, 0, true);
}

static bool _any_queue_drains(void)
{
	const struct spec *spec = ctld.conf->spec;

	for (size_t i = 0; i < spec->nqueues; i++) {
		if (spec->queues[i].stop == STOP_HOLD_AND_DRAIN)
			return true;
	}
	return false;
}

extern void evict_drained(void)
{
	if (ctld_enforces() && _any_queue_drains())
		jobs_each(_drain, NULL);
}

static void _end_grace(struct job *job, void *arg)
{
	job_record_t *job_ptr;
	time_t now = *(time_t *) arg;

	if (!job_runs(job) ||
	    !(job_ptr = jobs_record(job)) || !job_ptr->preempt_time ||
	    !IS_JOB_RUNNING(job_ptr) ||
	    (job_ptr->het_job_id && !job_ptr->het_job_list))
		return;
	if (now < job_ptr->end_time)
		waker_at(job_ptr->end_time);
	else
		(void) slurm_job_preempt(job_ptr, NULL,
					 slurm_job_preempt_mode(job_ptr),
					 false);
}

extern void evict_graced(void)
{
	time_t now = time(NULL);

	if (ctld_enforces())
		jobs_each(_end_grace, &now);
}

/* ---- the victims that job_test has found ---- */

struct eviction {
	const struct place *p;		/* its nodes are cleared */
	const struct place *asking;	/* of the component that needs it: p, if the job
					 * is not heterogeneous */
	const struct victim *v;
};

/* The job goes: for quota that others need, or as the component of such a
 * job */
static void _goes(struct job *victim, void *arg)
{
	const struct eviction *eviction = arg;
	bool itself = eviction->v->workload == victim->first.work;
	struct run *run = job_get_run(victim);
	uint32_t grace;

	run->noted_by = eviction->p->job_ptr->job_id;
	if (itself)
		provenance_note(eviction->asking, eviction->p, eviction->v);
	else
		provenance_follow(job_of(eviction->v->workload),
				  victim);
	run->turn_over = 0;
	if (eviction->v->reason == VICTIM_TIME_BASED)
		run->turn_over = time(NULL);
	engine_evicting(ctld.engine, victim->first.work, true);
	if ((grace = evict_grace_time(victim->job_ptr)))
		waker_at(time(NULL) + grace);
}

static void _goes_along(struct job *victim, void *arg)
{
	const struct eviction *eviction = arg;

	if (victim->first.work != eviction->v->workload)
		_goes(victim, arg);
}

/* Listed for the same job before, as Slurm tried it in parts, and not yet told
 * to go */
static bool _listed_before(const struct place *p, const struct job *victim)
{
	const struct run *run = run_of(victim);

	return run->noted && (run->noted_by == p->job_ptr->job_id) &&
		!victim->job_ptr->preempt_time;
}

extern int evict_list(struct place *p)
{
	bool decided = (p->mode == SELECT_MODE_RUN_NOW) && !p->partial && !p->limited, again;
	struct eviction eviction;
	int listed = 0, told = 0;

	if (!p->preemptee_job_list)
		return 0;
	FREE_NULL_LIST(*p->preemptee_job_list);
	for (size_t i = 0; i < p->nvictims; i++) {
		struct workload *w = p->victims[i].workload;
		struct job *victim = job_of(w);

		if (!jobs_record(victim) ||
		    !job_holds_nodes(victim->job_ptr))
			continue;
		again = _listed_before(p, victim);
		if (workload_evicting(w) && !again)
			continue;
		if (!*p->preemptee_job_list)
			*p->preemptee_job_list = list_create(NULL);
		list_append(*p->preemptee_job_list,
			    het_leader(victim->job_ptr));
		listed++;
		if (!decided || again)
			continue;
		told++;
		eviction = (struct eviction) {
			p, het_place_asking(p, w), &p->victims[i],
		};
		_goes(victim, &eviction);
		het_each_running(victim, _goes_along, &eviction);
	}
	if (told)
		chance_count_eviction(p->entry->job);
	return listed;
}
