/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  jobs.c - our record of each job, by job id
 *
 *  A chained hash that doubles when it is full. Slurm's job ids are dense, so
 *  the id itself is the hash.
\*****************************************************************************/
#include "books/jobs.h"

#include "state/job.h"
#include "slurm/waker.h"
#include "match/queue_of_job.h"
#include "books/het.h"
#include "books/hold.h"
#include "placement/provenance.h"

static struct {
	struct job **buckets;
	uint32_t size;		/* a power of two */
	uint32_t count;
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

	if (!table.count)
		return NULL;
	for (job = *_bucket(job_id); job; job = job->next) {
		if (job->job_id == job_id)
			return job;
	}
	return NULL;
}

extern struct job *jobs_get(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id), **to;

	if (!job) {
		if (table.count >= table.size)
			_grow();
		job = xmalloc(sizeof(*job));
		job->job_id = job_ptr->job_id;
		job->new_at = waker_turns();
		job->queue = SPEC_NONE;
		if (job_ptr->details)
			job->order_at = job_ptr->details->submit_time;
		job->evictions = provenance_count(job_ptr);
		to = _bucket(job->job_id);
		job->next = *to;
		*to = job;
		table.count++;
	}
	job->job_ptr = job_ptr;
	return job;
}

extern job_record_t *jobs_record(const struct job *job)
{
	job_record_t *job_ptr = find_job_record(job->job_id);

	return job_ptr == job->job_ptr ? job_ptr : NULL;
}

static void _free(struct job *job)
{
	while (job->other)
		jobs_drop_other(job, job->other);
	het_test_free(job);
	local_queue_release(job);
	xfree(job->vias);
	xfree(job->flavors);
	xfree(job->learned);
	xfree(job->fits);
	xfree(job);
}

extern void jobs_set_own(struct job *job, time_t until)
{
	if (!job->own_until && until)
		ctld.owners++;
	else if (job->own_until && !until)
		ctld.owners--;
	if (job->own_until != until)
		waker_save();
	job->own_until = until;
	if (!until)
		hold_release(job);
}

extern struct job *jobs_add_other(struct job *job)
{
	struct job *other = xmalloc(sizeof(*other));

	other->job_id = job->job_id;
	other->job_ptr = job->job_ptr;
	other->queue = SPEC_NONE;
	other->first = job;
	other->other = job->other;
	job->other = other;
	return other;
}

extern void jobs_drop_other(struct job *job, struct job *other)
{
	struct job **at = &job->other;

	while (*at != other)
		at = &(*at)->other;
	*at = other->other;
	other->other = NULL;
	jobs_set_own(other, 0);
	_free(other);
}

extern void jobs_drop(struct job *job)
{
	struct job **at;

	for (at = _bucket(job->job_id); *at; at = &(*at)->next) {
		if (*at == job) {
			*at = job->next;
			table.count--;
			jobs_set_own(job, 0);
			_free(job);
			return;
		}
	}
}

extern uint32_t jobs_count(void)
{
	return table.count;
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
	while (job->other)
		jobs_drop_other(job, job->other);
	xfree(job->vias);
	job->nvias = 0;
	job->outside = false;
	job->work = NULL;
	job->queue = SPEC_NONE;
	local_queue_release(job);
	job->fingerprint = 0;
	job->no_nodes = job->passed_over = false;
	job->may_since = 0;
	job->observed = 0;
	jobs_set_own(job, 0);
	xfree(job->flavors);
	xfree(job->learned);
	xfree(job->fits);
}

extern void jobs_unbook(void)
{
	jobs_each(_unbook, NULL);
}
