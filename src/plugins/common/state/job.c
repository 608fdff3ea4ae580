/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job.c - our record of a job, and its entries in cluster queues
\*****************************************************************************/
#include "state/job.h"

#include <json-c/json.h>

const struct parts no_parts = { .started = 0 };
const struct offer no_offer = { .seen = NULL };
const struct run no_run = { .evicted = NULL };

/* ---- parts that few jobs have ---- */

extern struct parts *entry_get_parts(struct entry *entry)
{
	if (!entry->parts)
		entry->parts = xmalloc(sizeof(*entry->parts));
	return entry->parts;
}

/* Tasks that were started count until the next plan: they are worth no memory. */
static void _drop_empty(struct entry *entry)
{
	const struct parts *p = parts_of(entry);

	if (!p->vias && !p->offer && !p->run && !p->lessons && !p->owned &&
	    !p->flavors && !p->started && !p->planned && !p->next)
		xfree(entry->parts);
}

extern struct offer *job_get_offer(struct job *job)
{
	struct parts *parts = entry_get_parts(&job->first);

	if (!parts->offer)
		parts->offer = xmalloc(sizeof(*parts->offer));
	return parts->offer;
}

extern struct run *job_get_run(struct job *job)
{
	struct parts *parts = entry_get_parts(&job->first);

	if (!parts->run)
		parts->run = xmalloc(sizeof(*parts->run));
	return parts->run;
}

static bool _is_empty(const struct offer *offer)
{
	const struct chance *chance = &offer->chance;
	const struct tries *tries = &offer->tries;

	return !chance->since && !chance->first_try && !chance->evictions &&
		!chance->plans_missed && !chance->evicts_from &&
		!chance->planned_from && !chance->promised &&
		!chance->passed_over && !tries->watched_since &&
		!tries->missing && !offer->seen && !offer->limited_at;
}

extern void job_drop_empty_offer(struct job *job)
{
	if (!job_offer(job) || !_is_empty(job_offer(job)))
		return;
	xfree(job->first.parts->offer);
	_drop_empty(&job->first);
}

extern void job_forget_het_test(struct job *job)
{
	struct het_test *seen = offer_of(job)->seen;

	if (!seen)
		return;
	FREE_NULL_BITMAP(seen->usable);
	xfree(seen->partition);
	xfree(job_offer(job)->seen);
}

extern void job_forget_offer(struct job *job)
{
	job_forget_het_test(job);
	if (!job_offer(job))
		return;
	xfree(job->first.parts->offer);
	_drop_empty(&job->first);
}

extern void job_forget_run(struct job *job)
{
	struct run *run = job_run(job);

	if (!run)
		return;
	json_object_put(run->evicted);
	xfree(run->ending);
	xfree(job->first.parts->run);
	_drop_empty(&job->first);
}

extern void job_set_vias(struct job *job, struct vias *vias)
{
	if (!vias && !job->first.parts)
		return;
	xfree(entry_get_parts(&job->first)->vias);
	job->first.parts->vias = vias;
	_drop_empty(&job->first);
}

extern struct lessons *entry_get_lessons(struct entry *entry)
{
	struct parts *parts = entry_get_parts(entry);

	if (!parts->lessons)
		parts->lessons = xmalloc(sizeof(*parts->lessons));
	return parts->lessons;
}

extern struct owned *entry_get_owned(struct entry *entry)
{
	struct parts *parts = entry_get_parts(entry);

	if (!parts->owned)
		parts->owned = xmalloc(sizeof(*parts->owned));
	return parts->owned;
}

extern void entry_drop_empty_lessons(struct entry *entry)
{
	const struct lessons *lessons = parts_of(entry)->lessons;

	if (!lessons || lessons->fits || lessons->learned || lessons->taken)
		return;
	xfree(entry->parts->lessons);
	_drop_empty(entry);
}

extern void entry_forget_lessons(struct entry *entry)
{
	struct lessons *lessons = parts_of(entry)->lessons;

	if (!lessons)
		return;
	xfree(lessons->fits);
	xfree(lessons->taken);
	xfree(entry->parts->lessons);
	_drop_empty(entry);
}

extern void entry_forget_owned(struct entry *entry)
{
	if (!parts_of(entry)->owned)
		return;
	xfree(entry->parts->owned);
	_drop_empty(entry);
}

extern void entry_set_flavors(struct entry *entry, int *flavors)
{
	if (!flavors && !entry->parts)
		return;
	xfree(entry_get_parts(entry)->flavors);
	entry->parts->flavors = flavors;
	_drop_empty(entry);
}

static void _clear_flavors(int *flavors)
{
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++)
		flavors[i] = -1;
}

extern int *entry_get_flavors(struct entry *entry)
{
	struct parts *parts = entry_get_parts(entry);

	if (!parts->flavors) {
		parts->flavors = xcalloc(ctld.conf->spec->nresources + 1, sizeof(int));
		_clear_flavors(parts->flavors);
	}
	return parts->flavors;
}

extern void entry_take_flavors(struct entry *entry, const struct charge *charges, size_t n)
{
	int *flavors = entry_get_flavors(entry);

	_clear_flavors(flavors);
	for (size_t i = 0; i < n; i++)
		flavors[charges[i].resource] = charges[i].flavor;
}

extern void entry_forget_parts(struct entry *entry)
{
	entry_forget_lessons(entry);
	entry_forget_owned(entry);
	entry_set_flavors(entry, NULL);
	xfree(entry->parts);
}

/* ---- by partition ---- */

extern part_record_t *job_partition(const struct entry *entry, int n)
{
	const struct job *job = entry->job;

	if (!job_nvias(job))
		return n ? NULL : job->job_ptr->part_ptr;
	for (int i = 0; i < job_nvias(job); i++) {
		if ((job_vias(job)->all[i].entry == entry) && !n--)
			return job_vias(job)->all[i].part_ptr;
	}
	return NULL;
}

extern struct entry *job_entry_by_partition(struct job *job,
					    const part_record_t *part_ptr)
{
	for (int i = 0; i < job_nvias(job); i++) {
		if (job_vias(job)->all[i].part_ptr == part_ptr)
			return job_vias(job)->all[i].entry;
	}
	return job_nvias(job) ? NULL : &job->first;
}
