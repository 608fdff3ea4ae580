/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  evict.c - victims: who, why, how
 *
 *  Slurm does the evicting (requeue or cancel, grace time, signals) for every
 *  job on the list that job_test returns. Who gave way to whom and by which
 *  rule is written to slurmctld.log and into the victim's system_comment.
\*****************************************************************************/
#include "ctld_priv.h"

/* ---- how a job may be preempted, as Slurm's own plugins have it ---- */

extern uint16_t ctld_preempt_mode(job_record_t *job_ptr)
{
	uint16_t mode = slurm_conf.preempt_mode;

	if (job_ptr->part_ptr &&
	    (job_ptr->part_ptr->preempt_mode != NO_VAL16))
		mode = job_ptr->part_ptr->preempt_mode;
	if (job_ptr->qos_ptr && job_ptr->qos_ptr->preempt_mode)
		mode = job_ptr->qos_ptr->preempt_mode;
	return mode & ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN);
}

/* Slurm sorts its own candidates by this; ours come in the engine's order. */
extern uint32_t ctld_preempt_prio(job_record_t *job_ptr)
{
	uint32_t tier = job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier : 0;

	return (tier << 16) + MIN(job_ptr->node_cnt, 0xffff);
}

extern uint32_t ctld_grace_time(job_record_t *job_ptr)
{
	if (job_ptr->qos_ptr && job_ptr->qos_ptr->grace_time)
		return job_ptr->qos_ptr->grace_time;
	return job_ptr->part_ptr ? job_ptr->part_ptr->grace_time : 0;
}

extern int64_t evict_exempt_until(job_record_t *job_ptr)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	uint16_t mode = ctld_preempt_mode(job_ptr);
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

/* Both are ours and under one quota; the exact answer is given in job_test,
 * where quota and nodes are known. */
extern bool ctld_preemptable(job_record_t *preemptee, job_record_t *preemptor)
{
	struct job *victim, *waiting;

	if (!ctld_enforces())
		return false;
	victim = jobs_find(preemptee->job_id);
	waiting = jobs_find(preemptor->job_id);
	return victim && victim->work && workload_running(victim->work) &&
		waiting && waiting->work;
}

/* stopPolicy HoldAndDrain: what runs in the queue has to go. Not under a
 * preemptor, so Slurm's own means are called, from the waker's thread. */
static void _drain(struct job *job, void *arg UNUSED)
{
	job_record_t *job_ptr = job->job_ptr;
	int queue;

	if (!job->work || !workload_running(job->work) ||
	    workload_evicting(job->work) || (job_ptr->het_job_id && !job_ptr->het_job_list))
		return;
	queue = workload_queue(job->work);
	if (ctld.conf->spec->queues[queue].stop != STOP_HOLD_AND_DRAIN)
		return;
	info(PREFIX "drain: %pJ, cluster queue %s has stopPolicy HoldAndDrain",
	     job_ptr, ctld.conf->spec->queues[queue].name);
	if ((ctld_preempt_mode(job_ptr) == PREEMPT_MODE_REQUEUE) &&
	    (job_requeue(0, job_ptr->job_id, NULL, true, 0) == SLURM_SUCCESS))
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
	job_record_t *job_ptr = job->job_ptr;
	time_t now = *(time_t *) arg;

	if (!job->work || !workload_running(job->work) ||
	    !job_ptr->preempt_time || !IS_JOB_RUNNING(job_ptr) ||
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

/* ---- provenance ---- */

static const char *_queue_name(const struct workload *w)
{
	return ctld.conf->spec->queues[workload_queue(w)].name;
}

/* "used/nominal gres/gpu@a100" of the victim's queue for what is missing */
static void _numbers(const struct place *p, const struct workload *victim,
		     char *text, size_t size)
{
	const struct spec *spec = ctld.conf->spec;
	struct ledger ledger = { 0 };
	const struct charge *c;

	text[0] = '\0';
	for (size_t i = 0; i < p->ncharges; i++) {
		c = &p->charges[i];
		if (engine_ledger(ctld.engine, false, workload_queue(victim),
				  c->flavor, c->resource, &ledger))
			continue;
		if (!ledger.used)
			continue;
		snprintf(text, size, "need=%"PRId64" %s@%s, %s used %"PRId64" of nominal %"PRId64,
			 c->amount, spec->resources[c->resource],
			 spec->flavors[c->flavor], _queue_name(victim),
			 ledger.used, ledger.nominal);
		if (ledger.borrowed > 0)
			return;
	}
}

/* For the victim's owner: who took its place, by which rule, when */
static void _comment(const struct place *p, const struct victim *v,
		     const char *numbers, time_t now)
{
	struct job *victim = workload_owner(v->workload);
	job_record_t *job_ptr = victim->job_ptr;
	char when[32];
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", &tm);
	xfree(job_ptr->system_comment);
	xstrfmtcat(job_ptr->system_comment,
		   "preempted at %s by job %u (cluster queue %s), rule %s, %s, ran %ld s, preemption %u",
		   when, p->job_ptr->job_id, _queue_name(p->job->work),
		   victim_reason_name(v->reason), numbers,
		   (long) (now - job_ptr->start_time), victim->evictions);
	last_job_update = now;
}

static void _note(const struct place *p, const struct victim *v)
{
	struct job *victim = workload_owner(v->workload);
	job_record_t *job_ptr = victim->job_ptr;
	time_t now = time(NULL);
	char numbers[160];

	_numbers(p, v->workload, numbers, sizeof(numbers));
	victim->evictions++;
	victim->turn_over = (v->reason == VICTIM_TIME_BASED) ? now : 0;
	info(PREFIX "evict: %pJ (%s) for %pJ (%s), rule %s, ran %ld s, eviction %u: %s",
	     job_ptr, _queue_name(v->workload), p->job_ptr,
	     _queue_name(p->job->work), victim_reason_name(v->reason),
	     (long) (now - job_ptr->start_time), victim->evictions, numbers);
	if (ctld.conf->comments)
		_comment(p, v, numbers, now);
	waker_save();
}

extern int evict_list(struct place *p)
{
	int listed = 0;
	uint32_t grace;

	if (!p->preemptee_job_list)
		return 0;
	FREE_NULL_LIST(*p->preemptee_job_list);
	for (size_t i = 0; i < p->nvictims; i++) {
		struct workload *w = p->victims[i].workload;
		struct job *victim = workload_owner(w);

		if (workload_evicting(w) || !IS_JOB_RUNNING(victim->job_ptr))
			continue;
		if (!*p->preemptee_job_list)
			*p->preemptee_job_list = list_create(NULL);
		list_append(*p->preemptee_job_list, victim->job_ptr);
		listed++;
		if (p->mode != SELECT_MODE_RUN_NOW)
			continue;
		_note(p, &p->victims[i]);
		engine_evicting(ctld.engine, w, true);
		if ((grace = ctld_grace_time(victim->job_ptr)))
			waker_at(time(NULL) + grace);
	}
	books_stale();	/* whether they really go, the records will tell */
	return listed;
}
