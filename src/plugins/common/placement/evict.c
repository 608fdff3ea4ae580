/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  evict.c - victims: who may be one, and how they go
 *
 *  Slurm does the evicting (requeue or cancel, grace time, signals) for every
 *  job on the list that job_test returns.
\*****************************************************************************/
#include "placement/evict.h"

#include "state/job.h"
#include "slurm/waker.h"
#include "books/books.h"
#include "books/het.h"
#include "books/jobs.h"
#include "books/waiting.h"
#include "placement/place.h"
#include "placement/provenance.h"
#include "placement/unmanaged.h"
#include "hooks/ctld.h"

/* ---- how a job may be preempted, as Slurm's own plugins have it ---- */

extern uint16_t evict_mode(const job_record_t *job_ptr)
{
	const uint16_t flags = PREEMPT_MODE_GANG | COMPAT_PREEMPT_FLAGS;
	uint16_t mode = slurm_conf.preempt_mode;

	if (job_ptr->part_ptr &&
	    (job_ptr->part_ptr->preempt_mode != NO_VAL16))
		mode = job_ptr->part_ptr->preempt_mode;
	if (job_ptr->qos_ptr && (job_ptr->qos_ptr->preempt_mode & ~flags))
		mode = job_ptr->qos_ptr->preempt_mode;
	return mode & ~flags;
}

extern uint16_t ctld_preempt_mode(job_record_t *job_ptr)
{
	struct compat_preempt_ops *ops;

	if (ctld.broken)
		return PREEMPT_MODE_OFF;
	ops = unmanaged_ops(job_ptr);
	return ops ? compat_preempt_mode(ops, job_ptr) : evict_mode(job_ptr);
}

extern bool ctld_preempts(void)
{
	return !ctld.broken && slurm_conf.preempt_mode &&
		(!ctld_observes() || unmanaged_asks());
}

/* Slurm sorts its own candidates by this; ours come in the engine's order. */
extern uint32_t ctld_preempt_prio(job_record_t *job_ptr)
{
	struct compat_preempt_ops *ops;
	uint32_t tier;

	if (ctld.broken)
		return 0;
	tier = job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier : 0;
	ops = unmanaged_ops(job_ptr);
	return ops ? compat_preempt_prio(ops, job_ptr) :
		(tier << 16) + MIN(job_ptr->node_cnt, 0xffff);
}

extern uint32_t ctld_grace_time(job_record_t *job_ptr)
{
	struct compat_preempt_ops *ops;

	if (ctld.broken)
		return 0;
	if ((ops = unmanaged_ops(job_ptr)))
		return compat_preempt_grace(ops, job_ptr);
	if (job_ptr->qos_ptr && job_ptr->qos_ptr->grace_time)
		return job_ptr->qos_ptr->grace_time;
	return job_ptr->part_ptr ? job_ptr->part_ptr->grace_time : 0;
}

extern int64_t evict_exempt_until(job_record_t *job_ptr)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	uint16_t mode = evict_mode(job_ptr);
	time_t until;

	/* cons_tres can't free the nodes of a suspended job */
	if (IS_JOB_SUSPENDED(job_ptr) ||
	    ((mode != PREEMPT_MODE_REQUEUE) && (mode != PREEMPT_MODE_CANCEL)))
		return INT64_MAX;
	assoc_mgr_lock(&locks);
	until = acct_policy_get_preemptable_time(job_ptr);
	assoc_mgr_unlock(&locks);
	return until <= job_ptr->start_time ? 0 : ns_of(until);
}

/* job_requeue() takes batch jobs only, and none that was submitted with
 * --no-requeue: Slurm cancels what it can't requeue. Of a heterogeneous job it
 * looks at the first component. */
static bool _can_be_requeued(const job_record_t *job_ptr)
{
	const job_record_t *first = NULL;

	if (job_ptr->het_job_id)
		first = find_job_record(job_ptr->het_job_id);
	if (!first)
		first = job_ptr;
	return first->batch_flag && first->details && first->details->requeue;
}

extern int64_t evict_cost(const job_record_t *job_ptr)
{
	return (evict_mode(job_ptr) == PREEMPT_MODE_REQUEUE) &&
		_can_be_requeued(job_ptr) ? 0 : 1;
}

/* Both are ours and under one quota; the exact answer is given in job_test,
 * where quota and nodes are known. Or neither is, and Slurm's plugin decides. */
