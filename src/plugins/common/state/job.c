/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job.c - our record of a job, and its entries in cluster queues
\*****************************************************************************/
#include "state/job.h"

extern part_record_t *job_partition(const struct entry *entry, int n)
{
	const struct job *job = entry->job;

	if (!job->nvias)
		return n ? NULL : job->job_ptr->part_ptr;
	for (int i = 0; i < job->nvias; i++) {
		if ((job->vias[i].entry == entry) && !n--)
			return job->vias[i].part_ptr;
	}
	return NULL;
}

extern struct entry *job_entry_by_partition(struct job *job,
					    const part_record_t *part_ptr)
{
	for (int i = 0; i < job->nvias; i++) {
		if (job->vias[i].part_ptr == part_ptr)
			return job->vias[i].entry;
	}
	return job->nvias ? NULL : &job->first;
}

extern void job_forget_het_test(struct job *job)
{
	if (job->seen) {
		FREE_NULL_BITMAP(job->seen->usable);
		xfree(job->seen->partition);
	}
	xfree(job->seen);
}
