/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  glance.c - records for which a glance will do
\*****************************************************************************/
#include "record/glance.h"

#include "slurm/passes.h"
#include "match/preemptibility.h"

/* Its components, its array or its reservation may change without it. */
static bool _stands_alone(const job_record_t *job_ptr)
{
	return !job_ptr->het_job_id && !job_ptr->array_job_id &&
		!job_ptr->array_recs && !job_ptr->resv_name;
}

static bool _waits_plainly(const struct job *job)
{
	const job_record_t *job_ptr = job->job_ptr;
	const struct entry *entry = &job->first;

	return job->marked && job_waits(job) && !job_ptr->part_ptr_list && !job->nvias &&
		!entry->next && !entry->learned && !entry->taken &&
		!entry->goes_on && !entry->own_until && !job->tries.missing &&
		!job_ptr->details->depend_list;
}

/* Its comment counts if its queue has a rule for jobs that can't be preempted. A job
 * that this pass has started is exempt until the pass is over. */
static bool _runs_plainly(const struct job *job)
{
	const struct workload *w = job->first.work;

	return job_runs(job) && !job->provisional && !workload_evicting(w) &&
		!job->job_ptr->preempt_time &&
		!workload_is_nonpreemptible(w) &&
		!preemptibility_has_rule(workload_queue(w)) &&
		(job->started_in != pass_begun());
}

extern void glance_settle(struct job *job)
{
	const job_record_t *job_ptr = job->job_ptr;
	uint32_t state = job_ptr->job_state;

	job->settled = _stands_alone(job_ptr) &&
		((state == JOB_PENDING) ? _waits_plainly(job) :
		 (state == JOB_RUNNING) && _runs_plainly(job));
	job->settled_state = state;
	job->settled_priority = job_ptr->priority;
}

/* A job that may start is looked at in full in each scan until it has waited by the plan
 * from one look in full to the next. slurmctld removes our text when one is updated. */
extern bool glance_suffices(const struct job *job, const job_record_t *job_ptr)
{
	if (!job->settled || (job->settled_state != job_ptr->job_state) ||
	    (job->job_ptr != job_ptr))
		return false;
	if (job_ptr->job_state == JOB_RUNNING)
		return !job_ptr->preempt_time;
	return job->fingerprint && job_ptr->state_desc &&
		(job->settled_priority == job_ptr->priority);
}