extern bool ctld_preemptable(job_record_t *preemptee, job_record_t *preemptor)
{
	struct job *victim, *waiting;

	if (ctld.broken)
		return false;
	if (unmanaged_preemptable(preemptee, preemptor))
		return true;
	if (!ctld_enforces())
		return false;
	victim = jobs_find(preemptee->job_id);
	waiting = jobs_find(preemptor->job_id);
	if (waiting)	/* by the partition that is tried */
		waiting = waiting_entry(waiting, preemptor->part_ptr);
	return victim && victim->work && workload_running(victim->work) &&
		waiting && waiting->work;
}

/* stopPolicy HoldAndDrain: what runs in the queue has to go. Not under a
 * preemptor, so Slurm's own means are called, from the waker's thread. */
static void _drain(struct job *job, void *arg UNUSED)
{
	job_record_t *job_ptr;
	int queue;

	if (!job->work || !workload_running(job->work) ||
	    workload_evicting(job->work) || !jobs_record(job))
		return;
	job_ptr = het_leader(job->job_ptr);
	queue = workload_queue(job->work);
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

extern void evict_drained(void)
{
	if (ctld_enforces())
		jobs_each(_drain, NULL);
}

static void _end_grace(struct job *job, void *arg)
{
	job_record_t *job_ptr;
	time_t now = *(time_t *) arg;

	if (!job->work || !workload_running(job->work) ||
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

/* ---- whom job_test has found ---- */

struct eviction {
	struct place *p;
	const struct victim *v;
};

/* It goes: for quota that others need, or as the component of a job that does */
static void _goes(struct job *victim, void *arg)
{
	const struct eviction *eviction = arg;
	bool itself = eviction->v->workload == victim->work;
	uint32_t grace;

	if (itself)
		provenance_note(eviction->p, eviction->v);
	else
		provenance_follow(workload_owner(eviction->v->workload),
				  victim);
	victim->turn_over = 0;
	if (eviction->v->reason == VICTIM_TIME_BASED)
		victim->turn_over = time(NULL);
	engine_evicting(ctld.engine, victim->work, true);
	if ((grace = ctld_grace_time(victim->job_ptr)))
		waker_at(time(NULL) + grace);
}

static void _goes_along(struct job *victim, void *arg)
{
	const struct eviction *eviction = arg;

	if (victim->work != eviction->v->workload)
		_goes(victim, arg);
}

/* Listed for the same job before, as it was tried in parts, and not told to go */
static bool _listed_before(const struct place *p, const struct job *victim)
{
	return victim->noted && (victim->noted_by == p->job_ptr->job_id) &&
		!victim->job_ptr->preempt_time;
}

/* After the first eviction for a job that came to nothing (the second one has
 * just been told) others may go for it in a minute, then in two, four, ..., an
 * hour. Its start ends that. */
#define FIRST_PAUSE 60
#define LONGEST_PAUSE 3600

static void _count_round(struct job *preemptor)
{
	uint32_t in_vain = preemptor->evicted_for++;
	time_t pause;

	if (!in_vain)
		return;
	pause = MIN(FIRST_PAUSE << MIN(in_vain - 1, 6), LONGEST_PAUSE);
	preemptor->evict_again = time(NULL) + pause;
	info(PREFIX "%pJ: %u evictions for it came to nothing: no other one for %"PRId64" s",
	     preemptor->job_ptr, in_vain, (int64_t) pause);
}

extern bool evict_pauses(const struct job *preemptor, time_t now)
{
	return (preemptor->evicted_for > 1) && (now < preemptor->evict_again);
}

extern int evict_list(struct place *p)
{
	bool really = (p->mode == SELECT_MODE_RUN_NOW) && !p->part, again;
	int listed = 0, told = 0;

	if (!p->preemptee_job_list)
		return 0;
	FREE_NULL_LIST(*p->preemptee_job_list);
	for (size_t i = 0; i < p->nvictims; i++) {
		struct workload *w = p->victims[i].workload;
		struct job *victim = workload_owner(w);

		if (!jobs_record(victim) || !IS_JOB_RUNNING(victim->job_ptr))
			continue;
		again = _listed_before(p, victim);
		if (workload_evicting(w) && !again)
			continue;
		if (!*p->preemptee_job_list)
			*p->preemptee_job_list = list_create(NULL);
		list_append(*p->preemptee_job_list,
			    het_leader(victim->job_ptr));
		listed++;
		if (!really || again)
			continue;
		told++;
		_goes(victim, &(struct eviction) { p, &p->victims[i] });
		het_each_running(victim, _goes_along,
				 &(struct eviction) { p, &p->victims[i] });
	}
	if (told)
		_count_round(job_first(p->job));
	books_request_scan();	/* whether they really go, the records will tell */
	return listed;
}
