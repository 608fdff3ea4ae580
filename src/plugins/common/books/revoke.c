/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  revoke.c - an eviction that was decided, and that slurmctld did not carry out
\*****************************************************************************/
#include "books/revoke.h"

#include "state/job.h"
#include "slurm/saver.h"
#include "record/comment.h"
#include "record/event.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "books/het.h"

/* Nothing is being freed for the job: neither quota nor nodes are kept for it.
 * slurmctld's last checks, such as limits on the selected nodes, may refuse it
 * forever. */
static void _disown(struct job *preemptor)
{
	for_each_entry(e, preemptor) {
		if (!e->own_until || !e->work)
			continue;
		engine_disown(ctld.engine, e->work);
		jobs_set_own(e, 0);
	}
	if (jobs_record(preemptor) && preemptor->job_ptr->het_job_id)
		het_ended(preemptor->job_ptr);
}

extern void revoke_eviction(struct job *job)
{
	struct job *preemptor;

	if (!run_of(job)->noted)
		return;
	if ((preemptor = jobs_find(job->run->noted_by))) {
		chance_revoke_eviction(preemptor);
		_disown(preemptor);
	}
	job->run->noted = false;
	event_forget(job);
	run_count_eviction(job->run, -1);
	job->run->evicted_in = 0;
	info(PREFIX "evict: %pJ keeps running: slurmctld did not evict it",
	     job->job_ptr);
	if (ctld.conf->comments)
		comment_clear(job->job_ptr);
	comment_clear_admin(job->job_ptr);
	saver_save();
}
