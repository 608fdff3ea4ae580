/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job.c - our record of a job, and its entries in cluster queues
\*****************************************************************************/
#include "state/job.h"

#include <json-c/json.h>

struct ctld ctld = { .passes = 1, .releases = 1 };

const struct run no_run = { .evicted = NULL };

extern struct run *job_get_run(struct job *job)
{
	if (!job->run)
		job->run = xmalloc(sizeof(*job->run));
	return job->run;
}

extern void job_forget_run(struct job *job)
{
	if (!job->run)
		return;
	json_object_put(job->run->evicted);
	xfree(job->run);
}

extern void job_forget_het_test(struct job *job)
{
	struct het_test *seen = job->offer.seen;

	if (!seen)
		return;
	FREE_NULL_BITMAP(seen->usable);
	xfree(seen->partition);
	xfree(job->offer.seen);
}

extern void entry_forget_lessons(struct entry *entry)
{
	xfree(entry->lessons.fits);
	xfree(entry->lessons.taken);
	entry->lessons.learned = 0;
}

static void _clear_flavors(int *flavors)
{
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++)
		flavors[i] = -1;
}

extern int *entry_get_flavors(struct entry *entry)
{
	if (!entry->flavors) {
		entry->flavors = xcalloc(ctld.conf->spec->nresources + 1, sizeof(int));
		_clear_flavors(entry->flavors);
	}
	return entry->flavors;
}

extern void entry_take_flavors(struct entry *entry, const struct charge *charges, size_t n)
{
	int *flavors = entry_get_flavors(entry);

	_clear_flavors(flavors);
	for (size_t i = 0; i < n; i++)
		flavors[charges[i].resource] = charges[i].flavor;
}

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
