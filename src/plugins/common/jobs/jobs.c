/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  jobs.c - our record of each job, by job id
 *
 *  A chained hash that doubles when it is full. Slurm's job ids are dense, so
 *  the id itself is the hash.
\*****************************************************************************/
#include "jobs/jobs.h"

#include "state/job.h"
#include "state/keep.h"
#include "slurm/saver.h"
#include "slurm/waker.h"
#include "match/queue_of_job.h"
#include "record/comment.h"
#include "jobs/chance.h"
#include "jobs/hold.h"

static struct {
	struct job **buckets;
	uint32_t size;		/* a power of two */
} table;

static struct job **_bucket(uint32_t job_id)
{
	return &table.buckets[job_id & (table.size - 1)];
}

static void _grow(void)
{
	struct job **old = table.buckets;
	uint32_t old_size = table.size;

	table.size = old_size ? old_size * 2 : 1024;
	table.buckets = xcalloc(table.size, sizeof(struct job *));
	for (uint32_t i = 0; i < old_size; i++) {
		while (old[i]) {
			struct job *job = old[i], **to = _bucket(job->job_id);

			old[i] = job->next;
			job->next = *to;
			*to = job;
		}
	}
	xfree(old);
}

extern struct job *jobs_find(uint32_t job_id)
{
	struct job *job;

	if (!ctld.njobs)
		return NULL;
	for (job = *_bucket(job_id); job; job = job->next) {
		if (job->job_id == job_id)
			return job;
	}
	return NULL;
}

/* Without what xmalloc() adds: there may be hundreds of thousands of them. */
static struct job *_create(void)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		fatal(PREFIX "no memory");
	return job;
}

extern struct job *jobs_get(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id), **to;
	struct evictions evictions;

	if (!job) {
		if (ctld.njobs >= table.size)
			_grow();
		job = _create();
		job->job_id = job_ptr->job_id;
		job->new_at = waker_turns();
		job->first.job = job;
		job->first.queue = SPEC_NONE;
		if (job_ptr->details)
			job->order_at =
				job_time(job_ptr->details->submit_time);
		evictions = comment_evictions(job_ptr);
		if (evictions.count || evictions.turns) {
			job_get_run(job)->evictions = evictions;
			keep_note(job);
		}
		to = _bucket(job->job_id);
		job->next = *to;
		*to = job;
		ctld.njobs++;
		ctld.changes++;
	}
	job->job_ptr = job_ptr;
	return job;
}

extern job_record_t *jobs_record(const struct job *job)
{
	job_record_t *job_ptr = find_job_record(job->job_id);

	return job_ptr == job->job_ptr ? job_ptr : NULL;
}

extern void jobs_set_alone(struct job *job, bool alone)
{
	if (alone && !job->alone)
		ctld.nalone++;
	else if (!alone && job->alone)
		ctld.nalone--;
	job->alone = alone;
}

/* ---- entries ---- */

extern void jobs_set_own(struct entry *entry, time_t until)
{
	time_t was = entry_own_until(entry);

	if (!was && until)
		ctld.owners++;
	else if (was && !until)
		ctld.owners--;
	if (was != until)
		saver_save();
	if (until) {
		keep_note(entry->job);
		entry_get_owned(entry)->until = until;
	} else {
		hold_release(entry);
		entry_forget_owned(entry);
	}
}

static void _free_parts(struct entry *entry)
{
	local_queue_release(entry);
	entry_set_flavors(entry, NULL);
	entry_forget_lessons(entry);
}

extern struct entry *jobs_add_entry(struct job *job)
{
	struct entry *entry = xmalloc(sizeof(*entry));
	struct parts *parts = entry_get_parts(&job->first);

	entry->job = job;
	entry->queue = SPEC_NONE;
	if (!parts->next)
		parts->estimate_queue = job->first.queue;
	entry_get_parts(entry)->next = parts->next;
	parts->next = entry;
	return entry;
}

extern void jobs_drop_entry(struct entry *entry)
{
	struct entry *before = &entry->job->first;

	while (entry_next(before) != entry)
		before = entry_next(before);
	before->parts->next = entry_next(entry);
	jobs_set_own(entry, 0);
	_free_parts(entry);
	entry_forget_parts(entry);
	xfree(entry);
}

static void _drop_other_entries(struct job *job)
{
	while (entry_next(&job->first))
		jobs_drop_entry(entry_next(&job->first));
	job_set_vias(job, NULL);
}

/* ---- removal ---- */

static void _free(struct job *job)
{
	_drop_other_entries(job);
	job_forget_offer(job);
	_free_parts(&job->first);
	keep_forget(job);
	job_forget_run(job);
	entry_forget_parts(&job->first);
	free(job);
}

extern void jobs_drop(struct job *job)
{
	struct job **at;

	for (at = _bucket(job->job_id); *at; at = &(*at)->next) {
		if (*at == job) {
			*at = job->next;
			ctld.njobs--;
			ctld.changes++;
			jobs_set_own(&job->first, 0);
			jobs_set_alone(job, false);
			_free(job);
			return;
		}
	}
}

extern void jobs_unmark(struct job *job)
{
	ctld.changes++;
	job->marked = false;
}

/* f may drop the record it is called with */
extern void jobs_each(void (*f)(struct job *job, void *arg), void *arg)
{
	for (uint32_t i = 0; i < table.size; i++) {
		struct job *job = table.buckets[i];

		while (job) {
			struct job *next = job->next;

			f(job, arg);
			job = next;
		}
	}
}

static void _drop(struct job *job, void *arg UNUSED)
{
	jobs_drop(job);
}

extern void jobs_clear(void)
{
	jobs_each(_drop, NULL);
}

static void _unbook(struct job *job, void *arg UNUSED)
{
	_drop_other_entries(job);
	job->outside = false;
	jobs_set_alone(job, false);
	job->fingerprint = 0;
	chance_reset(job);
	job->first.work = NULL;
	job->first.queue = SPEC_NONE;
	job->first.chance.observed = 0;
	jobs_set_own(&job->first, 0);
	_free_parts(&job->first);
}

extern void jobs_unbook(void)
{
	ctld.changes++;
	jobs_each(_unbook, NULL);
}
