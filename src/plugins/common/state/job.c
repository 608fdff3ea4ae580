/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job.c - our record of a job, and its entries in cluster queues
\*****************************************************************************/
#include "state/job.h"

#include <json-c/json.h>

const struct offer no_offer = { .seen = NULL };
const struct run no_run = { .evicted = NULL };

/* ---- parts that few jobs have ---- */

extern struct offer *job_get_offer(struct job *job)
{
	if (!job->offer)
		job->offer = xmalloc(sizeof(*job->offer));
	return job->offer;
}

extern struct run *job_get_run(struct job *job)
{
	if (!job->run)
		job->run = xmalloc(sizeof(*job->run));
	return job->run;
}

static bool _is_empty(const struct offer *offer)
{
	const struct chance *chance = &offer->chance;
	const struct tries *tries = &offer->tries;

	return !chance->since && !chance->first_try && !chance->evictions &&
		!chance->plans_missed && !chance->evicts_from &&
		!chance->planned_from && !chance->promised &&
		!chance->passed_over && !tries->watched_since &&
		!tries->missing && !offer->seen;
}

extern void job_drop_empty_offer(struct job *job)
{
	if (job->offer && _is_empty(job->offer))
		xfree(job->offer);
}

extern void job_forget_het_test(struct job *job)
{
	struct het_test *seen = offer_of(job)->seen;

	if (!seen)
		return;
	FREE_NULL_BITMAP(seen->usable);
	xfree(seen->partition);
	xfree(job->offer->seen);
}

extern void job_forget_offer(struct job *job)
{
	job_forget_het_test(job);
	xfree(job->offer);
}

extern void job_forget_run(struct job *job)
{
	if (!job->run)
		return;
	json_object_put(job->run->evicted);
	xfree(job->run->ending);
	xfree(job->run);
}

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

/* ---- by partition ---- */

extern part_record_t *job_partition(const struct entry *entry, int n)
{
	const struct job *job = entry->job;

	if (!job_nvias(job))
		return n ? NULL : job->job_ptr->part_ptr;
	for (int i = 0; i < job_nvias(job); i++) {
		if ((job->vias->all[i].entry == entry) && !n--)
			return job->vias->all[i].part_ptr;
	}
	return NULL;
}

extern struct entry *job_entry_by_partition(struct job *job,
					    const part_record_t *part_ptr)
{
	for (int i = 0; i < job_nvias(job); i++) {
		if (job->vias->all[i].part_ptr == part_ptr)
			return job->vias->all[i].entry;
	}
	return job_nvias(job) ? NULL : &job->first;
}
