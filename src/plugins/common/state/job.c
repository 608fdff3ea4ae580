/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job.c - our record of a job, and its entries in cluster queues
\*****************************************************************************/
#include "state/job.h"

extern struct lessons *entry_get_lessons(struct entry *entry)
{
	if (!entry->lessons)
		entry->lessons = xmalloc(sizeof(*entry->lessons));
	return entry->lessons;
}

extern struct owned *entry_get_owned(struct entry *entry)
{
	if (!entry->owned)
		entry->owned = xmalloc(sizeof(*entry->owned));
	return entry->owned;
}

extern void entry_drop_empty_lessons(struct entry *entry)
{
	const struct lessons *lessons = entry->lessons;

	if (lessons && !lessons->fits && !lessons->learned && !lessons->taken)
		xfree(entry->lessons);
}

extern void entry_forget_lessons(struct entry *entry)
{
	if (!entry->lessons)
		return;
	xfree(entry->lessons->fits);
	xfree(entry->lessons->learned);
	xfree(entry->lessons->taken);
	xfree(entry->lessons);
}

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
